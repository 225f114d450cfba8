// Decodes a frame: little-endian bytes, every part aligned to four.

const AGENT = 40;
const HEAD = 20;
const FIGHT = 16;
const KNOWN = 6;
const OBJECT = 16;

const padded = (count) => (count + 3) & ~3;

export function decodeFrame(buffer) {
  const head = new DataView(buffer);
  const count = head.getUint16(2, true);
  const watchers = head.getUint16(8, true);
  const targets = head.getUint16(10, true);
  const doors = head.getUint16(12, true);
  const pairs = watchers * targets;
  const frame = { full: (head.getUint8(1) & 1) === 1, tick: head.getUint32(4, true), watchers, targets };
  let at = HEAD;
  frame.agents = Array.from({ length: count }, (_, number) => decodeAgent(buffer, at + number * AGENT));
  at += count * AGENT;
  frame.awareness = new Float32Array(buffer, at, pairs);
  at += pairs * 4;
  frame.visible = new Uint8Array(buffer, at, pairs);
  at += padded(pairs);
  frame.known = new Float32Array(buffer, at, pairs * KNOWN);
  at += pairs * KNOWN * 4;
  frame.doors = new Uint8Array(buffer, at, doors);
  at += padded(doors);
  const fights = (head.getUint8(1) & 2) === 2;
  frame.fights = fights ? Array.from({ length: count }, (_, number) => decodeFight(head, at + number * FIGHT)) : null;
  if (fights) at += count * FIGHT;
  frame.objects = [];
  if ((head.getUint8(1) & 8) === 8) [frame.objects, at] = decodeObjects(head, at);
  frame.creatures = [];
  if ((head.getUint8(1) & 16) === 16) [frame.creatures, at] = decodeCreatures(buffer, at);
  [frame.layers, at] = decodeLayers(buffer, at, head.getUint16(14, true));
  [frame.views, at] = decodeLines(buffer, at, head.getUint16(16, true), 2);
  [frame.ways, at] = decodeLines(buffer, at, head.getUint16(18, true), 3);
  const hasMarks = (head.getUint8(1) & 4) === 4;
  frame.marks = hasMarks ? JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, at))) : null;
  return frame;
}

function decodeAgent(buffer, at) {
  const [x, y, z, heading, gaze, speed, ...goal] = new Float32Array(buffer, at, 9);
  const [state, mode, stance, going] = new Uint8Array(buffer, at + 36, 4);
  return { x, y, z, heading, gaze, speed, goal, state, mode, stance, going: going === 1 };
}

function decodeFight(head, at) {
  const [health, rest, due] = [0, 4, 8].map((offset) => head.getFloat32(at + offset, true));
  return { health, rest, due, foe: head.getInt16(at + 12, true), attack: head.getUint8(at + 14) };
}

function decodeObjects(head, start) {
  const objects = Array.from({ length: head.getUint32(start, true) }, (_, number) => {
    const at = start + 4 + number * OBJECT;
    const [x, y, z] = [0, 4, 8].map((offset) => head.getFloat32(at + offset, true));
    return { at: [x, y, z], state: head.getUint8(at + 12) };
  });
  return [objects, start + 4 + objects.length * OBJECT];
}

function decodeCreatures(buffer, start) {
  const [count] = new Uint32Array(buffer, start, 1);
  const xyz = new Float32Array(buffer, start + 4, 3 * count);
  return [Array.from({ length: count }, (_, number) => xyz.subarray(3 * number, 3 * number + 3)), start + 4 + 12 * count];
}

function decodeLayers(buffer, start, count) {
  const head = new DataView(buffer);
  const layers = [];
  let at = start;
  for (let block = 0; block < count; block++) {
    const layer = head.getUint16(at, true);
    const size = head.getUint32(at + 4, true);
    const cells = new Uint32Array(buffer, at + 8, size);
    const values = new Int8Array(buffer, at + 8 + size * 4, size);
    layers.push({ layer, cells, values });
    at += 8 + size * 4 + padded(size);
  }
  return [layers, at];
}

// Points by agent, each of `wide` numbers.
function decodeLines(buffer, start, count, wide) {
  const head = new DataView(buffer);
  const lines = [];
  let at = start;
  for (let line = 0; line < count; line++) {
    const size = head.getUint16(at + 2, true) * wide;
    lines.push({ agent: head.getUint16(at, true), points: new Float32Array(buffer, at + 4, size) });
    at += 4 + size * 4;
  }
  return [lines, at];
}

export function knownOf(frame, row, column) {
  const at = (row * frame.targets + column) * KNOWN;
  const [x, y, z, dx, dy, age] = frame.known.subarray(at, at + KNOWN);
  return { x, y, z, dx, dy, age };
}
