// Colours: greys for the level, colour only for information. Scales are even in lightness (OKLCh), so that colour-blind
// users can still read their order.

import { remember, remembered } from "./dom.js";
import { studio, tell } from "./studio.js";

// Lightness, chroma, hue in degrees, from low to high.
const ANCHORS = {
  light: {
    heat: [[0.95, 0.06, 98], [0.86, 0.115, 86], [0.745, 0.145, 66], [0.63, 0.165, 46], [0.5, 0.165, 30]],
    search: [[0.95, 0.04, 150], [0.86, 0.075, 165], [0.76, 0.085, 212], [0.66, 0.11, 268], [0.55, 0.14, 302]],
    field: [[0.95, 0.03, 200], [0.84, 0.07, 220], [0.71, 0.1, 238], [0.57, 0.12, 252], [0.42, 0.12, 264]],
    light: [[0.32, 0.06, 280], [0.48, 0.05, 280], [0.65, 0.03, 285], [0.82, 0.05, 95], [0.96, 0.11, 100]],
  },
  dark: {
    heat: [[0.36, 0.09, 25], [0.5, 0.15, 35], [0.66, 0.17, 55], [0.82, 0.14, 80], [0.97, 0.045, 98]],
    search: [[0.36, 0.07, 170], [0.48, 0.09, 190], [0.6, 0.11, 235], [0.7, 0.13, 275], [0.8, 0.12, 302]],
    field: [[0.34, 0.08, 266], [0.47, 0.11, 256], [0.61, 0.11, 242], [0.76, 0.09, 222], [0.92, 0.05, 200]],
    light: [[0.2, 0.04, 280], [0.38, 0.05, 280], [0.58, 0.03, 285], [0.78, 0.06, 95], [0.95, 0.11, 100]],
  },
};

export const STATE_COLOURS = {
  light: {
    patrol: "#6f7681", suspicious: "#c99700", engage: "#cf2f3a", chase: "#e56a00", search: "#7747bf",
    return: "#12857f", flee: "#0d72ad", run: "#0b7285", hidden: "#41755d", down: "#4a4f57",
  },
  dark: {
    patrol: "#a3abb6", suspicious: "#f0c330", engage: "#ff6b6f", chase: "#ff9838", search: "#b08cf5",
    return: "#3fc4b8", flee: "#5ab5ef", run: "#4cc9dc", hidden: "#79bd9b", down: "#8a919b",
  },
};

// Guard colours after Okabe and Ito, safe for colour blindness; they repeat from the ninth guard on.
const GUARD_COLOURS = {
  light: ["#0072b2", "#d55e00", "#00865f", "#b8528a", "#8a6a00", "#3a86c8", "#6246a8", "#4d4d4d"],
  dark: ["#56b4e9", "#ff9d4d", "#2fd0a0", "#f0a6d0", "#f0e442", "#8fb8ff", "#c3a6ff", "#d9d9d9"],
};

export const theme = { name: "light", ink: {}, contrast: false };

const scales = new Map();

export function scale(name) {
  const key = `${theme.name}/${name}`;
  if (!scales.has(key)) scales.set(key, name === "who" ? guardScale() : ramp(ANCHORS[theme.name][name] ?? ANCHORS[theme.name].heat));
  return scales.get(key);
}

// Opacity of a scale over the floor, 0 to 255, at its low and its high end.
const STRENGTHS = { search: [80, 190], who: [120, 120], field: [165, 185], light: [150, 150] };

export function strengthOf(name, share) {
  const [faint, strong] = STRENGTHS[name] ?? [110, 215];
  return Math.round(faint + (strong - faint) * Math.sqrt(share));
}

// The colour of a value painted over plain floor; the legend shows the same.
export function onFloor(name, share) {
  const colour = scale(name)[Math.round(127 * share)];
  const alpha = strengthOf(name, share) / 255;
  const floor = parseInt(theme.ink.floor.slice(1), 16);
  return [16, 8, 0].map((shift, at) => Math.round(((floor >> shift) & 255) * (1 - alpha) + colour[at] * alpha));
}

export function guardColour(number) {
  const colours = GUARD_COLOURS[theme.name];
  return colours[((number % 127) + colours.length) % colours.length];
}

// Layers store the number of a guard plus one.
function guardScale() {
  return Array.from({ length: 128 }, (_, value) => {
    const colour = parseInt(guardColour(value - 1).slice(1), 16);
    return [colour >> 16, (colour >> 8) & 255, colour & 255];
  });
}

// 128 colours as [r, g, b] bytes.
function ramp(anchors) {
  return Array.from({ length: 128 }, (_, step) => {
    const place = (step / 127) * (anchors.length - 1);
    const low = Math.min(anchors.length - 2, Math.floor(place));
    const share = place - low;
    const [lightness, chroma, hue] = anchors[low].map((value, n) => value + (anchors[low + 1][n] - value) * share);
    return rgb(lightness, chroma, (hue * Math.PI) / 180);
  });
}

function rgb(lightness, chroma, hue) {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((value) => {
    const kept = Math.min(1, Math.max(0, value));
    return Math.round(255 * (kept <= 0.0031308 ? 12.92 * kept : 1.055 * kept ** (1 / 2.4) - 0.055));
  });
}

export const stateColour = (name) => STATE_COLOURS[theme.name][name] ?? ownColour(name);

// States of a user's own game follow those of lastseen in the vocabulary.
function ownColour(name) {
  const number = name ? (studio.hello?.vocabulary.states.indexOf(name) ?? -1) : -1;
  return number < 0 ? STATE_COLOURS[theme.name].patrol : guardColour(number - Object.keys(STATE_COLOURS.light).length);
}

export function withAlpha(hex, alpha) {
  const value = parseInt(hex.slice(1), 16);
  return `rgba(${value >> 16}, ${(value >> 8) & 255}, ${value & 255}, ${alpha})`;
}

const INKS = [
  "page", "wall", "wall-edge", "floor", "floor-edge", "ramp", "cover", "hatch", "door", "hiding", "exit", "zone",
  "ink", "quiet", "paper", "line", "accent", "ghost", "flag", "grid", "halo", "patrol-line", "mesh",
  "link",
];

export function useTheme(name, keep = true) {
  theme.name = name;
  document.documentElement.dataset.theme = name;
  theme.contrast = matchMedia("(prefers-contrast: more)").matches;
  const style = getComputedStyle(document.documentElement);
  theme.ink = Object.fromEntries(INKS.map((ink) => [ink, style.getPropertyValue(`--${ink}`).trim()]));
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
