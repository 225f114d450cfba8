// Where do drawings come from and go to? Opened as copies or as the user's own, saved, downloaded, played.

import { say, studio, tell } from "../studio.js";
import { make } from "../dom.js";
import { ageOf } from "../drafts.js";
import { drafts } from "./drafts.js";
import { askName, choose, offerDrafts, pickOne } from "./dialogs.js";
import { emptyDrawing, fromGeoJSON } from "./model.js";
import { openLevel, saveLevel, uploadLevel } from "./server.js";

const KEEP = 400; // milliseconds after a change until it is kept
export const NEW = "new level";

export function makeFiles(editor, { afterOpen, setMode, typed }) {
  let timer = 0;
  let isPlaying = false;
  let isFull = false;
  let isSaving = false;

  const failed = (error) => say(error.message, "wrong");

  // A drawing of the server, unless there is unsaved work on it that the reader wants back.
  async function open(name) {
    try {
      const draft = await offer((await drafts.all()).filter((one) => one.name === name));
      if (draft && (await take(draft))) return true;
      const { level, ...given } = await openLevel(name);
      drafts.begin();
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
    drafts.begin();
    begin({ drawing: emptyDrawing(""), source: NEW, file: "", digest: "", isSaved: true });
  }

  const offer = (left) => offerDrafts("Unsaved work", left, titleOf, drafts.discard);

  async function take(draft) {
    try {
      const { text, file, digest } = await drafts.take(draft);
      begin({ drawing: fromGeoJSON(JSON.parse(text)), source: draft.name, file, digest, isSaved: false });
      return true;
    } catch {
      say(`What was kept of “${titleOf(draft)}” cannot be read.`, "wrong");
      return false;
    }
  }

  // First what was left unsaved, whatever it was; else the level that is open in the studio.
  async function first() {
    const { source, kind } = studio.hello;
    const left = await drafts.all();
    const draft = await offer([...left.filter(({ name }) => name === source), ...left.filter(({ name }) => name !== source)]);
    if (draft && (await take(draft))) return true;
    if (kind === "level" && (await open(source))) return true;
    fresh();
    if (kind !== "level") say("A scenario or recording is open: this is a new level. Open… has all levels.");
    return true;
  }

  async function another() {
    if (!(await mayLeave())) return;
    const left = await drafts.all();
    const answer = await pickOne("Open a level", [
      ["Unsaved work", left.map((draft) => [titleOf(draft), ageOf(draft), () => take(draft)])],
      ["Levels", (studio.hello?.levels ?? []).map(({ name, about }) => [name, about ?? "", () => open(name)])],
    ]);
    answer?.();
  }

  // Nothing is lost: unsaved work stays a draft.
  async function mayLeave() {
    typed()?.blur(); // what is typed is taken as a field is left
    if (!editor.isDirty) return true;
    const words = `“${editor.drawing.title || editor.file || NEW}” has changes that are not saved.`;
    const answer = await choose("Save first?", words, [["Cancel", null], ["Keep as unsaved work", "keep"], ["Save", "save", true]]);
    if (answer === "keep") (keep(), drafts.begin());
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
    const name = await askName(
      "Save as",
      "A GeoJSON file in the folder the studio was opened on.",
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
      const saved = await saveLevel(name, editor.text(), digest);
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
    Object.assign(editor, { file: saved.name, digest: saved.digest, source: saved.name, saved: drawing, note: "" });
    drafts.drop();
    keep();
    tell("message menus", { levels: saved.levels });
    editor.tell("file");
    const left = saved.errors ? ` It has ${saved.errors} fault${saved.errors > 1 ? "s" : ""} and cannot be played yet.` : "";
    say(`Saved ${saved.name}.${left}`);
  }

  // Somebody else's file is replaced only if that very file was meant.
  async function conflict(name, { message, digest }) {
    const gone = !digest;
    const words = [`${message}.`, gone ? "Write it anew?" : "What is in it now would be lost."];
    const answer = await choose(gone ? "The file is gone" : "Replace the file?", words, [
      ["Cancel", null],
      ["Save as …", "as"],
      [gone ? "Write it" : "Replace", "over", gone],
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

  // What is saved is opened by its name, what is not as a file of this run.
  async function play() {
    if (editor.faults.some(({ severity }) => severity === "error"))
      return say("Mend the faults first: they are marked on the map.", "wrong");
    try {
      const isSaved = editor.digest && !editor.isDirty;
      const name = isSaved
        ? editor.file
        : (await uploadLevel(editor.file || `${fileName(editor.drawing.title)}.geojson`, editor.text())).name;
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

  // What is being typed is kept as if its field were left now.
  async function keep() {
    clearTimeout(timer);
    if (!editor.isReady) return;
    const field = typed();
    const drawing = field ? editor.rehearse(() => field.take()) : editor.drawing;
    if (drawing === editor.saved) return drafts.drop();
    const { file, digest } = editor;
    const kept = await drafts.keep(editor.source, drawing.title || file, { file, digest, text: editor.text(drawing) });
    if (!kept && !isFull) say("This drawing can be kept nowhere: save it before you leave.", "wrong");
    isFull = !kept;
  }

  return { first, open, another, create, save, saveAs, download, play, opened, keepSoon, keep };
}

const titleOf = ({ title, name }) => title || name;

// A title as a name that any system takes.
function fileName(title) {
  return title.replace(/[^\p{L}\p{N} _-]+/gu, "_").replace(/^[ _-]+|[ _-]+$/g, "").slice(0, 60) || "level";
}
