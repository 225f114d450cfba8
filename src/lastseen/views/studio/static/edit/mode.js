// The Edit mode connects the parts of the level editor; while it is active the map shows the drawing.

import { fill, find, make } from "../dom.js";
import { setMode } from "../modes/modes.js";
import { change, on, say, studio } from "../studio.js";
import { typedIn, watchTyping } from "../typing.js";
import { drafts } from "./server.js";
import { makeChecking } from "./checking.js";
import { Editor } from "./editor.js";
import { makeFiles } from "./files.js";
import { boundsOf } from "./geometry.js";
import { makeHand } from "./hand.js";
import { EDIT_LISTS, makeKeys } from "./keys.js";
import { pointsOf } from "./kinds.js";
import { drawBox, drawFaults, drawPen, drawSelection, drawSnap, faultAt } from "./marks.js";
import { drawingBounds } from "./model.js";
import { Painting } from "./paint.js";
import { makePalette } from "./palette.js";
import { makePanel } from "./panel.js";
import { drawRulers, drawSize, penSize, sizeText } from "./rulers.js";
import { hasServer } from "../requests.js";
import { makePen, toolNamed } from "./tools.js";

export function editMode(scene, redraw) {
  const { camera } = scene;
  const editor = new Editor();
  const painting = new Painting(editor);
  const hand = makeHand(editor, camera);
  const pen = makePen(editor, camera, say);
  const check = makeChecking(editor);
  const files = makeFiles(editor, { afterOpen: look, setMode, typed: () => typedIn(panel) });
  // While an outline is being drawn, undo removes its last corner.
  const undo = () => pen.back() || say(`Undo: ${editor.undo() ?? "nothing to undo"}.`);
  const redo = () => say(`Redo: ${editor.redo() ?? "nothing to redo"}.`);
  const palette = makePalette(editor, { undo, redo });
  const isOnMap = () => [find("#map"), document.body].includes(document.activeElement);
  const keydown = makeKeys(editor, { camera, fit, pen, files, undo, redo, say, isOnMap, goTo });
  const panel = make(
    "div",
    {},
    make(
      "section",
      { class: "card" },
      make("p", { class: "quiet", text: "Editing levels needs the studio: start it with “lastseen play”." }),
    ),
  );
  if (hasServer()) fill(panel, makePanel(editor, files, { goTo }));
  let isHere = false;
  let isPanning = false;
  let kept = null;

  editor.onChange((what) => {
    if (what === "drawing") {
      camera.bounds = isHere ? drawingBounds(editor.all) : camera.bounds;
      files.keepSoon();
      check();
    }
    if (what === "tool") pen.reset();
    if (what === "tool") find("#map").dataset.tool = editor.tool;
    redraw();
  });

  // The camera shows the drawing while the mode is active.
  function look() {
    if (!isHere) return;
    camera.begin({ bounds: drawingBounds(editor.all), y_down: editor.drawing.isDown, storeys: [{ z: 0 }] });
    fit();
    editor.tell("tool");
    find("#map").focus({ preventScroll: true });
  }

  // Fit the whole drawing between the rulers, the tools and the text at the bottom.
  function fit() {
    camera.fit();
    camera.scale *= Math.min((camera.width - 70) / camera.width, (camera.height - 130) / camera.height);
    camera.pan(8, 22);
    redraw();
  }

  // A level this editor uploaded to be played is the drawing itself.
  const isOther = ({ kind, source }) => kind === "level" && source !== editor.source && !source.startsWith("uploaded/");

  async function enter() {
    isHere = true;
    change("stacked", false);
    kept = { hello: studio.hello, view: { x: camera.x, y: camera.y, scale: camera.scale, isWhole: camera.isWhole } };
    document.body.classList.add("editing");
    if (!hasServer()) return;
    palette.enter();
    if (studio.status.running) studio.send("run", { running: false });
    look();
    if (!studio.hello) return;
    if (!editor.isReady) await files.first();
    else if (!editor.isDirty && isOther(studio.hello)) await files.open(studio.hello.source);
  }

  function leave() {
    isHere = false;
    files.keep();
    palette.leave();
    document.body.classList.remove("editing");
    delete find("#map").dataset.tool;
    if (!studio.hello) return;
    camera.begin(studio.hello.level);
    if (kept.hello !== studio.hello) return; // another level: show it whole
    Object.assign(camera, kept.view);
    if (camera.isWhole) camera.fit();
  }

  // Show and select the subject of a fault or a list entry.
  function goTo({ id, at }, isNear = false) {
    const feature = editor.features.find((one) => one.id === id);
    const isThere = (_, storey) => editor.seenOn(storey).includes(feature);
    const storey = feature ? editor.storeys.findIndex(isThere) : editor.storey;
    if (feature && !editor.here.includes(feature)) editor.useStorey(storey);
    editor.tool = "select";
    editor.choose(feature ? [id] : []);
    const bounds = at ? [at[0], at[1], at[0], at[1]] : feature && boundsOf(pointsOf(feature));
    if (!bounds) return;
    const [x, y] = [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2];
    const [px, py] = camera.project(x, y);
    const isSeen = px > 60 && py > 60 && px < camera.width - 60 && py < camera.height - 60;
    if (!isSeen) Object.assign(camera, { x, y, isWhole: false });
    editor.tell("tool");
    if (!isNear) find("#map").focus({ preventScroll: true });
  }

  // Everything is drawn in pixels of the map, with the label placement of the scene.
  function paint(ink, ratio) {
    const { labels } = scene;
    labels.begin(camera.width, camera.height);
    painting.draw(ink, camera, ratio, labels);
    drawSelection(ink, editor, camera);
    drawBox(ink, camera, hand.state.box);
    drawPen(ink, editor, camera, pen);
    drawSnap(ink, camera, editor.tool === "select" ? hand.state.snapped : pen.state.snapped);
    drawFaults(ink, editor, camera, labels);
    drawRulers(ink, editor, camera);
    const { pointer } = editor;
    if (pointer) drawSize(ink, penSize(pen.state, toolNamed(editor.tool).draws), pointer.px, pointer.py, camera.width);
    palette.say(statusText());
  }

  function statusText() {
    const { pointer, selected } = editor;
    const place = pen.state.to && editor.tool !== "select" ? pen.state.to : pointer && [pointer.x, pointer.y];
    const where = pointer ? `x ${place[0].toFixed(2)}  y ${place[1].toFixed(2)}` : "";
    const bounds = selected.size ? boundsOf(editor.chosen().flatMap(pointsOf)) : null;
    const [wide, high] = bounds ? [bounds[2] - bounds[0], bounds[3] - bounds[1]] : [0, 0];
    const size = bounds ? `${selected.size} selected${wide || high ? ` · ${sizeText(wide, high)}` : ""}` : "";
    return [where, size].filter(Boolean).join("   ·   ");
  }

  on("hello", () => {
    files.opened();
    if (!isHere) return;
    const { x, y, scale } = camera;
    look();
    if (editor.isReady) Object.assign(camera, { x, y, scale, isWhole: false });
    else files.first();
  });
  on("theme", redraw);
  watchTyping([panel], { keep: files.keep, keepSoon: files.keepSoon, isDirty: () => editor.isDirty });
  const remind = async () =>
    studio.mode !== "edit" &&
    (await drafts.all()).some(({ isOpen }) => !isOpen) &&
    say("There is an unsaved level draft. Edit (4) restores it.");
  if (hasServer()) setTimeout(remind, 1500);
  studio.edit = () => ({
    tool: editor.tool,
    title: editor.drawing.title,
    file: editor.file,
    source: editor.source,
    mesh: editor.mesh,
    backdrop: structuredClone(editor.drawing.backdrop),
    digest: editor.digest,
    isDirty: editor.isDirty,
    isReady: editor.isReady,
    storey: editor.storey,
    storeys: editor.storeys,
    selected: [...editor.selected],
    corner: editor.corner,
    faults: editor.checked === editor.drawing ? editor.faults : null,
    features: structuredClone(editor.features),
    grid: editor.grid,
    undo: editor.undoing.past.map(({ label }) => label),
    redo: editor.undoing.future.length,
  });

  return {
    name: "edit",
    title: "Edit",
    key: "4",
    letter: "e",
    keys: (lists) => [...EDIT_LISTS, ...lists.filter(([title]) => title === "Page")],
    panel: () => panel,
    enter,
    leave,
    paint: (ink, ratio) => (editor.isReady ? paint(ink, ratio) : undefined),
    grab(at, event) {
      if (!editor.isReady || isPanning) return null;
      const fault = editor.tool === "select" ? faultAt(editor, camera, at) : undefined;
      if (fault) return goTo(fault, true), { claims: true };
      return editor.tool === "select" ? hand.press(at, event) : pen.press(at, event);
    },
    hover(at) {
      editor.pointer = at;
      if (editor.tool !== "select") pen.hover(at);
    },
    click: () => true,
    keydown(event) {
      if (event.code === "Space" && isOnMap()) isPanning = true;
      return editor.isReady && keydown(event);
    },
    keyup(event) {
      if (event.code === "Space") isPanning = false;
    },
  };
}
