// How far is a run that is repeated, and how does one call it off? A bar with a button; Escape does the same.

import { clockText } from "./bars/clock.js";
import { button, fill, find, make } from "./dom.js";
import { on, studio } from "./studio.js";

export function beginRepeating() {
  const bar = make("progress", { max: 1 });
  const words = make("span", {});
  const box = make("div", { class: "notice exporting repeating", role: "status", hidden: true });
  fill(box, words, bar, button("Call off", callOff, { class: "plain", title: "Stay at the run as it is (Escape)" }));
  find("#notices").before(box);

  // Returns whether there was anything to call off.
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
    words.textContent = `Repeating the run up to ${clockText(repeating)}`;
    if (isNew) bar.removeAttribute("value");
  });
  on("message busy", ({ tick, until }) => {
    if (until) bar.value = tick / until;
  });
}
