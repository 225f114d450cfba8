// Opens, saves and plays rules, and stores drafts.

import { say, studio } from "../studio.js";
import { ageOf } from "../drafts.js";
import { makeSaving, stillFaulty } from "../editing/saving.js";
import { askName, offerDrafts, pickOne } from "../side/dialogs.js";
import { originsOf, plainOf } from "./model.js";
import { drafts, listRules, openRules, saveRules } from "./server.js";

export const NEW = "";

export function makeFiles(editor, { setMode, typed }) {
  let isPlaying = false;
  const { write, mayLeave, keep, keepSoon, failed } = makeSaving(editor, {
    drafts,
    typed,
    noun: "these rules",
    send: (asked) => saveRules(bodyOf(asked)),
    written(saved, model) {
      editor.saved(saved, model);
      if (saved.bare.length) queueMicrotask(() => say(`JSON has no comments: those of “${saved.bare.join("”, “")}” were lost.`, "wrong"));
      return stillFaulty(editor.faults.filter(({ severity }) => severity === "error").length, "played");
    },
    draftOf(model) {
      const files = editor.changedFiles(model).map((file) => {
        const { text, digest, file: before } = editor.base.get(file.name);
        return { name: file.name, text, digest, before: plainOf(before), value: plainOf(file), origins: originsOf(file, editor.base) };
      });
      return files.length ? [editor.name, editor.title, { files, single: editor.single }] : null;
    },
    allow: (asked, { file, digest }) => ({ ...asked, digests: new Map([...asked.digests, [file, digest]]) }),
    saveAs: () => saveAs,
  });
  const titleOf = (name) => name || "new rules";

  // Open rules from the server, unless the user restores a draft of them.
  async function open(name) {
    try {
      const draft = await offer((await drafts.all()).filter((one) => one.name === name));
      return draft ? take(draft) : await show(name, null);
    } catch (error) {
      return failed(error);
    }
  }

  async function take(draft) {
    const data = await drafts.take(draft);
    if (data) return show(draft.name, data);
    say(`The draft of “${titleOf(draft.name)}” cannot be read.`, "wrong");
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

  // The original rules are gone, but the draft is not.
  function gone(name, draft, error) {
    say(`${error.message}. Your changes are still here: save them under another name.`, "wrong");
    const files = draft.files.map(({ name: file, text, before }) => {
      const form = /\.json$/i.test(file) ? "json" : "yaml";
      return { name: file, form, text, digest: "", value: before, error: "" };
    });
    return { name, title: titleOf(name), target: `${name || "rules"} copy`, is_copy: true, single: Boolean(draft.single), files };
  }

  const offer = (left) => offerDrafts("Unsaved draft", left, (draft) => titleOf(draft.name), drafts.discard);

  // Offer all drafts first; otherwise open the rules of the running game.
  async function first(name) {
    const left = await drafts.all();
    const draft = await offer([...left.filter((one) => one.name === name), ...left.filter((one) => one.name !== name)]);
    if (draft && (await take(draft).catch(failed))) return true;
    return (await show(name, null).catch(failed)) || (name !== "guards" && open("guards"));
  }

  async function another() {
    if (!(await leave())) return;
    const left = await drafts.all();
    const rules = await listRules().catch((error) => (failed(error), []));
    const answer = await pickOne("Open rules", [
      ["Drafts", left.map((draft) => [titleOf(draft.name), ageOf(draft), () => take(draft).catch(failed)])],
      ["Rules", rules.map(({ name, about }) => [name, about, () => open(name)])],
    ]);
    await answer?.();
  }

  const leave = () => mayLeave(editor.title, save);

  async function create() {
    if (await leave()) await open(NEW);
  }

  // The user confirms the name of a copy.
  async function save() {
    if (!editor.isReady) return false;
    if (editor.isCopy) return saveAs();
    return !editor.isDirty || put(editor.target, false);
  }

  async function saveAs() {
    const kind = editor.single ? "a file" : "a folder";
    const ending = editor.single ? (/\.\w+$/.exec(editor.model.files[0].name)?.[0] ?? ".yaml") : "";
    const name = await askName(
      "Save rules as",
      `Name of ${kind} in the studio's folder.`,
      editor.isCopy ? editor.target : copyName(editor.target),
      "Save",
    );
    if (!name) return false;
    return put(name.toLowerCase().endsWith(ending) ? name : name + ending, true);
  }

  function put(target, isNew) {
    editor.giveIds();
    return write({ target, isNew, digests: new Map() });
  }

  const copyName = (name) =>
    name
      .split("/")
      .at(-1)
      .replace(/(\.\w+)?$/, (ending) => ` copy${ending}`);

  // Only changed files are overwritten; a copy is written whole.
  function bodyOf({ target, isNew, digests }) {
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

  // Rules must be saved before they are played, so that the recording can refer to them by name.
  async function play() {
    if (editor.faults.some(({ severity }) => severity === "error"))
      return say("Fix the errors first: they are listed in the panel.", "wrong");
    if ((editor.isDirty || editor.name === NEW) && !(await save())) return;
    isPlaying = true;
    studio.send("rules", { name: editor.isCopy ? editor.name : editor.target });
  }

  // The next game that starts is the one with these rules.
  function begun() {
    if (!isPlaying) return;
    isPlaying = false;
    setMode("play");
    say(`Restarted with “${editor.title}”.`);
  }

  return { first, open, another, create, save, saveAs, play, begun, keepSoon, keep, mayLeave: leave };
}
