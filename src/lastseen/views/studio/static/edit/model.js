// A drawing: a title, whether y points down, and immutable features; every change makes a new list. A drawing on a mesh
// also has a backdrop, the floors of the mesh, which are shown but never selected, changed or saved.
//
// A feature is {id, kind, parts, properties}: parts are rings of an area, the points of a line, or one point; a point is
// [x, y, z]. Its id is unique while the page is open.

import { boundsOf, isInside, signedArea, tidy } from "./geometry.js";
import { isGround, isStanding, KINDS, pointsOf, shapeOf } from "./kinds.js";

const NEAR = 0.6; // metres above or below a storey that still count as on it
const RISE = 3; // metres from one storey to the next

let counter = 0;
export const newId = () => ++counter;

export const emptyDrawing = (title) => ({ title, isDown: false, features: [], backdrop: null });

export function fromGeoJSON(tree, backdrop = null) {
  const features = tree.features.map(({ geometry, properties }) => {
    const { kind, ...rest } = properties;
    if (!KINDS[kind]) throw new Error(`unknown kind of feature “${kind}”`);
    return { id: newId(), kind, parts: partsOf(geometry, rest.z ?? 0), properties: rest };
  });
  return { title: tree.lastseen?.name ?? "", isDown: tree.lastseen?.y_down === true, features, backdrop: backdrop && floorsOf(backdrop) };
}

function floorsOf({ shapes, storeys }) {
  return shapes.map(({ kind, storey, outline, holes }) => {
    const place = ([x, y]) => [x, y, storeys[storey].z];
    return { id: newId(), kind, parts: [outline, ...holes].map((ring) => ring.map(place)), properties: { storey } };
  });
}

function partsOf({ type, coordinates }, z) {
  const place = (at) => [at[0], at[1], at[2] ?? z];
  if (type === "Point") return [[place(coordinates)]];
  if (type !== "Polygon") return [coordinates.map(place)];
  return coordinates.map((ring) => {
    const points = ring.map(place);
    const [first, last] = [points[0], points.at(-1)];
    return points.length > 1 && first.every((value, axis) => value === last[axis]) ? points.slice(0, -1) : points;
  });
}

export function toGeoJSON({ title, isDown, features, backdrop }) {
  const lastseen = { version: 1, name: title, ...(backdrop ? {} : { surface: "floors" }), ...(isDown ? { y_down: true } : {}) };
  return { type: "FeatureCollection", lastseen, features: features.map(written) };
}

function written(feature) {
  const { kind, parts, properties } = feature;
  // Features that stand on the floor store their height once, all others at each point.
  const place = isStanding(feature) ? ([x, y]) => [x, y] : (at) => at;
  const shape = shapeOf(feature);
  const lines = parts.map((points) => points.map(place));
  const closed = lines.map((ring) => [...ring, ring[0]]);
  const line = lines[0].length > 1 ? "LineString" : "MultiPoint";
  const geometry =
    shape === "area"
      ? { type: "Polygon", coordinates: closed }
      : { type: shape === "line" ? line : "Point", coordinates: shape === "line" ? lines[0] : lines[0][0] };
  return { type: "Feature", properties: { kind, ...properties }, geometry };
}

export const textOf = (drawing) => JSON.stringify(toGeoJSON(drawing));

// Heights of the storeys from the bottom: each that of its largest flat floor; `more` adds storeys without a floor.
export function storeysOf(features, more = []) {
  const largest = new Map();
  for (const feature of features) {
    if (!isGround(feature)) continue;
    const storey = feature.properties.storey ?? 0;
    const size = Math.abs(signedArea(feature.parts[0])) * (feature.kind === "floor" ? 1 : 1e-6);
    if (size >= (largest.get(storey)?.size ?? 0)) largest.set(storey, { size, z: lowest(feature.parts[0]) });
  }
  const count = Math.max(1, more.length, ...[...largest.keys()].map((storey) => storey + 1));
  const found = [];
  for (let storey = 0; storey < count; storey++) {
    found.push(largest.get(storey)?.z ?? more[storey] ?? (storey ? found[storey - 1] + RISE : 0));
  }
  return found;
}

const lowest = (points) => points.reduce((least, [, , z]) => Math.min(least, z), Infinity);

const nearest = (storeys, z, among) =>
  among.reduce((best, at) => (Math.abs(storeys[at] - z) < Math.abs(storeys[best] - z) ? at : best), among[0]);

// The storeys that have floor at any of these points, else all. A storey of a mesh may slope far from its typical height.
function storeysAt(points, storeys, backdrop) {
  const all = [...storeys.keys()];
  if (!backdrop || all.length === 1) return all;
  const holds = ({ parts }) => points.some(([x, y]) => isInside(parts, x, y));
  const found = all.filter((storey) => backdrop.some((floor) => floor.properties.storey === storey && holds(floor)));
  return found.length ? found : all;
}

// Whether a feature is visible on a storey: floors on their own, tall features on every storey they reach.
export function isOn(feature, storey, storeys, backdrop = null) {
  if (isGround(feature)) return (feature.properties.storey ?? 0) === storey;
  const points = pointsOf(feature);
  if (!isStanding(feature))
    return points.some((point) => nearest(storeys, point[2], storeysAt([point], storeys, backdrop)) === storey);
  const { z, height } = extentOf(feature);
  const among = storeysAt(points, storeys, backdrop);
  const through = storeys.map((one, at) => among.includes(at) && one >= z - NEAR && one < z + height - NEAR);
  if (feature.kind === "zone" || !through.includes(true))
    return (through.includes(true) ? through.indexOf(true) : nearest(storeys, z, among)) === storey;
  return through[storey];
}

export function extentOf({ kind, properties }) {
  return { z: properties.z ?? 0, height: properties.height ?? (kind === "cover" ? 1 : 3) };
}

export function drawingBounds(features) {
  return boundsOf(features.flatMap(pointsOf)) ?? [0, 0, 16, 10];
}

export function moved(feature, dx, dy, dz = 0) {
  const parts = feature.parts.map((points) => points.map(([x, y, z]) => [tidy(x + dx), tidy(y + dy), tidy(z + dz)]));
  if (!dz || !isStanding(feature)) return { ...feature, parts };
  return { ...feature, parts, properties: { ...feature.properties, z: tidy((feature.properties.z ?? 0) + dz) } };
}

export const changed = (feature, properties) => {
  const merged = { ...feature.properties, ...properties };
  for (const [name, value] of Object.entries(merged)) if (value === undefined) delete merged[name];
  return { ...feature, properties: merged };
};

// A name that is free in its group, such as "door 3".
export function freeName(features, kind, wanted) {
  const group = KINDS[kind].group;
  const taken = new Set(features.filter((one) => KINDS[one.kind].group === group).map((one) => one.properties.name));
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/ \d+$/, "");
  let number = 2;
  while (taken.has(`${stem} ${number}`)) number++;
  return `${stem} ${number}`;
}
