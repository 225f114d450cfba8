// Draws a guard plan: routes, guards with their fields of view, the intended path and the paths that were found.

import { theme, guardColour, withAlpha } from "../colours.js";
import { drawGaze, drawSign } from "../map/signs.js";
import { signSize } from "../map/people.js";

// Opacity of the other guards while one is highlighted.
const BESIDE = 0.3;

const line = (ink, scene, points) => {
  ink.beginPath();
  for (const [x, y, z = 0] of points) ink.lineTo(...scene.camera.project(x, y, z));
};

// The path with a dot at each click; both ends are larger.
export function drawPath(ink, scene, { path, clicks }) {
  ink.strokeStyle = ink.fillStyle = theme.ink.accent;
  ink.lineWidth = 3;
  ink.lineJoin = ink.lineCap = "round";
  ink.setLineDash([9, 6]);
  line(ink, scene, path);
  ink.stroke();
  ink.setLineDash([]);
  clicks.forEach((count, at) => {
    ink.beginPath();
    const size = at === 0 || at === clicks.length - 1 ? 6 : 4.5;
    ink.arc(...scene.camera.project(...path[count - 1]), size, 0, 2 * Math.PI);
    ink.fill();
  });
  ink.lineCap = "butt";
}

export function drawGuards(ink, scene, { guards, at, every, chosen = null }) {
  guards.forEach((guard, number) => {
    const step = Math.min(guard.poses.length - 1, Math.floor(at / every));
    const [x, y, z, heading] = between(guard.poses, at / every);
    const colour = guardColour(number);
    ink.globalAlpha = scene.strength(z) * (chosen === null || chosen === number ? 1 : BESIDE);
    drawView(ink, scene, guard.views[step], z, colour);
    ink.strokeStyle = colour;
    ink.lineWidth = chosen === number ? 4 : 2;
    ink.setLineDash([2, 4]);
    line(ink, scene, [...guard.round, guard.round[0]]);
    ink.stroke();
    ink.setLineDash([]);
    const [px, py] = scene.camera.project(x, y, z);
    const size = signSize(scene.camera);
    drawGaze(ink, px, py, scene.camera.angle(heading), size * 1.15, colour);
    drawSign(ink, "patrol", px, py, 0, size, colour);
    ink.font = "600 11px system-ui, sans-serif";
    scene.labels.label(ink, guard.name, px, py + size * 2.2, { colour, key: `guard ${number}` });
  });
  ink.globalAlpha = 1;
}

function drawView(ink, scene, flat, z, colour) {
  ink.fillStyle = withAlpha(colour, 0.28);
  ink.beginPath();
  for (let at = 0; at < flat.length; at += 2) ink.lineTo(...scene.camera.project(flat[at], flat[at + 1], z));
  ink.closePath();
  ink.fill();
}

// All found paths, faint, each with a sneaking agent.
export function drawWays(ink, scene, { ways, at }) {
  const colour = theme.ink.player;
  for (const { path } of ways) {
    ink.strokeStyle = withAlpha(colour, Math.max(0.18, 0.7 / Math.sqrt(ways.length)));
    ink.lineWidth = 1.6;
    line(ink, scene, path);
    ink.stroke();
  }
  for (const { path } of ways) {
    const [x, y, z] = placeAt(path, at);
    drawSign(ink, "patrol", ...scene.camera.project(x, y, z), 0, signSize(scene.camera) * 0.55, colour);
  }
}

// The position on a path of (x, y, z, seconds); after its end, the goal.
function placeAt(path, seconds) {
  const next = path.findIndex(([, , , when]) => when > seconds);
  if (next < 0) return path.at(-1);
  if (next === 0) return path[0];
  const [one, other] = [path[next - 1], path[next]];
  const share = (seconds - one[3]) / (other[3] - one[3]);
  return [0, 1, 2].map((axis) => one[axis] + (other[axis] - one[axis]) * share);
}

function between(poses, place) {
  const first = Math.min(poses.length - 1, Math.floor(place));
  const [one, other] = [poses[first], poses[Math.min(poses.length - 1, first + 1)]];
  const share = place - Math.floor(place);
  const turn = Math.atan2(Math.sin(other[3] - one[3]), Math.cos(other[3] - one[3]));
  return [...[0, 1, 2].map((axis) => one[axis] + (other[axis] - one[axis]) * share), one[3] + turn * share];
}
