// Links that reopen a view: source, moment, camera, floor and selection follow the # of the address. The page applies
// them once and then removes them from the address.

import { isServed } from "./connection.js";
import { showOverlays } from "./overlays.js";
import { setMode } from "./modes/modes.js";
import { change, on, say, select, studio } from "./studio.js";

const SOURCES = ["level", "scenario", "recording"];
const CHOSEN = ["agent", "cell", "crew"];
const SPACE = ["x", "y", "z", "yaw", "pitch", "distance"];

let wanted = parsed(location.hash); // null: none, or already applied
let hasAsked = false;

export function viewLink({ flat, space }, tick) {
  const { hello, selected } = studio;
  const { x, y, scale, isWhole } = flat;
  const view = new URLSearchParams();
  if (isServed && SOURCES.includes(hello.kind)) view.set(hello.kind, hello.source);
  if (isServed && hello.kind === "level") view.set("difficulty", hello.difficulty);
  view.set("mode", studio.mode);
  view.set("tick", Math.round(tick));
  view.set("view", isWhole ? "whole" : [x, y, scale].map((value) => value.toFixed(2)).join(","));
  if (studio.storey !== null) view.set("floor", studio.storey);
  if (studio.stacked) view.set("stack", 1);
  if (studio.deep) view.set("space", spaceText(space.camera.place));
  if (studio.deep && studio.cut !== null) view.set("cut", studio.cut.toFixed(1));
  view.set("show", [...studio.overlays].join(","));
  if (CHOSEN.includes(selected?.kind)) view.set(selected.kind, selected.number ?? selected.cell);
  return `${location.href.replace(/#.*/s, "")}#${view}`;
}

function parsed(hash) {
  const given = new URLSearchParams(hash.slice(1));
  if (!given.has("view")) return null;
  const number = (name) => (/^\d{1,9}$/.test(given.get(name) ?? "") ? Number(given.get(name)) : null);
  const kind = SOURCES.find((one) => given.has(one));
  const chosen = CHOSEN.find((one) => given.has(one));
  return {
    source: isServed && kind ? { kind, name: given.get(kind), difficulty: given.get("difficulty") } : null,
    camera: placeOf(given.get("view")),
    mode: given.get("mode"),
    tick: number("tick"),
    floor: given.has("floor") ? number("floor") ?? -1 : null,
    isStacked: given.has("stack"),
    space: given.has("space") ? spaceOf(given.get("space")) : null,
    cut: /^-?\d{1,6}(\.\d+)?$/.test(given.get("cut") ?? "") ? Number(given.get("cut")) : null,
    chosen: chosen ? { kind: chosen, number: number(chosen) } : null,
    show: given.get("show")?.split(",") ?? null,
  };
}

const spaceText = (place) => [...SPACE.map((name) => place[name].toFixed(2)), place.isWhole ? 1 : 0].join(",");

// The camera of the 3D view; where the text is none, the usual one.
function spaceOf(text) {
  const values = text.split(",").map((part) => (part.trim() ? Number(part) : NaN));
  if (values.length !== SPACE.length + 1 || !values.every(Number.isFinite) || !(values[5] > 0)) return {};
  return { ...Object.fromEntries(SPACE.map((name, at) => [name, values[at]])), isWhole: values[6] === 1 };
}

// The camera: "whole", {x, y, scale}, or null if the text is neither.
function placeOf(text) {
  if (text === "whole") return text;
  const [x, y, scale] = text.split(",").map((part) => (part.trim() ? Number(part) : NaN));
  return [x, y, scale].every(Number.isFinite) && scale > 0 ? { x, y, scale } : null;
}

const isOpen = ({ kind, name, difficulty }) =>
  studio.hello.kind === kind &&
  studio.hello.source === name &&
  (kind !== "level" || !difficulty || studio.hello.difficulty === difficulty);

// Whether the link places the camera in the source that is open now.
export const linksToPlace = () => Boolean(wanted?.camera && (!wanted.source || isOpen(wanted.source)));

// Show the view of the link. If another source is open, open the right one first; the next `hello` continues.
export function reopen(scene) {
  if (!wanted) return;
  history.replaceState(null, "", location.pathname + location.search);
  const { source } = wanted;
  if (!source || isOpen(source)) {
    const view = wanted;
    wanted = null;
    return show(scene, view);
  }
  if (hasAsked) wanted = null;
  else studio.send("open", { [source.kind]: source.name, ...(source.kind === "level" && difficultyOf(source)) });
  hasAsked = true;
}

const difficultyOf = ({ difficulty }) => (studio.hello.difficulties.includes(difficulty) ? { difficulty } : {});

export function beginLinks(scene) {
  on("message error", ({ about }) => {
    if (about === "open" && hasAsked) wanted = null;
  });
  // A link pasted into the address bar of an open page changes only the part after the #.
  addEventListener("hashchange", () => {
    [wanted, hasAsked] = [parsed(location.hash), false];
    if (studio.hello) reopen(scene);
  });
}

function show(scene, view) {
  const faults = [];
  if (view.isStacked) scene.flat.tilt = 1;
  change("stacked", view.isStacked);
  const storeys = studio.hello.level.storeys.length;
  change("storey", view.floor !== null && view.floor >= 0 && view.floor < storeys ? view.floor : null);
  if (view.floor !== null && studio.storey === null) faults.push("floor");
  scene.flat.fit();
  if (view.camera && view.camera !== "whole") Object.assign(scene.flat, view.camera, { isWhole: false });
  if (!view.camera) say("This link contains no view; showing the whole map.", "wrong");
  if (view.show) showOverlays(view.show);
  if (view.mode) setMode(view.mode);
  studio.showDeep(view.space !== null);
  if (view.space && studio.deep) scene.space.camera.place = view.space;
  if (studio.deep) change("cut", view.cut);
  if (view.tick !== null && view.tick >= studio.status.ticks) faults.push("moment");
  if (view.tick !== null) studio.seek(view.tick);
  select(view.chosen && chosenIn(view.chosen));
  if (view.chosen && !studio.selected) faults.push(view.chosen.kind);
  if (faults.length) say(`This link belongs to another run: ${faults.join(" and ")} not found.`, "wrong");
}

// The selection of a link; null: there is nothing of that number.
function chosenIn({ kind, number }) {
  const count = { agent: studio.hello.agents.length, cell: studio.hello.cells.count, crew: Infinity }[kind];
  if (number === null || number >= count) return null;
  return kind === "cell" ? { kind, cell: number } : { kind, number };
}
