// The Watch mode: the mouse pans and selects; while paused, agents can be moved.

import { say, select, studio } from "../studio.js";
import { canMove, carrying, put } from "./carry.js";

const PAN = 60;
const DIRECTIONS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export function watchMode(scene, shown, redraw) {
  const carry = carrying();

  // A step of one cell in a direction of the screen, in metres on the map.
  const ahead = (way) => scene.camera.along(...way).map((value) => value * scene.cells.size[0]);

  // Select the next cell in a direction, skipping gaps, from the selection or the middle of the map.
  function chooseCell(way) {
    const { selected } = studio;
    const agent = shown()?.agents[selected?.kind === "agent" ? selected.number : studio.hello.player];
    const middle = [scene.camera.x, scene.camera.y, scene.heights[scene.active]];
    const from = selected?.kind === "cell" ? [...scene.cells.middle(selected.cell)] : agent ? [agent.x, agent.y, agent.z] : middle;
    const [dx, dy] = selected?.kind === "cell" ? ahead(way) : [0, 0];
    for (let step = 1; step < 12; step++) {
      const cell = scene.cells.at(from[0] + dx * step, from[1] + dy * step, from[2]);
      if (cell >= 0 && cell !== selected?.cell) return select({ kind: "cell", cell });
    }
  }

  function moveChosen(way) {
    const { selected } = studio;
    const agent = selected?.kind === "agent" ? shown()?.agents[selected.number] : null;
    if (!agent) return say("Select an agent first: Tab to the list of agents, then Enter.");
    if (!canMove()) return;
    const [dx, dy] = ahead(way);
    put(selected.number, [agent.x + dx, agent.y + dy, agent.z]);
  }

  return {
    name: "watch",
    title: "Watch",
    key: "2",
    isDeep: true,
    keydown(event) {
      const way = DIRECTIONS[event.code];
      if (!way || event.metaKey) return false;
      if (event.ctrlKey || event.altKey) moveChosen(way);
      else if (event.shiftKey) chooseCell(way);
      else scene.camera.pan(-PAN * way[0], -PAN * way[1]);
      redraw();
      return true;
    },
    // Shift and drag moves an agent.
    grab: (_, event, agent) => (event.shiftKey ? carry.grab(agent) : null),
    draw: (...given) => carry.draw(...given),
  };
}
