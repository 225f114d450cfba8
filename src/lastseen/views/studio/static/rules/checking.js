// Checks the rules on the server soon after every change, as `lastseen rules check` does.

import { checkRules } from "./server.js";

const WAIT = 300; // milliseconds without a change

// `facts()` returns what the scenario of the game sets.
export function makeChecking(editor, facts) {
  let timer = 0;
  let asking = null;

  async function check() {
    const { model } = editor;
    asking?.abort();
    asking = new AbortController();
    let faults = model.files
      .filter(({ error }) => error)
      .map(({ name, error, form, raw }) => ({
        severity: form === "toml" && raw ? "warning" : "error",
        what: error,
        file: name,
        path: null,
        id: null,
        field: [],
      }));
    try {
      const files = editor.plain(); // empty if no file can be read
      const told = files.length ? await checkRules(files, facts(), asking.signal) : { faults: [] };
      faults = [...faults, ...told.faults.map((fault) => placed(fault, model))];
    } catch (error) {
      if (error.name === "AbortError") return;
      faults = [...faults, { severity: "error", what: error.message, file: "", path: null, id: null, field: [] }];
    }
    if (editor.model !== model) return;
    Object.assign(editor, { faults, checked: model });
    editor.tell("faults");
  }

  return () => {
    clearTimeout(timer);
    timer = setTimeout(check, WAIT);
  };
}

// ["handlers", name, "rules", 3, "when", 1] is the second condition of the fourth rule; ["lines", id, "de"] a text.
function placed(fault, model) {
  const { file, path } = fault;
  const [part, name, group, number, ...field] = path ?? [];
  if (part === "lines") return { ...fault, id: null, line: name, field: path.slice(2).map(String) };
  const handler = part === "handlers" ? model.files.find((one) => one.name === file)?.handlers.find((one) => one.name === name) : null;
  const id = group === "rules" ? (handler?.rules[number]?.id ?? null) : null;
  return { ...fault, id, handler: handler?.name ?? fault.handler, field: field.map(String) };
}
