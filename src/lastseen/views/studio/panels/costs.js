// The Costs panel: milliseconds of the step shown by system and by agent, and the steps that were over budget.

import { clockText } from "../bars/clock.js";
import { costs } from "../costs.js";
import { button, fill, make } from "../dom.js";
import { studio } from "../studio.js";

const OFTEN = 500; // milliseconds between two questions while time passes
const MOST_OVER = 20;

export const panel = {
  id: "costs",
  title: "Costs",
  isListed: true,
  isFor: () => costs.isKnown(),
  reads: ["costs", "status"],
  create: () => new CostsPanel(),
};

const shown = (value) => (value < 0.01 ? value.toFixed(4) : value < 10 ? value.toFixed(2) : value.toFixed(1));

class CostsPanel {
  constructor() {
    this.node = make("div", { class: "costs" });
    this.asked = 0;
  }

  show() {
    this.asked = performance.now();
    studio.send("costs");
  }

  status() {
    if (!studio.status.running) this.show();
  }

  refresh(now) {
    if (studio.status.running && now - this.asked > OFTEN) this.show();
  }

  costs(message) {
    const { tick, budget, total, mean, worst, worst_tick, over, over_ticks, systems, agents } = message;
    const go = (to) => button(clockText(to), () => studio.seek(to), { class: "plain", "data-tick": to });
    fill(
      this.node,
      make(
        "p",
        { class: total > budget ? "over" : "" },
        make("strong", { text: `${shown(total)} ms` }),
        ` of ${shown(budget)} ms at ${clockText(tick)}`,
      ),
      make("p", { class: "quiet" }, `On average ${shown(mean)} ms, at most ${shown(worst)} ms at `, go(worst_tick), "."),
      over
        ? make("p", { class: "over" }, `${over} steps over budget: `, ...over_ticks.slice(0, MOST_OVER).map(go))
        : make("p", { class: "quiet", text: "No step was over budget." }),
      table("System", systems, budget),
      table("Thinking of", agents, budget),
      make("p", { class: "quiet", text: "Times of the machine that computed the run; not part of its digest." }),
    );
  }
}

function table(title, rows, budget) {
  const most = Math.max(...rows.map(({ now, mean }) => Math.max(now, mean)), 1e-9);
  const bar = (value) => make("span", { class: "bar", style: `width: ${Math.round((60 * value) / most)}px` });
  const head = ["", "now, ms", "mean, ms"].map((text) => make("th", { text }));
  head[0].textContent = title;
  const body = rows.map(({ name, now, mean }) =>
    make(
      "tr",
      { "data-name": name, class: now > budget ? "over" : "" },
      make("td", { text: name }),
      make("td", {}, shown(now), bar(now)),
      make("td", { text: shown(mean) }),
    ),
  );
  return make("table", { class: "data" }, make("tr", {}, ...head), ...body);
}
