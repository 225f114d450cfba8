// Replaces connection.js in a replay file: the run is embedded in the page, and this module answers in place of a
// server.

import { openRun } from "./replay/run.js";

export const isServed = false;

const LATE = 4; // steps to catch up at most: time stands still for a page in the background

export function connect({ onMessage, onFrame, onState }) {
  let run = null;
  let shown = 0;
  let sent = null; // the step whose layers the page has
  let crews = null; // the crews last sent to the page
  let layers = []; // names of the visible layers
  let survey = null; // the last survey sent to the page
  let running = false;
  let speed = 1;
  let due = 0;

  const status = () => ({
    type: "status",
    running,
    speed,
    tick: shown,
    ticks: run.ticks,
    mode: "watch",
    live: false,
    digest: run.digest(shown),
    ended: shown === run.ticks - 1 ? run.hello.ended : null,
  });

  function show(full = false) {
    if (run.hello.crews && run.crewsAt(shown) !== crews) onMessage({ ...(crews = run.crewsAt(shown)), type: "crews" });
    const frame = run.frame(shown, full ? null : sent);
    if (frame.full || run.surveyAt(shown) !== survey) frame.layers.push(...run.layersAt(run.surveyAt(shown), layers));
    onFrame(frame);
    [sent, survey] = [shown, run.surveyAt(shown)];
  }

  function seek(tick) {
    running = false;
    shown = Math.min(run.ticks - 1, Math.max(0, Math.round(tick)));
    onMessage(status());
    show(true);
  }

  function pass() {
    if (!running) return;
    const length = (1000 * run.hello.step) / speed;
    const now = performance.now();
    due = Math.max(due, now - LATE * length);
    const before = shown;
    for (; due <= now && shown < run.ticks - 1; due += length) shown++;
    if (shown !== before) show();
    if (shown === run.ticks - 1) {
      running = false;
      onMessage(status());
    } else setTimeout(pass, Math.max(4, due - now));
  }

  const ACTS = {
    run(message) {
      speed = message.speed ?? speed;
      const begins = message.running && !running && shown < run.ticks - 1;
      running = message.running && shown < run.ticks - 1;
      if (begins) {
        due = performance.now();
        setTimeout(pass);
      }
      onMessage(status());
    },
    step({ ticks = 1 }) {
      running = false;
      shown = Math.min(run.ticks - 1, shown + ticks);
      show();
      onMessage(status());
    },
    seek: ({ tick }) => seek(tick),
    restart: () => seek(0),
    overlays(message) {
      layers = message.layers ?? [];
      show(true);
    },
    ask({ agent, tick = shown }) {
      const account = run.account(agent, tick);
      if (account) onMessage({ type: "account", ...account });
    },
    mesh: () => onMessage(run.mesh),
    solid: () => onMessage(run.solid),
    cell: () => {}, // recorded layers are in the frames
    // Answer asynchronously, as a server would.
    measure({ cell }) {
      const told = { type: "measured", cell, tick: shown, values: run.measured(run.surveyAt(shown), cell) };
      queueMicrotask(() => onMessage(told));
    },
  };

  async function open() {
    const raw = atob(document.querySelector("#embedded").textContent);
    run = await openRun(Uint8Array.from(raw, (letter) => letter.charCodeAt(0)));
    onState({ connected: true });
    onMessage({ ...run.hello, type: "hello" });
    onMessage({ type: "events", from: 0, events: run.events });
    onMessage({ type: "story", from: 0, sentences: run.story });
    onMessage(status());
    show(true);
  }
  open();
  return (type, more = {}) => {
    if (!run) return;
    if (ACTS[type]) ACTS[type](more);
    else onMessage({ type: "error", code: "refused", message: "This is a replay: you can watch it, but not change it.", about: type });
  };
}
