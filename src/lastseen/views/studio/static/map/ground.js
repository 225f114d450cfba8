// What does one walk on? The faces of the navmesh and the links between cells; asked for once, when first shown.

import { theme, withAlpha } from "../colours.js";
import { on, studio } from "../studio.js";
import { bytes } from "./cells.js";
import { Kept } from "./kept.js";

const CLOSE = 5; // pixels between cells below which links would be one grey stain

let ground = null;
let asked = false;
let place = "";
const kept = { faces: new Kept(), links: new Kept() };

on("hello", ({ source, cells }) => {
  const same = place === `${source} ${cells.count}`;
  place = `${source} ${cells.count}`;
  if (!same || ground === null) [ground, asked] = [null, false];
  ask();
});
on("overlays", () => ask());
on("message mesh", ({ faces, links }) => {
  ground = {
    corners: new Uint16Array(bytes(faces.corners)),
    storey: new Uint8Array(bytes(faces.storey)),
    xyz: new Float32Array(bytes(faces.xyz)),
    links: new Uint32Array(bytes(links.cells)),
  };
  for (const one of Object.values(kept)) one.forget();
});

function ask() {
  if (asked || !["mesh", "links"].some((name) => studio.overlays.has(name))) return;
  asked = true;
  studio.send("mesh");
}

export const hasGround = () => ground !== null;
const key = (scene) => `${scene.active} ${theme.name} ${theme.contrast}`;

// How strongly each storey is drawn, 0: not at all.
function strengths(scene) {
  const found = scene.heights.map(() => 0);
  for (const { storey, alpha } of scene.storeys()) found[storey] = alpha;
  return found;
}

export function drawMesh(ink, scene) {
  kept.faces.draw(ink, scene.camera, scene.ratio, key(scene), (own) => {
    const shown = strengths(scene);
    let at = 0;
    shown.forEach((alpha, storey) => {
      at = 0;
      const path = new Path2D();
      ground.corners.forEach((count, face) => {
        if (alpha && ground.storey[face] === storey) outline(path, scene.camera, at, count);
        at += count;
      });
      if (!alpha) return;
      own.globalAlpha = alpha;
      own.fillStyle = withAlpha(theme.ink.mesh, 0.1);
      own.fill(path);
      own.strokeStyle = withAlpha(theme.ink.mesh, 0.75);
      own.lineWidth = 1;
      own.lineJoin = "round";
      own.stroke(path);
    });
  });
}

function outline(path, camera, first, count) {
  const [a, b, c, d, e, f] = camera.matrix(camera.tilt ? ground.xyz[3 * first + 2] : 0);
  for (let corner = first; corner < first + count; corner++) {
    const [x, y] = [ground.xyz[3 * corner], ground.xyz[3 * corner + 1]];
    const [px, py] = camera.tilt ? camera.project(x, y, ground.xyz[3 * corner + 2]) : [a * x + c * y + e, b * x + d * y + f];
    if (corner === first) path.moveTo(px, py);
    else path.lineTo(px, py);
  }
  path.closePath();
}

function tooFar(ink, scene) {
  ink.font = "600 12px system-ui, sans-serif";
  scene.words.label(ink, "Zoom in to see links.", scene.camera.width / 2, 24, { colour: theme.ink.link });
}

export function drawLinks(ink, scene) {
  if (scene.camera.scale * scene.cells.size[0] < CLOSE) return tooFar(ink, scene);
  kept.links.draw(ink, scene.camera, scene.ratio, key(scene), (own) => {
    const { camera, cells } = scene;
    const shown = strengths(scene);
    const place = (cell) => camera.project(...cells.middle(cell));
    own.strokeStyle = withAlpha(theme.ink.link, 0.8);
    own.lineWidth = 1;
    own.beginPath();
    for (let at = 0; at < ground.links.length; at += 2) {
      const [one, other] = [ground.links[at], ground.links[at + 1]];
      if (Math.max(shown[cells.storey[one]] ?? 0, shown[cells.storey[other]] ?? 0) < 1) continue;
      const [x, y] = place(one);
      if (!camera.shows(x, y, 60)) continue;
      own.moveTo(x, y);
      own.lineTo(...place(other));
    }
    own.stroke();
  });
}
