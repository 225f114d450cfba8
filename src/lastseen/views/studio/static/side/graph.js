// The tree of an agent or a crew as a graph over the map: zoom, pan, live statuses, and the reason of a node on click.
// Nodes are drawn from left to right; the view follows the running node until the user moves it.

import { button, fill, find, make, makeSvg, plain, wantsStill } from "../dom.js";
import { on, studio } from "../studio.js";
import { canBreak, isBreakpoint, toggleBreakpoint } from "./breakpoints.js";
import { failureOf, MARKS, nodesOf, runningLeaf } from "./nodes.js";

const COLUMN = 196; // units from one level to the next, and from one leaf to the next
const ROW = 30;
const BOX = [164, 22]; // size of a node
const LETTERS = 20; // that fit into it
const SCALES = [0.08, 3];
const NEAR = 0.9; // scale at which a node is shown if the whole graph would be too small to read
const READABLE = 0.5;
const DRAG = 4; // pixels that make a press a drag
const WORDS = { success: "succeeded", failure: "failed", running: "runs", idle: "was not reached" };

class TreeGraph {
  constructor(title, closed, isAgent) {
    Object.assign(this, { closed, isAgent }); // whether it is the tree of an agent, not of a crew
    this.view = { x: 0, y: 0, scale: 1 };
    this.text = null; // the lines that are drawn
    this.chosen = null; // number of the node whose reason is shown
    this.running = null;
    this.pressed = new Map(); // pointers that are down: where they are
    this.edges = makeSvg("g", { class: "edges" });
    this.boxes = makeSvg("g", { class: "boxes" });
    this.all = makeSvg("g", {}, this.edges, this.boxes);
    this.svg = makeSvg("svg", { tabindex: "0", role: "application", "aria-label": `${title} as a graph` }, this.all);
    this.heading = make("h2", { text: title });
    this.detail = make("output", { class: "detail" });
    this.follow = button("Follow", () => this.#setFollow(true), { title: "Keep the running node in view" });
    const bar = make(
      "header",
      {},
      this.heading,
      button("−", () => this.#zoom(0.8), { title: "Zoom out (-)" }),
      button("+", () => this.#zoom(1.25), { title: "Zoom in (+)" }),
      button("Fit", () => this.#fit(), { title: "Show the whole tree (F)" }),
      this.follow,
      button("Close", () => this.close(), { title: "Back to the map (Escape)" }),
    );
    this.node = make("section", { id: "graph", "aria-label": title }, bar, this.svg, this.detail);
    this.#listen();
    find("#stage").append(this.node);
    this.#setFollow(true);
    this.svg.focus({ preventScroll: true });
  }

  // Show a tree as it is now; `title` names whose it is.
  update(tree, title) {
    this.heading.textContent = plain(title);
    this.nodes = nodesOf(tree);
    const text = tree.map((one) => one.text).join("\n");
    if (text !== this.text) this.#draw(text);
    for (const node of this.nodes) this.#status(node);
    const leaf = runningLeaf(this.nodes)?.number ?? null;
    const hasMoved = leaf !== this.running;
    this.running = leaf;
    if (hasMoved && this.isFollowing && leaf !== null) this.#centre(leaf);
    this.#tell();
  }

  close() {
    removeEventListener("keydown", this.onKey, true);
    this.node.remove();
    this.closed();
  }

  #draw(text) {
    this.text = text;
    this.chosen = null;
    placeAll(this.nodes);
    this.places = this.nodes.map(({ x, y }) => [x, y]);
    this.drawn = this.nodes.map((node) => drawNode(node));
    this.boxes.replaceChildren(...this.drawn.map(({ group }) => group));
    this.edges.replaceChildren(...this.drawn.flatMap(({ edge }) => edge ?? []));
    this.size = [Math.max(...this.places.map(([x]) => x)) + BOX[0], Math.max(...this.places.map(([, y]) => y)) + BOX[1]];
    this.running = null;
    this.#fit(false);
    if (this.view.scale < READABLE) this.#centre(0, NEAR);
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
    this.#choose(entered);
    this.#centre(entered);
  }

  #choose(number) {
    const before = this.chosen;
    this.chosen = number;
    for (const one of [before, number]) if (one !== null && this.nodes[one]) this.#status(this.nodes[one]);
    this.#tell();
  }

  #setFollow(isFollowing) {
    this.isFollowing = isFollowing;
    this.follow.setAttribute("aria-pressed", String(isFollowing));
    if (isFollowing && this.running !== null && this.running !== undefined && this.places) this.#centre(this.running);
  }

  #move(view, isSmooth = false) {
    this.view = view;
    this.all.setAttribute("class", isSmooth && !wantsStill() ? "smooth" : "");
    // As a style, so that the browser can move it smoothly.
    this.all.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  }

