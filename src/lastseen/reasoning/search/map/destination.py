"""Destinations: the cell a searcher should go to next, with the scores that explain it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ....cells.meshed_layout import MeshedLayout
from ....checks import read_only, whole_number
from ....conventions import NOWHERE, Array, Floats, Ids
from ....errors import InputError
from ....kernels.arrays.level_arrays import CellArrays
from ....kernels.search.search_gain import GainRules
from ....kernels.search.search_score import TERMS, ScoreRules, score_cells
from ....kernels.search.search_wave import TOUCHED, VALUE, WaveArrays
from ....layers.spread import Reached, Spread
from ...input_checks import require_choice, require_flags, store_numbers
from .looks import Looks

_RANGES = {
    **dict.fromkeys(("too_near", "near", "far", "too_far", "spread", "look"), ("m", 0.0, 1e6)),
    **dict.fromkeys(("least", "stale", "taken", "left"), ("", 0.0, 1.0)),
    "view": ("m", 0.0, 100.0),
    "spot": ("m²", 0.0, 1e6),
}
GAIN_TERMS = ("new m²", "per metre", "spread")
"""Factors of a score by gain."""

_NEAR, _NEARER = (16.0, 32.0), 1.0 + 1e-9
"""Metres walked first: cells further away are left out if they cannot be among the best by more than rounding."""
_FEW, _DETOUR = 2000, 2.0
"""Number of cells with influence up to which they are first looked for within this many times the distance of the
furthest of them."""


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """How cells are scored: influence × distance × spread; cells without influence are not considered.

    By gain, a cell is worth what a look from it shows, per metre of walking there: gain / (metres + `look`) × spread.
    The gain is the area in view, each cell weighed by its influence squared.

    Attributes
    ----------
    by : "influence": the value of the cell itself counts. "gain": the influence in view of it does, in m².
    too_near, near, far, too_far : metres to the cell. The distance term is `least` up to `too_near`, rises to 1 at
        `near`, stays 1 up to `far` and falls back to `least` at `too_far`.
    spread : metres to the nearest other searcher or its destination at which the spread term reaches 1; 0: ignored.
    least : minimum of the two terms, 0 … 1; above 0, so that a poor destination is better than none.
    measure : "walking": metres along links; unreachable cells are no destinations. "straight": straight-line distance.
    kept : number of best cells kept to explain the choice.
    view : metres that a look reaches, by gain.
    look : metres that could be walked while looking around at a destination, by gain.
    spot : m² that an unopened hiding place counts as, by gain.
    stale, taken : share 0 … 1 of the influence already in view of the searcher, which has just looked around there,
        and of that in view of the destinations of others, which counts by gain.
    left : share 0 … 1 of the gain below which a searcher on its way chooses again, as the others have seen the rest.
    looks : maximum number of cells weighed in one choice, by gain.
    areas : whether guards search by area (see `Environment`): they finish the one they are in while a look there is
        worth at least half of the best, and no more go to one than should enter it.
    """

    by: Literal["influence", "gain"] = "influence"
    too_near: float = 1.0
    near: float = 4.0
    far: float = 6.0
    too_far: float = 60.0
    spread: float = 10.0
    least: float = 0.05
    measure: Literal["walking", "straight"] = "walking"
    kept: int = 5
    view: float = 10.0
    look: float = 3.0
    spot: float = 20.0
    stale: float = 0.25
    taken: float = 0.1
    left: float = 0.3
    looks: int = 100
    areas: bool = False

    def __post_init__(self) -> None:
        require_choice(self.measure, "measure", ("walking", "straight"))
        require_choice(self.by, "by", ("influence", "gain"))
        require_flags(self, "areas")
        store_numbers(self, _RANGES)
        for name in ("kept", "looks"):
            whole_number(getattr(self, name), name, low=1)
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
    candidates : number of cells that were scored; those too far away to be among the best are left out.
    best : (k,) int32, the best cells, this one first.
    scores : (k,) float64, products of the terms.
    terms : (k, 3) float64: influence, distance, spread; or by gain the m² gained, one per metre, spread.
    metres : (k,) float64 from the searcher to each.
    metres_apart : (k,) float64 from each to the nearest other searcher; infinite: there is no other.
    by : what the scores are made of, as in `Scoring`.
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
    by: Literal["influence", "gain"] = "influence"

    @property
    def score(self) -> float:
        """Score of the chosen cell; 0.0 if there is none."""
        return float(self.scores[0]) if len(self.scores) else 0.0

    def __bool__(self) -> bool:
        return self.cell != NOWHERE

    def led_by(self, row: int, xyz: Floats, kept: int) -> Destination:
        """Return it with another of its best cells, at `xyz`, as the one to go to; keep at most `kept` of them."""
        order = [row, *(one for one in range(len(self.best)) if one != row)][:kept]
        columns = ("best", "scores", "terms", "metres", "metres_apart")
        rows: dict[str, Any] = {name: read_only(getattr(self, name)[order]) for name in columns}
        return replace(self, cell=int(self.best[row]), xyz=read_only(xyz), **rows)

    def explain(self) -> str:
        """Return one line that explains why this cell was chosen."""
        if not self:
            return f"no cell {'has influence' if self.reason == 'no_influence' else 'with influence can be reached'}"
        names = GAIN_TERMS if self.by == "gain" else TERMS
        parts = " × ".join(f"{name} {value:.2f}" for name, value in zip(names, self.terms[0]))
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
    looks: Looks,
    feet: Floats,
    others: Floats,
    scoring: Scoring,
) -> Destinations:
    """Choose a destination for each searcher (n, 3) in turn, away from `others` (m, 3) and earlier destinations.

    The given searchers keep away from each other's destinations, not from each other's positions.
    """
    taken = np.empty((len(others) + len(feet), 3))
    taken[: len(others)] = others
    count, given = len(others), []
    for place in feet:
        one = _choose(layout, wave, walk, looks, place, taken[:count], scoring)
        given.append(one)
        if one:
            taken[count] = one.xyz
            count += 1
    return Destinations(tuple(given))


def _reached(layout: MeshedLayout, wave: WaveArrays, walk: Spread, start: int, place: Floats) -> Reached:
    """Return walking distances from a cell to all cells with influence that can be reached, and to others."""
    wanted = _influenced(layout.arrays, wave)
    if not len(wanted) or start < 0:
        return walk.distances(np.zeros(0, np.int32))
    # While influence is near, so are all the cells; only if one is further away does the walk cover the whole level.
    if len(wanted) < _FEW:
        reach = _DETOUR * float(np.linalg.norm(layout.arrays.cell_xyz[wanted] - place, axis=1).max())
        reached = walk.distances([start], reach=reach)
        known = np.zeros(len(layout.arrays.cell_grid), np.bool_)
        known[reached.cells] = True
        if known[wanted].all():
            return reached
    return walk.distances([start])


def _nearest_first(
    layout: MeshedLayout, wave: WaveArrays, walk: Spread, start: int, place: Floats, rules: ScoreRules
) -> Iterator[tuple[Reached, float]]:
    """Yield walking distances within more and more metres, with the highest score a cell further away could have."""
    for reach in _NEAR if start >= 0 else ():
        if reach >= rules.far:
            share = max((rules.too_far - reach) / (rules.too_far - rules.far), 0.0)
            yield walk.distances([start], reach=reach), rules.least + (1.0 - rules.least) * share
    yield _reached(layout, wave, walk, start, place), 0.0


def _metres(layout: MeshedLayout, reached: Reached) -> Floats:
    """Return walking distances by cell, infinite if unreachable."""
    metres = np.full(len(layout.arrays.cell_grid), np.inf)
    metres[reached.cells] = reached.metres
    return metres


def _choose(
    layout: MeshedLayout,
    wave: WaveArrays,
    walk: Spread,
    looks: Looks,
    place: Floats,
    others: Floats,
    scoring: Scoring,
) -> Destination:
    """Choose a destination for one searcher."""
    cells, kept = layout.arrays, scoring.kept
    chosen, scores, terms, metres = np.zeros(kept, np.uint32), np.zeros(kept), np.zeros((kept, 3)), np.zeros((kept, 2))
    walks = scoring.measure == "walking" or scoring.by == "gain"
    start, rules, rows = (
        looks.cell_of(place) if walks else NOWHERE,
        _score_rules(scoring),
        (chosen, scores, terms, metres),
    )
    if scoring.by == "gain":
        reached = _reached(layout, wave, walk, start, place)
        seen, filled = looks.best(place, reached, others, gain_rules(scoring, looks.area), scoring.looks, rows)
    elif walks:
        for reached, bound in _nearest_first(layout, wave, walk, start, place, rules):
            seen, filled = score_cells(cells, wave, place, _metres(layout, reached), others, rules, *rows)
            if filled == kept and scores[-1] > bound * _NEARER:
                break
    else:
        seen, filled = score_cells(cells, wave, place, np.zeros(0), others, rules, *rows)
    cell = int(chosen[0]) if filled else NOWHERE
    xyz = cells.cell_xyz[cell].astype(np.float64) if filled else np.full(3, np.nan)
    reason: Literal["best", "no_influence", "no_path"] = "best"
    if not filled:
        reason = "no_path" if walks and len(_influenced(cells, wave)) else "no_influence"
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
        by=scoring.by,
    )


def _score_rules(scoring: Scoring) -> ScoreRules:
    return ScoreRules(
        scoring.too_near,
        max(scoring.near, scoring.too_near + 1e-9),
        scoring.far,
        max(scoring.too_far, scoring.far + 1e-9),
        scoring.spread,
        scoring.least,
    )


def gain_rules(scoring: Scoring, area: float) -> GainRules:
    """Return the rules by which looks are weighed on cells of `area` square metres."""
    shares = scoring.stale, scoring.taken
    return GainRules(scoring.view, scoring.look, scoring.spot, *shares, scoring.spread, scoring.least, area)


def _influenced(cells: CellArrays, wave: WaveArrays) -> Array:
    """Return the enabled cells with influence, (n,) int64, in no particular order."""
    touched = wave.touched[: wave.count[TOUCHED]].astype(np.int64)
    holding = touched[wave.byte[touched] & VALUE != 0]
    return holding[cells.disabled[holding >> 3] >> (holding & 7).astype(np.uint8) & 1 == 0]
