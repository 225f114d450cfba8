// The actions of a rule, of which one is executed at a time; lines have translations and placeholders.

import { button, iconButton, make } from "../dom.js";
import { completes } from "./complete.js";
import { cross, DOWN, labelled, numberField, section, takesText, textField, UP } from "./fields.js";
import { actionKey, actionsOf, changed, freeId, languagesOf, lineTable } from "./model.js";

const PLACES = [
  ["name", "the agent it is about: ask.name"],
  ["place", "the place: place.name"],
  ["me", "the speaker: npc.name"],
];

export function sayTable(editor, id, rule, want) {
  const key = actionKey(rule);
  const list = actionsOf(rule);
  const isList = (now, next) => next.length > 1 || (next.length && (Array.isArray(now[key]) || typeof next[0] === "object"));
  const put = (nextOf, label) =>
    editor.setRule(
      id,
      (now) => {
        const next = nextOf(actionsOf(now));
        return { [key]: isList(now, next) ? next : next[0] };
      },
      label,
    );
  const act = {
    put: (at, value) => put((now) => now.with(at, value), "change line"),
    remove: (at) => put((now) => now.toSpliced(at, 1), "delete line"),
    move: (at, by) =>
      at + by >= 0 &&
      at + by < list.length &&
      (want(`${key}.${at + by}`), put((now) => now.toSpliced(at, 1).toSpliced(at + by, 0, now[at]), "move line")),
  };
  const add = (text) => text && (want(`${key}.new`), put((now) => [...now, text], "add line"));
  const rows = list.flatMap((action, at) => rowsOf(editor, id, key, action, at, act));
  return section(
    "say",
    key === "do" ? "Do one of these" : "Say one of these",
    make("div", { class: "rows actions", "data-section": "do" }, ...rows, addRow(editor, key, add)),
  );
}

function rowsOf(editor, id, key, action, at, act) {
  const buttons = [
    iconButton(UP, "Move up", () => act.move(at, -1), { class: "bare" }),
    iconButton(DOWN, "Move down", () => act.move(at, 1), { class: "bare" }),
    cross("Remove line", () => act.remove(at)),
  ];
  if (typeof action !== "string")
    return [make("div", { class: "row", "data-field": `${key}.${at}` }, dataField(editor, key, action, at, act), ...buttons)];
  const line = editor.lines.get(action);
  const options = (text) => optionsFor(editor, text);
  const input = textField(`${key}.${at}.text`, `Line ${at + 1}`, action, (text) => act.put(at, text), {
    options,
    class: line ? "line-id" : "line",
  });
  const row = make(
    "div",
    { class: "row", "data-field": `${key}.${at}` },
    input,
    line
      ? null
      : button("translate", () => translate(editor, id, key, action, at), {
          class: "plain small",
          title: "Give this line an id and a text per language",
        }),
    ...buttons,
  );
  return line ? [row, ...languageRows(editor, action, line), settingsRow(editor, action, line)] : [row];
}

const opened = new Set(); // ids of lines whose settings are shown although they have none

// Tags, weight, cooldown and note of a line; only a button as long as it has none of them.
export function settingsRow(editor, id, { file, settings }, prefix = "line") {
  if (!Object.keys(settings).length && !opened.has(id)) {
    const open = () => (opened.add(id), editor.tell("rules"));
    const more = button("tags, weight, cooldown …", open, { class: "plain small", "data-open": id });
    return make("div", { class: "row line-settings" }, more);
  }
  const put = (name, value) =>
    editor.setFile(
      file.name,
      (one) => ({ ...one, lines: { ...one.lines, [id]: changed(lineTable(one.lines[id]), { [name]: value }) } }),
      `change ${name}`,
      `${id} ${name}`,
    );
  const number = (name, title, more) =>
    labelled(title, numberField(`${prefix} ${id}.${name}`, `${title} of ${id}`, settings[name], (value) => put(name, value), more));
  const text = (name, title, value, take, more) =>
    labelled(title, textField(`${prefix} ${id}.${name}`, `${title} of ${id}`, value, take, more));
  const tags = tagsText(settings.tags);
  const isPlain = JSON.stringify(tagsOf(tags) ?? {}) === JSON.stringify(settings.tags ?? {});
  return make(
    "div",
    { class: "row line-settings" },
    text("tags", "Tags", isPlain ? tags : JSON.stringify(settings.tags), (words) => put("tags", tagsOf(words)), {
      placeholder: "voice: file_01, mood: angry",
      disabled: !isPlain,
    }),
    number("weight", "Weight", { min: 1, max: 20, step: 1, placeholder: "1" }),
    number("cooldown", "Cooldown (s)", { min: 0, placeholder: "as rule" }),
    text("about", "Note", settings.about, (words) => put("about", words || undefined), { placeholder: "for translators and actors" }),
  );
}

