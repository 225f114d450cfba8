"""Pictures of one episode of an evaluation: a pursuit, a search, or the same start with and without crews."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from ....cells.layout import CellLayout
from ....conventions import Floats
from ....level.level import Level
from ....navmesh.query import find_path
from ....reasoning.chase.flood.chase_settings import FAITHFUL
from ....simulation.experiments.believability.experiment import EncounterTrial
from ....simulation.experiments.chase.episodes import PursuitGround
from ....simulation.experiments.chase.pursuits import PursuitOutcome
from ....simulation.experiments.chase.runners import MODELS as RUNNERS
from ....simulation.experiments.crews.trial import CrewTrial
from ....simulation.experiments.harness.summary import Pick
from ....simulation.experiments.harness.trials import Evaluation
from ....simulation.experiments.search.beginnings import MODELS as EVADERS
from ....simulation.experiments.search.beginnings import with_places
from ....simulation.experiments.search.contenders import BASE
from ....simulation.experiments.search.experiment import SearchOutcome
from ....simulation.experiments.search.trial import ENDINGS
from ..drawing.canvas import Canvas
from ..drawing.page import KeyEntry, Panel, compose, png_bytes
from ..drawing.palette import GUARD, HIDING, INK, PAGE, PLAYER, QUIET_INK, Colour
from ..drawing.surface import draw_mesh, draw_walls_round_mesh, face_numbers
from ..drawing.viewport import Viewport, choose_view

_MARGIN, _WIDE_MARGIN = 4.0, 6.0
_WHOLE = 1.5
"""The whole level is shown if it is at most this many times as long as the area of interest."""
_RIVAL: Colour = (176, 92, 30)
_OWN: Colour = (96, 62, 160)
_SEARCHERS: tuple[Colour, ...] = (_OWN, _RIVAL, GUARD, (150, 40, 80))
_GUARDS: tuple[Colour, ...] = (
    GUARD, _OWN, _RIVAL, (150, 40, 80), (40, 120, 120), (90, 90, 20), (60, 90, 170), (120, 60, 60),
)  # fmt: skip
_APPROACH = 12
"""Seconds shown of a trial of crews: the approach to the target; later paths would only cover these."""


def draw_pursuit(
    layout: CellLayout, _level: Level | None, evaluation: Evaluation, pick: Pick, *, y_down: bool
) -> bytes:
    """Return a PNG of one first loss: the pick's predictor next to the article's flood."""
    outcome, row = evaluation.outcomes[pick.case], pick.row
    names = list(dict.fromkeys((FAITHFUL, pick.variant)))
    columns = [evaluation.names.index(name) for name in names]
    colours = [_RIVAL if name == FAITHFUL else _OWN for name in names]
    trail = outcome.trail[row]
    spots = np.vstack([trail[:, :2], outcome.guard_at[row, None, :2], outcome.destination[row, columns, :2]])
    view, _ = choose_view(*_frame(layout, spots), panels=1, scale=None, y_down=y_down)
    canvas = _floor(view, layout, outcome.seen_at[row])
    canvas.line(trail, PLAYER, 2.0)
    for point in trail[::2]:
        canvas.disc(point, 2.4, PLAYER)
    for column, colour in zip(columns, colours):
        goal = outcome.destination[row, column]
        path = find_path(layout.mesh, outcome.guard_at[row], goal).points_xyz
        if len(path) > 1:
            canvas.dashes(path, colour, 2.0)
        canvas.disc(goal, 7.0, None, PAGE, 4.5)
        canvas.disc(goal, 7.0, None, colour, 2.4)
    _draw_loss(canvas, outcome, row)
    ends = (
        f"{name}: {'seen again' if outcome.reacquired[row, column] else 'given up'}"
        for name, column in zip(names, columns)
    )
    key = {"guard at the loss": GUARD, "last seen, and the runner's path (dots: seconds)": PLAYER}
    sheet = compose(
        [Panel(canvas.finished(), "")],
        1,
        view,
        title=f"{pick.why}: {pick.variant} in {pick.case}",
        subtitle=f"{RUNNERS[int(outcome.model[row])]}, {outcome.speed[row]:g} m/s · " + " · ".join(ends),
        key=_key(key | {f"place predicted by {name}": colour for name, colour in zip(names, colours)}),
    )
    return png_bytes(sheet, f"pursuit in {pick.case}")


def draw_search(layout: CellLayout, level: Level | None, evaluation: Evaluation, pick: Pick, *, y_down: bool) -> bytes:
    """Return a PNG of one start: the pick's contender next to the random searcher."""
    outcome, row = evaluation.outcomes[pick.case], pick.row
    names = list(dict.fromkeys((pick.variant, BASE)))
    columns = [evaluation.names.index(name) for name in names]
    spots = outcome.tracks[row, columns].reshape(-1, 3)
    spots = np.vstack([spots[np.isfinite(spots[:, 0])], outcome.lost_at[row][None]])[:, :2].astype(np.float64)
    view, across = _around(spots, len(names), y_down)
    places = with_places(level, PursuitGround(layout).floor_xyz).hiding_places if level is not None else ()
    panels = []
    for name, column in zip(names, columns):
        canvas = _floor(view, layout, outcome.lost_at[row])
        for place in places:
            canvas.disc(np.array(place.xyz), 5.0, HIDING, PAGE)
        tracks = outcome.tracks[row, column].astype(np.float64)
        there = np.isfinite(tracks[:, 0, 0])
        for number in range(tracks.shape[1]):
            track = tracks[there, number]
            if len(track) and np.isfinite(track[0, 0]):
                _draw_track(canvas, track, PLAYER if number == 0 else _SEARCHERS[(number - 1) % len(_SEARCHERS)])
        canvas.disc(outcome.lost_at[row], 6.0, None, INK, 2.0)
        panels.append(Panel(canvas.finished(), f"{name}: {_ending(outcome, row, column)}"))
    count = int(outcome.searchers[row])
    searchers = {f"searcher {number + 1}": colour for number, colour in enumerate(_SEARCHERS[:count])}
    ring = KeyEntry(_dot(INK, filled=False), "last seen here; dots every five seconds")
    sheet = compose(
        panels,
        across,
        view,
        title=f"{pick.why}: {pick.variant} in {pick.case}",
        subtitle=f"{EVADERS[int(outcome.model[row])]}, {count} searchers, "
        f"started {outcome.since[row]:.1f} s after the target was last seen",
        key=[*_key({"evader": PLAYER} | searchers | {"hiding place": HIDING}), ring],
    )
    return png_bytes(sheet, f"search in {pick.case}")


