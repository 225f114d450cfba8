// Draws signs: their shapes come with the level, so that pictures and animations show the same.

import { theme, withAlpha } from "../colours.js";

const { PI } = Math;

// A sign of the table at a point of the screen; `angle` is its direction of movement on the screen.
function draw(ink, { parts, turns }, x, y, angle, size, colour) {
  ink.save();
  ink.translate(x, y);
  if (turns) ink.rotate(angle);
  ink.scale(size, size);
  ink.lineJoin = "round";
  ink.lineWidth = (2 * theme.looks.signs.rim) / size;
  ink.strokeStyle = theme.ink.halo;
  const paths = parts.map(([isOwn, outline]) => [isOwn, pathOf(outline)]);
  for (const [isOwn, path] of paths) if (isOwn) ink.stroke(path);
  for (const [isOwn, path] of paths) {
    ink.fillStyle = isOwn ? colour : theme.ink.halo;
    ink.fill(path);
  }
  ink.restore();
}

function pathOf(...outlines) {
  const path = new Path2D();
  for (const outline of outlines) {
    outline.forEach(([x, y], at) => (at ? path.lineTo(x, y) : path.moveTo(x, y)));
    path.closePath();
  }
  return path;
}

export function drawSign(ink, name, x, y, angle, size, colour) {
  const { agents } = theme.looks.signs;
  draw(ink, agents[name] ?? agents.patrol, x, y, angle, size, colour);
}

export const placeSize = ({ scale }) => Math.min(10, Math.max(5, scale * 0.36));

// The sign of an exit, a goal, a hiding place or any other marker.
export function drawPlace(ink, kind, x, y, size) {
  const { places } = theme.looks.signs;
  const { hiding, exit, trap, flag } = theme.ink;
  const colour = { "hiding place": hiding, exit, goal: exit, trap }[kind] ?? flag;
  draw(ink, places[kind] ?? places.marker, x, y, 0, size, colour);
}

// The sign of an object; one that changed has a ring.
export function drawObject(ink, kind, x, y, size, isChanged = false) {
  const { objects, turned } = theme.looks.signs;
  const colour = isChanged ? theme.ink.flag : theme.ink.door;
  for (const [style, width] of isChanged ? [[theme.ink.halo, 3], [colour, 1.6]] : []) {
    ink.strokeStyle = style;
    ink.lineWidth = width;
    ink.beginPath();
    ink.arc(x, y, turned * size, 0, 2 * PI);
    ink.stroke();
  }
  draw(ink, objects[kind], x, y, 0, size, colour);
}

// A circle on the floor, in metres.
export function drawRing(ink, scene, [x, y, z], radius) {
  ink.beginPath();
  for (let at = 0; at <= 48; at++) {
    const turn = (at / 24) * PI;
    ink.lineTo(...scene.camera.project(x + radius * Math.cos(turn), y + radius * Math.sin(turn), z));
  }
  ink.stroke();
}

// A door from its outline, in the current units; `pixel` is the size of a pixel in them.
export function drawDoor(ink, outlines, { isOpen, isLocked }, pixel) {
  const { door } = theme.looks.signs;
  const path = pathOf(...outlines);
  if (isOpen) {
    // Floor, as in pictures: a warm flood below would look like a closed door.
    ink.fillStyle = theme.ink.floor;
    ink.fill(path);
  }
  ink.fillStyle = isOpen ? withAlpha(theme.ink.door, door.open) : theme.ink.door;
  ink.fill(path);
  ink.strokeStyle = theme.ink.door;
  ink.lineWidth = door.edge * pixel;
  ink.stroke(path);
  if (!isLocked) return;
  ink.strokeStyle = theme.ink.halo;
  ink.lineWidth = door.cross * pixel;
  ink.beginPath();
  for (const outline of outlines) {
    for (const at of [0, 1]) {
      ink.moveTo(...outline[at]);
      ink.lineTo(...outline[(at + (outline.length >> 1)) % outline.length]);
    }
  }
  ink.stroke();
}

// A small picture for panels and the legend; `paint` draws around the middle of its square.
export function picture(paint, size = 16) {
  const canvas = document.createElement("canvas");
  const ratio = Math.max(1, devicePixelRatio || 1);
  canvas.width = canvas.height = size * ratio;
  canvas.className = "sign";
  canvas.setAttribute("aria-hidden", "true");
  const ink = canvas.getContext("2d");
  ink.scale(ratio, ratio);
  ink.translate(size / 2, size / 2);
  paint(ink, size);
  return canvas;
}

export const signPicture = (name, colour, size) =>
  picture((ink) => drawSign(ink, name, 0, 0, -PI / 4, size * 0.32, colour), size);

// The gaze: a short wedge in front of the sign.
export function drawGaze(ink, x, y, angle, size, colour) {
  ink.beginPath();
  ink.moveTo(x + Math.cos(angle - 0.5) * size, y + Math.sin(angle - 0.5) * size);
  ink.lineTo(x + Math.cos(angle) * size * 1.6, y + Math.sin(angle) * size * 1.6);
  ink.lineTo(x + Math.cos(angle + 0.5) * size, y + Math.sin(angle + 0.5) * size);
  ink.strokeStyle = colour;
  ink.lineWidth = 1.8;
  ink.stroke();
}

// A guard's awareness: an arc that closes.
export function drawAwareness(ink, x, y, share, size, colour) {
  if (share <= 0.01) return;
  ink.lineCap = "round";
  ink.lineWidth = 3;
  ink.strokeStyle = withAlpha(theme.ink.view, 0.4);
  ink.beginPath();
  ink.arc(x, y, size, 0, 2 * PI);
  ink.stroke();
  ink.strokeStyle = colour;
  ink.beginPath();
  ink.arc(x, y, size, -PI / 2, -PI / 2 + 2 * PI * Math.min(1, share));
  ink.stroke();
  ink.lineCap = "butt";
}
