// Sharing: links that reopen the view, pictures, animations, replays, recordings and text for the clipboard.

import { clockText } from "./bars/clock.js";
import { isServed } from "./connection.js";
import { button, fill, find, make, plain } from "./dom.js";
import { choose } from "./side/dialogs.js";
import { nameFault, openFile, takeDrops } from "./files.js";
import { viewLink } from "./links.js";
import { fileAddress } from "./requests.js";
import { on, say, studio } from "./studio.js";

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${what}.`);
  } catch {
    say(text, "copy");
  }
}

export function shareMenu(scene) {
  const entry = (text, act, title) => button(text, () => (close(), act()), { class: "entry", title });
  const list = make(
    "div",
    { class: "menu" },
    entry(
      "Copy link to this view",
      () => copy(viewLink(scene, studio.status.tick), "link"),
      "Reopens this level, moment, camera, floor and selection",
    ),
    entry("Screenshot (PNG)", () => screen(scene), "The map as shown"),
    ...(isServed ? served(entry, () => close()) : []),
  );
  const box = make("details", { class: "share" }, make("summary", { text: "Share" }), list);
  const close = () => (box.open = false);
  addEventListener("pointerdown", (event) => box.contains(event.target) || close());
  addEventListener("keydown", (event) => event.key === "Escape" && close());
  return box;
}

// Entries that need a server.
function served(entry, close) {
  beginExports();
  takeDrops();
  const stretch = () => {
    const [first, last] = studio.selection?.() ?? [0, studio.status.ticks - 1];
    return { from: Math.max(0, Math.round(first)), to: Math.max(0, Math.round(last)) };
  };
  const about = "of the range selected on the timeline, or of the whole run";
  const made = [
    entry("Picture with legend (PNG)", () => studio.send("export", { kind: "png", from: studio.status.tick }), "All floors at this moment"),
    entry("Animation (GIF)", () => studio.send("export", { kind: "gif", ...stretch() }), `An animated picture ${about}`),
    entry("Replay (HTML)", () => studio.send("export", { kind: "html", ...stretch() }), `One file that opens without a server, ${about}`),
  ];
  on("hello", ({ kind }) => made.forEach((one) => (one.hidden = kind === "feed"))); // files are made of simulated runs
  return [
    ...made,
    ...saving(entry, close),
    entry("Open a file …", () => openFile(), "One of your own recordings, levels or scenarios"),
  ];
}

// No file is replaced without asking. The previous run can be saved until another run replaces it.
function saving(entry, close) {
  const name = make("input", { type: "text", "aria-label": "Recording name", maxlength: 60, spellcheck: "false" });
  let isTyped = false;
  const send = (given, more = {}) => {
    isTyped = false;
    studio.send("save", { name: given, ...more });
  };
  const fault = make("p", { class: "wrong", role: "alert", hidden: true });
  const save = button("Save recording", typed, { class: "entry", title: "Save to the open folder" });
  function typed() {
    const given = name.value.trim() || freeName();
    fault.textContent = nameFault(given);
    fault.hidden = !fault.textContent;
    if (fault.textContent) return name.focus();
    close();
    send(given);
  }
  const before = entry("", () => send(freeName(), { previous: true }), "Not saved yet");
  name.addEventListener("input", () => (isTyped = true));
  name.addEventListener("keydown", (event) => event.key === "Enter" && save.click());
  on("message saved", (message) => say(`Saved ${message.name}.`));
  on("message taken", async ({ name: taken, previous }) => {
    const choices = [["Replace", true], ["Cancel", false, true]];
    if (await choose("Save recording", `The recording ${taken} already exists.`, choices, false)) send(taken, { replace: true, previous });
  });
  const update = ({ previous, recordings }) => {
    Object.assign(studio.hello, { previous, recordings });
    if (!isTyped) name.value = freeName();
    before.hidden = !previous;
    if (previous) before.textContent = `Save previous run (${clockText(previous.seconds / studio.hello.step)})`;
    if (previous) before.title = plain(`${previous.title}: not saved yet`);
  };
  for (const told of ["hello", "message menus"]) on(told, update);
  return [make("label", { class: "field" }, name, save), fault, before];
}

// A name that no recording in the folder has.
function freeName() {
  const taken = new Set((studio.hello?.recordings ?? []).map((one) => one.name.toLowerCase()));
  let number = 1;
  const name = () => (number > 1 ? `run ${number}` : "run");
  while (taken.has(`${name()}.rec`)) number++;
  return name();
}

function screen(scene) {
  pictureOf(scene).toBlob((blob) => {
    const address = URL.createObjectURL(blob);
    download(address, `${fileName(studio.hello?.title)}-${studio.status.tick}.png`);
    setTimeout(() => URL.revokeObjectURL(address), 5000);
  });
}

// The map; in 3D with what is below it.
function pictureOf(scene) {
  const map = find("#map");
  if (!scene.isDeep) return map;
  const whole = make("canvas", { width: map.width, height: map.height });
  const ink = whole.getContext("2d");
  scene.space.copyTo(ink, map.width, map.height);
  ink.drawImage(map, 0, 0);
  return whole;
}

const fileName = (name) => (name ?? "").replace(/[^\p{L}\p{N} _.-]+/gu, "-").slice(0, 60) || "lastseen";

const WORDS = { png: "picture", gif: "animation", html: "replay", run: "comparison", guards: "guard plan", ways: "verification" };
const SHOWN = ["run", "guards", "ways"]; // shown on the map, not downloaded

export function download(address, name) {
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

// The progress of an export: a bar with a Cancel button; the finished file is downloaded.
function beginExports() {
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
    download(fileAddress(ticket), name);
    say(`Created ${name} (${size(bytes)}).${note ? ` ${note}` : ""}`);
  });
  on("message cancelled", () => (box.hidden = true));
  on("hello", () => (box.hidden = true));
}

const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
