// Draws agents: signs, selection, names and awareness.

import { agentColour, theme, withAlpha } from "../colours.js";
import { dutyOf } from "../crews.js";
import { isActive, modeName, stateName, studio } from "../studio.js";
import { drawAwareness, drawGaze, drawSign } from "./signs.js";

export const signSize = (camera) => Math.min(11, Math.max(6.5, camera.scale * 0.34));

export function isShown(agent) {
  return modeName(agent.mode) !== "gone";
}

export function awarenessOf(moment, number) {
  const row = studio.hello.watchers.indexOf(number);
  if (row < 0) return 0;
  return Math.max(0, ...moment.awareness.subarray(row * moment.targets, (row + 1) * moment.targets));
}

const IN_REACH = 2.5; // metres from which an agent can enter a hiding place

// The position at which an agent is drawn; hidden agents are drawn in their hiding place.
export function standsAt(agent) {
  if (modeName(agent.mode) !== "hidden") return [agent.x, agent.y, agent.z];
  const away = ({ at }) => Math.hypot(at[0] - agent.x, at[1] - agent.y) + Math.abs(at[2] - agent.z);
  const places = studio.hello.level.points.filter((point) => point.kind === "hiding place" && away(point) < IN_REACH);
  return places.sort((one, other) => away(one) - away(other))[0]?.at ?? [agent.x, agent.y, agent.z];
}

// Where an agent's sign is on the screen: in 3D above its head.
function signAt(camera, agent) {
  const [x, y, z] = standsAt(agent);
  return camera.project(x, y, z + camera.lift);
}

export function drawPeople(ink, scene, moment) {
  const { camera } = scene;
  const size = signSize(camera);
  moment.agents.forEach((agent, number) => {
    if (!isShown(agent)) return;
    const [x, y] = signAt(camera, agent);
    const sign = signOf(number, agent);
    const colour = agentColour(number, sign);
    ink.globalAlpha = scene.strength(agent.z);
    if (number === studio.hello.player) drawYou(ink, x, y, size);
    if (studio.selected?.kind === "agent" && studio.selected.number === number) drawSelected(ink, x, y, size);
    if (isActive(agent) && !camera.lift) drawGaze(ink, x, y, camera.angle(agent.gaze), size * 1.15, colour);
    drawSign(ink, sign, x, y, camera.angle(agent.heading), size, colour);
    drawAwareness(ink, x, y, awarenessOf(moment, number), size * 1.9, colour);
    ink.globalAlpha = 1;
    scene.labels.block(x - size * 1.5, y - size * 1.5, size * 3, size * 3);
  });
}

// The sign of an agent: its state, except for bodies, hidden agents, and idle players and civilians.
export const signOf = (number, { mode, state }) => (isActive({ mode }) ? signOfState(number, stateName(state)) : modeName(mode));

export const IDLE = { intruders: "player", civilians: "civilian" };
export const signOfState = (number, state) => (state === "patrol" ? (IDLE[studio.hello.agents[number].team] ?? state) : state);

function drawYou(ink, x, y, size) {
  ink.beginPath();
  ink.arc(x, y, size * 1.75, 0, 2 * Math.PI);
  ink.fillStyle = withAlpha(theme.ink.player, 0.16);
  ink.fill();
}

function drawSelected(ink, x, y, size) {
  ink.beginPath();
  ink.arc(x, y, size * 2.5, 0, 2 * Math.PI);
  ink.strokeStyle = theme.ink.accent;
  ink.lineWidth = 1.5;
  ink.setLineDash([4, 3]);
  ink.stroke();
  ink.setLineDash([]);
}

export function drawNames(ink, scene, moment) {
  const size = signSize(scene.camera);
  ink.font = "600 11px system-ui, sans-serif";
  moment.agents.forEach((agent, number) => {
    if (!isShown(agent) || scene.strength(agent.z) < 0.9 || isNamed(number)) return;
    const [x, y] = signAt(scene.camera, agent);
    const name = number === studio.hello.player ? "you" : studio.hello.agents[number].name;
    scene.labels.labelAround(ink, name, x, y, size * 1.5, { key: `name ${number}` });
  });
}

// Crew members have a label with name and role already.
const isNamed = (number) => studio.overlays.has("crews") && dutyOf(number) !== null;

// Pixels between a point and a line from one end to the other.
function fromLine([px, py], [x, y], [endX, endY]) {
  const [dx, dy] = [endX - x, endY - y];
  const share = Math.min(1, Math.max(0, ((px - x) * dx + (py - y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x + share * dx - px, y + share * dy - py);
}

// The agent at a point of the screen; -1: none.
export function agentAt(camera, moment, px, py) {
  let found = -1;
  let nearest = 18;
  moment?.agents.forEach((agent, number) => {
    if (!isShown(agent)) return;
    const away = fromLine([px, py], camera.project(...standsAt(agent)), signAt(camera, agent));
    if (away < nearest) [found, nearest] = [number, away];
  });
  return found;
}
