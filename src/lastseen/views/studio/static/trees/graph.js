// The drawn tree of the editor: nodes are chosen, dragged to other places, and marked if they have faults.

import { makeSvg } from "../dom.js";
import { BOX, GraphView } from "../side/graph_view.js";

const [WIDTH, HEIGHT] = BOX;

export class EditGraph extends GraphView {
  constructor(editor) {
    super("Edited tree");
    Object.assign(this, { editor, shownTree: null });
    this.drop = makeSvg("path", { class: "drop" });
    this.all.append(this.drop);
    new ResizeObserver(() => this.svg.clientWidth && this.update()).observe(this.svg);
  }

  update() {
    const { editor } = this;
    const shownTree = `${editor.file} ${editor.tree}`;
    const isSame = shownTree === this.shownTree;
    this.nodes = editor.nodes;
    this.chosen = editor.node?.number ?? null;
    if (!this.nodes.length) return this.boxes.replaceChildren(), this.edges.replaceChildren();
    if (!this.svg.clientWidth) return; // drawn as soon as it is visible
    this.draw(isSame);
    this.shownTree = shownTree;
    this.mark();
    if (isSame && this.chosen !== null) this.#intoView(this.chosen);
  }

  // Show what is chosen and what has faults.
  mark() {
    if (this.shownTree === null) return;
    this.chosen = this.editor.node?.number ?? null;
    const faulty = new Map();
    for (const { address, what } of this.editor.placed) if (address) faulty.set(address.join(), what);
    for (const { number, address, label, parts } of this.nodes) {
      const { group, mark, title } = this.drawn[number];
      const fault = faulty.get(address.join());
      group.setAttribute("class", `bt${number === this.chosen ? " chosen" : ""}${fault ? " faulty" : ""}`);
      mark.textContent = fault ? "!" : "";
      title.textContent = fault ? `${label}: ${fault}` : (this.editor.kinds.get(parts.kind)?.about ?? label);
    }
  }

  choose(number) {
    if (number !== null) this.editor.choose(this.nodes[number].address);
  }

  #intoView(number) {
    const [x, y] = this.places[number].map((unit, axis) => unit * this.view.scale + [this.view.x, this.view.y][axis]);
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (x < 0 || y < 0 || x + WIDTH * this.view.scale > width || y + HEIGHT * this.view.scale > height) this.centre(number);
  }

  // A node that is dragged over another goes before, after or into it.
  grab(number) {
    const { address } = this.nodes[number];
    if (address.length === 1) return null; // the root stays
    this.editor.choose(address);
    const target = (to) => to && this.#targetAt(this.unitsAt(to), address);
    return {
      move: (to) => this.#showDrop(target(to)),
      end: (to) => {
        this.#showDrop(null);
        const found = target(to);
        if (found) this.editor.move(found.node.address, found.where, address);
      },
    };
  }

  // Half a row above and below a node counts as next to it.
  #targetAt([x, y], from) {
    const gap = 4;
    const hit = this.nodes.find((node) => x >= node.x && x <= node.x + WIDTH && y >= node.y - gap && y <= node.y + HEIGHT + gap);
    if (!hit || from.every((step, at) => hit.address[at] === step)) return null;
    const share = (y - hit.y) / HEIGHT;
    const room = this.editor.takes(hit);
    const where = !hit.parent || (room && share > 0.3 && share < 0.7) ? "inside" : share < 0.5 ? "before" : "after";
    return { node: hit, where };
  }

  #showDrop(found) {
    const { x, y } = found?.node ?? {};
    const lines = {
      before: `M${x} ${y - 4}h${WIDTH}`,
      after: `M${x} ${y + HEIGHT + 4}h${WIDTH}`,
      inside: `M${x - 3} ${y - 3}h${WIDTH + 6}v${HEIGHT + 6}h${-WIDTH - 6}z`,
    };
    this.drop.setAttribute("d", found ? lines[found.where] : "");
    this.drop.dataset.where = found?.where ?? "";
  }
}
