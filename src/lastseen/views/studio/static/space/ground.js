// What lies on the floor in 3D: cells with the colours of the layers shown, the faces of the navmesh, and links.

import { bytesOf, theme } from "../colours.js";
import { studio } from "../studio.js";
import { Batch, ColourTable, LIT, ROWS } from "./gpu.js";

const SQUARE = [0, 1, 2, 0, 2, 3];
const ABOVE = 0.05; // metres above the floor
const LEVEL = 0.02; // metres that a cell may be off the plane of its row
const STEEP = 0.5; // metres between neighbours from which they are drawn as steps
const BARRED = 90; // opacity of barriers of a flood, 0 to 255

export class GroundCover {
  constructor(gpu) {
    this.cells = new Batch(gpu, ROWS);
    this.table = new ColourTable(gpu);
    this.faces = new Batch(gpu, LIT);
    this.borders = new Batch(gpu, LIT);
    this.links = new Batch(gpu, LIT);
    this.begin(null);
  }

  begin(cells) {
    this.given = cells;
    this.colourKey = this.meshKey = null;
    this.hasColour = false;
    this.faces.count = this.borders.count = this.links.count = this.cells.count = 0;
    if (!cells) return;
    this.colours = new Uint8Array(cells.count * 4);
    this.order = sorted(cells);
    const rows = rowsOf(cells, this.order);
    const places = new Float32Array(rows.length * 12);
    const corners = new Float32Array(rows.length * 16);
    const numbers = new Uint32Array(rows.length * 6);
    const [w, h] = cells.size;
    rows.forEach(({ first, last, z, slope }, row) => {
      const [[left, y], [end]] = [cells.corner(this.order[first]), cells.corner(this.order[last])];
      const right = end + w;
      const [low, high] = [z - slope / 2 + ABOVE, z + slope * (last - first + 0.5) + ABOVE];
      places.set([left, y, low, right, y, high, right, y + h, high, left, y + h, low], 12 * row);
      const ends = [first, last];
      corners.set([first, 0, ...ends, last + 1, 0, ...ends, last + 1, 1, ...ends, first, 1, ...ends], 16 * row);
      SQUARE.forEach((corner, at) => (numbers[6 * row + at] = 4 * row + corner));
    });
    this.cells.upload({ a_xyz: places, a_corner: corners });
    this.cells.index(numbers);
    this.#send();
  }

  // Give cells the colours of these rasters, the last on top; `barrier` cells get a dark tint. Returns whether any changed.
  colour(rasters, barrier = [], alpha = 1) {
    const key = `${theme.name} ${alpha.toFixed(2)} ${barrier.length} ${rasters.map(({ name, version }) => `${name} ${version}`).join()}`;
    if (key === this.colourKey || !this.given) return false;
    this.colourKey = key;
    const { colours, given } = this;
    colours.fill(0);
    for (const raster of rasters) this.#lay(raster, raster.covers ? alpha : 1);
    const ink = bytesOf(theme.ink.ink);
    for (const cell of barrier) if (cell < given.count) over(colours, 4 * cell, ...ink, BARRED * alpha);
    this.hasColour = rasters.some((raster) => raster.filled > 0) || barrier.length > 0;
    this.#send();
    return true;
  }

  #send() {
    const each = new Uint32Array(this.colours.buffer);
    const sent = Uint32Array.from(this.order, (cell) => each[cell]);
    this.table.upload(new Uint8Array(sent.buffer));
  }

  #lay(raster, alpha) {
    const { colours, given } = this;
    if (!raster.filled) return;
    for (let cell = 0; cell < given.count; cell++) {
      if (!raster.values[cell]) continue;
      const { data } = (raster.pictures[given.storey[cell]] ?? raster.pictures[0]).pixels;
      const at = 4 * given.slots[cell][0];
      over(colours, 4 * cell, data[at], data[at + 1], data[at + 2], data[at + 3] * alpha);
    }
  }

  // Faces and links as the server sent them; null: none yet. Returns whether anything changed.
  mesh(ground) {
    const key = ground && `${theme.name} ${studio.hello.source} ${studio.trial?.number}`;
    if (this.meshKey === key && this.ground === ground) return false;
    [this.meshKey, this.ground] = [key, ground];
    this.faces.count = this.borders.count = this.links.count = 0;
    if (!ground) return true;
    const ink = bytesOf(theme.ink.mesh);
    fillFlat(this.faces, fans(ground), [...ink, 46]);
    fillFlat(this.borders, ground.edges.flatMap(([one, other]) => [one, other]).map((at) => pointOf(ground.xyz, at)), [...ink, 215]);
    const ends = Array.from(this.given ? ground.links : [], (cell) => pointOf(this.given.xyz, cell, 2 * ABOVE));
    fillFlat(this.links, ends, [...bytesOf(theme.ink.link), 190]);
    return true;
  }
}

// Cells by storey, row and column.
function sorted({ count, storey, row, column }) {
  const numbers = Uint32Array.from({ length: count }, (_, cell) => cell);
  return numbers.sort((one, other) => storey[one] - storey[other] || row[one] - row[other] || column[one] - column[other]);
}

// Rows of neighbours on a plane: their first and last place in the order, the height of the first, and how much higher the
// next ones are.
function rowsOf({ storey, row, column, xyz }, order) {
  const rows = [];
  order.forEach((cell, at) => {
    const before = order[at - 1];
    const z = xyz[3 * cell + 2];
    const now = rows.at(-1);
    const isNext = at > 0 && storey[cell] === storey[before] && row[cell] === row[before] && column[cell] === column[before] + 1;
    const slope = isNext && now.last === now.first ? z - now.z : now?.slope;
    const isOn = isNext && Math.abs(slope) < STEEP && Math.abs(now.z + slope * (at - now.first) - z) < LEVEL;
    if (isOn) Object.assign(now, { last: at, slope });
    else rows.push({ first: at, last: at, z, slope: 0 });
  });
  return rows;
}

const pointOf = (xyz, at, above = ABOVE) => [xyz[3 * at], xyz[3 * at + 1], xyz[3 * at + 2] + above];

function fans({ corners, xyz }) {
  const found = [];
  let first = 0;
  for (const count of corners) {
    for (let at = 2; at < count; at++) for (const one of [0, at - 1, at]) found.push(pointOf(xyz, first + one));
    first += count;
  }
  return found;
}

function fillFlat(batch, points, colour) {
  const colours = new Uint8Array(points.length * 4);
  for (let at = 0; at < points.length; at++) colours.set(colour, 4 * at);
  batch.upload({ a_xyz: Float32Array.from(points.flat()), a_colour: colours }, points.length);
}

// Lay a colour over what is there; opacity is 0 to 255.
function over(colours, at, red, green, blue, opacity) {
  const [top, below] = [opacity / 255, colours[at + 3] / 255];
  const whole = top + below * (1 - top);
  if (whole <= 0) return;
  const mix = (value, channel) => (value * top + colours[at + channel] * below * (1 - top)) / whole;
  [colours[at], colours[at + 1], colours[at + 2]] = [mix(red, 0), mix(green, 1), mix(blue, 2)];
  colours[at + 3] = 255 * whole;
}
