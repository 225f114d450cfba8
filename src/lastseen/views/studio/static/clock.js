// The clock of the picture: a playhead runs slightly behind the newest frame and interpolates between its neighbours.

const KEPT = 12;
const BEHIND = 1.2; // ticks the playhead stays behind, so that there is usually a frame after it
const TOO_FAR = 8; // ticks behind after which it jumps instead of catching up

export class Clock {
  constructor(step) {
    this.step = step;
    this.frames = [];
    this.playhead = 0;
    this.last = null;
  }

  get newest() {
    return this.frames.at(-1) ?? null;
  }

  push(frame) {
    const newest = this.newest;
    const jumped = frame.full || newest === null || frame.tick < newest.tick || frame.tick - newest.tick > TOO_FAR * 4;
    if (jumped) {
      this.frames = [frame];
      this.playhead = frame.tick;
      return;
    }
    if (frame.tick === newest.tick) this.frames.pop();
    this.frames.push(frame);
    if (this.frames.length > KEPT) this.frames.shift();
  }

  // Advance by real time; returns whether the picture may have changed.
  advance(now, running, speed) {
    const passed = this.last === null ? 0 : Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    const newest = this.newest;
    if (newest === null) return false;
    const before = this.playhead;
    const rate = speed / this.step;
    const aim = running ? newest.tick - BEHIND * Math.max(1, speed) : newest.tick;
    const late = aim - this.playhead;
    if (late > TOO_FAR * Math.max(1, speed)) this.playhead = aim;
    else this.playhead += passed * Math.max(0, running ? rate * (1 + late * 0.12) : Math.sign(late) * Math.max(rate, 1 / this.step));
    this.playhead = Math.min(newest.tick, Math.max(this.playhead, this.frames[0].tick));
    return this.playhead !== before;
  }

  // All agents at the playhead: positions and angles interpolated, everything else from the nearer frame.
  moment() {
    const { frames, playhead } = this;
    if (!frames.length) return null;
    let next = frames.findIndex((frame) => frame.tick >= playhead);
    if (next < 0) next = frames.length - 1;
    const after = frames[next];
    const before = frames[Math.max(0, next - 1)];
    const gap = after.tick - before.tick;
    const share = gap > 0 ? Math.min(1, Math.max(0, (playhead - before.tick) / gap)) : 1;
    const shown = share < 0.5 ? before : after;
    return { ...shown, tick: playhead, agents: after.agents.map((agent, n) => between(before.agents[n], agent, share)) };
  }
}

function between(one, other, share) {
  if (!one || one.mode !== other.mode || Math.hypot(other.x - one.x, other.y - one.y) > 2) return other;
  const mix = (name) => one[name] + (other[name] - one[name]) * share;
  return {
    ...other,
    x: mix("x"),
    y: mix("y"),
    z: mix("z"),
    heading: turn(one.heading, other.heading, share),
    gaze: turn(one.gaze, other.gaze, share),
  };
}

function turn(from, to, share) {
  const way = Math.atan2(Math.sin(to - from), Math.cos(to - from));
  return from + way * share;
}
