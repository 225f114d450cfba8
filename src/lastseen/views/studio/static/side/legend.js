// The legend: signs and scales of what is on the map, with units, and the values under the pointer.

import { agentColour, guardColour, onFloor, theme, withAlpha } from "../colours.js";
import { fill, find, make, plain, remember, remembered } from "../dom.js";
import { crewPicture } from "../map/crews.js";
import { clockPicture } from "../map/fights.js";
import { drawFlag, floodNow } from "../map/flood.js";
import { ghostsOf, silhouette } from "../map/ghosts.js";
import { hatching } from "../map/hatch.js";
import { awarenessOf, isShown, signOf } from "../map/people.js";
import { drawAwareness, drawDoor, drawObject, drawPlace, picture, signPicture } from "../map/signs.js";
import { layerWords, numberWords } from "../overlays.js";
import { agentName, on, studio } from "../studio.js";

const AWARE = 0.01; // awareness from which a ring is drawn
const LONG = 8; // letters that fit next to a scale; longer names go above it

export function beginLegend(scene, shown) {
  const box = find("#legend");
  const states = make("div", { class: "states" });
  const scales = make("div", { class: "scales" });
  const under = make("output", { class: "under" });
  const all = make(
    "details",
    { open: remembered("legend", innerWidth > 760) ? "" : undefined },
    make("summary", { text: "Legend" }),
    states,
    scales,
    under,
  );
  let narrowed = false; // closed by the page, which is no choice to remember
  all.addEventListener("toggle", () => {
    if (!narrowed) remember("legend", all.open);
    narrowed = false;
  });
  matchMedia("(max-width: 760px)").addEventListener("change", ({ matches }) => {
    narrowed = matches && all.open;
    if (narrowed) all.open = false;
  });
  fill(box, all);

  // Only what is on the map now: signs of agents, objects of the floors shown, and overlays that have something to show.
  function update() {
    if (!studio.hello || !theme.looks) return;
    const { drawn } = scene;
    const known = new Map();
    // Modes that edit a level draw it without its run.
    const moment = scene.last === undefined ? null : shown();
    moment?.agents.forEach((agent, number) => {
      const sign = signOf(number, agent);
      if (isShown(agent)) known.set(sign, make("span", {}, signPicture(sign, agentColour(number, sign), 15), sign));
    });
    const beliefs = beliefsOf(moment, drawn).map((name) => entry(BELIEFS[name], name));
    const storeys = scene.isDeep ? null : new Set(scene.storeys().map(({ storey }) => storey));
    const lines = Object.keys(LINES).filter((name) => drawn.includes(name)).map((name) => entry(lineSample(name), LINES[name][0]));
    fill(states, ...known.values(), ...beliefs, ...lines, ...things(storeys, shown()?.doors));
    const layers = studio.hello.layers.filter(({ name }) => drawn.includes(name));
    const rows = layers.map((layer) => (layer.scale === "who" ? team() : layerRow(layer)));
    if (drawn.includes("flood")) {
      const heat = row("flood", "0", "max heat", "flood");
      heat.dataset.layer = "flood";
      rows.push(heat);
    }
    if (drawn.includes("barrier")) rows.push(make("span", { class: "hatched" }, make("i"), "barrier: not this way"));
    if (drawn.includes("crews") && studio.crews.crews.length) rows.push(crewRow());
    fill(scales, ...rows);
  }

  on("hover", (hover) => {
    if (!hover || hover.cell < 0 || !studio.hello) return (under.textContent = "");
    const shown = studio.hello.layers.flatMap((layer, at) => {
      const { name } = layer;
      const value = scene.rasters[at].values[hover.cell];
      if (!studio.overlays.has(`layer ${name}`)) return [];
      if (name === "cleaned") return value ? [`searched by ${agentName(value - 1)}`] : [];
      return [`${name} ${layerWords(layer, value)}`];
    });
    const heat = scene.drawn.includes("flood") ? scene.floods[studio.mode === "whatif" ? hover.half : 0].raster.values[hover.cell] : 0;
    if (heat) shown.push(`heat ${heat}`);
    under.textContent = plain([`cell ${hover.cell}`, `${hover.x.toFixed(1)}, ${hover.y.toFixed(1)} m`, ...shown].join(" · "));
  });
  for (const name of ["hello", "drawn", "theme"]) on(name, update);
}

const entry = (draw, words) => make("span", {}, picture(draw, 15), words);

const BELIEFS = {
  view: viewSample,
  awareness: (ink) => drawAwareness(ink, 0, 0, 0.65, 5, theme.ink.guard),
  "last seen": (ink) => silhouette(ink, 0, 0, 5.5),
  guess: (ink) => (ink.scale(0.6, 0.6), drawFlag(ink, -3, 9)),
};

// Overlays of lines: their words, colour and dashes.
const LINES = {
  ways: ["path", "guard", []], patrols: ["patrol route", "patrol-line", [1, 4]], mesh: ["navmesh", "mesh", []],
  cells: ["cell", "grid", []], links: ["link", "link", []],
};

function lineSample(name) {
  const [, colour, dashes] = LINES[name];
  return (ink) => {
    ink.strokeStyle = theme.ink[colour];
    ink.lineWidth = 2;
    ink.lineCap = "round";
    ink.setLineDash(dashes);
    ink.beginPath();
    ink.moveTo(-6.5, 0);
    ink.lineTo(6.5, 0);
    ink.stroke();
  };
}

