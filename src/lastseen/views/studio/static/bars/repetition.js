// The progress of repeating a run: a bar with a Cancel button; Escape also cancels.

import { clockText } from "./clock.js";
import { button, fill, find, make } from "../dom.js";
import { on, studio } from "../studio.js";

export function beginRepeating() {
  const bar = make("progress", { max: 1 });
  const words = make("span", {});
  const box = make("div", { class: "notice exporting repeating", role: "status", hidden: true });
  fill(box, words, bar, button("Cancel", callOff, { class: "plain", title: "Keep the run as it is (Escape)" }));
  find("#notices").before(box);

  // Returns whether there was anything to cancel.
  function callOff() {
    if (box.hidden) return false;
    studio.send("cancel", { what: "run" });
    return true;
  }
  studio.callOff = callOff;

  on("status", ({ repeating }) => {
    const isNew = box.hidden;
    box.hidden = (repeating ?? null) === null;
    if (box.hidden) return;
    words.textContent = `Recomputing the run up to ${clockText(repeating)}`;
    if (isNew) bar.removeAttribute("value");
  });
  on("message busy", ({ tick, until }) => {
    if (until) bar.value = tick / until;
  });
}
