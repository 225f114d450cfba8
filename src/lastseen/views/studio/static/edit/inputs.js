// Input rows of a panel: texts, checkboxes, choices, and numbers, which also change by dragging their label.

import { make } from "../dom.js";
import { typedInto } from "../typing.js";
import { tidy } from "./geometry.js";

let counter = 0;

function row(label, control, more = {}) {
  return make("label", { class: "field prop", ...more }, make("span", { text: label }), control);
}

export function text(label, value, put, words = []) {
  const input = make("input", { type: "text", value, maxlength: 100, spellcheck: "false", on: { change: () => put(input.value.trim()) } });
  typedInto(input, () => put(input.value.trim()));
  if (!words.length) return row(label, input);
  const list = make("datalist", { id: `words-${++counter}` }, ...words.map((word) => make("option", { value: word })));
  input.setAttribute("list", list.id);
  return row(label, make("span", { class: "with-list" }, input, list));
}

export function number(label, value, put, { unit = "", step = 0.1, min, title } = {}) {
  const shown = Number(Number(value).toFixed(4));
  const take = () => input.value !== "" && Number.isFinite(input.valueAsNumber) && put(input.valueAsNumber);
  const input = make("input", { type: "number", value: shown, step, min, on: { change: take } });
  typedInto(input, take);
  const name = make("span", { text: label, class: "drags", title: title ?? "Drag to change" });
  drags(name, input, step, (next) => put(min === undefined ? next : Math.max(min, next)));
  return make("label", { class: "field prop" }, name, make("span", { class: "unit" }, input, make("small", { text: unit })));
}

// Drag the label of a number sideways like a slider.
function drags(name, input, step, put) {
  name.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    name.setPointerCapture(event.pointerId);
    const [from, before] = [event.clientX, input.valueAsNumber || 0];
    const value = (at) => tidy(before + Math.round((at.clientX - from) / 4) * step);
    name.onpointermove = (at) => (input.value = value(at));
    name.onpointerup = (at) => {
      name.onpointermove = name.onpointerup = null;
      if (value(at) !== before) put(value(at));
      else input.focus();
    };
  });
}

export function optional(label, value, put, unit) {
  const take = () => put(input.value === "" ? undefined : input.valueAsNumber);
  const input = make("input", { type: "number", value, step: 0.1, min: 0, placeholder: "default", on: { change: take } });
  typedInto(input, take);
  return row(label, make("span", { class: "unit" }, input, make("small", { text: unit })));
}

export function check(label, value, put) {
  const input = make("input", { type: "checkbox", on: { change: () => put(input.checked) } });
  input.checked = value;
  return make("label", { class: "field tick" }, input, make("span", { text: label }));
}

export function choice(label, value, options, put) {
  const select = make(
    "select",
    { on: { change: () => put(select.value) } },
    ...options.map((one) => make("option", { value: [one].flat()[0], text: [one].flat().at(-1) })),
  );
  select.value = value;
  return row(label, select);
}

export const act = (label, put) => make("button", { type: "button", class: "wide-button", text: label, on: { click: put } });
