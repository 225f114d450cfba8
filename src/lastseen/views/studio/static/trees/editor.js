// The trees being edited: their values, the tree shown, the node chosen, and the faults.

import { Undoable } from "../edit/undo.js";
import { studio } from "../studio.js";
import { afterRemoval, isInner, keysIn, nodeOf, nodesIn, partsOf, treesOf, withChild, withNodes } from "./model.js";

const same = (one, other) => one.length === other.length && one.every((step, at) => step === other[at]);

// It notifies about: "tree", "selection", "faults", "file".
export class TreeEditor extends Undoable {
  constructor() {
    super({});
    Object.assign(this, { isReady: false, name: "", file: "", digest: "", text: "", saved: null, users: "agents", choices: null });
    Object.assign(this, { kinds: new Map(), faults: [], checked: null, tree: "", chosen: null, nodes: [] });
  }

  get value() {
    return this.undoing.now;
  }

  get isDirty() {
    return this.isReady && this.value !== this.saved;
  }

  get node() {
    return this.chosen && (this.nodes.find(({ address }) => same(address, this.chosen)) ?? null);
  }

  open({ name, file, digest, text, value, users, choices, isSaved }) {
    this.undoing.begin(value);
    Object.assign(this, { name, file, digest, text, users, choices, saved: isSaved ? value : null, isReady: true });
    this.kinds = new Map(choices.kinds.map((kind) => [kind.name, kind]));
    Object.assign(this, { faults: [], checked: null, tree: value.main ?? this.names[0] ?? "" });
    this.chosen = [this.tree];
    this.settle();
  }

  settle() {
    if (!this.names.includes(this.tree)) this.tree = this.names[0] ?? "";
    this.nodes = nodesIn(this.value, this.tree, this.kinds);
    while (this.chosen?.length > 1 && !this.node) this.chosen = this.chosen.slice(0, -1);
    if (!this.node) this.chosen = this.nodes.length ? [this.tree] : null;
    this.tell("tree");
  }

  choose(address) {
    this.chosen = address;
    if (address && address[0] !== this.tree) return this.show(address[0], address);
    this.tell("selection");
  }

  show(tree, address = [tree]) {
    Object.assign(this, { tree, chosen: address });
    this.settle();
  }

  get names() {
    return Object.keys(treesOf(this.value));
  }

