// The studio: one page, one canvas, one clock. This file connects its parts.

import { beginRail } from "./bars/rail.js";
import { beginMenus } from "./bars/menus.js";
import { beginTime } from "./bars/time.js";
import { beginTop } from "./bars/top.js";
import { Clock } from "./clock.js";
import { beginTheme, useLooks } from "./colours.js";
import { compareMode } from "./compare/mode.js";
import { connect } from "./connection.js";
import { find, make, plain } from "./dom.js";
import { editMode } from "./edit/mode.js";
import { beginEnding } from "./help/ending.js";
import { beginKeys } from "./help/keys.js";
import { beginTour } from "./help/tour.js";
import { addEvents, forget, forgetAfter, takeStory } from "./history.js";
import { begin, follow, tilt } from "./map/guide.js";
import { listen } from "./map/pointer.js";
import { Scene } from "./map/scene.js";
import { halvesOf, inHalf } from "./map/split.js";
import { Space } from "./space/space.js";
import { beginDeep } from "./space/controls.js";
import { currentMode, registerMode, setMode } from "./modes/modes.js";
import { noteMarks } from "./feed.js";
import { guardsMode } from "./guards/mode.js";
import { playMode } from "./modes/play.js";
import { watchMode } from "./modes/watch.js";
import { whatifMode } from "./modes/whatif.js";
import { rulesMode } from "./rules/mode.js";
import { scenarioMode } from "./scenario/mode.js";
import { treesMode } from "./trees/mode.js";
import { showInspection } from "./side/inspection.js";
import { beginLinks, linksToPlace, reopen } from "./links.js";
import { beginOverlays } from "./overlays.js";
import { beginLegend, beliefsOf } from "./side/legend.js";
import { beginSide } from "./side/side.js";
import { beginReady } from "./bars/preparation.js";
import { beginRepeating } from "./bars/repetition.js";
import { on, select, studio, tell } from "./studio.js";

const scene = new Scene();
const canvas = find("#map");
const ink = canvas.getContext("2d");
let clock = new Clock(1 / 30);
let moment = null;
let stale = true;
let halves = false;
let fresh = false;
const OWN_WORDS = ["whatif", "bake"]; // what shows errors itself
const NOTICES = 3; // more could not be read
const pace = { frames: 0, pictures: 0, since: performance.now(), fps: 0 };

const shown = () => moment;
const redraw = () => (stale = true);
const shownTick = () => clock.playhead;

beginTheme();
scene.space = new Space(find("#stage"), redraw);
beginOverlays();
const deep = beginDeep(scene, redraw);
const rail = beginRail(redraw, deep);
beginTop(scene);
beginMenus();
beginReady();
beginRepeating();
beginLinks(scene);
const time = beginTime(shownTick);
const side = beginSide(scene);
studio.selection = time.selection;
beginLegend(scene, shown);
const tour = beginTour(shown, scene);
beginEnding(shown, scene);
beginKeys({ time, side, rail, deep, scene, redraw });
registerMode(playMode(scene, shown, redraw));
registerMode(watchMode(scene, shown, redraw));
registerMode(whatifMode(scene, shown, redraw));
registerMode(editMode(scene, redraw));
registerMode(compareMode(scene, shown, redraw));
registerMode(rulesMode());
registerMode(guardsMode(scene, shown, redraw));
registerMode(scenarioMode(scene, shown, redraw));
registerMode(treesMode());
listen(canvas, scene, shown, currentMode, redraw);

const ratioOf = () => Math.min(2, devicePixelRatio || 1);

function resize() {
  const ratio = ratioOf();
  const { clientWidth: width, clientHeight: height } = canvas.parentElement;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const half = halves ? halvesOf(width, height) : { width, height };
  scene.camera.resize(half.width, half.height);
  redraw();
}
new ResizeObserver(resize).observe(canvas.parentElement);
resize();

const TAKE = {
  hello(message) {
    const again = studio.hello?.source === message.source && studio.hello?.cells.count === message.cells.count;
    useLooks(message.looks);
    studio.hello = message;
    offline("");
    const { place } = scene.camera;
    scene.begin(message, again);
    fresh = !again && !linksToPlace();
    if (again && !place.isWhole) scene.camera.place = place;
    clock = new Clock(message.step);
    moment = null;
    forget();
    select(again ? studio.selected : null);
    const { running, speed, tick, ticks } = message;
    studio.status = { ...studio.status, ended: null, running, speed, tick, ticks };
    tell("hello", message);
    tell("status", studio.status);
    if (!again) setMode(message.mode === "watch" ? "watch" : "play");
    reopen(scene);
  },
  preview({ level, looks }) {
    if (studio.hello) return;
    useLooks(looks);
    scene.preview(level);
  },
  // An empty list revokes all events from that moment on.
  events: (message) => (message.events.length ? addEvents(message.events) : forgetAfter(message.from - 1)),
  story: (message) => takeStory(message),
  status(message) {
    if (message.ticks < studio.status.ticks) forgetAfter(message.ticks);
    studio.status = { ...studio.status, ...message };
    find("#busy").textContent = "";
    tell("status", studio.status);
  },
  note: (message) => tell("notice", { words: message.text, kind: "lasting" }),
  // Repeated runs have a progress bar of their own; before there is a game, a card shows the progress.
  busy({ text, until }) {
    if (!until && studio.hello) find("#busy").textContent = text && plain(`${text} …`);
  },
  error: (message) => !OWN_WORDS.includes(message.about) && tell("notice", { words: message.message, kind: "wrong" }),
};

