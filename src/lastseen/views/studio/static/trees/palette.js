// The palette: all kinds of nodes, leaves and subtrees, found by typing and described with their parameters.

import { button, fill, make } from "../dom.js";
import { show } from "../side/dialogs.js";

const TITLES = {
  subtree: "Trees of this file", control: "Nodes with children", decorator: "Decorators", condition: "Conditions", action: "Actions",
};

const typeOf = ({ form, choices }) => (choices.length ? choices.join(" | ") : { flag: "true | false", key: "$key" }[form] ?? form);
const parameterText = (one) =>
  `${one.name}: ${typeOf(one)}${one.required ? "" : one.default === null || one.default === "" ? "?" : ` = ${one.default}`}`;

// `isOffered(kind)` says which kinds to list; returns {kind} or {tree}, or null.
export function pickNode(title, editor, isOffered = () => true) {
  const others = isOffered(editor.kinds.get("subtree")) ? editor.names.filter((name) => name !== editor.tree) : [];
  const subtrees = others.map((name) => ({ tree: name, name, group: "subtree", about: `Run the tree ${name}.`, parameters: [] }));
  const kinds = [...editor.kinds.values()].filter(isOffered).map((kind) => ({ ...kind, kind: kind.name }));
  const entries = Object.keys(TITLES).flatMap((group) => [...subtrees, ...kinds].filter((one) => one.group === group));
  return show(title, null, (answer) => {
    const rows = make("div", { class: "choices", role: "listbox", id: "palette" });
    const search = make("input", {
      type: "search", placeholder: "Search nodes, leaves and subtrees", "aria-label": "Search", autofocus: true, spellcheck: "false",
      role: "combobox", "aria-controls": "palette", "aria-expanded": "true",
    });
    let found = [];
    let at = 0;

    const wordsOf = ({ name, about }) => `${name} ${name.replaceAll("_", " ")} ${about}`.toLowerCase();
    // Names that begin with the text come first.
    const rank = ({ name }, text) => (name.startsWith(text) ? 0 : name.includes(text) ? 1 : 2);

    function draw() {
      const text = search.value.trim().toLowerCase().replaceAll(" ", "_");
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      found = entries.filter((one) => words.every((word) => wordsOf(one).includes(word)));
      if (text) found.sort((one, other) => rank(one, text) - rank(other, text));
      at = Math.min(at, Math.max(0, found.length - 1));
      let group = "";
      const nodes = found.flatMap((one, number) => {
        const heading = !text && one.group !== group ? [make("h3", { text: TITLES[one.group] })] : [];
        group = one.group;
        return [...heading, row(one, number)];
      });
      fill(rows, ...(nodes.length ? nodes : [make("p", { class: "quiet", text: "No node has this name." })]));
      mark();
    }

    function row(one, number) {
      const settings = { class: "choice", role: "option", "data-kind": one.name, tabindex: "-1", id: `palette-${number}` };
      const pick = button("", () => answer(one), settings);
      const given = one.parameters.length ? make("code", { text: one.parameters.map(parameterText).join(", ") }) : null;
      const name = one.tree ? `subtree ${one.tree}` : one.name;
      pick.append(make("strong", { text: name }), make("span", { class: "quiet", text: one.about }));
      if (given) pick.append(given);
      return pick;
    }

    function mark() {
      for (const one of rows.querySelectorAll(".choice")) one.setAttribute("aria-selected", String(one.id === `palette-${at}`));
      search.setAttribute("aria-activedescendant", `palette-${at}`);
      rows.querySelector(`#palette-${at}`)?.scrollIntoView({ block: "nearest" });
    }

    search.addEventListener("input", () => ((at = 0), draw()));
    search.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
      if (by) at = Math.max(0, Math.min(found.length - 1, at + by));
      else if (event.key === "Enter" && found[at]) return event.preventDefault(), answer(found[at]);
      else return;
      event.preventDefault();
      mark();
    });
    draw();
    return [search, rows, make("div", { class: "buttons" }, button("Cancel", () => answer(null)))];
  });
}
