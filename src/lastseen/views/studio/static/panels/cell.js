// The Cell panel: the values of a cell in every layer.

import { button, fill, make } from "../dom.js";
import { layerWords, numberWords } from "../overlays.js";
import { agentName, on, select, studio } from "../studio.js";

export class CellPanel {
  constructor(scene) {
    this.scene = scene;
    this.node = make("div", { class: "why" });
    this.measured = null;
    on("message cell", (message) => message.cell === studio.selected?.cell && this.#draw(message));
    on("message measured", (message) => {
      if (message.cell !== studio.selected?.cell) return;
      this.measured = message;
      this.#draw(this.drawn);
    });
    on("status", () => studio.selected?.kind === "cell" && this.show(studio.selected));
  }

  show({ cell }) {
    studio.send("cell", { cell, all_layers: true });
    this.#draw({ cell });
  }

  // Computed layers arrive slightly later than the others.
  #words(layer, at, cell, layers) {
    if (layer.steps) {
      const value = this.measured?.values[layer.name];
      return value === undefined ? "…" : value === null ? layer.nothing : numberWords(layer, value);
    }
    const value = layers?.[layer.name] ?? this.scene.rasters[at].values[cell];
    return layer.name === "cleaned" ? (value ? agentName(value - 1) : "nobody") : layerWords(layer, value);
  }

  #draw(message) {
    this.drawn = message;
    const { cell, layers, neighbours } = message;
    const [x, y, z] = this.scene.cells.middle(cell);
    if (this.measured?.cell !== cell) this.measured = null;
    const rows = studio.hello.layers
      .filter((layer) => layer.is_offered ?? true)
      .map((layer, at) =>
        make(
          "tr",
          { title: layer.about, "data-layer": layer.name },
          make("td", { text: layer.name === "cleaned" ? "searched by" : layer.title.toLowerCase() }),
          make("td", { text: this.#words(layer, at, cell, layers) }),
        ),
      );
    fill(
      this.node,
      make(
        "p",
        {},
        make("strong", { text: `Cell ${cell}` }),
        make("span", { class: "quiet", text: ` at (${x.toFixed(2)}, ${y.toFixed(2)}, ${z.toFixed(2)}) m` }),
      ),
      make("table", { class: "data" }, ...rows),
      neighbours ? make("h3", { text: "Neighbours" }) : null,
      neighbours
        ? make(
            "div",
            {},
            ...neighbours.map((other) =>
              button(String(other), () => select({ kind: "cell", cell: other }), { class: "plain" }),
            ),
          )
        : null,
    );
  }
}
