// The base of both editors: notifies about changes, undoes them, and previews the result of an action.

import { Undo } from "./undo.js";

// Subclasses define `settle`, which drops state that a change made invalid and notifies listeners.
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

  // The state after an action, without performing it.
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
