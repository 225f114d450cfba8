// Modal dialogs, one at a time (Escape gives the answer that changes nothing), and the file menu of the editors.

import { button, make } from "../dom.js";
import { ageOf } from "../drafts.js";
import { nameFault } from "../files.js";

// `choices`: [label, value, isMain]; `otherwise` is the answer for Escape.
export function choose(title, words, choices, otherwise = null) {
  return show(title, otherwise, (answer) => [
    ...[words].flat().map((text) => make("p", { text })),
    make(
      "div",
      { class: "buttons" },
      ...choices.map(([label, value, isMain]) =>
        button(label, () => answer(value), { class: isMain ? "main" : "", autofocus: isMain }),
      ),
    ),
  ]);
}

// Offer the drafts that no tab is editing, one after another; returns the one to restore, or null. Nothing is discarded
// without the user's consent.
export async function offerDrafts(title, drafts, nameOf, discard) {
  const left = drafts.filter(({ isOpen }) => !isOpen);
  for (const [at, draft] of left.entries()) {
    const count = left.length > 1 ? ` (${at + 1} of ${left.length})` : "";
    const words = [`“${nameOf(draft)}” was changed ${ageOf(draft)} and not saved${count}.`, "Restore it?"];
    const choices = [["Discard", "drop"], ["Not now", "later"], ["Restore", "take", true]];
    const answer = await choose(title, words, choices, "later");
    if (answer === "take") return draft;
    if (answer === "drop") discard(draft);
  }
  return null;
}

// Invalid names are reported below the field.
export function askName(title, words, given, action) {
  return show(title, null, (answer) => {
    const input = make("input", { type: "text", value: given, maxlength: 100, "aria-label": title, autofocus: true, spellcheck: "false" });
    const fault = make("p", { class: "wrong", role: "alert", hidden: true });
    const submit = (event) => {
      event.preventDefault();
      const name = input.value.trim();
      fault.textContent = name && nameFault(name);
      fault.hidden = !fault.textContent;
      if (name && fault.hidden) answer(name);
    };
    const form = make(
      "form",
      { method: "dialog", on: { submit } },
      make("p", { class: "quiet", text: words }),
      input,
      fault,
      make(
        "div",
        { class: "buttons" },
        button("Cancel", () => answer(null)),
        make("button", { type: "submit", class: "main", text: action }),
      ),
    );
    queueMicrotask(() => input.setSelectionRange(0, given.replace(/\.(geojson|ya?ml)$/i, "").length));
    return [form];
  });
}

// `groups`: [title, [[label, about, value]]].
export function pickOne(title, groups) {
  return show(title, null, (answer) => [
    make(
      "div",
      { class: "choices" },
      ...groups
        .filter(([, list]) => list.length)
        .map(([name, list]) =>
          make("section", {}, make("h3", { text: name }), ...list.map((row) => choice(answer, ...row))),
        ),
    ),
    make(
      "div",
      { class: "buttons" },
      button("Cancel", () => answer(null)),
    ),
  ]);
}

function choice(answer, label, about, value) {
  const node = button("", () => answer(value), { class: "choice" });
  node.append(make("strong", { text: label }), make("span", { class: "quiet", text: about }));
  return node;
}

// `fill(answer)` returns the contents; `answer(value)` closes the dialog.
export function show(title, otherwise, fill) {
  return new Promise((done) => {
    const box = make("dialog", { class: "ask", "aria-label": title });
    const answer = (value) => {
      box.close();
      box.remove();
      done(value);
    };
    box.append(make("h2", { text: title }), ...fill(answer));
    box.addEventListener("cancel", (event) => (event.preventDefault(), answer(otherwise)));
    document.body.append(box);
    box.showModal();
  });
}

// `entries`: [label, action, key].
export function fileMenu(title, entries) {
  const close = () => (box.open = false);
  const rows = entries.map(([label, act, key]) => {
    const node = button(label, () => (close(), act()), { class: "entry" });
    if (key) node.append(make("kbd", { text: key }));
    return node;
  });
  const summary = make("summary", { text: "File", title });
  const box = make("details", { class: "share file-menu" }, summary, make("div", { class: "menu" }, ...rows));
  addEventListener("pointerdown", (event) => box.contains(event.target) || close());
  return box;
}
