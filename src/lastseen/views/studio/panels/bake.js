// The Bake panel: sliders for the body and the cells; the level is baked again while they move, and shown on the map.

import { isServed } from "../connection.js";
import { button, fill, make } from "../dom.js";
import { isFeed } from "../feed.js";
import { Cells } from "../map/cells.js";
import { meshOf } from "../map/navmesh.js";
import { currentMode } from "../modes/modes.js";
import { copy } from "../share.js";
import { change, on, studio } from "../studio.js";

const PAUSE = 120; // milliseconds after the last change of a slider
const SLIDERS = [
  ["cell", "Cell size", "m", 0.1, 2, 0.05],
  ["radius", "Radius", "m", 0, 1.5, 0.05],
  ["climb", "Climb", "m", 0, 1.5, 0.05],
  ["slope", "Slope", "°", 0, 85, 1],
];
const NUMBERS = [
  ["cells", "cells", 0], ["faces", "faces", 0], ["links", "links", 0], ["area", "walkable m²", 1], ["islands", "islands", 0],
  ["seconds", "seconds", 2],
];

export const panel = {
  id: "bake",
  title: "Bake",
  isListed: true,
  isFor: () => isServed && !isFeed(),
  reads: ["baked", "working", "error"],
  create: () => new BakePanel(),
};

// Some modes put a panel of their own in its place: nothing it baked is drawn there.
const isCovered = () => Boolean(currentMode().panel?.());

class BakePanel {
  constructor() {
    this.number = 0;
    this.timer = 0;
    this.usual = null; // as the game was baked
    this.result = null;
    this.status = make("p", { class: "quiet", role: "status" });
    this.bar = make("progress", { max: 1, hidden: true });
    this.table = make("table", { class: "data" });
    this.command = make("code", { class: "command" });
    this.inputs = Object.fromEntries(SLIDERS.map((slider) => [slider[0], this.#slider(...slider)]));
    const copied = button("Copy as command", () => copy(this.result.command, "command"), { "data-act": "copy" });
    this.node = make(
      "div",
      { class: "bake" },
      ...Object.values(this.inputs).map(({ row }) => row),
      make("div", { class: "buttons left" }, button("As in the game", () => this.#reset(), { "data-act": "reset" }), copied),
      this.status,
      this.bar,
      this.table,
      this.command,
    );
    on("hello", () => this.#forget());
    on("selected", (chosen) => chosen?.kind !== "bake" && this.#leave());
    on("mode", () => isCovered() && this.#leave());
    const shown = () => studio.trial?.number ?? null;
    studio.bake = () => ({ number: this.number, result: this.result, status: this.status.textContent, shown: shown() });
  }

  #slider(name, title, unit, low, high, step) {
    const shown = make("output");
    const settings = { type: "range", min: low, max: high, step, "aria-label": title, "data-bake": name };
    const input = make("input", { ...settings, on: { input: () => this.#moved() } });
    const row = make("label", { class: "field size" }, make("span", { text: title }), input, shown);
    const write = () => (shown.textContent = `${Number(input.value).toFixed(step < 1 ? 2 : 0)} ${unit}`);
    return { row, input, write };
  }

  show() {
    if (this.result) this.#present(this.result);
    else this.#ask({});
  }

  // Another level is open: its own values come with the first answer.
  #forget() {
    clearTimeout(this.timer);
    [this.usual, this.result] = [null, null];
    this.number++;
    if (studio.trial) change("trial", null);
    if (studio.selected?.kind === "bake") this.#ask({});
  }

  #leave() {
    clearTimeout(this.timer);
    if (studio.trial) change("trial", null);
  }

  #moved() {
    for (const { write } of Object.values(this.inputs)) write();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#ask(this.#values()), PAUSE);
  }

  #values() {
    return Object.fromEntries(SLIDERS.map(([name]) => [name, Number(this.inputs[name].input.value)]));
  }

  #ask({ cell, radius, climb, slope }) {
    this.number++;
    this.status.textContent = "Baking …";
    studio.send("bake", { number: this.number, cell, radius, climb, slope });
  }

  #reset() {
    if (!this.usual) return;
    this.#place(this.usual);
    this.#moved();
  }

  #place(values) {
    for (const [name, , , , high] of SLIDERS) {
      const { input, write } = this.inputs[name];
      input.max = Math.max(high, values[name]);
      if (Number(input.min) > values[name]) input.min = values[name];
      input.value = values[name];
      write();
    }
  }

  // An answer to an older question is dropped.
  baked(message) {
    if (message.number !== this.number) return;
    this.usual ??= message;
    if (!this.result) this.#place(message);
    this.result = message;
    this.#present(message);
  }

  #present({ number, mesh, squares }) {
    this.bar.hidden = true;
    const missing = [squares ? null : "cells", mesh ? null : "faces"].filter(Boolean).join(" and ");
    this.status.textContent = missing ? `Too many ${missing} to draw; the numbers hold.` : "";
    this.status.classList.remove("wrong");
    this.command.textContent = this.result.command;
    fill(this.table, ...NUMBERS.map((one) => this.#row(...one)));
    if (studio.trial?.number === number || isCovered()) return;
    change("trial", { number, cells: squares && new Cells(squares), mesh: mesh && meshOf(mesh) });
  }

  #row(name, title, digits) {
    const [now, usual] = [this.result[name], this.usual[name]];
    const text = (value) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
    const differs = name !== "seconds" && usual && now !== usual;
    const share = differs ? `${now > usual ? "+" : "−"}${Math.abs((100 * (now - usual)) / usual).toFixed(0)} %` : "";
    const columns = [make("td", { text: title }), make("td", { text: text(now) }), make("td", { class: "quiet", text: share })];
    return make("tr", { "data-number": name }, ...columns);
  }

  working(message) {
    if (message.panel !== "bake") return;
    this.bar.hidden = false;
    this.bar.value = message.fraction;
    this.status.textContent = `Baking: ${message.text} …`;
  }

  error(message) {
    if (message.about !== "bake") return;
    this.bar.hidden = true;
    this.status.textContent = message.message;
    this.status.classList.add("wrong");
  }
}
