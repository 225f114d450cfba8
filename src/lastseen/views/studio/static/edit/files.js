// Opens, saves, downloads and plays drawings.

import { say, studio, tell } from "../studio.js";
import { make } from "../dom.js";
import { ageOf } from "../drafts.js";
import { makeSaving, stillFaulty } from "../editing/saving.js";
import { askName, offerDrafts, pickOne } from "../side/dialogs.js";
import { emptyDrawing, fromGeoJSON } from "./model.js";
import { drafts, openLevel, saveLevel, uploadLevel } from "./server.js";

const OVERLAY = ".overlay.geojson"; // the end of the name of a file with what is placed on a mesh
export const NEW = "new level";

export function makeFiles(editor, { afterOpen, setMode, typed }) {
  let isPlaying = false;
  const { write, mayLeave, keep, keepSoon, failed } = makeSaving(editor, {
    drafts,
    typed,
    noun: "this level",
    send: ({ name, digest }) => saveLevel(name, editor.text(), digest, editor.mesh),
    written({ name, digest, errors, levels }, drawing) {
      Object.assign(editor, { file: name, digest, saved: drawing, ...(editor.mesh ? {} : { source: name, note: "" }) });
      tell("message menus", { levels });
      return stillFaulty(errors, "played");
    },
    draftOf(drawing) {
      if (drawing === editor.saved) return null;
      const { source, file, digest } = editor;
      return [source, drawing.title || file, { file, digest, text: editor.text(drawing) }];
    },
    saveAs: () => (editor.mesh ? null : saveAs),
  });

  // Open a level from the server, unless the user restores a draft of it.
  async function open(name) {
    try {
      const draft = await offer((await drafts.all()).filter((one) => one.name === name));
      if (draft && (await take(draft))) return true;
      const { level, backdrop, ...given } = await openLevel(name);
      drafts.begin();
      begin({ ...given, drawing: fromGeoJSON(level, backdrop), source: name, isSaved: true });
      return true;
    } catch (error) {
      return failed(error);
    }
  }

  function begin(given) {
    editor.open(given);
    afterOpen();
  }

  function fresh() {
    drafts.begin();
    begin({ drawing: emptyDrawing(""), source: NEW, file: "", digest: "", isSaved: true });
  }

  const offer = (left) => offerDrafts("Unsaved draft", left, titleOf, drafts.discard);

  async function take(draft) {
    try {
      const { text, file, digest } = await drafts.take(draft);
      const { backdrop, note } = file.endsWith(OVERLAY) ? await openLevel(draft.name) : {};
      begin({ drawing: fromGeoJSON(JSON.parse(text), backdrop), source: draft.name, file, digest, note, isSaved: false });
      return true;
    } catch (error) {
      const reason = error instanceof TypeError || error instanceof SyntaxError ? "" : ` ${error.message}`;
      say(`The draft of “${titleOf(draft)}” cannot be read.${reason}`, "wrong");
      return false;
    }
  }

  // Offer all drafts first; otherwise open the level that is open in the studio.
  async function first() {
    const { source, kind } = studio.hello;
    const left = await drafts.all();
    const draft = await offer([...left.filter(({ name }) => name === source), ...left.filter(({ name }) => name !== source)]);
    if (draft && (await take(draft))) return true;
    if (kind === "level" && (await open(source))) return true;
    fresh();
    if (kind !== "level") say("The open scenario or recording cannot be edited, so this is a new level. File > Open lists all levels.");
    return true;
  }

  const leave = () => mayLeave(editor.drawing.title || editor.file || NEW, save);

  async function another() {
    if (!(await leave())) return;
    const left = await drafts.all();
    const answer = await pickOne("Open a level", [
      ["Drafts", left.map((draft) => [titleOf(draft), ageOf(draft), () => take(draft)])],
      ["Levels", (studio.hello?.levels ?? []).map(({ name, about }) => [name, about ?? "", () => open(name)])],
    ]);
    answer?.();
  }

  async function create() {
    if (await leave()) fresh();
  }

  async function save() {
    if (!editor.isReady) return false;
    return editor.file && (editor.digest || editor.source !== NEW) ? write({ name: editor.file, digest: editor.digest }) : saveAs();
  }

  // What is placed on a mesh has only one place: next to it.
  async function saveAs() {
    if (editor.mesh) return save();
    const name = await askName(
      "Save as",
      "Name of a GeoJSON file in the studio's folder.",
      editor.file || `${fileName(editor.drawing.title)}.geojson`,
      "Save",
    );
    if (!name) return false;
    const full = /\.geojson$/i.test(name) ? name : `${name}.geojson`;
    return write({ name: full, digest: full === editor.file ? editor.digest : "" });
  }

  function download() {
    const text = editor.text().replaceAll('{"type":"Feature"', '\n{"type":"Feature"');
    const link = make("a", {
      href: URL.createObjectURL(new Blob([text], { type: "application/geo+json" })),
      download: editor.file || `${fileName(editor.drawing.title)}.geojson`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 5000);
  }

  // A saved level is opened by its name, an unsaved one is uploaded; what is placed on a mesh is saved first.
  async function play() {
    if (editor.faults.some(({ severity }) => severity === "error"))
      return say("Fix the errors first: they are marked on the map.", "wrong");
    if (editor.mesh && editor.isDirty && !(await save())) return;
    try {
      const isSaved = editor.digest && !editor.isDirty;
      const name = editor.mesh || isSaved
        ? editor.mesh || editor.file
        : (await uploadLevel(editor.file || `${fileName(editor.drawing.title)}.geojson`, editor.text())).name;
      isPlaying = true;
      studio.send("open", { level: name, difficulty: studio.hello?.difficulty ?? "normal" });
    } catch (error) {
      failed(error);
    }
  }

  // The next level that opens is the one to play.
  function opened() {
    if (isPlaying) setMode("play");
    isPlaying = false;
  }

  return { first, open, another, create, save, saveAs, download, play, opened, keepSoon, keep };
}

const titleOf = ({ title, name }) => title || name;

// A title as a file name that is valid on every system.
function fileName(title) {
  return title.replace(/[^\p{L}\p{N} _-]+/gu, "_").replace(/^[ _-]+|[ _-]+$/g, "").slice(0, 60) || "level";
}
