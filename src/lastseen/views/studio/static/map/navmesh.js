// Draws the faces of the navmesh and the links between cells, requested when first shown.

import { theme, withAlpha } from "../colours.js";
import { isOffered } from "../overlays.js";
import { on, studio } from "../studio.js";
import { bytes } from "./cells.js";
import { Kept } from "./kept.js";

const CLOSE = 5; // pixels between cells below which the lines would blur into grey

let mesh = null;
let asked = false;
let place = "";
const kept = { faces: new Kept(), links: new Kept() };

on("hello", ({ source, cells }) => {
  const same = place === `${source} ${cells.count}`;
  place = `${source} ${cells.count}`;
  if (!same || mesh === null) [mesh, asked] = [null, false];
  ask();
});
on("overlays", () => ask());
on("message mesh", ({ faces, links }) => {
  mesh = meshOf(faces, new Uint32Array(bytes(links.cells)));
  for (const one of Object.values(kept)) one.forget();
});
on("trial", () => kept.faces.forget());

// Faces and links as they are drawn.
export function meshOf(faces, links = new Uint32Array(0)) {
  const found = {
    corners: new Uint16Array(bytes(faces.corners)),
    storey: new Uint8Array(bytes(faces.storey)),
    xyz: new Float32Array(bytes(faces.xyz)),
    links,
  };
  return { ...found, edges: edgesOf(found) };
}

// Edges as two corners and a storey; shared edges appear once.
function edgesOf({ corners, storey, xyz }) {
  const name = (corner) => [0, 1, 2].map((axis) => xyz[3 * corner + axis].toFixed(2)).join();
  const found = new Map();
  let first = 0;
  corners.forEach((count, face) => {
    for (let at = 0; at < count; at++) {
      const [one, other] = [first + at, first + ((at + 1) % count)];
      const key = [name(one), name(other)].sort().join(" ");
      if (!found.has(key)) found.set(key, [one, other, storey[face]]);
    }
    first += count;
  });
  return [...found.values()];
}

function ask() {
  if (asked || !["mesh", "links"].some((name) => studio.overlays.has(name) && isOffered(name))) return;
  asked = true;
  studio.send("mesh");
}

// A level baked otherwise takes the place of the game's.
export const meshNow = () => (studio.trial ? studio.trial.mesh : mesh);
export const hasMesh = () => meshNow() !== null;
const key = (scene) => `${scene.active} ${theme.name} ${theme.contrast}`;

// Opacity of each storey; 0: hidden.
function strengths(scene) {
  const found = scene.heights.map(() => 0);
  for (const { storey, alpha } of scene.storeys()) found[storey] = alpha;
  return found;
}

// Visible faces one by one, all edges together: a single path of all faces takes ten times as long.
export function drawMesh(ink, scene) {
  kept.faces.draw(ink, scene.camera, scene.ratio, key(scene), (own) => {
    const shown = strengths(scene);
    const place = placing(scene.camera, meshNow().xyz);
    own.fillStyle = withAlpha(theme.ink.mesh, 0.1);
    own.strokeStyle = withAlpha(theme.ink.mesh, 0.75);
    own.lineWidth = 1;
    shown.forEach((alpha, storey) => {
      if (!alpha) return;
      own.globalAlpha = alpha;
      let first = 0;
      meshNow().corners.forEach((count, face) => {
        if (meshNow().storey[face] === storey) drawFace(own, scene.camera, place, first, count);
        first += count;
      });
      drawEdges(own, scene.camera, place, storey);
    });
  });
}

function drawFace(ink, camera, place, first, count) {
  const corners = Array.from({ length: count }, (_, at) => [...place(first + at)]);
  if (!corners.some(([x, y]) => camera.shows(x, y, camera.width))) return;
  ink.beginPath();
  for (const [x, y] of corners) ink.lineTo(x, y);
  ink.fill();
}

function drawEdges(ink, camera, place, storey) {
  ink.beginPath();
  for (const [one, other, at] of meshNow().edges) {
    if (at !== storey) continue;
    const [x, y] = place(one);
    const [nextX, nextY] = place(other);
    if (!camera.shows(x, y, 60) && !camera.shows(nextX, nextY, 60) && Math.hypot(x - nextX, y - nextY) < camera.height) continue;
    ink.moveTo(x, y);
    ink.lineTo(nextX, nextY);
  }
  ink.stroke();
}

export const isNear = (camera, cells) => camera.scale * cells.size[0] >= CLOSE;

export function sayTooFar(ink, scene) {
  ink.font = "600 12px system-ui, sans-serif";
  scene.labels.label(ink, "Zoom in to see cells and links.", scene.camera.width / 2, 24, { colour: theme.ink.link });
}

// Screen positions of cells; without allocations while the map is flat, since there are many.
function placing(camera, xyz) {
  if (camera.tilt) return (cell) => camera.project(xyz[3 * cell], xyz[3 * cell + 1], xyz[3 * cell + 2]);
  const [a, b, c, d, e, f] = camera.matrix();
  const found = [0, 0];
  return (cell) => {
    const [x, y] = [xyz[3 * cell], xyz[3 * cell + 1]];
    found[0] = a * x + c * y + e;
    found[1] = b * x + d * y + f;
    return found;
  };
}

export function drawLinks(ink, scene) {
  kept.links.draw(ink, scene.camera, scene.ratio, key(scene), (own) => {
    const { camera, cells } = scene;
    const shown = strengths(scene);
    const place = placing(camera, cells.xyz);
    own.strokeStyle = withAlpha(theme.ink.link, 0.8);
    own.lineWidth = 1;
    own.beginPath();
    for (let at = 0; at < mesh.links.length; at += 2) {
      const [one, other] = [mesh.links[at], mesh.links[at + 1]];
      if (Math.max(shown[cells.storey[one]] ?? 0, shown[cells.storey[other]] ?? 0) < 1) continue;
      const [x, y] = place(one);
      if (!camera.shows(x, y, 60)) continue;
      own.moveTo(x, y);
      own.lineTo(...place(other));
    }
    own.stroke();
  });
}
