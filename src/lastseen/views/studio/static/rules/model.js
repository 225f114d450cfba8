// The model of rules: files of variables, handlers and lines. It is immutable: every change makes a new model.

import { conditionsOf } from "./conditions.js";

let last = 0;
export const newId = () => `rule-${++last}`;

const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// A file as the page edits it; files in other forms are locked and say why.
export function fileOf({ name, form, value, error }) {
  const wrong = error || (form === "toml" ? "TOML is read-only here; convert it with “lastseen rules convert”" : misfit(value));
  const { variables = {}, handlers = {}, lines = {}, ...rest } = wrong && misfit(value) ? {} : (value ?? {});
  const list = Object.entries(handlers).map(([title, { rules = [], ...head }]) => ({
    name: title,
    head,
    rules: rules.map((rule) => ({ id: newId(), rule })),
  }));
  return { name, form, isLocked: Boolean(wrong), error: wrong || "", raw: value, rest, variables, handlers: list, lines };
}

function misfit(value) {
  if (!isTable(value)) return "it is not a table of keys and values";
  if (![value.variables ?? {}, value.handlers ?? {}, value.lines ?? {}].every(isTable)) return "its sections are not all tables";
  const sound = Object.values(value.handlers ?? {}).every(
    (one) => isTable(one) && Array.isArray(one.rules ?? []) && (one.rules ?? []).every(isTable),
  );
  return sound ? "" : "its handlers are written in a form that can only be edited by hand";
}

export function plainOf(file) {
  if (file.isLocked) return file.raw;
  const handlers = file.handlers.map(({ name, head, rules }) => [name, { ...head, rules: rules.map(({ rule }) => rule) }]);
  return { ...file.rest, variables: file.variables, handlers: Object.fromEntries(handlers), lines: file.lines };
}

// The ids of the rules in the text, by handler.
export const idsOf = (file) => Object.fromEntries(file.handlers.map(({ name, rules }) => [name, rules.map(({ id }) => id)]));

// The origin of each rule; for one from another handler its file (empty: the same), handler and index.
export function originsOf(file, base) {
  const places = new Map();
  for (const [name, { ids }] of base) {
    for (const [handler, list] of Object.entries(ids))
      list.forEach((id, at) => places.set(id, [name === file.name ? "" : name, handler, at]));
  }
  const place = (handler, id) => {
    const [name, from, at] = places.get(id) ?? [null, null, null];
    return name === "" && from === handler ? at : name === null ? null : [name, from, at];
  };
  return Object.fromEntries(file.handlers.map(({ name, rules }) => [name, rules.map(({ id }) => place(name, id))]));
}

export const handlersOf = (model) => model.files.flatMap((file) => file.handlers.map((handler) => ({ file, handler })));

// Everything a condition can test: declared variables and dice.
export function variablesOf(model) {
  const found = new Map();
  for (const file of model.files) {
    for (const [path, given] of Object.entries(file.variables)) {
      const spec = isTable(given) ? given : { type: given };
      found.set(path, {
        path,
        type: spec.type ?? "enum",
        names: Array.isArray(spec.enum) ? spec.enum.map(String) : [],
        about: spec.about ?? "",
      });
    }
  }
  found.set("random.d6", { path: "random.d6", type: "int", names: [], about: "a die" });
  found.set("random.unit", { path: "random.unit", type: "float", names: [], about: "a number from 0 to 1" });
  return found;
}

const SETTINGS = ["tags", "weight", "cooldown", "about"];

// A line as in a file that holds more than a text.
export const lineTable = (line) => (isTable(line) ? line : { en: String(line) });

// Lines by id: {file, texts, settings}, texts by language.
export function linesOf(model) {
  const found = new Map();
  for (const file of model.files) {
    for (const [id, line] of Object.entries(file.lines)) {
      const parts = Object.entries(lineTable(line));
      const part = (isSetting) => Object.fromEntries(parts.filter(([key]) => SETTINGS.includes(key) === isSetting));
      found.set(id, { file, texts: part(false), settings: part(true) });
    }
  }
  return found;
}

const wordOf = (text) => {
  const word = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, 40)
    .replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(word) ? word : word ? `n${word}` : "line";
};

// An unused id for a line of a rule, which is taken from then on; as `lastseen rules ids` makes them.
export function freeId(handler, rule, taken) {
  const stem = `${wordOf(handler.split(".").at(-1))}.${wordOf(String(rule ?? ""))}`;
  let number = 1;
  while (taken.has(`${stem}.${number}`)) number++;
  taken.add(`${stem}.${number}`);
  return `${stem}.${number}`;
}

// The files of a model, in which every line of those named gets an id and moves to the lines.
export function withIds(model, names) {
  const taken = new Set(linesOf(model).keys());
  const ids = new Map(); // by text: the same text has the same id
  const [language = "en"] = languagesOf(model);
  return model.files.map((file) => {
    if (file.isLocked || !names.has(file.name)) return file;
    const lines = {};
    const idOf = (text, handler, rule) => {
      if (typeof text !== "string" || (taken.has(text) && !ids.has(text))) return text;
      if (!ids.has(text)) {
        ids.set(text, freeId(handler.name, rule.name, taken));
        lines[ids.get(text)] = { [language]: text };
      }
      return ids.get(text);
    };
    const named = (handler) => ({
      ...handler,
      rules: handler.rules.map((entry) => {
        const { say } = entry.rule;
        const next = Array.isArray(say) ? say.map((text) => idOf(text, handler, entry.rule)) : idOf(say, handler, entry.rule);
        const isSame = next === say || (Array.isArray(say) && next.every((one, at) => one === say[at]));
        return isSame ? entry : { ...entry, rule: { ...entry.rule, say: next } };
      }),
    });
    const handlers = file.handlers.map(named);
    const isSame = handlers.every((one, at) => one.rules.every((entry, number) => entry === file.handlers[at].rules[number]));
    return isSame ? file : { ...file, handlers, lines: { ...file.lines, ...lines } };
  });
}

export const languagesOf = (model) => [...new Set([...linesOf(model).values()].flatMap(({ texts }) => Object.keys(texts)))];

export const actionKey = (rule) => ("do" in rule ? "do" : "say");

export function actionsOf(rule) {
  const given = rule[actionKey(rule)];
  if (given === undefined || given === null) return [];
  return Array.isArray(given) ? given : [given];
}

// Keys set to undefined are removed.
export function changed(table, changes) {
  const next = { ...table, ...changes };
  for (const [key, value] of Object.entries(changes)) if (value === undefined) delete next[key];
  return next;
}

// The searchable text of a rule, in lower case.
export function wordsOf(rule, handler, lines) {
  const said = actionsOf(rule).map((one) =>
    typeof one === "string" ? `${one} ${Object.values(lines.get(one)?.texts ?? {}).join(" ")}` : JSON.stringify(one),
  );
  return [handler, rule.name, ...conditionsOf(rule.when), ...said, rule.about ?? ""].join("\n").toLowerCase();
}

// A name that is free in a handler.
export function freeName(rules, wanted) {
  const taken = new Set(rules.map(({ rule }) => rule.name));
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/ \d+$/, "");
  let number = 2;
  while (taken.has(`${stem} ${number}`)) number++;
  return `${stem} ${number}`;
}
