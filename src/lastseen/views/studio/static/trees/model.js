// Trees as files hold them: plain values that never change in place. Nodes keep the notation they were written in.
//
// A node is a word, or an object with one key, its kind; below it a list of children, an object of parameters with `name`,
// `child` or `children`, or one value. An address is a list: the name of a tree, then the index of a child on each level.

const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const parametersOf = (body) => Object.fromEntries(Object.entries(body).filter(([key]) => !["name", "child", "children"].includes(key)));

export const isInner = (kind) => Boolean(kind) && kind.most !== 0;

// Returns {kind, name, params, children, form, steps}: `form` is its notation, `steps` lead to each child in the value.
export function partsOf(value, kinds) {
  const made = (kind, form, more = {}) => ({ kind, form, name: "", params: {}, children: [], steps: [], ...more });
  if (typeof value === "string") return made(value, "word");
  if (!isTable(value) || Object.keys(value).length !== 1) return made(JSON.stringify(value) ?? "?", "broken");
  const [[kind, body]] = Object.entries(value);
  const inside = (list, ...path) => ({ children: list, steps: list.map((_, at) => [kind, ...path, at]) });
  if (body === null) return made(kind, "bare");
  if (Array.isArray(body)) return made(kind, "list", inside(body));
  if (!isTable(body)) {
    const known = kinds.get(kind);
    if (isInner(known)) return made(kind, "only", { children: [body], steps: [[kind]] });
    return made(kind, "value", { params: { [known?.parameters[0]?.name ?? "value"]: body } });
  }
  const more = { name: typeof body.name === "string" ? body.name : "", params: parametersOf(body) };
  if (Array.isArray(body.children)) return made(kind, "children", { ...more, ...inside(body.children, "children") });
  if (body.child !== undefined) return made(kind, "child", { ...more, children: [body.child], steps: [[kind, "child"]] });
  return made(kind, "long", more);
}

// The opposite of `partsOf`: the shortest notation, or the one it had if that is still possible.
export function nodeOf({ kind, name, params, children, form }, kinds) {
  const known = kinds.get(kind);
  const names = Object.keys(params);
  const isShort = !name && !names.length;
  const isOne = children.length === 1 && known?.most === 1;
  if (!children.length) {
    if (isShort) return isInner(known) ? { [kind]: [] } : form === "bare" ? { [kind]: null } : kind;
    const isValue = form === "value" && !name && names.length === 1 && names[0] === (known?.parameters[0]?.name ?? "value");
    return { [kind]: isValue && !isTable(params[names[0]]) ? params[names[0]] : { ...(name ? { name } : {}), ...params } };
  }
  if (isShort && !["child", "children"].includes(form)) {
    const isWord = isOne && typeof children[0] === "string" && form !== "list";
    return { [kind]: isWord ? children[0] : children };
  }
  const below = isOne && form !== "children" ? { child: children[0] } : { children };
  return { [kind]: { ...(name ? { name } : {}), ...params, ...below } };
}

export const treesOf = (value) => (value.root === undefined ? (isTable(value.trees) ? value.trees : {}) : { main: value.root });
const baseOf = (value, tree) => (value.root === undefined ? ["trees", tree] : ["root"]);

// The nodes of a tree in order, the root first; `path` leads to each in the value of the file.
export function nodesIn(value, tree, kinds) {
  const nodes = [];
  const add = (given, parent, address, path) => {
    const parts = partsOf(given, kinds);
    const node = { number: nodes.length, depth: address.length - 1, parent, children: [], address, path, parts, value: given };
    node.label = labelOf(parts);
    nodes.push(node);
    parent?.children.push(node);
    parts.children.forEach((child, at) => add(child, node, [...address, at], [...path, ...parts.steps[at]]));
  };
  if (treesOf(value)[tree] !== undefined) add(treesOf(value)[tree], null, [tree], baseOf(value, tree));
  return nodes;
}

export const shown = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));

function labelOf({ kind, name, params }) {
  const given = Object.entries(params);
  const details = given.length === 1 ? shown(given[0][1]) : given.map(([key, value]) => `${key}: ${shown(value)}`).join(", ");
  return `${name ? `${name} [${kind}]` : kind}${details ? ` (${details})` : ""}`;
}

// A file with other nodes in place of one: `act(node)` returns the list of them.
export function withNodes(value, [tree, ...indices], act, kinds) {
  const put = (node, [at, ...rest]) => {
    if (at === undefined) return act(node);
    const parts = partsOf(node, kinds);
    return [nodeOf({ ...parts, children: parts.children.toSpliced(at, 1, ...put(parts.children[at], rest)) }, kinds)];
  };
  const [root] = put(treesOf(value)[tree], indices);
  if (value.root !== undefined) return { ...value, root };
  return { ...value, trees: { ...value.trees, [tree]: root } };
}

// A file with a node added as child `at` of the one at an address.
export function withChild(value, address, at, node, kinds) {
  const into = (parent) => {
    const parts = partsOf(parent, kinds);
    return [nodeOf({ ...parts, children: parts.children.toSpliced(at, 0, node) }, kinds)];
  };
  return withNodes(value, address, into, kinds);
}

// Where an address points to after the node at another one was taken out; null: into that node.
export function afterRemoval(address, removed) {
  const last = removed.length - 1;
  if (removed.slice(0, last).some((step, at) => address[at] !== step) || address.length <= last) return address;
  if (address[last] === removed[last]) return null;
  return address[last] > removed[last] ? address.with(last, address[last] - 1) : address;
}

// All keys that nodes read or write, and those the file declares.
export function keysIn(value) {
  const found = new Set(Object.keys(isTable(value.keys) ? value.keys : {}));
  JSON.stringify(value, (_, one) => {
    if (typeof one === "string" && /^\$[A-Za-z_]/.test(one)) found.add(one.slice(1));
    return one;
  });
  return [...found];
}
