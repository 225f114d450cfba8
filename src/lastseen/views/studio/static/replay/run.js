// A run without a server: unpacked once, with random access to every moment.

import { Clock } from "../clock.js";
import { NO_CREWS } from "../crews.js";
import { decodeFrame } from "../frames.js";

export async function openRun(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Run(await new Response(stream).arrayBuffer());
}

export class Run {
  constructor(buffer) {
    const length = new DataView(buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    const part = (name) => {
      const [at, size] = head.parts[name];
      return new Uint8Array(buffer, 4 + length + at, size);
    };
    const { hello, events, story, crews, accounts, mesh, solid, every, seen, stride, ticks } = head;
    Object.assign(this, { hello, events, story, crews, accounts, mesh, solid, every, seen, stride, ticks });
    this.fixed = unplaned(part("fixed"), ticks);
    this.rest = pieces(part("rest"), numbers(part("lengths")));
    this.keys = pieces(part("keys"), numbers(part("key_lengths")));
    this.digests = part("digests");
    this.clock = new Clock(hello.step);
    this.surveyed = hello.layers.filter(({ steps }) => steps);
    this.surveys = head.parts.surveys ? unplaned(part("surveys"), Math.ceil(ticks / stride)) : new Uint8Array();
    this.cells = Uint32Array.from({ length: hello.cells.count }, (_, cell) => cell);
  }

  // One frame as the server would send it; `since` is the step whose layers the page has; null: none.
  frame(tick, since = null) {
    const frame = this.#decoded(tick);
    const near = since !== null && since <= tick && tick - since < this.every;
    const [first, layers] = near ? [since + 1, []] : this.#key(tick);
    for (let step = first; step < tick; step++) layers.push(...this.#decoded(step).layers);
    if (first <= tick) layers.push(...frame.layers);
    return { ...frame, ...this.#seen(tick, frame), full: !near, layers };
  }

  // The last survey at or before a step.
  surveyAt(tick) {
    return Math.floor(tick / this.stride);
  }

  // The values of all cells in a survey for the named layers, as blocks of a frame.
  layersAt(survey, names) {
    return this.surveyed.flatMap(({ name }, at) => {
      if (!names.includes(name)) return [];
      const from = (survey * this.surveyed.length + at) * this.cells.length;
      const layer = this.hello.layers.findIndex((one) => one.name === name);
      return [{ layer, cells: this.cells, values: this.surveys.subarray(from, from + this.cells.length) }];
    });
  }

  // The values of one cell in a survey, in the units of its layers; null: no value.
  measured(survey, cell) {
    const names = this.surveyed.map(({ name }) => name);
    const valueOf = ({ low, high, steps }, byte) => (byte ? low + ((byte - 1) / steps) * (high - low) : null);
    const values = this.layersAt(survey, names).map(({ values }, at) => valueOf(this.surveyed[at], values[cell]));
    return Object.fromEntries(names.map((name, at) => [name, values[at]]));
  }

  #key(tick) {
    const number = Math.floor(tick / this.every);
    return [number * this.every + 1, [...decodeFrame(copied(this.keys[number])).layers]];
  }

  #decoded(tick) {
    const size = this.fixed.length / this.ticks;
    const whole = new Uint8Array(size + this.rest[tick].length);
    whole.set(this.fixed.subarray(tick * size, (tick + 1) * size));
    whole.set(this.rest[tick], size);
    return decodeFrame(whole.buffer);
  }

  // Only some frames contain fields of view and paths.
  #seen(tick, frame) {
    const { views, ways } = tick % this.seen ? this.#decoded(tick - (tick % this.seen)) : frame;
    return { views, ways };
  }

  // All agents at a moment that may lie between two steps.
  moment(playhead) {
    const at = Math.min(this.ticks - 1, Math.max(0, playhead));
    const steps = [...new Set([Math.floor(at), Math.ceil(at)])];
    this.clock.frames = steps.map((tick) => {
      const frame = this.#decoded(tick);
      return { ...frame, ...this.#seen(tick, frame) };
    });
    this.clock.playhead = at;
    return this.clock.moment();
  }

  // The last account of an agent at or before a step; its tree with the lines of its text.
  account(agent, tick) {
    const kept = this.accounts[agent]?.findLast((one) => one.tick <= tick);
    if (!kept) return null;
    return { ...kept, tree: told(kept.tree, kept.lines ?? this.hello.agents[agent].tree), duty: this.#duty(kept.duty) };
  }

  #duty(duty) {
    if (!duty) return null;
    const { objectives, trees } = this.hello.crews;
    return { ...duty, tree: told(duty.tree, trees[objectives.indexOf(duty.objective)]) };
  }

  // The crews at a step.
  crewsAt(tick) {
    return this.crews.findLast(([since]) => since <= tick)?.[1] ?? NO_CREWS;
  }

  digest(tick) {
    return [...this.digests.subarray(tick * 8, tick * 8 + 8)].map((value) => value.toString(16).padStart(2, "0")).join("");
  }
}

const told = (nodes, lines) => nodes.map(([status, reason], at) => ({ text: lines[at] ?? "", status, reason }));
const copied = (bytes) => bytes.slice().buffer;
const numbers = (bytes) => new Uint32Array(copied(bytes));

function pieces(bytes, lengths) {
  let at = 0;
  return Array.from(lengths, (length) => bytes.subarray(at, (at += length)));
}

// Bytes are stored in planes, each as the change since the previous step.
function unplaned(planes, ticks) {
  const size = planes.length / ticks;
  const table = new Uint8Array(planes.length);
  for (let at = 0; at < size; at++) {
    let value = 0;
    for (let tick = 0; tick < ticks; tick++) table[tick * size + at] = value ^= planes[at * ticks + tick];
  }
  return table;
}
