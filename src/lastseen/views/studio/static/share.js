// How does one keep what is on screen? Links that reopen the view, pictures, recordings, text to paste.

import { button, find, make } from "./dom.js";
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
  return `${location.origin}${location.pathname}${location.search}#${view}`;
}

export function linkedView() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has("view")) return null;
  const [x, y, scale] = given.get("view").split(",").map(Number);
  const number = (name) => (given.has(name) ? Number(given.get(name)) : null);
  return { mode: given.get("mode"), tick: number("tick"), agent: number("agent"), camera: { x, y, scale }, show: given.get("show")?.split(",") };
}

export function shareMenu(scene) {
  const name = make("input", { type: "text", value: "run", "aria-label": "Name of the recording", maxlength: 60 });
  const entry = (text, act, title) => button(text, () => (close(), act()), { class: "entry", title });
  const [first, last] = [() => Math.round(studio.selection?.()?.[0] ?? 0), () => Math.round(studio.selection?.()?.[1] ?? studio.status.ticks - 1)];
  const list = make(
    "div",
    { class: "menu" },
    entry("Copy link to this view", () => copy(viewLink(scene, studio.status.tick), "link"), "Reopens this moment, place and selection"),
    entry("Picture (PNG)", picture, "What is on screen"),
    entry("Film (GIF)", () => studio.send("export", { kind: "gif", from: first(), to: last() }), "The stretch selected on the time line, or all"),
    entry("Replay (HTML)", () => studio.send("export", { kind: "html", from: first(), to: last() }), "One file that opens without a server"),
    make("label", { class: "field" }, name, entry("Save recording", () => studio.send("save", { name: name.value }))),
  );
  const box = make("details", { class: "share" }, make("summary", { text: "Share" }), list);
  const close = () => (box.open = false);
  addEventListener("pointerdown", (event) => box.contains(event.target) || close());
  on("message saved", (message) => saved(message));
  return box;
}

function saved({ path, url, name }) {
  say(`Saved ${path ?? name ?? ""}.`);
  if (url) make("a", { href: url, download: name ?? "" }).click();
}

function picture() {
  find("#map").toBlob((blob) => {
    const link = make("a", { href: URL.createObjectURL(blob), download: `${studio.hello?.title ?? "lastseen"}-${studio.status.tick}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 5000);
  });
}
