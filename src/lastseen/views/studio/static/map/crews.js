// Draws crews: a numbered badge joined to its members, their roles and places, the leader and attack turns.

import { crewColour, crewOf, dutyOf } from "../crews.js";
import { theme, withAlpha } from "../colours.js";
import { agentName, studio } from "../studio.js";
import { isShown, signSize } from "./people.js";

const BADGE = 11;
const STEPS = [[0, 0], [0, -1], [1, 0], [-1, 0], [0, 1], [1, -1], [-1, -1]];

// Badge positions on the screen: in the middle of the members, without covering any agent.
export function badgesOf(scene, moment) {
  const people = moment.agents.filter(isShown).map(({ x, y, z }) => scene.camera.project(x, y, z));
  const taken = [];
  const apart = signSize(scene.camera) * 1.9 + BADGE;
  return studio.crews.crews.flatMap((crew) => {
    const own = crew.members.map((member) => moment.agents[member]).filter((agent) => agent && isShown(agent));
    if (!own.length) return [];
    const places = own.map(({ x, y, z }) => scene.camera.project(x, y, z));
    const middle = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
    const tries = [0, 1, 2, 3].flatMap((ring) => STEPS.map(([dx, dy]) => [middle[0] + dx * ring * apart, middle[1] + dy * ring * apart]));
    const isFree = ([x, y]) => [...people, ...taken].every(([ox, oy]) => Math.hypot(ox - x, oy - y) >= apart);
    const at = tries.find(isFree) ?? middle;
    taken.push(at);
    return [{ crew, at, places, strength: Math.max(...own.map(({ z }) => scene.strength(z))) }];
  });
}

// Below the agents: lines to members, places and badges.
export function drawCrews(ink, scene, moment) {
  for (const { crew, at, places, strength } of badgesOf(scene, moment)) {
    ink.globalAlpha = strength;
    ink.strokeStyle = withAlpha(crewColour(crew), 0.75);
    ink.lineWidth = 1.2;
    for (const place of places) line(ink, at, place);
    drawBadge(ink, ...at, crew, isChosen(crew));
    scene.labels.block(at[0] - BADGE - 2, at[1] - BADGE - 2, 2 * BADGE + 4, 2 * BADGE + 4);
  }
  for (const duty of studio.crews.duties) {
    const crew = crewOf(duty.crew);
    if (duty.stand && crew && isShown(moment.agents[duty.agent])) drawStand(ink, scene, moment.agents[duty.agent], duty, crewColour(crew));
  }
  ink.globalAlpha = 1;
}

const isChosen = ({ number }) => studio.selected?.kind === "crew" && studio.selected.number === number;

function line(ink, from, to) {
  ink.beginPath();
  ink.moveTo(...from);
  ink.lineTo(...to);
  ink.stroke();
}

function drawBadge(ink, x, y, crew, chosen) {
  ink.beginPath();
  for (let corner = 0; corner < 6; corner++)
    ink.lineTo(x + BADGE * Math.cos((corner * Math.PI) / 3), y + BADGE * Math.sin((corner * Math.PI) / 3));
  ink.closePath();
  ink.fillStyle = crewColour(crew);
  ink.strokeStyle = chosen ? theme.ink.ink : theme.ink.halo;
  ink.lineWidth = chosen ? 3 : 2;
  ink.stroke();
  ink.fill();
  ink.fillStyle = theme.name === "dark" ? "#14161a" : "#ffffff";
  ink.font = "700 11px system-ui, sans-serif";
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  ink.fillText(String(crew.number), x, y + 0.5);
}

// The place assigned to a member: small brackets with its number within the role.
function drawStand(ink, scene, agent, { stand }, colour) {
  const [x, y] = scene.camera.project(...stand);
  ink.globalAlpha = scene.strength(stand[2]);
  ink.strokeStyle = colour;
  ink.lineWidth = 1.4;
  ink.setLineDash([2, 3]);
  line(ink, scene.camera.project(agent.x, agent.y, agent.z), [x, y]);
  ink.setLineDash([]);
  drawPlace(ink, x, y, 5.5, colour);
}

function drawPlace(ink, x, y, half, colour) {
  ink.strokeStyle = colour;
  ink.lineWidth = 1.8;
  ink.beginPath();
  for (const [sx, sy] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
    ink.moveTo(x + sx * half, y + sy * half * 0.3);
    ink.lineTo(x + sx * half, y + sy * half);
    ink.lineTo(x + sx * half * 0.3, y + sy * half);
  }
  ink.stroke();
}

