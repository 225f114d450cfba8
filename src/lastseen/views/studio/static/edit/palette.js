// The toolbar on the map: tools, undo and redo, the grid; the floors at the left edge.

import { button, fill, find, icon, iconButton, make } from "../dom.js";
import { GRIDS } from "./editor.js";
import { TOOLS } from "./kinds.js";

const UNDO = "M3.5 6.5h6a3.5 3.5 0 0 1 0 7H6M6 3L2.5 6.5 6 10";
const REDO = "M12.5 6.5h-6a3.5 3.5 0 0 0 0 7H10M10 3l3.5 3.5L10 10";
const GAPS = new Set(["floor", "wall", "guard"]); // a group starts before these

const MOST_FLOORS = 8; // listed at most

export function makePalette(editor, { undo, redo }) {
  const tools = make("div", { class: "tools-row", role: "toolbar", "aria-label": "Tools" });
  const buttons = new Map();
  for (const { name, title, key, icon: path } of TOOLS) {
    const node = button("", () => editor.useTool(name), {
      class: GAPS.has(name) ? "tool gap" : "tool",
      title: `${title} (${key.toUpperCase()})`,
      "aria-label": title,
      "data-tool": name,
    });
    const word = make("span", { text: name[0].toUpperCase() + name.slice(1) });
    node.append(icon(path), word, make("kbd", { text: key.toUpperCase() }));
    buttons.set(name, node);
    tools.append(node);
  }
  const back = iconButton(UNDO, "Undo (Ctrl+Z)", undo, { class: "tool gap" });
  const forth = iconButton(REDO, "Redo (Ctrl+Shift+Z)", redo, { class: "tool" });
  const grid = make(
    "select",
    { class: "grid-menu", title: "Grid and snapping (S: on or off; hold Alt: off)", "aria-label": "Grid", on: { change: chooseGrid } },
    ...GRIDS.map((size) => make("option", { value: size, text: `${size} m` })),
    make("option", { value: 0, text: "no grid" }),
    make("option", { value: "off", text: "no snap" }),
  );
  tools.append(back, forth, grid);
  const floors = make("div", { class: "floors edit-floors", role: "group", "aria-label": "Floors" });
  const status = make("div", { class: "edit-status", role: "status" });

  function chooseGrid() {
    editor.isSnapping = grid.value !== "off";
    if (editor.isSnapping) editor.grid = Number(grid.value);
    editor.tell("tool");
    grid.blur();
  }

  function show() {
    for (const [name, node] of buttons) {
      node.setAttribute("aria-pressed", String(editor.tool === name));
      node.hidden = !editor.canUse(name);
    }
    grid.value = editor.isSnapping ? String(editor.grid) : "off";
    back.disabled = !editor.undoing.past.length;
    forth.disabled = !editor.undoing.future.length;
    const entries = editor.storeys.map((z, storey) =>
      button(`${storey}`, () => editor.useStorey(storey), {
        class: "floor",
        "aria-pressed": String(storey === editor.storey),
        title: `Floor ${storey} at ${Number(z.toFixed(2))} m (Page Up, Page Down)`,
      }),
    );
    const [low, high] = [Math.max(0, editor.storey - MOST_FLOORS), editor.storey + MOST_FLOORS + 1];
    fill(
      floors,
      editor.mesh ? null : button("+", () => editor.addStorey(), { class: "floor", title: "Add a floor above" }),
      ...entries.slice(low, high).reverse(),
    );
  }
  editor.onChange((what) => what !== "faults" && show());

  return {
    enter() {
      find("#stage").append(tools, status);
      find("#rail").append(floors);
      show();
    },
    leave() {
      for (const node of [tools, floors, status]) node.remove();
    },
    say(text) {
      if (status.textContent !== text) status.textContent = text;
    },
  };
}
