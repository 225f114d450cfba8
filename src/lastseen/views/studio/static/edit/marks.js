// Draws the editor's marks above the level: the selection and its handles, the shape being drawn, snapping, and faults.

import { theme, withAlpha } from "../colours.js";
import { rectangle, slab } from "./geometry.js";
import { pathOf } from "./paint.js";
import { armOf, canTurn } from "./hand.js";
import { handlesOf } from "./pick.js";
import { shapeOf } from "./kinds.js";
import { toolNamed } from "./tools.js";

const MOST_HANDLES = 400;

export function drawSelection(ink, editor, camera) {
  const matrix = camera.matrix();
  ink.save();
  ink.transform(...matrix);
  ink.strokeStyle = theme.ink.accent;
  ink.fillStyle = withAlpha(theme.ink.accent, 0.1);
  ink.lineWidth = 2 / camera.scale;
  for (const feature of editor.chosen()) {
    if (shapeOf(feature) !== "area") continue;
    ink.fill(pathOf(feature), "evenodd");
    ink.stroke(pathOf(feature));
  }
  ink.restore();
  for (const feature of editor.chosen()) if (shapeOf(feature) === "point") ring(ink, ...camera.project(...feature.parts[0][0]));
  const single = editor.single();
  if (single && editor.tool === "select") drawHandles(ink, editor, camera, single);
}

function ring(ink, x, y) {
  ink.strokeStyle = theme.ink.accent;
  ink.lineWidth = 2;
  ink.beginPath();
  ink.arc(x, y, 17, 0, 2 * Math.PI);
  ink.stroke();
}

function drawHandles(ink, editor, camera, feature) {
  ink.lineWidth = 1.5;
  ink.strokeStyle = theme.ink.accent;
  if (canTurn(feature)) {
    const [x, y] = camera.project(...feature.parts[0][0]);
    const [ax, ay] = armOf(feature, camera);
    ink.beginPath();
    ink.moveTo(x + (ax - x) * 0.58, y + (ay - y) * 0.58);
    ink.lineTo(ax, ay);
    ink.stroke();
    dot(ink, ax, ay, 5, theme.ink.paper);
  }
  const handles = handlesOf(feature);
  for (const { x, y, part, index, isNew } of handles.slice(0, MOST_HANDLES)) {
    const [px, py] = camera.project(x, y);
    const isChosen = !isNew && editor.corner?.part === part && editor.corner.index === index;
    if (isNew) dot(ink, px, py, 3, withAlpha(theme.ink.paper, 0.9));
    else square(ink, px, py, isChosen ? 5 : 4, isChosen ? theme.ink.accent : theme.ink.paper);
  }
}

function dot(ink, x, y, size, fill) {
  ink.beginPath();
  ink.arc(x, y, size, 0, 2 * Math.PI);
  ink.fillStyle = fill;
  ink.fill();
  ink.stroke();
}

function square(ink, x, y, size, fill) {
  ink.fillStyle = fill;
  ink.fillRect(x - size, y - size, 2 * size, 2 * size);
  ink.strokeRect(x - size, y - size, 2 * size, 2 * size);
}

export function drawBox(ink, camera, box) {
  if (!box) return;
  const [[ax, ay], [bx, by]] = box.map(([x, y]) => camera.project(x, y));
  ink.fillStyle = withAlpha(theme.ink.accent, 0.1);
  ink.strokeStyle = theme.ink.accent;
  ink.lineWidth = 1;
  ink.fillRect(ax, ay, bx - ax, by - ay);
  ink.strokeRect(ax, ay, bx - ax, by - ay);
}

