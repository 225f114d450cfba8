// Draws fields of view: visibility polygons clipped to the outlines of the eyes, with the inner zone marked.

import { theme, withAlpha } from "../colours.js";
import { studio } from "../studio.js";

// Calls `draw` for each view on the screen, clipped to what is seen and to its outer zone.
function eachView(ink, scene, moment, draw) {
  for (const { agent: number, points } of moment.views) {
    const agent = moment.agents[number];
    if (!agent || points.length < 6) continue;
    const { inner, outer, far } = studio.hello.agents[number].view ?? { inner: [], outer: [], far: reach(agent, points) };
    if (!scene.camera.shows(...scene.camera.project(agent.x, agent.y, agent.z), far * scene.camera.scale)) continue;
    const place = (x, y) => scene.camera.project(x, y, agent.z);
    const area = path(points, place);
    const [near, wide] = [inner, outer].map((outlines) => outlines.map((outline) => outlineOf(outline, agent, place)));
    if (!wide.length) wide.push(area);
    ink.save();
    ink.globalAlpha = scene.strength(agent.z);
    ink.clip(area);
    ink.clip(together(wide));
    draw({ agent, area, near, wide, far });
    ink.restore();
  }
}

export function drawViews(ink, scene, moment) {
  eachView(ink, scene, moment, ({ agent, area, near, far }) => {
    ink.fillStyle = fading(ink, scene, agent, far);
    ink.fill(area);
    ink.fillStyle = withAlpha(theme.ink.view, 0.2);
    ink.fill(together(near));
  });
}

// Outlines are drawn above layers and floods, which would hide them.
export function drawViewEdges(ink, scene, moment) {
  ink.strokeStyle = theme.ink.view;
  eachView(ink, scene, moment, ({ area, near, wide }) => {
    ink.lineWidth = 2; // half of it is clipped
    ink.stroke(area);
    edge(ink, scene, wide);
    ink.setLineDash([3, 3]);
    ink.lineWidth = 1;
    edge(ink, scene, near);
  });
}

// Stroke overlapping outlines as one: each only outside all others.
function edge(ink, { camera }, paths) {
  for (const one of paths) {
    ink.save();
    for (const other of paths.filter((path) => path !== one)) {
      const outside = new Path2D(other);
      outside.rect(0, 0, camera.width, camera.height);
      ink.clip(outside, "evenodd");
    }
    ink.stroke(one);
    ink.restore();
  }
}

function together(paths) {
  const found = new Path2D();
  for (const path of paths) found.addPath(path);
  return found;
}

// The distance to the farthest point of an outline.
function reach({ x, y }, points) {
  let far = 0;
  for (let at = 0; at < points.length; at += 2) far = Math.max(far, Math.hypot(points[at] - x, points[at + 1] - y));
  return far;
}

function fading(ink, scene, agent, far) {
  const [x, y] = scene.camera.project(agent.x, agent.y, agent.z);
  const fade = ink.createRadialGradient(x, y, 0, x, y, Math.max(1, far * scene.camera.scale));
  fade.addColorStop(0, withAlpha(theme.ink.view, 0.42));
  fade.addColorStop(0.7, withAlpha(theme.ink.view, 0.26));
  fade.addColorStop(1, withAlpha(theme.ink.view, 0.12));
  return fade;
}

function path(points, place) {
  const found = new Path2D();
  for (let at = 0; at < points.length; at += 2) found.lineTo(...place(points[at], points[at + 1]));
  found.closePath();
  return found;
}

// A view outline in head coordinates (x ahead, y left), rotated to the gaze.
function outlineOf(outline, agent, place) {
  const [cos, sin] = [Math.cos(agent.gaze), Math.sin(agent.gaze)];
  const found = new Path2D();
  // All outlines get the same winding, so that overlaps stay filled.
  for (const [ahead, left] of isLeft(outline) ? outline : [...outline].reverse()) {
    found.lineTo(...place(agent.x + ahead * cos - left * sin, agent.y + ahead * sin + left * cos));
  }
  found.closePath();
  return found;
}

function isLeft(outline) {
  const area = outline.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = outline[(at + 1) % outline.length];
    return sum + x * nextY - nextX * y;
  }, 0);
  return area > 0;
}
