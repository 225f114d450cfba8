// A tree drawn from left to right that can be panned, zoomed and walked along by keys; the base of the live graph and of the
// editor.

import { button, make, makeSvg, plain, wantsStill } from "../dom.js";

const COLUMN = 196; // units from one level to the next, and from one leaf to the next
const ROW = 30;
export const BOX = [164, 22]; // size of a node
const LETTERS = 20; // that fit into it
const SCALES = [0.08, 3];
const NEAR = 0.9; // scale at which a node is shown if the whole graph would be too small to read
const READABLE = 0.5;
const DRAG = 4; // pixels that make a press a drag

// Subclasses define `choose(number)`, and optionally `moved()` (the user moved the view), `grab(number)` (returns
// {move, end} to take over a drag that begins on a node) and `acts()` (more keys).
export class GraphView {
  constructor(title) {
    this.view = { x: 0, y: 0, scale: 1 };
    this.nodes = []; // {number, depth, parent, children, label}, the root first
    this.chosen = null; // number of a node
    this.pressed = new Map(); // pointers that are down: where they are
    this.edges = makeSvg("g", { class: "edges" });
    this.boxes = makeSvg("g", { class: "boxes" });
    this.all = makeSvg("g", {}, this.edges, this.boxes);
    this.svg = makeSvg("svg", { tabindex: "0", role: "application", "aria-label": `${title} as a graph` }, this.all);
    this.heading = make("h2", { text: title });
    this.#listen();
  }

  zoomButtons() {
    return [
      button("−", () => this.zoom(0.8), { title: "Zoom out (-)", "aria-label": "Zoom out" }),
      button("+", () => this.zoom(1.25), { title: "Zoom in (+)", "aria-label": "Zoom in" }),
      button("Fit", () => this.fit(), { title: "Show the whole tree (F)" }),
    ];
  }

  // Draw other nodes; the view stays if `isSame` tree.
  draw(isSame = false) {
    placeAll(this.nodes);
    this.places = this.nodes.map(({ x, y }) => [x, y]);
    this.drawn = this.nodes.map((node) => drawNode(node));
    this.boxes.replaceChildren(...this.drawn.map(({ group }) => group));
    this.edges.replaceChildren(...this.drawn.flatMap(({ edge }) => edge ?? []));
    this.size = [Math.max(...this.places.map(([x]) => x)) + BOX[0], Math.max(...this.places.map(([, y]) => y)) + BOX[1]];
    if (isSame) return;
    this.fit(false);
    if (this.view.scale < READABLE) this.centre(0, NEAR);
  }

  moveTo(view, isSmooth = false) {
    this.view = view;
    this.all.setAttribute("class", isSmooth && !wantsStill() ? "smooth" : "");
    // As a style, so that the browser can move it smoothly.
    this.all.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  }

  fit(isChoice = true) {
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (isChoice) this.moved?.();
    const [wide, high] = this.size;
    const scale = Math.min(1.2, Math.max(SCALES[0], Math.min((width - 32) / wide, (height - 32) / high)));
    this.moveTo({ x: (width - wide * scale) / 2, y: (height - high * scale) / 2, scale }, isChoice);
  }

  // Show a node in the middle, with as much of its branch to the left as fits.
  centre(number, scale = this.view.scale) {
    const [x, y] = this.places[number];
    const { clientWidth: width, clientHeight: height } = this.svg;
    const share = Math.min(0.75, (16 + (x + BOX[0] / 2) * scale) / width);
    this.moveTo({ x: width * share - (x + BOX[0] / 2) * scale, y: height / 2 - (y + BOX[1] / 2) * scale, scale }, true);
  }

  // Zoom around a point of the drawing, else around its middle.
  zoom(factor, at = [this.svg.clientWidth / 2, this.svg.clientHeight / 2]) {
    this.moved?.();
    const scale = Math.min(SCALES[1], Math.max(SCALES[0], this.view.scale * factor));
    const share = scale / this.view.scale;
    this.moveTo({ x: at[0] - (at[0] - this.view.x) * share, y: at[1] - (at[1] - this.view.y) * share, scale });
  }

  // A place of the drawing in its own units.
  unitsAt([x, y]) {
    return [(x - this.view.x) / this.view.scale, (y - this.view.y) / this.view.scale];
  }

  #listen() {
    const place = (event) => {
      const { left, top } = this.svg.getBoundingClientRect();
      return [event.clientX - left, event.clientY - top];
    };
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), place(event));
    }, { passive: false });
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      const hit = event.target.closest(".bt");
      const number = hit ? Number(hit.dataset.node) : null;
      this.press = { from: place(event), number, isDrag: this.pressed.size > 0, taken: null };
      this.pressed.set(event.pointerId, place(event));
    });
    this.svg.addEventListener("pointermove", (event) => this.pressed.has(event.pointerId) && this.#drag(event.pointerId, place(event)));
    this.svg.addEventListener("pointerup", (event) => {
      if (!this.pressed.delete(event.pointerId)) return;
      if (this.press.taken) this.press.taken.end(place(event));
      else if (!this.press.isDrag) this.choose(this.press.number);
      this.press.taken = null;
    });
    this.svg.addEventListener("pointercancel", ({ pointerId }) => this.pressed.delete(pointerId) && this.cancelDrag());
    this.svg.addEventListener("keydown", (event) => this.#key(event));
  }

  // Returns whether a drag was under way.
  cancelDrag() {
    const { taken } = this.press ?? {};
    if (taken) this.press.taken = null;
    taken?.end(null);
    return Boolean(taken);
  }

  // One pointer pans, unless a node is grabbed; two zoom.
  #drag(pointer, to) {
    const from = this.pressed.get(pointer);
    if (!this.press.isDrag && Math.hypot(to[0] - this.press.from[0], to[1] - this.press.from[1]) < DRAG) return;
    if (!this.press.isDrag && this.press.number !== null) this.press.taken = this.grab?.(this.press.number) ?? null;
    this.press.isDrag = true;
    this.pressed.set(pointer, to);
    if (this.press.taken) return this.press.taken.move(to);
    const other = [...this.pressed].find(([one]) => one !== pointer)?.[1];
    if (other) {
      const apart = (one) => Math.max(1, Math.hypot(one[0] - other[0], one[1] - other[1]));
      return this.zoom(apart(to) / apart(from), other);
    }
    this.moved?.();
    this.moveTo({ ...this.view, x: this.view.x + to[0] - from[0], y: this.view.y + to[1] - from[1] });
  }

  // Arrows go along the branches; other keys are those of the page.
  #key(event) {
    const [closer, further] = [() => this.zoom(1.25), () => this.zoom(0.8)];
    const acts = { "+": closer, "=": closer, "-": further, f: () => this.fit(), ...this.acts?.() };
    const next = event.key.startsWith("Arrow") ? this.#neighbour(event.key) : undefined;
    if (event.ctrlKey || event.metaKey || event.altKey || (!acts[event.key] && next === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) return acts[event.key]();
    this.moved?.();
    this.choose(next);
    this.centre(next);
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
