// Which keys are there? One table; `?` shows it.

import { button, fill, find, make, remember } from "../dom.js";
import { allOverlays, toggle } from "../overlays.js";
import { allModes, currentMode, setMode } from "../modes/modes.js";
import { select, studio } from "../studio.js";

const LISTS = [
  ["Play", [["W A S D, arrows", "walk"], ["Shift", "run"], ["C", "sneak"], ["E", "use: door, hiding place"], ["Q, right click", "throw something"], ["hold the mouse", "go to the pointer"]]],
  ["Time", [["Space", "play, pause"], [", .", "one step back, on"], ["[ ]", "slower, faster"], ["Home, End", "first, last moment"], ["Enter", "go on from here"], ["R", "again from the start"]]],
  ["Map", [["wheel, + −", "zoom"], ["drag, arrows in Watch", "pan"], ["F", "fit"], ["Page up, Page down", "floor above, below"], ["Z", "all floors, tilted"], ["Shift drag in Watch", "move somebody"]]],
  ["Page", [["1 … 5", "modes"], ["\\", "panel"], ["Tab", "next control"], ["Escape", "back to the story"], ["?", "this list"]]],
];

export function showKeys() {
  const box = find("#help");
  if (box.open) return box.close();
  const overlays = ["Show", allOverlays().map(({ title, key }) => [key.toUpperCase(), title])];
  const lists = [...LISTS, overlays].map(([title, rows]) =>
    make("section", {}, make("h3", { text: title }), make("dl", {}, ...rows.flatMap(([key, what]) => [make("dt", {}, make("kbd", { text: key })), make("dd", { text: what })]))),
  );
  fill(box, make("h2", { text: "Keys" }), make("div", { class: "lists" }, ...lists), slowOption(), make("div", { class: "buttons" }, button("Show the tour again", () => (box.close(), studio.tour?.())), button("Close", () => box.close(), { class: "main" })));
  box.showModal();
}

function slowOption() {
  const box = make("input", { type: "checkbox", on: { change: () => remember("slowOnLoss", (studio.slowOnLoss = box.checked)) } });
  box.checked = studio.slowOnLoss;
  return make("label", { class: "field" }, box, "Slow down for half a second when a guard loses you");
}

export function beginKeys({ time, side, rail, scene, redraw }) {
  const storey = (by) => {
    const count = studio.hello?.level.storeys.length ?? 1;
    rail.choose(Math.min(count - 1, Math.max(0, scene.active + by)));
  };
  const acts = {
    " ": () => time.toggleRun(),
    ",": () => time.step(-1),
    ".": () => time.step(1),
    "[": () => time.faster(-1),
    "]": () => time.faster(1),
    Home: () => time.seek(0),
    End: () => time.seek(studio.status.ticks),
    Enter: () => studio.hello?.mode === "play" && studio.status.tick < studio.status.ticks - 1 && studio.resume(),
    r: () => studio.restart(),
    f: () => scene.camera.fit(),
    "+": () => scene.camera.zoom(1.25),
    "=": () => scene.camera.zoom(1.25),
    "-": () => scene.camera.zoom(0.8),
    z: () => rail.stack(),
    PageUp: () => storey(1),
    PageDown: () => storey(-1),
    0: () => rail.choose(null),
    "\\": () => side.shut(),
    Escape: () => select(null),
    "?": showKeys,
  };
  addEventListener("keydown", (event) => {
    if (isWriting(event.target) || document.querySelector("dialog[open]")) return;
    if (currentMode().keydown?.(event)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onControl = event.target.closest?.("button, summary, select");
    if (onControl && (event.key === " " || event.key === "Enter")) return;
    const act = acts[event.key] ?? acts[event.key.toLowerCase()] ?? byTable(event.key.toLowerCase());
    if (!act) return;
    event.preventDefault();
    act();
    redraw();
  });
  addEventListener("keyup", (event) => currentMode().keyup?.(event));
}

function byTable(key) {
  const mode = allModes().find((one) => one.key === key);
  if (mode) return () => setMode(mode.name);
  const overlay = allOverlays().find((one) => one.key === key);
  return overlay ? () => toggle(overlay.name) : null;
}

const isWriting = (node) => node.matches?.("input:not([type=range]), textarea, [contenteditable]");
