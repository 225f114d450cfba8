// The Select tool: select by click or box, move, drag corners, add corners on sides, rotate agents.

import { planeOf, straightened, tidy } from "./geometry.js";
import { isGround, pointsOf, shapeOf } from "./kinds.js";
import { changed, moved } from "./model.js";
import { withStop } from "./corners.js";
import { featureAt, handleAt, within } from "./pick.js";
import { snap } from "./snap.js";

export const ARM = 30; // length in pixels of the rotation handle
const NEAR = 9;

export const canTurn = (feature) => feature?.kind === "spawn" || feature?.kind === "hide";

export function armOf(feature, camera) {
  const [x, y, z] = feature.parts[0][0];
  const [px, py] = camera.project(x, y, z);
  const angle = camera.angle(feature.properties.heading ?? 0);
  return [px + Math.cos(angle) * ARM, py + Math.sin(angle) * ARM];
}

export function makeHand(editor, camera) {
  const state = { box: null, snapped: null };
  const catching = (at, skip, extra) => {
    const found = snap(at.x, at.y, {
      features: editor.here,
      skip,
      extra,
      scale: camera.scale,
      grid: editor.grid,
      isOff: !editor.isSnapping || at.alt,
    });
    state.snapped = found;
    return found;
  };

  // Every drag changes the drawing as it was at the start, so that it is undone as one.
  function dragging(label, change) {
    const begun = performance.now();
    let isMoved = false;
    return {
      claims: true,
      move(at) {
        isMoved = true;
        change(at, (features) => editor.replace(features, label, `drag ${begun}`));
        editor.undoing.since = Infinity; // however long the pointer rests
      },
      end() {
        state.snapped = null;
        editor.undoing.merging = "";
        if (isMoved) editor.tell("drawing");
      },
    };
  }

  function turning(feature) {
    const [x, y] = feature.parts[0][0];
    return dragging("turn", (at, replace) => {
      const angle = Math.atan2(at.y - y, at.x - x);
      const step = Math.PI / 12;
      const heading = at.alt ? angle : Math.round(angle / step) * step;
      replace([changed(feature, { heading: tidy(heading) })]);
    });
  }

  function pulling(feature, { part, index, isNew }) {
    const points = feature.parts[part];
    const before = isNew
      ? withStop({ ...feature, parts: feature.parts.with(part, points.toSpliced(index, 0, points[index - 1])) }, index)
      : feature;
    const corner = { id: feature.id, part, index };
    const others = before.parts.flatMap((ring, one) => ring.filter((_, at) => one !== part || at !== index));
    const height = isGround(feature) ? planeOf(feature.parts[0]) : null;
    const count = before.parts[part].length;
    editor.choose([feature.id], isNew ? null : corner);
    return dragging(isNew ? "add corner" : "move corner", (at, replace) => {
      let place = catching(at, new Set([feature.id]), others);
      if (at.shift) {
        const [sx, sy] = straightened(before.parts[part][(index + count - 1) % count], [at.x, at.y]);
        place = { x: sx, y: sy };
      }
      const z = height ? tidy(height(place.x, place.y)) : before.parts[part][index][2];
      replace([{ ...before, parts: before.parts.with(part, before.parts[part].with(index, [place.x, place.y, z])) }]);
      if (isNew && editor.corner?.index !== index) editor.choose([feature.id], corner);
    });
  }

  // The corner nearest to the pointer is the one that snaps.
  function carrying(from) {
    const features = editor.chosen();
    const skip = new Set(editor.selected);
    const corners = features.flatMap(pointsOf);
    const [hx, hy] = corners.reduce((best, one) =>
      Math.hypot(one[0] - from.x, one[1] - from.y) < Math.hypot(best[0] - from.x, best[1] - from.y) ? one : best,
    );
    return dragging("move", (at, replace) => {
      let [dx, dy] = [at.x - from.x, at.y - from.y];
      if (at.shift) [dx, dy] = Math.abs(dx) > Math.abs(dy) ? [dx, 0] : [0, dy];
      const place = catching({ ...at, x: hx + dx, y: hy + dy }, skip, []);
      replace(features.map((feature) => moved(feature, place.x - hx, place.y - hy)));
    });
  }

  function boxing(from, adds) {
    const before = adds ? [...editor.selected] : [];
    return {
      claims: true,
      move(at) {
        state.box = [[from.x, from.y], [at.x, at.y]];
        editor.choose([...before, ...within(editor.here, ...state.box).map(({ id }) => id)]);
      },
      end(_, isMoved) {
        state.box = null;
        if (!isMoved && !adds) editor.choose([]);
      },
    };
  }

  function press(at, event) {
    const single = editor.single();
    if (canTurn(single)) {
      const [px, py] = armOf(single, camera);
      if (Math.hypot(px - at.px, py - at.py) < NEAR) return turning(single);
    }
    const handle = single && shapeOf(single) !== "point" ? handleAt(single, at, camera) : null;
    if (handle) return pulling(single, handle);
    const feature = featureAt(editor.here, at, camera);
    if (!feature) return boxing(at, event.shiftKey);
    const was = editor.selected.has(feature.id);
    if (event.shiftKey) {
      editor.choose(was ? [...editor.selected].filter((id) => id !== feature.id) : [...editor.selected, feature.id]);
      return was ? { claims: true } : carrying(at);
    }
    // Only a selected floor moves; a drag on an unselected floor draws a selection box, as on empty ground.
    if (isGround(feature) && !was) return pressedFloor(at, feature);
    editor.choose(was ? editor.selected : [feature.id]);
    return carrying(at);
  }

  function pressedFloor(at, feature) {
    const drag = boxing(at, false);
    const end = (to, isMoved) => {
      drag.end(to, isMoved);
      if (!isMoved) editor.choose([feature.id]);
    };
    return { ...drag, end };
  }

  return { state, press };
}
