// Where do rules come from and go to? Opened as copies or as the user's own, saved, kept as drafts, played.

import { say, studio } from "../studio.js";
import { ageOf } from "../drafts.js";
import { askName, choose, offerDrafts, pickOne } from "../edit/dialogs.js";
import { drafts } from "./drafts.js";
import { originsOf, plainOf } from "./model.js";
import { listRules, openRules, saveRules } from "./server.js";

const KEEP = 400; // milliseconds after a change until it is kept
export const NEW = "";

export function makeFiles(editor, { setMode, typed }) {
  let timer = 0;
  let isFull = false;
  let isSaving = false;
  let isPlaying = false;

  const failed = (error) => say(error.message, "wrong");
  const titleOf = (name) => name || "new rules";

  // Rules of the server, unless there is unsaved work on them that the reader wants back.
  async function open(name) {
    try {
      const draft = await offer((await drafts.all()).filter((one) => one.name === name));
      return draft ? take(draft) : await show(name, null);
    } catch (error) {
      failed(error);
      return false;
    }
  }

  async function take(draft) {
    const data = await drafts.take(draft);
    if (data) return show(draft.name, data);
    say(`What was kept of “${titleOf(draft.name)}” cannot be read.`, "wrong");
    return false;
  }

  async function show(name, data) {
    const given = await openRules(name).catch((error) => {
      if (!data) throw error;
      return gone(name, data, error);
    });
    if (!data) drafts.begin();
    editor.open(given, new Map((data?.files ?? []).map((file) => [file.name, file])));
    return true;
  }

  // What was opened is there no more, but what was written of it is.
  function gone(name, draft, error) {
    say(`${error.message}. Your changes were kept: save them under another name.`, "wrong");
    const files = draft.files.map(({ name: file, text, before }) => {
      const form = /\.json$/i.test(file) ? "json" : "yaml";
      return { name: file, form, text, digest: "", value: before, error: "" };
    });
    return { name, title: titleOf(name), target: `${name || "rules"} copy`, is_copy: true, single: Boolean(draft.single), files };
  }

  const offer = (left) => offerDrafts("Unsaved rules", left, (draft) => titleOf(draft.name), drafts.discard);

  // First what was left unsaved, whatever it was; else the rules of the running game.
  async function first(name) {
    const left = await drafts.all();
    const draft = await offer([...left.filter((one) => one.name === name), ...left.filter((one) => one.name !== name)]);
    if (draft && (await take(draft).catch(failed))) return true;
    return (await show(name, null).catch(failed)) || (name !== "guards" && open("guards"));
  }

  async function another() {
    if (!(await mayLeave())) return;
    const left = await drafts.all();
    const rules = await listRules().catch((error) => (failed(error), []));
    const answer = await pickOne("Open rules", [
      ["Unsaved work", left.map((draft) => [titleOf(draft.name), ageOf(draft), () => take(draft).catch(failed)])],
      ["Rules", rules.map(({ name, about }) => [name, about, () => open(name)])],
    ]);
    await answer?.();
  }

  // Nothing is lost: unsaved work stays a draft.
  async function mayLeave() {
    typed()?.blur(); // what is typed is taken as a field is left
    if (!editor.isDirty) return true;
    const words = `“${editor.title}” has changes that are not saved.`;
    const answer = await choose("Save first?", words, [
      ["Cancel", null],
      ["Keep as unsaved work", "keep"],
      ["Save", "save", true],
    ]);
    if (answer === "keep") (keep(), drafts.begin());
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
    const name = await askName(
      "Save rules as",
      `${kind} in the folder the studio was opened on.`,
      editor.isCopy ? editor.target : copyName(editor.target),
      "Save",
    );
    if (!name) return false;
    return write(name.toLowerCase().endsWith(ending) ? name : name + ending, { isNew: true });
  }

  const copyName = (name) =>
    name
      .split("/")
      .at(-1)
      .replace(/(\.\w+)?$/, (ending) => ` copy${ending}`);

  // Only files that were changed are written over; a copy is written whole.
  function bodyOf(target, isNew, digests) {
    const files = (isNew ? editor.model.files : editor.changedFiles()).map((file) => {
      const base = editor.base.get(file.name);
      const name = editor.single ? target.split("/").at(-1) : file.name;
      const digest = digests.get(name) ?? (isNew ? "" : base.digest);
      return base.file === file
        ? { name, text: base.text, digest }
        : { name, text: base.text, digest, value: plainOf(file), origins: originsOf(file, editor.base) };
    });
    return { target, files, is_new: isNew, single: editor.single };
  }

  async function write(target, { isNew, digests = new Map() }) {
    if (isSaving) return false;
    const { model } = editor;
    isSaving = true;
    try {
      const saved = await saveRules(bodyOf(target, isNew, digests));
      if (saved.type === "changed") return await conflict(target, { isNew, digests }, saved);
      editor.saved(saved, model);
      drafts.drop();
      keep();
      const errors = editor.faults.filter(({ severity }) => severity === "error").length;
      say(`Saved ${target}.${errors ? ` It has ${errors} fault${errors > 1 ? "s" : ""} and cannot be played yet.` : ""}`);
      if (saved.bare.length) say(`JSON holds no comments: those of “${saved.bare.join("”, “")}” are gone.`, "wrong");
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
    const answer = await choose(isGone ? "The file is gone" : "Replace the file?", words, [
      ["Cancel", null],
      ["Save as …", "as"],
      [isGone ? "Write it" : "Replace", "over", isGone],
    ]);
    isSaving = false;
    if (answer === "as") return saveAs();
    return answer === "over" ? write(target, { isNew, digests: new Map([...digests, [file, digest]]) }) : false;
  }

  // Rules are played as they are saved: whoever opens the recording later finds them by their name.
  async function play() {
    if (editor.faults.some(({ severity }) => severity === "error"))
      return say("Mend the faults first: they are listed in the panel.", "wrong");
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

  // What is being typed is kept as if its field were left now.
  async function keep() {
    clearTimeout(timer);
    if (!editor.isReady) return;
    const field = typed();
    const model = field ? editor.rehearse(() => field.take()) : editor.model;
    const files = editor.changedFiles(model).map((file) => {
      const { text, digest, file: before } = editor.base.get(file.name);
      return { name: file.name, text, digest, before: plainOf(before), value: plainOf(file), origins: originsOf(file, editor.base) };
    });
    if (!files.length) return drafts.drop();
    const kept = await drafts.keep(editor.name, editor.title, { files, single: editor.single });
    if (!kept && !isFull) say("These rules can be kept nowhere: save them before you leave.", "wrong");
    isFull = !kept;
  }

  return { first, open, another, create, save, saveAs, play, begun, keepSoon, keep, mayLeave };
}
