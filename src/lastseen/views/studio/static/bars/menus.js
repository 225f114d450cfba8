// Who has the keys after a choice in a menu? The map, if the mouse chose: keys play on. Who goes by keys stays in it.

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
