// Opens, saves, downloads and plays drawings.

import { say, studio, tell } from "../studio.js";
import { make } from "../dom.js";
import { ageOf } from "../drafts.js";
import { askName, choose, offerDrafts, pickOne } from "../side/dialogs.js";
import { emptyDrawing, fromGeoJSON } from "./model.js";
import { drafts, openLevel, saveLevel, uploadLevel } from "./server.js";

const KEEP = 400; // milliseconds after a change until the draft is stored
const OVERLAY = ".overlay.geojson"; // the end of the name of a file with what is placed on a mesh
export const NEW = "new level";

export function makeFiles(editor, { afterOpen, setMode, typed }) {
  let timer = 0;
  let isPlaying = false;
  let isFull = false;
  let isSaving = false;

  const failed = (error) => say(error.message, "wrong");

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
      failed(error);
      return false;
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

  async function another() {
    if (!(await mayLeave())) return;
    const left = await drafts.all();
    const answer = await pickOne("Open a level", [
      ["Drafts", left.map((draft) => [titleOf(draft), ageOf(draft), () => take(draft)])],
      ["Levels", (studio.hello?.levels ?? []).map(({ name, about }) => [name, about ?? "", () => open(name)])],
    ]);
    answer?.();
  }

  // Nothing is lost: unsaved changes stay in a draft.
  async function mayLeave() {
    typed()?.blur(); // leaving the field commits its text
    if (!editor.isDirty) return true;
    const words = `“${editor.drawing.title || editor.file || NEW}” has unsaved changes.`;
    const answer = await choose("Save first?", words, [["Cancel", null], ["Keep as draft", "keep"], ["Save", "save", true]]);
    if (answer === "keep") {
      keep();
      drafts.begin();
    }
    return answer === "keep" || (answer === "save" && (await save()));
  }

  async function create() {
    if (await mayLeave()) fresh();
  }

  async function save() {
    if (!editor.isReady) return false;
    return editor.file && (editor.digest || editor.source !== NEW) ? write(editor.file, editor.digest) : saveAs();
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
    return write(full, full === editor.file ? editor.digest : "");
  }

  async function write(name, digest) {
    if (isSaving) return false;
    const { drawing } = editor;
    isSaving = true;
    try {
      const saved = await saveLevel(name, editor.text(), digest, editor.mesh);
      if (saved.type === "changed") return await conflict(name, saved);
      written(saved, drawing);
      return true;
    } catch (error) {
      failed(error);
      return false;
    } finally {
      isSaving = false;
    }
  }

  function written(saved, drawing) {
    const { name, digest } = saved;
    Object.assign(editor, { file: name, digest, saved: drawing, ...(editor.mesh ? {} : { source: name, note: "" }) });
    drafts.drop();
    keep();
    tell("message menus", { levels: saved.levels });
    editor.tell("file");
    const left = saved.errors ? ` It has ${saved.errors} error${saved.errors > 1 ? "s" : ""} and cannot be played yet.` : "";
    say(`Saved ${saved.name}.${left}`);
  }

  // A file that changed on disk is replaced only after the user confirms that very version.
  async function conflict(name, { message, digest }) {
    const gone = !digest;
    const words = [`${message}.`, gone ? "Save it again?" : "Its current contents would be lost."];
    const answer = await choose(gone ? "The file no longer exists" : "Replace the file?", words, [
      ["Cancel", null],
      ...(editor.mesh ? [] : [["Save as …", "as"]]),
      [gone ? "Save" : "Replace", "over", gone],
    ]);
    isSaving = false;
    if (answer === "as") return saveAs();
    return answer === "over" ? write(name, digest) : false;
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

  function keepSoon() {
    clearTimeout(timer);
    timer = setTimeout(keep, KEEP);
  }

  // Text being typed is stored as if the field were left now.
  async function keep() {
    clearTimeout(timer);
    if (!editor.isReady) return;
    const field = typed();
    const drawing = field ? editor.rehearse(() => field.take()) : editor.drawing;
    if (drawing === editor.saved) return drafts.drop();
    const { file, digest } = editor;
    const kept = await drafts.keep(editor.source, drawing.title || file, { file, digest, text: editor.text(drawing) });
    if (!kept && !isFull) say("No draft of this level could be stored. Save it before you leave.", "wrong");
    isFull = !kept;
  }

  return { first, open, another, create, save, saveAs, download, play, opened, keepSoon, keep };
}

const titleOf = ({ title, name }) => title || name;

// A title as a file name that is valid on every system.
function fileName(title) {
  return title.replace(/[^\p{L}\p{N} _-]+/gu, "_").replace(/^[ _-]+|[ _-]+$/g, "").slice(0, 60) || "level";
}
