// Draws doors, hiding places, exits, patrols, sounds, paths and zone names.

import { agentColour, theme, withAlpha } from "../colours.js";
import { wantsStill } from "../dom.js";
import { recentEvents } from "../history.js";
import { seconds, studio, timings } from "../studio.js";
import { isShown, signOf } from "./people.js";
import { drawDoor, drawObject, drawPlace, drawRing, placeSize } from "./signs.js";

// Doors and platforms as drawn in the level; 1: shut, or absent.
export function doorsAsDrawn(scene) {
  const doors = [];
  for (const { kind, number, open } of scene.place.level.shapes) if (["door", "platform"].includes(kind)) doors[number] = open ? 0 : 1;
  return doors;
}

export function drawDoors(ink, scene, moment) {
  const doors = scene.place.level.shapes.filter(({ kind }) => kind === "door");
  for (const { storey, alpha } of scene.storeys()) {
    ink.save();
    ink.transform(...scene.camera.matrix(scene.heights[storey]));
    ink.globalAlpha = alpha;
    for (const [isOpen, isLocked] of [[false, false], [true, false], [false, true], [true, true]]) {
      const isAlike = (one) => (moment.doors[one.number] !== 1) === isOpen && Boolean(one.locked) === isLocked;
      const alike = doors.filter((one) => one.storey === storey && isAlike(one)).map(({ outline }) => outline);
      drawDoor(ink, alike, { isOpen, isLocked }, 1 / scene.camera.scale);
    }
    ink.restore();
  }
}

// A platform is floor with an edge while present, else only the edge.
export function drawPlatforms(ink, scene, moment) {
  const platforms = scene.place.level.shapes.filter(({ kind }) => kind === "platform");
  for (const { storey, alpha } of platforms.length ? scene.storeys() : []) {
    ink.save();
    ink.transform(...scene.camera.matrix(scene.heights[storey]));
    ink.globalAlpha = alpha;
    ink.strokeStyle = theme.ink.door;
    ink.fillStyle = theme.ink.floor;
    ink.lineWidth = 1.5 / scene.camera.scale;
    for (const { number, outline } of platforms.filter((one) => one.storey === storey)) {
      ink.beginPath();
      for (const [x, y] of outline) ink.lineTo(x, y);
      ink.closePath();
      if (moment.doors[number] === 0) ink.fill();
      ink.stroke();
    }
    ink.restore();
  }
}

// Kinds of points shown in a game; the editor shows markers of all kinds.
const POINTS = ["hiding place", "exit", "goal"];

// Traps of the level and those set so far; one that has sprung is faint and has no ring.
export function drawTraps(ink, scene, tick) {
  const drawn = scene.place.level.points.filter(({ kind }) => kind === "trap");
  const added = recentEvents(tick, Infinity, ["set trap"]).reverse();
  const sprung = new Set(recentEvents(tick, Infinity, ["trap"]).map(({ number }) => number ?? 0));
  [...drawn, ...added].forEach(({ at, radius }, number) => {
    const [x, y] = scene.camera.project(...at);
    if (!scene.camera.shows(x, y)) return;
    ink.globalAlpha = scene.strength(at[2]) * (sprung.has(number) ? 0.35 : 1);
    if (!sprung.has(number)) {
      ink.strokeStyle = theme.ink.trap;
      ink.lineWidth = 1.2;
      ink.setLineDash([3, 3]);
      drawRing(ink, scene, at, radius);
      ink.setLineDash([]);
    }
    drawPlace(ink, "trap", x, y, placeSize(scene.camera));
  });
  ink.globalAlpha = 1;
}

// Objects in sight, and the outlines of barriers.
export function drawObjects(ink, scene, objects) {
  objects.forEach(({ at, state, name, kind, zones = [] }) => {
    const [x, y] = scene.camera.project(...at);
    ink.globalAlpha = scene.strength(at[2]);
    ink.strokeStyle = theme.ink.door;
    ink.lineWidth = 2.4;
    for (const zone of zones) {
      ink.beginPath();
      for (const [cx, cy] of zone) ink.lineTo(...scene.camera.project(cx, cy, at[2]));
      ink.closePath();
      ink.stroke();
    }
    if (state === 2 || !scene.camera.shows(x, y)) return;
    drawObject(ink, kind, x, y, placeSize(scene.camera), state === 1);
    scene.labels.block(x - 8, y - 10, 16, 20);
    if (!studio.overlays.has("names")) return;
    ink.font = "600 11px system-ui, sans-serif";
    scene.labels.label(ink, name, x, y + 10 + placeSize(scene.camera), { colour: theme.ink.door, key: `object ${name}` });
  });
  ink.globalAlpha = 1;
}

