// The history so far: events in order of time, the states of each agent, and the story.

import { studio, on, tell } from "./studio.js";

export const history = { events: [], sentences: [] };

export function forget() {
  history.events = [];
  history.sentences = [];
  tell("history");
}

// Continuing from an earlier moment invalidates everything after it.
export function forgetAfter(tick) {
  history.events = history.events.filter((event) => event.tick <= tick);
  history.sentences = history.sentences.filter((sentence) => sentence.tick <= tick);
  tell("history");
}

export function addEvents(events) {
  const newest = history.events.at(-1)?.tick ?? -1;
  history.events.push(...events);
  if (events.length && events[0].tick < newest) history.events.sort((one, other) => one.tick - other.tick);
  tell("history");
}

export function takeStory({ from, sentences: given }) {
  const sentences = given.map((one) => ({ ...one, text: toYou(one.text) }));
  history.sentences = from === undefined || from === null ? sentences : [...history.sentences.slice(0, from), ...sentences];
  tell("story", history.sentences);
}

// The story addresses the player as “you”.
function toYou(text) {
  const name = studio.hello?.mode === "play" ? studio.hello.agents[studio.hello.player]?.name : null;
  if (!name) return text;
  const parts = text.split(new RegExp(`(?<![\\p{L}\\d])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\d])`, "iu"));
  return parts.reduce((told, part) => told + (told && !/[.:] *$/.test(told) ? "you" : "You") + part);
}

export function firstAfter(tick) {
  let low = 0;
  let high = history.events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (history.events[middle].tick > tick) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Events of some kinds in the last `seconds` before a moment, newest first.
export function recentEvents(tick, seconds, kinds) {
  const first = tick - seconds / studio.hello.step;
  const found = [];
  for (let at = firstAfter(tick) - 1; at >= 0 && history.events[at].tick >= first; at--) {
    if (kinds.includes(history.events[at].kind)) found.push(history.events[at]);
  }
  return found;
}

// Intervals of one state each: [{from, to, state}], by agent.
export function lanes(ticks) {
  const names = studio.hello.vocabulary.states;
  // Agents of a feed appear with their first state.
  const begins = studio.hello.kind !== "feed";
  const found = studio.hello.agents.map((agent) => (begins ? [{ from: 0, state: agent.target ? names.indexOf("run") : 0 }] : []));
  for (const event of history.events) {
    if (event.kind !== "state" || !found[event.agent]) continue;
    const lane = found[event.agent];
    if (lane.length) lane.at(-1).to = event.tick;
    lane.push({ from: event.tick, state: names.indexOf(event.state) });
  }
  for (const lane of found) if (lane.length) lane.at(-1).to = Math.max(ticks, lane.at(-1).from);
  return found;
}

on("forget", forget);
