// The panel of the rules editor: file, faults, spoken lines with reasons, and queries to the game.

import { button, fill, make, plain, plural } from "../dom.js";
import { fileMenu } from "../side/dialogs.js";
import { on, select, studio } from "../studio.js";
import { BarkPanel, barkList } from "./barks.js";

const MOST = 80;

export function makePanel(editor, files, { goTo, asking, undo, redo }) {
  const title = make("h2", { class: "rules-title" });
  const state = make("p", { class: "quiet file-state" });
  const save = button("Save", files.save, { class: "main", title: "Save (Ctrl+S)" });
  const play = button("Play with these rules", files.play, {
    title: "Save, and restart the game with these rules (Ctrl+Enter)",
    class: "play-rules",
  });
  const menu = fileMenu("New, open, save as, undo", [
    ["Undo", undo, "Ctrl Z"],
    ["Redo", redo, "Ctrl ⇧ Z"],
    ["New rules", files.create],
    ["Open …", files.another, "Ctrl O"],
    ["Save as …", files.saveAs, "Ctrl ⇧ S"],
  ]);
  const file = make("div", { class: "file-bar" }, save, play, menu);
  const faults = make("section", { class: "faults", "aria-label": "Problems" });
  const bark = new BarkPanel();
  const barkBox = make(
    "section",
    { class: "chosen bark-box", hidden: true },
    make(
      "div",
      { class: "bark-head" },
      make("h3", { text: "Why this line?" }),
      button("close", () => select(null), { class: "plain small" }),
    ),
    bark.node,
  );
  const said = make("section", { class: "said" }, make("h3", { text: "Spoken lines" }), barkList());
  const node = make("section", { class: "card editor rules-panel" }, title, state, file, faults, said, barkBox, asking.node);

  function showFile() {
    title.textContent = plain(editor.title || "Rules");
    const words = editor.isDirty ? "unsaved" : editor.isCopy ? "unchanged" : "saved";
    const where = editor.isCopy ? `a copy; will be saved as ${editor.target}` : editor.target;
    fill(state, make("span", { text: where }), make("span", { class: editor.isDirty ? "dirty" : "", text: ` · ${words}` }));
    save.disabled = !editor.isCopy && !editor.isDirty;
  }

  function showFaults() {
    const errors = editor.faults.filter(({ severity }) => severity === "error").length;
    const warnings = editor.faults.length - errors;
    const counted = [errors && plural(errors, "error"), warnings && plural(warnings, "warning")].filter(Boolean).join(", ");
    const words = editor.faults.length ? counted : editor.checked === editor.model ? "No problems" : "Checking …";
    fill(
      faults,
      make("h3", { class: errors ? "wrong" : "", text: words }),
      make("ul", {}, ...editor.faults.slice(0, MOST).map(faultEntry)),
    );
  }

  function faultEntry(fault) {
    const one = button("", () => goTo(fault), { class: `fault ${fault.severity}` });
    const name = fault.rule || fault.handler || fault.file || "";
    one.append(
      make("span", { text: `${name ? `${name}: ` : ""}${fault.what}` }),
      make("small", { text: [fault.file, fault.rule ? fault.handler : ""].filter(Boolean).join(" · ") }),
    );
    return make("li", {}, one);
  }

  function showBark() {
    const chosen = studio.selected?.kind === "bark" ? studio.selected : null;
    barkBox.hidden = !chosen;
    if (chosen) bark.show(chosen);
    if (chosen && studio.mode === "rules") barkBox.scrollIntoView({ block: "nearest" });
  }
  on("selected", showBark);
  on("hello", showBark);

  let told = new Set();
  editor.onChange((what) => {
    if (!told.size) requestAnimationFrame(show);
    told.add(what);
  });
  function show() {
    if (told.has("faults") || told.has("rules")) showFaults();
    if (told.has("rules") || told.has("file")) showFile();
    told = new Set();
  }
  return node;
}
