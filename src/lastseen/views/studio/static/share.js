// How does one keep what is on screen? Links that reopen the view, pictures, films, replays, recordings, text to paste.

import { isServed } from "./connection.js";
import { button, find, make } from "./dom.js";
import { beginExports, download } from "./exports.js";
import { openFile, takeDrops } from "./files.js";
import { on, say, studio } from "./studio.js";

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${what}.`);
  } catch {
    say(text, "copy");
  }
}

// Everything needed to see the same again, after the # of the address.
export function viewLink(scene, tick) {
  const { x, y, scale } = scene.camera;
  const view = new URLSearchParams({
    mode: studio.mode,
    tick: Math.round(tick),
    view: [x, y, scale].map((value) => value.toFixed(2)).join(","),
    show: [...studio.overlays].join(","),
  });
  if (studio.selected?.kind === "agent") view.set("agent", studio.selected.number);
  return `${location.href.replace(/#.*/s, "")}#${view}`;
}

export function linkedView() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has("view")) return null;
  const [x, y, scale] = given.get("view").split(",").map(Number);
  const number = (name) => (given.has(name) ? Number(given.get(name)) : null);
  return { mode: given.get("mode"), tick: number("tick"), agent: number("agent"), camera: { x, y, scale }, show: given.get("show")?.split(",") };
}

export function shareMenu(scene) {
  const entry = (text, act, title) => button(text, () => (close(), act()), { class: "entry", title });
  const list = make(
    "div",
    { class: "menu" },
    entry("Copy link to this view", () => copy(viewLink(scene, studio.status.tick), "link"), "Reopens this moment, place and selection"),
    entry("Picture of the screen (PNG)", screen, "The map as it is shown"),
    ...(isServed ? served(entry) : []),
  );
  const box = make("details", { class: "share" }, make("summary", { text: "Share" }), list);
  const close = () => (box.open = false);
  addEventListener("pointerdown", (event) => box.contains(event.target) || close());
  addEventListener("keydown", (event) => event.key === "Escape" && close());
  return box;
}

// What only a server can do.
function served(entry) {
  beginExports();
  takeDrops();
  const name = make("input", { type: "text", value: "run", "aria-label": "Name of the recording", maxlength: 60, spellcheck: "false" });
  const stretch = () => {
    const [first, last] = studio.selection?.() ?? [0, studio.status.ticks - 1];
    return { from: Math.max(0, Math.round(first)), to: Math.max(0, Math.round(last)) };
  };
  const save = entry("Save recording", () => studio.send("save", { name: name.value.trim() || "run" }), "Into the folder that is open");
  name.addEventListener("keydown", (event) => event.key === "Enter" && save.click());
  on("message saved", (message) => say(`Saved ${message.name}.`));
  const about = "of the stretch selected on the time line, or of everything";
  return [
    entry("Picture with legend (PNG)", () => studio.send("export", { kind: "png", from: studio.status.tick }), "All floors at this moment"),
    entry("Film (GIF)", () => studio.send("export", { kind: "gif", ...stretch() }), `A moving picture ${about}`),
    entry("Replay (HTML)", () => studio.send("export", { kind: "html", ...stretch() }), `One file that opens without a server, ${about}`),
    make("label", { class: "field" }, name, save),
    entry("Open a file …", () => openFile(), "A recording, a level or a scenario of yours"),
  ];
}

function screen() {
  find("#map").toBlob((blob) => {
    const address = URL.createObjectURL(blob);
    download(address, `${plain(studio.hello?.title)}-${studio.status.tick}.png`);
    setTimeout(() => URL.revokeObjectURL(address), 5000);
  });
}

const plain = (name) => (name ?? "").replace(/[^\p{L}\p{N} _.-]+/gu, "-").slice(0, 60) || "lastseen";
