// Pointer input on the map: wheel and pinch zoom, drags pan unless the mode takes them, clicks select.

import { barkOf, selectBark } from "../rules/barks.js";
import { change, select, studio } from "../studio.js";
import { crewAt } from "./crews.js";
import { agentAt } from "./people.js";
import { halvesOf } from "./split.js";

const STILL = 4; // pixels a click may move

export function listen(canvas, scene, shown, currentMode, redraw) {
  const held = new Map();
  let drag = null;
  let pinch = 0;

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    const { dx, dy } = halvesOf(box.width, box.height);
    const half = currentMode().isSplit?.() && (dx ? left > dx : top > dy) ? 1 : 0;
    const [px, py] = [left - half * dx, top - half * dy];
    const { x, y, z } = scene.under(px, py);
    return { px, py, x, y, z, half, alt: event.altKey, shift: event.shiftKey };
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (!studio.hello) return;
    canvas.setPointerCapture(event.pointerId);
    const at = place(event);
    held.set(event.pointerId, at);
    if (held.size === 2) [drag, pinch] = [null, spread()];
    if (held.size > 1) return;
    const isFree = event.shiftKey || !(barkUnder(at) || crewUnder(at));
    const wanted = event.button === 0 && isFree ? currentMode().grab?.(at, event, agentUnder(at)) : null;
    drag = { from: at, last: at, moved: false, by: wanted ?? null, button: event.button };
  });

  canvas.addEventListener("pointermove", (event) => {
    if (!studio.hello) return;
    const at = place(event);
    change("hover", { x: at.x, y: at.y, z: at.z, cell: scene.cells.at(at.x, at.y, at.z), px: at.px, py: at.py, half: at.half });
    currentMode().hover?.(at);
    const before = held.get(event.pointerId);
    if (before) held.set(event.pointerId, at);
    if (held.size === 2) pinched(before, at);
    else if (drag && before) dragged(at);
    redraw();
  });

  function dragged(at) {
    drag.moved ||= Math.hypot(at.px - drag.from.px, at.py - drag.from.py) > STILL;
    if (drag.by) drag.by.move?.(at);
    else if (drag.moved) steer(at.px - drag.last.px, at.py - drag.last.py);
    if (drag.moved && !drag.by) canvas.dataset.drag = "pan";
    drag.last = at;
  }

  // In 3D a drag turns the view, unless another button or Shift is held.
  function steer(dx, dy) {
    if (scene.isDeep && drag.button === 0 && !drag.from.shift) scene.camera.turn(dx, dy);
    else scene.camera.pan(dx, dy);
  }

  const spread = () => {
    const [one, other] = [...held.values()];
    return Math.hypot(one.px - other.px, one.py - other.py);
  };

  function pinched(before, at) {
    const now = spread();
    const [one, other] = [...held.values()];
    if (pinch > 0) scene.camera.zoom(now / pinch, (one.px + other.px) / 2, (one.py + other.py) / 2);
    scene.camera.pan((at.px - before.px) / 2, (at.py - before.py) / 2);
    pinch = now;
  }

  function released(event) {
    held.delete(event.pointerId);
    delete canvas.dataset.drag;
    if (!drag) return;
    const at = place(event);
    drag.by?.end?.(at, drag.moved);
    if (!drag.moved && drag.button === 0 && !drag.by?.claims) clicked(at);
    if (!drag.moved && drag.button === 2 && scene.isDeep) currentMode().second?.(at);
    drag = null;
    redraw();
  }
  canvas.addEventListener("pointerup", released);
  canvas.addEventListener("pointercancel", released);
  canvas.addEventListener("pointerleave", () => change("hover", null));

  // A mode that paints its own map shows no agents.
  const agentUnder = (at) => currentMode().paint ? -1 : agentAt(scene.camera, shown(), at.px, at.py);

  const crewUnder = (at) => (currentMode().paint ? null : crewAt(scene, shown(), at.px, at.py));

  // The spoken line whose bubble is under the pointer.
  function barkUnder(at) {
    const key = currentMode().paint ? null : scene.labels.bubbleAt(at.px, at.py)?.key;
    const [, agent] = /^said (\d+)$/.exec(key ?? "") ?? [];
    return agent && shown() ? barkOf(Number(agent), shown().tick) : null;
  }

  function clicked(at) {
    const bark = barkUnder(at);
    if (bark) return selectBark(bark);
    const agent = agentUnder(at);
    if (agent >= 0) return select({ kind: "agent", number: agent });
    const crew = crewUnder(at);
    if (crew) return select({ kind: "crew", number: crew.number });
    if (currentMode().click?.(at)) return;
    const cell = scene.cells.at(at.x, at.y, at.z);
    select(cell >= 0 && studio.selected?.cell !== cell ? { kind: "cell", cell } : null);
  }

  canvas.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    if (!scene.isDeep) currentMode().second?.(place(event)); // in 3D it may become a drag
  });

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const at = place(event);
      scene.camera.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), at.px, at.py);
      redraw();
    },
    { passive: false },
  );
}
