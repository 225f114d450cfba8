// Opens, checks, saves and runs scenarios; unsaved work is a draft.

import { makeSaving } from "../editing/saving.js";
import { makeValueFile } from "../editing/value_file.js";
import { offerDrafts } from "../side/dialogs.js";
import { say, studio, tell } from "../studio.js";
import { checkScenario, drafts, openScenario, saveScenario } from "./server.js";

export function makeFiles(editor, typed) {
  const { write, keep, keepSoon, failed } = makeSaving(editor, {
    drafts,
    typed,
    noun: "this scenario",
    send: ({ name, digest }) => saveScenario(name, digest, editor.text, editor.value),
    written({ name, digest, text, scenarios }, saved) {
      Object.assign(editor, { file: name, source: name, digest, text, saved });
      tell("message menus", { scenarios });
      return editor.faults.length ? "It has faults and cannot be run yet." : "";
    },
    draftOf(value) {
      const { source, file, digest, text } = editor;
      return [editor.saved, editor.opened].includes(value) ? null : [source, file, { file, digest, text, value }];
    },
    saveAs: () => saveAs,
  });
  const { check, save, saveAs } = makeValueFile(editor, {
    typed,
    write,
    failed,
    ask: (value, signal) => checkScenario(editor.file, value, signal),
  });

  // Open the scenario or level that is open in the studio, unless the user restores a draft of it.
  async function open() {
    const { kind, source } = studio.hello;
    try {
      const left = (await drafts.all()).filter(({ name }) => name === source);
      const draft = await offerDrafts("Unsaved draft", left, ({ name }) => name, drafts.discard);
      const kept = draft && (await drafts.take(draft));
      const { name: _, ...given } = kind === "level" ? await openScenario("", source) : await openScenario(source, "");
      if (!kept) drafts.begin();
      editor.open({ ...given, source, isSaved: kind !== "level", ...(kept ? { ...kept, isSaved: false, isDraft: true } : {}) });
    } catch (error) {
      failed(error);
    }
  }

  // Files that a scenario names are relative to it, so it is saved before it runs.
  async function run() {
    typed()?.blur();
    if (editor.checked === editor.value && editor.faults.length)
      return say("Fix the faults first: they are marked at their fields.", "wrong");
    if ((editor.isDirty || !editor.digest) && !(await save())) return;
    studio.send("open", { scenario: editor.file });
    studio.send("run", { running: true });
  }

  return { open, check, save, saveAs, run, keep, keepSoon, begin: () => drafts.begin() };
}
