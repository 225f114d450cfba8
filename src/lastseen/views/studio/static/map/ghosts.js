// Ghosts: last known positions as guards believe, with heading and age; guards with the same belief share one.

import { theme, withAlpha } from "../colours.js";
import { knownOf } from "../frames.js";
import { isShown, signSize } from "./people.js";
import { isActive, studio, timings } from "../studio.js";

export function ghostsOf(moment) {
  const groups = new Map();
  const { belief_fresh: fresh, belief: forgotten } = timings();
  studio.hello.watchers.forEach((watcher, row) => {
    if (!isShown(moment.agents[watcher]) || !isActive(moment.agents[watcher])) return;
    for (let column = 0; column < moment.targets; column++) {
      const known = knownOf(moment, row, column);
      if (moment.visible[row * moment.targets + column] || known.age < fresh || known.age > forgotten) continue;
      const key = [column, ...[known.x, known.y, known.z].map((value) => Math.round(value * 2))].join();
      if (!groups.has(key)) groups.set(key, { ...known, target: studio.hello.targets[column], watchers: [] });
      groups.get(key).watchers.push(watcher);
    }
  });
  return [...groups.values()];
}

const sizeOf = (camera) => signSize(camera) * 1.25;

export function drawGhosts(ink, scene, moment) {
  const size = sizeOf(scene.camera);
  const { belief_fade: fades, belief_least: least } = timings();
  for (const ghost of ghostsOf(moment)) {
    const [x, y] = scene.camera.project(ghost.x, ghost.y, ghost.z);
    const fade = Math.max(least, 1 - ghost.age / fades) * scene.strength(ghost.z);
    ink.globalAlpha = fade;
    for (const watcher of ghost.watchers) tie(ink, scene, moment.agents[watcher], x, y);
    silhouette(ink, x, y, size);
    if (Math.hypot(ghost.dx, ghost.dy) > 0.01) {
      heading(ink, x, y, scene.camera.angle(Math.atan2(ghost.dy, ghost.dx)), size);
    }
    ink.globalAlpha = 1;
    scene.labels.block(x - size, y - size * 1.1, size * 2, size * 2.2);
  }
}

// Ages are drawn after the agents, so that no sign covers them.
export function drawAges(ink, scene, moment) {
  ink.font = "600 11px system-ui, sans-serif";
  for (const ghost of ghostsOf(moment)) {
    const [x, y] = scene.camera.project(ghost.x, ghost.y, ghost.z);
    const shared = ghost.watchers.length > 1 ? ` · ${ghost.watchers.length} guards` : "";
    const told = { colour: theme.ink.player, key: `ghost ${ghost.watchers[0]}` };
    scene.labels.labelAround(ink, `${ghost.age.toFixed(1)} s ago${shared}`, x, y, sizeOf(scene.camera) * 1.1, told);
  }
}

function tie(ink, scene, agent, x, y) {
  const [ax, ay] = scene.camera.project(agent.x, agent.y, agent.z);
  ink.strokeStyle = withAlpha(theme.ink.player, 0.4);
  ink.lineWidth = 1;
  ink.setLineDash([2, 4]);
  ink.beginPath();
  ink.moveTo(ax, ay);
  ink.lineTo(x, y);
  ink.stroke();
  ink.setLineDash([]);
}

// A hollow head and shoulders.
export function silhouette(ink, x, y, size) {
  ink.beginPath();
  ink.arc(x, y - size * 0.55, size * 0.5, 0, 2 * Math.PI);
  ink.moveTo(x - size * 0.95, y + size * 1.1);
  ink.quadraticCurveTo(x - size * 0.95, y + size * 0.1, x, y + size * 0.1);
  ink.quadraticCurveTo(x + size * 0.95, y + size * 0.1, x + size * 0.95, y + size * 1.1);
  ink.closePath();
  ink.strokeStyle = theme.ink.halo; // it may stand on a bright layer
  ink.lineWidth = 3.5;
  ink.stroke();
  ink.fillStyle = withAlpha(theme.ink.player, 0.14);
  ink.fill();
  ink.strokeStyle = theme.ink.player;
  ink.lineWidth = 1.5;
  ink.setLineDash([3, 2.5]);
  ink.stroke();
  ink.setLineDash([]);
}

export function heading(ink, x, y, angle, size, length = size * 2.6) {
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  const [fx, fy] = [x + dx * length, y + dy * length];
  ink.strokeStyle = ink.fillStyle = theme.ink.player;
  ink.lineWidth = 2;
  ink.beginPath();
  ink.moveTo(x + dx * size * 1.2, y + dy * size * 1.2);
  ink.lineTo(fx, fy);
  ink.stroke();
  ink.beginPath();
  ink.moveTo(fx + dx * 6, fy + dy * 6);
  ink.lineTo(fx - dy * 5 - dx * 2, fy + dx * 5 - dy * 2);
  ink.lineTo(fx + dy * 5 - dx * 2, fy - dx * 5 - dy * 2);
  ink.fill();
}
