// The remaining parts of a rule: line policy, rank, facts to remember and follow-up.

import { button, make } from "../dom.js";
import { optionsOf, plainOptions } from "./complete.js";
import { valueOf, valuesFor } from "./conditions.js";
import { cross, labelled, menuField, numberField, section, textField } from "./fields.js";
import { changed, handlersOf } from "./model.js";

export const POLICIES = ["sequence repeat", "sequence once", "shuffle repeat", "shuffle once"];
const TIERS = [
  ["0", "none"],
  ["1", "1 very specific"],
  ["2", "2 specific"],
  ["3", "3 generic"],
];
const ROLES = [
  ["nearest", "the nearest ally"],
  ["caller", "the agent whose line is answered"],
  ["subject", "the agent the line is about"],
  ["self", "the speaker again"],
  ["guard", "the nearest guard"],
  ["civilian", "the nearest civilian"],
];
const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export function settingsPart(editor, id, rule, handler) {
  const set = (name) => (value) => editor.setRule(id, () => ({ [name]: value }), `change ${name}`, name);
  const usual = handler.head.policy ?? POLICIES[0];
  return section(
    "settings",
    "Settings",
    make(
      "div",
      { class: "settings" },
      labelled(
        "Lines",
        menuField("policy", "Policy", rule.policy ?? "", [["", `from handler: ${usual}`], ...POLICIES], (value) =>
          set("policy")(value || undefined),
        ),
      ),
      labelled("Priority", numberField("priority", "Priority", rule.priority, set("priority"), { step: 1, placeholder: "0" })),
      labelled(
        "Tier",
        menuField("tier", "Tier", String(rule.tier ?? 0), TIERS, (value) => set("tier")(Number(value) || undefined)),
      ),
      labelled(
        "Cooldown (s)",
        numberField("cooldown", "Cooldown in seconds", rule.cooldown, set("cooldown"), {
          min: 0,
          placeholder: String(handler.head.cooldown ?? 0),
        }),
      ),
    ),
  );
}

export function rememberPart(editor, id, rule, want) {
  const keptOf = ({ remember }) => (isTable(remember) ? remember : {});
  const put = (nextOf, label) => editor.setRule(id, (now) => ({ remember: orNothing(nextOf(keptOf(now))) }), label);
  const rows = Object.entries(keptOf(rule)).map(([path, given]) => {
    const { value = true, seconds = 0 } = isTable(given) ? given : { value: given };
    const spec = editor.variables.get(path);
    const write = (changes) => put((kept) => ({ ...kept, [path]: memory(kept[path], changes) }), "change memory");
    const rename = (name) => put((kept) => renamed(kept, path, name), "change memory");
    return make(
      "div",
      { class: "row", "data-field": `remember.${path}` },
      textField(`remember.${path}.variable`, "Fact", path, (name) => name && rename(name), {
        options: () => optionsOf(editor.variables),
        class: "variable",
      }),
      textField(`remember.${path}.value`, `Value of ${path}`, String(value), (text) => write({ value: valueOf(text, spec) }), {
        options: () => plainOptions(valuesFor(spec)),
        class: "value",
      }),
      numberField(`remember.${path}.seconds`, `Seconds to remember ${path}`, seconds || "", (time) => write({ seconds: time ?? 0 }), {
        min: 0,
        placeholder: "forever",
      }),
      make("small", { text: "s" }),
      cross("Remove fact", () => put((kept) => changed(kept, { [path]: undefined }), "delete memory")),
    );
  });
  const add = textField(
    "remember.new",
    "Add fact to remember",
    "",
    (path) => path && (want(`remember.${path}.seconds`), put((kept) => ({ ...kept, [path]: true }), "add memory")),
    { options: () => optionsOf(editor.variables), class: "variable new", placeholder: "remember a fact …" },
  );
  return section("remember", "Then remember", make("div", { class: "rows memories" }, ...rows, make("div", { class: "row" }, add)));
}

const orNothing = (table) => (Object.keys(table).length ? table : undefined);
const renamed = (table, from, to) => Object.fromEntries(Object.entries(table).map(([path, held]) => [path === from ? to : path, held]));

// In the form in which it was written, where that form suffices.
function memory(before, changes) {
  const table = isTable(before) ? before : { value: before };
  const next = { ...table, ...changes };
  if (!next.seconds) return next.value ?? true;
  return next;
}

export function thenPart(editor, id, rule, want) {
  const { then } = rule;
  const put = (next, label = "change follow-up") => editor.setRule(id, (now) => ({ then: next(now.then) }), label);
  if (!isTable(then)) {
    const [first] = handlersOf(editor.model)
      .map(({ handler }) => handler.name)
      .filter((name) => /answer/.test(name));
    const add = () => (want("then.handler"), put(() => ({ handler: first ?? "" }), "add follow-up"));
    return section(
      "then",
      "Follow-up",
      button("Add follow-up", add, { class: "small bordered" }),
    );
  }
  const factsOf = ({ facts }) => (isTable(facts) ? facts : {});
  const set = (name) => (value) => put((now) => changed(now, { [name]: value }));
  const putFacts = (next) => put((now) => changed(now, { facts: orNothing(next(factsOf(now))) }));
  const names = () => handlersOf(editor.model).map(({ handler }) => ({ value: handler.name, about: `${handler.rules.length} rules` }));
  const rows = Object.entries(factsOf(then)).map(([path, value]) => {
    const spec = editor.variables.get(path);
    return make(
      "div",
      { class: "row", "data-field": `then.facts.${path}` },
      textField(
        `then.facts.${path}.variable`,
        "Fact for the answer",
        path,
        (name) => name && putFacts((facts) => renamed(facts, path, name)),
        { options: () => optionsOf(editor.variables), class: "variable" },
      ),
      make("span", { text: "=" }),
      textField(
        `then.facts.${path}.value`,
        `Value of ${path}`,
        String(value),
        (text) => putFacts((facts) => ({ ...facts, [path]: valueOf(text, spec) })),
        { options: () => plainOptions(valuesFor(spec)), class: "value" },
      ),
      cross("Remove fact", () => putFacts((facts) => changed(facts, { [path]: undefined }))),
    );
  });
  const begin = (path) => {
    if (!path) return;
    const spec = editor.variables.get(path);
    want(`then.facts.${path}.value`);
    putFacts((facts) => ({ ...facts, [path]: valueOf(valuesFor(spec)[0] ?? "0", spec) }));
  };
  return section(
    "then",
    "Follow-up",
    make(
      "div",
      { class: "settings" },
      labelled(
        "Speaker",
        textField("then.who", "Speaker of the answer", then.who ?? "nearest", (who) => set("who")(who || undefined), {
          options: () => ROLES.map(([value, about]) => ({ value, about })),
        }),
      ),
      labelled("Handler", textField("then.handler", "Handler of the answer", then.handler, set("handler"), { options: names })),
      labelled(
        "Delay (s)",
        numberField("then.after", "Seconds until the answer", then.after, set("after"), { min: 0, max: 600, placeholder: "1" }),
      ),
    ),
    make(
      "div",
      { class: "rows facts" },
      ...rows,
      make(
        "div",
        { class: "row" },
        textField("then.facts.new", "Add fact for the answer", "", begin, {
          options: () => optionsOf(editor.variables),
          class: "variable new",
          placeholder: "with a fact …",
        }),
      ),
    ),
    button("Remove follow-up", () => put(() => undefined, "delete follow-up"), { class: "small plain" }),
  );
}
