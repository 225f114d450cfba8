// What steps cost: milliseconds by step, for the strip under the timeline.

import { on, studio, tell } from "./studio.js";

export const costs = {
  totals: [],
  every: 1, // steps that share a value: that of the most expensive one
  budget: 0,
  isKnown: () => costs.totals.length > 0,
  at: (tick) => costs.totals[Math.floor(Math.max(0, tick) / costs.every)] ?? null,
};

on("hello", () => Object.assign(costs, { totals: [], every: 1, budget: 0 }));
on("message spent", ({ from, every, budget, totals }) => {
  const kept = every === costs.every ? costs.totals.slice(0, from / every) : [];
  const wasKnown = costs.isKnown();
  Object.assign(costs, { totals: kept.concat(totals), every, budget });
  tell("costs", !wasKnown);
});

// By pixel: the most expensive step there, in milliseconds; `tickAt(x)` is the step at a pixel.
export function worstByPixel(from, to, tickAt) {
  const found = [];
  for (let x = Math.floor(from); x < to; x++) {
    const [first, last] = [tickAt(x), tickAt(x + 1)].map((tick) => Math.floor(Math.max(0, tick) / costs.every));
    let worst = 0;
    for (let at = first; at <= Math.max(first, last - 1) && at < costs.totals.length; at++) worst = Math.max(worst, costs.totals[at]);
    if (worst) found.push([x, worst]);
  }
  return found;
}

export const costWords = (tick) => {
  const total = costs.at(tick);
  const most = studio.status.ticks;
  if (total === null || tick > most) return "";
  return `${total.toFixed(2)} of ${costs.budget.toFixed(1)} ms${total > costs.budget ? ", over budget" : ""}`;
};