  // Change the file, and choose another node of it.
  #put(value, label, chosen = this.chosen) {
    this.chosen = chosen;
    this.change(value, label);
    return true;
  }

  // A new node as files write it: a kind, or the name of a tree as a subtree.
  make = ({ kind, tree }) => (tree ? { subtree: tree } : isInner(this.kinds.get(kind)) ? { [kind]: [] } : kind);

  // Whether another child fits into a node.
  takes = (node) => {
    const most = this.kinds.get(node?.parts.kind)?.most;
    return node && (most === null || node.children.length < (most ?? 0));
  };

  // Add a node before, after or inside the one at an address; returns whether there was room.
  add(given, where, address = this.chosen, label = "add node") {
    const node = this.nodes.find((one) => same(one.address, address));
    if (!node) return false;
    const parent = where === "inside" ? node : node.parent;
    if (!this.takes(parent)) return false;
    const at = where === "inside" ? node.children.length : address.at(-1) + (where === "after" ? 1 : 0);
    return this.#put(withChild(this.value, parent.address, at, given, this.kinds), label, [...parent.address, at]);
  }

  remove() {
    if (!this.node?.parent) return false;
    const left = this.chosen.at(-1) > 0 ? [...this.chosen.slice(0, -1), this.chosen.at(-1) - 1] : this.chosen.slice(0, -1);
    return this.#put(withNodes(this.value, this.chosen, () => [], this.kinds), "remove node", left);
  }

  duplicate() {
    return Boolean(this.node) && this.add(structuredClone(this.node.value), "after", this.chosen, "duplicate node");
  }

  wrap(kind) {
    const around = (node) => [nodeOf({ kind, name: "", params: {}, children: [node], form: "list" }, this.kinds)];
    return Boolean(this.node) && this.#put(withNodes(this.value, this.chosen, around, this.kinds), "wrap node");
  }

  // Put the children of a node in its place.
  unwrap() {
    const { node } = this;
    const count = node?.children.length ?? 0;
    const most = this.kinds.get(node?.parent?.parts.kind)?.most;
    const room = node?.parent ? (most ?? Infinity) - node.parent.children.length + 1 : 1;
    if (!count || count > room) return false;
    return this.#put(withNodes(this.value, this.chosen, () => node.parts.children, this.kinds), "unwrap node");
  }

  // Move the chosen node next to or into another one.
  move(target, where, address = this.chosen) {
    const node = this.nodes.find((one) => same(one.address, address));
    const left = node?.parent && afterRemoval(target, address);
    if (!left) return false;
    const value = withNodes(this.value, address, () => [], this.kinds);
    const nodes = nodesIn(value, this.tree, this.kinds);
    const to = nodes.find((one) => same(one.address, left));
    const parent = where === "inside" ? to : to?.parent;
    if (!this.takes(parent)) return false;
    const at = where === "inside" ? to.children.length : left.at(-1) + (where === "after" ? 1 : 0);
    return this.#put(withChild(value, parent.address, at, node.value, this.kinds), "move node", [...parent.address, at]);
  }

  // Move the chosen node by keys: up or down among its siblings, out of its parent, or into the sibling above.
  step(direction) {
    const { node } = this;
    if (!node?.parent) return false;
    const siblings = node.parent.children;
    const at = siblings.indexOf(node);
    const to = { up: siblings[at - 1], down: siblings[at + 1], out: node.parent, in: siblings[at - 1] }[direction];
    return Boolean(to) && this.move(to.address, { up: "before", down: "after", out: "after", in: "inside" }[direction]);
  }

  // Set parts of the chosen node, such as {name}, {kind} or {params}.
  set(parts, label) {
    const change = (node) => [nodeOf({ ...partsOf(node, this.kinds), ...parts }, this.kinds)];
    this.change(withNodes(this.value, this.chosen, change, this.kinds), label, `${label} ${this.chosen}`);
  }

  // Set a parameter of the chosen node; undefined removes it.
  setParameter(name, value) {
    const { [name]: _, ...rest } = this.node.parts.params;
    const params = value === undefined ? rest : { ...this.node.parts.params, [name]: value };
    this.set({ params }, `change ${name}`);
  }

  addTree(name) {
    const { root, ...value } = this.value;
    const trees = { ...(root === undefined ? value.trees : { main: root }), [name]: "stand_still" };
    Object.assign(this, { tree: name });
    this.#put({ ...value, trees }, "add tree", [name]);
  }

  removeTree() {
    const { [this.tree]: _, ...trees } = this.value.trees ?? {};
    if (Object.keys(trees).length) this.#put({ ...this.value, trees }, "remove tree", null);
  }

  // Faults by the node they belong to: the deepest one on the path of each.
  get placed() {
    if (this.checked !== this.value) return [];
    return this.faults.map((fault) => {
      const on = (node) => node.path.every((step, at) => fault.path[at] === step);
      const tree = fault.path[0] === "trees" ? fault.path[1] : this.value.root === undefined ? null : "main";
      const nodes = tree === this.tree ? this.nodes : tree === null ? [] : nodesIn(this.value, tree, this.kinds);
      const node = nodes.filter(on).toSorted((one, other) => other.depth - one.depth)[0] ?? null;
      const rest = node ? fault.path.slice(node.path.length + 1) : [];
      const parameter = fault.parameter || (typeof rest[0] === "string" ? rest[0] : "");
      return { ...fault, address: node?.address ?? null, parameter };
    });
  }

  // Texts to suggest for a parameter.
  suggestions({ name, form, takes_key: takesKey, choices }) {
    const all = form === "key" || takesKey ? new Set([...this.choices.keys, ...keysIn(this.value)]) : [];
    const keys = [...all].sort().map((key) => `$${key}`);
    const branches = () => this.nodes.map(({ parts }) => parts.name).filter(Boolean);
    const level = studio.hello?.level;
    const places = (list) => (list ?? []).map((one) => one.name).filter(Boolean);
    const zones = () => places(level?.shapes.filter(({ kind }) => kind === "zone"));
    const lists = { tree: this.names, branch: branches(), zone: zones(), to: places(level?.points), patrol: places(level?.patrols) };
    const own = lists[name];
    return [...choices.map(String), ...(own?.length ? own : (this.choices.names[name] ?? [])), ...keys];
  }
}
