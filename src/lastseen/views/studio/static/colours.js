// Colours: greys for the level, colour only for information. Those that pictures share, and the signs, come with the
// level.

import { remember, remembered } from "./dom.js";
import { studio, tell } from "./studio.js";

export const theme = { name: "light", ink: {}, contrast: false, looks: null };

const scales = new Map();

export function useLooks(looks) {
  theme.looks = looks;
  scales.clear();
  useTheme(theme.name, false);
}

const given = () => theme.looks.palette[theme.name];

// 128 colours as [r, g, b] bytes.
export function scale(name) {
  const key = `${theme.name}/${name}`;
  if (!scales.has(key)) scales.set(key, name === "who" ? guardScale() : given().scales[name].match(/.{6}/g).map(bytesOf));
  return scales.get(key);
}

// Opacity of a scale over the floor, 0 to 255.
export function strengthOf(name, share) {
  const [faint, strong] = theme.looks.palette.strengths[name];
  return Math.round(faint + (strong - faint) * share);
}

// Red, green and blue of a colour such as #fafaf7.
export function bytesOf(hex) {
  const value = parseInt(hex.replace("#", ""), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

// The colour of a value painted over plain floor; the legend shows the same.
export function onFloor(name, share) {
  const colour = scale(name)[Math.round(127 * share)];
  const alpha = strengthOf(name, share) / 255;
  return bytesOf(theme.ink.floor).map((floor, at) => Math.round(floor * (1 - alpha) + colour[at] * alpha));
}

// The colour of a guard, crew or mark by its number.
export function guardColour(number) {
  const colours = given().numbered;
  return colours[((number % 127) + colours.length) % colours.length];
}

// Layers store the number of a guard plus one.
const guardScale = () => Array.from({ length: 128 }, (_, value) => bytesOf(guardColour(value - 1)));

// The colour of an agent: what guards hunt differs from the rest. States differ in shape; those of a user's own game,
// which have none, follow those of lastseen in the vocabulary.
export function agentColour(number, state) {
  const { agents, vocabulary } = studio.hello;
  const own = theme.looks.signs.agents[state] ? -1 : vocabulary.states.indexOf(state);
  if (own >= 0) return guardColour(own);
  return agents[number]?.team === "intruders" ? theme.ink.player : theme.ink.guard;
}

export const withAlpha = (hex, alpha) => `rgba(${bytesOf(hex).join()}, ${alpha})`;

const INKS = [
  "page", "wall", "wall-edge", "floor", "floor-edge", "ramp", "cover", "hatch", "zone", "ink", "quiet", "paper", "line",
  "accent", "grid", "halo", "patrol-line", "mesh", "link", "warning", "wrong",
];

export function useTheme(name, keep = true) {
  theme.name = name;
  document.documentElement.dataset.theme = name;
  theme.contrast = matchMedia("(prefers-contrast: more)").matches;
  const { style: own } = document.documentElement;
  const style = getComputedStyle(document.documentElement);
  theme.ink = Object.fromEntries(INKS.map((ink) => [ink, style.getPropertyValue(`--${ink}`).trim()]));
  for (const [ink, colour] of Object.entries(theme.looks ? given().inks : {})) own.setProperty(`--${ink}`, (theme.ink[ink] = colour));
  if (keep) remember("theme", name);
  tell("theme", name);
}

export function beginTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  useTheme(remembered("theme", dark.matches ? "dark" : "light"), false);
  dark.addEventListener("change", () => {
    if (remembered("theme", null) === null) useTheme(dark.matches ? "dark" : "light", false);
  });
  matchMedia("(prefers-contrast: more)").addEventListener("change", () => useTheme(theme.name, false));
}
