// What the editors of scenarios and trees share: a value in one YAML file, which the server checks after each change.

import { askName } from "../side/dialogs.js";

const CHECK = 150; // milliseconds after a change until it is checked

// `write`, `failed`: of `makeSaving`; `ask(value, signal)`: the server's check, whose answer the editor takes over.
export function makeValueFile(editor, { typed, write, failed, ask }) {
  let checking = 0;
  let asking = null;

  function check() {
    clearTimeout(checking);
    asking?.abort();
    if (!editor.isReady) return;
    checking = setTimeout(async () => {
      const { value } = editor;
      asking = new AbortController();
      try {
        const { faults, choices } = await ask(value, asking.signal);
        Object.assign(editor, { faults, checked: value, ...(choices && { choices }) });
        editor.tell("faults");
      } catch (error) {
        failed(error);
      }
    }, CHECK);
  }

  async function save() {
    typed()?.blur(); // leaving the field commits its text
    return editor.isReady && write({ name: editor.file, digest: editor.digest });
  }

  async function saveAs() {
    const name = await askName("Save as", "Name of a YAML file in the studio's folder.", editor.file, "Save");
    if (!name) return false;
    const full = /\.(ya?ml|json)$/i.test(name) ? name : `${name}.yaml`;
    return write({ name: full, digest: full === editor.file ? editor.digest : "" });
  }

  return { check, save, saveAs };
}

// Whether a draft holds such a value with its file.
export const isValueFile = (data) =>
  ["file", "digest", "text"].every((key) => typeof data?.[key] === "string") && typeof data.value === "object" && data.value !== null;
