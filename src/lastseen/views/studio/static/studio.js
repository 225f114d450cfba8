// The state that all parts of the page share, and its change listeners.

import { remembered } from "./dom.js";

const listeners = new Map();

export const studio = {
  hello: null,
  status: { running: false, speed: 1, tick: 0, ticks: 0, mode: "play", ended: null },
  selected: null, // {kind: "agent", number} or {kind: "cell", cell}
  hover: null, // {x, y, cell} in metres
  mode: "play",
  overlays: new Set(),
  candidates: [], // cells ranked by the selected agent: [{cell, score, terms, metres}]
  storey: null, // null: the floor of the followed agent
  stacked: false,
  deep: false, // the 3D view is wanted
  trial: null, // a level baked otherwise, shown instead of the navmesh and cells of the game: {number, cells, mesh}
  cut: null, // metres above which the 3D view shows nothing; null: as the floor says
  differs: null, // the first step in which a compared run differs
  slowOnLoss: remembered("slowOnLoss", true),
  send: () => {},
};

export function on(name, act) {
  if (!listeners.has(name)) listeners.set(name, []);
  listeners.get(name).push(act);
}

export function tell(name, value) {
  for (const act of listeners.get(name) ?? []) act(value);
}

export function change(name, value) {
  studio[name] = value;
  tell(name, value);
}

export function select(what) {
  studio.candidates = [];
  change("selected", what);
}

export function say(words, kind = "note") {
  tell("notice", { words, kind });
}

export const agentName = (number) => studio.hello?.agents[number]?.name ?? "unknown agent";
export const seconds = (tick) => tick * (studio.hello?.step ?? 1 / 30);
// How long things stay visible, in seconds of game time; the server says it in its greeting.
export const timings = () => studio.hello.timings;
// The words of the library and their labels come with the greeting; frames hold their numbers.
export const vocabulary = () => studio.hello.vocabulary;
export const stateName = (number) => studio.hello?.vocabulary.states[number] ?? "patrol";
export const modeName = (number) => vocabulary().modes[number];
export const isActive = ({ mode }) => modeName(mode) === "active";
export const isWatcher = (number) => studio.hello?.watchers.includes(number) ?? false;
