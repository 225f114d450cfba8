// Which cell is selected? Its outline, and the cells it leads to.

import { theme, withAlpha } from "../colours.js";
import { on, studio } from "../studio.js";

let leads = { cell: -1, neighbours: [] };
on("message cell", ({ cell, neighbours }) => (leads = { cell, neighbours: neighbours ?? [] }));

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
