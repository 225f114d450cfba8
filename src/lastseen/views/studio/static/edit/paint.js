// Paints a drawing as the level looks in a game, plus the grid and everything that is invisible there.

import { theme, withAlpha } from "../colours.js";
import { hatching } from "../map/hatch.js";
import { Kept } from "../map/kept.js";
import { moved as movedPath } from "../map/place.js";
import { drawDoor, drawGaze, drawPlace, drawSign, placeSize } from "../map/signs.js";
import { middleOf } from "./geometry.js";
import { isGround, isStanding, titleOf } from "./kinds.js";
import { drawingBounds } from "./model.js";

const WALL = 0.9; // metres of wall around everything
const NAMES = 34; // pixels per metre above which all names are shown
const FEW = 9; // below which hiding places have no names
const SIGNS = { hide: "hiding place", trap: "trap" };
const PATHS = new WeakMap();

export function pathOf(feature) {
  if (!PATHS.has(feature)) {
    const path = new Path2D();
    for (const points of feature.parts) {
      points.forEach(([x, y], at) => (at ? path.lineTo(x, y) : path.moveTo(x, y)));
      if (feature.kind !== "patrol" && feature.kind !== "path") path.closePath();
    }
    PATHS.set(feature, path);
  }
  return PATHS.get(feature);
}

export class Painting {
  constructor(editor) {
    this.editor = editor;
    this.kept = new Kept();
    this.version = 0;
    editor.onChange((what) => what === "selection" || this.version++);
  }

  draw(ink, camera, ratio, words) {
    const { editor } = this;
    const key = `${theme.name} ${this.version} ${editor.storey} ${editor.grid}`;
    this.kept.draw(ink, camera, ratio, key, (own) => this.#ground(own, camera, ratio));
    this.#lines(ink, camera);
    this.#points(ink, camera, words);
    this.#names(ink, camera, words);
  }

  #ground(ink, camera, ratio) {
    const { editor } = this;
    const matrix = camera.matrix().map((value) => value * ratio);
    ink.setTransform(...matrix);
    this.#rock(ink);
    for (let storey = 0; storey < editor.storey; storey++) {
      this.#storey(ink, camera, editor.seenOn(storey), 0.22, ratio, matrix);
    }
    this.#storey(ink, camera, editor.seenOn(editor.storey), 1, ratio, matrix);
    ink.setTransform(...matrix);
    this.#grid(ink, camera);
  }

  #rock(ink) {
    const ground = this.editor.all.filter(isGround);
    if (!ground.length) return;
    const [x0, y0, x1, y1] = drawingBounds(ground);
    ink.fillStyle = theme.ink.wall;
    ink.beginPath();
    ink.roundRect(x0 - WALL, y0 - WALL, x1 - x0 + 2 * WALL, y1 - y0 + 2 * WALL, WALL / 2);
    ink.fill();
  }

  #storey(ink, camera, features, alpha, ratio, matrix) {
    const pixel = 1 / camera.scale;
    const { ink: colour } = theme;
    const of = (...kinds) => features.filter(({ kind }) => kinds.includes(kind));
    ink.save();
    ink.globalAlpha = alpha;
    ink.setTransform(...matrix);
    paint(ink, of("floor"), colour.floor, colour["floor-edge"], pixel);
    paint(ink, of("ramp", "stairs"), colour.ramp, colour["floor-edge"], 0.8 * pixel);
    for (const one of of("ramp", "stairs")) steps(ink, one, pixel);
    ink.setLineDash([5 * pixel, 4 * pixel]);
    paint(ink, of("platform"), withAlpha(colour.floor, 0.6), colour["floor-edge"], 1.6 * pixel);
    paint(ink, of("zone"), withAlpha(colour.zone, 0.1), colour.zone, 1.2 * pixel);
    ink.setLineDash([]);
    // Touching walls merge: the lines between them are painted over.
    paint(ink, of("obstacle"), null, colour["wall-edge"], 1.6 * pixel);
    paint(ink, of("obstacle"), colour.wall, null, 0);
    const cover = of("cover");
    paint(ink, cover, colour.cover, null, 0);
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const one of cover) hatching(ink, movedPath(pathOf(one), camera.matrix()), colour.hatch);
    ink.setTransform(...matrix);
    paint(ink, cover, null, colour.hatch, pixel);
    for (const { parts, properties } of of("door")) {
      drawDoor(ink, [parts[0]], { isOpen: properties.open ?? true, isLocked: properties.locked }, pixel);
    }
    ink.restore();
  }

  // As fine as chosen, but never too fine to see.
  #grid(ink, camera) {
    let step = this.editor.grid || 1;
    while (step * camera.scale < 7) step *= 2;
    const [[x0, y0], [x1, y1]] = [camera.unproject(0, 0), camera.unproject(camera.width, camera.height)];
    const [low, high] = [[Math.min(x0, x1), Math.min(y0, y1)], [Math.max(x0, x1), Math.max(y0, y1)]];
    const major = step * 5;
    for (const [size, alpha] of [[step, 0.1], [major, 0.17]]) {
      ink.strokeStyle = withAlpha(theme.ink.quiet, alpha);
      ink.lineWidth = 1 / camera.scale;
      ink.beginPath();
      for (let x = Math.floor(low[0] / size) * size; x <= high[0]; x += size) lineTo(ink, x, low[1], x, high[1]);
      for (let y = Math.floor(low[1] / size) * size; y <= high[1]; y += size) lineTo(ink, low[0], y, high[0], y);
      ink.stroke();
    }
  }

  #lines(ink, camera) {
    for (const feature of this.editor.here) {
      if (feature.kind !== "patrol" && feature.kind !== "path") continue;
      const isChosen = this.editor.selected.has(feature.id);
      const colour = isChosen ? theme.ink.accent : feature.kind === "patrol" ? theme.ink.guard : theme.ink["patrol-line"];
      const places = feature.parts[0].map((point) => camera.project(...point));
      ink.strokeStyle = ink.fillStyle = colour;
      ink.lineWidth = 2;
      ink.setLineDash(feature.kind === "patrol" ? [7, 4] : [2, 4]);
      ink.beginPath();
      places.forEach((place) => ink.lineTo(...place));
      const loop = feature.properties.loop_to === undefined ? 0 : feature.properties.loop_to;
      if (feature.kind === "patrol" && loop !== null && places[loop]) ink.lineTo(...places[loop]);
      ink.stroke();
      ink.setLineDash([]);
      places.forEach(([x, y], at) => {
        ink.beginPath();
        ink.arc(x, y, at ? 3 : 4.5, 0, 2 * Math.PI);
        ink.fill();
      });
    }
  }

  #points(ink, camera, words) {
    const size = Math.min(11, Math.max(4.5, camera.scale * 0.34));
    for (const feature of this.editor.here) {
      if (!["hide", "marker", "spawn", "trap"].includes(feature.kind)) continue;
      const [x, y] = camera.project(...feature.parts[0][0]);
      if (!camera.shows(x, y)) continue;
      words.block(x - size * 1.4, y - size * 1.4, size * 2.8, size * 2.8);
      if (feature.kind === "spawn") drawPerson(ink, camera, feature, x, y, size);
      else drawPlace(ink, SIGNS[feature.kind] ?? feature.properties.marker, x, y, placeSize(camera));
      if (feature.kind === "hide") drawGaze(ink, x, y, camera.angle(feature.properties.heading ?? 0), size * 1.25, theme.ink.hiding);
    }
  }

  // Selected features get their names first.
  #names(ink, camera, words) {
    const { editor } = this;
    const isFew = editor.selected.size <= 6;
    const isNamed = ({ kind, properties, id }) => {
      if (!properties.name && kind !== "marker") return false;
      if (kind === "hide" && camera.scale < FEW) return false;
      return camera.scale > NAMES || (isFew && editor.selected.has(id)) || !["floor", "obstacle", "cover", "door", "path"].includes(kind);
    };
    ink.font = "600 11px system-ui, sans-serif";
    const order = [...editor.chosen(), ...editor.here.filter(({ id }) => !editor.selected.has(id))];
    for (const feature of order.filter(isNamed)) {
      const isPoint = !isGround(feature) && !isStanding(feature);
      const [mx, my] = isPoint ? labelPlace(feature) : middleOf(feature.parts);
      const [x, y] = camera.project(mx, my);
      if (!camera.shows(x, y)) continue;
      const colour = feature.kind === "zone" ? theme.ink.zone : theme.ink.quiet;
      words.label(ink, titleOf(feature).slice(0, 40), x, isPoint ? y + 26 : y, { colour, key: `edit ${feature.id}` });
    }
  }
}