// What agents see and believe on the map: views, rings of awareness, last known positions, destinations of chases.
export function beliefsOf(moment, drawn) {
  if (!moment) return [];
  const isAware = moment.agents.some((agent, number) => isShown(agent) && awarenessOf(moment, number) > AWARE);
  const hasFlag = drawn.includes("flood") && (studio.mode === "whatif" || Boolean(floodNow(moment.tick)?.flood.at));
  const hasGhosts = drawn.includes("ghosts") && ghostsOf(moment).length > 0;
  const found = { view: drawn.includes("views"), awareness: isAware, "last seen": hasGhosts, guess: hasFlag };
  return Object.keys(BELIEFS).filter((name) => found[name]);
}

// The objects on these storeys, null: all; `shut` is 0 for each door that is open.
function things(storeys, shut) {
  const isHere = ({ storey }) => !storeys || storeys.has(storey);
  const shapes = studio.hello.level.shapes.filter(isHere);
  const points = studio.hello.level.points.filter(isHere);
  const doors = shapes.filter(({ kind }) => kind === "door");
  const isOpen = ({ number, locked }) => !locked && shut?.[number] === 0;
  const objects = [...new Set(studio.hello.objects.map(({ kind }) => kind))];
  const places = ["hiding place", "trap", "exit", "goal"].filter((kind) => points.some((one) => one.kind === kind));
  return [
    doors.some((one) => !isOpen(one)) ? entry((ink) => drawDoor(ink, [DOOR], {}, 1), "door") : null,
    doors.some(isOpen) ? entry((ink) => drawDoor(ink, [DOOR], { isOpen: true }, 1), "open door") : null,
    doors.some(({ locked }) => locked) ? entry((ink) => drawDoor(ink, [DOOR], { isLocked: true }, 1), "locked") : null,
    shapes.some(({ kind }) => kind === "cover") ? entry(drawCover, "cover") : null,
    ...places.map((kind) => entry((ink) => drawPlace(ink, kind, 0, 0, 5.5), kind)),
    ...objects.map((kind) => entry((ink) => drawObject(ink, kind, 0, 0, 5.5), kind)),
  ].filter(Boolean);
}

const DOOR = [[-6.5, -3], [6.5, -3], [6.5, 3], [-6.5, 3]];

// A piece of cover, as on the map.
function drawCover(ink) {
  const square = [-5.5, -5.5, 11, 11];
  const outline = new Path2D();
  outline.rect(...square);
  Object.assign(ink, { fillStyle: theme.ink.cover, strokeStyle: theme.ink.hatch });
  ink.fillRect(...square);
  hatching(ink, outline, theme.ink.hatch);
  ink.strokeRect(...square);
}

// A piece of a view: its fill and its outline.
function viewSample(ink) {
  ink.fillStyle = withAlpha(theme.ink.view, 0.35);
  ink.strokeStyle = theme.ink.view;
  ink.beginPath();
  ink.moveTo(-6, 0);
  ink.arc(-6, 0, 12, -0.5, 0.5);
  ink.closePath();
  ink.fill();
  ink.stroke();
}

function swatch(colour, words) {
  const sample = make("i", { class: "swatch" });
  sample.style.background = colour;
  return make("span", {}, sample, words);
}

// The colours of the guards.
function team() {
  const guards = studio.hello.watchers.map((number) => {
    const one = swatch(`rgb(${onFloor("who", ((number % 127) + 1) / 127).join()})`, agentName(number));
    one.firstChild.style.border = `2px solid ${guardColour(number)}`;
    return one;
  });
  return make("div", { class: "team", "aria-label": "Searched by" }, "searched by", ...guards);
}

// The marks of crews.
function crewRow() {
  const signs = [["badge", "crew"], ["leader", "leader"], ["place", "assigned place"], ["asks", "requests"]];
  const turns = studio.hello.fights ? [["may", "may attack"], ["waits", "waits for its turn"]] : [];
  const made = [...signs, ...turns].map(([name, words]) => make("span", {}, crewPicture(name), words));
  const rests = studio.hello.fights ? [make("span", {}, clockPicture(), "rests")] : [];
  return make("div", { class: "team crew-signs", "aria-label": "Crews" }, ...made, ...rests);
}

function layerRow(layer) {
  const { title, about, name, low, high, unit, is_turned: isTurned } = layer;
  const end = layer.steps ? numberWords(layer, high) : `${high} ${unit}`;
  const node = row(title.toLowerCase(), layer.steps ? numberWords(layer, low).split(" ")[0] : String(low), end, layer.scale, isTurned);
  node.dataset.layer = name;
  node.title = about;
  return node;
}

function row(name, low, high, colours, isTurned = false) {
  const strip = make("canvas", { class: "strip", width: 128, height: 1, "aria-hidden": "true" });
  const ink = strip.getContext("2d");
  for (let at = 0; at < 128; at++) {
    ink.fillStyle = `rgb(${onFloor(colours, (isTurned ? 127 - at : at) / 127).join()})`;
    ink.fillRect(at, 0, 1, 1);
  }
  return make(
    "div",
    { class: name.length > LONG ? "scale tall" : "scale", "data-theme-name": theme.name },
    make("span", { text: name }),
    make("small", { text: low }),
    strip,
    make("small", { text: high }),
  );
}
