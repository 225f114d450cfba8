"""A picture of one search: everyone's tracks until the evader was found, next to the random searchers."""

from __future__ import annotations

import numpy as np

from ....cells.layout import CellLayout
from ....conventions import Floats
from ....level.level import Level
from ....simulation.experiments.chase.episodes import Ground
from ....simulation.experiments.harness.summary import Pick
from ....simulation.experiments.harness.trials import Evaluation
from ....simulation.experiments.search.arena import with_places
from ....simulation.experiments.search.beginnings import MODELS
from ....simulation.experiments.search.contenders import BASE
from ....simulation.experiments.search.outcome import SearchOutcome
from ....simulation.experiments.search.trial import ENDINGS
from ..drawing.canvas import Canvas
from ..drawing.page import KeyEntry, Panel, compose, png_bytes
from ..drawing.palette import GUARD, HIDING, INK, PAGE, PLAYER, Colour
from ..drawing.viewport import choose_view
from .episode_floor import dot, floor_canvas

_MARGIN = 4.0
_SEARCHERS: tuple[Colour, ...] = ((96, 62, 160), (176, 92, 30), GUARD, (150, 40, 80))


def draw_search(layout: CellLayout, level: Level | None, evaluation: Evaluation, pick: Pick, *, y_down: bool) -> bytes:
    """Return a PNG of one start: the pick's contender next to the random searcher."""
    outcome, row = evaluation.outcomes[pick.case], pick.row
    names = list(dict.fromkeys((pick.variant, BASE)))
    columns = [evaluation.names.index(name) for name in names]
    spots = outcome.tracks[row, columns].reshape(-1, 3)
    spots = np.vstack([spots[np.isfinite(spots[:, 0])], outcome.lost_at[row][None]])[:, :2].astype(np.float64)
    view, across = choose_view(
        spots.min(axis=0) - _MARGIN, spots.max(axis=0) + _MARGIN, panels=len(names), scale=None, y_down=y_down
    )
    places = with_places(level, Ground(layout).floor_xyz).hiding_places if level is not None else ()
    panels = []
    for name, column in zip(names, columns):
        canvas = floor_canvas(view, layout, outcome.lost_at[row])
        for place in places:
            canvas.disc(np.array(place.xyz), 5.0, HIDING, PAGE)
        _draw_tracks(canvas, outcome.tracks[row, column].astype(np.float64))
        canvas.disc(outcome.lost_at[row], 6.0, None, INK, 2.0)
        panels.append(Panel(canvas.finished(), f"{name}: {_ending(outcome, row, column)}"))
    sheet = compose(
        panels,
        across,
        view,
        title=f"{pick.why}: {pick.variant} in {pick.case}",
        subtitle=f"{MODELS[int(outcome.model[row])]}, {int(outcome.searchers[row])} searchers, "
        f"started {outcome.since[row]:.1f} s after the target was last seen",
        key=_key(int(outcome.searchers[row])),
    )
    return png_bytes(sheet, f"search in {pick.case}")


def _draw_tracks(canvas: Canvas, tracks: Floats) -> None:
    """Draw the tracks of the evader (thick) and the searchers: a ring at the start, a disc at the end."""
    there = np.isfinite(tracks[:, 0, 0])
    for number in range(tracks.shape[1]):
        way = tracks[there, number]
        if not len(way) or not np.isfinite(way[0, 0]):
            continue
        colour = PLAYER if number == 0 else _SEARCHERS[(number - 1) % len(_SEARCHERS)]
        if len(way) > 1:
            canvas.line(way, colour, 3.0 if number == 0 else 1.6)
        for point in way[::5]:
            canvas.disc(point, 2.0, colour)
        canvas.disc(way[0], 4.5, PAGE, colour, 1.6)
        canvas.disc(way[-1], 6.0, colour, PAGE)


def _ending(outcome: SearchOutcome, row: int, column: int) -> str:
    ending = ENDINGS[int(outcome.ending[row, column])]
    words = {"seen": "seen", "opened": "found in hiding", "escaped": "escaped", "time over": "not found"}[ending]
    return f"{words} after {outcome.seconds[row, column]:.1f} s" if outcome.found[row, column] else words


def _key(count: int) -> list[KeyEntry]:
    words = {"evader": PLAYER}
    words |= {f"searcher {number + 1}": colour for number, colour in enumerate(_SEARCHERS[:count])}
    words |= {"hiding place": HIDING}
    entries = [KeyEntry(dot(colour), text) for text, colour in words.items()]
    return [*entries, KeyEntry(dot(INK, filled=False), "last seen here; dots every five seconds")]