def draw_crews(layout: CellLayout, _level: Level | None, evaluation: Evaluation, pick: Pick, *, y_down: bool) -> bytes:
    """Return a PNG of the first paths of all agents, without crews and with them; rings mark their starts."""
    trials: list[CrewTrial] = evaluation.outcomes[pick.case].trials[pick.row].tolist()
    shown = [(f"{name}: {_result(trial)}", trial) for name, trial in zip(("crews off", "crews on"), trials)]
    return _draw_runs(layout, evaluation, pick, shown, _APPROACH, y_down)


def draw_encounter(
    layout: CellLayout, _level: Level | None, evaluation: Evaluation, pick: Pick, *, y_down: bool
) -> bytes:
    """Return a PNG of the paths of all agents in an encounter, by variant; stored runs have none."""
    trials: list[EncounterTrial] = evaluation.outcomes[pick.case].trials[pick.row].tolist()
    shown = [
        (f"{name}: {trial.values['reassigned']:.1f} changes per minute", trial)
        for name, trial in zip(evaluation.names, trials)
        if trial.tracks is not None and name in (evaluation.trials.base, pick.variant)
    ]
    return _draw_runs(layout, evaluation, pick, shown, round(trials[0].seconds), y_down)


def _draw_runs(
    layout: CellLayout,
    evaluation: Evaluation,
    pick: Pick,
    shown: Sequence[tuple[str, CrewTrial | EncounterTrial]],
    seconds: int,
    y_down: bool,
) -> bytes:
    """Return a PNG of the first seconds of some runs of one beginning side by side, with a caption each."""
    outcome, first = evaluation.outcomes[pick.case], shown[0][1]
    tracks = [np.asarray(trial.tracks)[: seconds + 1].astype(np.float64) for _, trial in shown]
    view, across = _around(np.concatenate([track.reshape(-1, 3) for track in tracks])[:, :2], len(shown), y_down)
    panels = []
    for (caption, trial), track in zip(shown, tracks):
        canvas = _floor(view, layout, tracks[0][0, -1])
        for number in range(track.shape[1]):
            _draw_track(canvas, track[:, number], _member_colour(number, trial.guards))
        panels.append(Panel(canvas.finished(), caption))
    sheet = compose(
        panels,
        across,
        view,
        title=f"{pick.why}: {pick.case}, episode {int(outcome.episode[pick.row])}",
        subtitle=f"{outcome.kind[pick.row]}, {first.guards} guards, the first {seconds} s; a dot every 5 s",
        key=[KeyEntry(_dot(_member_colour(number, first.guards)), name) for number, name in enumerate(first.names)],
    )
    return png_bytes(sheet, f"{evaluation.trials.name} in {pick.case}")


