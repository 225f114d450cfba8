// After a choice in a menu by mouse, return the focus to the map so that game keys work; keyboard users stay in the menu.

import { find } from "../dom.js";

const HOMES = "#top, #time, .card.whatif, .card.compare";

export function beginMenus() {
  let byMouse = false;
  addEventListener("pointerdown", () => (byMouse = true), true);
  addEventListener("keydown", () => (byMouse = false), true);
  addEventListener("change", ({ target }) => {
    if (byMouse && target.matches("select, input[type=range]") && target.closest(HOMES)) find("#map").focus({ preventScroll: true });
  });
}
