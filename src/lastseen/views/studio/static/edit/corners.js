// Edits single corners of an outline and single stops of a route.

import { planeOf, tidy } from "./geometry.js";
import { isGround, LEAST, shapeOf } from "./kinds.js";
import { changed } from "./model.js";

const ownerOf = (editor) => editor.features.find(({ id }) => id === editor.corner.id);

// Returns whether a corner was removed. With too few corners left, the hole or the whole outline is removed.
export function removeCorner(editor) {
  const feature = ownerOf(editor);
  const { part, index } = editor.corner;
  const left = feature.parts[part].filter((_, at) => at !== index);
  const isTooFew = left.length < LEAST[shapeOf(feature)];
  if (isTooFew && part === 0) return false;
  const parts = isTooFew ? feature.parts.filter((_, at) => at !== part) : feature.parts.with(part, left);
  editor.corner = null;
  editor.replace([{ ...withoutStop(feature, index), parts }], "delete corner");
  return true;
}

// Select the next corner, in drawing order.
export function nextCorner(editor, by) {
  const single = editor.single();
  if (!single || shapeOf(single) === "point") return;
  const all = single.parts.flatMap((points, part) => points.map((_, index) => ({ id: single.id, part, index })));
  const now = all.findIndex(({ part, index }) => part === editor.corner?.part && index === editor.corner.index);
  editor.choose([single.id], all[now < 0 ? 0 : (now + by + all.length) % all.length]);
}

// Add a corner halfway to the next one.
export function insertCorner(editor) {
  const single = editor.single();
  if (!editor.corner || !single) return;
  const { part, index } = editor.corner;
  const points = single.parts[part];
  const [a, b] = [points[index], points[(index + 1) % points.length]];
  const middle = a.map((value, axis) => tidy((value + b[axis]) / 2));
  editor.replace(
    [{ ...withStop(single, index + 1), parts: single.parts.with(part, points.toSpliced(index + 1, 0, middle)) }],
    "add corner",
  );
  editor.choose([single.id], { id: single.id, part, index: index + 1 });
}

export function nudgeCorner(editor, dx, dy) {
  const feature = ownerOf(editor);
  const { id, part, index } = editor.corner;
  const [x, y, z] = feature.parts[part][index];
  const place = [tidy(x + dx), tidy(y + dy)];
  const height = isGround(feature) ? tidy(planeOf(feature.parts[0])(...place)) : z; // a ramp stays flat
  const parts = feature.parts.with(part, feature.parts[part].with(index, [...place, height]));
  editor.replace([{ ...feature, parts }], "move corner", `corner ${id} ${part} ${index}`);
}

// Stops of a patrol and times of a path stay with their points, and a patrol still loops to the same stop.
export function withoutStop(feature, index) {
  const { stops, seconds, loop_to: loop } = feature.properties;
  const without = (list) => (list?.length ? list.filter((_, at) => at !== index) : list);
  return changed(feature, {
    stops: without(stops),
    seconds: without(seconds),
    loop_to: loop && loop >= index ? Math.max(0, loop - 1) : loop,
  });
}

export function withStop(feature, index) {
  const { stops, seconds, loop_to: loop } = feature.properties;
  const time = seconds?.length ? tidy((seconds[index - 1] + (seconds[index] ?? seconds[index - 1])) / 2) : 0;
  return changed(feature, {
    stops: stops?.toSpliced(index, 0, {}),
    seconds: seconds?.length ? seconds.toSpliced(index, 0, time) : seconds,
    loop_to: loop && loop >= index ? loop + 1 : loop,
  });
}
