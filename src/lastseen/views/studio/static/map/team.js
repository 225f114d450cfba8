// Draws a team search: the target cell of each searcher in its colour, and the spots of a coordinated search.

import { theme, guardColour } from "../colours.js";
import { isActive, on, stateName, vocabulary } from "../studio.js";
import { isShown, signSize } from "./people.js";

let spots = [];
on("hello", () => (spots = []));
on("message spots", (message) => (spots = message.spots));

export const claimsOf = (moment) =>
  moment.agents.flatMap((agent, number) => {
    const searches = isShown(agent) && isActive(agent) && stateName(agent.state) === "search";
    return searches ? [{ number, agent, goal: agent.going ? agent.goal : null }] : [];
  });

export function drawTeam(ink, scene, moment) {
  for (const spot of spots) drawSpot(ink, scene, spot);
  for (const { number, agent, goal } of claimsOf(moment)) {
    ink.strokeStyle = ink.fillStyle = guardColour(number);
    const [x, y] = scene.camera.project(agent.x, agent.y, agent.z);
    ink.globalAlpha = scene.strength(agent.z);
    ink.lineWidth = 2;
    ink.beginPath();
    ink.arc(x, y, signSize(scene.camera) * 2.5, 0, 2 * Math.PI);
    ink.stroke();
    if (goal) drawClaim(ink, scene, x, y, goal);
  }
  ink.globalAlpha = 1;
}

// The cell a searcher has claimed; others leave it alone.
function drawClaim(ink, scene, x, y, goal) {
  const [gx, gy] = scene.camera.project(...goal);
  const half = Math.max(5, (scene.cells.size[0] * scene.camera.scale) / 2);
  ink.globalAlpha = scene.strength(goal[2]);
  ink.setLineDash([2, 3]);
  ink.lineWidth = 1.5;
  ink.beginPath();
  ink.moveTo(x, y);
  ink.lineTo(gx, gy);
  ink.stroke();
  ink.setLineDash([]);
  ink.lineWidth = 2;
  ink.strokeRect(gx - half, gy - half, 2 * half, 2 * half);
}

function drawSpot(ink, scene, [x, y, z, state, owner]) {
  const [px, py] = scene.camera.project(x, y, z);
  if (!scene.camera.shows(px, py)) return;
  const name = vocabulary().spot_states[state];
  const isClaimed = name === "in progress";
  const isFree = name === "unsearched";
  const size = isClaimed ? 6 : 4.5;
  ink.globalAlpha = scene.strength(z) * (isFree || isClaimed ? 1 : 0.45);
  ink.fillStyle = isClaimed ? guardColour(owner) : isFree ? theme.ink.halo : theme.ink.quiet;
  ink.strokeStyle = isClaimed ? theme.ink.halo : theme.ink.quiet;
  ink.lineWidth = 1.3;
  ink.beginPath();
  for (const [dx, dy] of [[0, -size], [size, 0], [0, size], [-size, 0]]) ink.lineTo(px + dx, py + dy);
  ink.closePath();
  ink.fill();
  ink.stroke();
  ink.globalAlpha = 1;
}
