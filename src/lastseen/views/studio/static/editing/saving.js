// How the editors save: drafts of unsaved work, questions before it is left, and files that changed meanwhile.

import { say } from "../studio.js";
import { choose } from "../side/dialogs.js";

const KEEP = 400; // milliseconds after a change until the draft is stored

// `editor`: an `Undoable` with `isReady` and `isDirty`; `typed()`: the field being typed into; `noun`: what is edited.
//   send(asked)             writes a file and returns the server's answer
//   written(answer, state)  takes over the answer; returns what to say about it, besides the name that was saved
//   draftOf(state)          the arguments of `drafts.keep`; null: nothing is unsaved
//   allow(asked, answer)    the same request, but it may replace the version of the file that the answer names
//   saveAs()                asks for a name; null: the name is fixed
export function makeSaving(editor, { drafts, typed, noun, send, written, draftOf, allow, saveAs }) {
  let timer = 0;
  let isFull = false;
  let isSaving = false;

  const failed = (error) => {
    if (error.name !== "AbortError") say(error.message, "wrong");
    return false;
  };

  async function write(asked) {
    if (isSaving) return false;
    const state = editor.undoing.now;
    isSaving = true;
    try {
      const answer = await send(asked);
      if (answer.type === "changed") return await conflict(asked, answer);
      const more = written(answer, state);
      drafts.drop();
      keep();
      editor.tell("file");
      say(`Saved ${answer.name}.${more ? ` ${more}` : ""}`);
      return true;
    } catch (error) {
      return failed(error);
    } finally {
      isSaving = false;
    }
  }

  // A file that changed on disk is replaced only after the user confirms that very version.
  async function conflict(asked, answer) {
    const isGone = !answer.digest;
    const words = [`${answer.message}.`, isGone ? "Save it again?" : "Its current contents would be lost."];
    const choice = await choose(isGone ? "The file no longer exists" : "Replace the file?", words, [
      ["Cancel", null],
      ...(saveAs() ? [["Save as …", "as"]] : []),
      [isGone ? "Save" : "Replace", "over", isGone],
    ]);
    isSaving = false;
    if (choice === "as") return saveAs()();
    return choice === "over" ? write(allow ? allow(asked, answer) : { ...asked, digest: answer.digest }) : false;
  }

  // Nothing is lost: unsaved changes stay in a draft.
  async function mayLeave(title, save) {
    typed()?.blur(); // leaving the field commits its text
    if (!editor.isDirty) return true;
    const choices = [["Cancel", null], ["Keep as draft", "keep"], ["Save", "save", true]];
    const answer = await choose("Save first?", `“${title}” has unsaved changes.`, choices);
    if (answer === "keep") {
      keep();
      drafts.begin();
    }
    return answer === "keep" || (answer === "save" && (await save()));
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
    const draft = draftOf(field ? editor.rehearse(() => field.take()) : editor.undoing.now);
    if (!draft) return drafts.drop();
    const isKept = await drafts.keep(...draft);
    if (!isKept && !isFull) say(`No draft of ${noun} could be stored. Save before you leave.`, "wrong");
    isFull = !isKept;
  }

  return { write, mayLeave, keep, keepSoon, failed };
}

// The faults of unfinished work, as a sentence after its name was saved.
export const stillFaulty = (errors, use) =>
  errors ? `It has ${errors} error${errors > 1 ? "s" : ""} and cannot be ${use} yet.` : "";
