// The time bar: play, step, speed and the timeline, as in a video editor.

import { fill, find, icon, iconButton, button, make } from "../dom.js";
import { feed, isFeed, isLive } from "../feed.js";
import { on, studio } from "../studio.js";
import { clockText } from "./clock.js";
import { heightFor, Lanes } from "./lanes.js";

const PLAY = "M4 2.5v11l9.5-5.5z";
const PAUSE = "M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z";
const BACK = "M10.5 3v10L5 8zM3 3h1.6v10H3z";
const FORTH = "M5.5 3v10L11 8zM11.4 3H13v10h-1.6z";
const AGAIN = "M3.2 8a4.8 4.8 0 1 1 1.5 3.5M3 12.5v-3h3";
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
const TRUSTED = 1000; // milliseconds for which a request counts before the server answers

export function beginTime(shownTick) {
  const play = iconButton(PLAY, "Play or pause (Space)", toggleRun, { class: "play", "data-filled": "" });
  const speed = make("select", { title: "Speed ([ and ])", "aria-label": "Speed" });
  fill(speed, ...SPEEDS.map((value) => make("option", { value, text: `${value}×` })));
  speed.addEventListener("change", () => setSpeed(Number(speed.value)));
  const time = make("output", { class: "time", "aria-label": "Time" });
  const resume = button("Continue from here", () => studio.resume(), {
    class: "resume",
    hidden: true,
    title: "Continue playing from this moment (Enter)",
  });
  const live = button("Live", () => seek(studio.status.ticks, true), { class: "live", hidden: true, title: "Follow the game (End)" });
  const feedNote = make("output", { class: "feed-note", "aria-label": "Connection" });
  const canvas = make("canvas", { class: "lanes", tabindex: "0", role: "slider", "aria-label": "Timeline" });
  const tip = make("div", { class: "tip", hidden: true });
  fill(
    find("#time"),
    make(
      "div",
      { class: "clock" },
      iconButton(AGAIN, "Restart (R)", () => studio.restart()),
      iconButton(BACK, "Step back (,)", () => step(-1), { "data-filled": "" }),
      play,
      iconButton(FORTH, "Step forward (.)", () => step(1), { "data-filled": "" }),
      speed,
      time,
      resume,
      live,
      feedNote,
    ),
    make("div", { class: "line" }, canvas, tip),
  );
  const lanes = new Lanes(canvas, tip, seek, now);
  const asked = { tick: 0, tickUntil: 0, speed: 1, speedUntil: 0, runs: false, runsUntil: 0 };

  // Keys arrive faster than answers, so they count from the last requested step until the run continues from there.
  function now() {
    return performance.now() < asked.tickUntil ? asked.tick : Math.round(shownTick());
  }
  function aim(tick) {
    Object.assign(asked, { tick, tickUntil: performance.now() + TRUSTED });
  }
  const isRunning = () => (performance.now() < asked.runsUntil ? asked.runs : studio.status.running);

  function run(running, value = studio.status.speed) {
    Object.assign(asked, { runs: running, runsUntil: performance.now() + TRUSTED });
    studio.send("run", { running, speed: value });
  }
  function toggleRun() {
    const { ended, tick, ticks } = studio.status;
    const running = isRunning();
    if (waiting !== null) send();
    else if (!running && ended && tick >= ticks - 1) return seek(0, true);
    run(!running);
  }
  function setSpeed(value) {
    Object.assign(asked, { speed: value, speedUntil: performance.now() + TRUSTED });
    run(isRunning(), value);
  }
  function faster(by) {
    const speed = performance.now() < asked.speedUntil ? asked.speed : studio.status.speed;
    const at = SPEEDS.findIndex((value) => value >= speed - 1e-9);
    setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))]);
  }
  function step(by) {
    if (by < 0) return seek(now() + by);
    if (waiting !== null) send();
    aim(now() + by);
    asked.runsUntil = 0;
    studio.send("step", { ticks: by });
  }
  let waiting = null; // a timer: the last of many requests for a step is sent
  function seek(tick, runs = false) {
    aim(Math.min(Math.max(0, studio.status.ticks - 1), Math.max(0, Math.round(tick))));
    Object.assign(asked, { runs, runsUntil: performance.now() + TRUSTED });
    waiting ??= setTimeout(send, 30);
  }
  function send() {
    clearTimeout(waiting);
    waiting = null;
    studio.send("seek", { tick: asked.tick });
    if (asked.runs) run(true);
  }
  studio.seek = seek;
  studio.resume = () => studio.send("resume"); // later events are dropped once the run is repeated, not before
  studio.restart = () => studio.send("restart");

  let ran = false;
  on("status", ({ running, speed: now, tick, ticks, ended }) => {
    if (running && !ran) asked.tickUntil = 0;
    if (running === asked.runs) asked.runsUntil = 0;
    ran = running;
    play.replaceChildren(icon(running ? PAUSE : PLAY, true));
    play.setAttribute("aria-pressed", String(running));
    if (document.activeElement !== speed) speed.value = String(now);
    const behind = !running && tick < ticks - 1 && studio.hello?.mode === "play";
    resume.hidden = !behind;
    if (ended) lanes.stale = true;
  });
  const fit = () => (find("#time").style.height = `${heightFor(studio.hello.agents.length)}px`);
  on("hello", () => {
    asked.tickUntil = 0;
    fit();
  });
  on("costs", (isFirst) => isFirst && fit());
  for (const name of ["hello", "history", "theme", "selected", "feed", "costs"]) on(name, () => (lanes.stale = true));

  // A live game is followed while the newest step is shown and time runs.
  function showLive() {
    const { running, tick, ticks } = studio.status;
    const follows = running && ticks - tick < 1 / studio.hello.step;
    live.hidden = !isLive();
    live.setAttribute("aria-pressed", String(follows));
    const words = follows ? "● Live" : "Go live";
    if (live.textContent !== words) live.textContent = words;
    const lost = feed.dropped ? `${feed.dropped} frames dropped` : "";
    const note = isFeed() ? [isLive() || !studio.hello.ticks ? "" : "not connected", lost].filter(Boolean).join(", ") : "";
    if (feedNote.textContent !== note) feedNote.textContent = note;
  }

  return {
    toggleRun,
    faster,
    step,
    seek,
    toEnd: () => seek(studio.status.ticks, isLive()),
    selection: () => lanes.selection,
    draw() {
      const text = `${clockText(shownTick())} / ${clockText(Math.max(0, studio.status.ticks - 1))}`;
      if (time.textContent !== text) time.textContent = text;
      showLive();
      lanes.draw(shownTick());
    },
  };
}
