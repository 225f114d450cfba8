// The Compare mode: two runs next to each other with one timeline and one camera.

import { plain } from "../dom.js";
import { theme } from "../colours.js";
import { halvesOf, inHalf } from "../map/split.js";
import { setMode } from "../modes/modes.js";
import { openRun } from "../replay/run.js";
import { madeFile } from "../requests.js";
import { on, say, studio, tell } from "../studio.js";
import { Other } from "./other.js";
import { ComparePanel } from "./panel.js";

export function compareMode(scene, shown, redraw) {
  let other = null;
  let swapped = null; // the two runs while the other one is being opened
  const panel = new ComparePanel({ compare, swap, stop: () => take(null) });
  panel.show(null);

  function compare(recording) {
    if (studio.status.running) studio.send("run", { running: false, speed: studio.status.speed });
    studio.send("compare", { recording });
  }

  function swap() {
    swapped = { open: other.name, source: studio.hello.source };
    studio.send("open", { recording: swapped.open });
  }

  // Opening another source leaves the mode; return to it once all parts have handled `hello`.
  function swapBack({ source }) {
    const wanted = swapped;
    swapped = null;
    if (wanted?.open !== source) return;
    setTimeout(() => {
      setMode("compare");
      compare(wanted.source);
    });
  }

  function take(found) {
    other = found;
    if (found) found.source = studio.hello.source;
    studio.differs = found?.found.tick ?? null;
    panel.show(found);
    tell("history"); // the timeline marks where they diverge
    redraw();
  }

  on("message exported", async ({ kind, ticket, name, comparison }) => {
    if (kind !== "run") return;
    try {
      const file = await madeFile(ticket);
      take(new Other(await openRun(await file.arrayBuffer()), name, comparison));
    } catch (error) {
      say(`Could not compare with ${name}: ${error.message}`, "wrong");
    }
  });
  on("theme", () => other?.scene.repaint());
  on("hello", (hello) => {
    if (other && hello.source !== other.source) take(null);
    swapBack(hello);
  });

  function paint(ink, ratio) {
    const { camera } = scene;
    const moment = shown();
    const halves = halvesOf(ink.canvas.clientWidth, ink.canvas.clientHeight);
    const draw = (part, drawIt, title) =>
      inHalf(ink, camera, halves, part, () => {
        drawIt();
        label(ink, title);
      });
    const own = ownName(studio.hello.kind === "recording" ? studio.hello.source : studio.hello.title);
    draw(0, () => scene.draw(ink, moment, ratio), `A  ${own}`);
    if (moment) draw(1, () => other.draw(ink, moment.tick, ratio, camera), `B  ${ownName(other.name)}${ended(moment)}`);
    panel.update(moment);
  }

  const ended = ({ tick }) => (tick > other.run.ticks - 1 ? " · ended" : "");

  return {
    name: "compare",
    title: "Compare",
    key: "6",
    panel: () => panel.node,
    isSplit: () => other !== null,
    get paint() {
      return other ? paint : undefined;
    },
  };
}

const ownName = (name) => name.replace(/^uploaded\//, "");

function label(ink, given) {
  const text = plain(given);
  ink.globalAlpha = 1;
  ink.font = "600 13px system-ui, sans-serif";
  ink.fillStyle = theme.ink.paper;
  ink.beginPath();
  ink.roundRect(10, 8, ink.measureText(text).width + 20, 24, 12);
  ink.fill();
  ink.fillStyle = theme.ink.ink;
  ink.textAlign = "left";
  ink.textBaseline = "middle";
  ink.fillText(text, 20, 20.5);
}
