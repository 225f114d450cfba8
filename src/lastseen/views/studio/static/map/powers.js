// Powers of intruders: the aim of a blink, its trail, and decoys.

import { theme } from "../colours.js";
import { recentEvents } from "../history.js";
import { seconds, studio, timings } from "../studio.js";
import { drawRing } from "./signs.js";

// How far a blink reaches, and where it would end; in another colour where there is no floor or it is too far.
export function drawAim(ink, scene, agent, [x, y, z]) {
  const reach = studio.hello.blink_reach;
  const fits = Math.hypot(x - agent.x, y - agent.y) <= reach && scene.cells.at(x, y, z) >= 0;
  ink.save();
  ink.strokeStyle = fits ? theme.ink.accent : theme.ink.quiet;
  ink.lineWidth = 1.5;
  ink.setLineDash([5, 4]);
  drawRing(ink, scene, [agent.x, agent.y, agent.z], reach);
  line(ink, scene, [agent.x, agent.y, agent.z], [x, y, z]);
  ink.setLineDash([]);
  drawRing(ink, scene, [x, y, z], 0.45);
  ink.restore();
}

export function drawPowers(ink, scene, { tick, agents }) {
  ink.save();
  ink.strokeStyle = ink.fillStyle = theme.ink.accent;
  for (const event of recentEvents(tick, timings().blink, ["blinked"])) {
    ink.globalAlpha = (1 - seconds(tick - event.tick) / timings().blink) * scene.strength(event.at[2]);
    ink.lineWidth = 2;
    line(ink, scene, event.start, event.at);
    drawRing(ink, scene, event.start, 0.4);
  }
  const gone = new Set();
  for (const event of recentEvents(tick, timings().decoy, ["left decoy", "decoy gone"])) {
    if (event.kind === "decoy gone") gone.add(event.agent);
    else if (!gone.has(event.agent)) drawDecoy(ink, scene, event);
    if (event.kind === "left decoy") gone.add(event.agent);
  }
  drawHolds(ink, scene, tick, agents);
  ink.restore();
}

// Rings around agents that time or another agent holds.
function drawHolds(ink, scene, tick, agents) {
  const over = new Set();
  for (const event of recentEvents(tick, timings().hold, ["time stops", "time goes on", "possesses", "releases"])) {
    const is = event.kind === "time stops" || event.kind === "time goes on" ? "time" : event.agent;
    if (!over.has(is) && event.kind === "time stops") {
      agents.forEach((agent, number) => number !== event.agent && drawHold(ink, scene, agent, "still"));
    } else if (!over.has(is) && event.kind === "possesses") {
      drawHold(ink, scene, agents[event.other], studio.hello.agents[event.agent].name);
    }
    over.add(is);
  }
}

function drawHold(ink, scene, { x, y, z }, label) {
  ink.globalAlpha = 0.9 * scene.strength(z);
  ink.lineWidth = 1.5;
  ink.setLineDash([6, 3]);
  drawRing(ink, scene, [x, y, z], 0.6);
  ink.setLineDash([]);
  labelAbove(ink, scene, [x, y, z], label);
}

function drawDecoy(ink, scene, { at }) {
  ink.globalAlpha = 0.9 * scene.strength(at[2]);
  ink.lineWidth = 1.5;
  ink.setLineDash([2, 2]);
  drawRing(ink, scene, at, 0.4);
  ink.setLineDash([]);
  labelAbove(ink, scene, at, "decoy");
}

function labelAbove(ink, scene, at, text) {
  const [x, y] = scene.camera.project(...at);
  ink.font = "11px system-ui";
  ink.textAlign = "center";
  ink.fillText(text, x, y - 12);
}

function line(ink, scene, from, to) {
  ink.beginPath();
  ink.moveTo(...scene.camera.project(...from));
  ink.lineTo(...scene.camera.project(...to));
  ink.stroke();
}
