// Input fields, each with a key by which faults, tests and the focus find it again.

import { iconButton, make } from "../dom.js";
import { isTyped, typedInto } from "../typing.js";
import { choiceIn, closeCompletion, completes, reopen } from "./complete.js";

export const CROSS = "M4 4l8 8M12 4l-8 8";
export const UP = "M8 13V3M4 7l4-4 4 4";
export const DOWN = "M8 3v10M4 9l4 4 4-4";

// `options(text)` returns the completions of the field.
export function textField(key, label, value, put, { options = null, ...more } = {}) {
  const isLong = /[\n\r]/.test(value ?? "");
  const given = { "aria-label": label, "data-field": key, spellcheck: "false", maxlength: 20000, ...more };
  const input = isLong
    ? make("textarea", { ...given, rows: Math.min(8, String(value).split("\n").length), text: value })
    : make("input", { type: "text", value: value ?? "", ...given });
  takesText(input, put);
  return options ? completes(input, options) : input;
}

// Commit typed text once: a field rebuilt afterwards does not contain it again.
export function takesText(input, put) {
  typedInto(input, () => put(input.value.trim()));
  input.addEventListener("change", () => {
    if (!isTyped(input)) return;
    input.shown = input.value;
    put(input.value.trim());
  });
  return input;
}

export function numberField(key, label, value, put, more = {}) {
  const input = make("input", { type: "number", value: value ?? "", "aria-label": label, "data-field": key, step: "any", ...more });
  const take = () => put(input.value === "" ? undefined : input.valueAsNumber);
  typedInto(input, take);
  input.addEventListener("change", take);
  return input;
}

// `options`: values, or [value, title].
export function menuField(key, label, value, options, put, more = {}) {
  const list = options.map((one) => [one].flat());
  const known = list.some(([name]) => String(name) === String(value)) ? list : [...list, [value, `${value} ?`]];
  const select = make(
    "select",
    { "aria-label": label, "data-field": key, ...more },
    ...known.map(([name, title = name]) => make("option", { value: name, text: title })),
  );
  select.value = value;
  select.addEventListener("change", () => put(select.value));
  return select;
}

// Rebuild fields while they are in use: focus, selection and half-typed text are kept.
export function redone(node, draw) {
  const before = node.contains(document.activeElement) ? document.activeElement : null;
  const key = before?.dataset.field;
  const typed = before && isTyped(before) ? before.value : null;
  const [from, to] = [before?.selectionStart ?? null, before?.selectionEnd ?? null];
  const [scrolled, choice] = [node.scrollTop, choiceIn(before)];
  closeCompletion();
  if (typed !== null) before.shown = typed; // removing a focused field fires blur, which would commit its text
  draw();
  node.scrollTop = scrolled;
  const after = key ? fieldIn(node, key) : null;
  after?.focus({ preventScroll: true });
  if (!after) return after;
  if (typed !== null) after.value = typed;
  if (from !== null && after.selectionStart !== null) after.setSelectionRange?.(from, to);
  if (typed === null) return after;
  takes(after);
  if (choice !== null) reopen(after, choice);
  return after;
}

// A field filled by the page fires no change event of its own on Enter or when it loses the focus.
function takes(input) {
  let isTold = false;
  const take = () => isTold || !isTyped(input) || input.dispatchEvent(new Event("change", { bubbles: true }));
  input.addEventListener("change", () => (isTold = true));
  input.addEventListener("blur", take);
  input.addEventListener("keydown", ({ key }) => key === "Enter" && input.matches("input") && take());
}

// The field with that key, or the first field below it.
export function fieldIn(node, key) {
  const all = [...node.querySelectorAll("[data-field]:is(input, select, textarea)")];
  return all.find((one) => one.dataset.field === key) ?? all.find((one) => one.dataset.field.startsWith(`${key}.`));
}

// Show a fault at the first of some fields that exists, else at `otherwise`.
export function markFault(node, keys, { what, severity }, otherwise) {
  const all = [...node.querySelectorAll("[data-field]")];
  const field = keys.map((key) => all.find((one) => one.dataset.field === key)).find(Boolean);
  const place = (field?.matches("input, select, textarea") ? field.parentElement : field) ?? otherwise;
  place.classList.add(severity === "error" ? "faulty" : "doubtful");
  place.append(make("small", { class: `field-fault ${severity}`, role: "note", text: what }));
}

export const cross = (title, act, more = {}) => iconButton(CROSS, title, act, { class: "bare", ...more });

export function labelled(title, ...controls) {
  return make("label", { class: "setting" }, make("span", { text: title }), ...controls);
}

export function section(name, title, ...children) {
  return make("section", { class: "part", "data-section": name }, make("h3", { text: title }), ...children);
}
