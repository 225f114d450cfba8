// The Variables and Lines views.

import { button, fill, make } from "../dom.js";
import { typedInto } from "../typing.js";
import { cross, markFault, menuField, redone, textField } from "./fields.js";
import { changed } from "./model.js";
import { languageRows, settingsRow } from "./say.js";

const TYPES = ["bool", "int", "float", "str", "enum"];
const MOST = 200;
const specOf = (given) => (given !== null && typeof given === "object" ? given : { type: given });
const shaped = (spec) => (spec.enum || spec.about ? spec : spec.type);

export function makeVariables(editor) {
  const node = make("div", { class: "table-view", role: "region", "aria-label": "Variables" });

  function row(file, path, given) {
    const spec = specOf(given);
    const type = spec.enum ? "enum" : (spec.type ?? "str");
    const put = (changesOf) =>
      editor.setFile(
        file.name,
        (one) => {
          const now = specOf(one.variables[path]);
          return { ...one, variables: { ...one.variables, [path]: shaped(changed(now, changesOf(now))) } };
        },
        "change variable",
        `variable ${path}`,
      );
    const retype = (name) =>
      put((now) => (name === "enum" ? { type: undefined, enum: now.enum ?? ["FIRST"] } : { type: name, enum: undefined }));
    const words = (text) => text.split(",").map((word) => word.trim()).filter(Boolean);
    const names = (text) => put(() => ({ enum: words(text) }));
    const fault = editor.faults.find((one) => one.path?.[0] === "variables" && one.path[1] === path);
    return make(
      "tr",
      { class: fault ? "faulty" : "" },
      make("td", {}, make("code", { text: path })),
      make("td", {}, menuField(`variables.${path}.type`, `Type of ${path}`, type, TYPES, retype)),
      make(
        "td",
        {},
        type === "enum"
          ? textField(`variables.${path}.enum`, `Names of ${path}`, (spec.enum ?? []).join(", "), names, {
              title: "Names, separated by commas",
            })
          : null,
        fault ? make("small", { class: "field-fault error", text: fault.what }) : null,
      ),
      make(
        "td",
        {},
        textField(`variables.${path}.about`, `About ${path}`, spec.about, (about) =>
          put(() => ({ about: about || undefined })),
        ),
      ),
      make(
        "td",
        {},
        cross(`Delete ${path}`, () =>
          editor.setFile(file.name, (one) => ({ ...one, variables: changed(one.variables, { [path]: undefined }) }), "delete variable"),
        ),
      ),
    );
  }

  function draw() {
    const parts = editor.model.files
      .filter((file) => Object.keys(file.variables).length)
      .map((file) => {
        const rows = Object.entries(file.variables).map(([path, given]) => row(file, path, given));
        const heads = ["variable", "type", "names", "about", ""].map((text) => make("th", { text }));
        return make(
          "fieldset",
          { disabled: file.isLocked },
          make("h3", { text: file.name }),
          make("table", { class: "wide-table" }, make("tr", {}, ...heads), ...rows),
        );
      });
    const home =
      editor.model.files.find((file) => !file.isLocked && Object.keys(file.variables).length) ??
      editor.model.files.find((file) => !file.isLocked);
    const name = make("input", {
      type: "text",
      placeholder: "npc.health",
      "aria-label": "New variable path",
      "data-field": "variables.new",
      spellcheck: "false",
    });
    const add = () => {
      const path = name.value.trim();
      if (!path || !home || editor.variables.has(path)) return;
      if (!editor.isRehearsing) name.shown = name.value;
      editor.setFile(home.name, (one) => ({ ...one, variables: { ...one.variables, [path]: "float" } }), "add variable");
    };
    name.addEventListener("keydown", (event) => event.key === "Enter" && add());
    typedInto(name, add);
    redone(node, () =>
      fill(node, ...parts, make("div", { class: "list-bar" }, name, button("Add variable", add, { class: "small bordered" }))),
    );
  }
  return { node, draw };
}

export function makeLines(editor) {
  const node = make("div", { class: "table-view", role: "region", "aria-label": "Lines" });
  const search = make("input", { type: "search", placeholder: "Search lines", "aria-label": "Search lines", spellcheck: "false" });
  const box = make("div");
  search.addEventListener("input", draw);
  fill(node, make("div", { class: "list-bar" }, search), box);

  function draw() {
    const word = search.value.trim().toLowerCase();
    const wordsOf = (id, { texts, settings }) => `${id} ${Object.values(texts).join(" ")} ${JSON.stringify(settings)}`;
    const found = [...editor.lines].filter(([id, line]) => wordsOf(id, line).toLowerCase().includes(word));
    const blocks = found.slice(0, MOST).map(([id, line]) => {
      const faults = editor.faults.filter((one) => one.line === id);
      const remove = () =>
        editor.setFile(line.file.name, (one) => ({ ...one, lines: changed(one.lines, { [id]: undefined }) }), "delete line");
      const block = make(
        "fieldset",
        { class: "line-block", disabled: line.file.isLocked, "data-line": id },
        make(
          "div",
          { class: "row" },
          make("code", { text: id }),
          make("small", { class: "quiet", text: line.file.name }),
          cross(`Delete ${id}`, remove),
        ),
        ...languageRows(editor, id, line, "lines"),
        settingsRow(editor, id, line, "lines"),
      );
      for (const fault of faults) markFault(block, [`lines ${id}.${fault.field[0]}`], fault, block);
      return block;
    });
    const none = editor.lines.size ? "No matching lines." : "No lines yet. Use “translate” next to a rule's text to add one.";
    const more = found.length > MOST ? make("p", { class: "quiet hint", text: `and ${found.length - MOST} more: use the search` }) : null;
    redone(box, () => fill(box, ...(blocks.length ? blocks : [make("p", { class: "quiet empty", text: none })]), more));
  }
  return { node, draw, search };
}
