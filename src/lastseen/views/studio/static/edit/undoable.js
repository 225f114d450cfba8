// What can every editor do? Tell of changes, take them back, and say what an act would lead to.

import { Undo } from "./undo.js";

// Who extends it has `settle`: what holds no longer after a change is let go, and listeners are told.
export class Undoable {
  #listeners = [];

  constructor(now) {
    Object.assign(this, { undoing: new Undo(now), isRehearsing: false });
  }

  onChange(act) {
    this.#listeners.push(act);
  }

  tell(what) {
    if (this.isRehearsing) return;
    for (const act of this.#listeners) act(what);
  }

  change(next, label, merge = "") {
    this.undoing.change(next, label, merge);
    this.#afterwards();
  }

  // What all would be after an act, which is not done.
  rehearse(act) {
    const { undoing } = this;
    Object.assign(this, { undoing: new Undo(undoing.now), isRehearsing: true });
    try {
      act();
      return this.undoing.now;
    } finally {
      Object.assign(this, { undoing, isRehearsing: false });
    }
  }

  undo() {
    return this.#afterwards(this.undoing.undo());
  }

  redo() {
    return this.#afterwards(this.undoing.redo());
  }

  #afterwards(label) {
    if (!this.isRehearsing) this.settle();
    return label;
  }
}
