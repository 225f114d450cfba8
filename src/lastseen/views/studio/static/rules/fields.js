// Which fields are there? Small ones, each with a name by which faults, tests and the focus find it again.

import { iconButton, make } from "../dom.js";
import { completes } from "./complete.js";

export const CROSS = "M4 4l8 8M12 4l-8 8";
export const UP = "M8 13V3M4 7l4-4 4 4";
export const DOWN = "M8 3v10M4 9l4 4 4-4";

// `options(text)`: what the field completes to.
export function textField(key, label, value, put, { options = null, ...more } = {}) {
  const input = make("input", { type: "text", value: value ?? "", "aria-label": label, "data-field": key, spellcheck: "false", maxlength: 2000, ...more });
  input.addEventListener("change", () => input.value !== String(value ?? "") && put(input.value.trim()));
  return options ? completes(input, options) : input;
}

export function numberField(key, label, value, put, more = {}) {
  const input = make("input", { type: "number", value: value ?? "", "aria-label": label, "data-field": key, step: "any", ...more });
  input.addEventListener("change", () => put(input.value === "" ? undefined : input.valueAsNumber));
  return input;
}

// `options`: words, or [value, title].
export function menuField(key, label, value, options, put, more = {}) {
  const list = options.map((one) => [one].flat());
  const known = list.some(([name]) => String(name) === String(value)) ? list : [...list, [value, `${value} ?`]];
  const select = make("select", { "aria-label": label, "data-field": key, ...more }, ...known.map(([name, title = name]) => make("option", { value: name, text: title })));
  select.value = value;
  select.addEventListener("change", () => put(select.value));
  return select;
}

export const cross = (title, act, more = {}) => iconButton(CROSS, title, act, { class: "bare", ...more });

export function labelled(title, ...controls) {
  return make("label", { class: "setting" }, make("span", { text: title }), ...controls);
}

export function section(name, title, ...children) {
  return make("section", { class: "part", "data-section": name }, make("h3", { text: title }), ...children);
}