// Above the agents: roles, leader, attack turns and requests.
export function drawRoles(ink, scene, moment) {
  const size = signSize(scene.camera);
  const leaders = new Set(studio.crews.crews.map(({ leader }) => leader));
  const busy = new Set(studio.crews.duties.map(({ agent }) => agent));
  for (const duty of studio.crews.duties) {
    const agent = moment.agents[duty.agent];
    const crew = crewOf(duty.crew);
    if (!agent || !crew || !isShown(agent)) continue;
    const [x, y] = scene.camera.project(agent.x, agent.y, agent.z);
    ink.globalAlpha = scene.strength(agent.z);
    if (leaders.has(duty.agent)) drawCrown(ink, x - size * 1.7, y - size * 1.5, 6, crewColour(crew));
    if (duty.attack !== null) drawTurn(ink, x + size * 1.8, y - size * 1.5, 5, duty.attack, crewColour(crew));
    const words = [studio.overlays.has("names") ? agentName(duty.agent) : "", duty.role || "no role"].filter(Boolean).join(" · ");
    if (ink.globalAlpha > 0.9) say(ink, scene, words, x, y + size * 2.2, crewColour(crew), `name ${duty.agent}`);
  }
  for (const [number, words] of studio.crews.asks) {
    const agent = moment.agents[number];
    if (!agent || !isShown(agent) || isServed(number, words)) continue;
    const [x, y] = scene.camera.project(agent.x, agent.y, agent.z);
    ink.globalAlpha = scene.strength(agent.z);
    drawAsk(ink, x - size * 1.9, y + size * 1.3, 5);
    if (!busy.has(number) && ink.globalAlpha > 0.9)
      say(ink, scene, `asks: ${words}`, x, y + size * 2.2 + 12, theme.ink.quiet, `asks ${number}`);
  }
  ink.globalAlpha = 1;
}

// The crew's title already shows a request that its crew serves.
const isServed = (number, words) => crewOf(dutyOf(number)?.crew)?.objective === words.split(" ")[0] && !words.includes(", ");

function say(ink, scene, words, x, y, colour, key) {
  ink.font = "600 11px system-ui, sans-serif";
  scene.labels.label(ink, words, x, y, { colour, key });
}

function outlined(ink, colour, isFilled = true) {
  ink.lineJoin = "round";
  ink.lineWidth = 3;
  ink.strokeStyle = theme.ink.halo;
  ink.stroke();
  ink.fillStyle = isFilled ? colour : theme.ink.halo;
  ink.fill();
  ink.lineWidth = 1.3;
  ink.strokeStyle = colour;
  ink.stroke();
}

function drawCrown(ink, x, y, r, colour) {
  ink.beginPath();
  for (const [dx, dy] of [
    [-1, -0.6],
    [-0.5, 0.1],
    [0, -0.9],
    [0.5, 0.1],
    [1, -0.6],
    [0.8, 0.8],
    [-0.8, 0.8],
  ])
    ink.lineTo(x + dx * r, y + dy * r);
  ink.closePath();
  outlined(ink, colour);
}

// A blade pointing up: filled, the agent may attack now; hollow, it waits for its turn.
function drawTurn(ink, x, y, r, may, colour) {
  ink.beginPath();
  for (const [dx, dy] of [
    [0, -1.5],
    [0.55, 0.5],
    [1, 0.5],
    [1, 0.9],
    [0.3, 0.9],
    [0.3, 1.5],
    [-0.3, 1.5],
    [-0.3, 0.9],
    [-1, 0.9],
    [-1, 0.5],
    [-0.55, 0.5],
  ])
    ink.lineTo(x + dx * r, y + dy * r);
  ink.closePath();
  outlined(ink, colour, may);
}

// A raised flag: the agent requests something.
function drawAsk(ink, x, y, r) {
  ink.beginPath();
  for (const [dx, dy] of [[-0.9, -1.2], [1, -0.6], [-0.5, 0], [-0.5, 1.2], [-0.9, 1.2]]) ink.lineTo(x + dx * r, y + dy * r);
  ink.closePath();
  outlined(ink, theme.ink.quiet);
}

// The crew whose badge is at a point of the screen; null: none.
export function crewAt(scene, moment, px, py) {
  const found = moment && studio.overlays.has("crews") ? badgesOf(scene, moment) : [];
  return found.find(({ at: [x, y] }) => Math.hypot(x - px, y - py) <= BADGE + 2)?.crew ?? null;
}

const PICTURES = {
  leader: (ink, colour) => drawCrown(ink, 8, 8, 6, colour),
  may: (ink, colour) => drawTurn(ink, 8, 8, 4.4, true, colour),
  waits: (ink, colour) => drawTurn(ink, 8, 8, 4.4, false, colour),
  place: (ink, colour) => drawPlace(ink, 8, 8, 5, colour),
  asks: (ink) => drawAsk(ink, 8, 8, 5),
};

// A mark as a picture for panels and the legend; `badge` needs a crew.
export function crewPicture(name, crew = { seat: 0, number: 0 }) {
  const canvas = document.createElement("canvas");
  const ratio = Math.max(1, devicePixelRatio || 1);
  canvas.width = canvas.height = (name === "badge" ? 26 : 16) * ratio;
  canvas.className = "sign";
  canvas.setAttribute("aria-hidden", "true");
  const ink = canvas.getContext("2d");
  ink.scale(ratio, ratio);
  if (name === "badge") drawBadge(ink, 13, 13, crew, false);
  else PICTURES[name](ink, crewColour(crew));
  return canvas;
}

export const crewTitle = ({ number, objective, target }) => `crew ${number}: ${objective}${target >= 0 ? ` ${agentName(target)}` : ""}`;