// Preview of the shape that a click or release would add now.
export function drawPen(ink, editor, camera, pen) {
  const { points, from, to, heading } = pen.state;
  const { draws, kind } = toolNamed(editor.tool);
  if (!draws || !to) return;
  ink.strokeStyle = theme.ink.accent;
  ink.fillStyle = withAlpha(theme.ink.accent, 0.15);
  ink.lineWidth = 2;
  const outline = (places, isClosed) => {
    ink.beginPath();
    places.forEach(([x, y]) => ink.lineTo(...camera.project(x, y)));
    if (isClosed) ink.closePath();
    if (isClosed) ink.fill();
    ink.stroke();
  };
  const start = points.at(-1) ?? from;
  const isAway = start && Math.hypot(to[0] - start[0], to[1] - start[1]) > 1e-6;
  if (draws === "point") drawAim(ink, camera, to, heading);
  else if (draws === "slab" && isAway) {
    const width = kind === "door" ? editor.doorWidth : editor.wallWidth;
    outline(slab(start, to, width, kind === "door" ? 0 : width / 2, 0), true);
  } else if (from && draws !== "line") outline(rectangle(from, to, 0), true);
  else if (points.length) outline([...points, to], draws !== "line" && points.length > 1);
  for (const [x, y] of points) square(ink, ...camera.project(x, y), 3.5, theme.ink.paper);
}

function drawAim(ink, camera, [x, y], heading) {
  const [px, py] = camera.project(x, y);
  ink.beginPath();
  ink.arc(px, py, 11, 0, 2 * Math.PI);
  if (heading !== null) {
    const angle = camera.angle(heading);
    ink.moveTo(px + Math.cos(angle) * 11, py + Math.sin(angle) * 11);
    ink.lineTo(px + Math.cos(angle) * 34, py + Math.sin(angle) * 34);
  }
  ink.stroke();
}

// A cross on the grid, a ring on a corner, a bar on an edge.
export function drawSnap(ink, camera, snapped) {
  if (!snapped?.kind) return;
  const [x, y] = camera.project(snapped.x, snapped.y);
  ink.strokeStyle = theme.ink.accent;
  ink.lineWidth = 1.5;
  ink.beginPath();
  if (snapped.kind === "corner") ink.arc(x, y, 7, 0, 2 * Math.PI);
  else {
    const size = snapped.kind === "edge" ? 7 : 5;
    ink.moveTo(x - size, y);
    ink.lineTo(x + size, y);
    ink.moveTo(x, y - size);
    ink.lineTo(x, y + size);
  }
  ink.stroke();
}

// A red disc for errors, a yellow triangle for warnings.
export function drawFaults(ink, editor, camera, words) {
  for (const [number, { at, severity, id }] of editor.faults.entries()) {
    if (!at) continue;
    const [x, y] = camera.project(at[0], at[1]);
    const isError = severity === "error";
    ink.globalAlpha = at.length < 3 || isNear(editor, at[2]) ? 1 : 0.4;
    const isNamed = id !== null && editor.selected.has(id);
    ink.beginPath();
    if (isError) ink.arc(x, y - 15, 9, 0, 2 * Math.PI);
    else for (const [dx, dy] of [[0, -10], [10, 8], [-10, 8]]) ink.lineTo(x + dx, y - 15 + dy);
    ink.closePath();
    ink.lineWidth = isNamed ? 4 : 2;
    ink.lineJoin = "round";
    ink.strokeStyle = theme.ink.halo;
    ink.stroke();
    ink.fillStyle = isError ? theme.ink.wrong : theme.ink.warning;
    ink.fill();
    ink.fillRect(x - 1, y - 7, 2, 7);
    ink.fillStyle = theme.ink.halo;
    ink.font = "700 12px system-ui, sans-serif";
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    ink.fillText("!", x, y - (isError ? 14.5 : 13));
    words.block(x - 10, y - 25, 20, 26);
    if (number > 60) break;
  }
  ink.globalAlpha = 1;
  ink.textAlign = "left";
}

// Whether a height is nearest to the current storey.
const isNear = ({ storeys, z }, height) => storeys.every((one) => Math.abs(one - height) >= Math.abs(z - height));

export function faultAt(editor, camera, { px, py }) {
  return editor.faults.find(({ at }) => {
    if (!at) return false;
    const [x, y] = camera.project(at[0], at[1]);
    return Math.hypot(x - px, y - 15 - py) < 11;
  });
}
