// The form of the selected rule or handler, with faults shown at their fields.

import { button, fill, make } from "../dom.js";
import { closeCompletion } from "./complete.js";
import { fieldIn, labelled, markFault, menuField, numberField, redone, section, textField } from "./fields.js";
import { rememberPart, settingsPart, POLICIES, thenPart } from "./more.js";
import { actionKey, actionsOf, changed, freeName, handlersOf } from "./model.js";
import { sayTable } from "./say.js";
import { whenTable } from "./when.js";

const ORDERS = [
  ["original", "as written"],
  ["conditions", "most conditions first"],
  ["priority", "priority, then most conditions"],
];

export function makeForm(editor, { tryRule }) {
  const node = make("div", { class: "rule-form", role: "region", "aria-label": "Rule" });
  let wanted = "";
  let shown = null;
  const want = (key) => editor.isRehearsing || (wanted = key);

  function draw() {
    const place = editor.current?.id ? editor.find(editor.current.id) : null;
    const handler = editor.current?.handler ? editor.handler(editor.current.handler) : null;
    const isSame = shown === keyOf(editor.current);
    shown = keyOf(editor.current);
    const show = () => fill(node, ...(place ? ruleParts(place) : handler ? handlerParts(handler) : nothing()));
    if (isSame) redone(node, show);
    else {
      closeCompletion();
      show();
      node.scrollTop = 0;
    }
    markFaults();
    const next = wanted ? fieldIn(node, wanted) : null;
    next?.focus();
    next?.select?.();
    wanted = "";
  }

  const keyOf = (current) => current?.id ?? current?.handler ?? null;

  function nothing() {
    const words = editor.isReady ? "Select a rule in the list, or add one." : "Opening …";
    return [make("p", { class: "quiet empty", text: words })];
  }

  function ruleParts({ file, handler, entry: { id, rule } }) {
    const others =
      editor.selected.size > 1
        ? make("p", { class: "quiet hint", text: `${editor.selected.size} rules are selected; this is the last one.` })
        : null;
    const names = handlersOf(editor.model)
      .filter((one) => !one.file.isLocked)
      .map((one) => one.handler.name);
    const note = (about) => editor.setRule(id, () => ({ about: about || undefined }), "change note");
    const to = (name) => editor.move([id], name, Infinity, "move to another handler");
    const head = make(
      "div",
      { class: "rule-head" },
      textField(
        "name",
        "Rule name",
        rule.name,
        (name) =>
          name &&
          editor.setRule(
            id,
            () => ({
              name: freeName(
                handler.rules.filter((one) => one.id !== id),
                name,
              ),
            }),
            "rename",
          ),
        { class: "rule-name" },
      ),
      menuField("handler", "Handler", handler.name, names, to),
      button("Try", () => tryRule(id), { class: "small bordered", title: "Try this rule with matching facts" }),
    );
    const parts = [
      head,
      others,
      file.isLocked ? make("p", { class: "wrong hint", text: file.error }) : null,
      whenTable(editor, id, rule, want),
      sayTable(editor, id, rule, want),
      settingsPart(editor, id, rule, handler),
      rememberPart(editor, id, rule, want),
      thenPart(editor, id, rule, want),
      section(
        "about",
        "Note",
        textField("about", "Rule note", rule.about, note, { placeholder: "for other readers" }),
      ),
      make("p", { class: "quiet hint where", text: file.name }),
    ];
    const form = make("fieldset", { disabled: file.isLocked }, ...parts);
    return [form];
  }

  function handlerParts({ file, handler }) {
    const set = (name) => (value) =>
      editor.setHandler(
        handler.name,
        (one) => ({ ...one, head: changed(one.head, { [name]: value || undefined }) }),
        `change ${name}`,
        `${handler.name} ${name}`,
      );
    const { order = "original", policy = POLICIES[0], cooldown, about } = handler.head;
    return [
      make(
        "fieldset",
        { disabled: file.isLocked },
        make("div", { class: "rule-head" }, make("h2", { text: handler.name })),
        make("p", { class: "quiet hint", text: `${handler.rules.length} rules in ${file.name}` }),
        make(
          "div",
          { class: "settings", "data-section": "handler" },
          labelled("Order", menuField("order", "Order", order, ORDERS, set("order"))),
          labelled("Lines", menuField("policy", "Policy", policy, POLICIES, set("policy"))),
          labelled("Cooldown (s)", numberField("cooldown", "Cooldown in seconds", cooldown, set("cooldown"), { min: 0, placeholder: "0" })),
        ),
        section("about", "Note", textField("about", "Handler note", about, set("about"))),
        make(
          "div",
          { class: "buttons left" },
          button("Add rule", () => addRule(editor, handler.name), { class: "main" }),
          button("Delete handler", () =>
            editor.setFile(file.name, (one) => ({ ...one, handlers: one.handlers.filter((each) => each !== handler) }), "delete handler"),
          ),
        ),
      ),
    ];
  }

  // Each fault at its field, else at its section, else at the top.
  function markFaults() {
    const { current } = editor;
    for (const one of node.querySelectorAll(".field-fault")) one.remove();
    for (const one of node.querySelectorAll(".faulty, .doubtful")) one.classList.remove("faulty", "doubtful");
    const { rule } = (current?.id && editor.find(current.id)?.entry) || {};
    const said = rule ? actionsOf(rule) : [];
    const mine = editor.faults.filter(({ id, line, handler, path }) =>
      current?.id ? id === current.id || said.includes(line) : current?.handler && !id && handler === current.handler && path,
    );
    for (const fault of mine) {
      const { field = [], line } = fault;
      const inner = field.map((_, at) => field.slice(0, field.length - at).join("."));
      const keys = line === undefined ? inner : [`line ${line}.${field[0]}`, `${actionKey(rule)}.${said.indexOf(line)}`];
      const part = field.length ? node.querySelector(`[data-section="${CSS.escape(field[0])}"]`) : null;
      markFault(node, keys, fault, part ?? node.querySelector(".rule-head"));
    }
  }

  return { node, draw, want, markFaults };
}

export function addRule(editor, name) {
  const place = editor.current?.id ? editor.find(editor.current.id) : null;
  const target =
    name ?? place?.handler.name ?? editor.current?.handler ?? handlersOf(editor.model).find(({ file }) => !file.isLocked)?.handler.name;
  const found = target && editor.handler(target);
  if (!found || found.file.isLocked) return false;
  const at = place?.handler.name === target ? place.index + 1 : found.handler.rules.length;
  editor.insert([{ name: "new rule" }], target, at, "add rule");
  return true;
}
