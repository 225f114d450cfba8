// The Numbers panel: each number of a feed as a small plot over time, with its value at the moment shown.

import { clockText } from "../bars/clock.js";
import { guardColour, theme } from "../colours.js";
import { fill, make } from "../dom.js";
import { feed, isFeed, valueAt } from "../feed.js";
import { studio } from "../studio.js";

const OFTEN = 100; // milliseconds between two pictures
const HEIGHT = 44;
const EDGE = 3;

export const panel = { id: "numbers", title: "Numbers", isListed: true, isFor: isFeed, create: () => new NumbersPanel() };

class NumbersPanel {
  constructor() {
    this.node = make("div", { class: "numbers" });
    this.rows = new Map();
    this.drawn = 0;
  }

  show() {
    this.rows.clear();
    fill(this.node, make("p", { class: "quiet", text: "No numbers yet. Send them with feed.number(name, value)." }));
    this.#draw();
  }

  refresh(now) {
    if (now - this.drawn < OFTEN) return;
    this.drawn = now;
    this.#draw();
  }

  #draw() {
    if (!feed.series.size) return;
    if ([...feed.series.keys()].join("\n") !== [...this.rows.keys()].join("\n")) this.#list();
    [...feed.series].forEach(([name, series], number) => this.#plot(this.rows.get(name), series, guardColour(number)));
  }

  #list() {
    this.rows = new Map([...feed.series.keys()].map((name) => [name, row(name)]));
    fill(this.node, ...[...this.rows.values()].map(({ node }) => node));
  }

  #plot({ canvas, value, range }, series, colour) {
    const { tick, ticks } = studio.status;
    const now = valueAt(series, tick);
    value.textContent = now === null ? "—" : shown(now);
    const values = series.map(([, one]) => one);
    const [low, high] = [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
    range.textContent = `${shown(low)} … ${shown(high)}`;
    canvas.setAttribute("aria-label", `from ${shown(low)} to ${shown(high)}, now ${value.textContent}`);
    const ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth || 240;
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(HEIGHT * ratio)];
    const ink = canvas.getContext("2d");
    ink.scale(ratio, ratio);
    const x = (at) => (at / Math.max(1, ticks - 1)) * (width - 2) + 1;
    const y = (one) => HEIGHT - EDGE - ((one - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
    ink.beginPath();
    series.forEach(([at, one], number) => {
      if (number) ink.lineTo(x(at), y(series[number - 1][1])); // a number stays as it is until it changes
      ink.lineTo(x(at), y(one));
    });
    ink.lineTo(x(ticks - 1), y(values.at(-1)));
    ink.strokeStyle = colour;
    ink.lineWidth = 1.4;
    ink.stroke();
    ink.fillStyle = theme.ink.accent;
    ink.fillRect(x(tick) - 0.5, 0, 1, HEIGHT);
    if (now === null) return;
    ink.beginPath();
    ink.arc(x(tick), y(now), 2.6, 0, 2 * Math.PI);
    ink.fill();
  }
}

function row(name) {
  const canvas = make("canvas", { class: "spark", role: "img", title: "Click to go to a moment" });
  const value = make("output", {});
  const range = make("small", { class: "quiet" });
  const tickAt = ({ clientX }) => {
    const { left, width } = canvas.getBoundingClientRect();
    return ((clientX - left) / width) * (studio.status.ticks - 1);
  };
  canvas.addEventListener("click", (event) => studio.seek(tickAt(event)));
  canvas.addEventListener("pointermove", (event) => (canvas.title = `Go to ${clockText(tickAt(event))}`));
  const head = make("div", { class: "number" }, make("strong", { text: name }), value, range);
  return { node: make("div", { "data-number": name }, head, canvas), canvas, value, range };
}

const shown = (value) => String(Number(value.toPrecision(4)));
