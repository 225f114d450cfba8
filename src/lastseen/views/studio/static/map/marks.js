// Draws the points and lines of a feed, each name in its own colour.

import { guardColour, theme } from "../colours.js";
import { feed, isMarkShown } from "../feed.js";

const SIZE = 5; // pixels from the middle of a point to its corners

const colourOf = (name) => guardColour(feed.marks.get(name) ?? 0);

export function drawLines(ink, scene, { lines }) {
  ink.lineJoin = "round";
  ink.lineCap = "round";
  for (const { name, points } of lines.filter(isNamed)) {
    ink.globalAlpha = Math.max(...points.map(([, , z]) => scene.strength(z)));
    ink.beginPath();
    for (const point of points) ink.lineTo(...scene.camera.project(...point));
    for (const [colour, width] of [[theme.ink.halo, 4.5], [colourOf(name), 2]]) {
      ink.strokeStyle = colour;
      ink.lineWidth = width;
      ink.stroke();
    }
  }
  ink.globalAlpha = 1;
  ink.lineCap = "butt";
}

export function drawPointMarks(ink, scene, { points }) {
  for (const { name, at, text } of points.filter(isNamed)) {
    const [x, y] = scene.camera.project(...at);
    if (!scene.camera.shows(x, y)) continue;
    ink.globalAlpha = scene.strength(at[2]);
    ink.beginPath();
    for (const [dx, dy] of [[0, -1], [1, 0], [0, 1], [-1, 0]]) ink.lineTo(x + dx * SIZE, y + dy * SIZE);
    ink.closePath();
    ink.lineWidth = 3;
    ink.strokeStyle = theme.ink.halo;
    ink.stroke();
    ink.fillStyle = colourOf(name);
    ink.fill();
    scene.labels.block(x - SIZE, y - SIZE, 2 * SIZE, 2 * SIZE);
    ink.font = "600 11px system-ui, sans-serif";
    scene.labels.labelAround(ink, text || name, x, y, SIZE, { colour: colourOf(name), key: `mark ${name}` });
  }
  ink.globalAlpha = 1;
}

const isNamed = ({ name }) => isMarkShown(name);
