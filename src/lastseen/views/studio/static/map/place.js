// Draws the static part of the level, once per camera position.

import { theme } from "../colours.js";
import { Kept } from "./kept.js";
import { hatching } from "./hatch.js";

const GROUND = ["floor", "ramp", "stairs"];
const WALL = 0.9; // metres of wall drawn around the bounds

export class Place {
  constructor(level) {
    this.level = level;
    this.storeys = level.storeys.map((_, storey) => this.#paths(storey));
    this.kept = new Kept();
  }

  #paths(storey) {
    const found = { ground: new Path2D() };
    for (const shape of this.level.shapes) {
      if (shape.storey !== storey) continue;
      found[shape.kind] ??= new Path2D();
      found[shape.kind].addPath(outline(shape));
      if (GROUND.includes(shape.kind)) found.ground.addPath(outline(shape));
    }
    return found;
  }

  // Clip drawing to the floor.
  clip(ink, storey) {
    ink.clip(this.storeys[storey].ground, "evenodd");
  }

  // The floor without the obstacles on it.
  cutOut(ink, storey) {
    const { ground, obstacle } = this.storeys[storey];
    fillPath(ink, ground, "#000000");
    ink.globalCompositeOperation = "destination-out";
    fillPath(ink, obstacle, "#000000");
    ink.globalCompositeOperation = "source-over";
  }

  // Obstacles also cover the colours painted on the floor.
  standing(ink, storey) {
    fillPath(ink, this.storeys[storey].obstacle, theme.ink.wall);
  }

  // The picture is redrawn when `key` changes.
  draw(ink, camera, shown, key, ratio, more = () => {}) {
    this.kept.draw(ink, camera, ratio, `${theme.name} ${key}`, (own) => {
      for (const { storey, alpha } of shown) this.#storey(own, camera, storey, alpha, ratio);
      more(own);
    });
  }

  #storey(ink, camera, storey, alpha, ratio) {
    const paths = this.storeys[storey];
    const { ink: colour } = theme;
    const matrix = camera.matrix(this.level.storeys[storey].z).map((value) => value * ratio);
    const pixel = 1 / camera.scale;
    ink.save();
    ink.globalAlpha = alpha;
    ink.setTransform(...matrix);
    if (storey === 0 && camera.tilt < 0.01) this.#ground(ink);
    fillPath(ink, paths.floor, colour.floor);
    for (const kind of ["ramp", "stairs"]) fillPath(ink, paths[kind], colour.ramp);
    strokePath(ink, paths.floor, colour["floor-edge"], 1.4 * pixel);
    for (const kind of ["ramp", "stairs"]) strokePath(ink, paths[kind], colour["floor-edge"], 0.8 * pixel);
    ink.setLineDash([4 * pixel, 4 * pixel]);
    strokePath(ink, paths.zone, colour.zone, 0.8 * pixel);
    ink.setLineDash([]);
    fillPath(ink, paths.obstacle, colour.wall);
    if (paths.cover) {
      fillPath(ink, paths.cover, colour.cover);
      ink.setTransform(ratio, 0, 0, ratio, 0, 0);
      hatching(ink, moved(paths.cover, camera.matrix(this.level.storeys[storey].z)), colour.hatch);
      ink.setTransform(...matrix);
      strokePath(ink, paths.cover, colour.hatch, pixel);
    }
    ink.restore();
  }

  #ground(ink) {
    const [x0, y0, x1, y1] = this.level.bounds;
    ink.fillStyle = theme.ink.wall;
    ink.beginPath();
    ink.roundRect(x0 - WALL, y0 - WALL, x1 - x0 + 2 * WALL, y1 - y0 + 2 * WALL, WALL / 2);
    ink.fill();
  }
}

function outline(shape) {
  const path = new Path2D();
  for (const ring of [shape.outline, ...(shape.holes ?? [])]) {
    ring.forEach(([x, y], at) => (at ? path.lineTo(x, y) : path.moveTo(x, y)));
    path.closePath();
  }
  return path;
}

export function moved(path, matrix) {
  const found = new Path2D();
  found.addPath(path, new DOMMatrix(matrix));
  return found;
}

function fillPath(ink, path, colour) {
  if (!path) return;
  ink.fillStyle = colour;
  ink.fill(path, "evenodd");
}

function strokePath(ink, path, colour, width) {
  if (!path) return;
  ink.strokeStyle = colour;
  ink.lineWidth = width;
  ink.lineJoin = "round";
  ink.stroke(path);
}
