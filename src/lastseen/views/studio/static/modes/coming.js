// What of a mode that is not there yet? It says so, in words, and changes nothing.

import { make } from "../dom.js";

export function comingMode(name, title, key, words) {
  return {
    name,
    title,
    key,
    coming: true,
    panel: () => make("section", { class: "card" }, make("p", { class: "quiet", text: words })),
  };
}
