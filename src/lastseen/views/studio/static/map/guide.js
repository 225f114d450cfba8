// Automatic camera: follows the player, and tilts when all storeys are shown.

import { wantsStill } from "../dom.js";
import { studio } from "../studio.js";

const CLOSE = 7; // pixels per metre below which agents are hard to see
const EDGE = 2; // metres beyond the level that are shown with it

// Show a new level as a whole, or the player's surroundings if that would be too small.
export function begin(camera, moment) {
  const you = moment.agents[studio.hello.player];
  if (!you || camera.scale >= CLOSE) return;
  const scale = CLOSE * 2;
  const [x0, y0, x1, y1] = camera.bounds;
  const [x, y] = [within(you.x, x0, x1, camera.width / scale), within(you.y, y0, y1, camera.height / scale)];
  Object.assign(camera, { x, y, scale, isWhole: false });
}

// The middle of a window of this size nearest to a place that shows nothing beyond the level, or all of it if it fits.
function within(at, low, high, size) {
  const half = size / 2 - EDGE;
  return high - low <= 2 * half ? (low + high) / 2 : Math.min(high - half, Math.max(low + half, at));
}

// On a map larger than the window the camera follows the player.
export function follow(camera, moment) {
  const you = moment?.agents[studio.hello.player];
  if (!you || studio.mode !== "play" || !studio.status.running) return;
  const [x, y] = camera.project(you.x, you.y, you.z);
  const over = (at, size) => Math.max(0, at - size * 0.68) + Math.min(0, at - size * 0.32);
  const [right, down] = [over(x, camera.width), over(y, camera.height)];
  const whole = camera.outline().every(([px, py]) => px > -40 && py > -40 && px < camera.width + 40 && py < camera.height + 40);
  if (!whole && (right || down)) camera.pan(-right * 0.08, -down * 0.08);
}

// Animate between flat and stacked storeys; returns whether anything moved.
export function tilt(camera) {
  const aim = studio.stacked ? 1 : 0;
  if (camera.tilt === aim) return false;
  camera.tilt = wantsStill() || Math.abs(aim - camera.tilt) < 0.02 ? aim : camera.tilt + (aim - camera.tilt) * 0.16;
  camera.fit();
  return true;
}
