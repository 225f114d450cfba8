// The Sorted view: combined handlers with their rules in the order they are tried, as `lastseen rules sorted` prints them.

import { button, fill, make } from "../dom.js";
import { handlersOf } from "./model.js";
import { sortRules } from "./server.js";

// Single handlers, and groups of handlers with a common prefix, which are combined.
export function groupsOf(model) {
  const names = handlersOf(model).map(({ handler }) => handler.name);
  const beginnings = new Set(names.flatMap((name) => name.split(".").map((_, at, parts) => parts.slice(0, at + 1).join("."))));
  const together = [...beginnings]
    .map((title) => ({ title, names: names.filter((name) => name === title || name.startsWith(`${title}.`)) }))
    .filter((group) => group.names.length > 1);
  const alone = names.map((name) => ({ title: name, names: [name] }));
  return [
    ...together.sort((one, other) => other.title.split(".").length - one.title.split(".").length),
    ...alone.filter(({ title }) => !together.some((group) => group.title === title)),
  ];
}

export function groupMenu(editor, label, changed) {
  const node = make("select", { "aria-label": label, class: "group-menu", on: { change: changed } });
  let groups = [];
  return {
    node,
    draw() {
      groups = groupsOf(editor.model);
      const before = node.value;
      fill(
        node,
        ...groups.map(({ title, names }) =>
          make("option", { value: title, text: names.length > 1 ? `${title}.*  (${names.length} handlers)` : title }),
        ),
      );
      if (groups.some(({ title }) => title === before)) node.value = before;
    },
    names: () => groups.find(({ title }) => title === node.value)?.names ?? [],
    // Choose the group the game uses for a handler: the widest one with a dotted prefix, else the handler itself.
    choose(handler) {
      const fits = groups.filter(({ names, title }) => names.includes(handler) || title === handler);
      const group = groups.find(({ title }) => title === handler) ?? fits.find(({ title }) => title.includes(".")) ?? fits[0];
      if (group) node.value = group.title;
    },
  };
}

export function makeSorted(editor, { openPlace }) {
  const body = make("div", { class: "sorted-rows" });
  const words = make("span", { class: "quiet" });
  const menu = groupMenu(editor, "Handlers to sort", () => load());
  const node = make(
    "div",
    { class: "table-view sorted", role: "region", "aria-label": "Sorted rules" },
    make("div", { class: "list-bar" }, menu.node, words),
    body,
  );
  let asked = null;

  async function load() {
    const model = editor.model;
    const key = menu.names().join("+");
    asked = { model, key };
    if (!key || !editor.isReady) return fill(body);
    try {
      const told = await sortRules(editor.plain(), menu.names());
      if (asked.model !== model || asked.key !== key) return;
      if (told.type === "faulty rules") return fill(body, make("p", { class: "wrong empty", text: told.message }));
      words.textContent = `${told.rules.length} rules, ${told.lists} line lists`;
      const heads = ["", "rule", "priority", "when", "lines", "handler"].map((text) => make("th", { text }));
      fill(
        body,
        make("table", { class: "wide-table" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...told.rules.map(row))),
      );
    } catch (error) {
      fill(body, make("p", { class: "wrong empty", text: error.message }));
    }
  }

  function row(one, at) {
    const shared = one.shares.length ? `shares its lines with ${one.shares.join(", ")}` : "";
    return make(
      "tr",
      {},
      make("td", { class: "number", text: String(at + 1) }),
      make(
        "td",
        {},
        button(one.name, () => openPlace(one), { class: "miss-name", title: "Open in editor" }),
      ),
      make("td", { class: "number", text: [one.priority || "", one.tier ? `tier ${one.tier}` : ""].filter(Boolean).join(" · ") }),
      make("td", { class: "conditions-text", text: one.when.join(" and ") || "always" }),
      make("td", { text: `${one.actions} ${one.policy}`, title: shared }, shared ? make("small", { text: " ⇄" }) : null),
      make("td", { class: "quiet", text: one.handler }),
    );
  }

  function draw() {
    menu.draw();
    if (asked?.model !== editor.model || asked.key !== menu.names().join("+")) load();
  }
  return { node, draw };
}
