// A tree in a panel, node by node with status and reason: what was reached, with the running branch first and failed
// branches collapsed, or the whole tree in its own order.

import { button, make } from "../dom.js";
import { closeGraph, isGraphOf, openGraph, updateGraph } from "./graph.js";
import { failureOf, MARKS, nodesOf } from "./nodes.js";

export class TreeSection {
  // `redraw` shows the panel again after a choice.
  constructor(title, redraw, isAgent = false) {
    this.title = title;
    this.isAgent = isAgent;
    this.redraw = redraw;
    this.whole = false;
    this.reset();
  }

  // Another agent has another tree.
  reset() {
    this.opened = new Set(); // numbers of failed nodes whose branches are open
    this.boxes = new Map(); // the branches that can be opened, by number of their node
  }

  // `whose` names the agent or crew.
  view(tree, whose) {
    const title = `${this.title} of ${whose}`;
    this.#remember();
    if (!tree?.length) {
      if (isGraphOf(this)) closeGraph();
      return [];
    }
    if (isGraphOf(this)) updateGraph(tree, title);
    const [root] = nodesOf(tree);
    const choices = make(
      "span",
      {},
      this.#button("Graph", () => openGraph(this, this.title, tree, title, this.isAgent), "Show this tree as a graph"),
      this.#button(this.whole ? "Reached nodes only" : "Whole tree", () => this.#toggle()),
    );
    return [make("h3", { text: this.title }, choices), make("div", { class: "tree" }, this.#branch(root))];
  }

  #button(label, act, title) {
    return button(label, act, { class: "plain", title, "data-key": `${this.title} ${title ?? "whole"}` });
  }

  #toggle() {
    this.whole = !this.whole;
    this.redraw();
  }

  // Read before every redraw: the event of a branch comes some time after it was opened.
  #remember() {
    for (const [number, { open }] of this.boxes) this.opened[open ? "add" : "delete"](number);
    this.boxes.clear();
  }

  #branch(node) {
    const below = this.#below(node).map((child) => this.#branch(child));
    const isShut = !this.whole && node.status === "failure";
    if (!below.length) return line("div", node);
    const children = make("div", { class: "children" }, ...below);
    if (!isShut) return make("div", {}, line("div", node), children);
    const summary = line("summary", node, { "data-key": `${this.title} ${node.number}` });
    const box = make("details", { open: this.opened.has(node.number) }, summary, children);
    this.boxes.set(node.number, box);
    return box;
  }

  // The children to show. Those that failed come after those that did not; each part keeps its order.
  #below({ children }) {
    if (this.whole) return children;
    const reached = children.filter(({ status }) => status !== "idle");
    const isFailed = ({ status }) => status === "failure";
    return [...reached.filter((child) => !isFailed(child)), ...reached.filter(isFailed)];
  }
}

function line(tag, node, more = {}) {
  const reason = failureOf(node) || node.reason;
  return make(
    tag,
    { class: `node ${node.status}`, title: reason ? `${node.status}: ${reason}` : node.status, ...more },
    make("span", { class: "outcome", text: MARKS[node.status] ?? "·" }),
    make("span", { class: "text", text: node.label }),
    reason ? " " : null,
    reason ? make("span", { class: "reason", text: reason }) : null,
  );
}