def _around(spots: Floats, panels: int, y_down: bool) -> tuple[Viewport, int]:
    """Return the view of some positions with a margin, and the number of panels in a row."""
    low, high = spots.min(axis=0) - _MARGIN, spots.max(axis=0) + _MARGIN
    return choose_view(low, high, panels=panels, scale=None, y_down=y_down)


def _frame(layout: CellLayout, spots: Floats) -> tuple[Floats, Floats]:
    """Return the corners of the area to show: the positions with a margin, within the level; all of a small level."""
    bounds = layout.mesh.bounds_xyz
    least, most = bounds[0, :2] - 1.0, bounds[1, :2] + 1.0
    low = np.maximum(spots.min(axis=0) - _WIDE_MARGIN, least)
    high = np.minimum(spots.max(axis=0) + _WIDE_MARGIN, most)
    if (most - least).max() <= _WHOLE * (high - low).max():
        return least, most
    return low, high


def _floor(view: Viewport, layout: CellLayout, xyz: Floats) -> Canvas:
    """Return a canvas with walls and floor of the storey of the cell nearest to a position."""
    nearest = int(np.linalg.norm(layout.arrays.cell_xyz.astype(np.float64) - xyz, axis=1).argmin())
    storey = int(layout.mesh.face_storey[int(layout.cell_face[nearest])])
    canvas = Canvas(view)
    draw_walls_round_mesh(canvas, layout.mesh, storey)
    draw_mesh(canvas, layout.mesh, face_numbers(canvas, layout.mesh, storey))
    return canvas


def _draw_track(canvas: Canvas, track: Floats, colour: Colour) -> None:
    """Draw the track of an agent, thick for the target: a ring at the start, a disc at the end, dots in between."""
    if len(track) > 1:
        canvas.line(track, colour, 3.0 if colour == PLAYER else 1.6)
    for point in track[::5]:
        canvas.disc(point, 2.0, colour)
    canvas.disc(track[0], 4.5, PAGE, colour, 1.6)
    canvas.disc(track[-1], 6.0, colour, PAGE)


def _draw_loss(canvas: Canvas, outcome: PursuitOutcome, row: int) -> None:
    at, seen = outcome.guard_at[row], outcome.seen_at[row]
    canvas.disc(at, 6.0, GUARD, PAGE)
    canvas.arrow(at, at + 2.0 * outcome.guard_facing[row], GUARD, 2.0, 6.0)
    canvas.disc(seen, 6.0, PLAYER, PAGE)
    if outcome.heading[row].any():
        canvas.arrow(seen, seen + 2.5 * outcome.heading[row], INK, 2.0, 6.0)


def _ending(outcome: SearchOutcome, row: int, column: int) -> str:
    ending = ENDINGS[int(outcome.ending[row, column])]
    words = {"seen": "seen", "opened": "found in hiding", "escaped": "escaped", "time over": "not found"}[ending]
    return f"{words} after {outcome.seconds[row, column]:.1f} s" if outcome.found[row, column] else words


def _result(trial: CrewTrial) -> str:
    parts = [f"{trial.ending} after {trial.seconds:.0f} s"]
    if np.isfinite(trial.contacts):
        parts.append(f"{trial.contacts * trial.seconds / 60.0:.0f} contacts")
    if np.isfinite(trial.lines):
        parts.append(f"{trial.lines * trial.seconds / 60.0:.0f} lines crossed")
    return ", ".join(parts)


def _member_colour(number: int, guards: int) -> Colour:
    return _GUARDS[number % len(_GUARDS)] if number < guards else PLAYER


def _key(words: dict[str, Colour]) -> list[KeyEntry]:
    return [KeyEntry(_dot(colour), text) for text, colour in words.items()]


def _dot(colour: Colour, *, filled: bool = True) -> Image.Image:
    """Return the sign of a key entry: a dot, or a ring."""
    sign = Image.new("RGB", (18, 18), PAGE)
    fill, outline = (colour, QUIET_INK) if filled else (PAGE, colour)
    ImageDraw.Draw(sign).ellipse((3, 3, 14, 14), fill=fill, outline=outline, width=1 + (not filled))
    return sign
