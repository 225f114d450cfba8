// Opens, checks, saves and runs scenarios; unsaved work is a draft.

import { choose, askName, offerDrafts } from "../side/dialogs.js";
import { say, studio, tell } from "../studio.js";
import { checkScenario, drafts, openScenario, saveScenario } from "./server.js";

const KEEP = 400; // milliseconds after a change until the draft is stored
const CHECK = 150;

export function makeFiles(editor, typed) {
  let timer = 0;
  let checking = 0;
  let asking = null;
  let isSaving = false;

  const failed = (error) => error.name !== "AbortError" && say(error.message, "wrong");

  // Open the scenario or level that is open in the studio, unless the user restores a draft of it.
  async function open() {
    const { kind, source } = studio.hello;
    try {
      const left = (await drafts.all()).filter(({ name }) => name === source);
      const draft = await offerDrafts("Unsaved draft", left, ({ name }) => name, drafts.discard);
      const kept = draft && (await drafts.take(draft));
      const { name: _, ...given } = kind === "level" ? await openScenario("", source) : await openScenario(source, "");
      if (!kept) drafts.begin();
      editor.open({ ...given, source, isSaved: kind !== "level", ...(kept ? { ...kept, isSaved: false } : {}) });
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
    return write(full, full === editor.file ? editor.digest : "");
  }

  async function save() {
    typed()?.blur(); // leaving the field commits its text
    return editor.isReady && write(editor.file, editor.digest);
  }

  async function write(name, digest) {
    if (isSaving) return false;
    const { value } = editor;
    isSaving = true;
    try {
      const answer = await saveScenario(name, digest, editor.text, value);
      if (answer.type === "changed") return await conflict(name, answer);
      Object.assign(editor, { file: answer.name, source: answer.name, digest: answer.digest, text: answer.text, saved: value });
      drafts.drop();
      tell("message menus", { scenarios: answer.scenarios });
      editor.tell("file");
      say(`Saved ${answer.name}.${editor.faults.length ? " It has faults and cannot be run yet." : ""}`);
      return true;
    } catch (error) {
      failed(error);
      return false;
    } finally {
      isSaving = false;
    }
  }

  // A file that changed on disk is replaced only after the user confirms that very version.
  async function conflict(name, { message, digest }) {
    const words = [`${message}.`, digest ? "Its current contents would be lost." : "Save it again?"];
    const answer = await choose("Replace the file?", words, [["Cancel", null], ["Save as …", "as"], ["Replace", "over", !digest]]);
    isSaving = false;
    if (answer === "as") return saveAs();
    return answer === "over" ? write(name, digest) : false;
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

  function keepSoon() {
    clearTimeout(timer);
    timer = setTimeout(keep, KEEP);
  }

  // Text being typed is stored as if the field were left now.
  async function keep() {
    clearTimeout(timer);
    if (!editor.isReady) return;
    const field = typed();
    const value = field ? editor.rehearse(() => field.take()) : editor.value;
    if (value === editor.saved) return drafts.drop();
    const { source, file, digest, text } = editor;
    const kept = await drafts.keep(source, file, { file, digest, text, value });
    if (!kept) say("No draft could be stored. Save before you leave.", "wrong");
  }

  return { open, check, save, saveAs, run, keep, keepSoon, begin: () => drafts.begin() };
}
