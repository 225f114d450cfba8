// The state of the rules editor and the operations on rules; every change goes through `apply`.

import { Undoable } from "../edit/undo.js";
import { changed, fileOf, freeName, handlersOf, idsOf, newId, plainOf, variablesOf, linesOf, withIds } from "./model.js";

// It notifies about: "rules", "selection", "faults", "file", "tab", "filter".
export class RulesEditor extends Undoable {
  #seen = null;

  constructor() {
    super({ files: [] });
    Object.assign(this, { name: "", title: "", target: "", isCopy: false, single: false, isReady: false, base: new Map() });
    Object.assign(this, { selected: new Set(), current: null, faults: [], checked: null, filter: "", onlyFaults: false, tab: "rules" });
  }

  get model() {
    return this.undoing.now;
  }

  get isDirty() {
    return this.isReady && this.changedFiles().length > 0;
  }

  changedFiles(model = this.model) {
    return model.files.filter((file) => this.base.get(file.name)?.file !== file);
  }

  // Values derived from the rules, computed once per model.
  #derived() {
    if (this.#seen?.model !== this.model) {
      const places = new Map();
      for (const { file, handler } of handlersOf(this.model))
        handler.rules.forEach((entry, index) => places.set(entry.id, { file, handler, entry, index }));
      // Most changes leave all lines unchanged, so keep the identical object.
      const parts = this.model.files.map(({ lines }) => lines);
      const isSame = parts.length === this.#seen?.parts.length && parts.every((one, at) => one === this.#seen.parts[at]);
      this.#seen = {
        model: this.model,
        places,
        parts,
        variables: variablesOf(this.model),
        lines: isSame ? this.#seen.lines : linesOf(this.model),
      };
    }
    return this.#seen;
  }

  get variables() {
    return this.#derived().variables;
  }

  get lines() {
    return this.#derived().lines;
  }

  // Returns {file, handler, entry: {id, rule}, index} of a rule.
  find(id) {
    return this.#derived().places.get(id);
  }

  handler(name) {
    return handlersOf(this.model).find(({ handler }) => handler.name === name);
  }

  // `files` as received from the server; `kept`: changes of a draft, by file name.
  open({ name, title, target, is_copy: isCopy, single, files }, kept = new Map()) {
    const gone = [...kept.values()]
      .filter((draft) => !files.some((one) => one.name === draft.name))
      .map(({ name: one }) => ({ name: one, form: /\.json$/i.test(one) ? "json" : "yaml" }));
    const opened = [...files, ...gone].map((given) => {
      const draft = kept.get(given.name);
      const from = draft ? { ...given, text: draft.text, digest: draft.digest, value: draft.before, error: "" } : given;
      return { file: fileOf(from), text: from.text, digest: from.digest, draft };
    });
    this.base = new Map(opened.map(({ file, text, digest }) => [file.name, { file, text, digest, ids: idsOf(file) }]));
    const now = opened.map(({ file, draft }) => (draft ? restored(file, draft, this.base) : file));
    this.undoing.begin({ files: now });
    Object.assign(this, { name, title, target, isCopy, single, isReady: true, faults: [], checked: null, filter: "", onlyFaults: false });
    this.choose([]);
    this.tell("file");
    this.tell("rules");
  }

  // Every line of a changed file gets an id before it is saved, under which it can be translated and recorded.
  giveIds() {
    const files = withIds(this.model, new Set(this.changedFiles().map(({ name }) => name)));
    if (files.some((file, at) => file !== this.model.files[at])) this.apply(files, "give lines ids");
  }

  // After saving, the written texts are the new base.
  saved({ name, files }, model) {
    for (const { name: file, text, digest } of files) {
      const known = this.single ? this.model.files[0]?.name : file;
      const before = model.files.find((one) => one.name === known);
      if (before) this.base.set(before.name, { file: before, text, digest, ids: idsOf(before) });
    }
    Object.assign(this, { name, title: name, target: name, isCopy: false });
  }

  apply(files, label, merge = "") {
    this.change({ files }, label, merge);
  }

  settle() {
    this.selected = new Set([...this.selected].filter((id) => this.find(id)));
    if (this.current?.id && !this.find(this.current.id)) this.current = null;
    if (this.current?.handler && !this.handler(this.current.handler)) this.current = null;
    this.tell("rules");
  }

  // Select rules by id; the last one is shown.
  choose(ids, current = ids.at(-1)) {
    this.selected = new Set(ids);
    this.current = current ? { id: current } : null;
    this.tell("selection");
  }

  chooseHandler(name) {
    this.selected = new Set();
    this.current = { handler: name };
    this.tell("selection");
  }

  show(tab) {
    this.tab = tab;
    this.tell("tab");
  }

  setFile(name, change, label, merge = "") {
    this.apply(
      this.model.files.map((file) => (file.name === name && !file.isLocked ? change(file) : file)),
      label,
      merge,
    );
  }

  setHandler(name, change, label, merge = "") {
    const { file } = this.handler(name);
    this.setFile(
      file.name,
      (one) => ({ ...one, handlers: one.handlers.map((handler) => (handler.name === name ? change(handler) : handler)) }),
      label,
      merge,
    );
  }

  // `changesOf(rule)` returns the changes to the current rule, which may be newer than the field that changes it.
  // `merge`: changes with the same key, such as steps of a number, are undone together.
  // A field that is redrawn while it is left may commit its text twice: what changes nothing is no step of the history.
  setRule(id, changesOf, label = "change", merge = "") {
    const { handler, entry: now } = this.find(id);
    const rule = changed(now.rule, changesOf(now.rule));
    if (JSON.stringify(rule) === JSON.stringify(now.rule)) return;
    this.setHandler(
      handler.name,
      (one) => ({ ...one, rules: one.rules.map((entry) => (entry.id === id ? { id, rule } : entry)) }),
      label,
      merge && `${id} ${merge}`,
    );
  }

  // Insert after the current rule, or at the end of a handler.
  insert(rules, handler, at, label) {
    const entries = [];
    this.setHandler(
      handler,
      (one) => {
        const list = [...one.rules];
        for (const rule of rules) {
          const entry = { id: newId(), rule: { ...rule, name: freeName(list, rule.name) } };
          list.splice(at + entries.length, 0, entry);
          entries.push(entry);
        }
        return { ...one, rules: list };
      },
      label,
    );
    this.choose(entries.map(({ id }) => id));
  }

  remove(ids = [...this.selected]) {
    if (!ids.length) return;
    const gone = new Set(ids);
    const { handler, index } = this.find(ids[0]);
    const next =
      handler.rules.slice(index).find(({ id }) => !gone.has(id)) ?? handler.rules.slice(0, index).findLast(({ id }) => !gone.has(id));
    const left = (one) => (one.rules.some(({ id }) => gone.has(id)) ? { ...one, rules: one.rules.filter(({ id }) => !gone.has(id)) } : one);
    this.apply(
      this.model.files.map((file) =>
        file.isLocked || !file.handlers.some((one) => left(one) !== one) ? file : { ...file, handlers: file.handlers.map(left) },
      ),
      "delete",
    );
    this.choose(next ? [next.id] : []);
  }

  // Move rules to an index in a handler, counted without them.
  move(ids, name, to, label = "move") {
    const moved = ids
      .map((id) => this.find(id))
      .filter((place) => place && !place.file.isLocked)
      .map(({ entry }) => entry);
    const target = this.handler(name);
    if (!moved.length || !target || target.file.isLocked) return;
    const gone = new Set(moved.map(({ id }) => id));
    const place = (handler) => {
      const left = handler.rules.filter(({ id }) => !gone.has(id));
      if (handler.name === name) left.splice(Math.max(0, Math.min(left.length, to)), 0, ...moved);
      return handler.name === name || left.length !== handler.rules.length ? { ...handler, rules: left } : handler;
    };
    const files = this.model.files.map((file) => {
      const handlers = file.handlers.map(place);
      return handlers.every((one, at) => one === file.handlers[at]) ? file : { ...file, handlers };
    });
    this.apply(files, label, `move ${ids}`);
  }

  plain() {
    return this.model.files
      .filter(({ raw, isLocked }) => !isLocked || (raw && typeof raw === "object"))
      .map((file) => ({ name: file.name, value: plainOf(file) }));
  }
}

// Restore a file from a draft; existing rules keep their ids.
function restored(file, draft, base) {
  const next = fileOf({ name: file.name, form: file.form, value: draft.value, error: "" });
  const handlers = next.handlers.map((handler) => {
    const origins = draft.origins[handler.name] ?? [];
    const known = (place) => {
      const [name, from, at] = Array.isArray(place) ? place : ["", handler.name, place];
      return base.get(name || file.name)?.ids[from]?.[at];
    };
    return { ...handler, rules: handler.rules.map(({ id, rule }, at) => ({ id: known(origins[at]) ?? id, rule })) };
  });
  return { ...next, handlers };
}
