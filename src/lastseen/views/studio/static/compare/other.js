// The compared run: drawn by the same code on a scene of its own.

import { history } from "../history.js";
import { Scene } from "../map/scene.js";
import { studio } from "../studio.js";

const OF_THE_GROUND = ["mesh", "links"]; // requested from the server, so only for the open level

export class Other {
  constructor(run, name, found) {
    Object.assign(this, { run, name, found, at: null, shown: null });
    this.isSamePlace = JSON.stringify(run.hello.level) === JSON.stringify(studio.hello.level);
    this.scene = new Scene();
    this.scene.begin(run.hello);
  }

  // Move layers and agents to a moment; past the end, to the last one.
  #go(playhead) {
    const tick = Math.min(this.run.ticks - 1, Math.max(0, Math.round(playhead)));
    if (tick !== this.at) this.scene.take(this.run.frame(tick, this.at));
    this.at = tick;
    this.shown = this.run.moment(playhead);
  }

  draw(ink, playhead, ratio, camera) {
    this.#go(playhead);
    const own = this.scene.camera;
    const { x, y, scale, tilt, width, height, isWhole } = camera;
    if (this.isSamePlace) Object.assign(own, { x, y, scale, tilt, width, height, isWhole });
    else {
      own.tilt = tilt;
      own.resize(width, height);
      own.fit();
    }
    this.#instead(() => this.scene.draw(ink, this.shown, ratio));
  }

  // Drawing code reads the page's state, so swap in this run's state while it draws.
  #instead(draw) {
    const { hello, overlays, selected, crews } = studio;
    const { events } = history;
    try {
      studio.hello = this.run.hello;
      studio.crews = this.run.crewsAt(this.at);
      studio.selected = this.#chosen(hello, selected);
      if (!this.isSamePlace) studio.overlays = new Set([...overlays].filter((name) => !OF_THE_GROUND.includes(name)));
      history.events = this.run.events;
      draw();
    } finally {
      Object.assign(studio, { hello, overlays, selected, crews });
      history.events = events;
    }
  }

  #chosen(hello, selected) {
    if (selected?.kind !== "agent") return this.isSamePlace ? selected : null;
    const number = this.number(hello.agents[selected.number].name);
    return number < 0 ? null : { kind: "agent", number };
  }

  number(name) {
    return this.run.hello.agents.findIndex((agent) => agent.name === name);
  }
}
