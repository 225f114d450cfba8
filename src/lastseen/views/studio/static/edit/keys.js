// Keyboard shortcuts of the level editor; all other keys work as everywhere.

import { copy, duplicate, hasCopy, paste } from "./clipboard.js";
import { insertCorner, nextCorner } from "./corners.js";
import { TOOLS } from "./kinds.js";

const WAYS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// Page-wide keys that also work here; those of other modes do nothing.
const PASSED = /^([?\\+=\-1-9]|Tab|F\d+)$/;

export const EDIT_LISTS = [
  ["Draw", TOOLS.map(({ key, title }) => [key.toUpperCase(), title])],
  ["Map", [["wheel, + −", "zoom"], ["Space and drag", "pan"], ["F", "fit"], ["PgUp PgDn", "floor above, below"]]],
  ["Edit", [
    ["Ctrl Z, Ctrl ⇧ Z", "undo, redo"], ["Ctrl C, X, V, D", "copy, cut, paste, duplicate"],
    ["Ctrl A", "select all on this floor"], ["Ctrl S", "save"], ["Ctrl Enter", "play level"],
    ["Tab", "next object (on the map)"], ["arrows", "nudge; Shift: ten times"], ["Delete", "delete corner or object"],
    ["Enter, Escape", "finish, cancel"], ["Enter", "with a tool: draw one in the middle"], [", .", "select a corner"],
    ["Insert", "add a corner"], ["[ ]", "rotate by 90°"], ["S, hold Alt", "snapping on or off"],
  ]],
];

export function makeKeys(editor, { camera, fit, pen, files, undo, redo, say, isOnMap, goTo }) {
  const withControl = {
    z: undo,
    y: redo,
    c: () => tell(copy(editor), "copied"),
    x: () => copy(editor) && (editor.remove(), say("Cut.")),
    v: () => hasCopy() && paste(editor, editor.pointer),
    d: () => duplicate(editor),
    a: () => editor.choose(editor.here.map(({ id }) => id)),
    s: files.save,
    o: files.another,
    Enter: files.play,
  };
  const tell = (count, what) => count && say(`${count} ${what}.`);

  function withKeys(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.shiftKey && key === "z") return redo(), true;
    if (event.shiftKey && key === "s") return files.saveAs(), true;
    const act = withControl[key];
    act?.();
    return Boolean(act);
  }

  function nudge(event) {
    const [x, y] = WAYS[event.code];
    const step = (editor.grid || 0.1) * (event.shiftKey ? 10 : 1);
    if (!editor.selected.size) return camera.pan(-60 * x, 60 * y);
    editor.nudge(x * step, -y * step * camera.sign);
  }

  // Go to the next object, in drawing order.
  function next(by) {
    const ids = editor.here.map(({ id }) => id);
    if (!ids.length) return;
    const at = ids.findIndex((id) => editor.selected.has(id));
    const id = ids[at < 0 ? (by > 0 ? 0 : ids.length - 1) : (at + by + ids.length) % ids.length];
    goTo({ id, at: null }, true);
  }

  function use({ name }) {
    if (editor.canUse(name)) editor.useTool(name);
    else say("The mesh is the floor here: no other floor can be drawn.", "wrong");
  }

  function escape() {
    if (pen.state.points.length) pen.reset();
    else if (editor.tool !== "select") editor.useTool("select");
    else editor.choose(editor.corner ? editor.selected : []);
  }

  return (event) => {
    if (event.ctrlKey || event.metaKey) return withKeys(event);
    if (event.altKey) return false;
    if (WAYS[event.code]) return nudge(event), true;
    if (event.key === "Tab" && isOnMap()) return next(event.shiftKey ? -1 : 1), true;
    if (event.target.closest?.("button, summary, select") && [" ", "Enter"].includes(event.key)) return false;
    const acts = {
      Escape: escape,
      Enter: () => pen.finish() || pen.drop(),
      ".": () => nextCorner(editor, 1),
      ",": () => nextCorner(editor, -1),
      Insert: () => insertCorner(editor),
      "[": () => editor.turn(-camera.sign),
      "]": () => editor.turn(camera.sign),
      Backspace: () => pen.back() || editor.remove(),
      Delete: () => editor.remove(),
      PageUp: () => editor.useStorey(editor.storey + 1),
      PageDown: () => editor.useStorey(editor.storey - 1),
      f: fit,
      s: () => (
        (editor.isSnapping = !editor.isSnapping),
        editor.tell("tool"),
        say(editor.isSnapping ? "Snapping on." : "Snapping off.")
      ),
      " ": () => {},
    };
    const tool = event.shiftKey ? undefined : TOOLS.find(({ key }) => key === event.key.toLowerCase());
    const act = acts[event.key] ?? acts[event.key.toLowerCase()] ?? (tool ? () => use(tool) : null);
    act?.();
    return Boolean(act) || !PASSED.test(event.key);
  };
}
