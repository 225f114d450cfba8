// Moving an agent by dragging while paused; this is an input and recorded like all others.

import { theme } from "../colours.js";
import { silhouette } from "../map/ghosts.js";
import { say, studio } from "../studio.js";

export function canMove() {
  const can = !studio.status.running && studio.hello.mode === "play";
  if (!can) say("Pause the game first: agents can only be moved while paused.");
  return can;
}

export function put(agent, at) {
  studio.send("place", { agent, at });
  studio.send("step", { ticks: 1 });
}

// A drag that carries an agent; `placed` gets the new position.
export function carrying(placed = () => {}) {
  let carried = null;
  return {
    grab(number) {
      if (number < 0 || !canMove()) return null;
      return {
        claims: false,
        move: (to) => (carried = { number, ...to }),
        end(to, moved) {
          carried = null;
          this.claims = moved;
          if (!moved) return;
          put(number, [to.x, to.y, to.z]);
          placed(number, [to.x, to.y, to.z]);
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
