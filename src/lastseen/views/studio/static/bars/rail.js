// The rail at the left edge: the modes, and the floors below them.

import { button, fill, find, icon, make } from "../dom.js";
import { allModes, setMode } from "../modes/modes.js";
import { change, on, studio } from "../studio.js";

const ICONS = {
  play: "M4 2.5v11l9.5-5.5z",
  watch: "M1 8q7-8.5 14 0-7 8.5-14 0zM8 5.8a2.2 2.2 0 1 0 .01 0z",
  whatif: "M5 5.5a3 3 0 1 1 4.2 2.7C8.2 8.7 8 9.2 8 10.5M8 13v.6",
  edit: "M3 13l.6-3L11 2.6 13.4 5 6 12.4zM9.4 4.2l2.4 2.4",
  compare: "M2 3h5v10H2zM9 3h5v10H9z",
  guards: "M8 1.5l5 2v4.2c0 3.2-2 5.6-5 6.8-3-1.2-5-3.6-5-6.8V3.5z",
  scenario: "M3 2.5h10v11H3zM5.5 6h5M5.5 8.5h5M5.5 11h3",
  trees: "M2 8h4M6 3.5h3M6 12.5h3M6 3.5v9M10 2h4v3h-4zM10 11h4v3h-4z",
  rules: "M3 3.5h10M3 8h10M3 12.5h6",
};

export function beginRail(redraw, deep) {
  const modes = make("nav", { class: "modes", "aria-label": "Modes" });
  const floors = make("div", { class: "floors", role: "group", "aria-label": "Floors" });
  fill(find("#rail"), modes, floors);

  const drawModes = () =>
    fill(
      modes,
      ...allModes().map(({ name, title, key }) => {
        const settings = { class: "mode", "aria-pressed": String(studio.mode === name), title: `${title} (${key})`, "data-mode": name };
        const node = button("", () => setMode(name), settings);
        node.append(icon(ICONS[name] ?? ICONS.rules), make("span", { text: title }));
        return node;
      }),
    );
  on("modes", drawModes);
  on("mode", drawModes);
  on("hello", drawModes);

  function drawFloors() {
    const storeys = studio.hello?.level.storeys ?? [];
    const settings = { class: "floor", "data-view": "deep", "aria-pressed": String(studio.deep), title: "3D view (9)" };
    const space = button("3D", () => deep.toggle(), settings);
    if (storeys.length < 2) return fill(floors, studio.hello ? space : null);
    const entries = storeys.map((storey, number) => [storey.name || String(number), number]).reverse();
    const made = [["auto", null], ...entries].map(([title, number]) =>
      button(title, () => choose(number), {
        class: "floor",
        "aria-pressed": String(!studio.stacked && studio.storey === number),
        title: number === null ? "Follow (0)" : `Floor ${title} (Page Up, Page Down)`,
      }),
    );
    made.push(button("stack", () => stack(), { class: "floor", "aria-pressed": String(studio.stacked), title: "All floors, tilted (Z)" }));
    fill(floors, ...made, space);
  }
  function choose(number) {
    change("stacked", false);
    change("cut", null);
    change("storey", number);
  }
  function stack() {
    if (studio.deep) deep.show(false);
    change("stacked", !studio.stacked);
  }
  for (const name of ["hello", "storey", "stacked", "deep"]) {
    on(name, () => {
      drawFloors();
      redraw();
    });
  }
  return { stack, choose };
}