  #fit(isChoice = true) {
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (isChoice) this.#setFollow(false);
    const [wide, high] = this.size;
    const scale = Math.min(1.2, Math.max(SCALES[0], Math.min((width - 32) / wide, (height - 32) / high)));
    this.#move({ x: (width - wide * scale) / 2, y: (height - high * scale) / 2, scale }, isChoice);
  }

  // Show a node in the middle, with as much of its branch to the left as fits.
  #centre(number, scale = this.view.scale) {
    const [x, y] = this.places[number];
    const { clientWidth: width, clientHeight: height } = this.svg;
    const share = Math.min(0.75, (16 + (x + BOX[0] / 2) * scale) / width);
    this.#move({ x: width * share - (x + BOX[0] / 2) * scale, y: height / 2 - (y + BOX[1] / 2) * scale, scale }, true);
  }

  // Zoom around a point of the drawing, else around its middle.
  #zoom(factor, at = [this.svg.clientWidth / 2, this.svg.clientHeight / 2]) {
    this.#setFollow(false);
    const scale = Math.min(SCALES[1], Math.max(SCALES[0], this.view.scale * factor));
    const share = scale / this.view.scale;
    this.#move({ x: at[0] - (at[0] - this.view.x) * share, y: at[1] - (at[1] - this.view.y) * share, scale });
  }

  #listen() {
    const place = (event) => {
      const { left, top } = this.svg.getBoundingClientRect();
      return [event.clientX - left, event.clientY - top];
    };
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), place(event));
    }, { passive: false });
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      const hit = event.target.closest(".bt");
      this.press = { from: place(event), number: hit ? Number(hit.dataset.node) : null, isDrag: this.pressed.size > 0 };
      this.pressed.set(event.pointerId, place(event));
    });
    this.svg.addEventListener("pointermove", (event) => this.pressed.has(event.pointerId) && this.#drag(event.pointerId, place(event)));
    this.svg.addEventListener("pointerup", ({ pointerId }) => {
      if (this.pressed.delete(pointerId) && !this.press.isDrag) this.#choose(this.press.number);
    });
    this.svg.addEventListener("pointercancel", ({ pointerId }) => this.pressed.delete(pointerId));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    // Before the page's own keys: Escape closes the graph only.
    this.onKey = (event) => {
      if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
      event.stopPropagation();
      event.preventDefault();
      this.close();
      find("#map").focus({ preventScroll: true });
    };
    addEventListener("keydown", this.onKey, true);
  }

  // One pointer pans, two zoom.
  #drag(pointer, to) {
    const from = this.pressed.get(pointer);
    if (!this.press.isDrag && Math.hypot(to[0] - this.press.from[0], to[1] - this.press.from[1]) < DRAG) return;
    this.press.isDrag = true;
    this.pressed.set(pointer, to);
    const other = [...this.pressed].find(([one]) => one !== pointer)?.[1];
    if (other) {
      const apart = (one) => Math.max(1, Math.hypot(one[0] - other[0], one[1] - other[1]));
      return this.#zoom(apart(to) / apart(from), other);
    }
    this.#setFollow(false);
    this.#move({ ...this.view, x: this.view.x + to[0] - from[0], y: this.view.y + to[1] - from[1] });
  }

  // Arrows go along the branches; other keys are those of the map.
  #key(event) {
    const acts = { "+": () => this.#zoom(1.25), "=": () => this.#zoom(1.25), "-": () => this.#zoom(0.8), f: () => this.#fit() };
    if (this.isAgent && canBreak() && this.chosen !== null) acts.b = () => toggleBreakpoint(studio.selected.number, this.chosen);
    const next = event.key.startsWith("Arrow") ? this.#neighbour(event.key) : undefined;
    if (event.ctrlKey || event.metaKey || event.altKey || (!acts[event.key] && next === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) return acts[event.key]();
    this.#setFollow(false);
    this.#choose(next);
    this.#centre(next);
  }

  #neighbour(key) {
    const node = this.nodes[this.chosen];
    if (!node) return this.running ?? 0;
    const siblings = node.parent?.children ?? [node];
    const at = siblings.indexOf(node);
    const found = { ArrowLeft: node.parent, ArrowRight: node.children[0], ArrowUp: siblings[at - 1], ArrowDown: siblings[at + 1] };
    return (found[key] ?? node).number;
  }
}

// Give every node its place: leaves below one another, parents in the middle of their children.
function placeAll(nodes) {
  let row = 0;
  for (const node of nodes) {
    node.x = node.depth * COLUMN;
    if (!node.children.length) node.y = ROW * row++;
  }
  for (const node of nodes.toReversed()) {
    if (node.children.length) node.y = (node.children[0].y + node.children.at(-1).y) / 2;
  }
}

function drawNode({ number, x, y, label, parent, children }) {
  const [width, height] = BOX;
  const short = label.length > LETTERS ? `${label.slice(0, LETTERS - 1)}…` : label;
  const title = makeSvg("title");
  const mark = makeSvg("text", { x: 8, y: 15.5, class: "outcome" });
  const name = makeSvg("text", { x: 22, y: 15, class: children.length ? "parent" : "leaf" });
  name.textContent = plain(short);
  const shape = makeSvg("rect", { width, height, rx: children.length ? 11 : 4 });
  const group = makeSvg("g", { "data-node": number, transform: `translate(${x}, ${y})` }, title, shape, mark, name);
  if (!parent) return { group, mark, title, edge: null };
  const [fromX, fromY, toY] = [parent.x + width, parent.y + height / 2, y + height / 2];
  const bend = (fromX + x) / 2;
  const edge = makeSvg("path", { d: `M${fromX} ${fromY}C${bend} ${fromY} ${bend} ${toY} ${x} ${toY}` });
  return { group, mark, title, edge };
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
