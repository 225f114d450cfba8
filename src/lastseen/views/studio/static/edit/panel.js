// What is shown beside the map while a level is drawn? The file, what is wrong, what is selected, everything there is.

import { button, fill, make } from "../dom.js";
import { signedArea, boundsOf } from "./geometry.js";
import { fieldsOf, sharedFields, sizeFields } from "./fields.js";
import { number } from "./inputs.js";
import { KINDS, pointsOf, shapeOf, titleOf } from "./kinds.js";
import { typedInto } from "../typing.js";
import { toolNamed } from "./tools.js";

const MOST_LISTED = 200;
const HINTS = {
  select: "Click to select, drag to move, Shift adds. Drag a corner to shape, the middle of a side to add one.",
  area: "Drag a rectangle, or click corner by corner; Enter or the first corner closes it.",
  hole: "Drag or click a hole inside a floor: what is not floor is wall.",
  slab: "Drag from end to end, or click one after another; Shift keeps it straight.",
  point: "Click to place; drag to say which way it faces.",
  line: "Click stop by stop; Enter or a double click ends it. Begin on a guard to give it the round.",
};

export function makePanel(editor, files, { goTo }) {
  const title = make("input", {
    type: "text",
    class: "level-title",
    maxlength: 80,
    placeholder: "Name of the level",
    "aria-label": "Name of the level",
    spellcheck: "false",
    on: { change: () => editor.rename(title.value.trim()) },
  });
  typedInto(title, () => editor.rename(title.value.trim()));
  const state = make("p", { class: "quiet file-state" });
  const play = button("Play this", files.play, { title: "Play the level as it is drawn (Ctrl+Enter)" });
  const save = button("Save", files.save, { class: "main", title: "Save (Ctrl+S)" });
  const file = make("div", { class: "file-bar" }, save, play, moreMenu(files));
  const faults = make("section", { class: "faults", "aria-label": "Faults" });
  const chosen = make("section", { class: "chosen", "aria-label": "Selection" });
  const list = make("details", { class: "things" }, make("summary", { text: "Everything here" }), make("div", { class: "list" }));
  list.addEventListener("toggle", showList);
  const node = make("section", { class: "card editor" }, title, state, file, faults, chosen, list);

  function showFile() {
    if (document.activeElement !== title) title.value = editor.drawing.title;
    title.shown = editor.drawing.title;
    const name = editor.file || "no file yet";
    const words = editor.isDirty ? "not saved" : editor.digest ? "saved" : "unchanged";
    fill(
      state,
      make("span", { text: name }),
      make("span", { class: editor.isDirty ? "dirty" : "", text: ` · ${words}` }),
      editor.note ? make("span", { class: "note", text: editor.note }) : null,
    );
    save.disabled = Boolean(editor.digest) && !editor.isDirty;
  }

  function showFaults() {
    const errors = editor.faults.filter(({ severity }) => severity === "error").length;
    const warnings = editor.faults.length - errors;
    const counted = [errors && plural(errors, "fault"), warnings && plural(warnings, "warning")].filter(Boolean).join(", ");
    const isKnown = editor.checked === editor.drawing;
    const words = editor.faults.length ? counted : isKnown ? "No faults" : "Checking …";
    fill(faults, make("h3", { class: errors ? "wrong" : "", text: words }), make("ul", {}, ...editor.faults.slice(0, 60).map(faultEntry)));
  }

  function faultEntry(fault) {
    const node = button("", () => goTo(fault), { class: `fault ${fault.severity}` });
    const feature = editor.features.find(({ id }) => id === fault.id);
    const name = feature ? titleOf(feature) : fault.where;
    node.append(make("span", { text: `${name ? `${name}: ` : ""}${fault.what}.` }), make("small", { text: fault.advice }));
    return make("li", {}, node);
  }

  let shown = [];
  function showChosen() {
    const state = [editor.drawing, editor.selected, editor.corner, editor.tool, editor.doorWidth, editor.wallWidth];
    if (state.every((one, at) => one === shown[at])) return;
    shown = state;
    redone(() => (editor.selected.size ? showFields(editor.chosen(), editor.single()) : fill(chosen, ...toolNode())));
  }

  function showFields(features, single) {
    const bounds = boundsOf(features.flatMap(pointsOf));
    const heading = single ? nounOf(single) : plural(features.length, "thing");
    const area = features
      .filter((one) => shapeOf(one) === "area")
      .reduce(
        (sum, { parts }) => sum + parts.reduce((all, ring, at) => all + Math.abs(signedArea(ring)) * (at ? -1 : 1), 0),
        0,
      );
    fill(
      chosen,
      make("h3", {}, make("span", { text: heading }), area ? make("small", { text: `${Number(area.toFixed(2))} m²` }) : null),
      ...(single ? fieldsOf(editor, single) : sharedFields(editor, features)),
      sizeFields(editor, bounds, features),
    );
  }

  function toolNode() {
    const tool = toolNamed(editor.tool);
    const width = tool.kind === "door" ? ["doorWidth", "Thick"] : ["wallWidth", "Thick"];
    const put = (value) => value > 0 && ((editor[width[0]] = value), editor.tell("tool"));
    return [
      make("h3", { text: tool.title }),
      make("p", { class: "quiet hint", text: HINTS[tool.draws ?? tool.name] }),
      tool.draws === "slab" ? number(width[1], editor[width[0]], put, { unit: "m", min: 0.02 }) : null,
    ];
  }

  function showList() {
    const { here } = editor;
    list.firstChild.textContent = `Everything on this floor (${here.length})`;
    if (!list.open) return;
    const ordered = [...here].sort((one, other) => Object.keys(KINDS).indexOf(one.kind) - Object.keys(KINDS).indexOf(other.kind));
    const entry = (feature) => {
      const node = button("", () => goTo({ id: feature.id, at: null }), {
        class: "thing",
        "aria-pressed": String(editor.selected.has(feature.id)),
      });
      node.append(make("span", { text: titleOf(feature) }), make("small", { text: KINDS[feature.kind].title.toLowerCase() }));
      return node;
    };
    const more =
      ordered.length > MOST_LISTED
        ? make("p", {
            class: "quiet",
            text: `and ${ordered.length - MOST_LISTED} more: Tab on the map goes through all`,
          })
        : null;
    fill(list.lastChild, ...ordered.slice(0, MOST_LISTED).map(entry), more);
  }

  // What is being typed when the fields are made anew is typed into the new ones.
  function redone(make) {
    const before = chosen.contains(document.activeElement) ? document.activeElement : null;
    const isTyped = before?.matches("input[type=text], input[type=number]");
    const typed = isTyped && before.value !== before.getAttribute("value") ? before.value : null;
    make();
    if (!before) return;
    const after = [...chosen.querySelectorAll("input, select, button")].find((one) => labelOf(one) === labelOf(before));
    after?.focus({ preventScroll: true });
    if (after && typed !== null) after.value = typed;
    else if (isTyped) after?.select();
  }
  const labelOf = (node) => node.closest("label")?.firstChild.textContent ?? node.textContent;

  // Once for each picture, however fast the hand is.
  let told = new Set();
  editor.onChange((what) => {
    if (!told.size) requestAnimationFrame(show);
    told.add(what);
  });
  function show() {
    const has = (...names) => names.some((name) => told.has(name));
    if (has("faults", "drawing")) showFaults();
    if (has("drawing", "selection", "tool", "file")) showChosen();
    if (has("drawing", "file")) showFile();
    showList();
    told = new Set();
  }
  return node;
}

function moreMenu(files) {
  const close = () => (box.open = false);
  const entry = (label, act, key = "") => {
    const node = button(label, () => (close(), act()), { class: "entry" });
    if (key) node.append(make("kbd", { text: key }));
    return node;
  };
  const menu = make(
    "div",
    { class: "menu" },
    entry("New level", files.create),
    entry("Open …", files.another, "Ctrl O"),
    entry("Save as …", files.saveAs, "Ctrl ⇧ S"),
    entry("Download GeoJSON", files.download),
  );
  const box = make("details", { class: "share file-menu" }, make("summary", { text: "File", title: "New, open, save as, download" }), menu);
  addEventListener("pointerdown", (event) => box.contains(event.target) || close());
  return box;
}

const nounOf = ({ kind, properties }) =>
  kind === "spawn" ? titleOf({ kind, properties: { who: properties.who ?? "guard" } }) : KINDS[kind].title;
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
