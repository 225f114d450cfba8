"""A picture of one loss: what the guard knew, where two predictors sent it, and where the runner really went."""

from __future__ import annotations

import numpy as np

from ....cells.layout import CellLayout
from ....conventions import Floats
from ....level.level import Level
from ....navmesh.query import find_path
from ....simulation.experiments.chase.outcome import PursuitOutcome
from ....simulation.experiments.chase.predictors import FAITHFUL
from ....simulation.experiments.chase.runners import MODELS
from ....simulation.experiments.harness.summary import Pick
from ....simulation.experiments.harness.trials import Evaluation
from ..drawing.canvas import Canvas
from ..drawing.page import KeyEntry, Panel, compose, png_bytes
from ..drawing.palette import GUARD, INK, PAGE, PLAYER, Colour
from ..drawing.viewport import choose_view
from .episode_floor import dot, floor_canvas

_MARGIN = 6.0
_WHOLE = 1.5
"""The whole level is shown if it is at most this many times as long as the area of interest."""
_RIVAL: Colour = (176, 92, 30)
_OWN: Colour = (96, 62, 160)


def draw_pursuit(
    layout: CellLayout, _level: Level | None, evaluation: Evaluation, pick: Pick, *, y_down: bool
) -> bytes:
    """Return a PNG of one first loss: the pick's predictor next to the article's flood."""
    outcome, row = evaluation.outcomes[pick.case], pick.row
    names = list(dict.fromkeys((FAITHFUL, pick.variant)))
    columns = [evaluation.names.index(name) for name in names]
    trail = outcome.trail[row]
    spots = np.vstack([trail[:, :2], outcome.guard_at[row, None, :2], outcome.destination[row, columns, :2]])
    low, high = _frame(layout, spots)
    view, _ = choose_view(low, high, panels=1, scale=None, y_down=y_down)
    canvas = floor_canvas(view, layout, outcome.seen_at[row])
    canvas.line(trail, PLAYER, 2.0)
    for point in trail[::2]:
        canvas.disc(point, 2.4, PLAYER)
    for name, column in zip(names, columns):
        _draw_way(canvas, layout, outcome, row, column, _RIVAL if name == FAITHFUL else _OWN)
    _draw_loss(canvas, outcome, row)
    sheet = compose(
        [Panel(canvas.finished(), "")],
        1,
        view,
        title=f"{pick.why}: {pick.variant} in {pick.case}",
        subtitle=_subtitle(outcome, row, names, columns),
        key=_key(names),
    )
    return png_bytes(sheet, f"pursuit in {pick.case}")


def _frame(layout: CellLayout, spots: Floats) -> tuple[Floats, Floats]:
    """Return the corners of the area to show: the positions with a margin, within the level; all of a small level."""
    bounds = layout.mesh.bounds_xyz
    least, most = bounds[0, :2] - 1.0, bounds[1, :2] + 1.0
    low = np.maximum(spots.min(axis=0) - _MARGIN, least)
    high = np.minimum(spots.max(axis=0) + _MARGIN, most)
    if (most - least).max() <= _WHOLE * (high - low).max():
        return least, most
    return low, high


def _draw_way(
    canvas: Canvas, layout: CellLayout, outcome: PursuitOutcome, row: int, column: int, colour: Colour
) -> None:
    goal = outcome.destination[row, column]
    way = find_path(layout.mesh, outcome.guard_at[row], goal).points_xyz
    if len(way) > 1:
        canvas.dashes(way, colour, 2.0)
    canvas.disc(goal, 7.0, None, PAGE, 4.5)
    canvas.disc(goal, 7.0, None, colour, 2.4)


def _draw_loss(canvas: Canvas, outcome: PursuitOutcome, row: int) -> None:
    at, seen = outcome.guard_at[row], outcome.seen_at[row]
    canvas.disc(at, 6.0, GUARD, PAGE)
    canvas.arrow(at, at + 2.0 * outcome.guard_facing[row], GUARD, 2.0, 6.0)
    canvas.disc(seen, 6.0, PLAYER, PAGE)
    if outcome.heading[row].any():
        canvas.arrow(seen, seen + 2.5 * outcome.heading[row], INK, 2.0, 6.0)


def _subtitle(outcome: PursuitOutcome, row: int, names: list[str], columns: list[int]) -> str:
    ends = (
        f"{name}: {'seen again' if outcome.reacquired[row, column] else 'given up'}"
        for name, column in zip(names, columns)
    )
    return f"{MODELS[int(outcome.model[row])]}, {outcome.speed[row]:g} m/s · " + " · ".join(ends)


def _key(names: list[str]) -> list[KeyEntry]:
    words = {"guard at the loss": GUARD, "last seen, and the runner's path (dots: seconds)": PLAYER}
    words |= {f"place predicted by {name}": _RIVAL if name == FAITHFUL else _OWN for name in names}
    return [KeyEntry(dot(colour), text) for text, colour in words.items()]
