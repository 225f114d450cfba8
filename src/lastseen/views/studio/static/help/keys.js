// Keyboard shortcuts in one table; `?` shows it.

import { button, fill, find, make, remember } from "../dom.js";
import { allOverlays, nextLayer, toggle } from "../overlays.js";
import { allModes, currentMode, setMode } from "../modes/modes.js";
import { select, studio } from "../studio.js";

const LISTS = [
  [
    "Play",
    [
      ["W A S D, arrows", "walk"], ["Shift", "run"], ["C", "sneak"], ["E", "use door or hiding place"],
      ["Q, right click", "throw a distraction"], ["hold ` (next to 1)", "aim at the pointer; let go to blink there"],
      [";", "leave a decoy"], ["'", "set a trap"], ["Backspace", "stop time"], ["Delete", "take control of a guard, let go"],
      ["\\", "travel to the other state of the level"],
      ["B", "strike or shoot, in levels with combat"],
      ["hold mouse button", "walk to the pointer"],
    ],
  ],
  [
    "Time",
    [
      ["Space", "play, pause"], [", .", "step back, forward"], ["[ ]", "slower, faster"],
      ["Home, End", "first, last moment"], ["Enter", "continue from here"], ["R", "restart"],
    ],
  ],
  [
    "Map",
    [
      ["wheel, + −", "zoom"], ["drag", "pan"], ["F", "fit"], ["PgUp PgDn", "floor above, below"],
      ["0", "follow"], ["Z", "all floors, tilted"], ["9", "3D view"],
    ],
  ],
  [
    "3D view",
    [
      ["drag, Alt arrows", "turn and tilt"], ["right drag, two fingers", "pan"], ["wheel, pinch, + −", "zoom"],
      ["PgUp PgDn", "cut off floors above"], ["0", "show all floors"],
    ],
  ],
  [
    "Watch",
    [
      ["arrows", "pan"], ["Shift arrows", "select a cell"], ["Ctrl arrows", "move the selected agent (paused)"],
      ["Shift drag", "move an agent (paused)"],
    ],
  ],
  [
    "What if",
    [
      ["arrows, click", "where they were last seen"], ["Shift arrows", "which way they ran"],
      ["Ctrl arrows", "where the guard is"], ["right click", "place the guard"],
    ],
  ],
  [
    "Page",
    [
      ["1 … 8, /", "modes"], ["\\", "hide or show the panel"], ["Tab", "next control"],
      ["Escape", "back to the map, then to the story; cancel"], ["?", "this list"],
    ],
  ],
];

export function showKeys() {
  const box = find("#help");
  if (box.open) return box.close();
  const overlays = [
    "Show",
    [
      ...allOverlays().map(({ title, key }) => [key.toUpperCase(), title]),
      ["J, Shift J", "next, previous layer"],
    ],
  ];
  const all = currentMode().keys?.(LISTS) ?? [...LISTS, overlays];
  const lists = all.map(([title, rows]) =>
    make(
      "section",
      {},
      make("h3", { text: title }),
      make(
        "dl",
        {},
        ...rows.flatMap(([key, what]) => [make("dt", {}, make("kbd", { text: key })), make("dd", { text: what })]),
      ),
    ),
  );
  fill(
    box,
    make("h2", { text: "Keyboard shortcuts" }),
    make("div", { class: "lists" }, ...lists),
    slowOption(),
    make(
      "div",
      { class: "buttons" },
      button("Restart tour", () => (box.close(), studio.tour?.())),
      button("Close", () => box.close(), { class: "main" }),
    ),
  );
  box.showModal();
  box.querySelector("button.main").focus();
}

function slowOption() {
  const box = make("input", { type: "checkbox", on: { change: () => remember("slowOnLoss", (studio.slowOnLoss = box.checked)) } });
  box.checked = studio.slowOnLoss;
  return make("label", { class: "field" }, box, "Slow motion for half a second when a guard loses you");
}

export function beginKeys({ time, side, rail, deep, scene, redraw }) {
  const storey = (by) => {
    const count = studio.hello?.level.storeys.length ?? 1;
    rail.choose(Math.min(count - 1, Math.max(0, scene.active + by)));
  };
  const acts = {
    " ": () => time.toggleRun(),
    ",": () => time.step(-1),
    ".": () => time.step(1),
    "[": () => time.faster(-1),
    "]": () => time.faster(1),
    Home: () => time.seek(0),
    End: () => time.toEnd(),
    Enter: () => studio.hello?.mode === "play" && studio.status.tick < studio.status.ticks - 1 && studio.resume(),
    r: () => studio.restart(),
    f: () => scene.camera.fit(),
    "+": () => scene.camera.zoom(1.25),
    "=": () => scene.camera.zoom(1.25),
    "-": () => scene.camera.zoom(0.8),
    z: () => rail.stack(),
    PageUp: () => storey(1),
    PageDown: () => storey(-1),
    0: () => rail.choose(null),
    9: () => deep.toggle(),
    "\\": () => side.shut(),
    j: () => nextLayer(1),
    J: () => nextLayer(-1),
    Escape: () => studio.callOff?.() || select(null),
    "?": showKeys,
  };
  addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && event.target.closest?.("select, input, details")) return toMap(event.target);
    if (isWriting(event.target) || isChoosing(event)) return;
    if (scene.isDeep && event.altKey && turn(scene.camera, event.code)) return redraw(event.preventDefault());
    if (currentMode().keydown?.(event)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onControl = event.target.closest?.("button, summary, select");
    if (onControl && (event.key === " " || event.key === "Enter")) return;
    const act = acts[event.key] ?? acts[event.key.toLowerCase()] ?? byTable(event.key.toLowerCase());
    if (!act) return;
    event.preventDefault();
    act();
    redraw();
  });
  addEventListener("keyup", (event) => currentMode().keyup?.(event));
  // After a mouse click, return the focus to the map. The button itself may have been replaced by now.
  addEventListener("click", (event) => {
    const path = event.composedPath();
    const isButton = path.some((node) => node.tagName === "BUTTON") && path.some((node) => ["top", "rail", "time"].includes(node.id));
    if (event.detail > 0 && isButton && !document.querySelector("dialog[open]")) find("#map").focus({ preventScroll: true });
  });
}

const TURNS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const TURN = 24; // pixels of a drag that turns as much

// Turn the 3D view; returns whether the key does so.
function turn(camera, code) {
  const way = TURNS[code];
  if (way) camera.turn(TURN * way[0], TURN * way[1]);
  return Boolean(way);
}

// Close the menu and focus the map.
function toMap(node) {
  const menu = node.closest("details");
  if (menu) menu.open = false;
  find("#map").focus({ preventScroll: true });
}

// Menus use arrows and letters themselves, sliders use arrows.
function isChoosing(event) {
  if (event.target.matches?.("select")) return true;
  return event.target.matches?.("input[type=range]") && /^(Arrow|Page|Home|End)/.test(event.key);
}

function byTable(key) {
  const mode = allModes().find((one) => one.key === key || one.letter === key);
  if (mode) return () => setMode(mode.name);
  const overlay = allOverlays().find((one) => one.key === key);
  return overlay ? () => toggle(overlay.name) : null;
}

const isWriting = (node) => node.matches?.("input:not([type=range]), textarea, [contenteditable]");
