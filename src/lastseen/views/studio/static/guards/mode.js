// The Guards mode: draw the intended path, place guards around it, and verify that a player can sneak past.

import { download } from "../share.js";
import { drawDoors, drawPoints } from "../map/things.js";
import { madeFile } from "../requests.js";
import { setMode } from "../modes/modes.js";
import { on, say, studio } from "../studio.js";
import { GuardsPanel } from "./panel.js";
import { drawGuards, drawPath, drawWays } from "./paint.js";

export function guardsMode(scene, shown, redraw) {
  const state = {
    path: [], clicks: [], guards: null, ways: null, success: null, at: 0, playing: true, busy: "", chosen: null, refused: "" };
  const panel = new GuardsPanel(state, {
    place, load, choose, sneak, play, clear, save, cancel: () => studio.send("cancel", { what: "file" }), change });
  let last = 0;
  // Clicks that wait for the paths to them; the first has been sent.
  let waiting = [];
  let isPlaying = false;

  function change() {
    panel.draw();
    redraw();
  }

  function clear() {
    waiting = [];
    Object.assign(state, { path: [], clicks: [], guards: null, ways: null, success: null, at: 0, refused: "" });
    change();
  }

  // A changed path invalidates the guards placed for it.
  function moved() {
    Object.assign(state, { ways: null, success: null, refused: "", ...(state.isLoaded ? {} : { guards: null }) });
    change();
  }

  // Ask for the path from the last click to the next one.
  function join() {
    if (!waiting.length) return;
    studio.send("join", { end: waiting[0], ...(state.path.length ? { start: state.path.at(-1) } : {}) });
  }

  // The path found leads to the click; `clicks` counts the points up to each.
  function joined({ points, moved: off }) {
    if (!waiting.shift()) return;
    if (off > 0.5) say(`Moved the point ${off.toFixed(1)} m onto the floor.`);
    state.path.push(...points);
    if (points.length) state.clicks.push(state.path.length);
    moved();
    join();
  }

  // Remove the last click with the path to it.
  function back() {
    if (!state.clicks.pop()) return;
    state.path.length = state.clicks.at(-1) ?? 0;
    moved();
  }

  const drawn = () => (state.path.length > 1 ? { path: state.path } : {});

  function load(file) {
    if (!file) return say("Enter the name of a guards file in the open folder, such as guards.geojson.");
    Object.assign(state, { busy: "guards", isLoaded: true });
    studio.send("guards", { file, ...drawn() });
    change();
  }

  // Highlight a guard; choosing it again removes the highlight.
  function choose(number) {
    state.chosen = number === state.chosen ? null : number;
    change();
  }

  function place(settings) {
    if (state.path.length < 2) return say("Draw the path first: click at least two points on the floor.");
    Object.assign(state, { busy: "guards", isLoaded: false });
    studio.send("guards", { path: state.path, ...settings });
    change();
  }

  function sneak(settings) {
    if (!state.guards) return say("Place guards first.");
    if (state.path.length < 2) return say("Draw the path first: click at least two points on the floor.");
    state.busy = "ways";
    studio.send("sneak", { ...settings, ...drawn() });
    change();
  }

  // The server opens the level with these guards; the next greeting is that of the game.
  function play() {
    isPlaying = true;
    studio.send("open", { guards: true });
  }

  function save() {
    const address = URL.createObjectURL(new Blob([state.geojson], { type: "application/geo+json" }));
    download(address, "guards.geojson");
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  // Ignore results for a level that is no longer open.
  async function take(kind, ticket) {
    if (state.busy !== kind) return;
    try {
      const { guards, every, seconds, geojson, ways, facts, success, close, coverage, notes } = await (await madeFile(ticket)).json();
      Object.assign(state, { guards, every, seconds, notes, at: 0, busy: "", chosen: null, refused: "" });
      if (kind === "guards") Object.assign(state, { geojson, coverage, ways: null, success: null });
      else Object.assign(state, { ways, facts, success, close });
    } catch (error) {
      state.busy = "";
      say(`Could not show the guards: ${error.message}`, "wrong");
    }
    change();
  }

  const stop = () => {
    if (!state.busy) return;
    state.busy = "";
    change();
  };
  on("message exported", ({ kind, ticket }) => (kind === "guards" || kind === "ways") && take(kind, ticket));
  on("message cancelled", stop);
  on("message joined", joined);
  on("message error", ({ about, message }) => {
    if (about === "join") waiting = [];
    else if (about === "open" && isPlaying) isPlaying = false;
    else if (about !== "guards" && about !== "sneak") return;
    state.refused = message;
    state.busy = "";
    change();
  });
  on("hello", () => {
    state.busy = "";
    clear();
    if (isPlaying) setMode("play");
    isPlaying = false;
  });

  // The plan has its own time, independent of the game.
  function pass(now) {
    if (studio.mode !== "guards") return;
    requestAnimationFrame(pass);
    const passed = Math.min(0.1, (now - last) / 1000);
    last = now;
    if (!state.guards || !state.playing) return;
    state.at = (state.at + passed) % Math.max(state.seconds, 0.1);
    panel.tick();
    redraw();
  }

  studio.guards = () => ({ ...state, ways: state.ways?.length ?? null, guards: state.guards?.length ?? null });
  return {
    name: "guards",
    title: "Guards",
    key: "7",
    panel: () => panel.node,
    enter() {
      last = performance.now();
      panel.draw();
      requestAnimationFrame(pass);
    },
    click(at) {
      if (state.busy) return true;
      waiting.push([at.x, at.y, at.z]);
      if (waiting.length === 1) join();
      return true;
    },
    keydown({ key }) {
      if (key === "Backspace" || key === "Delete") {
        back();
      } else if ((key === "[" || key === "]") && state.guards) {
        const count = state.guards.length;
        choose(((state.chosen ?? (key === "]" ? -1 : count)) + (key === "]" ? 1 : count - 1)) % count);
      } else if (key === " ") {
        state.playing = !state.playing;
        change();
      } else return false;
      return true;
    },
    paint(ink, ratio) {
      scene.draw(ink, null, ratio);
      if (shown()) drawDoors(ink, scene, shown());
      drawPoints(ink, scene);
      if (state.guards) drawGuards(ink, scene, state);
      drawPath(ink, scene, state);
      if (state.ways) drawWays(ink, scene, state);
    },
    keys: () => [
      [
        "Guards",
        [
          ["click", "extend the path"], ["Backspace", "remove the last click"], ["[ ]", "previous, next guard"],
          ["Space", "play, pause"],
          ["1 … 8", "modes"], ["?", "this list"],
        ],
      ],
    ],
  };
}
