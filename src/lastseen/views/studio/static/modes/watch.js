// How is somebody watched? The mouse pans and selects; in a pause people can be dragged elsewhere.

import { agentAt } from "../map/people.js";
import { say, studio } from "../studio.js";

const PAN = 60;
const WAYS = { ArrowUp: [0, PAN], ArrowDown: [0, -PAN], ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0] };

export function watchMode(scene, shown, redraw) {
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
    // Alt and drag: put somebody elsewhere, as an input that is recorded.
    grab(at, event) {
      const number = agentAt(scene.camera, shown(), at.px, at.py);
      if (!event.altKey || number < 0) return null;
      if (studio.status.running || studio.hello.mode !== "play") {
        say("Pause a game first: people can be moved in a pause.");
        return null;
      }
      return { claims: true, end: (to) => studio.send("place", { agent: number, at: [to.x, to.y, to.z] }) };
    },
  };
}
