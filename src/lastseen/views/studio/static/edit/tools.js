// The drawing tools: areas corner by corner or as a rectangle, walls from end to end, points, routes and holes.

import { isInside, rectangle, slab, straightened, tidy } from "./geometry.js";
import { HEIGHTS, TOOLS } from "./kinds.js";
import { freeName } from "./model.js";
import { snap } from "./snap.js";

const NEAR = 11; // pixels from the first point at which an outline closes
const TWICE = 350; // milliseconds between the clicks of a double click
const LEAST = 0.02; // minimum length of a side in metres

export const toolNamed = (name) => TOOLS.find((tool) => tool.name === name);

export function makePen(editor, camera, say) {
  const state = { points: [], from: null, to: null, snapped: null, heading: null };
  let clicked = 0;
  const tool = () => toolNamed(editor.tool);

  function reset() {
    Object.assign(state, { points: [], from: null, heading: null });
  }

  function place(at) {
    const found = snap(at.x, at.y, {
      features: editor.here,
      scale: camera.scale,
      grid: editor.grid,
      isOff: !editor.isSnapping || at.alt,
      extra: state.points,
      axes: tool()?.draws === "slab",
    });
    state.snapped = found;
    const last = state.points.at(-1) ?? state.from;
    const [x, y] = at.shift && last && tool().draws !== "point" ? straightened(last, [found.x, found.y]) : [found.x, found.y];
    state.to = [x, y, editor.z];
    return state.to;
  }

  const isFirst = (at) => {
    if (state.points.length < 3 || tool().draws === "slab") return false;
    const [px, py] = camera.project(...state.points[0]);
    return Math.hypot(px - at.px, py - at.py) < NEAR;
  };

  // A double-click finishes a line or an outline.
  function isTwice(point) {
    const last = state.points.at(-1);
    const soon = performance.now() - clicked < TWICE;
    clicked = performance.now();
    return soon && last && Math.hypot(last[0] - point[0], last[1] - point[1]) < 0.05 + 4 / camera.scale;
  }

  function addArea(ring) {
    if (tool().draws === "hole") return addHole(ring);
    const { kind, given = {} } = tool();
    const ground = kind === "floor" || kind === "ramp" ? { storey: editor.storey } : { z: editor.z, height: HEIGHTS[kind] };
    const parts = [kind === "ramp" ? rising(ring, editor.z, (editor.storeys[editor.storey + 1] ?? editor.z + 3)) : ring];
    editor.add(kind, parts, { ...ground, ...named(kind), ...given }, `draw ${tool().name}`);
    return true;
  }

  function addHole(ring) {
    const [[x, y]] = ring;
    const holds = ({ kind, parts }) => kind === "floor" && (isInside(parts, x, y) || parts[0].some(([px, py]) => px === x && py === y));
    const floor = editor.here.filter(holds).at(-1);
    if (!floor) return say("Start the hole inside a floor.", "wrong");
    editor.replace([{ ...floor, parts: [...floor.parts, ring.map(([px, py]) => [px, py, floor.parts[0][0][2]])] }], "cut hole");
    editor.choose([floor.id]);
    return true;
  }

  const named = (kind) => (["door", "zone"].includes(kind) ? { name: freeName(editor.features, kind, `${kind} 1`) } : {});

  function addSlab(from, to) {
    if (Math.hypot(to[0] - from[0], to[1] - from[1]) < LEAST) return;
    const isDoor = tool().kind === "door";
    const width = isDoor ? editor.doorWidth : editor.wallWidth;
    const ring = slab(from, to, width, isDoor ? 0 : width / 2, editor.z);
    editor.add(
      tool().kind,
      [ring],
      { z: editor.z, height: HEIGHTS[tool().kind], ...named(tool().kind) },
      `draw ${isDoor ? "door" : "wall"}`,
    );
  }

  function addPoint(point, heading) {
    const { kind, given = {} } = tool();
    const turned = heading === null || ["marker", "trap"].includes(kind) ? {} : { heading: tidy(heading) };
    const word = given.who ?? (kind === "hide" ? "hiding place" : "");
    const name = word ? { name: freeName(editor.features, kind, word === "player" ? word : `${word} 1`) } : {};
    editor.add(kind, [[point]], { ...name, ...given, ...turned }, `place ${tool().name === "hide" ? "hiding place" : tool().name}`);
  }

  function finish() {
    const { points } = state;
    const { draws, kind } = tool();
    reset();
    if ((draws === "area" || draws === "hole") && points.length > 2) addArea(points);
    if (draws === "line" && points.length > 1) editor.addRoute(kind, points);
    return points.length > 0;
  }

  // Add a corner to an outline or a route; a wall continues from the end of the last one.
  function step(at) {
    const point = place(at);
    const { draws, kind } = tool();
    if (draws === "slab") {
      const last = state.points.at(-1);
      if (!last) state.points = [point];
      else if (isTwice(point)) reset();
      else {
        addSlab(last, point);
        state.points = kind === "door" ? [] : [point];
      }
      clicked = performance.now();
      return;
    }
    if (isFirst(at) || isTwice(point)) finish();
    else state.points = [...state.points, point];
  }

  function press(at) {
    const start = place(at);
    const { draws } = tool();
    const isFree = state.points.length === 0;
    state.from = isFree ? start : null;
    return {
      claims: true,
      move(to) {
        const now = place(to);
        if (draws === "point") state.heading = Math.hypot(to.x - start[0], to.y - start[1]) * camera.scale > 12 ? turned(start, to) : null;
        if (draws === "point") state.to = start;
        else state.to = now;
      },
      end(to, isMoved) {
        const from = state.from;
        state.from = null;
        if (draws === "point") addPoint(start, state.heading);
        else if (isMoved && isFree && from && draws === "slab") addSlab(from, place(to));
        else if (isMoved && isFree && from && draws !== "line") drawn(from, place(to));
        else step(to);
        state.heading = null;
      },
    };
  }

  function drawn(from, to) {
    if (Math.abs(to[0] - from[0]) < LEAST || Math.abs(to[1] - from[1]) < LEAST) return;
    addArea(rectangle(from, to, editor.z));
  }

  // Without a mouse: add one of default size in the middle of the map, to be moved by arrows and resized by typing.
  function drop() {
    const { draws, kind } = tool();
    const { x, y } = snap(camera.x, camera.y, { features: [], scale: camera.scale, grid: editor.grid });
    const z = editor.z;
    const [wide, deep] = kind === "floor" ? [6, 4] : kind === "ramp" ? [6, 2] : [1, 1];
    if (draws === "area" || draws === "hole") addArea(rectangle([x - wide / 2, y - deep / 2], [x + wide / 2, y + deep / 2], z));
    if (draws === "slab") addSlab([x, y - 1], [x, y + 1]);
    if (draws === "point") addPoint([x, y, z], null);
    if (draws === "line") editor.addRoute(kind, [[x, y, z], [x + 1, y, z]]);
  }

  function back() {
    if (!state.points.length) return false;
    state.points = state.points.slice(0, -1);
    return true;
  }

  return { state, press, hover: place, finish, drop, reset, back };
}

// The heading in steps of 15°, unless Alt is held.
function turned([x, y], at) {
  const angle = Math.atan2(at.y - y, at.x - x);
  const step = Math.PI / 12;
  return at.alt ? angle : Math.round(angle / step) * step;
}

// A ramp rises along its longer side.
export function rising(ring, low, high, along = null, isBack = false) {
  const [xs, ys] = [0, 1].map((axis) => ring.map((point) => point[axis]));
  const spread = (values) => Math.max(...values) - Math.min(...values);
  const axis = along ?? (spread(xs) >= spread(ys) ? 0 : 1);
  const values = axis ? ys : xs;
  const [least, wide] = [Math.min(...values), spread(values) || 1];
  return ring.map(([x, y], at) => {
    const share = (values[at] - least) / wide;
    return [x, y, tidy(low + (high - low) * (isBack ? 1 - share : share))];
  });
}
