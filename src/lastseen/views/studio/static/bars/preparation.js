// Shows progress: a card over the level while the first step is compiled, a line in a corner for the rest.

import { fill, find, make, plain } from "../dom.js";
import { on, studio } from "../studio.js";

export function beginReady() {
  const card = find("#ready");
  const line = find("#background");
  const title = make("strong", { text: "Getting ready" });
  const words = make("p", { "aria-live": "off" });
  const bar = make("progress", { max: 1, "aria-label": "Compilation progress" });
  const note = make("p", { class: "quiet", text: "First time only: compiled code is cached on this machine." });
  fill(card, title, words, bar, note);
  document.body.classList.add("waiting");
  note.hidden = true;

  function show(text) {
    card.hidden = false;
    words.textContent = plain(text);
  }
  on("message preview", (message) => {
    if (studio.hello) return;
    title.textContent = plain(`Getting ready: ${message.title}`);
    document.title = plain(`${message.title} · lastseen`);
    card.hidden = false;
  });
  on("message busy", ({ text }) => {
    if (!studio.hello && text && note.hidden) show(sentence(text));
  });
  on("message compiling", ({ stage, text, share }) => {
    if (stage === "rest") {
      line.textContent = text && plain(`${sentence(text)}, in the background`);
      return;
    }
    if (studio.hello || !text) return;
    note.hidden = false;
    show(sentence(text));
    if (typeof share === "number") bar.value = share;
    else bar.removeAttribute("value");
  });
  on("hello", () => {
    card.hidden = true;
    document.body.classList.remove("waiting");
    line.textContent = "";
  });
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
