// The card at the end of a game: how it ended in numbers, and buttons to play again or see why. The story is in its panel.

import { clockText } from "../bars/clock.js";
import { button, fill, find, make } from "../dom.js";
import { history } from "../history.js";
import { setMode } from "../modes/modes.js";
import { on, select, studio, vocabulary } from "../studio.js";

export function beginEnding(shown, scene) {
  const box = find("#ending");
  let shownFor = null;
  let shownTicks = 0;

  // The card must not cover the place where the game ended.
  function playerIsHigh() {
    const you = shown()?.agents[studio.hello.player];
    return you ? scene.camera.project(you.x, you.y, you.z)[1] < scene.camera.height / 2 : false;
  }
  function hide() {
    box.hidden = true;
  }
  function why() {
    hide();
    setMode("watch");
    const last = history.events.findLast((one) => ["fell", "caught", "sees", "found hiding", "lost"].includes(one.kind));
    const sight = history.events.findLast((one) => one.kind === "sees" && (!last || one.agent === last.agent));
    const moment = sight ?? last;
    if (!moment) return;
    select({ kind: "agent", number: moment.agent });
    studio.seek(Math.max(0, moment.tick - Math.round(1 / studio.hello.step)));
  }
  function summary() {
    const you = studio.hello.player;
    const count = (kind) => history.events.filter((one) => one.kind === kind && (one.other === you || you === null)).length;
    const times = (number, verb) => (number ? `${verb} ${number === 1 ? "once" : `${number} times`}` : `never ${verb}`);
    return `${clockText(studio.status.ticks - 1)} · ${times(count("sees"), "seen")} · ${times(count("lost"), "lost")}`;
  }
  function show(ended) {
    const failed = ended.reason === "brain failed";
    fill(
      box,
      make("h2", { text: failed ? "A brain failed" : (vocabulary().ends[ended.reason] ?? ended.text ?? ended.reason) }),
      failed ? make("p", { class: "wrong", text: ended.text }) : null,
      make("p", { class: "quiet", text: summary() }),
      make(
        "div",
        { class: "buttons" },
        button("Play again", () => (hide(), studio.restart()), { class: "main", title: "R" }),
        button("Show me why", why),
        button("Close", hide, { class: "plain" }),
      ),
    );
    box.classList.toggle("below", playerIsHigh());
    box.hidden = false;
    find("#tour").hidden = true;
    box.querySelector("button.main").focus({ preventScroll: true });
  }

  on("status", ({ ended, tick, ticks }) => {
    const key = ended && tick >= ticks - 1 ? `${ended.reason} ${ticks}` : null;
    if (!ended) hide();
    if (key && key !== shownFor && studio.hello?.mode === "play") setTimeout(() => studio.status.ended && show(ended), 500);
    if (key) shownFor = key;
    else if (ticks < shownTicks) shownFor = null;
    shownTicks = ticks;
  });
  on("mode", hide);
  on("hello", () => {
    shownFor = null;
    hide();
  });
}
