// The panel of the level editor: file, faults, selection, and a list of all objects.

import { button, fill, make, plural } from "../dom.js";
import { fileMenu } from "../side/dialogs.js";
import { signedArea, boundsOf } from "./geometry.js";
import { fieldsOf, sharedFields, sizeFields } from "./fields.js";
import { number } from "./inputs.js";
import { KINDS, pointsOf, shapeOf, titleOf } from "./kinds.js";
import { typedInto } from "../typing.js";
import { toolNamed } from "./tools.js";

const MOST_LISTED = 200;
const HINTS = {
  select: "Click to select, Shift-click to add, drag to move. Drag a corner to move it, or the middle of a side to add a corner.",
  area: "Drag a rectangle, or click corner by corner; Enter or a click on the first corner closes the shape.",
  hole: "Drag or click a hole inside a floor. Everything that is not floor is wall.",
  slab: "Drag from end to end, or click points one after another; hold Shift to align to 45°.",
  point: "Click to place; drag to set the direction it faces.",
  line: "Click stop by stop; Enter or a double-click finishes. Start on a guard to assign the route to it.",
};

export function makePanel(editor, files, { goTo }) {
  const title = make("input", {
    type: "text",
    class: "level-title",
    maxlength: 80,
    placeholder: "Level name",
    "aria-label": "Level name",
    spellcheck: "false",
    on: { change: () => editor.rename(title.value.trim()) },
  });
  typedInto(title, () => editor.rename(title.value.trim()));
  const state = make("p", { class: "quiet file-state" });
  const play = button("Play level", files.play, { title: "Play the level as drawn (Ctrl+Enter)" });
  const save = button("Save", files.save, { class: "main", title: "Save (Ctrl+S)" });
  const menu = fileMenu("New, open, save as, download", [
    ["New level", files.create],
    ["Open …", files.another, "Ctrl O"],
    ["Save as …", files.saveAs, "Ctrl ⇧ S"],
    ["Download GeoJSON", files.download],
  ]);
  const file = make("div", { class: "file-bar" }, save, play, menu);
  const faults = make("section", { class: "faults", "aria-label": "Problems" });
  const chosen = make("section", { class: "chosen", "aria-label": "Selection" });
  const list = make("details", { class: "things" }, make("summary", { text: "Objects" }), make("div", { class: "list" }));
  list.addEventListener("toggle", showList);
  const node = make("section", { class: "card editor" }, title, state, file, faults, chosen, list);

  function showFile() {
    if (document.activeElement !== title) title.value = editor.drawing.title;
    title.shown = editor.drawing.title;
    title.disabled = Boolean(editor.mesh); // a mesh is named by its file
    const name = editor.file || "no file yet";
    const words = editor.isDirty ? "unsaved" : editor.digest ? "saved" : "unchanged";
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
    const counted = [errors && plural(errors, "error"), warnings && plural(warnings, "warning")].filter(Boolean).join(", ");
    const isKnown = editor.checked === editor.drawing;
    const words = editor.faults.length ? counted : isKnown ? "No problems" : "Checking …";
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
    const heading = single ? nounOf(single) : plural(features.length, "object");
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
    const width = tool.kind === "door" ? ["doorWidth", "Thickness"] : ["wallWidth", "Thickness"];
    const put = (value) => value > 0 && ((editor[width[0]] = value), editor.tell("tool"));
    return [
      make("h3", { text: tool.title }),
      make("p", { class: "quiet hint", text: HINTS[tool.draws ?? tool.name] }),
      tool.draws === "slab" ? number(width[1], editor[width[0]], put, { unit: "m", min: 0.02 }) : null,
    ];
  }

  function showList() {
    const { here } = editor;
    list.firstChild.textContent = `Objects on this floor (${here.length})`;
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
            text: `and ${ordered.length - MOST_LISTED} more: press Tab on the map to step through all`,
          })
        : null;
    fill(list.lastChild, ...ordered.slice(0, MOST_LISTED).map(entry), more);
  }

  // Text being typed while the fields are rebuilt carries over to the new ones.
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

  // Once per frame, however fast the pointer moves.
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

const nounOf = ({ kind, properties }) =>
  kind === "spawn" ? titleOf({ kind, properties: { who: properties.who ?? "guard" } }) : KINDS[kind].title;
