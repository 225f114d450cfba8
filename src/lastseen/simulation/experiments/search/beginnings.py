"""Beginnings of searches: settings, the level, the last sighting, searchers, and where the evader is by then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ....agents.brains.shipped_brains import STYLES
from ....cells.layout import CellLayout
from ....cells.live import LiveLayout
from ....cells.query import cells_at, nearest_cells
from ....checks import finite_number
from ....conventions import Array, Floats, Ids
from ....errors import InputError
from ....layers.spread import Spread
from ....level.features import HidingPlace
from ....level.level import Level
from ....level.sight.query import sees_any
from ....level.sight.sight import Sight
from ....rng import generator
from ..chase.episodes import PursuitGround

EYE = (0.0, 0.0, 1.6)
_BODY = ((0.0, 0.0, 0.7), (0.0, 0.0, 1.6))
"""Heights at which a crouching or standing evader must be out of sight."""
_CELLS_PER_PLACE = 60
_PLACES = (2, 8)
"""Minimum and maximum number of hiding places added to a level without any."""


class Arena:
    """One level, its cells, and the data for drawing searches on it.

    Attributes
    ----------
    level : with its own hiding places, or with added ones, far apart.
    floor_xyz : (n, 3) metres, the cells of the largest walkable part.
    exits_xyz : (e, 3) metres, may be empty.
    """

    def __init__(self, name: str, level: Level, layout: CellLayout):
        ground = PursuitGround(layout)
        self.name = name
        self.layout = layout
        self.cells: Array = ground.cells
        self.floor_xyz: Floats = ground.floor_xyz
        self.level = with_places(level, ground.floor_xyz)
        self.exits_xyz: Floats = np.array([one.xyz for one in level.markers if one.kind == "exit"]).reshape(-1, 3)
        self._sight = Sight.from_level(level)
        self._walk = Spread(LiveLayout.at_start(layout, level))

    def metres_from(self, xyz: Floats) -> Floats:
        """Return path lengths from a place to each cell of the layout, (N,) metres, infinite if unreachable."""
        metres = np.full(len(self.layout), np.inf)
        reached = self._walk.distances(self.cell_of(np.atleast_2d(xyz)))
        metres[reached.cells] = reached.metres
        return metres

    def refuges(self, beginning: Beginning, settings: TrialSettings) -> Ids:
        """Return the cells where an evader may be as a search begins, hiding places included."""
        metres, (low, high) = self.metres_from(beginning.lost_xyz), settings.away
        cells = self.cells[(metres[self.cells] >= low) & (metres[self.cells] <= high)]
        unseen = cells[~self.is_seen(beginning.searchers_xyz, self.layout.arrays.cell_xyz[cells].astype(np.float64))]
        places = self.cell_of(np.array([place.xyz for place in self.level.hiding_places], np.float64))
        return np.union1d(unseen, places[metres[places] <= high])

    def cell_of(self, points: Floats) -> Ids:
        """Return the cell at each place, or nearest to it, (n,) int32."""
        found = cells_at(self.layout, points).copy()
        if (found < 0).any():
            found[found < 0] = nearest_cells(self.layout, points[found < 0])
        return found

    def is_seen(self, searchers_xyz: Floats, points: Floats) -> Array:
        """Return at which places (n, 3) any searcher would see an evader, whatever its gaze, (n,) bool."""
        eyes = searchers_xyz + EYE
        return np.asarray(
            sees_any(self._sight, eyes, points + _BODY[0]) | sees_any(self._sight, eyes, points + _BODY[1])
        )


def with_places(level: Level, floor_xyz: Floats) -> Level:
    """Return the level; add hiding places far apart, in corners and at the ends of rooms, if it has none."""
    if level.hiding_places:
        return level
    count = min(max(len(floor_xyz) // _CELLS_PER_PLACE, _PLACES[0]), _PLACES[1])
    away = np.linalg.norm(floor_xyz - floor_xyz.mean(axis=0), axis=1)
    chosen: list[int] = []
    for _ in range(count):
        chosen.append(int(away.argmax()))
        nearest = np.linalg.norm(floor_xyz - floor_xyz[chosen[-1]], axis=1)
        away = nearest if len(chosen) == 1 else np.minimum(away, nearest)
    places = tuple(
        HidingPlace(tuple(floor_xyz[cell].tolist()), f"locker {number + 1}") for number, cell in enumerate(chosen)
    )
    return replace(level, hiding_places=places)


@dataclass(frozen=True, kw_only=True)
class TrialSettings:
    """Settings of trials, in metres and seconds.

    Attributes
    ----------
    seconds : duration of a search; an evader not found by then counts as not found.
    step : of the simulation.
    radius : of bodies; layouts are baked with it.
    cell : edge of a cell; default: the tile of a tile map, else 1.
    pace : of searchers, as a multiple of walking; the same for all contenders.
    look_seconds : how long searchers look around where they arrive.
    run_speed : of the evader from the place where it was last seen to its first hiding place, in m/s.
    away : minimum and maximum length of that path, in metres.
    first_away, others_away : minimum and maximum path length of searchers to the last sighting, in metres.
    sample : seconds between two samples of the belief and of the tracks.
    escape_away : minimum distance in metres from its first hiding place to the exit chosen by a sneaker.
    """

    seconds: float = 60.0
    step: float = 0.1
    radius: float = 0.3
    cell: float | None = None
    pace: float = 1.4
    look_seconds: float = 1.5
    run_speed: float = 4.5
    away: tuple[float, float] = (4.0, 20.0)
    first_away: tuple[float, float] = (3.0, 10.0)
    others_away: tuple[float, float] = (3.0, 25.0)
    sample: float = 1.0
    escape_away: float = 10.0

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            if given is None and field.name == "cell":
                continue
            unit = {"pace": "", "run_speed": "m/s"}.get(field.name, "s" if field.name in _SECONDS else "m")
            for value in given if isinstance(given, tuple) else (given,):
                finite_number(value, field.name, unit=unit, low=0.0, high=1e4, open_low=field.name != "look_seconds")
            if isinstance(given, tuple) and (len(given) != 2 or given[0] > given[1]):
                raise InputError(f"{field.name} is {given}; give minimum and maximum in metres")
        finite_number(self.step, "step", unit="s", low=0.01, high=0.5)
        finite_number(self.sample, "sample", unit="s", low=self.step, high=self.seconds)

    @property
    def samples(self) -> int:
        """Number of samples of a whole search."""
        return int(self.seconds / self.sample + 1e-9) + 1


_SECONDS = ("seconds", "step", "look_seconds", "sample")


MODELS = ("hider", "stayer", "sight breaker", "roamer", "sneaker", *STYLES)
"""Models of evaders; see `evaders`. The last are brains of intruders worth chasing, as in scenarios."""
USUAL_MODELS = MODELS[: -len(STYLES)]

_ROUNDS = 60
_APART = 1.0
"""Minimum distance in metres between searchers."""


@dataclass(frozen=True, eq=False)
class Beginning:
    """One search before its first step, the same for every contender.

    Attributes
    ----------
    number : of the episode; it determines the model of evader and the number of searchers.
    model : of the evader, index into `MODELS`.
    lost_xyz : (3,) where it was last seen.
    since : seconds elapsed since then.
    evader_xyz : (3,) where it is now, out of sight of all searchers.
    place : number of the hiding place it is in, -1 if none.
    searchers_xyz, headings : (k, 3) and (k,), facing the last sighting.
    exit_xyz : (3,) the goal of a sneaker.
    """

    number: int
    model: int
    lost_xyz: Floats
    since: float
    evader_xyz: Floats
    place: int
    searchers_xyz: Floats
    headings: Floats
    exit_xyz: Floats


def draw_beginning(
    arena: Arena, number: int, models: Sequence[int], searchers: Sequence[int], settings: TrialSettings, seed: int
) -> Beginning | None:
    """Draw the beginning of an episode; models and numbers of searchers alternate. None if the level has no room."""
    model = models[number % len(models)]
    count = searchers[number // len(models) % len(searchers)]
    draw = generator(seed, f"search evaluation {arena.name} {number}")
    for _ in range(_ROUNDS):
        lost = arena.floor_xyz[draw.integers(len(arena.floor_xyz))]
        metres = arena.metres_from(lost)
        places = _searchers(arena, metres, count, settings, draw)
        if places is None:
            continue
        found = _hidden(arena, metres, places, model, settings, draw)
        if found is None:
            continue
        place, evader, walked = found
        towards = lost[:2] - places[:, :2]
        return Beginning(
            number=number,
            model=model,
            lost_xyz=lost,
            since=walked / settings.run_speed,
            evader_xyz=evader,
            place=place,
            searchers_xyz=places,
            headings=np.arctan2(towards[:, 1], towards[:, 0]),
            exit_xyz=_exit(arena, evader, settings),
        )
    return None


def _searchers(
    arena: Arena, metres: Floats, count: int, settings: TrialSettings, draw: np.random.Generator
) -> Floats | None:
    """Return places (k, 3) of searchers: one near the last sighting, the others around it."""
    chosen: list[Floats] = []
    for number in range(count):
        low, high = settings.others_away if number else settings.first_away
        cells = arena.cells[(metres[arena.cells] >= low) & (metres[arena.cells] <= high)]
        points = arena.layout.arrays.cell_xyz[cells].astype(np.float64)
        for other in chosen:
            points = points[np.linalg.norm(points - other, axis=1) >= _APART]
        if not len(points):
            return None
        chosen.append(points[draw.integers(len(points))])
    return np.array(chosen)


def _hidden(
    arena: Arena, metres: Floats, searchers: Floats, model: int, settings: TrialSettings, draw: np.random.Generator
) -> tuple[int, Floats, float] | None:
    """Return the hiding place (-1: none), the evader's position, and the length of its path there."""
    low, high = settings.away
    if MODELS[model] == "hider":
        points = np.array([place.xyz for place in arena.level.hiding_places], np.float64)
        walked = metres[arena.cell_of(points)]
        # A searcher that sees it climb in need not search.
        rows = np.flatnonzero((walked <= high) & ~arena.is_seen(searchers, points))
    else:
        cells: Array = arena.cells[(metres[arena.cells] >= low) & (metres[arena.cells] <= high)]
        points = arena.layout.arrays.cell_xyz[cells].astype(np.float64)
        walked = metres[cells]
        rows = np.flatnonzero(~arena.is_seen(searchers, points)) if len(points) else np.zeros(0, np.int64)
    if not len(rows):
        return None
    row = int(rows[draw.integers(len(rows))])
    return (row if MODELS[model] == "hider" else -1), points[row], float(walked[row])


def _exit(arena: Arena, evader: Floats, settings: TrialSettings) -> Floats:
    """Return the nearest exit that is not too close; if there is none, the furthest place."""
    metres = arena.metres_from(evader)
    if len(arena.exits_xyz):
        walked = metres[arena.cell_of(arena.exits_xyz)]
        worth = np.where((walked >= settings.escape_away) & np.isfinite(walked), walked, np.inf)
        if np.isfinite(worth).any():
            return np.asarray(arena.exits_xyz[int(worth.argmin())])
    reached = np.where(np.isfinite(metres[arena.cells]), metres[arena.cells], -1.0)
    return np.asarray(arena.floor_xyz[int(reached.argmax())])
