// Action buttons on the map for touch screens.

import { button, find, make } from "../dom.js";
import { on, studio } from "../studio.js";

const GAITS = [["Sneak", "KeyC"], ["Run", "ShiftLeft"]];

export function touchButtons({ use, throwAhead, strike, blink, usePower, hold }) {
  let gait = null;
  const gaits = GAITS.map(([title, key]) =>
    button(title, () => {
      gait = gait === key ? null : key;
      for (const [at, [, other]] of GAITS.entries()) {
        hold(other, gait === other);
        gaits[at].setAttribute("aria-pressed", String(gait === other));
      }
    }, { "aria-pressed": "false" }),
  );
  const strikes = button("Strike", strike);
  const powers = {
    blink: button("Blink", blink, { "aria-pressed": "false" }),
    decoy: button("Decoy", () => usePower("decoy")),
    trap: button("Trap", () => usePower("trap")),
    time_stop: button("Stop time", () => usePower("time_stop")),
    possess: button("Possess", () => usePower("possess")),
    travel: button("Travel", () => usePower("travel")),
  };
  const box = make(
    "div",
    { class: "touch", role: "group", "aria-label": "Actions" },
    button("Use", use),
    button("Throw", throwAhead),
    strikes,
    ...Object.values(powers),
    ...gaits,
  );
  find("#stage").after(box);
  const update = () => {
    box.hidden = studio.mode !== "play" || studio.hello?.mode !== "play";
    strikes.hidden = !studio.hello?.fights;
    for (const [name, one] of Object.entries(powers)) one.hidden = !studio.hello?.powers.includes(name);
  };
  for (const name of ["mode", "hello"]) on(name, update);
  update();
  return { pressBlink: (isPressed) => powers.blink.setAttribute("aria-pressed", String(isPressed)) };
}
