// The Rules mode connects the parts of the rules editor; the game continues meanwhile.

import { button, fill, find, make } from "../dom.js";
import { askName } from "../side/dialogs.js";
import { hasServer } from "../requests.js";
import { setMode } from "../modes/modes.js";
import { on, say, studio } from "../studio.js";
import { makeAsking } from "./asking.js";
import { makeChecking } from "./checking.js";
import { listenForCopies } from "./clipboard.js";
import { typedIn, watchTyping } from "../typing.js";
import { drafts } from "./server.js";
import { RulesEditor } from "./editor.js";
import { makeFiles } from "./files.js";
import { addRule, makeForm } from "./form.js";
import { makeKeys, RULE_LISTS } from "./keys.js";
import { makeList } from "./list.js";
import { actionsOf, handlersOf, plainOf } from "./model.js";
import { makePanel } from "./panel.js";
import { makeSorted } from "./sorted.js";
import { makeLines, makeVariables } from "./tables.js";
import { makeTrying } from "./trying.js";

const TABS = [
  ["rules", "Rules"],
  ["sorted", "Sorted"],
  ["try", "Try"],
  ["variables", "Variables"],
  ["lines", "Lines"],
  ["map", "Map"],
];

export function rulesMode() {
  const editor = new RulesEditor();
  let isHere = false;
  let isOpening = false;
  let wanted = null; // a rule to show as soon as its rules are open
  let isPressed = false;

  const files = makeFiles(editor, { setMode, typed: () => typedIn(main) });
  const asking = makeAsking(() => isHere);
  const check = makeChecking(editor, asking.facts);
  const undo = () => say(`Undo: ${editor.undo() ?? "nothing to undo"}.`);
  const redo = () => say(`Redo: ${editor.redo() ?? "nothing to redo"}.`);
  const openPlace = ({ handler, number }) => goTo({ id: editor.handler(handler)?.handler.rules[number]?.id, handler });
  const trying = makeTrying(editor, { openPlace });
  const tryRule = (id) => (editor.show("try"), trying.fit(editor.find(id)));
  const form = makeForm(editor, { tryRule });
  const add = () => (addRule(editor) ? (form.want("name"), list.reveal(editor.current.id)) : say(...whyNot("Add a handler first.")));
  const list = makeList(editor, { add, addHandler });
  const views = { sorted: makeSorted(editor, { openPlace }), try: trying, variables: makeVariables(editor), lines: makeLines(editor) };
  const panel = makePanel(editor, files, { goTo, asking, undo, redo });
  const tabs = make("div", { class: "rules-tabs", role: "tablist", "aria-label": "Rule views" });
  const body = make("div", { class: "rules-body" });
  const main = make("div", { class: "rules-view", hidden: true }, tabs, body);
  const both = make("div", { class: "rules-both" }, list.node, form.node);
  const focusForm = () => form.node.querySelector("[data-field='when.0.variable'], [data-field='when.new'], input")?.focus();
  const keys = makeKeys(editor, { list, files, undo, redo, add, focusForm, focusSearch, tabs: TABS.map(([name]) => name) });
  find("#map").after(main);
  tabs.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.stopPropagation();
    editor.show(TABS.at((TABS.findIndex(([name]) => name === editor.tab) + by) % TABS.length)[0]);
  });

  for (const node of [main, panel]) {
    node.addEventListener("keydown", (event) => {
      if (!event.target.matches("input, select, textarea") || !keys.inField(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  // Locked files report their reason; otherwise return the given advice.
  function whyNot(otherwise) {
    const locked = editor.model.files.filter(({ isLocked }) => isLocked);
    if (locked.length < editor.model.files.length) return [otherwise];
    return [`Cannot add to ${locked.map(({ name }) => name).join(", ")}: ${locked[0].error}.`, "wrong"];
  }

  async function addHandler() {
    const { files: all } = editor.model;
    const chosen = editor.current?.id ? editor.find(editor.current.id).file : null;
    const file = [chosen, ...all.filter((one) => one.handlers.length), ...all].find((one) => one && !one.isLocked);
    if (!file) return say(...whyNot(""));
    const name = await askName(
      "Add handler",
      "A dotted name such as guard.barks.lose. Handlers with a common prefix are combined.",
      "guard.barks.",
      "Add",
    );
    if (!name) return;
    if (editor.handler(name)) return say(`A handler named ${name} already exists.`, "wrong");
    editor.setFile(file.name, (one) => ({ ...one, handlers: [...one.handlers, { name, head: {}, rules: [] }] }), "add handler");
    editor.chooseHandler(name);
  }

  function focusSearch() {
    if (editor.tab !== "lines") editor.show("rules");
    draw(); // the box must be there before the next key
    const { search } = editor.tab === "lines" ? views.lines : list;
    search.focus();
    search.select();
  }

  function goToLine(line, field) {
    const place = handlersOf(editor.model)
      .flatMap(({ handler }) => handler.rules)
      .find(({ rule }) => actionsOf(rule).includes(line));
    if (place) return goTo({ id: place.id, field: [`line ${line}`, ...field] });
    views.lines.search.value = line;
    editor.show("lines");
  }

  function goTo({ id, handler, path, line, field = [] }) {
    if (line) return goToLine(line, field);
    if (path?.[0] === "variables") return editor.show("variables");
    if (id && editor.find(id)) {
      editor.show("rules");
      editor.choose([id]);
      list.reveal(id);
      form.want(field.join("."));
    } else if (handler && editor.handler(handler)) {
      editor.show("rules");
      editor.chooseHandler(handler);
    }
  }

  // Parts are redrawn once per frame, and never between press and release of a click.
  let told = new Set();
  let isWaiting = false;
  editor.onChange((what) => {
    told.add(what);
    if (what === "rules" && editor.isReady) {
      files.keepSoon();
      check();
    }
    soon();
  });
  function soon() {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      if (!isPressed) draw();
    });
  }
  addEventListener("pointerdown", () => (isPressed = true), true);
  for (const name of ["pointerup", "pointercancel", "dragend"])
    addEventListener(name, () => ((isPressed = false), told.size && setTimeout(soon)), true);

  function draw() {
    if (!isHere) return;
    // A field commits its text when it is replaced: changes made while drawing are drawn in the next frame.
    const drawn = told;
    told = new Set();
    const has = (...names) => names.some((name) => drawn.has(name));
    if (has("tab")) drawTabs();
    if (editor.tab !== "rules") {
      if (has("rules", "faults", "tab", "file")) views[editor.tab]?.draw();
    } else {
      if (has("rules", "filter", "file", "faults", "tab")) list.draw();
      else if (has("selection")) list.mark();
      if (has("rules", "selection", "tab", "file")) form.draw();
      else if (has("faults")) form.markFaults();
    }
  }

  function drawTabs() {
    const hadFocus = tabs.contains(document.activeElement);
    fill(
      tabs,
      ...TABS.map(([name, title]) =>
        button(title, () => editor.show(name), {
          role: "tab",
          "aria-selected": String(editor.tab === name),
          "data-tab": name,
          tabindex: editor.tab === name ? "0" : "-1",
          title: `${title} (T: next)`,
        }),
      ),
    );
    if (hadFocus) tabs.querySelector("[aria-selected=true]").focus();
    main.classList.toggle("uncovered", editor.tab === "map");
    document.body.classList.toggle("covered", isHere && editor.tab !== "map");
    fill(body, editor.tab === "rules" ? both : (views[editor.tab]?.node ?? null));
  }

  function enter() {
    isHere = true;
    main.hidden = false;
    document.body.classList.add("ruling");
    editor.tell("tab");
    editor.tell("rules");
    asking.refresh();
    if (!editor.isReady) isOpening = true;
    list.box.focus({ preventScroll: true });
  }

  function leave() {
    isHere = false;
    files.keep();
    main.hidden = true;
    document.body.classList.remove("ruling", "covered");
    find("#map").focus({ preventScroll: true });
  }

  on("message voices", async (told) => {
    if (!isOpening || !isHere) return;
    isOpening = false;
    await files.first(told.rules ?? "guards");
    if (wanted) await reach(wanted);
  });
  on("hello", () => {
    files.begun();
    if (isHere) asking.refresh();
  });

  // Show the rule of a spoken line in the rules of the game.
  async function reach({ handler, rule }) {
    wanted = null;
    const known = () => {
      const all = handlersOf(editor.model).flatMap((one) => one.handler.rules.map((entry) => ({ handler: one.handler.name, entry })));
      const named = all.filter(({ entry }) => entry.rule.name === rule);
      return (
        named.find((one) => one.handler === handler) ??
        named.find((one) => handler.startsWith(one.handler.split(".").slice(0, 2).join("."))) ??
        named[0]
      );
    };
    const rules = asking.rules();
    if (!known() && rules && rules !== editor.name && (await files.mayLeave())) await files.open(rules);
    const found = known();
    if (found) goTo({ id: found.entry.id });
    else say(`These rules contain no rule “${rule}”. Open the rules of the game.`, "wrong");
  }

  if (hasServer()) {
    studio.openRule = (place) => {
      wanted = place;
      setMode("rules");
      editor.show("rules");
      if (editor.isReady) reach(place);
    };
    studio.tryFacts = (given) => {
      setMode("rules");
      editor.show("try");
      trying.take(given);
    };
    listenForCopies(editor, () => isHere && editor.tab === "rules");
    watchTyping([main], { keep: files.keep, keepSoon: files.keepSoon, isDirty: () => editor.isDirty });
    const remind = async () =>
      studio.mode !== "rules" &&
      (await drafts.all()).some(({ isOpen }) => !isOpen) &&
      say("There is an unsaved rules draft. Rules (5) restores it.");
    setTimeout(remind, 1800);
  }
  studio.rules = () => ({
    name: editor.name,
    target: editor.target,
    isCopy: editor.isCopy,
    isDirty: editor.isDirty,
    isReady: editor.isReady,
    tab: editor.tab,
    faults: editor.checked === editor.model ? editor.faults : null,
    current: editor.current,
    selected: [...editor.selected],
    files: Object.fromEntries(editor.model.files.map((file) => [file.name, plainOf(file)])),
    undo: editor.undoing.past.map(({ label }) => label),
    redo: editor.undoing.future.length,
    chosen: editor.current?.id ? { handler: editor.find(editor.current.id).handler.name, ...editor.find(editor.current.id).entry } : null,
  });

  return {
    name: "rules",
    title: "Rules",
    key: "5",
    keys: (lists) => [...RULE_LISTS, ...lists.filter(([title]) => ["Time", "Page"].includes(title))],
    panel: () => panel,
    enter,
    leave,
    keydown: (event) => (event.target === find("#map") && editor.tab === "map" && event.key !== "/" ? false : keys.keydown(event)),
  };
}
