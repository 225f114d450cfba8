// Breakpoints on nodes of agents' trees: the game pauses when one of them is entered.

import { isServed } from "../connection.js";
import { agentName, on, say, select, studio, tell } from "../studio.js";

const nodes = new Map(); // by agent: {tree, set}; the tree they were set in

const treeOf = (agent) => studio.hello?.agents[agent]?.tree.join("\n") ?? "";

export const canBreak = () => isServed && studio.selected?.kind === "agent" && studio.hello?.kind !== "feed";
export const isBreakpoint = (agent, node) => nodes.get(agent)?.set.has(node) ?? false;
export const allBreakpoints = () => [...nodes].flatMap(([agent, { set }]) => [...set].map((node) => [agent, node]));

const send = (agent) => studio.send("breakpoints", { agent, nodes: [...nodes.get(agent).set] });

export function toggleBreakpoint(agent, node) {
  if (!nodes.has(agent)) nodes.set(agent, { tree: treeOf(agent), set: new Set() });
  const { set } = nodes.get(agent);
  if (!set.delete(node)) set.add(node);
  send(agent);
  tell("breakpoints");
}

// They hold for another run of the same tree.
on("hello", () => {
  for (const [agent, { tree }] of nodes) {
    if (tree && tree === treeOf(agent)) send(agent);
    else nodes.delete(agent);
  }
});
// The tree of an agent was edited.
on("message breakpoints moved", ({ agent, nodes: moved, lines }) => {
  nodes.set(agent, { tree: lines.join("\n"), set: new Set(moved) });
  tell("breakpoints");
});
on("message breakpoint", ({ agent, node, tick, label }) => {
  if (studio.selected?.kind !== "agent" || studio.selected.number !== agent) select({ kind: "agent", number: agent });
  say(`Paused at ${(tick * studio.hello.step).toFixed(1)} s: ${agentName(agent)} entered ${label}.`);
  tell("breakpoints", node);
});
