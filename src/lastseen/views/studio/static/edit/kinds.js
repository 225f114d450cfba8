// The kinds of features in the level format, and the tools that draw them.

export const GROUND = ["floor", "ramp", "stairs", "platform"];
export const STANDING = ["obstacle", "cover", "door", "zone"];

// `group` is the checker's name for them; `shape`: "area" (rings), "line" (points) or "point".
export const KINDS = {
  floor: { title: "Floor", shape: "area", group: "floors" },
  ramp: { title: "Ramp", shape: "area", group: "floors" },
  stairs: { title: "Stairs", shape: "area", group: "floors" },
  platform: { title: "Platform", shape: "area", group: "platforms" },
  obstacle: { title: "Wall", shape: "area", group: "obstacles" },
  cover: { title: "Cover", shape: "area", group: "cover" },
  door: { title: "Door", shape: "area", group: "doors" },
  zone: { title: "Zone", shape: "area", group: "zones" },
  hide: { title: "Hiding place", shape: "point", group: "hiding_places" },
  trap: { title: "Trap", shape: "point", group: "traps" },
  spawn: { title: "Spawn", shape: "point", group: "spawns" },
  marker: { title: "Marker", shape: "point", group: "markers" },
  patrol: { title: "Patrol", shape: "line", group: "patrols" },
  path: { title: "Path", shape: "line", group: "paths" },
};

export const LEAST = { area: 3, line: 2, point: 1 };
export const HEIGHTS = { obstacle: 3, cover: 1, door: 3, zone: 3 };

// `draws`: "area" by corners or as a rectangle, "slab" from end to end, "point", "line", "hole" in a floor.
export const TOOLS = [
  { name: "select", title: "Select and move", key: "v", icon: "M4 2l8.5 7.2-4 .6 2.2 4-1.9 1-2.1-4.1L4 13.4z" },
  { name: "floor", title: "Floor", key: "l", draws: "area", kind: "floor", icon: "M2 4.5L8 2l6 2.5v7L8 14l-6-2.5z" },
  { name: "hole", title: "Hole in a floor", key: "u", draws: "hole", icon: "M2 2.5h12v11H2zM5.5 6h5v4h-5z" },
  { name: "ramp", title: "Ramp or stairs", key: "m", draws: "area", kind: "ramp", icon: "M2 13h3v-3h3V7h3V4h3v9z" },
  {
    name: "platform", title: "Platform: floor that comes and goes", key: "b", draws: "area", kind: "platform",
    icon: "M1.5 5h3v6h-3M14.5 5h-3v6h3M4.5 8h2M9.5 8h2M8 5v6",
  },
  {
    name: "wall", title: "Wall", key: "w", draws: "slab", kind: "obstacle",
    icon: "M2.5 13.5l9-11 2 1.6-9 11z",
  },
  {
    name: "block", title: "Block: pillar, shelf, crate", key: "o", draws: "area", kind: "obstacle",
    icon: "M3 3h10v10H3zM3 3l10 10",
  },
  {
    name: "cover", title: "Low cover", key: "c", draws: "area", kind: "cover",
    icon: "M2 6.5h12v6H2zM5 12.5l6-6M2 10.5l4-4M9.5 12.5L14 8",
  },
  {
    name: "door", title: "Door", key: "d", draws: "slab", kind: "door",
    icon: "M2 14V8M14 14V8M3.5 11h9M3.5 11a9 9 0 0 1 6.5-8",
  },
  {
    name: "zone", title: "Zone", key: "z", draws: "area", kind: "zone",
    icon: "M2.5 5V2.5H5M11 2.5h2.5V5M13.5 11v2.5H11M5 13.5H2.5V11M7 2.5h2M7 13.5h2M2.5 7v2M13.5 7v2",
  },
  {
    name: "guard", title: "Guard", key: "g", draws: "point", kind: "spawn", given: { who: "guard" },
    icon: "M8 4.2a3.8 3.8 0 1 0 .01 0zM5.8 2.6L8 1l2.2 1.6",
  },
  {
    name: "player", title: "Player start", key: "p", draws: "point", kind: "spawn", given: { who: "player" },
    icon: "M4 8a4 4 0 1 1 8 0c0 2.6-2.6 3.6-4 6.4C6.6 11.6 4 10.6 4 8zM8 6.5a1.5 1.5 0 1 0 .01 0z",
  },
  { name: "hide", title: "Hiding place", key: "h", draws: "point", kind: "hide", icon: "M4 2h8v12H4zM9.8 7.5v1.5" },
  { name: "trap", title: "Trap", key: "t", draws: "point", kind: "trap",
    icon: "M2 5l2.4 3L2 11M14 5l-2.4 3L14 11M5 2l3 2.4L11 2M5 14l3-2.4L11 14M8 7a1 1 0 1 0 .01 0z" },
  {
    name: "exit", title: "Exit, goal or other marker", key: "x", draws: "point", kind: "marker", given: { marker: "exit" },
    icon: "M2.5 2.5h7v3M9.5 10.5v3h-7v-11M6 8h8M11.5 5.5L14 8l-2.5 2.5",
  },
  {
    name: "path", title: "Intended path", key: "i", draws: "line", kind: "path",
    icon: "M3 13h.01M5.5 11h.01M8 9.5h.01M9.5 7h.01M11 4.5h.01M13 3h.01",
  },
  {
    name: "patrol", title: "Patrol route", key: "r", draws: "line", kind: "patrol",
    icon: "M3 12.5l3-7 4 4.5 3-7M3 12.5h.01M6 5.5h.01M10 10h.01M13 3h.01",
  },
];

export const shapeOf = (feature) => KINDS[feature.kind].shape;
export const isGround = (feature) => GROUND.includes(feature.kind);
export const isStanding = (feature) => STANDING.includes(feature.kind);
export const drawsGround = ({ kind, draws }) => draws === "hole" || GROUND.includes(kind);
export const pointsOf = (feature) => feature.parts.flat();

export function titleOf(feature) {
  const { name, who, marker, zone } = feature.properties;
  if (name) return name;
  const meaning = who ?? marker ?? zone ?? "";
  return meaning ? meaning[0].toUpperCase() + meaning.slice(1) : KINDS[feature.kind].title;
}
