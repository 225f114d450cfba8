// The tree of an agent or a crew as a graph over the map: live statuses, and the reason of a node on click. The view
// follows the running node until the user moves it.

import { button, fill, find, make, plain } from "../dom.js";
import { on, studio } from "../studio.js";
import { canBreak, isBreakpoint, toggleBreakpoint } from "./breakpoints.js";
import { GraphView } from "./graph_view.js";
import { failureOf, MARKS, nodesOf, runningLeaf } from "./nodes.js";

const WORDS = { success: "succeeded", failure: "failed", running: "runs", idle: "was not reached" };

class TreeGraph extends GraphView {
  constructor(title, closed, isAgent) {
    super(title);
    Object.assign(this, { closed, isAgent }); // whether it is the tree of an agent, not of a crew
    this.text = null; // the lines that are drawn
    this.running = null;
    this.detail = make("output", { class: "detail" });
    this.follow = button("Follow", () => this.#setFollow(true), { title: "Keep the running node in view" });
    const edit = () => studio.editTree(studio.hello.agents[studio.selected.number].brain);
    const bar = make(
      "header",
      {},
      this.heading,
      ...this.zoomButtons(),
      this.follow,
      isAgent && canBreak() && studio.editTree ? button("Edit", edit, { title: "Edit this tree" }) : null,
      button("Close", () => this.close(), { title: "Back to the map (Escape)" }),
    );
    this.node = make("section", { id: "graph", class: "graph", "aria-label": title }, bar, this.svg, this.detail);
    // Before the page's own keys: Escape closes the graph only.
    this.onKey = (event) => {
      if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
      event.stopPropagation();
      event.preventDefault();
      this.close();
      find("#map").focus({ preventScroll: true });
    };
    addEventListener("keydown", this.onKey, true);
    find("#stage").append(this.node);
    this.#setFollow(true);
    new ResizeObserver(() => this.#setFollow(this.isFollowing)).observe(this.svg);
    this.svg.focus({ preventScroll: true });
  }

  // Show a tree as it is now; `title` names whose it is.
  update(tree, title) {
    this.heading.textContent = plain(title);
    this.nodes = nodesOf(tree);
    const text = tree.map((one) => one.text).join("\n");
    if (text !== this.text) {
      Object.assign(this, { text, chosen: null, running: null });
      this.draw();
    }
    for (const node of this.nodes) this.#status(node);
    const leaf = runningLeaf(this.nodes)?.number ?? null;
    const hasMoved = leaf !== this.running;
    this.running = leaf;
    if (hasMoved && this.isFollowing && leaf !== null) this.centre(leaf);
    this.#tell();
  }

  close() {
    removeEventListener("keydown", this.onKey, true);
    this.node.remove();
    this.closed();
  }

  #status({ number, status, label, reason }) {
    const { group, edge, mark, title } = this.drawn[number];
    const breaks = canBreak() && this.isAgent && isBreakpoint(studio.selected.number, number);
    group.setAttribute("class", `bt ${status}${number === this.chosen ? " chosen" : ""}${breaks ? " breaks" : ""}`);
    group.dataset.status = status;
    edge?.setAttribute("class", status);
    mark.textContent = MARKS[status] ?? "·";
    title.textContent = plain(reason ? `${label}: ${reason}` : label);
  }

  // The chosen node, or how to choose one.
  #tell() {
    const node = this.nodes[this.chosen];
    const help = "Click a node for its reason. Drag to pan, turn the wheel to zoom.";
    if (!node) return fill(this.detail, make("span", { class: "quiet", text: help }));
    const reason = failureOf(node) || node.reason || (node.status === "running" ? reasonBelow(this.nodes, node) : "");
    fill(
      this.detail,
      make("strong", { text: node.label }),
      make("span", { text: ` ${WORDS[node.status] ?? node.status}` }),
      this.isAgent && canBreak() ? this.#breaker(node.number) : null,
      make("p", { class: "reason", text: reason || "No reason was given." }),
    );
  }

  #breaker(number) {
    const isSet = isBreakpoint(studio.selected.number, number);
    const words = isSet ? "Remove breakpoint" : "Break here";
    return button(words, () => toggleBreakpoint(studio.selected.number, number), {
      class: "small bordered",
      "aria-pressed": String(isSet),
      title: "Pause the game when this node begins to run or succeeds (B)",
      "data-key": "breakpoint",
    });
  }

  // Show all marks again, and a node that was entered.
  showBreakpoints(entered) {
    for (const node of this.nodes ?? []) this.#status(node);
    if (entered === undefined) return this.#tell();
    this.#setFollow(false); // the node that was entered stays in view
    this.choose(entered);
    this.centre(entered);
  }

  choose(number) {
    const before = this.chosen;
    this.chosen = number;
    for (const one of [before, number]) if (one !== null && this.nodes[one]) this.#status(this.nodes[one]);
    this.#tell();
  }

  #setFollow(isFollowing) {
    this.isFollowing = isFollowing;
    this.follow.setAttribute("aria-pressed", String(isFollowing));
    if (isFollowing && this.running !== null && this.running !== undefined && this.places) this.centre(this.running);
  }

  moved() {
    this.#setFollow(false);
  }

  acts() {
    const isSet = this.isAgent && canBreak() && this.chosen !== null;
    return isSet ? { b: () => toggleBreakpoint(studio.selected.number, this.chosen) } : {};
  }
}

// Running parents have no reason of their own: the last running node below them gives it.
function reasonBelow(nodes, node) {
  const end = nodes.findIndex((one) => one.number > node.number && one.depth <= node.depth);
  const leaf = runningLeaf(nodes.slice(node.number, end < 0 ? undefined : end));
  return leaf && leaf !== node ? [leaf.label, leaf.reason].filter(Boolean).join(": ") : "";
}

let open = null; // the only graph, and whose section it belongs to

export const isGraphOf = (section) => open?.section === section;

export function openGraph(section, title, tree, whose, isAgent = false) {
  closeGraph();
  const { kind } = studio.selected;
  open = { section, kind, graph: new TreeGraph(title, () => (open = null), isAgent) };
  open.graph.update(tree, whose);
}

export const updateGraph = (tree, whose) => open.graph.update(tree, whose);

export function closeGraph() {
  open?.graph.close();
}

// A graph belongs to a selected agent or crew; it follows to another one of the same kind.
on("selected", (chosen) => chosen?.kind !== open?.kind && closeGraph());
for (const name of ["mode", "hello"]) on(name, closeGraph);
on("breakpoints", (entered) => open?.graph.showBreakpoints(entered));
