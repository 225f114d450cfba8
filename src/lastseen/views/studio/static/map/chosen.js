// The selected cell: its outline and its neighbours.

import { theme, withAlpha } from "../colours.js";
import { on, studio } from "../studio.js";

let leads = { cell: -1, neighbours: [] };
on("message cell", ({ cell, neighbours }) => (leads = { cell, neighbours: neighbours ?? [] }));

// Cells ranked by the selected agent, with their ranks.
export function drawCandidates(ink, scene) {
  ink.font = "600 11px system-ui, sans-serif";
  studio.candidates.forEach(({ cell }, at) => {
    const [x, y] = scene.camera.project(...scene.cells.middle(cell));
    ink.globalAlpha = scene.strength(scene.cells.middle(cell)[2]);
    ink.beginPath();
    ink.arc(x, y, 8, 0, 2 * Math.PI);
    ink.fillStyle = theme.ink.paper;
    ink.fill();
    ink.strokeStyle = theme.ink.accent;
    ink.lineWidth = at ? 1.2 : 2.4;
    ink.stroke();
    ink.fillStyle = theme.ink.ink;
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    ink.fillText(String(at + 1), x, y + 0.5);
  });
  ink.globalAlpha = 1;
}

export function drawChosen(ink, scene) {
  if (studio.selected?.kind !== "cell") return;
  const { cell } = studio.selected;
  const { camera, cells } = scene;
  const [x, y, z] = cells.middle(cell);
  if (leads.cell === cell) {
    ink.strokeStyle = withAlpha(theme.ink.accent, 0.7);
    ink.lineWidth = 1.2;
    ink.beginPath();
    for (const other of leads.neighbours) {
      ink.moveTo(...camera.project(x, y, z));
      ink.lineTo(...camera.project(...cells.middle(other)));
    }
    ink.stroke();
  }
  const [x0, y0] = cells.corner(cell);
  const [w, h] = cells.size;
  ink.strokeStyle = theme.ink.accent;
  ink.lineWidth = 2;
  ink.beginPath();
  for (const [px, py] of [[x0, y0], [x0 + w, y0], [x0 + w, y0 + h], [x0, y0 + h]]) ink.lineTo(...camera.project(px, py, z));
  ink.closePath();
  ink.stroke();
}
