// A user's own game that shows itself here: its connection, its numbers over time, and the names of its points and lines.

import { remember, remembered } from "./dom.js";
import { on, studio, tell } from "./studio.js";

export const feed = { connected: false, dropped: 0, series: new Map(), marks: new Map() };

export const isFeed = () => studio.hello?.kind === "feed";
export const isLive = () => isFeed() && feed.connected;

let source = null;
on("hello", (hello) => {
  if (hello.source !== source || hello.kind !== "feed") feed.marks.clear();
  source = hello.source;
  feed.connected = false;
  feed.series = new Map();
});
on("message feed", ({ connected, dropped }) => {
  Object.assign(feed, { connected, dropped });
  tell("feed", feed);
});
on("message numbers", ({ from, series }) => {
  for (const [name, added] of Object.entries(series)) {
    const kept = (feed.series.get(name) ?? []).filter(([tick]) => tick < from);
    feed.series.set(name, kept.concat(added));
  }
  tell("numbers", feed.series);
});

// The value of a series at a step; null: it has none yet.
export function valueAt(series, tick) {
  let [low, high] = [0, series.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (series[middle][0] > tick) high = middle;
    else low = middle + 1;
  }
  return low ? series[low - 1][1] : null;
}

// Points and lines are shown unless their name was switched off. Each name keeps the number of its colour.
const hidden = new Set(remembered("hiddenMarks", []));

export const isMarkShown = (name) => !hidden.has(name);

export function toggleMark(name) {
  if (!hidden.delete(name)) hidden.add(name);
  remember("hiddenMarks", [...hidden]);
  tell("overlays");
}

export function noteMarks({ points, lines }) {
  const before = feed.marks.size;
  for (const { name } of [...points, ...lines]) if (!feed.marks.has(name)) feed.marks.set(name, feed.marks.size);
  if (feed.marks.size !== before) tell("overlays");
}
