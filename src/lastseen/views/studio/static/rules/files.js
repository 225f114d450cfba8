// Where do rules come from and go to? Opened as copies or as the user's own, saved, kept as drafts, played.

import { say, studio } from "../studio.js";
import { ageOf } from "../drafts.js";
import { askName, choose, pickOne } from "../edit/dialogs.js";
import { allDrafts, dropDraft, keepDraft } from "./drafts.js";
import { originsOf, plainOf } from "./model.js";
import { listRules, openRules, saveRules } from "./server.js";

const KEEP = 400; // milliseconds after a change until it is kept
export const NEW = "";

export function makeFiles(editor, { setMode }) {
  let timer = 0;
  let isFull = false;
  let isSaving = false;
  let isPlaying = false;

  const failed = (error) => say(error.message, "wrong");
  const titleOf = (name) => name || "new rules";

  // Rules of the server, unless there is unsaved work on them that the reader wants back.
  async function open(name) {
    try {
      const draft = allDrafts().find((one) => one.name === name);
      const isWanted = draft && (await offer(draft));
      const given = await openRules(name).catch((error) => {
        if (!isWanted) throw error;
        return gone(draft, error);
      });
      editor.open(given, new Map(isWanted ? draft.files.map((file) => [file.name, file]) : []));
      return true;
    } catch (error) {
      failed(error);
      return false;
    }
  }

  // What was opened is there no more, but what was written of it is.
  function gone(draft, error) {
    say(`${error.message}. Your changes were kept: save them under another name.`, "wrong");
    const files = draft.files.map(({ name, text, before }) => ({ name, form: /\.json$/i.test(name) ? "json" : "yaml", text, digest: "", value: before, error: "" }));
    return { name: draft.name, title: titleOf(draft.name), target: `${draft.name || "rules"} copy`, is_copy: true, single: Boolean(draft.single), files };
  }

  async function offer(draft) {
    const words = [`“${titleOf(draft.name)}” was changed ${ageOf(draft)} and not saved.`, "Take it up again where you left it?"];
    const answer = await choose("Unsaved rules", words, [["Throw it away", "drop"], ["Take it up", "take", true]], "take");
    if (answer === "drop") dropDraft(draft.name);
    return answer === "take";
  }

  // First what was left unsaved; else the rules of the running game.
  async function first(name) {
    const draft = allDrafts().find((one) => one.name === name) ?? allDrafts()[0];
    return (await open(draft ? draft.name : name)) || (name !== "guards" && open("guards"));
  }

  async function another() {
    if (!(await mayLeave())) return;
    const drafts = allDrafts().filter(({ name }) => name !== editor.name);
    const rules = await listRules().catch((error) => (failed(error), []));
    const answer = await pickOne("Open rules", [
      ["Unsaved work", drafts.map((draft) => [titleOf(draft.name), ageOf(draft), () => open(draft.name)])],
      ["Rules", rules.map(({ name, about }) => [name, about, () => open(name)])],
    ]);
    await answer?.();
  }

  // Nothing is lost: unsaved work stays in the browser.
  async function mayLeave() {
    if (!editor.isDirty) return true;
    const words = `“${editor.title}” has changes that are not saved.`;
    const answer = await choose("Save first?", words, [["Cancel", null], ["Keep as unsaved work", "keep"], ["Save", "save", true]]);
    if (answer === "keep") keep();
    return answer === "keep" || (answer === "save" && (await save()));
  }

  async function create() {
    if (await mayLeave()) await open(NEW);
  }

  // A copy is saved under a name the reader has seen.
  async function save() {
    if (!editor.isReady) return false;
    if (editor.isCopy) return saveAs();
    return !editor.isDirty || write(editor.target, { isNew: false });
  }

  async function saveAs() {
    const kind = editor.single ? "A file" : "A folder of files";
    const ending = editor.single ? (/\.\w+$/.exec(editor.model.files[0].name)?.[0] ?? ".yaml") : "";
    const name = await askName("Save rules as", `${kind} in the folder the studio was opened on.`, editor.isCopy ? editor.target : copyName(editor.target), "Save");
    if (!name) return false;
    return write(name.toLowerCase().endsWith(ending) ? name : name + ending, { isNew: true });
  }

  const copyName = (name) => name.split("/").at(-1).replace(/(\.\w+)?$/, (ending) => ` copy${ending}`);

  // Only files that were changed are written over; a copy is written whole.
  function bodyOf(target, isNew, digests) {
    const files = (isNew ? editor.model.files : editor.changedFiles()).map((file) => {
      const base = editor.base.get(file.name);
      const name = editor.single ? target.split("/").at(-1) : file.name;
      const digest = digests.get(name) ?? (isNew ? "" : base.digest);
      return base.file === file ? { name, text: base.text, digest } : { name, text: base.text, digest, value: plainOf(file), origins: originsOf(file, base.ids) };
    });
    return { target, files, is_new: isNew, single: editor.single };
  }

  async function write(target, { isNew, digests = new Map() }) {
    if (isSaving) return false;
    const { model, name } = editor;
    isSaving = true;
    try {
      const saved = await saveRules(bodyOf(target, isNew, digests));
      if (saved.type === "changed") return await conflict(target, { isNew, digests }, saved);
      editor.saved(saved, model);
      for (const one of new Set([name, target])) dropDraft(one);
      if (editor.isDirty) keep();
      const errors = editor.faults.filter(({ severity }) => severity === "error").length;
      say(`Saved ${target}.${errors ? ` It has ${errors} fault${errors > 1 ? "s" : ""} and cannot be played yet.` : ""}`);
      return true;
    } catch (error) {
      failed(error);
      return false;
    } finally {
      isSaving = false;
    }
  }

  // Somebody else's file is replaced only if that very file was meant.
  async function conflict(target, { isNew, digests }, { message, file, digest }) {
    const isGone = !digest;
    const words = [`${message}.`, isGone ? "Write it anew?" : "What is in it now would be lost."];
    const answer = await choose(isGone ? "The file is gone" : "Replace the file?", words, [["Cancel", null], ["Save as …", "as"], [isGone ? "Write it" : "Replace", "over", isGone]]);
    isSaving = false;
    if (answer === "as") return saveAs();
    return answer === "over" ? write(target, { isNew, digests: new Map([...digests, [file, digest]]) }) : false;
  }

  // Rules are played as they are saved: whoever opens the recording later finds them by their name.
  async function play() {
    if (editor.faults.some(({ severity }) => severity === "error")) return say("Mend the faults first: they are listed in the panel.", "wrong");
    if ((editor.isDirty || editor.name === NEW) && !(await save())) return;
    isPlaying = true;
    studio.send("rules", { name: editor.isCopy ? editor.name : editor.target });
  }

  // The next game that begins is the one with these rules.
  function begun() {
    if (!isPlaying) return;
    isPlaying = false;
    setMode("play");
    say(`From the start, with “${editor.title}”.`);
  }

  function keepSoon() {
    clearTimeout(timer);
    timer = setTimeout(keep, KEEP);
  }

  function keep() {
    clearTimeout(timer);
    if (!editor.isReady) return;
    const files = editor.changedFiles().map((file) => {
      const { text, digest, ids, file: before } = editor.base.get(file.name);
      return { name: file.name, text, digest, before: plainOf(before), value: plainOf(file), origins: originsOf(file, ids) };
    });
    if (!files.length) return dropDraft(editor.name);
    const kept = keepDraft(editor.name, { files, single: editor.single });
    if (!kept && !isFull) say("These rules are too large to be kept in the browser: save them before you leave.", "wrong");
    isFull = !kept;
  }

  return { first, open, another, create, save, saveAs, play, begun, keepSoon, keep, mayLeave };
}
