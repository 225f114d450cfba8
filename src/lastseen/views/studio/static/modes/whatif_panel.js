// The What if panel: presets, settings as sliders and numbers, and the same query as code.

import { button, fill, make } from "../dom.js";
import { copy } from "../share.js";
import { studio, vocabulary } from "../studio.js";

const SLIDERS = [
  ["hot", "Heat H", 1, 127, "heat of a cell when it is reached"],
  ["max_heated", "Max front M_H", 1, 200, "cells heated in one step above which the area is too wide"],
  ["max_steps", "Max steps M_S", 1, 120, "step limit of the flood"],
];
const USUAL = { hot: 20, max_heated: 25, max_steps: 30 };

export function whatifPanel(state, ask) {
  const results = make("div", { class: "results", "aria-live": "polite" });
  const presets = [0, 1].map((side) => presetMenu(state, side, ask));
  const sliders = SLIDERS.map((row) => slider(state, ask, ...row));
  const behind = make(
    "select",
    { "aria-label": "Cells at exactly 90° to the heading", on: { change: (event) => set("behind", event.target.value) } },
    ...[
      ["", "preset default"], ["strict", "strict: open at 90°"], ["inclusive", "inclusive: blocked at 90°"],
    ].map(([value, text]) => make("option", { value, text })),
  );
  function set(name, value) {
    if (value === "") delete state.settings[name];
    else state.settings[name] = value;
    ask();
  }
  function reset() {
    state.settings = {};
    state.guard = null;
    behind.value = "";
    for (const one of sliders) one.reset();
    ask();
  }
  const node = make(
    "section",
    { class: "card whatif" },
    make("p", {
      class: "quiet",
      text:
        "Drag the ghost, its arrow or an agent" +
        (matchMedia("(pointer: coarse)").matches
          ? ". Press and hold to place a guard."
          : " (Shift: the agent under the ghost), or use the arrow keys: Shift turns the heading, Ctrl moves the guard. " +
            "Right-click to place a guard."),
    }),
    make("div", { class: "pair" }, presets[0].node, presets[1].node),
    ...sliders.map((one) => one.node),
    make("label", { class: "field" }, make("span", { text: "Barrier" }), behind),
    button("Reset to preset", reset, { class: "plain" }),
    results,
  );
  return {
    node,
    update() {
      for (const menu of presets) menu.update();
      for (const one of sliders) one.update();
      // Settings are those of floods; a predictor of your own has none.
      const isFlood = !state.results.length || state.results.some(({ reason }) => reason !== "own");
      for (const input of node.querySelectorAll(".slider input")) input.disabled = !isFlood;
      behind.disabled = !isFlood;
      fill(results, ...(state.error ? [make("p", { class: "wrong", text: state.error })] : state.results.map(result)));
    },
  };
}

function presetMenu(state, side, ask) {
  const menu = make("select", { "aria-label": side ? "Second preset" : "Preset" });
  menu.addEventListener("change", () => {
    state.presets[side] = menu.value;
    ask();
  });
  return {
    node: make("label", { class: "field tall" }, make("span", { text: side ? "Compare with" : "Preset" }), menu),
    update() {
      const names = [...(side ? [""] : []), ...(studio.hello?.presets ?? [])].map((one) => one.name ?? one);
      if (menu.options.length !== names.length) fill(menu, ...names.map((name) => make("option", { value: name, text: name || "—" })));
      menu.value = state.presets[side];
    },
  };
}

function slider(state, ask, name, label, low, high, title) {
  const range = make("input", { type: "range", min: low, max: high, value: USUAL[name], "aria-label": label });
  const number = make("input", { type: "number", min: low, max: high, value: USUAL[name], "aria-label": `${label} (number)` });
  const wrong = make("small", { class: "wrong", role: "alert", hidden: true, text: `${label} must be an integer from ${low} to ${high}.` });
  const set = (value) => {
    range.value = number.value = value;
    wrong.hidden = true;
    state.settings[name] = value;
    ask();
  };
  // Show an error while the typed number is invalid; leaving the field clamps it.
  number.addEventListener("input", () => {
    const value = number.valueAsNumber;
    if (Number.isInteger(value) && value >= low && value <= high) set(value);
    else wrong.hidden = false;
  });
  number.addEventListener("change", () => {
    if (wrong.hidden) return;
    const value = Number.isNaN(number.valueAsNumber) ? Number(range.value) : Math.round(number.valueAsNumber);
    set(Math.min(high, Math.max(low, value)));
    wrong.hidden = false; // until the next valid number
  });
  range.addEventListener("input", () => set(Number(range.value)));
  return {
    node: make("label", { class: "slider", title }, make("span", { text: label }), number, wrong, range),
    reset() {
      range.value = number.value = USUAL[name];
      wrong.hidden = true;
    },
    // Settings not changed here follow the preset.
    update() {
      const preset = state.results[0]?.[name];
      if (preset && state.settings[name] === undefined && document.activeElement !== number) range.value = number.value = preset;
    },
  };
}

function result(one, side) {
  const steps = one.heated?.length ?? one.steps;
  // A predictor of another program has no steps.
  const flooded = steps ? [`${steps} steps`, `${one.warm?.length ?? 0} warm cells`] : [];
  const words = [vocabulary().flood_stops[one.reason] ?? `reason: ${one.reason}`, ...flooded].join(" · ");
  const [x, y] = one.destination ?? [];
  return make(
    "div",
    { class: "result" },
    make("h3", { text: one.preset ?? `Flood ${side + 1}` }),
    make("p", { text: words }),
    one.fell_back ? make("p", { class: "quiet", text: "The belief left too few cells; this is the plain flood." }) : null,
    one.destination ? make("p", { class: "quiet", text: `destination (${x.toFixed(1)}, ${y.toFixed(1)}) m` }) : null,
    make(
      "div",
      { class: "buttons" },
      one.command ? button("Copy command line", () => copy(one.command, "command line"), { title: one.command }) : null,
      one.python ? button("Copy Python", () => copy(one.python, "Python"), { title: one.python }) : null,
    ),
  );
}
