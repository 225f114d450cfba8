// Which link reopens what is shown? What is open, when, where, on which floor, and who or what is selected stands after
// the # of the address. It is used once, and then taken out of the address.

import { isServed } from "./connection.js";
import { showOverlays } from "./overlays.js";
import { setMode } from "./modes/modes.js";
import { change, on, say, select, studio } from "./studio.js";

const SOURCES = ["level", "scenario", "recording"];
const CHOSEN = ["agent", "cell", "crew"];

let wanted = parsed(location.hash); // null: none, or used
let hasAsked = false;

export function viewLink({ camera }, tick) {
  const { hello, selected } = studio;
  const { x, y, scale, isWhole } = camera;
  const view = new URLSearchParams();
  if (isServed && SOURCES.includes(hello.kind)) view.set(hello.kind, hello.source);
  if (isServed && hello.kind === "level") view.set("difficulty", hello.difficulty);
  view.set("mode", studio.mode);
  view.set("tick", Math.round(tick));
  view.set("view", isWhole ? "whole" : [x, y, scale].map((value) => value.toFixed(2)).join(","));
  if (studio.storey !== null) view.set("floor", studio.storey);
  if (studio.stacked) view.set("stack", 1);
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
    chosen: chosen ? { kind: chosen, number: number(chosen) } : null,
    show: given.get("show")?.split(",") ?? null,
  };
}

// Where the camera stands: "whole", {x, y, scale}, or null if the text says neither.
function placeOf(text) {
  if (text === "whole") return text;
  const [x, y, scale] = text.split(",").map((part) => (part.trim() ? Number(part) : NaN));
  return [x, y, scale].every(Number.isFinite) && scale > 0 ? { x, y, scale } : null;
}

const isOpen = ({ kind, name, difficulty }) =>
  studio.hello.kind === kind &&
  studio.hello.source === name &&
  (kind !== "level" || !difficulty || studio.hello.difficulty === difficulty);

// Does the link say where the camera stands in what is open now?
export const linksToPlace = () => Boolean(wanted?.camera && (!wanted.source || isOpen(wanted.source)));

// Show what the link names; if something else is open, open that first: it comes with the next greeting.
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
  // A link put into the address of a page that is open changes what stands after the # only.
  addEventListener("hashchange", () => {
    [wanted, hasAsked] = [parsed(location.hash), false];
    if (studio.hello) reopen(scene);
  });
}

function show(scene, view) {
  const faults = [];
  if (view.isStacked) scene.camera.tilt = 1;
  change("stacked", view.isStacked);
  const storeys = studio.hello.level.storeys.length;
  change("storey", view.floor !== null && view.floor >= 0 && view.floor < storeys ? view.floor : null);
  if (view.floor !== null && studio.storey === null) faults.push("floor");
  scene.camera.fit();
  if (view.camera && view.camera !== "whole") Object.assign(scene.camera, view.camera, { isWhole: false });
  if (!view.camera) say("This link names no view; the whole map is shown.", "wrong");
  if (view.show) showOverlays(view.show);
  if (view.mode) setMode(view.mode);
  if (view.tick !== null && view.tick >= studio.status.ticks) faults.push("moment");
  if (view.tick !== null) studio.seek(view.tick);
  select(view.chosen && chosenIn(view.chosen));
  if (view.chosen && !studio.selected) faults.push(view.chosen.kind);
  if (faults.length) say(`This link is of another run: its ${faults.join(" and ")} is not here.`, "wrong");
}

// Somebody or something as it is selected; null: there is none of that number.
function chosenIn({ kind, number }) {
  const count = { agent: studio.hello.agents.length, cell: studio.hello.cells.count, crew: Infinity }[kind];
  if (number === null || number >= count) return null;
  return kind === "cell" ? { kind, cell: number } : { kind, number };
}
