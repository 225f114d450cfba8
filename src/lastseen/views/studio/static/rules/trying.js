// The Try view: which rule in the editor fires for facts given by hand or taken from the game.

import { fill, make } from "../dom.js";
import { optionsOf, plainOptions } from "./complete.js";
import { conditionsOf, parseCondition, valueOf, valuesFor } from "./conditions.js";
import { cross, redone, textField } from "./fields.js";
import { tryRules } from "./server.js";
import { groupMenu } from "./sorted.js";

const SIGNS = { fires: "▶", holds: "·", fails: "✗" };
const WAIT = 150;
const LAZY =
  "  These are the facts the game read. All others are unknown here, so rules that test them seem further off than they were.";

export function makeTrying(editor, { openPlace }) {
  const menu = groupMenu(editor, "Handlers to try", () => load());
  const table = make("div", { class: "rows facts" });
  const result = make("div", { class: "verdicts", "aria-live": "polite" });
  const verdict = make("p", { class: "verdict" });
  const node = make(
    "div",
    { class: "trying", role: "region", "aria-label": "Try rules" },
    make("div", { class: "try-facts" }, make("div", { class: "list-bar" }, menu.node), make("h3", { text: "Facts" }), table),
    make("div", { class: "try-result" }, verdict, result),
  );
  let facts = {};
  let isLazy = false; // the game read only these facts
  let timer = 0;
  let asked = 0;

  function put(next) {
    facts = next;
    drawFacts();
    clearTimeout(timer);
    timer = setTimeout(load, WAIT);
  }

  function drawFacts() {
    const rows = Object.entries(facts).map(([path, value]) => {
      const spec = editor.variables.get(path);
      const rename = (name) =>
        name && put(Object.fromEntries(Object.entries(facts).map(([one, held]) => [one === path ? name : one, held])));
      return make(
        "div",
        { class: "row", title: spec?.about ?? "" },
        textField(`fact ${path}.variable`, "Fact", path, rename, { options: () => optionsOf(editor.variables), class: "variable" }),
        make("span", { text: "=" }),
        textField(`fact ${path}`, `Value of ${path}`, String(value), (text) => put({ ...facts, [path]: valueOf(text, spec) }), {
          options: () => plainOptions(valuesFor(spec)),
          class: "value",
        }),
        cross(`Remove ${path}`, () => put(Object.fromEntries(Object.entries(facts).filter(([one]) => one !== path)))),
      );
    });
    const add = (path) =>
      path && put({ ...facts, [path]: valueOf(valuesFor(editor.variables.get(path))[0] ?? "0", editor.variables.get(path)) });
    const more = textField("fact new", "Add a fact", "", add, {
      options: () => optionsOf(editor.variables),
      class: "variable new",
      placeholder: "add a fact …",
    });
    redone(table, () => fill(table, ...rows, make("div", { class: "row" }, more)));
  }

  async function load() {
    const number = ++asked;
    const names = menu.names();
    if (!names.length || !editor.isReady) return;
    try {
      const told = await tryRules(editor.plain(), names, facts);
      if (number !== asked) return;
      if (told.type === "faulty rules") return (fill(verdict, make("span", { class: "wrong", text: told.message })), fill(result));
      show(told);
    } catch (error) {
      fill(verdict, make("span", { class: "wrong", text: error.message }));
    }
  }

  function show({ fired, rules }) {
    fill(
      verdict,
      make("strong", { text: fired ? `“${fired}” fires.` : "No rule fires." }),
      make("span", { class: "quiet", text: isLazy ? LAZY : "  Dice are facts too; facts not given are unknown." }),
    );
    const near = rules.filter((one) => one.near !== null).sort((one, other) => one.near - other.near);
    const first = rules.filter(({ state }) => state === "fires");
    const blocks = [
      ["Fires", first],
      ["Near misses", near],
      ["All, in evaluation order", rules],
    ].filter(([, list]) => list.length);
    fill(
      result,
      ...blocks.map(([title, list]) => make("section", {}, make("h3", { text: title }), make("ul", { class: "misses" }, ...list.map(row)))),
    );
  }

  function row(one) {
    const name = make("button", {
      type: "button",
      class: "miss-name",
      text: `${SIGNS[one.state]} ${one.name}`,
      title: `${one.handler}: open in editor`,
      on: { click: () => openPlace(one) },
    });
    return make("li", { class: `miss ${one.state}` }, name, make("small", { text: one.reason }));
  }

  // Facts of a moment; unknown facts stay unknown.
  function take({ facts: given, handler, isLazy: isPart = false }) {
    isLazy = isPart;
    menu.draw();
    menu.choose(handler);
    put(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined)));
  }

  // Facts that satisfy a rule.
  function fit({ handler, entry: { rule } }) {
    const found = {};
    for (const { variable, operator, value } of conditionsOf(rule.when).map(parseCondition))
      found[variable] = fitting(operator, value, editor.variables.get(variable));
    take({ facts: found, handler: handler.name });
  }

  function draw() {
    menu.draw();
    drawFacts();
    load();
  }
  return { node, draw, take, fit };
}

function fitting(operator, text, spec) {
  const value = valueOf(text.replace(/^(['"])(.*)\1$/, "$2"), spec);
  if (["==", "<=", ">="].includes(operator)) return value;
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return operator === "<" ? value - 1 : value + 1;
  const names = spec?.names ?? [];
  const at = names.indexOf(value);
  if (operator === "!=") return names.find((name) => name !== value) ?? "other";
  return names[at + (operator === "<" ? -1 : 1)] ?? value;
}
