// Fields of view in 3D: what each guard sees, cut to the outlines of its eyes and laid on the floor it stands on.

import { bytesOf, theme } from "../colours.js";
import { studio } from "../studio.js";
import { Batch, LIT } from "./gpu.js";
import { areaOf } from "./solid.js";

const ABOVE = 0.07; // metres above the floor
const STRENGTHS = { near: 120, far: 40, inner: 70 }; // opacity at the eye, at the end, and added in the inner zone

export class Sights {
  constructor(gpu) {
    this.batch = new Batch(gpu, LIT);
  }

  move(moment, isShown) {
    const places = [];
    const colours = [];
    for (const { agent: number, points } of isShown ? moment.views : []) {
      const agent = moment.agents[number];
      if (!agent || points.length < 6) continue;
      const { inner, outer, far } = studio.hello.agents[number].view ?? { inner: [], outer: [], far: 20 };
      const seen = Array.from({ length: points.length / 2 }, (_, at) => [points[2 * at], points[2 * at + 1]]);
      const ink = bytesOf(theme.ink.view);
      const fade = ([x, y]) => Math.max(0, 1 - Math.hypot(x - agent.x, y - agent.y) / Math.max(1, far));
      const fan = (polygon, opacity) => {
        for (let at = 0; at < polygon.length; at++) {
          for (const one of [[agent.x, agent.y], polygon[at], polygon[(at + 1) % polygon.length]]) {
            places.push(...one, agent.z + ABOVE);
            colours.push(...ink, opacity(one));
          }
        }
      };
      const usual = (one) => STRENGTHS.far + (STRENGTHS.near - STRENGTHS.far) * fade(one);
      for (const outline of outer.length ? outer : [null]) fan(outline ? clipped(seen, placed(outline, agent)) : seen, usual);
      for (const outline of inner) fan(clipped(seen, placed(outline, agent)), () => STRENGTHS.inner);
    }
    const { gl } = this.batch;
    const count = places.length / 3;
    this.batch.upload({ a_xyz: Float32Array.from(places), a_colour: Uint8Array.from(colours) }, count, gl.DYNAMIC_DRAW);
  }
}

// An outline in head coordinates (x ahead, y counter-clockwise of it) on the map, counter-clockwise.
function placed(outline, agent) {
  const [cos, sin] = [Math.cos(agent.gaze), Math.sin(agent.gaze)];
  const found = outline.map(([ahead, left]) => [agent.x + ahead * cos - left * sin, agent.y + ahead * sin + left * cos]);
  return areaOf(found) < 0 ? found.reverse() : found;
}

// The part of a polygon inside a convex one, side by side.
function clipped(polygon, convex) {
  return convex.reduce((left, [x, y], at) => {
    const [nextX, nextY] = convex[(at + 1) % convex.length];
    const inside = ([px, py]) => (nextX - x) * (py - y) - (nextY - y) * (px - x);
    return left.flatMap((point, number) => {
      const before = left[(number + left.length - 1) % left.length];
      const [one, other] = [inside(before), inside(point)];
      const share = one / (one - other);
      const met = [before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share];
      if (other >= 0) return one >= 0 ? [point] : [met, point];
      return one >= 0 ? [met] : [];
    });
  }, polygon);
}
