// Snapping: to corners first, then to edges, then to the grid; not while Alt is held. Walls and doors snap to the axes
// of others, so that they align.

import { axisOf, nearestOn, tidy } from "./geometry.js";
import { shapeOf } from "./kinds.js";

const CORNER = 10; // pixels
const EDGE = 7;

// `skip`: ids of moving features, which must not snap to themselves; `axes`: treat slabs as lines. Returns {x, y, kind}.
export function snap(x, y, { features, skip = new Set(), scale, grid, isOff = false, extra = [], axes = false }) {
  if (isOff) return { x: tidy(x), y: tidy(y), kind: "" };
  if (axes) features = features.map(asAxis);
  const corner = nearestCorner(x, y, features, skip, extra, CORNER / scale);
  if (corner) return corner;
  const edge = nearestEdge(x, y, features, skip, EDGE / scale);
  if (edge) return alongGrid(edge, grid);
  if (!grid) return { x: tidy(x), y: tidy(y), kind: "" };
  return { x: onGrid(x, grid), y: onGrid(y, grid), kind: "grid" };
}

export const onGrid = (value, grid) => tidy(Math.round(value / grid) * grid);

function asAxis(feature) {
  const axis = ["obstacle", "door"].includes(feature.kind) ? axisOf(feature.parts[0], feature.kind === "obstacle") : null;
  return axis ? { ...feature, parts: [axis] } : feature;
}

function nearestCorner(x, y, features, skip, extra, reach) {
  let found = null;
  let nearest = reach;
  const look = ([px, py]) => {
    const away = Math.hypot(px - x, py - y);
    if (away < nearest) [found, nearest] = [{ x: px, y: py, kind: "corner" }, away];
  };
  for (const feature of features) if (!skip.has(feature.id)) for (const points of feature.parts) points.forEach(look);
  extra.forEach(look);
  return found;
}

function nearestEdge(x, y, features, skip, reach) {
  let found = null;
  let nearest = reach;
  for (const feature of features) {
    if (skip.has(feature.id) || shapeOf(feature) !== "area") continue;
    for (const ring of feature.parts) {
      for (let at = 0; at < ring.length; at++) {
        const [a, b] = [ring[at], ring[(at + 1) % ring.length]];
        if (outside(a, b, x, y, nearest)) continue;
        const place = nearestOn(a, b, x, y);
        if (place.away < nearest) [found, nearest] = [{ ...place, a, b }, place.away];
      }
    }
  }
  return found;
}

const outside = ([ax, ay], [bx, by], x, y, reach) =>
  x < Math.min(ax, bx) - reach || x > Math.max(ax, bx) + reach || y < Math.min(ay, by) - reach || y > Math.max(ay, by) + reach;

// Along an edge parallel to the grid, snap to the grid too.
function alongGrid({ x, y, a, b }, grid) {
  const within = (value, one, other) => value >= Math.min(one, other) && value <= Math.max(one, other);
  if (grid && a[1] === b[1] && within(onGrid(x, grid), a[0], b[0])) return { x: onGrid(x, grid), y: a[1], kind: "edge" };
  if (grid && a[0] === b[0] && within(onGrid(y, grid), a[1], b[1])) return { x: a[0], y: onGrid(y, grid), kind: "edge" };
  return { x: tidy(x), y: tidy(y), kind: "edge" };
}
