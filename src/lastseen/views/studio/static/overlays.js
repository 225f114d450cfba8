// What can be shown on the map? Each overlay with its key; the server sends only what somebody looks at.

import { remember, remembered } from "./dom.js";
import { on, studio, tell } from "./studio.js";

const FIXED = [
  ["views", "Views", "v", "what guards see"],
  ["flood", "Flood", "h", "the heat of a chase, its barrier and its destination"],
  ["ghosts", "Last seen", "g", "where guards believe you were"],
  ["noises", "Sounds", "n", "what was heard"],
  ["words", "Speech", "t", "what people say"],
  ["crews", "Crews", "y", "who does what together: members, roles, places, whose turn it is, requests"],
  ["ways", "Ways", "o", "which way everybody goes, and where to"],
  ["patrols", "Patrols", "p", "rounds of the guards"],
  ["names", "Names", "l", "names of people and rooms"],
  ["mesh", "Navmesh", "m", "the faces one walks on"],
  ["cells", "Cells", "k", "the cells guards reason on"],
  ["links", "Links", "x", "the steps from cell to cell"],
];
const LAYER_KEYS = { search: "i", cleaned: "u" };
const USUAL = ["views", "flood", "ghosts", "noises", "words", "names", "crews", "layer search"];

export function allOverlays() {
  const layers = Object.entries(LAYER_KEYS).flatMap(([name, key]) => {
    const layer = (studio.hello?.layers ?? []).find((one) => one.name === name);
    return layer ? [{ name: `layer ${name}`, title: layer.title, key, about: layer.about }] : [];
  });
  const has = (name) => name !== "crews" || Boolean(studio.hello?.crews);
  const fixed = FIXED.filter(([name]) => has(name)).map(([name, title, key, about]) => ({ name, title, key, about }));
  return [...fixed.slice(0, 2), ...layers, ...fixed.slice(2)];
}

// Layers that are surveyed while they are shown, one at a time: two scales over one another say nothing.
export const surveyedLayers = () => (studio.hello?.layers ?? []).filter((layer) => layer.steps && layer.is_offered);

export const surveyedLayer = () => surveyedLayers().find(({ name }) => studio.overlays.has(`layer ${name}`)) ?? null;

export function chooseLayer(name) {
  for (const layer of surveyedLayers()) studio.overlays.delete(`layer ${layer.name}`);
  if (name) studio.overlays.add(`layer ${name}`);
  changed();
}

// The layer after the one that is shown, or before it; after the last comes none.
export function nextLayer(by) {
  const names = [null, ...surveyedLayers().map(({ name }) => name)];
  const at = names.indexOf(surveyedLayer()?.name ?? null);
  chooseLayer(names[(at + by + names.length) % names.length]);
}

// What a byte of a layer stands for, in words; short of a unit where none is wanted.
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

// Show these and nothing else, for now: what the reader chose stays remembered.
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
