// The legend: scales with units, the values under the pointer, and the signs of all states.

import { onFloor, theme, guardColour } from "../colours.js";
import { fill, find, make, plain, remember, remembered } from "../dom.js";
import { crewPicture } from "../map/crews.js";
import { clockPicture } from "../map/fights.js";
import { signPicture } from "../map/signs.js";
import { isOffered, layerWords, numberWords } from "../overlays.js";
import { agentName, on, stateName, studio, vocabulary } from "../studio.js";

const LONG = 8; // letters that fit next to a scale; longer names go above it

export function beginLegend(scene) {
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
  all.addEventListener("toggle", () => remember("legend", all.open));
  fill(box, all);

  // States that guards are in, or have been in since the run began; signs of others would only crowd the list.
  let seen = new Set();
  on("hello", () => (seen = new Set()));
  on("states", (states) => {
    const before = seen.size;
    for (const number of studio.hello?.watchers ?? []) if (states[number] !== undefined) seen.add(stateName(states[number]));
    if (seen.size !== before) update();
  });

  function update() {
    if (!studio.hello) return;
    const present = vocabulary().guard_states.filter((state) => seen.has(state));
    fill(states, ...present.map((state) => make("span", {}, signPicture(state, 15), state)), ...things());
    const layers = studio.hello.layers.filter(({ name }) => studio.overlays.has(`layer ${name}`));
    const rows = layers.map((layer) => (layer.scale === "who" ? team() : layerRow(layer)));
    if (studio.overlays.has("flood") && isOffered("flood")) {
      const heat = row("flood", "0", "max heat", "heat");
      heat.dataset.layer = "flood";
      rows.push(heat, make("span", { class: "hatched" }, make("i"), "barrier: not this way"));
    }
    if (studio.hello.crews && studio.overlays.has("crews")) rows.push(crewRow());
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
    const heat =
      studio.mode === "whatif" || scene.drawn.includes("flood")
        ? scene.floods[studio.mode === "whatif" ? hover.half : 0].raster.values[hover.cell]
        : 0;
    if (heat) shown.push(`heat ${heat}`);
    under.textContent = plain([`cell ${hover.cell}`, `${hover.x.toFixed(1)}, ${hover.y.toFixed(1)} m`, ...shown].join(" · "));
  });
  for (const name of ["hello", "overlays", "theme"]) on(name, update);
}

// The objects that occur in this level.
function things() {
  const { shapes, points } = studio.hello.level;
  const doors = shapes.filter(({ kind }) => kind === "door");
  const found = {
    door: doors.length && theme.ink.door,
    cover: shapes.some(({ kind }) => kind === "cover") && theme.ink.cover,
    "hiding place": points.some(({ kind }) => kind === "hiding place") && theme.ink.hiding,
    exit: points.some(({ kind }) => kind === "exit") && theme.ink.exit,
  };
  const shown = Object.entries(found).filter(([, colour]) => colour).map(([name, colour]) => swatch(colour, name));
  return doors.some(({ locked }) => locked) ? [...shown, make("span", { text: "✕ locked" })] : shown;
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
  const node = row(title.toLowerCase(), layer.steps ? numberWords({ ...layer, unit: "" }, low) : String(low), end, layer.scale, isTurned);
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
