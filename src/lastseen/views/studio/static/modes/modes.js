// Which modes are there? A mode changes what the mouse and the keys do on the map, never what is shown.
//
// A mode is an object; all but name, title, key are optional:
//   enter(), leave()              it begins and ends
//   panel()                       a node shown above the story while it lasts
//   grab(at, event, agent)        a press on the map, on agent or -1; return {move(at), end(at, moved), claims} to take the drag
//   hover(at), click(at)          the pointer moved; a click on no agent (return true: taken)
//   second(at)                    the other mouse button
//   keydown(event), keyup(event)  return true: taken
//   below(ink, scene, moment, side) on the floor, under everybody
//   draw(ink, scene, moment, side) on top of everybody; side is 0, or 1 in the right half of a split map
//   isSplit()                     two maps side by side
//   paint(ink, ratio)             it draws the whole map itself, nobody on it
//   keys(lists)                   the list `?` shows in place of the usual ones
//   letter                        another key that begins it
// `at` is {px, py, x, y, z}: pixels of the map, metres.

import { isServed } from "../connection.js";
import { change, studio, tell } from "../studio.js";

const modes = new Map();

// Without a server one can only watch.
export function registerMode(mode) {
  if (!isServed && mode.name !== "watch") return;
  modes.set(mode.name, mode);
  tell("modes", [...modes.values()]);
  if (studio.mode === mode.name) mode.enter?.();
}

export const allModes = () => [...modes.values()].sort((one, other) => one.key.localeCompare(other.key));
export const currentMode = () => modes.get(studio.mode) ?? { name: "none", title: "", key: "" };

export function setMode(name) {
  if (!modes.has(name) || name === studio.mode) return;
  currentMode().leave?.();
  change("mode", name);
  currentMode().enter?.();
}
