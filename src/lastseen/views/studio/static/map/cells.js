// Cells and their values as pixels: one small picture per storey with one pixel per grid slot.

import { onFloor, scale, strengthOf } from "../colours.js";

const BESIDE = [[-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]];
const HIT_ABOVE = 3; // metres of height difference within which the pointer hits a cell

export function bytes(text) {
  const raw = atob(text);
  const found = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at++) found[at] = raw.charCodeAt(at);
  return found.buffer;
}

export class Cells {
  constructor(given) {
    this.count = given.count;
    this.size = given.size;
    // One extra slot on every side: the floor reaches slightly further than the cells.
    this.origin = given.origin.map((value, axis) => value - given.size[axis]);
    this.shape = given.shape.map((value) => value + 2);
    this.column = new Uint16Array(bytes(given.column)).map((value) => value + 1);
    this.row = new Uint16Array(bytes(given.row)).map((value) => value + 1);
    this.storey = new Uint8Array(bytes(given.storey));
    this.xyz = new Float32Array(bytes(given.xyz));
    this.place = new Map();
    for (let cell = 0; cell < this.count; cell++) {
      const at = this.row[cell] * this.shape[0] + this.column[cell];
      if (this.place.has(at)) this.place.get(at).push(cell);
      else this.place.set(at, [cell]);
    }
    this.slots = this.#slots();
  }

  // The slots each cell colours: its own and empty neighbours, since cells keep a body's radius away from walls. Parts
  // inside the wall are clipped when drawn.
  #slots() {
    const [columns, rows] = this.shape;
    const slots = Array.from({ length: this.count }, (_, cell) => [this.row[cell] * columns + this.column[cell]]);
    const key = (cell, at) => this.storey[cell] * columns * rows + at;
    const taken = new Set(slots.map(([at], cell) => key(cell, at)));
    for (const [dx, dy] of BESIDE) {
      for (let cell = 0; cell < this.count; cell++) {
        const [x, y] = [this.column[cell] + dx, this.row[cell] + dy];
        const at = y * columns + x;
        if (x < 0 || y < 0 || x >= columns || y >= rows || taken.has(key(cell, at))) continue;
        taken.add(key(cell, at));
        slots[cell].push(at);
      }
    }
    return slots;
  }

  middle(cell) {
    return this.xyz.subarray(cell * 3, cell * 3 + 3);
  }

  // The cell at a position; -1: none.
  at(x, y, z) {
    const column = Math.floor((x - this.origin[0]) / this.size[0]);
    const row = Math.floor((y - this.origin[1]) / this.size[1]);
    if (column < 0 || row < 0 || column >= this.shape[0] || row >= this.shape[1]) return -1;
    const here = this.place.get(row * this.shape[0] + column) ?? [];
    const near = here.filter((cell) => Math.abs(this.xyz[cell * 3 + 2] - z) < HIT_ABOVE);
    return near.length ? near.reduce((one, other) => (this.#away(other, z) < this.#away(one, z) ? other : one)) : -1;
  }

  #away(cell, z) {
    return Math.abs(this.xyz[cell * 3 + 2] - z);
  }

  // The corner of a cell with the lowest coordinates, in metres.
  corner(cell) {
    return [this.origin[0] + this.column[cell] * this.size[0], this.origin[1] + this.row[cell] * this.size[1]];
  }

  // Squares of cells; `whole`: including the slots near walls that they colour.
  outline(cells, storey, whole = false) {
    const path = new Path2D();
    const [[ox, oy], [w, h], [columns]] = [this.origin, this.size, this.shape];
    for (const cell of cells) {
      if (this.storey[cell] !== storey) continue;
      for (const at of whole ? this.slots[cell] : this.slots[cell].slice(0, 1)) {
        path.rect(ox + (at % columns) * w, oy + Math.floor(at / columns) * h, w, h);
      }
    }
    return path;
  }
}

// Values of all cells in one layer; only changed cells are redrawn.
export class Raster {
  constructor(cells, storeys, name) {
    this.cells = cells;
    this.name = name;
    this.values = new Int8Array(cells.count);
    this.pictures = Array.from({ length: storeys }, () => picture(cells.shape));
    this.high = 127;
    this.isTurned = false; // low values get the strong colours
    this.covers = false; // opaque: hides what is below
    this.filled = 0;
    this.version = 0; // counts changes
  }

  clear() {
    this.version++;
    this.values.fill(0);
    this.filled = 0;
    for (const one of this.pictures) {
      one.pixels.data.fill(0);
      one.stale = true;
    }
  }

  set(cell, value) {
    const { cells } = this;
    if (cell >= cells.count) return;
    if (this.values[cell]) this.filled--;
    if (value) this.filled++;
    this.values[cell] = value;
    this.paint(cell, value);
  }

  paint(cell, value, alpha = null) {
    const { cells } = this;
    this.version++;
    const one = this.pictures[cells.storey[cell]] ?? this.pictures[0];
    const upwards = Math.min(1, Math.max(0, value / this.high));
    const share = this.isTurned ? 1 - upwards : upwards;
    const covers = this.covers && alpha === null;
    const colour = covers ? onFloor(this.name, share) : scale(this.name)[Math.round(127 * share)];
    const strength = value ? (covers ? 255 : (alpha ?? strengthOf(this.name, share))) : 0;
    for (const at of cells.slots[cell]) {
      one.pixels.data.set(colour, 4 * at);
      one.pixels.data[4 * at + 3] = strength;
    }
    one.stale = true;
  }

  repaint() {
    this.version++;
    for (const one of this.pictures) one.pixels.data.fill(0);
    this.values.forEach((value, cell) => value && this.paint(cell, value));
  }

  draw(ink, storey) {
    const one = this.pictures[storey];
    if (!one) return;
    if (one.stale) one.canvas.getContext("2d").putImageData(one.pixels, 0, 0);
    one.stale = false;
    const { origin, shape, size } = this.cells;
    ink.imageSmoothingEnabled = false;
    ink.drawImage(one.canvas, origin[0], origin[1], shape[0] * size[0], shape[1] * size[1]);
  }
}

function picture([columns, rows]) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.max(1, columns), Math.max(1, rows)];
  return { canvas, pixels: new ImageData(canvas.width, canvas.height), stale: true };
}
