// What is a cell worth? Its value in every layer.

import { button, fill, make } from "../dom.js";
import { agentName, on, select, studio } from "../studio.js";

export class CellPanel {
  constructor(scene) {
    this.scene = scene;
    this.node = make("div", { class: "why" });
    on("message cell", (message) => message.cell === studio.selected?.cell && this.#draw(message));
    on("status", () => studio.selected?.kind === "cell" && this.show(studio.selected));
  }

  show({ cell }) {
    studio.send("cell", { cell });
    this.#draw({ cell });
  }

  #draw({ cell, layers, neighbours }) {
    const [x, y, z] = this.scene.cells.middle(cell);
    const known = layers ?? Object.fromEntries(studio.hello.layers.map(({ name }, at) => [name, this.scene.rasters[at].values[cell]]));
    const rows = Object.entries(known).map(([name, value]) => {
      if (name === "cleaned") return make("tr", {}, make("td", { text: "cleaned by" }), make("td", { text: value ? agentName(value - 1) : "nobody" }));
      const unit = studio.hello.layers.find((layer) => layer.name === name)?.unit ?? "";
      return make("tr", {}, make("td", { text: name }), make("td", { text: `${typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : value} ${unit}` }));
    });
    fill(
      this.node,
      make("p", {}, make("strong", { text: `Cell ${cell}` }), make("span", { class: "quiet", text: ` at (${x.toFixed(2)}, ${y.toFixed(2)}, ${z.toFixed(2)}) m` })),
      make("table", { class: "data" }, ...rows),
      neighbours ? make("h3", { text: "Leads to" }) : null,
      neighbours ? make("div", {}, ...neighbours.map((other) => button(String(other), () => select({ kind: "cell", cell: other }), { class: "plain" }))) : null,
    );
  }
}
