// The Cell panel: the values of a cell in every layer.

import { button, fill, make } from "../dom.js";
import { layerWords, numberWords } from "../overlays.js";
import { agentName, select, studio } from "../studio.js";

export const panel = {
  id: "cell",
  title: "Cell",
  reads: ["cell", "measured", "status"],
  create: ({ scene }) => new CellPanel(scene),
};

class CellPanel {
  constructor(scene) {
    this.scene = scene;
    this.node = make("div", { class: "why" });
    this.values = null;
  }

  show({ cell }) {
    studio.send("cell", { cell });
    studio.send("measure", { cell });
    this.#draw({ cell });
  }

  cell(message) {
    if (message.cell === studio.selected.cell) this.#draw(message);
  }

  measured(message) {
    if (message.cell !== studio.selected.cell) return;
    this.values = message;
    this.#draw(this.drawn);
  }

  status() {
    this.show(studio.selected);
  }

  // Computed layers arrive slightly later than the others.
  #words(layer, at, cell, layers) {
    if (layer.steps) {
      const value = this.values?.values[layer.name];
      return value === undefined ? "…" : value === null ? layer.nothing : numberWords(layer, value);
    }
    const value = layers?.[layer.name] ?? this.scene.rasters[at].values[cell];
    return layer.name === "cleaned" ? (value ? agentName(value - 1) : "not searched") : layerWords(layer, value);
  }

  #draw(message) {
    this.drawn = message;
    const { cell, layers, neighbours } = message;
    const [x, y, z] = this.scene.cells.middle(cell);
    if (this.values?.cell !== cell) this.values = null;
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
