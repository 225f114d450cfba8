// Fields of the editors of scenarios and trees: a text with suggestions, or a choice, each with its faults below it.

import { make } from "../dom.js";
import { typedIn, typedInto } from "../typing.js";

let lists = 0;

export const faultWords = ({ what, advice }) =>
  make("small", { class: "wrong", role: "alert", text: advice ? `${what}; ${advice}` : what });

const labelled = (key, label, faults, ...inside) =>
  make("label", { class: "field", "data-field": key }, make("span", { text: label }), ...inside, ...faults.map(faultWords));

// `take(text)` is called when the field is left with another text, and when unfinished work is stored.
export function textField({ key, label, text, known = [], faults = [], take, placeholder = undefined, isShort = false }) {
  const id = `choices-${++lists}`;
  const input = make("input", {
    type: "text", value: text, list: known.length ? id : undefined, spellcheck: "false", "aria-label": label, "data-key": key, placeholder,
    "aria-invalid": faults.length ? "true" : undefined, class: isShort ? "short" : "",
  });
  const commit = () => {
    if (input.isTaken || input.value === text) return;
    input.isTaken = true;
    input.shown = input.value;
    take(input.value.trim());
  };
  typedInto(input, () => input.value !== text && take(input.value.trim()));
  for (const event of ["change", "blur"]) input.addEventListener(event, commit);
  input.addEventListener("keydown", ({ key: pressed }) => pressed === "Enter" && commit());
  const list = known.length ? make("datalist", { id }, ...known.map((value) => make("option", { value }))) : null;
  return labelled(key, label, faults, input, list);
}

// `options`: [value, text]; a value that is none of them is offered too.
export function choiceField({ key, label, given, options, faults = [], take }) {
  const isKnown = options.some(([value]) => value === given);
  const all = isKnown ? options : [[given, String(given)], ...options];
  const node = make(
    "select",
    { "aria-label": label, "data-key": key, "aria-invalid": faults.length ? "true" : undefined },
    ...all.map(([value, text]) => make("option", { value, text, selected: value === given })),
  );
  node.addEventListener("change", () => take(node.value));
  return labelled(key, label, faults, node);
}

export function flagField({ key, label, given, faults = [], take }) {
  const box = make("input", { type: "checkbox", checked: given === true, "aria-label": label, "data-key": key });
  box.addEventListener("change", () => take(box.checked));
  return labelled(key, label, faults, box);
}

// Returns a function that draws fields again soon: a field that was left has then passed the focus on. Focus, text being
// typed and selection are kept.
export function redrawing(node, draw) {
  let timer = 0;
  function redraw() {
    const before = typedIn(node);
    const { value, selectionStart: from, selectionEnd: to } = before ?? {};
    if (before) before.isTaken = true; // a field that is removed loses the focus, which would commit its text
    draw();
    const after = before && node.querySelector(`[data-key="${CSS.escape(before.dataset.key)}"]`);
    if (!after?.matches("input")) return;
    after.value = value;
    after.focus({ preventScroll: true });
    after.setSelectionRange(from, to);
  }
  return () => {
    clearTimeout(timer);
    timer = setTimeout(redraw);
  };
}
