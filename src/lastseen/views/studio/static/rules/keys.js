// Keyboard shortcuts of the rules editor; in fields only save, play and undo.

import { isTyped } from "../typing.js";

export const RULE_LISTS = [
  [
    "Rules",
    [
      ["↑ ↓", "previous, next rule; Shift: extend selection"],
      ["Alt ↑ ↓", "move rules up, down"],
      ["Enter", "edit the rule"],
      ["Escape", "from a field back to the list"],
      ["Insert", "add a rule"],
      ["Delete", "delete rules"],
      ["/", "search rules, or lines in their view"],
      ["Ctrl C, X, V, D", "copy, cut, paste, duplicate"],
      ["Ctrl Z, Ctrl ⇧ Z", "undo, redo"],
      ["Ctrl S", "save"],
      ["Ctrl Enter", "play with these rules"],
      ["T, Shift T", "next, previous view: rules, sorted, try …"],
    ],
  ],
];

export function makeKeys(editor, { list, files, undo, redo, add, tabs, focusForm, focusSearch }) {
  const withControl = { z: undo, y: redo, s: files.save, o: files.another, Enter: files.play };
  const isInList = () => document.activeElement === list.box;

  function control(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.shiftKey && key === "z") return (redo(), true);
    if (event.shiftKey && key === "s") return (files.saveAs(), true);
    if (key === "d" && editor.selected.size) return (duplicate(editor), true);
    if (key === "a" && isInList()) return (editor.choose([...list.box.querySelectorAll(".rule-row")].map(({ id }) => id)), true);
    const act = withControl[key];
    act?.();
    return Boolean(act);
  }

  function inList(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const by = event.key === "ArrowDown" ? 1 : -1;
      if (event.altKey) list.shift(by);
      else list.step(by, event.shiftKey);
      return true;
    }
    if (event.altKey) return false;
    if (event.key === "Delete" || event.key === "Backspace") return (editor.remove(), true);
    if (event.key === "Enter") return (focusForm(), true);
    return false;
  }

  // Keys in fields that act on the page; typed text is committed first.
  function inField(event) {
    const node = event.target;
    const hasText = isTyped(node);
    if (event.key === "Escape" && !event.defaultPrevented) return (list.box.focus(), true);
    if (!(event.ctrlKey || event.metaKey)) return false;
    if (["z", "y", "Z"].includes(event.key) && hasText) return false;
    if (!["z", "y", "Z", "s", "S", "Enter"].includes(event.key)) return false;
    if (hasText) node.dispatchEvent(new Event("change", { bubbles: true }));
    return control(event);
  }

  function keydown(event) {
    if (event.ctrlKey || event.metaKey) return control(event);
    if (isInList() && inList(event)) return true;
    if (event.altKey) return false;
    if (event.key === "/") return (focusSearch(), true);
    if (event.key === "Insert") return (add(), true);
    if (event.key.toLowerCase() === "t")
      return (editor.show(tabs.at((tabs.indexOf(editor.tab) + (event.shiftKey ? -1 : 1)) % tabs.length)), true);
    return false;
  }
  return { keydown, inField };
}

export function duplicate(editor) {
  const places = [...editor.selected].map((id) => editor.find(id)).filter(({ file }) => !file.isLocked);
  if (!places.length) return;
  const { handler } = places.at(-1);
  const mine = places.filter((one) => one.handler === handler);
  editor.insert(
    mine.map(({ entry }) => entry.rule),
    handler.name,
    Math.max(...mine.map(({ index }) => index)) + 1,
    "duplicate",
  );
}
