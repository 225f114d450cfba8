// Opens, checks, saves and runs scenarios; unsaved work is a draft.

import { makeSaving } from "../editing/saving.js";
import { askName, offerDrafts } from "../side/dialogs.js";
import { say, studio, tell } from "../studio.js";
import { checkScenario, drafts, openScenario, saveScenario } from "./server.js";

const CHECK = 150; // milliseconds after a change until it is checked

export function makeFiles(editor, typed) {
  let checking = 0;
  let asking = null;
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

  function check() {
    clearTimeout(checking);
    asking?.abort();
    if (!editor.isReady) return;
    checking = setTimeout(async () => {
      const { value } = editor;
      asking = new AbortController();
      try {
        const { faults, choices } = await checkScenario(editor.file, value, asking.signal);
        Object.assign(editor, { faults, choices, checked: value });
        editor.tell("faults");
      } catch (error) {
        failed(error);
      }
    }, CHECK);
  }

  async function saveAs() {
    const name = await askName("Save as", "Name of a YAML file in the studio's folder.", editor.file, "Save");
    if (!name) return false;
    const full = /\.(ya?ml|json)$/i.test(name) ? name : `${name}.yaml`;
    return write({ name: full, digest: full === editor.file ? editor.digest : "" });
  }

  async function save() {
    typed()?.blur(); // leaving the field commits its text
    return editor.isReady && write({ name: editor.file, digest: editor.digest });
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
