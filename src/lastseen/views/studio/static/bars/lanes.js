// The timeline: a lane of states per agent with event marks; drag the ruler to scrub, drag on the lanes to select a range.

import { isServed } from "../connection.js";
import { plain } from "../dom.js";
import { agentColour, theme, withAlpha } from "../colours.js";
import { costs, costWords, worstByPixel } from "../costs.js";
import { history, lanes } from "../history.js";
import { isLive } from "../feed.js";
import { signOfState } from "../map/people.js";
import { drawSign } from "../map/signs.js";
import { agentName, seconds, select, stateName, studio } from "../studio.js";
import { clockText } from "./clock.js";

const RULER = 16;
const NAMED = 9; // minimum height in pixels of a lane with a name
const MOST = 14; // number of lanes up to which the bar grows
const NAMES = 74;
const SIGNED = 12; // pixels of a lane and of a state that has its sign
const SHADE = 0.45;
// Height of a state in its lane: the more alert, the higher.
const HEIGHTS = {
  patrol: 0.2, player: 0.2, civilian: 0.2, run: 0.2, hidden: 0.1, down: 0.1, return: 0.35, suspicious: 0.5, search: 0.7,
  flee: 0.85, chase: 0.85, engage: 1,
};
const STRIP = 13; // height of the costs of steps below the lanes
const MARKS = {
  sees: ["▲", "engage"], lost: ["▽", "chase"], flood: ["●", "chase"], "found hiding": ["◆", "engage"], caught: ["✖", "engage"],
  said: ["·", "patrol"], heard: ["○", "suspicious"], "search over": ["□", "return"], threw: ["◇", "run"],
  blinked: ["↯", "run"], "left decoy": ["◌", "run"], "set trap": ["✳", "run"], trap: ["✱", "engage"],
  "time stops": ["⏸", "run"], "time goes on": ["▸", "run"], travelled: ["⇄", "run"], swarm: ["⁂", "engage"],
  possesses: ["◈", "run"], releases: ["◇", "run"], hid: ["▮", "hidden"],
  "scene act": ["❖", "patrol"], object: ["⚒", "patrol"], placed: ["✚", "patrol"], reported: ["▼", "patrol"],
};
const TOLD = [...Object.keys(MARKS), "state", "searches", "investigates", "door", "end"];

// Height of the bar at which every name can be read.
export const heightFor = (people) =>
  Math.max(104, RULER + 11 + Math.min(MOST, people) * (NAMED + 1)) + (costs.isKnown() ? STRIP : 0);
const stripHeight = () => (costs.isKnown() ? STRIP : 0);

