// The overlays of the map, each with its key; the server sends only the data of visible ones.

import { remember, remembered } from "./dom.js";
import { on, studio, tell } from "./studio.js";

const FIXED = [
  ["views", "Views", "v", "what guards see"],
  ["flood", "Flood", "h", "heat, barrier and destination of a chase"],
  ["ghosts", "Last seen", "g", "your last known position, as guards believe"],
  ["noises", "Sounds", "n", "sounds that were heard"],
  ["words", "Speech", "t", "what agents say"],
  ["crews", "Crews", "y", "members, roles, places, attack turns and requests"],
  ["ways", "Paths", "o", "the path of each agent and its goal"],
  ["patrols", "Patrols", "p", "patrol routes of the guards"],
  ["names", "Names", "l", "names of agents and rooms"],
  ["mesh", "Navmesh", "m", "walkable faces"],
  ["cells", "Cells", "k", "the cells guards reason about"],
  ["links", "Links", "x", "connections between cells"],
];
const OF_FEEDS = ["views", "words", "patrols", "names"];
const LAYER_KEYS = { search: "i", cleaned: "u" };
const USUAL = ["views", "flood", "ghosts", "noises", "words", "names", "crews", "layer search"];

export function allOverlays() {
  const layers = Object.entries(LAYER_KEYS).flatMap(([name, key]) => {
    const layer = (studio.hello?.layers ?? []).find((one) => one.name === name);
    return layer ? [{ name: `layer ${name}`, title: layer.title, key, about: layer.about }] : [];
  });
  const fixed = FIXED.filter(([name]) => isOffered(name)).map(([name, title, key, about]) => ({ name, title, key, about }));
  return [...fixed.slice(0, 2), ...layers, ...fixed.slice(2)];
}

// Whether an overlay can show anything of this run.
export function isOffered(name) {
  if (studio.hello?.kind === "feed") return OF_FEEDS.includes(name);
  return name !== "crews" || Boolean(studio.hello?.crews);
}

// Layers that are computed while they are shown, one at a time: overlapping scales cannot be read.
export const surveyedLayers = () => (studio.hello?.layers ?? []).filter((layer) => layer.steps && layer.is_offered);

export const surveyedLayer = () => surveyedLayers().find(({ name }) => studio.overlays.has(`layer ${name}`)) ?? null;

export function chooseLayer(name) {
  for (const layer of surveyedLayers()) studio.overlays.delete(`layer ${layer.name}`);
  if (name) studio.overlays.add(`layer ${name}`);
  changed();
}

// Show the next or the previous layer; after the last one, none.
export function nextLayer(by) {
  const names = [null, ...surveyedLayers().map(({ name }) => name)];
  const at = names.indexOf(surveyedLayer()?.name ?? null);
  chooseLayer(names[(at + by + names.length) % names.length]);
}

// The value of a layer's byte as text, with its unit if it has one.
export function layerWords({ steps, low, high, unit, nothing }, byte) {
  if (!steps) return `${byte} ${unit}`.trim();
  if (!byte) return nothing;
  const share = (byte - 1) / steps;
  return numberWords({ low, high, unit }, low + share * (high - low), share === 1 && unit === "m");
}

export function numberWords({ low, high, unit }, value, isEnd = false) {
  const digits = unit === "guards" || unit === "heat" || high - low > 30 ? 0 : high - low > 5 ? 1 : 2;
  const one = unit === "guards" && Math.round(value) === 1 ? "guard" : unit;
  return `${isEnd ? "≥ " : ""}${value.toFixed(digits)} ${one}`.trim();
}

export function beginOverlays() {
  studio.overlays = new Set(remembered("overlays", USUAL));
  on("hello", ask);
}

export function toggle(name) {
  if (!studio.overlays.delete(name)) studio.overlays.add(name);
  changed();
}

// Show exactly these for now, without changing the stored choice.
export function showOverlays(names) {
  studio.overlays = new Set(names);
  ask();
  tell("overlays");
}

function changed() {
  remember("overlays", [...studio.overlays]);
  ask();
  tell("overlays");
}

function ask() {
  const names = (studio.hello?.layers ?? []).map((layer) => layer.name);
  const layers = names.filter((name) => studio.overlays.has(`layer ${name}`));
  const has = (name) => studio.overlays.has(name);
  studio.send("overlays", { views: has("views"), ways: has("ways"), spots: has("layer cleaned"), layers });
}