// `voice: file_01, mood: angry` as a table and back; undefined: no tags.
function tagsOf(words) {
  const pairs = words.matchAll(/([\w-]+)\s*:\s*(.*?)\s*(?=,\s*[\w-]+\s*:|$)/gs);
  const found = [...pairs].map(([, name, value]) => [name, value.replace(/,$/, "")]);
  return found.length ? Object.fromEntries(found) : undefined;
}

const tagsText = (tags = {}) =>
  Object.entries(tags)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");

// The texts of a line by language; languages of other lines that are missing here are offered.
export function languageRows(editor, id, { file, texts }, prefix = "line") {
  const all = [...new Set([...Object.keys(texts), ...languagesOf(editor.model)])];
  const put = (language, text) =>
    editor.setFile(
      file.name,
      (one) => ({ ...one, lines: { ...one.lines, [id]: changed(lineTable(one.lines[id]), { [language]: text || undefined }) } }),
      "change text",
    );
  const rows = all.map((language) =>
    make(
      "label",
      { class: "row language" },
      make("span", { text: language }),
      textField(`${prefix} ${id}.${language}`, `${id} in ${language}`, texts[language], (text) => put(language, text), {
        placeholder: "not translated",
        lang: language,
        options: (text) => optionsFor(editor, text, true),
      }),
    ),
  );
  const more = textField(
    `${prefix} ${id}.more`,
    `Add a language to ${id}`,
    "",
    (language) => language && put(language, Object.values(texts)[0] ?? ""),
    { placeholder: "+", class: "more-language", title: "Add a language by its code" },
  );
  return [...rows.slice(0, -1), rows.length ? (rows.at(-1).append(more), rows.at(-1)) : more];
}

// After a brace complete placeholders, else ids of lines.
function optionsFor(editor, text, isText = false) {
  const begun = /^(.*\{)\w*$/.exec(text);
  if (begun) return PLACES.map(([value, about]) => ({ value, about, text: `${begun[1]}${value}}` }));
  if (isText || !/^[\w-]+(\.[\w.-]*)?$/.test(text)) return [];
  return [...editor.lines].map(([value, { texts }]) => ({ value, about: Object.values(texts)[0] ?? "", isGuess: true }));
}

// Turn a text into a line with an id, in the same file.
function translate(editor, id, key, action, at) {
  const { file, handler, entry } = editor.find(id);
  const name = freeId(handler.name, entry.rule.name, new Set(editor.lines.keys()));
  const [language = "en"] = languagesOf(editor.model);
  const texts = { [language]: action };
  const list = actionsOf(entry.rule).with(at, name);
  const rules = handler.rules.map((one) =>
    one.id === id ? { id, rule: changed(one.rule, { [key]: Array.isArray(entry.rule[key]) ? list : name }) } : one,
  );
  editor.setFile(
    file.name,
    (one) => ({
      ...one,
      lines: { ...one.lines, [name]: texts },
      handlers: one.handlers.map((each) => (each.name === handler.name ? { ...each, rules } : each)),
    }),
    "translate line",
  );
}

// Actions that are not text are edited as JSON.
function dataField(editor, key, action, at, act) {
  const input = textField(
    `${key}.${at}.text`,
    `Data of action ${at + 1}`,
    JSON.stringify(action),
    (text) => {
      try {
        act.put(at, JSON.parse(text));
      } catch (error) {
        if (editor.isRehearsing) return act.put(at, text); // incomplete data is stored as text
        input.shown = JSON.stringify(action); // not committed
        input.setCustomValidity(`Invalid JSON: ${error.message}`);
        input.reportValidity();
      }
    },
    { class: "data" },
  );
  input.addEventListener("input", () => input.setCustomValidity(""));
  return input;
}

function addRow(editor, key, add) {
  const input = make("input", {
    type: "text",
    placeholder: "add a line …",
    "aria-label": "Add a line",
    "data-field": `${key}.new`,
    class: "line new",
    spellcheck: "true",
    maxlength: 20000,
  });
  takesText(input, add);
  return make(
    "div",
    { class: "row" },
    completes(input, (text) => (text ? optionsFor(editor, text) : [])),
  );
}
