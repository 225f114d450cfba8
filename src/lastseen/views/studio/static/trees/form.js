// The panel of the tree editor: the file, the chosen node with a typed field for each parameter, and all faults.

import { button, fill, make, plural } from "../dom.js";
import { choiceField, faultWords, redrawing, textField } from "../editing/fields.js";
import { studio } from "../studio.js";
import { shown } from "./model.js";

export function makeForm(editor, { files, undo, redo, addTree }) {
  const node = make("div", { class: "scenario tree-form" });
  let wanted = ""; // the brain to apply to, if the user chose one

  const brains = () => {
    const used = new Map();
    const own = (studio.hello?.agents ?? []).filter(({ tree }) => tree.length);
    for (const { brain } of own) used.set(brain, (used.get(brain) ?? 0) + 1);
    return used;
  };

  // The brain that the edited tree replaces: the one it was opened as, unless the user chose another.
  function brain() {
    const used = brains();
    return [wanted, editor.name, editor.file].find((name) => used.has(name)) ?? [...used.keys()][0] ?? "";
  }

  function parameter(one, faults) {
    const { name } = one;
    const given = editor.node.parts.params[name];
    const label = `${name}${one.required ? " *" : ""}`;
    const key = `parameter.${name}`;
    const own = faults.filter((fault) => fault.parameter === name);
    const set = (value) => editor.setParameter(name, value);
    const usual = one.default === null || one.default === "" ? "" : String(one.default);
    const isKey = typeof given === "string" && given.startsWith("$");
    if (!one.takes_key && !isKey && (one.form === "choice" || one.form === "flag")) {
      const values = one.form === "flag" ? [true, false] : one.choices;
      const options = [["", usual ? `${usual} (default)` : "not set"], ...values.map((value) => [String(value), String(value)])];
      const take = (text) => set(text === "" ? undefined : values.find((value) => String(value) === text) ?? text);
      return choiceField({ key, label, given: given === undefined ? "" : String(given), options, faults: own, take });
    }
    return textField({
      key,
      label,
      text: given === undefined ? "" : shown(given),
      known: editor.suggestions(one),
      faults: own,
      take: (text) => set(valueOf(one, text)),
      placeholder: usual || { number: "number", integer: "whole number", key: "$key", flag: "true or false" }[one.form],
      isShort: one.form === "number" || one.form === "integer",
    });
  }

  function chosen(faults) {
    const { parts } = editor.node;
    const kind = editor.kinds.get(parts.kind);
    const group = kind ? [...editor.kinds.values()].filter((one) => one.group === kind.group && one.name !== "subtree") : [];
    const known = (kind?.parameters ?? []).map((one) => one.name);
    const strange = Object.keys(parts.params).filter((name) => !known.includes(name));
    const mine = faults.filter(({ address }) => address?.join() === editor.chosen.join());
    const fields = [...known, ...strange];
    return [
      make("h3", { text: parts.name || parts.kind }),
      make("p", { class: "quiet", text: kind?.about ?? "This node is not known." }),
      ...mine.filter((fault) => !fields.includes(fault.parameter)).map(faultWords),
      make(
        "div",
        { class: "item" },
        group.length
          ? choiceField({
              key: "kind", label: "kind", given: parts.kind, options: group.map(({ name }) => [name, name]).toSorted(),
              take: (name) => editor.set({ kind: name }, "change kind"),
            })
          : null,
        textField({ key: "name", label: "name", text: parts.name, take: (text) => editor.set({ name: text }, "change name") }),
        ...(kind?.parameters ?? []).map((one) => parameter(one, mine)),
        ...strange.map((name) => parameter({ name, form: "any", takes_key: false, required: false, default: null, choices: [] }, mine)),
      ),
    ];
  }

  function draw() {
    if (!editor.isReady) return;
    const faults = editor.placed;
    const used = brains();
    const target = brain();
    const isCrews = editor.users === "crews";
    const applied = [...used].map(([name, count]) => [name, `${name} (${plural(count, "agent")})`]);
    const list = faults.map(({ address, what }) => {
      const go = () => address && editor.choose(address);
      return make("li", {}, button(`${address ? nameAt(address) : "file"}: ${what}`, go, { class: "plain wrong" }));
    });
    const state = faults.length ? plural(faults.length, "fault") : editor.checked === editor.value ? "no faults" : "checking …";
    const why = isCrews
      ? "Crew trees are read when a game starts: save it, and name it under `crews` of a scenario"
      : "Put this tree into the running game (Ctrl+Enter)";
    fill(
      node,
      make(
        "div",
        { class: "buttons" },
        button("Apply", () => files.apply(target), {
          class: "main apply", disabled: isCrews || !target, title: why,
        }),
        button(editor.isDirty || !editor.digest ? "Save" : "Saved", files.save, { class: "bordered save", title: "Save (Ctrl+S)" }),
        button("Save as …", files.saveAs, { class: "bordered" }),
        button("Open …", files.another, { class: "bordered" }),
        button("New", files.create, { class: "bordered" }),
        button("Undo", undo, { class: "bordered", disabled: !editor.undoing.past.length, title: "Undo (Ctrl+Z)" }),
        button("Redo", redo, { class: "bordered", disabled: !editor.undoing.future.length, title: "Redo (Ctrl+Shift+Z)" }),
      ),
      make("p", { class: "quiet", text: `${editor.file}${editor.digest ? "" : " (new file)"} · ${state}` }),
      ...(editor.node ? chosen(faults) : []),
      list.length ? make("h3", { text: "Faults" }) : null,
      list.length ? make("ul", { class: "faults" }, ...list) : null,
      make("h3", { text: "File" }),
      make(
        "div",
        { class: "item" },
        choiceField({
          key: "tree", label: "tree", given: editor.tree, options: editor.names.map((name) => [name, name]),
          take: (name) => editor.show(name),
        }),
        button("Add tree …", addTree, { class: "small bordered" }),
        editor.names.length > 1 ? button("Remove tree", () => editor.removeTree(), { class: "small bordered" }) : null,
        !isCrews && applied.length
          ? choiceField({ key: "brain", label: "apply to", given: target, options: applied, take: (name) => ((wanted = name), draw()) })
          : null,
      ),
    );
  }

  const nameAt = (address) => {
    const found = editor.nodes.find((one) => one.address.join() === address.join());
    return found?.label ?? address[0];
  };

  const redraw = redrawing(node, draw);
  return { node, draw: redraw, brain };
}

// The value of a text by the form of its parameter; what does not fit stays text, and is a fault.
function valueOf({ form }, text) {
  if (!text) return undefined;
  if (text.startsWith("$") || form === "text" || form === "choice" || form === "key") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
