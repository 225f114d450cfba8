// Opens, checks, saves and applies trees; unsaved work is a draft.

import { ageOf } from "../drafts.js";
import { makeSaving, stillFaulty } from "../editing/saving.js";
import { makeValueFile } from "../editing/value_file.js";
import { offerDrafts, pickOne } from "../side/dialogs.js";
import { agentName, on, say, studio } from "../studio.js";
import { checkTree, drafts, listTrees, openTree, saveTree } from "./server.js";

export function makeFiles(editor, typed) {
  const { write, mayLeave, keep, keepSoon, failed } = makeSaving(editor, {
    drafts,
    typed,
    noun: "this tree",
    send: ({ name, digest }) => saveTree({ name, digest, text: editor.text, users: editor.users, value: editor.value }),
    written({ name, digest, text }, saved) {
      Object.assign(editor, { file: name, digest, text, saved });
      return stillFaulty(editor.faults.length, "applied");
    },
    draftOf(value) {
      const { name, file, digest, text } = editor;
      return value === editor.saved ? null : [name, file, { file, digest, text, value }];
    },
    saveAs: () => saveAs,
  });
  const { check, save, saveAs } = makeValueFile(editor, {
    typed,
    write,
    failed,
    ask: (value, signal) => checkTree(editor.file, editor.users, value, signal),
  });

  const titleOf = ({ name, title }) => name || title;

  // Open a tree, or a draft of it if the user wants to restore one.
  async function open(name) {
    try {
      const left = (await drafts.all()).filter((one) => one.name === name);
      await show(name, await offerDrafts("Unsaved draft", left, titleOf, drafts.discard));
    } catch (error) {
      failed(error);
    }
  }

  async function show(name, draft) {
    const kept = draft && (await drafts.take(draft));
    const given = await openTree(name);
    if (!kept) drafts.begin();
    editor.open({ ...given, ...kept, isSaved: !kept });
  }

  async function another() {
    if (!(await leave())) return;
    try {
      const [left, all] = [await drafts.all(), await listTrees()];
      const used = new Set((studio.hello?.agents ?? []).map(({ brain }) => brain));
      const rows = (list) => list.map(({ name, about }) => [name, about, () => open(name)]);
      const answer = await pickOne("Open a tree", [
        ["Drafts", left.map((draft) => [titleOf(draft), ageOf(draft), () => show(draft.name, draft).catch(failed)])],
        ["In this game", rows(all.filter(({ name }) => used.has(name)))],
        ["Trees", rows(all.filter(({ name }) => !used.has(name)))],
      ]);
      await answer?.();
    } catch (error) {
      failed(error);
    }
  }

  const leave = () => mayLeave(editor.file, save);

  async function create() {
    if (await leave()) await open("");
  }

  // Give the agents with a brain the tree as it is now, saved or not; the server checks it again.
  function apply(brain) {
    typed()?.blur();
    if (!editor.isReady || !brain) return;
    if (editor.checked === editor.value && editor.faults.length)
      return say("Not applied: fix the faults first. The game goes on with the old tree.", "wrong");
    studio.send("apply", { brain, value: editor.value });
  }
  on("message tree applied", ({ agents, tick }) => {
    const names = agents.slice(0, 3).map(agentName).join(", ") + (agents.length > 3 ? ` and ${agents.length - 3} more` : "");
    const start = agents.length === 1 ? "starts" : "start";
    say(`Applied: ${names} ${start} again with the edited tree at ${(tick * studio.hello.step).toFixed(1)} s.`);
  });

  return { open, another, create, check, save, saveAs, apply, keep, keepSoon };
}
