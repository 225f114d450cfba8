// What can be shown on the map? Each overlay with its key; the server sends only what somebody looks at.

import { remember, remembered } from "./dom.js";
import { on, studio, tell } from "./studio.js";

const FIXED = [
  ["views", "Views", "v", "what guards see"],
  ["flood", "Flood", "h", "the heat of a chase, its barrier and its destination"],
  ["ghosts", "Last seen", "g", "where guards believe you were"],
  ["noises", "Sounds", "n", "what was heard"],
  ["words", "Speech", "t", "what people say"],
  ["ways", "Ways", "o", "which way everybody goes, and where to"],
  ["patrols", "Patrols", "p", "rounds of the guards"],
  ["names", "Names", "l", "names of people and rooms"],
  ["mesh", "Navmesh", "m", "the faces one walks on"],
  ["cells", "Cells", "k", "the cells guards reason on"],
  ["links", "Links", "x", "the steps from cell to cell"],
];
const LAYERS = {
  search: { title: "Search", about: "where a searched one may be: influence of 127" },
  cleaned: { title: "Team", about: "who cleaned what, and who goes where in the search" },
};
const LAYER_KEYS = ["i", "u", "j", "y", "b"];
const USUAL = ["views", "flood", "ghosts", "noises", "words", "names", "layer search"];

export function allOverlays() {
  const layers = (studio.hello?.layers ?? []).map(({ name, unit }, at) => ({
    name: `layer ${name}`,
    title: LAYERS[name]?.title ?? name[0].toUpperCase() + name.slice(1),
    key: LAYER_KEYS[at] ?? "",
    about: LAYERS[name]?.about ?? `the layer “${name}”${unit ? ` in ${unit}` : ""}`,
  }));
  const fixed = FIXED.map(([name, title, key, about]) => ({ name, title, key, about }));
  return [...fixed.slice(0, 2), ...layers, ...fixed.slice(2)];
}

export function beginOverlays() {
  studio.overlays = new Set(remembered("overlays", USUAL));
  on("hello", ask);
}

export function toggle(name) {
  if (!studio.overlays.delete(name)) studio.overlays.add(name);
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