// The creatures of swarms, a dot each.
export function drawCreatures(ink, scene, creatures) {
  ink.fillStyle = theme.ink.door;
  const radius = Math.max(1.2, 0.16 * placeSize(scene.camera));
  for (const at of creatures) {
    ink.globalAlpha = 0.85 * scene.strength(at[2]);
    ink.beginPath();
    ink.arc(...scene.camera.project(...at), radius, 0, 2 * Math.PI);
    ink.fill();
  }
  ink.globalAlpha = 1;
}

// The objects of the greeting as they are at a moment.
export const objectsAt = (moment) =>
  (moment.objects ?? []).map((now, number) => ({ ...studio.hello.objects[number], ...now }));

export function drawPoints(ink, scene) {
  for (const point of scene.place.level.points) {
    if (!POINTS.includes(point.kind)) continue;
    const [x, y] = scene.camera.project(...point.at);
    if (!scene.camera.shows(x, y)) continue;
    ink.globalAlpha = scene.strength(point.at[2]);
    drawPlace(ink, point.kind, x, y, placeSize(scene.camera));
    scene.labels.block(x - 8, y - 10, 16, 20);
    if (point.kind === "exit" && studio.overlays.has("names")) drawLabel(ink, scene, point, x, y);
  }
  ink.globalAlpha = 1;
}

function drawLabel(ink, scene, point, x, y) {
  ink.font = "600 11px system-ui, sans-serif";
  scene.labels.label(ink, point.name || "exit", x, y + 10 + placeSize(scene.camera), {
    colour: theme.ink.exit,
    key: `exit ${x | 0}`,
  });
}

export function drawPatrols(ink, scene) {
  ink.strokeStyle = theme.ink["patrol-line"];
  ink.lineWidth = 1.2;
  for (const patrol of scene.place.level.patrols) {
    ink.setLineDash([1, 5]);
    ink.lineCap = "round";
    ink.lineWidth = 2;
    patrol.points.forEach((point, at) => {
      const next = patrol.points[at + 1];
      if (!next) return;
      ink.globalAlpha = Math.min(scene.strength(point[2]), scene.strength(next[2]));
      ink.beginPath();
      ink.moveTo(...scene.camera.project(...point));
      ink.lineTo(...scene.camera.project(...next));
      ink.stroke();
    });
    ink.setLineDash([]);
    for (const point of patrol.points) {
      ink.globalAlpha = scene.strength(point[2]);
      ink.beginPath();
      ink.arc(...scene.camera.project(...point), 2.4, 0, 2 * Math.PI);
      ink.fillStyle = theme.ink["patrol-line"];
      ink.fill();
    }
  }
  ink.globalAlpha = 1;
  ink.lineCap = "butt";
}

export function drawNoises(ink, scene, tick) {
  for (const event of recentEvents(tick, timings().sound, ["heard", "threw"])) {
    if (!event.at) continue;
    const share = seconds(tick - event.tick) / timings().sound;
    const [x, y] = scene.camera.project(...event.at);
    for (const delay of wantsStill() ? [share - 0.4] : [0, 0.22]) {
      const grown = share - delay;
      if (grown <= 0) continue;
      ink.globalAlpha = Math.max(0, 0.8 - grown) * scene.strength(event.at[2]);
      ink.strokeStyle = theme.ink.accent;
      ink.lineWidth = 1.5;
      ink.beginPath();
      ink.ellipse(x, y, 4 + grown * 30, (4 + grown * 30) * (1 - 0.5 * scene.camera.tilt), 0, 0, 2 * Math.PI);
      ink.stroke();
    }
  }
  ink.globalAlpha = 1;
}

