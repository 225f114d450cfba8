// Copy and paste of features within the page; names stay unique and guards keep their patrols.

import { boundsOf, tidy } from "./geometry.js";
import { isGround, pointsOf } from "./kinds.js";
import { changed, freeName, moved, newId } from "./model.js";

let kept = null; // {features, z}
export const hasCopy = () => kept !== null;

export function copy(editor) {
  const features = editor.chosen();
  if (!features.length) return 0;
  kept = { features, z: editor.z, times: 0 };
  return features.length;
}

// Paste at the pointer, or one step from the originals, on the current storey.
export function paste(editor, at = null) {
  if (!kept) return 0;
  const step = editor.grid || 0.5;
  kept.times += 1;
  const [x0, y0, x1, y1] = boundsOf(kept.features.flatMap(pointsOf));
  const round = (value) => tidy(Math.round(value / step) * step);
  const away = step * Math.max(1, Math.round(1 / step)) * kept.times;
  const [dx, dy] = at ? [round(at.x - (x0 + x1) / 2), round(at.y - (y0 + y1) / 2)] : [away, -away];
  insert(editor, kept.features, [dx, dy, editor.z - kept.z], "paste");
  return kept.features.length;
}

export function duplicate(editor) {
  const features = editor.chosen();
  if (!features.length) return;
  const step = Math.max(editor.grid || 0.5, 0.5);
  insert(editor, features, [step, -step, 0], "duplicate");
}

function insert(editor, copies, [dx, dy, dz], label) {
  const features = copies.filter((one) => !editor.mesh || !isGround(one)); // no floors on a mesh
  if (!features.length) return;
  const names = new Map(); // new names of copied patrols
  let all = editor.features;
  const made = features.map((feature) => {
    const copied = { ...moved(feature, dx, dy, dz), id: newId() };
    const { name } = feature.properties;
    const named = name && !isGround(feature) ? changed(copied, { name: freeName(all, feature.kind, name) }) : copied;
    if (feature.kind === "patrol") names.set(name, named.properties.name);
    const placed = isGround(feature) ? changed(named, { storey: editor.storey }) : named;
    all = [...all, placed];
    return placed;
  });
  const joined = made.map((one) => (names.has(one.properties.patrol) ? changed(one, { patrol: names.get(one.properties.patrol) }) : one));
  editor.apply([...editor.features, ...joined], label);
  editor.choose(joined.map(({ id }) => id));
}
