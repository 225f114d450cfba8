// The property fields of the selection.

import { make } from "../dom.js";
import { planeOf, tidy } from "./geometry.js";
import { act, check, choice, number, optional, text } from "./inputs.js";
import { GROUND, isGround, isStanding, pointsOf, shapeOf } from "./kinds.js";
import { changed, extentOf } from "./model.js";
import { rising } from "./tools.js";
import { vocabulary } from "../studio.js";

const DEGREE = Math.PI / 180;

// Rows of fields for one feature.
export function fieldsOf(editor, feature) {
  const set = (properties) => editor.set(properties, "change");
  const { properties, kind } = feature;
  const rows = [text("Name", properties.name ?? "", (name) => set({ name: name || undefined }))];
  if (isGround(feature)) rows.push(...groundFields(editor, feature));
  if (isStanding(feature)) rows.push(...standingFields(editor, feature, set));
  if (kind === "platform")
    rows.push(
      text("Position", properties.at ?? "", (at) => set({ at: at || undefined })),
      check("Present at start", properties.present ?? true, (present) => set({ present })),
    );
  if (kind === "door")
    rows.push(
      check("Open at start", properties.open ?? true, (open) => set({ open })),
      check("Locked", properties.locked ?? false, (locked) => set({ locked })),
    );
  if (kind === "zone") rows.push(text("Type", properties.zone ?? "zone", (zone) => set({ zone: zone || "zone" }), vocabulary().zones));
  if (kind === "marker")
    rows.push(text("Type", properties.marker ?? "marker", (marker) => set({ marker: marker || "marker" }), vocabulary().markers));
  if (kind === "spawn") rows.push(...spawnFields(editor, feature, set));
  if (kind === "hide")
    rows.push(
      heading(editor, properties, set),
      number("Capacity", properties.capacity ?? 1, (capacity) => set({ capacity: Math.max(1, Math.round(capacity)) }), {
        step: 1,
        min: 1,
      }),
    );
  if (kind === "trap") rows.push(...trapFields(properties, set));
  if (kind === "patrol") rows.push(...patrolFields(editor, feature));
  return rows;
}

function trapFields({ team = "intruders", radius = 0.8, effect = "fell", seconds = 6, sound = "body fall" }, set) {
  const { traps, sounds } = vocabulary();
  const rows = [
    text("Set by", team, (chosen) => set({ team: chosen }), ["guards", "intruders", "civilians"]),
    number("Radius", radius, (value) => value > 0 && set({ radius: tidy(value) }), { unit: "m", min: 0.1 }),
    choice("Effect", effect, traps, (chosen) => set({ effect: chosen })),
    text("Sound", sound, (chosen) => set({ sound: chosen || undefined }), sounds),
  ];
  if (effect === "snare") rows.push(number("Holds for", seconds, (value) => set({ seconds: tidy(value) }), { unit: "s", min: 0 }));
  return rows;
}

function groundFields(editor, feature) {
  const { kind, parts } = feature;
  const heights = pointsOf(feature).map(([, , z]) => z);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const put = (changes, label) => editor.update(feature.id, () => changes, label, `${label} ${feature.id}`);
  const kinds = choice("Kind", kind, GROUND, (chosen) => put({ kind: chosen }, "change kind"));
  if (["floor", "platform"].includes(kind) && high - low < 1e-9) {
    const lift = (z) => put({ parts: parts.map((ring) => ring.map(([x, y]) => [x, y, tidy(z)])) }, "change elevation");
    return [kinds, number("Elevation", low, lift, { unit: "m" })];
  }
  const [gx, gy] = slopeOf(parts[0]);
  const along = Math.abs(gx) >= Math.abs(gy) ? 0 : 1;
  const isBack = (along ? gy : gx) < 0;
  const slope = (from, to, axis = along, back = isBack) => put({ parts: [rising(parts[0], from, to, axis, back)] }, "change slope");
  return [
    kinds,
    number("Rises from", low, (value) => slope(value, Math.max(value, high)), { unit: "m" }),
    number("to", high, (value) => slope(Math.min(low, value), value), { unit: "m" }),
    act("Rotate slope", () => slope(low, high, isBack ? 1 - along : along, !isBack)),
  ];
}

function slopeOf(ring) {
  const height = planeOf(ring);
  return [height(1, 0) - height(0, 0), height(0, 1) - height(0, 0)];
}

function standingFields(editor, feature, set) {
  const { z, height } = extentOf(feature);
  const kinds = [["obstacle", "wall"], ["cover", "cover"], ["door", "door"], ["zone", "zone"]];
  return [
    choice("Kind", feature.kind, kinds, (kind) => editor.update(feature.id, () => ({ kind }), "change kind")),
    number("Base", z, (value) => set({ z: tidy(value) }), { unit: "m" }),
    number("Height", height, (value) => set({ height: tidy(value) }), { unit: "m", min: 0 }),
  ];
}

