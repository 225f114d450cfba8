// Draws fields of view: visibility polygons clipped to the outlines of the eyes, with the inner zone marked.

import { stateColour, withAlpha } from "../colours.js";
import { studio } from "../studio.js";
import { stateOf } from "./people.js";

export function drawViews(ink, scene, moment) {
  for (const { agent: number, points } of moment.views) {
    const agent = moment.agents[number];
    if (!agent || points.length < 6) continue;
    const { inner, outer, far } = studio.hello.agents[number].view ?? { inner: [], outer: [], far: reach(agent, points) };
    if (!scene.camera.shows(...scene.camera.project(agent.x, agent.y, agent.z), far * scene.camera.scale)) continue;
    const state = stateOf(number, agent);
    const colour = stateColour(state);
    const place = (x, y) => scene.camera.project(x, y, agent.z);
    const turned = (outlines) => outlinesOf(outlines, agent, place);
    const area = path(points, place);
    ink.save();
    ink.globalAlpha = scene.strength(agent.z) * (state === "patrol" ? 0.8 : 1);
    ink.clip(area);
    ink.fillStyle = fading(ink, scene, agent, far, colour);
    if (outer.length) ink.fill(turned(outer));
    else ink.fill(area);
    if (inner.length) {
      const zone = turned(inner);
      ink.fillStyle = withAlpha(colour, 0.13);
      ink.fill(zone);
      ink.strokeStyle = withAlpha(colour, 0.4);
      ink.setLineDash([3, 3]);
      ink.lineWidth = 1;
      ink.stroke(zone);
    }
    ink.restore();
  }
}

// The distance to the farthest point of an outline.
function reach({ x, y }, points) {
  let far = 0;
  for (let at = 0; at < points.length; at += 2) far = Math.max(far, Math.hypot(points[at] - x, points[at + 1] - y));
  return far;
}

function fading(ink, scene, agent, far, colour) {
  const [x, y] = scene.camera.project(agent.x, agent.y, agent.z);
  const fade = ink.createRadialGradient(x, y, 0, x, y, Math.max(1, far * scene.camera.scale));
  fade.addColorStop(0, withAlpha(colour, 0.3));
  fade.addColorStop(0.7, withAlpha(colour, 0.14));
  fade.addColorStop(1, withAlpha(colour, 0));
  return fade;
}

function path(points, place) {
  const found = new Path2D();
  for (let at = 0; at < points.length; at += 2) found.lineTo(...place(points[at], points[at + 1]));
  found.closePath();
  return found;
}

// View outlines in head coordinates (x ahead, y left), rotated to the gaze.
function outlinesOf(outlines, agent, place) {
  const [cos, sin] = [Math.cos(agent.gaze), Math.sin(agent.gaze)];
  const found = new Path2D();
  for (const outline of outlines) {
    // All outlines get the same winding, so that overlaps stay filled.
    const run = isLeft(outline) ? outline : [...outline].reverse();
    run.forEach(([ahead, left], at) => {
      const [px, py] = place(agent.x + ahead * cos - left * sin, agent.y + ahead * sin + left * cos);
      if (at) found.lineTo(px, py);
      else found.moveTo(px, py);
    });
    found.closePath();
  }
  return found;
}

function isLeft(outline) {
  const area = outline.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = outline[(at + 1) % outline.length];
    return sum + x * nextY - nextX * y;
  }, 0);
  return area > 0;
}
