// The progress of an export: a bar with a Cancel button; the finished file is downloaded.

import { button, fill, find, make } from "./dom.js";
import { on, say, studio } from "./studio.js";

const WORDS = { png: "picture", gif: "animation", html: "replay", run: "comparison", guards: "guard plan", ways: "verification" };
const SHOWN = ["run", "guards", "ways"]; // shown on the map, not downloaded

export function download(address, name) {
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

export function beginExports() {
  const bar = make("progress", { max: 1, value: 0 });
  const words = make("span", {});
  const box = make("div", { class: "notice exporting", role: "status", hidden: true });
  fill(box, words, bar, button("Cancel", () => studio.send("cancel", { what: "file" }), { class: "plain" }));
  find("#notices").before(box);

  on("message progress", ({ kind, text, fraction }) => {
    words.textContent = `Creating ${WORDS[kind] ?? "file"}: ${text}`;
    bar.value = fraction;
    box.hidden = false;
  });
  on("message exported", ({ kind, name, ticket, bytes, note }) => {
    box.hidden = true;
    if (SHOWN.includes(kind)) return;
    download(`/api/download?ticket=${encodeURIComponent(ticket)}`, name);
    say(`Created ${name} (${size(bytes)}).${note ? ` ${note}` : ""}`);
  });
  on("message cancelled", () => (box.hidden = true));
  on("hello", () => (box.hidden = true));
}

const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
