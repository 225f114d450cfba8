// The signs of the states, distinct in colour and in shape, so that either alone is enough.

import { stateColour, theme, withAlpha } from "../colours.js";

const { PI } = Math;

// A shape that does not turn with the movement.
const upright = (draw) => Object.assign(draw, { isUpright: true });

const SHAPES = {
  patrol: upright((ink, r) => ink.arc(0, 0, r * 0.8, 0, 2 * PI)),
  suspicious: upright((ink, r) => {
    ink.arc(0, 0, r, 0, 2 * PI);
    ink.moveTo(r * 0.5, 0);
    ink.arc(0, 0, r * 0.5, 0, 2 * PI, true);
  }),
  engage: (ink, r) => polygon(ink, [[r * 1.25, 0], [0, r], [-r * 1.25, 0], [0, -r]]),
  chase: (ink, r) => polygon(ink, [[r * 1.35, 0], [-r, r * 0.95], [-r * 0.45, 0], [-r, -r * 0.95]]),
  search: upright((ink, r) => {
    ink.moveTo(-r * 1.3, 0);
    ink.quadraticCurveTo(0, -r * 1.5, r * 1.3, 0);
    ink.quadraticCurveTo(0, r * 1.5, -r * 1.3, 0);
    ink.moveTo(r * 0.4, 0);
    ink.arc(0, 0, r * 0.4, 0, 2 * PI, true);
  }),
  return: upright((ink, r) => {
    ink.arc(0, 0, r * 0.8, 0, 2 * PI);
    ink.moveTo(r * 0.35, 0);
    ink.arc(0, 0, r * 0.35, 0, 2 * PI, true);
  }),
  flee: (ink, r) => polygon(ink, [[r * 1.2, 0], [-r * 0.9, r * 0.8], [-r * 0.9, -r * 0.8]]),
  run: (ink, r) => {
    ink.arc(0, 0, r * 0.85, 0.55, 2 * PI - 0.55);
    ink.lineTo(r * 1.45, 0);
    ink.closePath();
  },
  hidden: upright((ink, r) => ink.roundRect(-r * 0.65, -r, r * 1.3, r * 2, r * 0.2)),
  down: (ink, r) => polygon(ink, [[-r, -r * 0.35], [r, -r * 0.35], [r, r * 0.35], [-r, r * 0.35]]),
};

function polygon(ink, points) {
  points.forEach(([x, y], at) => (at ? ink.lineTo(x, y) : ink.moveTo(x, y)));
  ink.closePath();
}

// A sign at a point of the screen; `angle` is its direction of movement on the screen.
export function drawSign(ink, state, x, y, angle, size, colour = stateColour(state)) {
  ink.save();
  ink.translate(x, y);
  const shape = SHAPES[state] ?? SHAPES.patrol;
  if (!shape.isUpright) ink.rotate(angle);
  ink.beginPath();
  shape(ink, size);
  ink.lineJoin = "round";
  ink.lineWidth = 3;
  ink.strokeStyle = theme.ink.halo;
  ink.stroke();
  ink.fillStyle = colour;
  ink.fill("evenodd");
  ink.restore();
}

// The same sign as a picture for panels and the legend.
export function signPicture(state, size = 16) {
  const canvas = document.createElement("canvas");
  const ratio = Math.max(1, devicePixelRatio || 1);
  canvas.width = canvas.height = size * ratio;
  canvas.className = "sign";
  canvas.setAttribute("aria-hidden", "true");
  const ink = canvas.getContext("2d");
  ink.scale(ratio, ratio);
  drawSign(ink, state, size / 2, size / 2, -PI / 4, size * 0.32);
  return canvas;
}

// The gaze: a short wedge in front of the sign.
export function drawGaze(ink, x, y, angle, size, colour) {
  ink.beginPath();
  ink.moveTo(x + Math.cos(angle - 0.5) * size, y + Math.sin(angle - 0.5) * size);
  ink.lineTo(x + Math.cos(angle) * size * 1.6, y + Math.sin(angle) * size * 1.6);
  ink.lineTo(x + Math.cos(angle + 0.5) * size, y + Math.sin(angle + 0.5) * size);
  ink.strokeStyle = colour;
  ink.lineWidth = 1.8;
  ink.stroke();
}

// A guard's awareness: an arc that closes.
export function drawAwareness(ink, x, y, share, size, colour) {
  if (share <= 0.01) return;
  ink.lineCap = "round";
  ink.lineWidth = 3;
  ink.strokeStyle = withAlpha(stateColour("patrol"), 0.25);
  ink.beginPath();
  ink.arc(x, y, size, 0, 2 * PI);
  ink.stroke();
  ink.strokeStyle = colour;
  ink.beginPath();
  ink.arc(x, y, size, -PI / 2, -PI / 2 + 2 * PI * Math.min(1, share));
  ink.stroke();
  ink.lineCap = "butt";
}
