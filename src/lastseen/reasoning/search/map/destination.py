"""Destinations: the cell a searcher should go to next, with the scores that explain it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ....cells.meshed_layout import MeshedLayout
from ....cells.query import cells_at, nearest_cells
from ....checks import read_only, whole_number
from ....conventions import NOWHERE, Array, Floats, Ids
from ....errors import InputError
from ....kernels.arrays.level_arrays import CellArrays
from ....kernels.search.search_score import TERMS, ScoreRules, score_cells
from ....kernels.search.search_wave import TOUCHED, VALUE, WaveArrays
from ....layers.spread import Spread
from ...input_checks import require_choice, store_numbers

_RANGES = {
    **dict.fromkeys(("too_near", "near", "far", "too_far", "spread"), ("m", 0.0, 1e6)),
    "least": ("", 0.0, 1.0),
}

_FEW, _DETOUR = 2000, 2.0
"""Number of cells with influence up to which they are first looked for within this many times the distance of the
furthest of them."""


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """How cells are scored: influence × distance × spread; cells without influence are not considered.

    Attributes
    ----------
    too_near, near, far, too_far : metres to the cell. The distance term is `least` up to `too_near`, rises to 1 at
        `near`, stays 1 up to `far` and falls back to `least` at `too_far`.
    spread : metres to the nearest other searcher or its destination at which the spread term reaches 1; 0: ignored.
    least : minimum of the two terms, 0 … 1; above 0, so that a poor destination is better than none.
    measure : "walking": metres along links; unreachable cells are no destinations. "straight": straight-line distance.
    kept : number of best cells kept to explain the choice.
    """

    too_near: float = 1.0
    near: float = 4.0
    far: float = 6.0
    too_far: float = 60.0
    spread: float = 10.0
    least: float = 0.05
    measure: Literal["walking", "straight"] = "walking"
    kept: int = 5

    def __post_init__(self) -> None:
        require_choice(self.measure, "measure", ("walking", "straight"))
        store_numbers(self, _RANGES)
        whole_number(self.kept, "kept", low=1)
        if not self.too_near <= self.near <= self.far <= self.too_far:
            raise InputError(
                f"too_near {self.too_near:g}, near {self.near:g}, far {self.far:g}, too_far {self.too_far:g} m do not "
                "rise; give them in ascending order"
            )


@dataclass(frozen=True, eq=False)
class Destination:
    """Where to go next, and why.

    Attributes
    ----------
    cell : its id, -1: there is none.
    xyz : (3,) float64 metres, on the floor; NaN if there is none.
    reason : "best", "no_influence" (no cell has influence), or "no_path" (no cell with influence is reachable).
    candidates : number of cells that were scored.
    best : (k,) int32, the best cells, this one first.
    scores : (k,) float64, products of the terms.
    terms : (k, 3) float64 in the order of `TERMS`: influence, distance, spread.
    metres : (k,) float64 from the searcher to each.
    metres_apart : (k,) float64 from each to the nearest other searcher; infinite: there is no other.
    """

    cell: int
    xyz: Floats
    reason: Literal["best", "no_influence", "no_path"]
    candidates: int
    best: Ids
    scores: Floats
    terms: Floats
    metres: Floats
    metres_apart: Floats

    @property
    def score(self) -> float:
        """Score of the chosen cell; 0.0 if there is none."""
        return float(self.scores[0]) if len(self.scores) else 0.0

    def __bool__(self) -> bool:
        return self.cell != NOWHERE

    def explain(self) -> str:
        """Return one line that explains why this cell was chosen."""
        if not self:
            return f"no cell {'has influence' if self.reason == 'no_influence' else 'with influence can be reached'}"
        parts = " × ".join(f"{name} {value:.2f}" for name, value in zip(TERMS, self.terms[0]))
        return f"cell {self.cell}: {self.score:.3f} = {parts}, {self.metres[0]:.1f} m away, best of {self.candidates}"


@dataclass(frozen=True, eq=False)
class Destinations:
    """One destination for each searcher, in order."""

    each: tuple[Destination, ...]

    def __len__(self) -> int:
        return len(self.each)

    def __getitem__(self, number: int) -> Destination:
        return self.each[number]

    def __iter__(self) -> Iterator[Destination]:
        return iter(self.each)

    @property
    def cells(self) -> Ids:
        """(n,) int32, -1: none."""
        return read_only(np.array([one.cell for one in self.each], np.int32))

    @property
    def xyz(self) -> Floats:
        """(n, 3) float64 metres."""
        return read_only(np.array([one.xyz for one in self.each]).reshape(-1, 3))


def choose_destinations(
    layout: MeshedLayout,
    wave: WaveArrays,
    walk: Spread,
    feet: Floats,
    others: Floats,
    scoring: Scoring,
) -> Destinations:
    """Choose a destination for each searcher (n, 3) in turn, away from `others` (m, 3) and earlier destinations.

    The given searchers keep away from each other's destinations, not from each other's positions.
    """
    rules = ScoreRules(
        scoring.too_near,
        max(scoring.near, scoring.too_near + 1e-9),
        scoring.far,
        max(scoring.too_far, scoring.far + 1e-9),
        scoring.spread,
        scoring.least,
    )
    taken = np.empty((len(others) + len(feet), 3))
    taken[: len(others)] = others
    count, given = len(others), []
    for place in feet:
        walked = _walked(layout, wave, walk, place) if scoring.measure == "walking" else np.zeros(0)
        one = _choose(layout.arrays, wave, place, walked, taken[:count], rules, scoring.kept)
        given.append(one)
        if one:
            taken[count] = one.xyz
            count += 1
    return Destinations(tuple(given))


def _walked(layout: MeshedLayout, wave: WaveArrays, walk: Spread, place: Floats) -> Floats:
    """Return the walking distance from a place to every cell with influence in metres, infinite if unreachable."""
    start = cells_at(layout, place[None])
    if start[0] < 0:
        start = nearest_cells(layout, place[None])
    start, wanted = start[start >= 0], _influenced(layout.arrays, wave)
    metres = np.full(len(layout.arrays.cell_grid), np.inf)
    if not len(wanted):
        return metres
    # While influence is near, so are all the cells; only if one is further away does the walk cover the whole level.
    reaches = [np.inf]
    if len(wanted) < _FEW:
        reaches.insert(0, _DETOUR * float(np.linalg.norm(layout.arrays.cell_xyz[wanted] - place, axis=1).max()))
    for reach in reaches:
        reached = walk.distances(start, reach=reach)
        metres[reached.cells] = reached.metres
        if metres[wanted].max() < np.inf:
            break
    return metres


def _choose(
    cells: CellArrays, wave: WaveArrays, place: Floats, walked: Array, others: Floats, rules: ScoreRules, kept: int
) -> Destination:
    chosen, scores = np.zeros(kept, np.uint32), np.zeros(kept)
    terms, metres = np.zeros((kept, 3)), np.zeros((kept, 2))
    seen, filled = score_cells(cells, wave, place, walked, others, rules, chosen, scores, terms, metres)
    cell = int(chosen[0]) if filled else NOWHERE
    xyz = cells.cell_xyz[cell].astype(np.float64) if filled else np.full(3, np.nan)
    reason: Literal["best", "no_influence", "no_path"] = "best"
    if not filled:
        reason = "no_path" if len(walked) and len(_influenced(cells, wave)) else "no_influence"
    return Destination(
        cell=cell,
        xyz=read_only(xyz),
        reason=reason,
        candidates=int(seen),
        best=read_only(chosen[:filled].astype(np.int32)),
        scores=read_only(scores[:filled].copy()),
        terms=read_only(terms[:filled].copy()),
        metres=read_only(metres[:filled, 0].copy()),
        metres_apart=read_only(metres[:filled, 1].copy()),
    )


def _influenced(cells: CellArrays, wave: WaveArrays) -> Array:
    """Return the enabled cells with influence, (n,) int64, in no particular order."""
    touched = wave.touched[: wave.count[TOUCHED]].astype(np.int64)
    holding = touched[wave.byte[touched] & VALUE != 0]
    return holding[cells.disabled[holding >> 3] >> (holding & 7).astype(np.uint8) & 1 == 0]
