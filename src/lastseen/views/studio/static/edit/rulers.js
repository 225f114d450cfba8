// Rulers in metres along two edges, and the sizes of shapes that are drawn or selected.

import { theme, withAlpha } from "../colours.js";
import { boundsOf } from "./geometry.js";
import { pointsOf } from "./kinds.js";

export const RULER = 20; // pixels
const APART = 56; // pixels between numbers

const stepOf = (scale) => {
  const least = APART / scale;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((share) => share * power).find((step) => step >= least);
};

export function drawRulers(ink, editor, camera) {
  const chosen = editor.selected.size ? boundsOf(editor.chosen().flatMap(pointsOf)) : null;
  ink.save();
  ink.font = "10px system-ui, sans-serif";
  for (const axis of [0, 1]) drawRuler(ink, editor, camera, axis, chosen);
  ink.fillStyle = theme.ink.paper;
  ink.fillRect(0, 0, RULER, RULER);
  ink.fillStyle = theme.ink.quiet;
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  ink.fillText("m", RULER / 2, RULER / 2);
  ink.restore();
}

// Axis 0 runs along the top, axis 1 down the left.
function drawRuler(ink, editor, camera, axis, chosen) {
  const long = axis ? camera.height : camera.width;
  const at = (value) => camera.project(...(axis ? [0, value] : [value, 0]))[axis];
  const box = (from, size, across, deep) => (axis ? ink.fillRect(across, from, deep, size) : ink.fillRect(from, across, size, deep));
  ink.fillStyle = theme.ink.paper;
  box(0, long, 0, RULER);
  ink.fillStyle = theme.ink.line;
  box(0, long, RULER, 1);
  if (chosen) {
    const [low, high] = [at(chosen[axis]), at(chosen[axis + 2])];
    ink.fillStyle = withAlpha(theme.ink.accent, 0.25);
    box(Math.min(low, high), Math.max(2, Math.abs(high - low)), 0, RULER);
  }
  const step = stepOf(camera.scale);
  const ends = [camera.unproject(0, 0)[axis], camera.unproject(camera.width, camera.height)[axis]].sort((one, other) => one - other);
  for (let number = Math.floor(ends[0] / step) * 5; number * (step / 5) <= ends[1]; number++) {
    const place = Math.round(at((number * step) / 5)) + 0.5;
    const isMajor = number % 5 === 0;
    ink.fillStyle = withAlpha(theme.ink.quiet, isMajor ? 0.9 : 0.45);
    box(place - 0.5, 1, RULER - (isMajor ? 8 : 4), isMajor ? 8 : 4);
    if (isMajor) write(ink, String(Number(((number * step) / 5).toFixed(3))), place, axis);
  }
  if (!editor.pointer) return;
  ink.fillStyle = theme.ink.accent;
  box((axis ? editor.pointer.py : editor.pointer.px) - 0.75, 1.5, 0, RULER);
}

function write(ink, text, place, axis) {
  ink.save();
  ink.textAlign = "left";
  ink.textBaseline = "alphabetic";
  if (axis) {
    ink.translate(9, place - 3);
    ink.rotate(-Math.PI / 2);
  } else ink.translate(place + 3, 9);
  ink.fillText(text, 0, 0);
  ink.restore();
}

// A size or distance next to the pointer.
export function drawSize(ink, text, px, py, width) {
  if (!text) return;
  ink.font = "600 12px system-ui, sans-serif";
  const wide = ink.measureText(text).width + 14;
  const x = Math.min(px + 14, width - wide - 4);
  const y = py + 16;
  ink.fillStyle = theme.ink.ink;
  ink.beginPath();
  ink.roundRect(x, y, wide, 21, 5);
  ink.fill();
  ink.fillStyle = theme.ink.paper;
  ink.textAlign = "left";
  ink.textBaseline = "middle";
  ink.fillText(text, x + 7, y + 11);
}

const metres = (value) => `${Number(value.toFixed(2))}`;
export const sizeText = (wide, high) => `${metres(wide)} × ${metres(high)} m`;

// The size of the shape being drawn.
export function penSize({ points, from, to }, draws) {
  if (!to || (!points.length && !from)) return "";
  const start = points.at(-1) ?? from;
  const [dx, dy] = [Math.abs(to[0] - start[0]), Math.abs(to[1] - start[1])];
  if (draws === "point" || !(dx || dy)) return "";
  if (from && (draws === "area" || draws === "hole")) return sizeText(dx, dy);
  return `${metres(Math.hypot(dx, dy))} m`;
}
