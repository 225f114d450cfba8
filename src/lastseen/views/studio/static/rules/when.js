// The conditions of a rule as a table of variable, operator and constant; all must hold.

import { make } from "../dom.js";
import { completes, optionsOf, plainOptions } from "./complete.js";
import { conditionsOf, conditionText, operatorsFor, parseCondition, valuesFor, whenOf } from "./conditions.js";
import { cross, menuField, section, takesText, textField } from "./fields.js";

export function whenTable(editor, id, rule, want) {
  const texts = conditionsOf(rule.when);
  const put = (next, label) => editor.setRule(id, ({ when }) => ({ when: whenOf(next(conditionsOf(when)), when) }), label);
  const rows = texts.map((text, at) =>
    row(
      editor,
      text,
      at,
      (next) => put((now) => now.with(at, next(parseCondition(now[at]))), "change condition"),
      () => put((now) => now.toSpliced(at, 1), "delete condition"),
    ),
  );
  const add = (variable) => {
    if (!variable) return;
    want(`when.${texts.length}.value`);
    put((now) => [...now, beginning(variable, editor.variables)], "add condition");
  };
  return section(
    "when",
    "When all are true",
    make("div", { class: "rows conditions" }, ...rows, addRow(editor, add)),
    texts.length ? null : make("p", { class: "quiet hint", text: "No conditions: always matches." }),
  );
}

function row(editor, text, at, put, remove) {
  const one = parseCondition(text);
  const spec = editor.variables.get(one.variable);
  const set = (changes) => put((now) => conditionText({ ...now, ...changes }));
  const variable = (name) => {
    const next = editor.variables.get(name);
    const stays = (now) => !next || (fits(next, now.value) && operatorsFor(next).includes(now.operator));
    put((now) => (stays(now) ? conditionText({ ...now, variable: name }) : beginning(name, editor.variables)));
  };
  const values = () => plainOptions(valuesFor(spec));
  return make(
    "div",
    { class: "row", "data-field": `when.${at}`, title: spec?.about || "" },
    textField(`when.${at}.variable`, `Variable of condition ${at + 1}`, one.variable, variable, {
      options: () => optionsOf(editor.variables),
      class: "variable",
    }),
    menuField(`when.${at}.operator`, `Operator of condition ${at + 1}`, one.operator, operatorsFor(spec), (operator) => set({ operator })),
    textField(`when.${at}.value`, `Constant of condition ${at + 1}`, one.value, (value) => set({ value }), {
      options: values,
      class: "value",
    }),
    cross("Remove condition", remove),
  );
}

function fits(spec, value) {
  if (["int", "float"].includes(spec.type)) return value !== "" && Number.isFinite(Number(value));
  return spec.type === "str" || valuesFor(spec).includes(value);
}

// A new condition on a variable with a likely constant.
function beginning(name, variables) {
  const spec = variables.get(name);
  if (spec?.type === "bool") return name;
  if (spec?.type === "enum") return `${name} == ${spec.names[0] ?? ""}`;
  return spec?.type === "str" || !spec ? `${name} == ` : `${name} > 0`;
}

function addRow(editor, add) {
  const input = make("input", {
    type: "text",
    placeholder: "add a condition: variable …",
    "aria-label": "Add condition",
    "data-field": "when.new",
    class: "variable new",
    spellcheck: "false",
  });
  takesText(input, add);
  return make(
    "div",
    { class: "row" },
    completes(input, () => optionsOf(editor.variables)),
  );
}
