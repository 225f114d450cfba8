// The What if mode: drag the last seen position and heading to compare the floods of one or two presets.

import { theme } from "../colours.js";
import { wantsStill } from "../dom.js";
import { heading, silhouette } from "../map/ghosts.js";
import { drawSign } from "../map/signs.js";
import { knownOf } from "../frames.js";
import { on, studio } from "../studio.js";
import { carrying } from "./carry.js";
import { whatifPanel } from "./whatif_panel.js";

const ARM = 54; // length in pixels of the arrow to drag
const NEAR = 16;
const ASK = 60; // milliseconds between requests while dragging

export function whatifMode(scene, shown, redraw) {
  const state = {
    seen: null,
    heading: [1, 0],
    guard: null,
    presets: ["article", ""],
    settings: {},
    results: [],
    error: "",
    begun: 0,
  };
  let timer = 0;
  const panel = whatifPanel(state, ask);
  const carry = carrying((number, to) => {
    if (studio.hello.watchers.includes(number)) state.guard = to;
    else state.seen = to;
    ask();
  });

  function ask(fresh = true) {
    if (fresh) state.begun = performance.now();
    clearTimeout(timer);
    timer = setTimeout(() => {
      const presets = state.presets.filter(Boolean);
      const guard = state.guard ? { guard: state.guard } : {};
      studio.send("whatif", { seen: state.seen, heading: state.heading, presets, settings: state.settings, ...guard });
    }, ASK);
    redraw();
  }

  on("message flood", (message) => {
    state.results = message.results;
    state.error = "";
    panel.update();
    redraw();
  });
  on("message error", (message) => {
    if (message.about !== "whatif") return;
    state.error = message.message;
    state.results = []; // they belong to another question
    panel.update();
    redraw();
  });
  on("hello", () => {
    state.seen = null;
    state.results = [];
    if (studio.mode === "whatif") begin();
  });

  // Start from a guard's current belief, or from the position of the target.
  function begin() {
    const moment = shown();
    if (!moment) return;
    const target = studio.hello.player ?? studio.hello.targets[0] ?? 0;
    const agent = moment.agents[target];
    const column = studio.hello.targets.indexOf(target);
    const newest = newestOf(moment, column);
    const guard = moment.agents[newest?.watcher];
    state.guard = guard ? [guard.x, guard.y, guard.z] : null;
    state.seen = newest ? [newest.x, newest.y, newest.z] : [agent.x, agent.y, agent.z];
    const angle = newest && Math.hypot(newest.dx, newest.dy) > 0.01 ? Math.atan2(newest.dy, newest.dx) : agent.heading;
    state.heading = [Math.cos(angle), Math.sin(angle)];
    ask();
  }

  const screen = () => scene.camera.project(...state.seen);
  const tip = () => {
    const [x, y] = screen();
    const angle = scene.camera.angle(Math.atan2(state.heading[1], state.heading[0]));
    return [x + Math.cos(angle) * ARM, y + Math.sin(angle) * ARM];
  };
  const under = ([x, y], at) => Math.hypot(at.px - x, at.py - y) < NEAR;

  function moveSeen(at) {
    state.seen = [at.x, at.y, at.z];
    ask(false);
  }
  function moveTip(at) {
    const [dx, dy] = [at.x - state.seen[0], at.y - state.seen[1]];
    const length = Math.hypot(dx, dy);
    state.heading = length < 0.3 ? [0, 0] : [dx / length, dy / length];
    ask(false);
  }
  function moveGuard(at) {
    state.guard = [at.x, at.y, at.z];
    ask(false);
  }

  return {
    name: "whatif",
    title: "What if",
    key: "3",
    state,
    enter() {
      if (studio.status.running) studio.send("run", { running: false, speed: studio.status.speed });
      if (!state.seen) begin();
      panel.update();
    },
    panel: () => panel.node,
    isSplit: () => Boolean(state.presets[0] && state.presets[1]),
    // Drags the arrow, the ghost or the guard; otherwise moves an agent.
    grab(at, event, agent) {
      if (!state.seen) return null;
      const guard = state.guard && under(scene.camera.project(...state.guard), at);
      const act = event.shiftKey ? null : under(tip(), at) ? moveTip : under(screen(), at) ? moveSeen : guard ? moveGuard : null;
      if (act) return { claims: true, move: act, end: () => ask() };
      return agent >= 0 ? carry.grab(agent) : null;
    },
    click(at) {
      moveSeen(at);
      ask();
      return true;
    },
    second(at) {
      moveGuard(at);
      ask();
    },
    keydown(event) {
      const ways = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
      const way = ways[event.code];
      if (!way || !state.seen) return false;
      if (event.shiftKey) turnBy(way[0] * -0.26 + way[1] * 0.26);
      else if (event.ctrlKey || event.altKey) state.guard = moved(state.guard ?? state.seen, way);
      else state.seen = moved(state.seen, way);
      ask();
      return true;
    },
    below(ink, view, _, side) {
      if (!state.seen) return;
      const flood = picture(state.results[side], side);
      const age = wantsStill() ? 9 : (performance.now() - state.begun) / 1000;
      if (flood) view.drawFlood(ink, side, flood, age);
      if (age < 2) requestAnimationFrame(redraw);
    },
    draw(ink, view, _, side) {
      if (state.seen) handles(ink, view, side);
    },
  };

  function moved([x, y, z], [right, up]) {
    const step = studio.hello.cells.size[0];
    return [x + right * step, y - up * step * scene.camera.sign, z];
  }

  function turnBy(angle) {
    // As on the screen: where y runs down, turns to the left are negative.
    const now = Math.atan2(state.heading[1], state.heading[0]) - angle * scene.camera.sign;
    state.heading = [Math.cos(now), Math.sin(now)];
  }

  function handles(ink, view, side) {
    const [x, y] = screen();
    const angle = view.camera.angle(Math.atan2(state.heading[1], state.heading[0]));
    silhouette(ink, x, y, 11);
    if (Math.hypot(...state.heading) > 0.01) heading(ink, x, y, angle, 11, ARM);
    if (state.guard) drawSign(ink, "patrol", ...view.camera.project(...state.guard), 0, 8, theme.ink.guard);
    if (!state.presets[1]) return;
    titleOf(ink, state.presets[side]);
  }
}