// The path of each agent, or a straight line to its goal where the path is unknown.
export function drawWays(ink, scene, moment) {
  const ways = new Map((moment.ways ?? []).map(({ agent, points }) => [agent, points]));
  moment.agents.forEach((agent, number) => {
    if (!agent.going || !isShown(agent) || number === studio.hello.player) return;
    const [gx, gy] = scene.camera.project(...agent.goal);
    const points = ways.get(number);
    ink.strokeStyle = withAlpha(agentColour(number, signOf(number, agent)), points ? 0.85 : 0.55);
    ink.globalAlpha = scene.strength(agent.z);
    ink.lineWidth = points ? 2 : 1.4;
    ink.lineJoin = "round";
    if (!points) ink.setLineDash([6, 4]);
    ink.beginPath();
    ink.moveTo(...scene.camera.project(agent.x, agent.y, agent.z));
    for (let at = 3; points && at < points.length; at += 3) ink.lineTo(...scene.camera.project(...points.subarray(at, at + 3)));
    if (!points) ink.lineTo(gx, gy);
    ink.stroke();
    ink.setLineDash([]);
    for (let at = 3; points && at < points.length - 3; at += 3) drawBend(ink, ...scene.camera.project(...points.subarray(at, at + 3)));
    ink.beginPath();
    ink.moveTo(gx - 4, gy - 4);
    ink.lineTo(gx + 4, gy + 4);
    ink.moveTo(gx + 4, gy - 4);
    ink.lineTo(gx - 4, gy + 4);
    ink.stroke();
  });
  ink.globalAlpha = 1;
}

function drawBend(ink, x, y) {
  ink.fillStyle = ink.strokeStyle;
  ink.beginPath();
  ink.arc(x, y, 2.2, 0, 2 * Math.PI);
  ink.fill();
}

export function drawZones(ink, scene) {
  ink.font = "italic 12px system-ui, sans-serif";
  for (const shape of scene.place.level.shapes) {
    if (shape.kind !== "zone" || !shape.name) continue;
    const z = scene.place.level.storeys[shape.storey]?.z ?? 0;
    if (scene.strength(z) < 0.9) continue;
    const width = ink.measureText(shape.name).width;
    const spot = scene.labels.place(`zone ${shape.name}`, cornersIn(box(scene, shape, z), width), width, standing(scene, shape.storey, z));
    if (spot) scene.labels.write(ink, shape.name, ...spot, width, theme.ink.zone);
  }
}

// Possible positions of a room's name: the middle first, then above and below, then the sides.
function cornersIn([x, y, w, h], width) {
  const room = Math.max(0, w - width - 8) / 2;
  const across = [0.5, 0.25, 0.75].map((share) => x + (w - width) / 2 + (share - 0.5) * 2 * room);
  return [0.5, 0.3, 0.7, 0.15, 0.85].flatMap((share) => across.map((px) => [px, y + h * share - 6]));
}

// Boxes of obstacles, which would make a name hard to read; recomputed when the camera moves.
function standing(scene, storey, z) {
  const { key } = scene.camera;
  if (scene.standing?.key !== key) scene.standing = { key, boxes: new Map() };
  const { boxes } = scene.standing;
  if (!boxes.has(storey)) {
    const things = scene.place.level.shapes.filter((one) => one.storey === storey && ["cover", "door", "obstacle"].includes(one.kind));
    boxes.set(storey, things.map((one) => box(scene, one, z)));
  }
  return boxes.get(storey);
}

// The bounding box of a shape on the screen: x, y, width, height.
function box(scene, { outline }, z) {
  const corners = outline.map(([x, y]) => scene.camera.project(x, y, z));
  const [xs, ys] = [0, 1].map((axis) => corners.map((one) => one[axis]));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return [x, y, Math.max(...xs) - x, Math.max(...ys) - y];
}

export function drawGrid(ink, scene) {
  const { camera } = scene;
  for (const { storey, alpha } of scene.storeys()) {
    scene.onFloor(ink, storey, alpha, () => {
      ink.strokeStyle = theme.ink.grid;
      ink.lineWidth = 0.7 / camera.scale;
      ink.stroke(scene.grid(storey));
    });
  }
}
