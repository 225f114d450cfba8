// The scenario being edited: its values, which never change in place, what is selected, and the faults of its fields.

import { Undoable } from "../edit/undo.js";

const round = (value) => Math.round(value * 100) / 100;
export const placeOf = ({ x, y, z }) => (Math.abs(z) > 0.01 ? [x, y, z] : [x, y]).map(round);

// A copy with one value replaced; undefined removes it.
export function withValue(value, [step, ...rest], made) {
  if (step === undefined) return made;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const inner = rest.length ? withValue(copy[step] ?? (typeof rest[0] === "number" ? [] : {}), rest, made) : made;
  if (inner !== undefined) copy[step] = inner;
  else if (Array.isArray(copy)) copy.splice(step, 1);
  else delete copy[step];
  return copy;
}

export class ScenarioEditor extends Undoable {
  constructor() {
    super({});
    Object.assign(this, { isReady: false, source: null, file: "", digest: "", text: "", saved: null, opened: null, choices: null });
    Object.assign(this, { faults: [], checked: null, selected: null, picking: null, revealed: null });
  }

  get value() {
    return this.undoing.now;
  }

  get agents() {
    return this.value.agents ?? [];
  }

  get script() {
    return this.value.script ?? [];
  }

  get objects() {
    return this.value.objects ?? [];
  }

  get patrols() {
    return this.value.patrols ?? {};
  }

  get isDirty() {
    return this.isReady && ![this.saved, this.opened].includes(this.value);
  }

  open({ source, file, digest, text, value, choices, isSaved, isDraft = false }) {
    this.undoing.begin(value);
    Object.assign(this, { source, file, digest, text, choices, saved: isSaved ? value : null, isReady: true });
    this.opened = isDraft ? null : value; // as made from a level: nothing of the user's is lost without it
    Object.assign(this, { faults: [], checked: null, selected: null, picking: null, revealed: null });
    this.tell("scenario");
  }

  settle() {
    if (this.selected !== null && this.selected >= this.agents.length) this.selected = null;
    this.tell("scenario");
  }

  // Set the value at a path, such as ["agents", 0, "at"]; undefined removes it.
  set(path, value, label) {
    this.change(withValue(this.value, path, value), label, `${label} ${path}`);
  }

  add(list, item, label) {
    this.revealed = [list, this.value[list]?.length ?? 0];
    this.change({ ...this.value, [list]: [...(this.value[list] ?? []), item] }, label);
  }

  // Move an item of a list up (-1) or down (1).
  move(list, at, by) {
    const items = [...this.value[list]];
    if (!items[at + by]) return;
    [items[at], items[at + by]] = [items[at + by], items[at]];
    this.change({ ...this.value, [list]: items }, "move row");
  }

  // Where an agent starts: its own place, else that of its spawn in the level; null: unknown.
  startOf({ name, at, heading }) {
    const spawn = this.choices?.spawns.find((one) => one.name === name);
    const place = Array.isArray(at) ? [...at, 0, 0].slice(0, 3) : spawn?.at;
    return place ? { at: place, heading: heading ?? spawn?.heading ?? 0 } : null;
  }

  // The side of an agent's team, or else of its brain; it is that of guards until they are known.
  sideOf({ team, brain = "guard" }) {
    const { team_sides: teams = {}, brain_sides: brains = {} } = this.choices ?? {};
    return teams[team] ?? brains[brain] ?? "guards";
  }

  freeName(base) {
    const taken = new Set([...[...this.agents, ...this.objects].map(({ name }) => name), ...Object.keys(this.patrols)]);
    for (let number = 1; ; number++) if (!taken.has(`${base} ${number}`)) return `${base} ${number}`;
  }

  // The faults of one field, and of everything below it.
  faultsAt(path) {
    const isThere = (fault) => path.every((step, at) => fault.path[at] === step);
    return this.checked === this.value ? this.faults.filter(isThere) : [];
  }
}