// The newest knowledge about a target, and the guard that has it.
function newestOf(moment, column) {
  if (column < 0) return undefined;
  const known = studio.hello.watchers.map((watcher, row) => ({ watcher, ...knownOf(moment, row, column) }));
  return known.filter(({ age }) => age >= 0).sort((one, other) => one.age - other.age)[0];
}

// Converts results, with cells as [cell, value, heated in], to the structure of floods of the game.
function picture(result, side) {
  if (!result?.warm) return null;
  if (!result.drawn) {
    const [warm, values, heatedIn] = [0, 1, 2].map((at) => result.warm.map((one) => one[at]));
    const [cold, coldIn] = [0, 1].map((at) => (result.cold ?? []).map((one) => one[at]));
    const { barrier = [], closed = [], destination, steps } = result;
    const key = `what if ${side} ${Math.random()}`;
    result.drawn = { key, warm, values, heatedIn, cold, coldIn, steps, barrier, closed, at: destination };
  }
  return result.drawn;
}

function titleOf(ink, text) {
  ink.font = "600 13px system-ui, sans-serif";
  const width = ink.measureText(text).width;
  ink.fillStyle = theme.ink.paper;
  ink.beginPath();
  ink.roundRect(10, 8, width + 20, 24, 12);
  ink.fill();
  ink.fillStyle = theme.ink.ink;
  ink.textAlign = "left";
  ink.textBaseline = "middle";
  ink.fillText(text, 20, 20.5);
}
