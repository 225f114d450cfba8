// Geometry of points and outlines in metres; a point is [x, y, z].

// Coordinates are rounded to micrometres, since sums of grid steps would otherwise have many digits.
export const tidy = (value) => Math.round(value * 1e6) / 1e6 + 0;

export function signedArea(ring) {
  let sum = 0;
  ring.forEach(([x, y], at) => {
    const [nx, ny] = ring[(at + 1) % ring.length];
    sum += x * ny - nx * y;
  });
  return sum / 2;
}

// Whether a point is inside an outline and outside its holes.
export function isInside(rings, x, y) {
  let inside = false;
  for (const ring of rings) {
    for (let at = 0, last = ring.length - 1; at < ring.length; last = at++) {
      const [ax, ay] = ring[at];
      const [bx, by] = ring[last];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}

export function nearestOn([ax, ay], [bx, by], x, y) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  const [px, py] = [ax + share * dx, ay + share * dy];
  return { x: px, y: py, away: Math.hypot(px - x, py - y) };
}

export function boundsOf(points) {
  const found = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    found[0] = Math.min(found[0], x);
    found[1] = Math.min(found[1], y);
    found[2] = Math.max(found[2], x);
    found[3] = Math.max(found[3], y);
  }
  return found[0] <= found[2] ? found : null;
}

export const rectangle = ([x0, y0], [x1, y1], z) => [
  [Math.min(x0, x1), Math.min(y0, y1), z],
  [Math.max(x0, x1), Math.min(y0, y1), z],
  [Math.max(x0, x1), Math.max(y0, y1), z],
  [Math.min(x0, x1), Math.max(y0, y1), z],
];

// A wall or a door from one point to another: a rectangle `width` thick, extended by `longer` at either end.
export function slab([ax, ay], [bx, by], width, longer, z) {
  const length = Math.hypot(bx - ax, by - ay);
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const [sx, sy] = [(-uy * width) / 2, (ux * width) / 2];
  const [fx, fy] = [ax - ux * longer, ay - uy * longer];
  const [lx, ly] = [bx + ux * longer, by + uy * longer];
  return [[fx - sx, fy - sy], [lx - sx, ly - sy], [lx + sx, ly + sy], [fx + sx, fy + sy]].map(([x, y]) => [tidy(x), tidy(y), z]);
}

const THICKEST = 0.6; // metres

// The two ends of a slab's axis, as drawn; null: the outline is not a slab. `isLonger`: it extends by half its width
// beyond either end.
export function axisOf(ring, isLonger) {
  if (ring.length !== 4) return null;
  const side = (at) => Math.hypot(ring[(at + 1) % 4][0] - ring[at][0], ring[(at + 1) % 4][1] - ring[at][1]);
  const sides = [0, 1, 2, 3].map(side);
  const first = sides[0] >= sides[1] ? 3 : 0; // one of the short sides
  const [width, length] = [sides[first], sides[(first + 1) % 4]];
  const isEven = Math.abs(sides[0] - sides[2]) < 1e-3 && Math.abs(sides[1] - sides[3]) < 1e-3;
  if (!isEven || width > THICKEST || length < 2 * width) return null;
  const middle = (at) => [0, 1].map((axis) => (ring[at][axis] + ring[(at + 1) % 4][axis]) / 2);
  const [one, other] = [middle(first), middle((first + 2) % 4)];
  const share = isLonger ? width / 2 / length : 0;
  const between = (part) => [0, 1].map((axis) => tidy(one[axis] + (other[axis] - one[axis]) * part));
  return [between(share), between(1 - share)];
}

// The second point, rotated about the first to the nearest multiple of 45°.
export function straightened([ax, ay], [bx, by]) {
  const eighth = Math.PI / 4;
  const angle = Math.round(Math.atan2(by - ay, bx - ax) / eighth) * eighth;
  const length = Math.hypot(bx - ax, by - ay);
  return [tidy(ax + Math.cos(angle) * length), tidy(ay + Math.sin(angle) * length)];
}

// Height function of the plane of an outline (Newell's normal); constant if the outline has no area.
export function planeOf(ring) {
  const middle = [0, 1, 2].map((axis) => ring.reduce((sum, point) => sum + point[axis], 0) / ring.length);
  const normal = [0, 0, 0];
  ring.forEach((point, at) => {
    const next = ring[(at + 1) % ring.length];
    const [a, b] = [point, next].map((one) => one.map((value, axis) => value - middle[axis]));
    normal[0] += a[1] * b[2] - a[2] * b[1];
    normal[1] += a[2] * b[0] - a[0] * b[2];
    normal[2] += a[0] * b[1] - a[1] * b[0];
  });
  if (Math.abs(normal[2]) < 1e-9) return () => middle[2];
  return (x, y) => middle[2] - ((x - middle[0]) * normal[0] + (y - middle[1]) * normal[1]) / normal[2];
}

// A point inside an outline for its name: the middle, or halfway along a line through it.
export function middleOf(rings) {
  const [ring] = rings;
  const [x0, y0, x1, y1] = boundsOf(ring);
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  if (isInside(rings, x, y)) return [x, y];
  const cuts = [];
  for (const one of rings) {
    one.forEach(([ax, ay], at) => {
      const [bx, by] = one[(at + 1) % one.length];
      if (ay > y !== by > y) cuts.push(ax + ((bx - ax) * (y - ay)) / (by - ay));
    });
  }
  cuts.sort((one, other) => one - other);
  let best = [x, y, 0];
  for (let at = 0; at + 1 < cuts.length; at += 2) {
    const wide = cuts[at + 1] - cuts[at];
    if (wide > best[2]) best = [(cuts[at] + cuts[at + 1]) / 2, y, wide];
  }
  return [best[0], best[1]];
}
