// Finds the feature under the pointer, smallest first: points, lines, obstacles, then floors.

import { isInside, nearestOn, signedArea } from "./geometry.js";
import { isGround, pointsOf, shapeOf } from "./kinds.js";

const POINT = 13; // pixels
const LINE = 7;
const HANDLE = 9;

export function featureAt(features, at, camera) {
  let best = null;
  for (const feature of features) {
    const score = scoreOf(feature, at, camera);
    if (score !== null && (!best || score <= best.score)) best = { feature, score };
  }
  return best?.feature ?? null;
}

// Lower scores win; null: not hit.
function scoreOf(feature, at, camera) {
  const shape = shapeOf(feature);
  if (shape === "point") {
    const away = pixels(feature.parts[0][0], at, camera);
    return away < POINT ? away - 1e9 : null;
  }
  if (shape === "line") {
    const away = lineAway(feature.parts[0], at) * camera.scale;
    return away < LINE ? away - 1e8 : null;
  }
  const size = Math.abs(signedArea(feature.parts[0]));
  const near = Math.min(...feature.parts.map((ring) => lineAway([...ring, ring[0]], at))) * camera.scale;
  if (!isInside(feature.parts, at.x, at.y) && near > 3) return null;
  return size + (isGround(feature) ? 1e7 : feature.kind === "zone" ? 1e6 : 0);
}

const pixels = ([x, y], at, camera) => {
  const [px, py] = camera.project(x, y);
  return Math.hypot(px - at.px, py - at.py);
};

function lineAway(points, { x, y }) {
  let away = Infinity;
  for (let at = 0; at + 1 < points.length; at++) away = Math.min(away, nearestOn(points[at], points[at + 1], x, y).away);
  return points.length === 1 ? Math.hypot(points[0][0] - x, points[0][1] - y) : away;
}

// The corners of a feature, and the middles of its sides, where a drag adds a corner.
export function handlesOf(feature) {
  const shape = shapeOf(feature);
  if (shape === "point") return [];
  return feature.parts.flatMap((points, part) =>
    points.flatMap(([x, y], index) => {
      const corner = { x, y, part, index, isNew: false };
      if (shape === "line" && index === points.length - 1) return [corner];
      const [nx, ny] = points[(index + 1) % points.length];
      return [corner, { x: (x + nx) / 2, y: (y + ny) / 2, part, index: index + 1, isNew: true }];
    }),
  );
}

export function handleAt(feature, at, camera) {
  let found = null;
  let nearest = HANDLE;
  for (const handle of handlesOf(feature)) {
    const away = pixels([handle.x, handle.y], at, camera) + (handle.isNew ? 2 : 0);
    if (away < nearest) [found, nearest] = [handle, away];
  }
  return found;
}

// The features entirely inside a box, in metres.
export function within(features, [x0, y0], [x1, y1]) {
  const [low, high] = [[Math.min(x0, x1), Math.min(y0, y1)], [Math.max(x0, x1), Math.max(y0, y1)]];
  const inside = ([x, y]) => x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1];
  return features.filter((feature) => pointsOf(feature).every(inside));
}
