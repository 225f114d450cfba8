// Places labels and speech bubbles where there is room; those without room stay hidden.

import { plain } from "../dom.js";
import { theme } from "../colours.js";

const PAD = 7;
const LINE = 15;
const WIDEST = 190;
const AROUND = [[0, -1], [0.7, -1], [-0.7, -1], [0.9, -0.2], [-0.9, -0.2], [0, 1], [0.7, 1], [-0.7, 1]];

export class Labels {
  constructor() {
    this.taken = [];
    this.bubbles = [];
    this.choices = new Map();
  }

  begin(width, height) {
    this.taken = [];
    this.bubbles = []; // positions by key, for clicks
    [this.width, this.height] = [width, height];
  }

  // Labels keep their positions while time passes, so that they do not jump; this releases them.
  forget() {
    this.choices.clear();
  }

  block(x, y, width, height) {
    this.taken.push([x, y, width, height]);
  }

  // Returns a free position of the given upper left corners, the previous one if possible; undefined: none is free.
  place(key, corners, width, also = []) {
    const clear = ([x, y]) => !also.some(([ox, oy, ow, oh]) => x < ox + ow && ox < x + width && y < oy + oh && oy < y + 13);
    const free = corners.map(([x, y]) => this.#free(x - 2, y, width + 4, 13));
    const kept = this.choices.get(key);
    const first = corners.findIndex((corner, at) => free[at] && clear(corner));
    const choice = free[kept] && clear(corners[kept]) ? kept : first >= 0 ? first : free.indexOf(true);
    this.choices.set(key, choice);
    return corners[choice];
  }

  bubbleAt(px, py) {
    return this.bubbles.find(({ x, y, width, height }) => px >= x && px <= x + width && py >= y && py <= y + height);
  }

  #free(x, y, width, height) {
    if (x < 2 || y < 2 || x + width > this.width - 2 || y + height > this.height - 2) return false;
    return !this.taken.some(([ox, oy, ow, oh]) => x < ox + ow && ox < x + width && y < oy + oh && oy < y + height);
  }

  label(ink, text, x, y, { colour = theme.ink.quiet, key = text } = {}) {
    text = plain(text);
    const width = ink.measureText(text).width;
    const places = [[x - width / 2, y - 6], [x - width / 2, y - 42], [x + 18, y - 24], [x - 18 - width, y - 24]];
    const corner = this.place(key, places, width);
    if (corner) this.write(ink, text, ...corner, width, colour);
    return Boolean(corner);
  }

  // A label next to a sign of radius `reach` pixels: below it, or wherever there is room around it.
  labelAround(ink, text, x, y, reach, { colour = theme.ink.quiet, key = text } = {}) {
    text = plain(text);
    const width = ink.measureText(text).width;
    const [low, high, right, left] = [y + reach + 3, y - reach - 16, x + reach + 5, x - reach - 5 - width];
    const middle = x - width / 2;
    const sides = [[right, y - 6], [left, y - 6], [right, low], [left, low], [right, high], [left, high]];
    const corner = this.place(key, [[middle, low], [middle, high], ...sides, [middle, low + 13]], width);
    if (corner) this.write(ink, text, ...corner, width, colour);
    return Boolean(corner);
  }

  write(ink, text, px, py, width, colour) {
    text = plain(text);
    this.block(px - 2, py, width + 4, 13);
    ink.textBaseline = "middle";
    ink.textAlign = "left";
    ink.lineWidth = 3;
    ink.lineJoin = "round";
    ink.strokeStyle = theme.ink.halo;
    ink.strokeText(text, px, py + 6.5);
    ink.fillStyle = colour;
    ink.fillText(text, px, py + 6.5);
  }

  bubble(ink, text, x, y, { alpha = 1, edge = theme.ink.line, key = text } = {}) {
    ink.font = "13px system-ui, sans-serif";
    const lines = wrapped(ink, plain(text));
    const width = Math.max(...lines.map((line) => ink.measureText(line).width)) + 2 * PAD;
    const height = lines.length * LINE + 2 * PAD - 3;
    const spot = this.#spot(key, x, y, width, height);
    if (!spot) return false;
    const [px, py] = spot.map(Math.round); // whole pixels keep the letters from shimmering
    this.block(px - 3, py - 3, width + 6, height + 6);
    this.bubbles.push({ key, x: px, y: py, width, height, to: [x, y] });
    ink.globalAlpha = alpha;
    ink.fillStyle = theme.ink.paper;
    ink.strokeStyle = edge;
    ink.lineWidth = 1.2;
    this.#balloon(ink, px, py, width, height, x, y);
    ink.fillStyle = theme.ink.ink;
    ink.textBaseline = "middle";
    ink.textAlign = "left";
    lines.forEach((line, row) => ink.fillText(line, px + PAD, py + PAD + LINE * (row + 0.5) - 1.5));
    ink.globalAlpha = 1;
    return true;
  }

  #spot(key, x, y, width, height) {
    const kept = this.choices.get(key);
    for (const ring of [1, 1.7, 2.6]) {
      const tries = AROUND.map((_, at) => at + AROUND.length * [1, 1.7, 2.6].indexOf(ring));
      for (const choice of kept === undefined || ring > 1 ? tries : [kept, ...tries]) {
        const [dx, dy] = AROUND[choice % AROUND.length];
        const far = [1, 1.7, 2.6][Math.floor(choice / AROUND.length)];
        const px = x + dx * (width / 2 + 14) * far - width / 2;
        const py = y + dy * (height / 2 + 26) * far - height / 2;
        if (!this.#free(px, py, width, height)) continue;
        this.choices.set(key, choice);
        return [px, py];
      }
    }
    return null;
  }

  #balloon(ink, px, py, width, height, x, y) {
    const inside = Math.min(px + width - 12, Math.max(px + 12, x));
    const below = y > py + height;
    const base = below ? py + height : py;
    ink.beginPath();
    ink.roundRect(px, py, width, height, 7);
    ink.stroke();
    ink.fill();
    if (y >= py && y <= py + height) return;
    const tip = base + (below ? 8 : -8);
    ink.beginPath();
    ink.moveTo(inside - 5, base);
    ink.lineTo(inside + Math.max(-8, Math.min(8, (x - inside) / 3)), tip);
    ink.lineTo(inside + 5, base);
    ink.stroke();
    ink.fillRect(inside - 5, base - 1, 10, 2);
    ink.fill();
  }
}

function wrapped(ink, text) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (lines.at(-1) && ink.measureText(longer).width > WIDEST) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