function spawnFields(editor, { properties }, set) {
  const who = properties.who ?? "guard";
  const patrols = editor.features.filter(({ kind }) => kind === "patrol").map((one) => one.properties.name).filter(Boolean);
  const known = [...new Set([...patrols, properties.patrol].filter(Boolean))];
  const degrees = (name, label, unit = "°") =>
    optional(
      label,
      properties[name] === undefined ? "" : tidy(properties[name] / DEGREE),
      (value) => set({ [name]: value === undefined ? undefined : tidy(value * DEGREE) }),
      unit,
    );
  const plain = (name, label, unit) => optional(label, properties[name] ?? "", (value) => set({ [name]: value }), unit);
  return [
    choice("Agent", who, [...new Set([...vocabulary().spawns, who])], (chosen) => set({ who: chosen })),
    choice("Patrol", properties.patrol ?? "", [["", "none"], ...known], (patrol) =>
      set({ patrol: patrol || undefined }),
    ),
    heading(editor, properties, set),
    make(
      "details",
      { class: "more" },
      make("summary", { text: "Body and senses" }),
      plain("speed", "Speed", "m/s"),
      degrees("turn_speed", "Turn speed", "°/s"),
      degrees("view_angle", "View angle"),
      plain("view_distance", "View distance", "m"),
    ),
  ];
}

function patrolFields(editor, feature) {
  const { properties, parts } = feature;
  const loops = properties.loop_to === undefined ? 0 : properties.loop_to;
  const rows = [
    choice(
      "At the end",
      loops === null ? "stop" : "round",
      [["round", "start again"], ["stop", "stay there"]],
      (way) =>
        editor.update(
          feature.id,
          (now) => ({ properties: { ...now.properties, loop_to: way === "stop" ? null : 0 } }),
          "change patrol",
        ),
    ),
  ];
  const { corner } = editor;
  if (corner?.id !== feature.id)
    return [
      ...rows,
      make("p", {
        class: "quiet hint",
        text: `${parts[0].length} stops. Select one on the map to wait, turn or use an object there.`,
      }),
    ];
  const stopsOf = (one) => one.properties.stops ?? one.parts[0].map(() => ({}));
  const stop = stopsOf(feature)[corner.index] ?? {};
  const put = (values) =>
    editor.update(
      feature.id,
      (now) => changed(now, { stops: stopsOf(now).with(corner.index, { ...stopsOf(now)[corner.index], ...values }) }),
      "change stop",
      `stop ${feature.id} ${corner.index}`,
    );
  const action = stop.action ?? "move";
  rows.push(
    choice(
      `Stop ${corner.index + 1}`,
      action,
      [["move", "keep walking"], ["wait", "wait"], ["turn", "turn"], ["use", "use an object"]],
      (chosen) => put({ action: chosen, object: chosen === "use" ? "object" : undefined }),
    ),
  );
  if (action === "wait")
    rows.push(
      number("Wait time", stop.seconds ?? 0, (seconds) => put({ seconds: Math.max(0, seconds) }), {
        unit: "s",
        min: 0,
        step: 0.5,
      }),
    );
  if (action === "turn") rows.push(heading(editor, stop, put));
  if (action === "use") rows.push(text("Object", stop.object ?? "", (object) => put({ object: object || "object" })));
  return rows;
}

const heading = (editor, properties, set) =>
  number("Facing", tidy((properties.heading ?? 0) / DEGREE), (degrees) => set({ heading: tidy(degrees * DEGREE) }), {
    unit: "°",
    step: 15,
    title: `0° faces right, 90° faces ${editor.drawing.isDown ? "down" : "up"} the map`,
  });

// Position and size; changing them moves and scales.
export function sizeFields(editor, [x0, y0, x1, y1], features) {
  const put = (change, label) =>
    editor.replace(
      editor.chosen().map((one) => ({ ...one, parts: one.parts.map((points) => points.map(change)) })),
      label,
      label,
    );
  const shift = (dx, dy) => put(([x, y, z]) => [tidy(x + dx), tidy(y + dy), z], "move");
  const scale = (sx, sy) => put(([x, y, z]) => [tidy(x0 + (x - x0) * sx), tidy(y0 + (y - y0) * sy), z], "resize");
  const canScale = features.some((one) => shapeOf(one) !== "point") || features.length > 1;
  const rows = [
    number("x", x0, (value) => shift(value - x0, 0), { unit: "m" }),
    number("y", y0, (value) => shift(0, value - y0), { unit: "m" }),
  ];
  if (canScale && x1 > x0)
    rows.push(
      number("Width", tidy(x1 - x0), (value) => value > 0 && scale(value / (x1 - x0), 1), { unit: "m", min: 0 }),
    );
  if (canScale && y1 > y0)
    rows.push(
      number("Depth", tidy(y1 - y0), (value) => value > 0 && scale(1, value / (y1 - y0)), { unit: "m", min: 0 }),
    );
  return make("div", { class: "pair" }, ...rows);
}

// The fields shared by several obstacles, doors or zones.
export function sharedFields(editor, features) {
  if (!features.every(isStanding)) return [];
  const set = (properties) => editor.set(properties, "change");
  const { z, height } = extentOf(features[0]);
  return [
    number("Base", z, (value) => set({ z: tidy(value) }), { unit: "m" }),
    number("Height", height, (value) => set({ height: tidy(value) }), { unit: "m", min: 0 }),
  ];
}
