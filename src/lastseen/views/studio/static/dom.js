// Helpers to build the page from nodes and text only: nothing from a file or the server is ever parsed as HTML.

const SHOWN = ["title", "aria-label", "label", "placeholder", "alt"];
// Control characters and marks that reverse or hide text: with them a name could pose as another.
const MARKS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;
const RELEASE = 30; // milliseconds between looks whether a press is over
const SVG = "http://www.w3.org/2000/svg";

// Text of a file or of the server for display; values that are sent back stay unchanged.
export const plain = (text) => String(text).replace(MARKS, "");

export function make(tag, settings = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") node.textContent = plain(value);
    else if (name === "on") for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else node.setAttribute(name, value === true ? "" : SHOWN.includes(name) ? plain(value) : value);
  }
  node.append(
    ...children
      .filter((child) => child !== null && child !== undefined)
      .map((child) => (typeof child === "string" ? plain(child) : child)),
  );
  return node;
}

export function button(label, act, settings = {}) {
  return make("button", { type: "button", text: label, on: { click: act }, ...settings });
}

export function makeSvg(tag, settings = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(settings)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// `path` is drawn in a square of 16 units.
export function icon(path, filled = false) {
  const settings = { viewBox: "0 0 16 16", "aria-hidden": "true", class: filled ? "icon filled" : "icon" };
  return makeSvg("svg", settings, makeSvg("path", { d: path }));
}

export function iconButton(path, title, act, settings = {}) {
  const node = make("button", { type: "button", title, "aria-label": title, on: { click: act }, ...settings });
  node.append(icon(path, settings["data-filled"] !== undefined));
  return node;
}

export const find = (selector) => document.querySelector(selector);

// Replace the children; the focus stays on the child at the same position, or on the node with the same `data-key`.
export function fill(node, ...children) {
  const { activeElement } = document;
  const focused = [...node.children].indexOf(activeElement);
  const key = node.contains(activeElement) ? activeElement.dataset.key : undefined;
  node.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  const again = key === undefined ? node.children[focused] : node.querySelector(`[data-key="${CSS.escape(key)}"]`);
  again?.focus({ preventScroll: true });
}

const waiting = new WeakMap(); // the last redraw of each node that is pressed

// Redraw a node once nothing in it is being pressed, or the press would be no click: its button would be gone.
export function drawReleased(node, draw) {
  const isWaiting = waiting.has(node);
  if (!isWaiting && !node.matches(":active")) return draw();
  waiting.set(node, draw);
  if (!isWaiting) setTimeout(look, RELEASE);
  function look() {
    if (node.matches(":active")) return setTimeout(look, RELEASE);
    const last = waiting.get(node);
    waiting.delete(node);
    return last();
  }
}

// The user's choices are stored where the browser allows it.
export function remembered(name, otherwise) {
  try {
    const kept = localStorage.getItem(`lastseen.${name}`);
    return kept === null ? otherwise : JSON.parse(kept);
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`lastseen.${name}`, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the page works without it.
  }
}

export const wantsStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
