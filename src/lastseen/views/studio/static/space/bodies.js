// Agents in 3D: a rounded body with a nose that points where the agent looks, in the colour of its side.

import { agentColour, bytesOf } from "../colours.js";
import { isShown, signOf, standsAt } from "../map/people.js";
import { modeName, studio } from "../studio.js";
import { Batch, SHAPES } from "./gpu.js";

const SIDES = 12;
const TALL = 1.75; // metres
const LYING = 0.35;
const LEAST = 0.28; // metres: smaller bodies could not be seen

// Rings of a body of radius 1 and height 1: radius and height of each.
const RINGS = [
  [1.5, 0.005], [1.5, 0.03], [0.62, 0.035], [0.78, 0.3], [1, 0.62], [0.86, 0.74], [0.42, 0.78], [0.62, 0.86], [0.5, 0.97],
  [0, 1],
];

export class Bodies {
  constructor(gpu) {
    this.batch = new Batch(gpu, SHAPES);
    const { corners, normals } = shape();
    this.vertices = corners.length / 3;
    this.batch.upload({ a_corner: corners, a_normal: normals });
  }

  move(moment) {
    const shown = moment ? moment.agents.map((agent, number) => ({ agent, number })).filter(({ agent }) => isShown(agent)) : [];
    const places = new Float32Array(4 * shown.length);
    const sizes = new Float32Array(4 * shown.length);
    const colours = new Uint8Array(4 * shown.length);
    shown.forEach(({ agent, number }, at) => {
      const [x, y, z] = standsAt(agent);
      const isDown = modeName(agent.mode) === "down";
      const radius = Math.max(LEAST, studio.hello.agents[number]?.radius ?? LEAST);
      places.set([x, y, z + 0.03, agent.gaze], 4 * at);
      sizes.set([radius, isDown ? LYING : TALL, 0, 0], 4 * at);
      colours.set([...bytesOf(agentColour(number, signOf(number, agent))), 255], 4 * at);
    });
    const { gl } = this.batch;
    this.batch.upload({ a_place: places, a_size: sizes, a_colour: colours }, shown.length, gl.DYNAMIC_DRAW);
  }
}

function shape() {
  const corners = [];
  const normals = [];
  const point = ([radius, z], side) => {
    const angle = (2 * Math.PI * side) / SIDES;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  };
  const triangle = (points, normal) => points.forEach((one) => (corners.push(...one), normals.push(...normal)));
  for (let ring = 1; ring < RINGS.length; ring++) {
    const [low, high] = [RINGS[ring - 1], RINGS[ring]];
    const [out, up] = [(high[1] - low[1]) * 4, low[0] - high[0]];
    const length = Math.hypot(out, up) || 1;
    for (let side = 0; side < SIDES; side++) {
      const angle = (2 * Math.PI * (side + 0.5)) / SIDES;
      const normal = [(Math.cos(angle) * out) / length, (Math.sin(angle) * out) / length, up / length];
      const [a, b, c, d] = [point(low, side), point(low, side + 1), point(high, side + 1), point(high, side)];
      triangle([a, b, c], normal);
      triangle([a, c, d], normal);
    }
  }
  // The nose: a wedge at the height of the eyes, and an arrow on the disc.
  for (const [z, reach, wide] of [[0.88, 1.35, 0.3], [0.045, 2.5, 0.75]]) {
    const [tip, left, right, top] = [[reach, 0, z], [0.5 * reach, wide, z], [0.5 * reach, -wide, z], [0.5 * reach, 0, z + 0.05]];
    triangle([left, tip, top], [0.4, 0.6, 0.7]);
    triangle([tip, right, top], [0.4, -0.6, 0.7]);
    triangle([right, left, top], [-1, 0, 0]);
    triangle([left, right, tip], [0, 0, -1]);
  }
  return { corners: Float32Array.from(corners), normals: Float32Array.from(normals) };
}
