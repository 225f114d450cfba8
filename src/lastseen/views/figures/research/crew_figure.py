"""A picture of one start played twice: everyone's paths without crews, and with them."""

from __future__ import annotations

import numpy as np

from ....cells.layout import CellLayout
from ....conventions import Floats
from ....level.level import Level
from ....simulation.experiments.crews.trial import CrewTrial
from ....simulation.experiments.harness.summary import Pick
from ....simulation.experiments.harness.trials import Evaluation
from ..drawing.canvas import Canvas
from ..drawing.page import KeyEntry, Panel, compose, png_bytes
from ..drawing.palette import GUARD, PAGE, PLAYER, Colour
from ..drawing.viewport import choose_view
from .episode_floor import dot, floor_canvas

_MARGIN = 4.0
_SHOWN = 12
"""Seconds shown of a trial: the approach to the target; later paths would only cover these."""
_GUARDS: tuple[Colour, ...] = (
    GUARD,
    (96, 62, 160),
    (176, 92, 30),
    (150, 40, 80),
    (40, 120, 120),
    (90, 90, 20),
    (60, 90, 170),
    (120, 60, 60),
)


def draw_pair(layout: CellLayout, _level: Level | None, evaluation: Evaluation, pick: Pick, *, y_down: bool) -> bytes:
    """Return a PNG of the first paths of all agents, without crews and with them; rings mark their starts."""
    outcome, row = evaluation.outcomes[pick.case], pick.row
    trials: list[CrewTrial] = outcome.trials[row].tolist()
    ways = [trial.tracks[: _SHOWN + 1].astype(np.float64) for trial in trials]
    spots = np.concatenate([way.reshape(-1, 3) for way in ways])[:, :2]
    view, across = choose_view(
        spots.min(axis=0) - _MARGIN, spots.max(axis=0) + _MARGIN, panels=2, scale=None, y_down=y_down
    )
    panels = []
    for name, trial, way in zip(("crews off", "crews on"), trials, ways):
        canvas = floor_canvas(view, layout, ways[0][0, -1])
        for number in range(way.shape[1]):
            _draw_way(canvas, way[:, number], _colour(number, trial.guards))
        panels.append(Panel(canvas.finished(), f"{name}: {_words(trial)}"))
    sheet = compose(
        panels,
        across,
        view,
        title=f"{pick.why}: {pick.case}, episode {int(outcome.episode[row])}",
        subtitle=f"{outcome.kind[row]}, {int(outcome.guards[row])} guards, the first {_SHOWN} s; a dot every 5 s",
        key=_key(trials[0]),
    )
    return png_bytes(sheet, f"crews in {pick.case}")


def _colour(number: int, guards: int) -> Colour:
    return _GUARDS[number % len(_GUARDS)] if number < guards else PLAYER


def _draw_way(canvas: Canvas, way: Floats, colour: Colour) -> None:
    if len(way) > 1:
        canvas.line(way, colour, 3.0 if colour == PLAYER else 1.6)
    for point in way[::5]:
        canvas.disc(point, 2.0, colour)
    canvas.disc(way[0], 4.5, PAGE, colour, 1.6)
    canvas.disc(way[-1], 6.0, colour, PAGE)


def _words(trial: CrewTrial) -> str:
    parts = [f"{trial.ending} after {trial.seconds:.0f} s"]
    if np.isfinite(trial.contacts):
        parts.append(f"{trial.contacts * trial.seconds / 60.0:.0f} contacts")
    if np.isfinite(trial.lines):
        parts.append(f"{trial.lines * trial.seconds / 60.0:.0f} lines crossed")
    return ", ".join(parts)


def _key(trial: CrewTrial) -> list[KeyEntry]:
    return [KeyEntry(dot(_colour(number, trial.guards)), name) for number, name in enumerate(trial.names)]
