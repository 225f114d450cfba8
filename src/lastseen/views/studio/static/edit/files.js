// Where do drawings come from and go to? Opened as copies or as the user's own, saved, downloaded, played.

import { say, studio, tell } from "../studio.js";
import { make } from "../dom.js";
import { ageOf } from "../drafts.js";
import { allDrafts, dropDraft, keepDraft } from "./drafts.js";
import { askName, choose, pickOne } from "./dialogs.js";
import { emptyDrawing, fromGeoJSON } from "./model.js";
import { openLevel, saveLevel, uploadLevel } from "./server.js";

const KEEP = 400; // milliseconds after a change until it is kept
export const NEW = "new level";

export function makeFiles(editor, { afterOpen, setMode }) {
  let timer = 0;
  let isPlaying = false;
  let isFull = false;
  let isSaving = false;

  const failed = (error) => say(error.message, "wrong");

  // A drawing of the server, unless there is unsaved work on it that the reader wants back.
  async function open(name) {
    try {
      const draft = allDrafts().find((one) => one.source === name);
      if (draft && (await offer(draft)) && take(draft)) return true;
      const { level, ...given } = await openLevel(name);
      begin({ ...given, drawing: fromGeoJSON(level), source: name, isSaved: true });
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
    begin({ drawing: emptyDrawing(""), source: NEW, file: "", digest: "", isSaved: true });
  }

  async function offer(draft) {
    const words = [`“${titleOf(draft)}” was changed ${ageOf(draft)} and not saved.`, "Take it up again where you left it?"];
    const answer = await choose("Unsaved work", words, [["Throw it away", "drop"], ["Take it up", "take", true]], "take");
    if (answer === "drop") dropDraft(draft.source);
    return answer === "take";
  }

  function take(draft) {
    try {
      begin({ drawing: fromGeoJSON(JSON.parse(draft.text)), source: draft.source, file: draft.file, digest: draft.digest, isSaved: false });
      return true;
    } catch {
      dropDraft(draft.source);
      say(`What was kept of “${titleOf(draft)}” cannot be read.`, "wrong");
      return false;
    }
  }

  // First what was left unsaved, whatever it was; else the level that is open in the studio.
  async function first() {
    const { source, kind } = studio.hello;
    const drafts = allDrafts();
    const draft = drafts.find((one) => one.source === source) ?? drafts[0];
    if (draft && (await offer(draft)) && take(draft)) return true;
    if (kind === "level" && (await open(source))) return true;
    fresh();
    if (kind !== "level") say("A scenario or recording is open: this is a new level. Open… has all levels.");
    return true;
  }

  async function another() {
    if (!(await mayLeave())) return;
    const drafts = allDrafts().filter(({ source }) => source !== editor.source);
    const answer = await pickOne("Open a level", [
      ["Unsaved work", drafts.map((draft) => [titleOf(draft), ageOf(draft), () => take(draft)])],
      ["Levels", (studio.hello?.levels ?? []).map(({ name, about }) => [name, about ?? "", () => open(name)])],
    ]);
    answer?.();
  }

  // Nothing is lost: unsaved work stays in the browser.
  async function mayLeave() {
    if (!editor.isDirty) return true;
    const words = `“${editor.drawing.title || editor.file || NEW}” has changes that are not saved.`;
    const answer = await choose("Save first?", words, [["Cancel", null], ["Keep as unsaved work", "keep"], ["Save", "save", true]]);
    if (answer === "keep") keep();
    return answer === "keep" || (answer === "save" && (await save()));
  }

  async function create() {
    if (await mayLeave()) fresh();
  }

  async function save() {
    if (!editor.isReady) return false;
    return editor.file && (editor.digest || editor.source !== NEW) ? write(editor.file, editor.digest) : saveAs();
  }

  async function saveAs() {
    const name = await askName("Save as", "A GeoJSON file in the folder the studio was opened on.", editor.file || `${fileName(editor.drawing.title)}.geojson`, "Save");
    if (!name) return false;
    const full = /\.geojson$/i.test(name) ? name : `${name}.geojson`;
    return write(full, full === editor.file ? editor.digest : "");
  }

  async function write(name, digest) {
    if (isSaving) return false;
    const { drawing, source } = editor;
    isSaving = true;
    try {
      const saved = await saveLevel(name, editor.text(), digest);
      if (saved.type === "changed") return await conflict(name, saved);
      written(saved, drawing, source);
      return true;
    } catch (error) {
      failed(error);
      return false;
    } finally {
      isSaving = false;
    }
  }

  function written(saved, drawing, source) {
    Object.assign(editor, { file: saved.name, digest: saved.digest, source: saved.name, saved: drawing, note: "" });
    for (const name of new Set([source, saved.name])) dropDraft(name);
    tell("message menus", { levels: saved.levels });
    editor.tell("file");
    const left = saved.errors ? ` It has ${saved.errors} fault${saved.errors > 1 ? "s" : ""} and cannot be played yet.` : "";
    say(`Saved ${saved.name}.${left}`);
  }

  // Somebody else's file is replaced only if that very file was meant.
  async function conflict(name, { message, digest }) {
    const gone = !digest;
    const words = [`${message}.`, gone ? "Write it anew?" : "What is in it now would be lost."];
    const answer = await choose(gone ? "The file is gone" : "Replace the file?", words, [["Cancel", null], ["Save as …", "as"], [gone ? "Write it" : "Replace", "over", gone]]);
    isSaving = false;
    if (answer === "as") return saveAs();
    return answer === "over" ? write(name, digest) : false;
  }

  function download() {
    const text = editor.text().replaceAll('{"type":"Feature"', '\n{"type":"Feature"');
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "application/geo+json" })), download: editor.file || `${fileName(editor.drawing.title)}.geojson` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 5000);
  }

  // What is saved is opened by its name, what is not as a file of this run.
  async function play() {
    if (editor.faults.some(({ severity }) => severity === "error")) return say("Mend the faults first: they are marked on the map.", "wrong");
    try {
      const isSaved = editor.digest && !editor.isDirty;
      const name = isSaved ? editor.file : (await uploadLevel(editor.file || `${fileName(editor.drawing.title)}.geojson`, editor.text())).name;
      isPlaying = true;
      studio.send("open", { level: name, difficulty: studio.hello?.difficulty ?? "normal" });
    } catch (error) {
      failed(error);
    }
  }

  // The next level that opens is the one to be played.
  function opened() {
    if (isPlaying) setMode("play");
    isPlaying = false;
  }

  function keepSoon() {
    clearTimeout(timer);
    timer = setTimeout(keep, KEEP);
  }

  function keep() {
    clearTimeout(timer);
    if (!editor.isReady) return;
    if (!editor.isDirty) return dropDraft(editor.source);
    const kept = keepDraft(editor.source, { file: editor.file, digest: editor.digest, text: editor.text(), title: editor.drawing.title });
    if (!kept && !isFull) say("This drawing is too large to be kept in the browser: save it before you leave.", "wrong");
    isFull = !kept;
  }

  return { first, open, another, create, save, saveAs, download, play, opened, keepSoon, keep };
}

const titleOf = ({ title, file, source }) => title || file || source;

// A title as a name that any system takes.
function fileName(title) {
  return title.replace(/[^\p{L}\p{N} _-]+/gu, "_").replace(/^[ _-]+|[ _-]+$/g, "").slice(0, 60) || "level";
}
