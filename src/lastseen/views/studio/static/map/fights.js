// Draws combat: health, attacks being wound up, lines of fire, and hits.

import { theme, withAlpha } from "../colours.js";
import { recentEvents } from "../history.js";
import { isActive, seconds, studio, timings, vocabulary } from "../studio.js";
import { isShown, signSize } from "./people.js";
import { picture } from "./signs.js";

const LOW = 0.35; // share of health below which it counts as low
const WIDE = 0.2; // initial aiming error in radians

export function drawFights(ink, scene, moment) {
  moment.fights.forEach((fight, number) => {
    const agent = moment.agents[number];
    if (!isShown(agent) || !isActive(agent)) return;
    const [x, y] = scene.camera.project(agent.x, agent.y, agent.z);
    ink.globalAlpha = scene.strength(agent.z);
    const foe = moment.agents[fight.foe];
    if (foe) drawBlow(ink, scene, fight, [x, y], scene.camera.project(foe.x, foe.y, foe.z));
    else if (fight.rest > 0) drawRest(ink, scene, x, y, restShare(fight));
    drawHealth(ink, scene, x, y, fight.health / (studio.hello.fights.health[number] || 1));
  });
  for (const event of recentEvents(moment.tick, timings().hit, ["hit", "missed", "line crossed"])) drawFelt(ink, scene, moment, event);
  ink.globalAlpha = 1;
}

function drawHealth(ink, scene, x, y, share) {
  const size = signSize(scene.camera);
  const width = Math.max(18, size * 2.8);
  const [left, top] = [x - width / 2, y - size * 2.5];
  ink.fillStyle = theme.ink.halo;
  ink.fillRect(left - 1.5, top - 1.5, width + 3, 6);
  ink.fillStyle = withAlpha(theme.ink.quiet, 0.35);
  ink.fillRect(left, top, width, 3);
  ink.fillStyle = share <= LOW ? theme.ink.wrong : theme.ink.exit;
  ink.fillRect(left, top, width * Math.max(0, Math.min(1, share)), 3);
  scene.labels.block(left - 2, top - 2, width + 4, 7);
}

// A strike is a bar that grows towards the opponent; an aim narrows to the line of fire.
function drawBlow(ink, scene, { attack, due }, [x, y], [fx, fy]) {
  const whole = studio.hello.fights.seconds[attack] || 1;
  const share = Math.max(0, Math.min(1, 1 - due / whole));
  const angle = Math.atan2(fy - y, fx - x);
  const far = Math.hypot(fx - x, fy - y);
  ink.strokeStyle = ink.fillStyle = theme.ink.ink;
  ink.lineCap = "round";
  const blow = vocabulary().blows[attack];
  if (blow === "strikes") {
    const size = signSize(scene.camera);
    for (const [colour, wide] of [[theme.ink.halo, 7], [theme.ink.ink, 4]]) {
      [ink.strokeStyle, ink.lineWidth] = [colour, wide];
      ink.beginPath();
      ink.arc(x, y, size * 1.6, angle - 0.9, angle - 0.9 + 1.8 * share);
      ink.stroke();
    }
    ray(ink, x, y, angle, Math.max(0, far - size) * share, 2);
  } else if (blow === "aims") {
    const off = WIDE * (1 - share);
    ink.globalAlpha *= 0.5 + 0.5 * share;
    for (const side of [-off, off]) ray(ink, x, y, angle + side, far, 1);
    ray(ink, x, y, angle, far, 1 + share);
  }
  ink.lineCap = "butt";
  ink.globalAlpha = 1;
}

// With a rim, to stand out on any layer.
function ray(ink, x, y, angle, far, wide) {
  for (const [colour, width] of [[theme.ink.halo, wide + 2], [theme.ink.ink, wide]]) {
    [ink.strokeStyle, ink.lineWidth] = [colour, width];
    ink.beginPath();
    ink.moveTo(x, y);
    ink.lineTo(x + Math.cos(angle) * far, y + Math.sin(angle) * far);
    ink.stroke();
  }
}

// A clock for the cooldown until the next attack.
function drawRest(ink, scene, x, y, share) {
  const size = signSize(scene.camera);
  const [cx, cy] = [x + size * 2, y + size * 1.2];
  drawClock(ink, cx, cy, 4.5, share);
  scene.labels.block(cx - 6, cy - 6, 12, 12);
}

export function drawClock(ink, x, y, r, share) {
  ink.fillStyle = theme.ink.halo;
  ink.beginPath();
  ink.arc(x, y, r + 1.5, 0, 2 * Math.PI);
  ink.fill();
  ink.strokeStyle = ink.fillStyle = theme.ink.quiet;
  ink.lineWidth = 1.2;
  ink.beginPath();
  ink.arc(x, y, r, 0, 2 * Math.PI);
  ink.stroke();
  ink.beginPath();
  ink.moveTo(x, y);
  ink.arc(x, y, r, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * Math.min(1, share));
  ink.fill();
}

// Cooldowns after shots are longer than after strikes; the longest counts as the full circle.
const restShare = ({ rest }) => rest / Math.max(...studio.hello.fights.rest, 0.1);

// The outcome of an attack: a star for a hit, a dashed line for a miss, a bar before an ally in the line of fire.
function drawFelt(ink, scene, moment, { kind, agent, other, data, tick }) {
  const [from, to] = [moment.agents[agent], moment.agents[other]];
  if (!from || !to) return;
  const fade = 1 - seconds(moment.tick - tick) / timings().hit;
  const [x, y] = scene.camera.project(from.x, from.y, from.z);
  const [fx, fy] = scene.camera.project(to.x, to.y, to.z);
  ink.globalAlpha = Math.max(0, Math.min(1, fade)) * scene.strength(to.z);
  ink.strokeStyle = ink.fillStyle = theme.ink.ink;
  const angle = Math.atan2(fy - y, fx - x);
  const far = Math.hypot(fx - x, fy - y);
  if (kind === "line crossed") return drawStop(ink, fx, fy, angle);
  if (data?.kind === "shoot") {
    if (kind === "missed") ink.setLineDash([7, 5]);
    ray(ink, x, y, angle + (kind === "missed" ? 0.05 : 0), far * (kind === "missed" ? 1.15 : 1), 2.4);
    ink.setLineDash([]);
  }
  if (kind === "hit") drawStar(ink, fx, fy, signSize(scene.camera) * (1.2 + 0.8 * (1 - fade)));
}

function drawStar(ink, x, y, r) {
  ink.lineWidth = 2.2;
  for (let beam = 0; beam < 8; beam++) {
    const angle = (beam * Math.PI) / 4 + 0.2;
    ink.beginPath();
    ink.moveTo(x + Math.cos(angle) * r * 0.8, y + Math.sin(angle) * r * 0.8);
    ink.lineTo(x + Math.cos(angle) * r * 1.5, y + Math.sin(angle) * r * 1.5);
    ink.stroke();
  }
}

function drawStop(ink, x, y, angle) {
  const [dx, dy] = [-Math.sin(angle) * 12, Math.cos(angle) * 12];
  const [cx, cy] = [x - Math.cos(angle) * 14, y - Math.sin(angle) * 14];
  ink.lineWidth = 3.5;
  ink.strokeStyle = theme.ink.warning;
  ink.beginPath();
  ink.moveTo(cx - dx, cy - dy);
  ink.lineTo(cx + dx, cy + dy);
  ink.stroke();
}

export const clockPicture = () => picture((ink) => drawClock(ink, 0, 0, 5, 0.65));
