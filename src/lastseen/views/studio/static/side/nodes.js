// The nodes of a tree: accounts list them line by line, with branches drawn in front.

export const MARKS = { success: "✓", failure: "✗", running: "▶", idle: "·" };

const STEM = /^[│├└─ ]*/u;
const WIDTH = 3; // letters of a stem for each level

// Return the nodes in the order of their lines, the first is the root; `label` is a line without its stem.
export function nodesOf(tree) {
  const above = []; // the last node of each level
  return tree.map(({ text, status, reason }, number) => {
    const stem = STEM.exec(text)[0].length;
    const depth = Math.round(stem / WIDTH);
    const parent = above[depth - 1] ?? null;
    const node = { number, depth, parent, label: text.slice(stem), status, reason: reason ?? "", children: [] };
    above.length = depth;
    above[depth] = node;
    parent?.children.push(node);
    return node;
  });
}

// Why a node failed: its own reason, else that of the first node below it that failed with one.
export function failureOf(node) {
  if (node.status !== "failure") return "";
  if (node.reason) return node.reason;
  for (const child of node.children) {
    const found = failureOf(child);
    if (found) return child.reason ? `${child.label}: ${found}` : found;
  }
  return "";
}

// The deepest node that runs: what the agent is doing.
export const runningLeaf = (nodes) => nodes.findLast(({ status, children }) => status === "running" && !children.some(isRunning));
export const isRunning = ({ status }) => status === "running";
