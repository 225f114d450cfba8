// The Play mode: held keys or a held mouse button steer the player; an input is sent whenever that changes.

import { drawAim } from "../map/powers.js";
import { say, studio } from "../studio.js";
import { touchButtons } from "./touch.js";

const DIRECTIONS = {
  KeyW: [0, -1], ArrowUp: [0, -1], KeyS: [0, 1], ArrowDown: [0, 1],
  KeyA: [-1, 0], ArrowLeft: [-1, 0], KeyD: [1, 0], ArrowRight: [1, 0],
};
const POWERS = {
  blink: "blink", decoy: "leave a decoy", trap: "set a trap", time_stop: "stop time", possess: "take control of others",
  travel: "travel to another state",
};
const KEYS = { Semicolon: "decoy", Quote: "trap", Backspace: "time_stop", Delete: "possess", Backslash: "travel" };
const NEAR = 0.35; // metres from the pointer that count as arrived
const AHEAD = 6; // metres of a throw or a blink without a pointer

export function playMode(scene, shown, redraw) {
  const held = new Set();
  let aim = null;
  let sent = "";
  let isAiming = false; // where to blink

  const you = () => shown()?.agents[studio.hello?.player];
  const gait = () => (held.has("ShiftLeft") || held.has("ShiftRight") ? "run" : held.has("KeyC") ? "sneak" : "walk");

  // “Up” is up on the screen, however the map is turned.
  function direction() {
    let [x, y] = [0, 0];
    for (const key of held) if (DIRECTIONS[key]) [x, y] = [x + DIRECTIONS[key][0], y + DIRECTIONS[key][1]];
    if (x || y) return scene.camera.along(x, y);
    const agent = you();
    if (!aim || !agent) return [0, 0];
    const [dx, dy] = [aim.x - agent.x, aim.y - agent.y];
    return Math.hypot(dx, dy) < NEAR ? [0, 0] : unit(dx, dy);
  }

  function update(more = {}) {
    if (!canPlay()) return;
    const input = { move: direction(), gait: gait(), ...more };
    const text = JSON.stringify(input);
    if (text === sent && !Object.keys(more).length) return;
    sent = text;
    const acts = input.move[0] || input.move[1] || Object.keys(more).length;
    if (acts && !studio.status.running) begin();
    studio.send("input", input);
  }

  function begin() {
    const { tick, ticks, ended } = studio.status;
    if (ended) return;
    if (tick < ticks - 1) studio.resume();
    else studio.send("run", { running: true, speed: studio.status.speed });
  }

  function canPlay() {
    return studio.hello && studio.hello.player !== null && studio.hello.mode === "play" && !studio.status.ended;
  }

  function throwTo(x, y, z) {
    update({ throw: [x, y, z] });
  }

  // The place under the pointer if it is near, else one ahead of the player.
  function target(agent) {
    const { hover } = studio;
    if (hover && Math.hypot(hover.x - agent.x, hover.y - agent.y) < 25) return [hover.x, hover.y, hover.z ?? agent.z];
    return [agent.x + Math.cos(agent.heading) * AHEAD, agent.y + Math.sin(agent.heading) * AHEAD, agent.z];
  }

  function ahead() {
    const agent = you();
    if (agent) throwTo(...target(agent));
  }

  function has(power) {
    if (studio.hello.powers.includes(power)) return true;
    say(`You cannot ${POWERS[power]} in this scenario.`);
    return false;
  }

  function setAim(wanted) {
    isAiming = wanted && canPlay() && has("blink");
    touch.pressBlink(isAiming);
    redraw();
  }

  function blinkTo(place) {
    setAim(false);
    update({ blink: place });
  }

  function usePower(power) {
    if (has(power)) update({ [power]: true });
  }

  function hold(key, isHeld) {
    if (isHeld) held.add(key);
    else held.delete(key);
    update();
  }

  function use() {
    if (lockedNear(you())) say("This door is locked.");
    update({ use: true });
  }

  function strike() {
    if (!studio.hello.fights) return say("There is no combat in this level.");
    update({ strike: true });
  }

  const touch = touchButtons({ use, throwAhead: ahead, strike, blink: () => setAim(!isAiming), usePower, hold });
  setInterval(() => aim && update(), 50);
  addEventListener("blur", () => {
    held.clear();
    aim = null;
    update();
  });

  return {
    name: "play",
    title: "Play",
    key: "1",
    isDeep: true,
    leave() {
      held.clear();
      aim = null;
      setAim(false);
      update();
    },
    // Start anywhere but on another agent, which a click selects.
    grab(at, event, agent) {
      if (isAiming) {
        return { claims: true, end: (to) => blinkTo([to.x, to.y, to.z]) };
      }
      if (!canPlay() || (agent >= 0 && agent !== studio.hello.player)) return null;
      if ((event.pointerType === "touch" || scene.isDeep) && !near(you(), at)) return null;
      aim = at;
      const begun = performance.now();
      update();
      return {
        claims: false,
        move(to) {
          aim = to;
          update();
        },
        end(_, moved) {
          aim = null;
          this.claims = moved || performance.now() - begun > 250;
          update();
        },
      };
    },
    draw(ink, _, moment) {
      const agent = moment.agents[studio.hello.player];
      if (isAiming && agent) drawAim(ink, scene, agent, target(agent));
    },
    second(at) {
      if (canPlay()) throwTo(at.x, at.y, at.z);
    },
    keydown(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      const acts = { KeyE: use, KeyQ: ahead, KeyB: strike, Backquote: () => setAim(true) };
      const act = acts[event.code] ?? (KEYS[event.code] && (() => usePower(KEYS[event.code])));
      if (act) {
        if (!canPlay()) return false;
        if (!event.repeat) act();
        return true;
      }
      if (!DIRECTIONS[event.code] && event.code !== "KeyC" && !event.code.startsWith("Shift")) return false;
      if (studio.hello && studio.hello.mode !== "play" && DIRECTIONS[event.code])
        say("This is a recording. Choose a level in the top bar to play.");
      held.add(event.code);
      update();
      return Boolean(DIRECTIONS[event.code]);
    },
    keyup(event) {
      if (event.code === "Backquote" && isAiming) blinkTo(target(you()));
      if (held.delete(event.code)) update();
      return false;
    },
  };
}

function unit(x, y) {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

const REACH = 2; // metres within which a door can be used

function lockedNear(agent) {
  const isNear = ({ outline }) => {
    const middle = (axis) => outline.reduce((sum, corner) => sum + corner[axis], 0) / outline.length;
    return Math.hypot(middle(0) - agent.x, middle(1) - agent.y) < REACH;
  };
  return agent && studio.hello.level.shapes.some((one) => one.kind === "door" && one.locked && isNear(one));
}

const near = (agent, at) => agent && Math.hypot(agent.x - at.x, agent.y - at.y) < 3;
