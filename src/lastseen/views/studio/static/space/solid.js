// The level in 3D: floors, walls and objects, lit once from sky, ground and sun, with the edges of everything; and doors.

import { bytesOf, theme } from "../colours.js";
import { say, studio } from "../studio.js";
import { bytes } from "../map/cells.js";
import { Batch, LIT } from "./gpu.js";

const SUN = [-0.36, -0.48, 0.8];
const DEEP = 0.22; // how much darker the lowest floor is than the highest
const TALL = 12; // metres: flatter levels differ less
const DOOR = 1.1; // metres: cut like walls

// Colour of a face with this normal (unit): sky from above, less from below, and some sun.
export function lit([red, green, blue], nx, ny, nz, share = 1) {
  const sky = 0.5 + 0.5 * nz;
  const sun = Math.max(0, nx * SUN[0] + ny * SUN[1] + nz * SUN[2]);
  const light = (0.62 + 0.2 * sky + 0.22 * sun) * share;
  const cool = 1 + 0.04 * (1 - sky);
  return [Math.min(255, red * light), Math.min(255, green * light), Math.min(255, blue * light * cool)];
}

export class SolidLevel {
  constructor(gpu) {
    this.gpu = gpu;
    this.faces = new Batch(gpu, LIT);
    this.edges = new Batch(gpu, LIT);
    this.doors = new Batch(gpu, LIT);
    this.open = new Batch(gpu, LIT);
    this.triangles = 0;
    this.given = null;
    this.doorKey = null;
  }

  begin() {
    this.given = null;
    this.faces.count = this.edges.count = this.triangles = 0;
    this.doorKey = null;
  }

  take({ vertices, triangles, kinds, kind, edges, left_out: leftOut }) {
    this.given = {
      xyz: new Float32Array(bytes(vertices)),
      corners: new Uint32Array(bytes(triangles)),
      kinds,
      kind: new Uint8Array(bytes(kind)),
      edges: new Uint32Array(bytes(edges)),
    };
    this.triangles = this.given.corners.length / 3;
    if (leftOut) say(`The 3D view shows the largest ${this.triangles} triangles; ${leftOut} are left out.`);
    this.paint();
  }

  // Colours depend on the theme.
  paint() {
    this.doorKey = null;
    if (!this.given) return;
    const { xyz, corners, kinds, kind, edges } = this.given;
    const count = corners.length;
    const places = new Float32Array(count * 3);
    const colours = new Uint8Array(count * 4);
    const inks = kinds.map((name) => inkOf(name));
    const [low, high] = rangeOf(xyz);
    for (let first = 0; first < count; first += 3) {
      for (let at = 0; at < 9; at++) places[3 * first + at] = xyz[3 * corners[first + Math.floor(at / 3)] + (at % 3)];
      const normal = normalOf(places, 3 * first);
      const ink = inks[kind[first / 3]];
      for (let corner = 0; corner < 3; corner++) {
        const share = 1 - DEEP * ((high - places[3 * (first + corner) + 2]) / Math.max(TALL, high - low));
        colours.set(lit(ink, ...normal, share), 4 * (first + corner));
        colours[4 * (first + corner) + 3] = 255;
      }
    }
    this.faces.upload({ a_xyz: places, a_colour: colours }, count);
    this.#paintEdges(xyz, edges);
  }

  #paintEdges(xyz, edges) {
    const places = new Float32Array(edges.length * 3);
    edges.forEach((vertex, at) => places.set(xyz.subarray(3 * vertex, 3 * vertex + 3), 3 * at));
    const ink = theme.name === "dark" ? [...bytesOf(theme.ink.hatch), 170] : [...bytesOf(theme.ink["floor-edge"]), 150];
    const colours = new Uint8Array(edges.length * 4);
    for (let at = 0; at < edges.length; at++) colours.set(ink, 4 * at);
    this.edges.upload({ a_xyz: places, a_colour: colours }, edges.length);
  }

  // Doors stand where they are shut, and leave a faint trace where they are open.
  moveDoors(doors) {
    const key = `${theme.name} ${[...doors].join()}`;
    if (key === this.doorKey) return false;
    this.doorKey = key;
    const { shapes, storeys } = studio.hello.level;
    const shut = [];
    const open = [];
    for (const { kind, number, outline, storey } of shapes) {
      const slab = { outline, z: storeys[storey]?.z ?? 0, tall: 0.06 };
      if (kind === "platform" && (doors[number] ?? 1) === 0) open.push(slab);
      if (kind !== "door") continue;
      const isShut = (doors[number] ?? 1) === 1;
      (isShut ? shut : open).push({ outline, z: storeys[storey]?.z ?? 0, tall: isShut ? DOOR : 0.06 });
    }
    const ink = bytesOf(theme.ink.door);
    this.doors.upload(prisms(shut, ink, 255), vertexCount(shut));
    this.open.upload(prisms(open, ink, 110), vertexCount(open));
    return true;
  }
}

// Colours are those of the map; black walls would not be seen before a dark page.
function inkOf(name) {
  const ink = bytesOf(theme.ink[name]);
  if (name !== "wall" || theme.name !== "dark") return ink;
  const lighter = bytesOf(theme.ink.hatch);
  return ink.map((value, channel) => 0.72 * value + 0.28 * lighter[channel]);
}

const vertexCount = (boxes) => boxes.reduce((sum, { outline }) => sum + 6 * outline.length + 3 * (outline.length - 2), 0);

// Boxes over convex outlines: their sides and tops.
function prisms(boxes, ink, alpha) {
  const places = [];
  const colours = [];
  const triangle = (...corners) => {
    places.push(...corners.flat());
    const normal = normalOf(Float32Array.from(corners.flat()), 0);
    for (let corner = 0; corner < 3; corner++) colours.push(...lit(ink, ...normal), alpha);
  };
  for (const { outline, z, tall } of boxes) {
    const turned = areaOf(outline) < 0 ? [...outline].reverse() : outline;
    const top = turned.map(([x, y]) => [x, y, z + tall]);
    const foot = turned.map(([x, y]) => [x, y, z]);
    turned.forEach((_, at) => {
      const next = (at + 1) % turned.length;
      triangle(foot[at], foot[next], top[next]);
      triangle(foot[at], top[next], top[at]);
      if (at > 1) triangle(top[0], top[at - 1], top[at]);
    });
  }
  return { a_xyz: Float32Array.from(places), a_colour: Uint8Array.from(colours) };
}

export function areaOf(outline) {
  return outline.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = outline[(at + 1) % outline.length];
    return sum + x * nextY - nextX * y;
  }, 0);
}

function normalOf(places, at) {
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = places.subarray(at, at + 9);
  const [ux, uy, uz, vx, vy, vz] = [bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

// The lowest and the highest vertex.
export function rangeOf(xyz) {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 2; at < xyz.length; at += 3) [low, high] = [Math.min(low, xyz[at]), Math.max(high, xyz[at])];
  return low > high ? [0, 0] : [low, high];
}
