// Shows a tree node by node with status and reason, either whole or only the nodes that were reached.

import { button, make } from "../dom.js";

const MARKS = { success: "✓", failure: "✗", running: "▶", idle: "·" };

export function treeView(title, tree, whole, toggle) {
  if (!tree?.length) return [];
  const lines = whole ? tree : tree.filter(({ status }) => status !== "idle");
  const list = lines.map(({ text, status, reason }) =>
    make(
      "div",
      { class: `node ${status}`, title: `${status}${reason ? `: ${reason}` : ""}` },
      make("span", { class: "text", text: `${MARKS[status] ?? "·"} ${text}` }),
      reason ? make("span", { class: "reason", text: reason }) : null,
    ),
  );
  const other = button(whole ? "Reached nodes only" : "Whole tree", toggle, { class: "plain" });
  return [make("h3", { text: title }, other), make("div", { class: "tree" }, ...list)];
}