export class Lanes {
  constructor(canvas, tip, seek, now) {
    Object.assign(this, { canvas, tip, seek, now, stale: true, selection: null, drag: null, back: document.createElement("canvas") });
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointerleave", () => (tip.hidden = true));
    canvas.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => (this.stale = true)).observe(canvas);
  }

  // The timeline extends beyond the run and grows in steps, so that it does not creep.
  get ticks() {
    const page = 30 / (studio.hello?.step ?? 0.1);
    const { ticks } = studio.status;
    const isWhole = studio.hello?.mode === "watch" && !isLive() && (!isServed || studio.hello.kind !== "scenario");
    return isWhole ? Math.max(1, ticks) : page * Math.ceil((ticks + 1) / page);
  }

  #x(tick) {
    return NAMES + (tick / this.ticks) * (this.canvas.clientWidth - NAMES - 8);
  }

  #tick(event) {
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    return ((x - NAMES) / (this.canvas.clientWidth - NAMES - 8)) * this.ticks;
  }

  #lane(event) {
    const y = event.clientY - this.canvas.getBoundingClientRect().top - RULER;
    return y < 0 ? -1 : this.#isStrip(event) ? Infinity : Math.floor(y / this.#height());
  }

  #isStrip(event) {
    return this.canvas.getBoundingClientRect().bottom - event.clientY <= stripHeight();
  }

  #height() {
    const count = studio.hello?.agents.length ?? 1;
    return Math.min(16, (this.canvas.clientHeight - RULER - 2 - stripHeight()) / count);
  }

  draw(tick) {
    if (!studio.hello) return;
    const ratio = devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const grown = Math.round(this.#x(studio.status.ticks)) !== this.end || this.ticks !== this.ends;
    const now = [Math.round(this.#x(tick) * 2), this.selection?.join(), studio.differs, width, height].join();
    if (!this.stale && !grown && now === this.shown) return;
    this.shown = now;
    if (this.stale || grown) this.#background(width, height, ratio);
    if (this.canvas.width !== this.back.width || this.canvas.height !== this.back.height) {
      [this.canvas.width, this.canvas.height] = [this.back.width, this.back.height];
    }
    const ink = this.canvas.getContext("2d");
    ink.setTransform(1, 0, 0, 1, 0, 0);
    ink.clearRect(0, 0, this.canvas.width, this.canvas.height);
    ink.drawImage(this.back, 0, 0);
    ink.scale(ratio, ratio);
    this.#selected(ink, height);
    this.#differs(ink, height);
    const x = this.#x(tick);
    ink.fillStyle = theme.ink.accent;
    ink.fillRect(x - 0.75, 4, 1.5, height - 4);
    ink.beginPath();
    ink.moveTo(x - 5, 2);
    ink.lineTo(x + 5, 2);
    ink.lineTo(x, 10);
    ink.fill();
    this.canvas.setAttribute("aria-valuenow", Math.round(tick));
    this.canvas.setAttribute("aria-valuemax", Math.round(studio.status.ticks));
    this.canvas.setAttribute("aria-valuetext", clockText(tick));
  }

  #selected(ink, height) {
    if (!this.selection) return;
    const [from, to] = this.selection.map((tick) => this.#x(tick));
    ink.fillStyle = withAlpha(theme.ink.accent, 0.18);
    ink.fillRect(from, RULER, to - from, height - RULER);
  }

  // The step at which the compared run diverges.
  #differs(ink, height) {
    if (studio.differs === null) return;
    const x = this.#x(studio.differs);
    ink.fillStyle = theme.ink.wrong;
    ink.fillRect(x - 0.5, RULER - 6, 1.5, height - RULER + 6);
    ink.font = "700 12px system-ui, sans-serif";
    ink.textAlign = "left";
    ink.textBaseline = "top";
    ink.fillText("≠", x + 3, 3);
  }

  #background(width, height, ratio) {
    this.stale = false;
    this.ends = this.ticks;
    this.end = Math.round(this.#x(studio.status.ticks));
    this.back.width = Math.round(width * ratio);
    this.back.height = Math.round(height * ratio);
    const ink = this.back.getContext("2d");
    ink.scale(ratio, ratio);
    this.#ruler(ink, width);
    const row = this.#height();
    ink.textBaseline = "middle";
    lanes(studio.status.ticks).forEach((lane, number) => this.#row(ink, lane, number, RULER + number * row, row));
    for (const event of history.events) this.#mark(ink, event, row);
    if (costs.isKnown()) this.#costs(ink, height);
  }

  // Milliseconds of steps against their budget, which is as high as the strip; steps over budget are marked.
  #costs(ink, height) {
    const base = height - 1;
    ink.font = `${NAMED}px system-ui, sans-serif`;
    ink.textAlign = "left";
    ink.fillStyle = theme.ink.quiet;
    ink.fillText(`${costs.budget.toFixed(costs.budget < 10 ? 1 : 0)} ms`, 4, base - STRIP / 2);
    ink.fillRect(NAMES, base, this.canvas.clientWidth - NAMES - 8, 0.5);
    const tickAt = (x) => ((x - NAMES) / (this.canvas.clientWidth - NAMES - 8)) * this.ticks;
    for (const [x, worst] of worstByPixel(NAMES, this.#x(studio.status.ticks), tickAt)) {
      const isOver = worst > costs.budget;
      ink.fillStyle = isOver ? theme.ink.wrong : theme.ink.quiet;
      const tall = Math.max(1, Math.min(1, worst / costs.budget) * (STRIP - 3));
      ink.fillRect(x, base - tall, 1, tall);
      if (isOver) ink.fillRect(x - 1, base - STRIP + 1, 3, 2);
    }
  }

  #ruler(ink, width) {
    ink.font = "10px system-ui, sans-serif";
    ink.fillStyle = theme.ink.quiet;
    ink.textBaseline = "top";
    const all = seconds(this.ticks);
    const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600].find((one) => (one / all) * (width - NAMES) > 52) ?? 1200;
    for (let now = 0; now <= all; now += step) {
      const x = this.#x(now / studio.hello.step);
      ink.fillRect(x, RULER - 4, 1, 4);
      if (x < width - 32) ink.fillText(clockText(now / studio.hello.step).replace(".0", ""), x + 3, 2);
    }
  }

  #row(ink, lane, number, y, height) {
    const chosen = studio.selected?.kind === "agent" && studio.selected.number === number;
    // With many lanes, only every second or third is labelled; the others show their name on hover.
    if (chosen || number % Math.ceil(NAMED / height) === 0) {
      ink.font = `${chosen ? "600 " : ""}${Math.max(NAMED, Math.min(11, height))}px system-ui, sans-serif`;
      ink.textAlign = "left";
      ink.fillStyle = chosen ? theme.ink.accent : theme.ink.quiet;
      ink.fillText(number === studio.hello.player ? "you" : plain(agentName(number)).slice(0, 10), 4, y + height / 2);
    }
    for (const { from, to, state } of lane) {
      const sign = signOfState(number, stateName(state));
      const colour = agentColour(number, sign);
      const [left, width] = [this.#x(from), this.#x(to) - this.#x(from)];
      const tall = Math.max(1.5, (height - 2.5) * (HEIGHTS[sign] ?? 1));
      ink.fillStyle = withAlpha(colour, SHADE);
      ink.fillRect(left, y + height - 1.5 - tall, Math.max(1, width), tall);
      if (Math.min(width, height) >= SIGNED) drawSign(ink, sign, left + 7, y + height / 2, 0, 4.5, colour);
    }
  }

  #mark(ink, event, row) {
    const mark = MARKS[event.kind];
    if (!mark || row < 6) return;
    const y = event.agent >= 0 ? RULER + (event.agent + 0.5) * row : RULER - 5;
    ink.font = `${Math.min(11, row)}px system-ui, sans-serif`;
    ink.textAlign = "center";
    ink.lineWidth = 1.5;
    ink.strokeStyle = theme.ink.halo;
    ink.strokeText(mark[0], this.#x(event.tick), y);
    ink.fillStyle = theme.ink.ink;
    ink.fillText(mark[0], this.#x(event.tick), y);
  }

  #down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    const scrubs = this.#lane(event) < 0;
    this.drag = { scrubs, from: this.#tick(event), x: event.clientX, moved: false };
    if (scrubs) this.seek(this.drag.from);
  }

  #move(event) {
    this.#hover(event);
    if (!this.drag) return;
    this.drag.moved ||= Math.abs(event.clientX - this.drag.x) > 4;
    const tick = this.#tick(event);
    if (this.drag.scrubs) this.seek(tick);
    else if (this.drag.moved) this.selection = [this.drag.from, tick].sort((one, other) => one - other);
  }

  #up(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag || drag.scrubs || drag.moved) return;
    this.selection = null;
    const lane = this.#lane(event);
    if (this.#isStrip(event)) select({ kind: "costs" });
    else if (studio.hello.agents[lane]) select({ kind: "agent", number: lane });
    if (drag.from >= 0) this.seek(drag.from);
  }

  #key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    this.seek(this.now() + by * (event.shiftKey ? Math.round(1 / studio.hello.step) : 1));
  }

  #hover(event) {
    if (!studio.hello) return;
    const tick = this.#tick(event);
    const lane = this.#lane(event);
    const near = this.ticks / 90;
    const about = history.events
      .filter((one) => TOLD.includes(one.kind) && Math.abs(one.tick - tick) < near && (lane < 0 || one.agent === lane))
      .slice(0, 3);
    const who = studio.hello.agents[lane] ? [agentName(lane)] : this.#isStrip(event) ? [costWords(tick)].filter(Boolean) : [];
    this.tip.textContent = plain([...who, clockText(tick), ...about.map((one) => one.text)].join(" · "));
    this.tip.hidden = tick < 0 || tick > this.ticks;
    const box = this.canvas.getBoundingClientRect();
    this.tip.style.left = `${Math.min(box.width - 240, Math.max(0, event.clientX - box.left - 20))}px`;
  }
}
