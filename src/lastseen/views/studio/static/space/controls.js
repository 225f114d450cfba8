// Switches between the map and the 3D view, and the slider that cuts off what is above a height.

import { find, make } from "../dom.js";
import { currentMode } from "../modes/modes.js";
import { change, on, say, studio } from "../studio.js";

const STEP = 0.1; // metres
const ABOVE = 3; // metres above the highest floor at which nothing is cut off

// Returns {toggle, show}; the 3D view is shown in modes that can use it.
export function beginDeep(scene, redraw) {
  const { space } = scene;
  const slider = make("input", {
    type: "range",
    step: STEP,
    "aria-label": "Cut off above this height",
    on: { input: () => change("cut", slider.value === slider.max ? null : Number(slider.value)) },
  });
  const words = make("output");
  const box = make("div", { id: "cut", class: "float", title: "Cut off what is above this height" }, words, slider);
  box.hidden = true;
  find("#stage").append(box);

  function update() {
    const isDeep = studio.deep && Boolean(currentMode().isDeep);
    if (isDeep !== scene.isDeep) scene.goDeep(isDeep);
    box.hidden = !isDeep || isLow();
    find("#map").classList.toggle("deep", isDeep);
    redraw();
  }

  // A level of one floor has nothing to cut off.
  function isLow() {
    const [, , low, , , high] = space.camera.box;
    return high - low < ABOVE;
  }

  function showCut() {
    if (!studio.hello) return;
    const [, , low, , , high] = space.camera.box;
    [slider.min, slider.max] = [low.toFixed(1), (high + ABOVE).toFixed(1)];
    slider.value = Math.min(space.cut, high + ABOVE);
    words.textContent = space.cut < Infinity ? `≤ ${space.cut.toFixed(1)} m` : "all";
  }

  function show(isWanted) {
    if (isWanted && (!studio.hello || !space.prepare())) return;
    change("deep", isWanted);
    if (isWanted && !currentMode().isDeep) say(`3D is for Play and Watch; ${currentMode().title} uses the map.`);
  }

  space.lost = (why) => {
    show(false);
    say(why, "wrong");
  };
  for (const name of ["deep", "mode"]) on(name, update);
  for (const name of ["hello", "storey", "cut", "deep"]) on(name, showCut);
  on("hello", () => studio.cut !== null && change("cut", null));
  studio.showDeep = show;
  return { show, toggle: () => show(!studio.deep) };
}
