// Draws the flood of a chase: ring by ring with a bright front, then the flag of the destination.

import { theme, withAlpha } from "../colours.js";
import { wantsStill } from "../dom.js";
import { recentEvents } from "../history.js";
import { studio, seconds, timings } from "../studio.js";
import { Raster } from "./cells.js";
import { hatching } from "./hatch.js";
import { Kept } from "./kept.js";
import { moved } from "./place.js";

// One structure for floods of the game and of What if: warm cells with their remaining heat, cells that have cooled down,
// and the step in which each was heated.
export function floodOf(event) {
  const {
    warm = [],
    values = [],
    heated_in: heatedIn = [],
    cold = [],
    cold_in: coldIn = [],
    steps,
    barrier = [],
    closed = [],
  } = event;
  if (!warm.length) return null;
  return {
    key: `${event.tick} ${event.agent}`,
    warm,
    values,
    heatedIn,
    cold,
    coldIn,
    steps,
    barrier,
    closed,
    at: event.at,
    agent: event.agent,
    tick: event.tick,
  };
}

// Heat falls by one per step, so the heat at any step follows from the heat at the end.
function heatAt(flood, step, act) {
  const steps = stepsOf(flood);
  const hot = Math.max(...flood.values.map((value, at) => value + steps - flood.heatedIn[at]));
  const each = (cells, heatedIn) =>
    cells.forEach((cell, at) => {
      const left = heatedIn[at] > step ? 0 : hot - (step - heatedIn[at]);
      if (left > 0) act(cell, left, heatedIn[at] === step);
    });
  each(flood.cold ?? [], flood.coldIn ?? []);
  each(flood.warm, flood.heatedIn);
  return hot;
}

// The warm cells when the flood is `age` seconds old.
export function warmAt(flood, age) {
  const cells = [];
  heatAt(flood, Math.floor(stepsOf(flood) * Math.min(1, age / timings().flood_grows)), (cell) => cells.push(cell));
  return cells;
}

const stepsOf = (flood) => flood.steps ?? Math.max(1, ...flood.heatedIn);

export function floodNow(tick) {
  const { flood: shown, flood_grows: grows, flood_fade: fade, flag_drops: drops } = timings();
  const event = recentEvents(tick, shown, ["flood"]).find((one) => one.warm?.length);
  if (!event) return null;
  const begun = seconds(tick - event.tick);
  const age = wantsStill() ? begun + grows + drops : begun;
  return { flood: floodOf(event), age, alpha: Math.min(1, (shown - begun) / fade) };
}

export class FloodPicture {
  constructor(cells, storeys) {
    this.raster = new Raster(cells, storeys, "flood");
    this.raster.covers = true; // otherwise its colours would depend on the layers below
    this.cells = cells;
    this.kept = new Kept();
    this.key = "";
  }

  // Bring the raster up to date; `age` in seconds since the start; Infinity: the complete flood.
  update(flood, age) {
    const grown = Math.min(1, age / timings().flood_grows);
    this.#prepare(flood, Math.floor(stepsOf(flood) * grown), grown < 1);
  }

  draw(ink, scene, flood, age, alpha = 1) {
    this.update(flood, age);
    ink.globalAlpha = alpha;
    this.kept.draw(ink, scene.camera, scene.ratio, `${this.key} ${scene.active}`, (own) => {
      scene.onFloors(own, (storey) => this.#storey(own, scene, storey));
    });
    ink.globalAlpha = 1;
    this.drawFlag(ink, scene, flood, age, alpha);
  }

  // The flag drops at the destination when the flood is complete.
  drawFlag(ink, scene, flood, age, alpha = 1) {
    const { flood_grows: grows } = timings();
    if (age >= grows && flood.at) this.#flag(ink, scene, flood.at, age - grows, alpha);
  }

  #storey(ink, scene, storey) {
    const matrix = scene.camera.matrix(studio.hello.level.storeys[storey].z);
    this.raster.draw(ink, storey);
    ink.transform(...inverse(matrix));
    hatching(ink, moved(this.barrier[storey], matrix), theme.ink.ink);
    hatching(ink, moved(this.closed[storey], matrix), theme.ink.quiet, true);
  }

  #prepare(flood, step, growing) {
    const key = `${flood.key} ${step} ${growing} ${theme.name}`;
    if (key === this.key) return;
    this.key = key;
    this.raster.clear();
    this.raster.high = heatAt(flood, step, () => {});
    heatAt(flood, step, (cell, left, isFront) => {
      this.raster.set(cell, left);
      if (isFront && growing) this.raster.paint(cell, theme.name === "dark" ? this.raster.high : 1, 255);
    });
    const storeys = this.raster.pictures.map((_, storey) => storey);
    this.barrier = storeys.map((storey) => this.cells.outline(flood.barrier, storey, true));
    this.closed = storeys.map((storey) => this.cells.outline(flood.closed, storey, true));
  }

  #flag(ink, scene, [x, y, z], age, alpha) {
    const fall = Math.max(0, 1 - age / timings().flag_drops) ** 2 * 26;
    const [px, py] = scene.camera.project(x, y, z);
    ink.globalAlpha = alpha * scene.strength(z);
    drawFlag(ink, px, py, fall);
    ink.globalAlpha = 1;
    scene.labels.block(px - 6, py - 26, 24, 30);
  }
}

function inverse(matrix) {
  const { a, b, c, d, e, f } = new DOMMatrix(matrix).inverse();
  return [a, b, c, d, e, f];
}

export function drawFlag(ink, x, y, fall = 0, colour = theme.ink.flag) {
  ink.strokeStyle = withAlpha(colour, 0.5);
  ink.lineWidth = 1.5;
  ink.beginPath();
  ink.ellipse(x, y, 8 + fall / 3, 4 + fall / 6, 0, 0, 2 * Math.PI);
  ink.stroke();
  ink.strokeStyle = theme.ink.halo;
  ink.fillStyle = colour;
  ink.lineWidth = 3;
  ink.beginPath();
  ink.moveTo(x - 1, y - fall);
  ink.lineTo(x - 1, y - 24 - fall);
  ink.lineTo(x + 15, y - 18.5 - fall);
  ink.lineTo(x + 1, y - 13 - fall);
  ink.lineTo(x + 1, y - fall);
  ink.closePath();
  ink.stroke();
  ink.fill();
}
