// Completion: a list under a field, filtered while typing; choose with the arrows and Enter, or by click.

import { make } from "../dom.js";

const MOST = 60;
let counter = 0;
let open = null; // {input, box, options, at}

// `given(text)` returns [{value, about, text, isGuess}]; `text` is the new content of the field, by default `value`.
// A guess is never taken unless it is chosen: the field may hold any text.
export function completes(input, given) {
  const id = `completion-${++counter}`;
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": id,
    autocomplete: "off",
  }))
    input.setAttribute(name, value);
  const look = (all) => show(input, id, ranked(given(input.value), all ? "" : wanted(input)));
  input.lookUp = () => look(false);
  input.addEventListener("input", input.lookUp);
  input.addEventListener("click", () => look(true));
  input.addEventListener("blur", () => open?.input === input && close());
  input.addEventListener("keydown", (event) => pressed(event, input, () => look(true)));
  return input;
}

const wanted = (input) => /\{(\w*)$/.exec(input.value)?.[1] ?? input.value;

// Prefix matches first, then substrings, then letters in order.
function ranked(options, text) {
  const word = text.trim().toLowerCase();
  if (!word) return options.slice(0, MOST);
  const rank = ({ value }) => {
    const name = value.toLowerCase();
    if (name.startsWith(word)) return 0;
    if (name.includes(word)) return name.split(".").some((part) => part.startsWith(word)) ? 1 : 2;
    let at = -1;
    return [...word].every((letter) => (at = name.indexOf(letter, at + 1)) >= 0) ? 3 : 9;
  };
  const found = options.map((one) => [rank(one), one]).filter(([score]) => score < 9);
  return found
    .sort(([one], [other]) => one - other)
    .map(([, one]) => one)
    .slice(0, MOST);
}

function show(input, id, options) {
  close();
  if (!options.length || (options.length === 1 && options[0].value === input.value)) return;
  const rows = options.map((one, at) => {
    const row = make(
      "div",
      { class: "option", role: "option", id: `${id}-${at}`, "aria-selected": "false", "data-value": one.value },
      make("span", { text: one.value }),
      one.about ? make("small", { text: one.about }) : null,
    );
    row.addEventListener("pointerdown", (event) => (event.preventDefault(), take(at)));
    return row;
  });
  const box = make("div", { class: "completion", role: "listbox", id }, ...rows);
  const { left, bottom, top, width } = input.getBoundingClientRect();
  const below = innerHeight - bottom > 190 || top < 200;
  box.style.left = `${Math.min(left, innerWidth - 330)}px`;
  box.style.minWidth = `${Math.max(180, width)}px`;
  if (below) box.style.top = `${bottom + 2}px`;
  else box.style.bottom = `${innerHeight - top + 2}px`;
  document.body.append(box);
  input.setAttribute("aria-expanded", "true");
  open = { input, box, options, at: -1 };
}

function close() {
  if (!open) return;
  open.input.setAttribute("aria-expanded", "false");
  open.input.removeAttribute("aria-activedescendant");
  open.box.remove();
  open = null;
}

// The place of the choice in the list of a field; null: its list is closed.
export const choiceIn = (input) => (open?.input === input ? open.at : null);

export function reopen(input, at) {
  input.lookUp?.();
  if (open?.input === input && at >= 0) point(at);
}

function point(at) {
  const rows = [...open.box.children];
  open.at = (at + rows.length) % rows.length;
  rows.forEach((row, number) => row.setAttribute("aria-selected", String(number === open.at)));
  rows[open.at].scrollIntoView({ block: "nearest" });
  open.input.setAttribute("aria-activedescendant", rows[open.at].id);
}

function take(at) {
  const { input, options } = open;
  const { value, text } = options[at];
  close();
  input.value = text ?? value;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

function pressed(event, input, look) {
  const isOpen = open?.input === input;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (event.altKey) return;
    event.preventDefault();
    if (!isOpen) look();
    if (open?.input === input) point(nextOf(isOpen, event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "Enter" && isOpen && taken() >= 0) {
    event.preventDefault();
    event.stopPropagation();
    take(taken());
  } else if (event.key === "Tab" && isOpen && open.at >= 0) take(open.at);
  else if (event.key === "Escape" && isOpen) {
    event.preventDefault();
    event.stopPropagation();
    close();
  }
}

// The completion that Enter takes: the chosen one, or the only one, unless it is a mere guess.
const taken = () => (open.at < 0 && open.options.length === 1 && !open.options[0].isGuess ? 0 : open.at);

// A newly opened list starts at the current value of the field, if listed.
function nextOf(wasOpen, by) {
  if (wasOpen && open.at >= 0) return open.at + by;
  const held = wasOpen ? -1 : open.options.findIndex(({ value }) => value === open.input.value);
  return held >= 0 ? held : by > 0 ? 0 : -1;
}

// Called before fields are rebuilt, so that no list is left behind.
export const closeCompletion = close;

export function optionsOf(specs) {
  return [...specs.values()].map(({ path, type, names, about }) => ({
    value: path,
    about: [type === "enum" ? names.slice(0, 4).join(" ") + (names.length > 4 ? " …" : "") : type, about].filter(Boolean).join(" · "),
  }));
}

export const plainOptions = (values, about = "") => values.map((value) => ({ value, about }));
