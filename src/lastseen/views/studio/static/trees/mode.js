// The Trees mode: the drawn tree is edited over the map, and put into the running game.

import { button, fill, find, make } from "../dom.js";
import { setMode } from "../modes/modes.js";
import { hasServer } from "../requests.js";
import { askName } from "../side/dialogs.js";
import { say, studio } from "../studio.js";
import { typedIn, watchTyping } from "../typing.js";
import { TreeEditor } from "./editor.js";
import { makeFiles } from "./files.js";
import { makeForm } from "./form.js";
import { EditGraph } from "./graph.js";
import { pickNode } from "./palette.js";

export function treesMode() {
  const editor = new TreeEditor();
  const panel = make("div", {}, make("p", { class: "quiet", text: "Opening the tree …" }));
  const files = makeFiles(editor, () => typedIn(panel));
  const undo = () => say(`Undo: ${editor.undo() ?? "nothing to undo"}.`);
  const redo = () => say(`Redo: ${editor.redo() ?? "nothing to redo"}.`);
  const form = makeForm(editor, { files, undo, redo, addTree });
  const graph = new EditGraph(editor);
  const tools = make("div", { class: "tree-tools", role: "toolbar", "aria-label": "Edit the tree" });
  const stage = make("section", { id: "tree-editor", class: "graph", "aria-label": "Tree editor", hidden: true }, tools, graph.svg);
  let isHere = false;

  editor.onChange((what) => {
    if (what === "tree") {
      files.check();
      files.keepSoon();
      graph.update();
    } else graph.mark();
    drawTools();
    if (form.node.parentElement !== panel) fill(panel, form.node);
    form.draw();
  });

  const refuse = (done, words) => done || say(words, "wrong");

  async function add(where) {
    const { node } = editor;
    const parent = where === "inside" ? node : node?.parent;
    if (!parent) return say("The root has no siblings: add inside.", "wrong");
    if (!editor.takes(parent)) return say(`${parent.parts.kind} has no room for another node.`, "wrong");
    const given = await pickNode(`Add ${where} ${node.label}`, editor);
    if (given) editor.add(editor.make(given), where);
    graph.svg.focus({ preventScroll: true });
  }

  async function wrap() {
    const given = await pickNode("Wrap in", editor, (kind) => kind.most !== 0 && kind.least <= 1);
    if (given) editor.wrap(given.kind);
    graph.svg.focus({ preventScroll: true });
  }

  async function addTree() {
    const name = await askName("Add tree", "Name of the new tree, which others use as a subtree.", "tree", "Add");
    if (name && editor.names.includes(name)) say(`There already is a tree ${name}.`, "wrong");
    else if (name) editor.addTree(name);
  }

  const move = (direction) => refuse(editor.step(direction), `This node cannot move ${direction}.`);
  const ACTS = [
    ["Add before", () => add("before"), "Shift+A"],
    ["Add after", () => add("after"), "A"],
    ["Add inside", () => add("inside"), "I"],
    ["Wrap", wrap, "W"],
    ["Unwrap", () => refuse(editor.unwrap(), "Its children do not fit in its place."), "U"],
    ["Duplicate", () => refuse(editor.duplicate(), "There is no room for a copy."), "D"],
    ["Remove", () => refuse(editor.remove(), "The root cannot be removed: change its kind or unwrap it."), "Delete"],
    ["Up", () => move("up"), "Alt+↑"],
    ["Down", () => move("down"), "Alt+↓"],
    ["Out", () => move("out"), "Alt+←"],
    ["Into above", () => move("in"), "Alt+→"],
  ];
  const KEYS = Object.fromEntries(ACTS.map(([, act, key]) => [key, act]));
  const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "in" };

  function drawTools() {
    const disabled = !editor.node;
    fill(
      tools,
      ...ACTS.map(([label, act, key]) => button(label, act, { title: `${label} (${key})`, disabled, "data-key": label })),
      ...graph.zoomButtons(),
    );
  }

  const toFields = () => (panel.querySelector("[data-key^=parameter]") ?? panel.querySelector("[data-key=name]"))?.focus();

  function keydown(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const name = `${event.shiftKey ? "Shift+" : ""}${key.length === 1 ? key.toUpperCase() : key}`;
    const own = event.altKey ? ARROWS[key] && (() => move(ARROWS[key])) : KEYS[name];
    if (isCommand && key === "z") (event.shiftKey ? redo : undo)();
    else if (isCommand && key === "y") redo();
    else if (isCommand && key === "s") files.save();
    else if (isCommand && key === "Enter") files.apply(form.brain());
    else if (isCommand || !editor.isReady) return false;
    else if (key === "Escape" && graph.cancelDrag()) return true;
    else if (key === "Backspace") KEYS.Delete();
    else if (key === "Enter" && event.target === graph.svg) toFields();
    else if (own && !event.target.closest?.("button")) own();
    else return false;
    event.preventDefault();
    return true;
  }
  // Leaving a field by Escape returns to the tree, not to the map below it.
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    graph.svg.focus({ preventScroll: true });
  });

  // The tree of the selected agent, else of the first agent that has one.
  function first() {
    const agents = studio.hello?.agents ?? [];
    const own = ({ brain }) => brain && brain !== "puppet";
    const chosen = studio.selected?.kind === "agent" ? agents[studio.selected.number] : null;
    return (chosen && own(chosen) ? chosen : agents.find(own))?.brain ?? "guard";
  }

  async function enter() {
    isHere = true;
    if (!stage.isConnected) find("#stage").append(stage);
    stage.hidden = false;
    document.body.classList.add("covered");
    if (!editor.isReady) await files.open(first());
    else graph.update();
    if (isHere) graph.svg.focus({ preventScroll: true });
  }

  function leave() {
    isHere = false;
    files.keep();
    stage.hidden = true;
    document.body.classList.remove("covered");
    find("#map").focus({ preventScroll: true });
  }

  if (hasServer()) {
    watchTyping([panel], { keep: files.keep, keepSoon: files.keepSoon, isDirty: () => editor.isDirty });
    studio.editTree = async (name) => {
      const wasReady = editor.isReady;
      setMode("trees");
      if (wasReady && editor.name !== name && !editor.isDirty) await files.open(name);
      else if (wasReady && editor.name !== name) say(`${editor.file} has unsaved changes. “Open …” leads to ${name}.`);
    };
  }
  studio.trees = () => ({
    isReady: editor.isReady, isDirty: editor.isDirty, name: editor.name, file: editor.file, digest: editor.digest, users: editor.users,
    value: structuredClone(editor.value), faults: editor.checked === editor.value ? editor.placed : null, tree: editor.tree,
    chosen: editor.chosen, labels: editor.nodes.map(({ label }) => label), brain: form.brain(),
    undo: editor.undoing.past.map(({ label }) => label),
  });

  return {
    name: "trees",
    title: "Trees",
    key: "/",
    panel: () => panel,
    enter,
    leave,
    keydown,
    keys: (lists) => [
      [
        "Trees",
        [
          ["arrows", "choose a node"], ["drag", "move a node before, after or into another"],
          ["Alt arrows", "move the node up, down, out, into the one above"],
          ["A, Shift A, I", "add after, before, inside"], ["W, U", "wrap, unwrap"], ["D", "duplicate"], ["Delete", "remove"],
          ["Enter", "its parameters"], ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"], ["Ctrl+S", "save"],
          ["Ctrl+Enter", "put the tree into the running game"],
        ],
      ],
      ...lists.filter(([title]) => ["Time", "Page"].includes(title)),
    ],
  };
}
