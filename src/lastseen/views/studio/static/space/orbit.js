// The camera of the 3D view: it looks at a point from a distance, in perspective. It offers what the flat camera does.

const FIELD = (34 * Math.PI) / 180; // vertical field of view
const SLOPE = Math.tan(FIELD / 2);
const YAW = -Math.PI / 2 - 0.5; // from where the level is seen at first
const PITCH = 0.92;
const [LOWEST, HIGHEST] = [0.1, 1.55]; // radians above the ground
const TURN = 0.0075; // radians per pixel
const NEAREST = 3; // metres
const HEAD = 2.3; // metres above the floor where signs of agents are drawn
const MARGIN = 0.94; // share of the window that a level fills

const minus = (one, other) => one.map((value, axis) => value - other[axis]);
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
const dot = (one, other) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

export class Orbit {
  constructor() {
    Object.assign(this, { x: 0, y: 0, z: 0, yaw: YAW, pitch: PITCH, distance: 30, width: 1, height: 1, mirror: 1, isWhole: true });
    this.box = [0, 0, 0, 1, 1, 1];
    this.lift = HEAD;
    this.tilt = 1;
  }

  // The box around everything one can walk on.
  begin(level, cells) {
    const [x0, y0, x1, y1] = level.bounds;
    let [low, high] = [Infinity, -Infinity];
    for (let at = 2; at < cells.xyz.length; at += 3) [low, high] = [Math.min(low, cells.xyz[at]), Math.max(high, cells.xyz[at])];
    if (low > high) [low, high] = [0, 0];
    this.box = [x0, y0, low, x1, y1, high + 1.2];
    this.mirror = level.y_down ? -1 : 1; // as on the map: rows of tiles run down
    [this.yaw, this.pitch] = [YAW, PITCH];
    this.#aim();
    this.fit();
  }

  get place() {
    const { x, y, z, yaw, pitch, distance, isWhole } = this;
    return { x, y, z, yaw, pitch, distance, isWhole };
  }

