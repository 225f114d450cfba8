// Undo history: drawings are immutable, so it is a list of them that share unchanged features.

const MOST = 300;
const SOON = 900; // milliseconds within which changes of one kind count as one

class Undo {
  constructor(now) {
    this.begin(now);
  }

  begin(now) {
    Object.assign(this, { now, past: [], future: [], merging: "", since: 0 });
  }

  // `merge`: changes with the same key in quick succession are undone together.
  change(next, label, merge = "") {
    const soon = merge && merge === this.merging && performance.now() - this.since < SOON;
    if (!soon) this.past.push({ drawing: this.now, label });
    if (this.past.length > MOST) this.past.shift();
    Object.assign(this, { now: next, future: [], merging: merge, since: performance.now() });
  }

  undo() {
    return this.#go(this.past, this.future);
  }

  redo() {
    return this.#go(this.future, this.past);
  }

  // On both lists a step carries the label of its change.
  #go(from, to) {
    const step = from.pop();
    if (!step) return null;
    to.push({ drawing: this.now, label: step.label });
    Object.assign(this, { now: step.drawing, merging: "" });
    return step.label;
  }
}

// The base of the editors: notifies about changes, undoes them, and previews the result of an action. Subclasses define
// `settle`, which drops state that a change made invalid and notifies listeners.
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