// A route is labelled at the middle of its longest segment, away from agents.
function labelPlace({ parts: [points] }) {
  let found = points[0];
  let longest = 0;
  for (let at = 0; at + 1 < points.length; at++) {
    const [[ax, ay], [bx, by]] = [points[at], points[at + 1]];
    const length = Math.hypot(bx - ax, by - ay);
    if (length > longest) [found, longest] = [[(ax + bx) / 2, (ay + by) / 2], length];
  }
  return found;
}

function paint(ink, features, fill, edge, width) {
  if (!features.length) return;
  ink.lineWidth = width;
  ink.lineJoin = "round";
  for (const feature of features) {
    const path = pathOf(feature);
    if (fill) {
      ink.fillStyle = fill;
      ink.fill(path, "evenodd");
    }
    if (!edge) continue;
    ink.strokeStyle = edge;
    ink.stroke(path);
  }
}

// Contour lines, denser on stairs, with a shade at the top.
function steps(ink, feature, pixel) {
  const [ring] = feature.parts;
  const heights = ring.map(([, , z]) => z);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  if (high - low < 1e-6) return;
  const count = feature.kind === "stairs" ? 12 : 6;
  ink.strokeStyle = withAlpha(theme.ink.quiet, 0.55);
  ink.lineWidth = 0.8 * pixel;
  ink.beginPath();
  for (let step = 1; step < count; step++) {
    const level = low + ((high - low) * step) / count;
    const cuts = [];
    ring.forEach(([x, y, z], at) => {
      const [nx, ny, nz] = ring[(at + 1) % ring.length];
      if (z > level !== nz > level) cuts.push([x + ((nx - x) * (level - z)) / (nz - z), y + ((ny - y) * (level - z)) / (nz - z)]);
    });
    for (let at = 0; at + 1 < cuts.length; at += 2) lineTo(ink, ...cuts[at], ...cuts[at + 1]);
  }
  ink.stroke();
}

function lineTo(ink, ax, ay, bx, by) {
  ink.moveTo(ax, ay);
  ink.lineTo(bx, by);
}

function drawPerson(ink, camera, { properties }, x, y, size) {
  const sign = { guard: "patrol", civilian: "civilian" }[properties.who ?? "guard"] ?? "player";
  const colour = sign === "player" ? theme.ink.player : theme.ink.guard;
  const angle = camera.angle(properties.heading ?? 0);
  if (sign !== "player") drawGaze(ink, x, y, angle, size * 1.15, colour);
  drawSign(ink, sign, x, y, angle, size, colour);
}
