// The modes of the page. A mode changes what the mouse and the keys do on the map, never what is shown.
//
// A mode is an object; all but name, title, key are optional:
//   enter(), leave()              called when it starts and ends
//   panel()                       a node shown above the story while the mode is active
//   grab(at, event, agent)        a press on an agent or, with -1, on the map; return {move(at), end(at, moved), claims} to take the drag
//   hover(at), click(at)          the pointer moved; a click on no agent (return true: handled)
//   second(at)                    a click with the right mouse button
//   keydown(event), keyup(event)  return true: handled
//   below(ink, scene, moment, side) draws on the floor, below the agents
//   draw(ink, scene, moment, side) draws above the agents; side is 0, or 1 in the second half of a split map
//   isDeep                        whether it can be used in the 3D view
//   isSplit()                     two maps, see map/split.js
//   paint(ink, ratio)             draws the whole map itself, without agents
//   keys(lists)                   the lists that `?` shows instead of the usual ones
//   letter                        another key that starts it
// `at` is {px, py, x, y, z}: pixels of the map, metres.

import { isServed } from "../connection.js";
import { change, studio, tell } from "../studio.js";

const modes = new Map();

// Without a server, only Watch is available.
export function registerMode(mode) {
  if (!isServed && mode.name !== "watch") return;
  modes.set(mode.name, mode);
  tell("modes", [...modes.values()]);
  if (studio.mode === mode.name) mode.enter?.();
}

// A user's own game can only be watched.
const isOffered = ({ name }) => name === "watch" || studio.hello?.kind !== "feed";

const byKey = (one, other) => /\d/.test(other.key) - /\d/.test(one.key) || one.key.localeCompare(other.key);

export const allModes = () => [...modes.values()].filter(isOffered).sort(byKey);
export const currentMode = () => modes.get(studio.mode) ?? { name: "none", title: "", key: "" };

export function setMode(name) {
  if (!modes.has(name) || !isOffered(modes.get(name)) || name === studio.mode) return;
  currentMode().leave?.();
  change("mode", name);
  currentMode().enter?.();
}