function offline(words) {
  const banner = find("#banner");
  banner.hidden = !words;
  banner.textContent = words;
  document.body.classList.toggle("offline", Boolean(words));
}

studio.send = connect({
  onMessage(message) {
    TAKE[message.type]?.(message);
    tell(`message ${message.type}`, message);
    redraw();
  },
  onFrame(frame) {
    if (!studio.hello) return;
    clock.push(frame);
    if (frame.marks) noteMarks(frame.marks);
    scene.take(frame);
    studio.status.tick = frame.tick;
    studio.status.ticks = Math.max(studio.status.ticks, frame.tick + 1);
    redraw();
  },
  // A restarted server has no game yet; it is ready once it sends `hello`.
  onState({ connected, refused }) {
    const gone = refused
      ? "The server rejected this page. Open the address it printed."
      : "Connection lost. Reconnecting …";
    if (!connected || !find("#banner").hidden) offline(connected ? "Reconnected. The server is getting ready …" : gone);
  },
});

on("notice", ({ words, kind }) => {
  const one = make("div", { class: `notice ${kind}`, role: kind === "wrong" ? "alert" : "status", text: words });
  const box = find("#notices");
  // A success replaces everything said before; the same fault is shown once.
  for (const before of box.querySelectorAll(".notice")) if (kind !== "wrong" || before.textContent === one.textContent) before.remove();
  box.append(one);
  while (box.children.length > NOTICES) box.firstElementChild.remove();
  setTimeout(() => one.remove(), kind === "note" ? 3500 : 8000);
});
function clearFaults() {
  for (const one of document.querySelectorAll("#notices .wrong")) one.remove();
}
on("hello", clearFaults);
let source = null;
// What the server said of another level, such as when it was paused, is over too.
on("hello", ({ source: now }) => {
  if (source !== null && source !== now) document.querySelectorAll("#notices .lasting").forEach((one) => one.remove());
  source = now;
});
// What another mode said is over.
on("mode", () => document.querySelectorAll("#notices .note").forEach((one) => one.remove()));
on("theme", () => {
  scene.repaint();
  redraw();
});
for (const name of ["overlays", "selected", "mode", "storey", "deep", "cut", "trial"]) on(name, redraw);

const told = {};
function tellIfNew(name, key, value) {
  if (told[name] !== key) tell(name, value);
  told[name] = key;
}

// Tell panels what agents do, and the legend what is on the map.
function tellShown() {
  const states = moment?.agents.map((agent) => agent.state) ?? [];
  const modes = moment?.agents.map((agent) => agent.mode) ?? [];
  tellIfNew("states", states.join(), states);
  const { drawn, active, isDeep, camera } = scene;
  const beliefs = [...beliefsOf(moment, drawn), ...(moment?.doors ?? [])];
  const layers = [...drawn, active, isDeep, scene.last === undefined, camera.tilt > 0.02, studio.crews?.crews.length];
  tellIfNew("drawn", [...layers, ...states, ...modes, ...beliefs].join());
}

function drawMap() {
  const ratio = ratioOf();
  const { camera } = scene;
  const split = currentMode().isSplit?.() ?? false;
  const { clientWidth: width, clientHeight: height } = canvas;
  const half = split ? halvesOf(width, height) : { width, height };
  camera.resize(half.width, half.height);
  if (split !== halves) camera.fit();
  halves = split;
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  ink.clearRect(0, 0, width, height);
  if (scene.isDeep) return scene.drawDeep(ink, moment, (...given) => currentMode().draw?.(...given, 0));
  if (currentMode().paint) {
    scene.drawn = [];
    return currentMode().paint(ink, ratio);
  }
  for (const part of split ? [0, 1] : [0]) {
    const below = (...given) => currentMode().below?.(...given, part);
    const above = (...given) => {
      currentMode().draw?.(...given, part);
      tour.draw(...given);
    };
    inHalf(ink, camera, half, part, () => scene.draw(ink, moment, ratio, below, above));
  }
}

// Before there is a game, the level can already be viewed.
function drawPreview() {
  if (!stale || !scene.place) return;
  stale = false;
  const ratio = ratioOf();
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  ink.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  scene.drawPreview(ink, ratio);
}

function everyFrame(now) {
  requestAnimationFrame(everyFrame);
  if (!studio.hello) return drawPreview();
  const moved = clock.advance(now, studio.status.running, studio.status.speed);
  if (!scene.isDeep && tilt(scene.camera)) redraw();
  if (!moved && !stale) return;
  stale = false;
  moment = clock.moment();
  if (fresh && moment) begin(scene.camera, moment);
  if (moment) fresh = false;
  follow(scene.camera, moment);
  drawMap();
  time.draw();
  tellShown();
  tour.watch();
  side.tick(now);
  count(now);
}
requestAnimationFrame(everyFrame);

function count(now) {
  pace.frames++;
  pace.pictures++;
  if (now - pace.since < 1000) return;
  pace.fps = (1000 * pace.frames) / (now - pace.since);
  [pace.frames, pace.since] = [0, now];
}

showInspection({ scene, pace, shown, newest: () => clock.newest });
