// The tour for new players: short cards, each shown when it applies. Once skipped, it stays away until requested.

import { button, fill, find, make, remember, remembered, wantsStill } from "../dom.js";
import { awarenessOf } from "../map/people.js";
import { floodNow, warmAt } from "../map/flood.js";
import { agentName, on, studio } from "../studio.js";

const SLOW = 0.25;
const FIRST_LOSS = 7500; // milliseconds of real time for which the first flood runs slowly
const LATER = 500;
const PLACES = ["", "above", "left", "right", "above left", "above right"]; // positions of the card, bottom centre first
const AROUND = { left: 34, right: 96, high: 40, low: 34 }; // pixels covered by an agent's sign, arc and name
const EDGE = 12;

export function beginTour(shown, scene) {
  const box = find("#tour");
  let done = new Set(remembered("tour", []));
  let slowed = 0;
  let usual = 1;
  let about = null; // the guard the card is about
  let lastFlood = -1;

  const over = (moment) => done.has("skipped") || done.has(moment);
  function finish(moment) {
    done.add(moment);
    remember("tour", [...done]);
    box.hidden = true;
  }
  function card(moment, guard, title, words, ...more) {
    if (!box.hidden && box.dataset.moment !== moment) finish(box.dataset.moment);
    box.dataset.moment = moment;
    about = guard;
    box.hidden = false;
    fill(
      box,
      make("strong", { text: title }),
      make("p", { text: words }),
      ...more,
      make(
        "div",
        { class: "buttons" },
        button("Skip tour", () => finish("skipped"), { class: "plain" }),
        button("Got it", () => finish(moment), { class: "main" }),
      ),
    );
  }

  // The corner and the size of the card at one of its positions.
  function rectOf(place) {
    const { width, height } = scene.camera;
    const [wide, high] = [box.offsetWidth, box.offsetHeight];
    const x = place.includes("left") ? EDGE : place.includes("right") ? width - EDGE - wide : (width - wide) / 2;
    return [x, place.includes("above") ? EDGE : height - EDGE - high, wide, high];
  }

  function covers(place, number) {
    const agent = shown()?.agents[number];
    if (!agent) return false;
    const [x, y, wide, high] = rectOf(place);
    const [px, py] = scene.camera.project(agent.x, agent.y, agent.z);
    return px + AROUND.right > x && px - AROUND.left < x + wide && py + AROUND.low > y && py - AROUND.high < y + high;
  }

  // Keep the card from covering its guard or the player; it moves only when it must.
  function settle() {
    const worth = (place) => 2 * covers(place, about) + covers(place, studio.hello.player);
    const now = box.dataset.place ?? "";
    const best = worth(now) === 0 ? now : [now, ...PLACES].reduce((one, other) => (worth(other) < worth(one) ? other : one));
    box.dataset.place = best;
    for (const name of ["above", "left", "right"]) box.classList.toggle(name, best.includes(name));
  }

  function first() {
    if (over("keys") || studio.hello.mode !== "play" || studio.hello.player === null) return;
    const { level, watchers } = studio.hello;
    const hasExit = level.points.some(({ kind }) => kind === "exit");
    const title = !watchers.length ? "Explore the level." : hasExit ? "Reach the exit unseen." : "Stay unseen as long as you can.";
    if (matchMedia("(pointer: coarse)").matches) {
      const look = watchers.length ? "tap a guard to see its reasoning" : "there are no guards here; add some in Edit mode";
      return card("keys", null, title, `Drag from your character to walk; the clock starts. Pan and zoom with two fingers; ${look}.`);
    }
    const keys = ["W", "A", "S", "D"].map((key) => make("kbd", { text: key, class: `key-${key.toLowerCase()}` }));
    const hasThings = level.shapes.some(({ kind }) => kind === "door") || level.points.some(({ kind }) => kind === "hiding place");
    const uses = ["Shift: run", "C: sneak", hasThings && "E: use doors and lockers", watchers.length && "Q: throw"].filter(Boolean);
    const missing = watchers.length ? "" : " There are no guards here; add some in Edit mode.";
    card("keys", null, title, `The clock starts when you move. ${uses.join(", ")}.${missing}`, make("div", { class: "four" }, ...keys));
  }
  studio.tour = () => {
    done = new Set();
    remember("tour", []);
    first();
  };
  on("hello", () => {
    lastFlood = -1;
    box.hidden = true;
    first();
  });
  on("mode", (mode) => mode !== "play" && (box.hidden = true));
  on("status", ({ running }) => running && box.dataset.moment === "keys" && !box.hidden && finish("keys"));

  // Draw attention to a flood that starts during play.
  function lost(tick) {
    const now = floodNow(tick);
    if (!now || now.age > 0.5 || now.flood.tick <= lastFlood || !studio.status.live) return;
    lastFlood = now.flood.tick;
    if (!over("loss")) {
      card(
        "loss",
        now.flood.agent,
        `${agentName(now.flood.agent)} lost you.`,
        "Heat spreads from where you were last seen, away from the barrier. The guard runs to the flag.",
      );
      slow(FIRST_LOSS, () => finish("loss"));
    } else if (studio.slowOnLoss && !wantsStill()) slow(LATER);
  }

  function noticing(moment) {
    const guard = studio.hello.watchers.find((number) => awarenessOf(moment, number) > 0.25);
    if (guard === undefined || !box.hidden) return;
    card("arc", guard, `${agentName(guard)} is noticing you.`, "When the arc around a guard closes, it sees you. Break line of sight.");
    setTimeout(() => box.dataset.moment === "arc" && !box.hidden && finish("arc"), 6000);
  }

  function slow(milliseconds, then = () => {}) {
    if (slowed) return;
    if (studio.status.speed !== SLOW) usual = studio.status.speed;
    studio.send("run", { running: true, speed: SLOW });
    slowed = setTimeout(() => {
      slowed = 0;
      if (studio.status.running) studio.send("run", { running: true, speed: usual });
      then();
    }, milliseconds);
  }

  return {
    // Called for every picture.
    watch() {
      const moment = shown();
      if (moment && !box.hidden) settle();
      if (!moment || !studio.status.running || studio.hello.mode !== "play") return;
      if (!over("arc")) noticing(moment);
      lost(moment.tick);
    },
    // Three labels on the first flood.
    draw(ink, scene, moment) {
      const now = box.hidden || box.dataset.moment !== "loss" ? null : floodNow(moment.tick);
      if (!now) return;
      const { flood } = now;
      scene.labels.block(...rectOf(box.dataset.place ?? ""));
      const label = (text, cell) => {
        if (cell === undefined) return;
        const [x, y] = scene.camera.project(...scene.cells.middle(cell));
        scene.labels.bubble(ink, text, x, y, { key: `tour ${text}` });
      };
      label("heat: where you may be", nearest(scene.cells, warmAt(flood, now.age), flood.warm[Math.floor(flood.warm.length * 0.55)]));
      label("barrier: you did not go this way", flood.barrier[Math.floor(flood.barrier.length / 2)]);
      if (flood.at && now.age > 1.2)
        scene.labels.bubble(ink, "destination: the guard runs here", ...scene.camera.project(...flood.at), {
          key: "tour flag",
        });
    },
  };
}

// Of some cells, the one nearest to another.
function nearest(cells, some, to) {
  const [x, y] = cells.middle(to);
  const away = (cell) => Math.hypot(cells.middle(cell)[0] - x, cells.middle(cell)[1] - y);
  return some.length ? some.reduce((one, other) => (away(other) < away(one) ? other : one)) : undefined;
}
