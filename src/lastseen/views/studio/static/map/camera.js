// Projects positions to the screen: flat like a map, or tilted with the storeys stacked.

const TURN = -0.62; // radians by which the map turns when tilted
const SQUASH = 0.48;
const LIFT = 2.4; // vertical exaggeration between storeys
const NEAREST = 120; // pixels per metre
const MARGIN = 14;
const WALL = 0.9; // metres of wall around the bounds

export class Camera {
  constructor() {
    Object.assign(this, {
      x: 0,
      y: 0,
      scale: 20,
      tilt: 0,
      width: 1,
      height: 1,
      sign: -1,
      middle: 0,
      isWhole: true,
      lift: 0, // metres above the floor where signs of agents are drawn
      bounds: [0, 0, 1, 1],
      heights: [0],
    });
  }

  begin(level) {
    this.bounds = level.bounds;
    this.sign = level.y_down ? 1 : -1;
    this.heights = level.storeys.map((storey) => storey.z);
    this.middle = (Math.min(...this.heights) + Math.max(...this.heights)) / 2;
    this.fit();
  }

  // Affine transform from metres at height z to pixels.
  matrix(z = 0) {
    const angle = TURN * this.tilt;
    const squash = 1 - (1 - SQUASH) * this.tilt;
    const [cos, sin] = [Math.cos(angle) * this.scale, Math.sin(angle) * this.scale];
    const [a, c] = [cos, -sin];
    const [b, d] = [this.sign * squash * sin, this.sign * squash * cos];
    // Outlines of storeys are flat, so clamp heights to the lowest and the highest storey.
    const height = Math.min(Math.max(...this.heights), Math.max(Math.min(...this.heights), z));
    const lift = this.tilt * LIFT * this.scale * (height - this.middle);
    return [a, b, c, d, this.width / 2 - a * this.x - c * this.y, this.height / 2 - b * this.x - d * this.y - lift];
  }

  project(x, y, z = 0) {
    const [a, b, c, d, e, f] = this.matrix(this.tilt ? z : 0);
    return [a * x + c * y + e, b * x + d * y + f];
  }

  unproject(px, py, z = 0) {
    const [a, b, c, d, e, f] = this.matrix(z);
    const area = a * d - b * c;
    return [(d * (px - e) - c * (py - f)) / area, (a * (py - f) - b * (px - e)) / area];
  }

  // Metres on the ground for a step of the screen, as a unit vector.
  along(dx, dy) {
    const [ox, oy] = this.unproject(0, 0);
    const [x, y] = this.unproject(dx, dy);
    const length = Math.hypot(x - ox, y - oy) || 1;
    return [(x - ox) / length, (y - oy) / length];
  }

  // Angle of a heading on the screen, in radians.
  angle(heading) {
    const [a, b, c, d] = this.matrix();
    const [x, y] = [Math.cos(heading), Math.sin(heading)];
    return Math.atan2(b * x + d * y, a * x + c * y);
  }

  // Whether a point of the screen is inside the window or close to it.
  shows(px, py, near = 20) {
    return px > -near && py > -near && px < this.width + near && py < this.height + near;
  }

  get place() {
    const { x, y, scale, isWhole } = this;
    return { x, y, scale, isWhole };
  }

  set place(place) {
    Object.assign(this, place);
    if (place.isWhole) this.fit();
  }

  get key() {
    return [this.x, this.y, this.scale, this.tilt, this.width, this.height].join();
  }

  // If the whole level is in view, it stays in view when the window changes.
  resize(width, height) {
    if (width === this.width && height === this.height) return;
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    if (this.isWhole) this.fit();
  }

  fit() {
    const [x0, y0, x1, y1] = this.bounds;
    [this.x, this.y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    this.scale = 1;
    const reach = this.outline();
    const wide = Math.max(...reach.map(([px]) => px)) - Math.min(...reach.map(([px]) => px));
    const high = Math.max(...reach.map(([, py]) => py)) - Math.min(...reach.map(([, py]) => py));
    const [w, h] = [this.width - 2 * MARGIN, this.height - 2 * MARGIN];
    this.scale = Math.min(NEAREST, Math.max(0.2, Math.min(w / wide, h / high)));
    this.isWhole = true;
  }

  outline() {
    const [x0, y0, x1, y1] = this.bounds.map((value, side) => value + (side < 2 ? -WALL : WALL));
    const corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    const heights = [Math.min(...this.heights), Math.max(...this.heights)];
    return heights.flatMap((z) => corners.map(([x, y]) => this.project(x, y, z)));
  }

  pan(dx, dy) {
    this.isWhole = false;
    const [x, y] = this.unproject(this.width / 2 - dx, this.height / 2 - dy, this.middle);
    [this.x, this.y] = [x, y];
  }

  zoom(factor, px = this.width / 2, py = this.height / 2) {
    this.isWhole = false;
    const [x, y] = this.unproject(px, py, this.middle);
    this.scale = Math.min(NEAREST, Math.max(0.5, this.scale * factor));
    const [ax, ay] = this.unproject(px, py, this.middle);
    [this.x, this.y] = [this.x + x - ax, this.y + y - ay];
  }
}

export function storeyOf(z, heights) {
  let found = 0;
  heights.forEach((height, number) => {
    if (height <= z + 0.6 && height >= heights[found]) found = number;
  });
  return found;
}