  set place(place) {
    Object.assign(this, place);
    this.pitch = clamp(this.pitch, LOWEST, HIGHEST);
    this.distance = clamp(this.distance, NEAREST, 20 * this.#reach());
    if (this.isWhole) this.fit();
    this.#aim();
  }

  get key() {
    return [this.x, this.y, this.z, this.yaw, this.pitch, this.distance, this.width, this.height].join();
  }

  // Pixels per metre around the point that the camera looks at.
  get scale() {
    return this.height / (2 * this.distance * SLOPE);
  }

  set scale(scale) {
    this.distance = clamp(this.height / (2 * scale * SLOPE), NEAREST, 20 * this.#reach());
    this.#aim();
  }

  #reach() {
    const [x0, y0, z0, x1, y1, z1] = this.box;
    return Math.max(2, Math.hypot(x1 - x0, y1 - y0, z1 - z0) / 2);
  }

  // Directions of the screen and the matrix, in a space whose y points up on a map seen from above.
  #aim() {
    const [cos, sin] = [Math.cos(this.pitch), Math.sin(this.pitch)];
    const back = [cos * Math.cos(this.yaw), cos * Math.sin(this.yaw), sin];
    this.eye = [this.x, this.mirror * this.y, this.z].map((value, axis) => value + this.distance * back[axis]);
    this.forward = back.map((value) => -value);
    this.right = [-Math.sin(this.yaw), Math.cos(this.yaw), 0];
    this.up = cross(this.right, this.forward);
    const reach = this.distance + 2.5 * this.#reach();
    const near = Math.max(0.3, this.distance - 2.5 * this.#reach());
    const [a, b] = [(reach + near) / (near - reach), (2 * reach * near) / (near - reach)];
    const wide = 1 / (SLOPE * (this.width / this.height));
    const rows = [this.right.map((v) => v * wide), this.up.map((v) => v / SLOPE), this.forward.map((v) => -a * v), this.forward];
    const shift = [0, 0, b, 0];
    this.matrix = new Float32Array(16);
    rows.forEach((row, at) => {
      this.matrix[at] = row[0];
      this.matrix[4 + at] = row[1] * this.mirror;
      this.matrix[8 + at] = row[2];
      this.matrix[12 + at] = shift[at] - dot(row, this.eye);
    });
  }

  // Points behind the eye end up far outside the window.
  project(x, y, z = 0) {
    const m = this.matrix;
    const depth = Math.max(0.05, m[3] * x + m[7] * y + m[11] * z + m[15]);
    const across = (m[0] * x + m[4] * y + m[8] * z + m[12]) / depth;
    const upward = (m[1] * x + m[5] * y + m[9] * z + m[13]) / depth;
    return [(0.5 + across / 2) * this.width, (0.5 - upward / 2) * this.height];
  }

  // The ray through a pixel: where it begins and its direction, in metres.
  ray(px, py) {
    const across = (2 * px / this.width - 1) * SLOPE * (this.width / this.height);
    const upward = (1 - (2 * py) / this.height) * SLOPE;
    const way = this.forward.map((value, axis) => value + this.right[axis] * across + this.up[axis] * upward);
    return { from: [this.eye[0], this.mirror * this.eye[1], this.eye[2]], way: [way[0], this.mirror * way[1], way[2]] };
  }

  // The point at height z under a pixel; towards the horizon, one far away.
  unproject(px, py, z = this.z) {
    const { from, way } = this.ray(px, py);
    const length = (z - from[2]) / way[2];
    const far = length > 0 ? Math.min(length, 20 * this.#reach()) : 20 * this.#reach();
    return [from[0] + far * way[0], from[1] + far * way[1]];
  }

  // Metres on the ground for a step of the screen, as a unit vector.
  along(dx, dy) {
    const ahead = [-Math.cos(this.yaw), -Math.sin(this.yaw)];
    const [x, y] = [0, 1].map((axis) => this.right[axis] * dx - ahead[axis] * dy);
    const length = Math.hypot(x, y) || 1;
    return [x / length, (this.mirror * y) / length];
  }

  // Angle of a heading on the screen, in radians.
  angle(heading) {
    const [x, y] = this.project(this.x, this.y, this.z);
    const [nextX, nextY] = this.project(this.x + Math.cos(heading), this.y + Math.sin(heading), this.z);
    return Math.atan2(nextY - y, nextX - x);
  }

  shows(px, py, near = 20) {
    return px > -near && py > -near && px < this.width + near && py < this.height + near;
  }

  resize(width, height) {
    if (width === this.width && height === this.height) return;
    [this.width, this.height] = [Math.max(1, width), Math.max(1, height)];
    if (this.isWhole) this.fit();
    this.#aim();
  }

  outline() {
    const [x0, y0, z0, x1, y1, z1] = this.box;
    return [z0, z1].flatMap((z) => [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(([x, y]) => this.project(x, y, z)));
  }

  // Look at everything from the present direction.
  fit() {
    const [x0, y0, z0, x1, y1, z1] = this.box;
    [this.x, this.y, this.z] = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2];
    this.distance = 2 * (this.#reach() / SLOPE);
    for (let round = 0; round < 12; round++) {
      this.#aim();
      const seen = this.outline();
      const [left, right] = [Math.min(...seen.map(([px]) => px)), Math.max(...seen.map(([px]) => px))];
      const [top, bottom] = [Math.min(...seen.map(([, py]) => py)), Math.max(...seen.map(([, py]) => py))];
      const fills = Math.max((right - left) / this.width, (bottom - top) / this.height) / MARGIN;
      this.#slide(this.width / 2 - (left + right) / 2, this.height / 2 - (top + bottom) / 2);
      this.distance = clamp(this.distance * Math.max(0.5, fills), NEAREST, 20 * this.#reach());
    }
    this.#aim();
    this.isWhole = true;
  }

  // Move what is seen by pixels, in the plane of the screen.
  #slide(dx, dy) {
    const metres = 1 / this.scale;
    const move = [0, 1, 2].map((axis) => (-dx * this.right[axis] + dy * this.up[axis]) * metres);
    [this.x, this.y, this.z] = [this.x + move[0], this.y + this.mirror * move[1], this.z + move[2]];
  }

  // Move over the ground by pixels.
  pan(dx, dy) {
    this.isWhole = false;
    const metres = 1 / this.scale;
    const deep = (dy * metres) / Math.max(0.35, Math.sin(this.pitch));
    this.x += -dx * metres * this.right[0] - deep * Math.cos(this.yaw);
    this.y += this.mirror * (-dx * metres * this.right[1] - deep * Math.sin(this.yaw));
    this.#aim();
  }

  turn(dx, dy) {
    this.isWhole = false;
    this.yaw -= dx * TURN;
    this.pitch = clamp(this.pitch + dy * TURN, LOWEST, HIGHEST);
    this.#aim();
  }

  // What is under the pixel stays there.
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    this.isWhole = false;
    const before = this.distance;
    this.distance = clamp(this.distance / factor, NEAREST, 20 * this.#reach());
    const share = 1 - this.distance / before;
    const [x, y] = this.unproject(px, py);
    const away = Math.hypot(x - this.x, y - this.y);
    const most = Math.min(1, (2 * before) / Math.max(away, 1e-6)); // near the horizon points are far away
    [this.x, this.y] = [this.x + (x - this.x) * share * most, this.y + (y - this.y) * share * most];
    this.#aim();
  }

  // Metres from the eye to a point.
  away(point) {
    return Math.hypot(...minus([point[0], this.mirror * point[1], point[2]], this.eye));
  }
}
