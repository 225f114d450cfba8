// How is somebody watched? The mouse pans and selects; in a pause people can be dragged elsewhere.

import { theme } from "../colours.js";
import { silhouette } from "../map/ghosts.js";
import { agentAt } from "../map/people.js";
import { say, studio } from "../studio.js";

const PAN = 60;
const WAYS = { ArrowUp: [0, PAN], ArrowDown: [0, -PAN], ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0] };

export function watchMode(scene, shown, redraw) {
  let carried = null;
  return {
    name: "watch",
    title: "Watch",
    key: "2",
    keydown(event) {
      if (!WAYS[event.code]) return false;
      scene.camera.pan(...WAYS[event.code]);
      redraw();
      return true;
    },
    // Shift and drag: put somebody elsewhere, as an input that is recorded.
    grab(at, event) {
      const number = agentAt(scene.camera, shown(), at.px, at.py);
      if (!event.shiftKey || number < 0) return null;
      if (studio.status.running || studio.hello.mode !== "play") {
        say("Pause a game first: people can be moved in a pause.");
        return null;
      }
      return {
        claims: true,
        move: (to) => (carried = { number, ...to }),
        end(to, moved) {
          carried = null;
          if (!moved) return;
          studio.send("place", { agent: number, at: [to.x, to.y, to.z] });
          studio.send("step", { ticks: 1 });
        },
      };
    },
    draw(ink, view, moment) {
      if (!carried) return;
      const agent = moment.agents[carried.number];
      const [x, y] = view.camera.project(agent.x, agent.y, agent.z);
      ink.strokeStyle = theme.ink.accent;
      ink.setLineDash([4, 4]);
      ink.lineWidth = 1.5;
      ink.beginPath();
      ink.moveTo(x, y);
      ink.lineTo(carried.px, carried.py);
      ink.stroke();
      ink.setLineDash([]);
      silhouette(ink, carried.px, carried.py, 11);
    },
  };
}
