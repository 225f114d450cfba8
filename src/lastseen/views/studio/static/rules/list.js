// The list of rules by handler: search, filter by problems, select, and reorder by dragging or keys.

import { button, fill, make } from "../dom.js";
import { conditionsOf } from "./conditions.js";
import { actionKey, actionsOf, handlersOf, wordsOf } from "./model.js";

const MANY = 120; // number of rules from which handlers start collapsed

export function makeList(editor, { add, addHandler }) {
  const search = make("input", {
    type: "search",
    placeholder: "Search rules  ( / )",
    "aria-label": "Search rules",
    class: "rule-search",
    spellcheck: "false",
  });
  const only = button("problems", () => ((editor.onlyFaults = !editor.onlyFaults), editor.tell("filter")), {
    class: "small bordered",
    "aria-pressed": "false",
    title: "Show only rules with problems",
  });
  const box = make("div", { class: "rule-list", role: "listbox", tabindex: "0", "aria-label": "Rules", "aria-multiselectable": "true" });
  const bar = make(
    "div",
    { class: "list-bar" },
    button("Add rule", () => add(), { class: "small bordered", title: "Add a rule after the selected one (Insert)" }),
    button("Add handler", addHandler, { class: "small bordered" }),
  );
  const node = make("div", { class: "rule-side" }, make("div", { class: "list-bar" }, search, only), box, bar);
  const folded = new Set();
  const made = new Map(); // rows by rule, reused while unchanged
  const words = new WeakMap(); // searchable text by rule
  let rows = new Map();
  let opened = null;
  let anchor = null;

  search.addEventListener("input", () => ((editor.filter = search.value), editor.tell("filter")));
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      box.focus();
      step(editor.current?.id ? 0 : 1);
    }
    if (event.key === "Escape" && search.value) {
      event.preventDefault();
      event.stopPropagation();
      search.value = editor.filter = "";
      editor.tell("filter");
    }
  });

  function draw() {
    if (opened !== editor.base) begin();
    const asked = editor.filter.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const faults = faultsById(editor);
    const isNarrow = asked.length > 0 || editor.onlyFaults;
    const scrolled = box.scrollTop;
    rows = new Map();
    const groups = handlersOf(editor.model).map(({ file, handler }) => {
      const found = handler.rules.filter(
        ({ id, rule }) => (!editor.onlyFaults || faults.has(id)) && asked.every((word) => wordsIn(rule, handler.name).includes(word)),
      );
      if (isNarrow && !found.length) return null;
      const isOpen = isNarrow || !folded.has(handler.name);
      const entries = isOpen ? found.map((entry) => row(entry, handler, faults.get(entry.id), file.isLocked)) : [];
      return make(
        "div",
        { class: "rule-group", role: "group", "aria-label": handler.name },
        head(handler, found.length, isOpen, isNarrow, faults),
        ...entries,
      );
    });
    fill(box, ...groups);
    if (isNarrow && !rows.size) fill(box, make("p", { class: "quiet empty", text: "No matching rules." }));
    box.scrollTop = scrolled;
    only.setAttribute("aria-pressed", String(editor.onlyFaults));
    if (document.activeElement !== search) search.value = editor.filter;
    mark();
  }

  function begin() {
    opened = editor.base;
    folded.clear();
    made.clear();
    const all = handlersOf(editor.model);
    if (all.reduce((sum, { handler }) => sum + handler.rules.length, 0) > MANY)
      for (const { handler } of all.slice(1)) folded.add(handler.name);
  }

  function wordsIn(rule, name) {
    const known = words.get(rule);
    if (known?.lines === editor.lines && known.name === name) return known.text;
    const text = wordsOf(rule, name, editor.lines);
    words.set(rule, { lines: editor.lines, name, text });
    return text;
  }

  function head(handler, count, isOpen, isNarrow, faults) {
    const fold = button(
      isOpen ? "▾" : "▸",
      () => (folded.has(handler.name) ? folded.delete(handler.name) : folded.add(handler.name), draw()),
      { class: "bare fold", "aria-label": `${isOpen ? "Collapse" : "Expand"} ${handler.name}`, disabled: isNarrow },
    );
    const wrong = handler.rules.some(({ id }) => faults.get(id) === "error");
    const name = button("", () => (folded.delete(handler.name), editor.chooseHandler(handler.name), draw()), {
      class: "handler-name",
      "data-handler": handler.name,
    });
    name.append(
      make("span", { text: handler.name }),
      make("small", { class: wrong ? "wrong" : "", text: isNarrow ? `${count} of ${handler.rules.length}` : String(handler.rules.length) }),
    );
    const group = make("div", { class: "group-head", on: dropOn(handler.name, () => 0) }, fold, name);
    return group;
  }

  function row(entry, handler, fault, isLocked) {
    const key = [entry, handler.name, fault, isLocked, editor.lines];
    const before = made.get(entry.id);
    const node = before?.key.every((one, at) => one === key[at]) ? before.node : newRow(entry, handler.name, fault, isLocked);
    made.set(entry.id, { key, node });
    rows.set(entry.id, node);
    return node;
  }

  function newRow({ id, rule }, name, fault, isLocked) {
    const conditions = conditionsOf(rule.when).length;
    const said = actionsOf(rule).length;
    const [first] = actionsOf(rule);
    const text =
      typeof first === "string"
        ? (Object.values(editor.lines.get(first)?.texts ?? {})[0] ?? first)
        : first === undefined
          ? ""
          : Object.entries(first).map(([key, value]) => `${key}: ${typeof value === "object" ? JSON.stringify(value) : value}`).join(", ");
    const one = make(
      "div",
      {
        class: `rule-row ${fault ?? ""}`,
        role: "option",
        id,
        draggable: isLocked ? "false" : "true",
        "aria-selected": "false",
        on: {
          click: (event) => click(event, id),
          dragstart: (event) => drag(event, id),
          ...dropOn(name, (event) => dropAt(event, id, name)),
        },
      },
      make("span", { class: "rule-title", text: rule.name ?? "unnamed" }),
      make("small", {
        class: "rule-sum",
        text: [rule.priority ? `↑${rule.priority}` : "", `${conditions} if`, `${said} ${actionKey(rule)}`].filter(Boolean).join(" · "),
      }),
      make("small", { class: "rule-first", text }),
    );
    return one;
  }

  function click(event, id) {
    box.focus({ preventScroll: true });
    if (event.shiftKey && anchor) return editor.choose(between(anchor, id), id);
    const isMore = event.ctrlKey || event.metaKey;
    const others = [...editor.selected].filter((one) => one !== id);
    anchor = id;
    if (isMore) return editor.selected.has(id) ? editor.choose(others) : editor.choose([...others, id]);
    editor.choose([id]);
  }

  function between(one, other) {
    const ids = [...rows.keys()];
    const [low, high] = [ids.indexOf(one), ids.indexOf(other)].sort((a, b) => a - b);
    return ids.slice(Math.max(0, low), high + 1);
  }

  // Go to the next visible rule; with Shift, extend the selection.
  function step(by, isMore = false) {
    const ids = [...rows.keys()];
    if (!ids.length) return;
    const at = ids.indexOf(editor.current?.id);
    const next = ids[Math.max(0, Math.min(ids.length - 1, at < 0 ? 0 : at + by))];
    if (!isMore) anchor = next;
    editor.choose(isMore ? between(anchor ?? next, next) : [next], next);
  }

  function drag(event, id) {
    if (!editor.selected.has(id)) editor.choose([id]);
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/x-lastseen-rules", [...editor.selected].join("\n"));
  }

  // The drop position among the remaining rules: before or after the one under the pointer.
  function dropAt(event, id, name) {
    const left = editor.handler(name).handler.rules.filter((one) => !editor.selected.has(one.id) || one.id === id);
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const at = left.findIndex((one) => one.id === id) + (event.clientY > top + height / 2 ? 1 : 0);
    return editor.selected.has(id) ? at - (event.clientY > top + height / 2 ? 1 : 0) : at;
  }

  function dropOn(name, placeOf) {
    const isOurs = (event) => event.dataTransfer.types.includes("text/x-lastseen-rules");
    const clear = (event) => event.currentTarget.classList.remove("over", "after");
    return {
      dragover(event) {
        if (!isOurs(event)) return;
        event.preventDefault();
        const { top, height } = event.currentTarget.getBoundingClientRect();
        event.currentTarget.classList.add("over");
        event.currentTarget.classList.toggle("after", event.clientY > top + height / 2);
      },
      dragleave: clear,
      drop(event) {
        if (!isOurs(event)) return;
        event.preventDefault();
        event.stopPropagation();
        clear(event);
        editor.move(handlersInOrder([...editor.selected]), name, placeOf(event));
      },
    };
  }

  const handlersInOrder = (ids) =>
    handlersOf(editor.model)
      .flatMap(({ handler }) => handler.rules)
      .filter(({ id }) => ids.includes(id))
      .map(({ id }) => id);

  // Move all selected rules up or down by one within the handler.
  function shift(by) {
    const ids = handlersInOrder([...editor.selected]);
    if (!ids.length) return;
    const { handler } = editor.find(ids[0]);
    const mine = ids.filter((id) => editor.find(id).handler === handler);
    const place = handler.rules.findIndex(({ id }) => id === mine[0]);
    editor.move(mine, handler.name, place + by);
  }

  function mark() {
    for (const [id, row] of rows) row.setAttribute("aria-selected", String(editor.selected.has(id)));
    for (const one of box.querySelectorAll(".handler-name"))
      one.setAttribute("aria-pressed", String(editor.current?.handler === one.dataset.handler));
    const now = rows.get(editor.current?.id);
    box.setAttribute("aria-activedescendant", now?.id ?? "");
    now?.scrollIntoView({ block: "nearest" });
  }

  // A rule selected from elsewhere is expanded and not hidden by a search.
  function reveal(id) {
    const place = editor.find(id);
    if (!place) return;
    folded.delete(place.handler.name);
    if (!rows.has(id)) Object.assign(editor, { filter: "", onlyFaults: false });
    search.value = editor.filter;
    draw();
  }

  return { node, box, search, draw, mark, step, shift, reveal, has: (id) => rows.has(id) };
}

// The severity of the worst fault of each rule and of the lines it says.
export function faultsById(editor) {
  const found = new Map();
  const note = (id, severity) => found.get(id) !== "error" && found.set(id, severity);
  const lines = new Map();
  for (const { id, line, severity } of editor.faults) {
    if (id) note(id, severity);
    if (line && lines.get(line) !== "error") lines.set(line, severity);
  }
  for (const { handler } of lines.size ? handlersOf(editor.model) : [])
    for (const { id, rule } of handler.rules)
      for (const action of actionsOf(rule)) if (lines.has(action)) note(id, lines.get(action));
  return found;
}
