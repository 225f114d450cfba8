"""Search spots: where they come from, who searches them, and how one is chosen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ....cells.meshed_layout import MeshedLayout, cells_near
from ....cells.query import cells_within, nearest_cells, positions
from ....checks import expect, finite_number, point_xyz, points_xyz, read_only, shown, whole_number
from ....conventions import NOWHERE, Array, Floats, Ids
from ....errors import InputError
from ....layers.layer import Layer, require_cells
from ....layers.selection import best_cells
from ....level.level import Level
from ....vocabulary.words import SpotState
from ..map.search_map import SearchMap
from ..search_settings import CoordinatorSettings, SpotWeights
from ..sight import EYE, Sees
from .search_graph import search_graph
from .searchers import Member, SpotChoice

UNSEARCHED, IN_PROGRESS, SEARCHED = (word.number for word in SpotState)
SPOT_STATES = SpotState.texts()
SOURCES = ("given", "cover", "hidden", "graph", "influence")
"""Where a spot came from."""


class SpotPool:
    """All spots of one search, in arrays written by the search's coordinator.

    Attributes
    ----------
    xyz : (n, 3) float64 metres.
    state : (n,) uint8, index into `SPOT_STATES`.
    changed : (n,) float64, seconds of the last change of state.
    owner : (n,) int32, the searcher on its way there, -1: none.
    source : (n,) uint8, index into `SOURCES`.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove all spots."""
        self.xyz: Floats = np.zeros((0, 3))
        self.state: Array = np.zeros(0, np.uint8)
        self.changed: Floats = np.zeros(0)
        self.owner: Ids = np.zeros(0, np.int32)
        self.source: Array = np.zeros(0, np.uint8)

    def __len__(self) -> int:
        return len(self.xyz)

    def add(self, points: Any, source: str, time: float, *, spacing: float = 0.0) -> int:
        """Add places at least `spacing` metres from all existing spots and from each other; return how many."""
        spots = [*self.xyz]
        for point in points_xyz(points, "points"):
            if all(float(np.sum((point - other) ** 2)) >= spacing * spacing for other in spots):
                spots.append(point)
        count = len(spots) - len(self.xyz)
        if count:
            self.xyz = np.array(spots)
            self.state = np.concatenate([self.state, np.full(count, UNSEARCHED, np.uint8)])
            self.changed = np.concatenate([self.changed, np.full(count, time)])
            self.owner = np.concatenate([self.owner, np.full(count, NOWHERE, np.int32)])
            self.source = np.concatenate([self.source, np.full(count, SOURCES.index(source), np.uint8)])
        return count

    def mark(self, spots: Any, state: int, time: float, owner: int = NOWHERE) -> None:
        """Set the state and owner of spots (numbers or a mask)."""
        self.state[spots] = state
        self.changed[spots] = time
        self.owner[spots] = owner

    def release(self, searcher: int, time: float) -> None:
        """Free the spot that a searcher was on its way to."""
        self.mark((self.owner == searcher) & (self.state == IN_PROGRESS), UNSEARCHED, time)

    def of(self, searcher: int) -> int:
        """Return the spot that a searcher is on its way to; -1: none."""
        own = np.flatnonzero((self.owner == searcher) & (self.state == IN_PROGRESS))
        return int(own[0]) if len(own) else NOWHERE

    def oldest(self) -> int:
        """Return the spot searched longest ago, the lowest number of equals; -1: none."""
        searched = np.flatnonzero(self.state == SEARCHED)
        return int(searched[np.argmin(self.changed[searched])]) if len(searched) else NOWHERE

    def best(
        self, searcher_xyz: Floats, estimate_xyz: Floats, actual_xyz: Floats | None, weights: SpotWeights, value: Array
    ) -> SpotChoice | None:
        """Return the best free spot for a searcher, or None; `value` is (n,) 0 … 1, or empty without a map."""
        spots = np.flatnonzero(self.state == UNSEARCHED)
        if not len(spots):
            return None
        place = self.xyz[spots]
        terms = np.zeros((len(spots), 4))
        terms[:, 0] = -weights.estimate * np.linalg.norm(place - estimate_xyz, axis=1)
        terms[:, 1] = -weights.searcher * np.linalg.norm(place - searcher_xyz, axis=1)
        if actual_xyz is not None:
            terms[:, 2] = -weights.actual * np.linalg.norm(place - actual_xyz, axis=1)
        if len(value):
            terms[:, 3] = weights.influence * value[spots]
        score = terms.sum(axis=1)
        best = int(np.argmax(score))
        return SpotChoice(
            spot=int(spots[best]),
            xyz=read_only(place[best].copy()),
            score=float(score[best]),
            terms=read_only(terms[best].copy()),
            candidates=len(spots),
        )


def cover_points(cells: MeshedLayout, level: Level, *, aside: float = 0.6, reach: float = 1.5) -> Floats:
    """Return places to hide at, (n, 3) metres: `aside` each side of cover and obstacles, and hiding places.

    Points without a cell within `reach` metres are left out; the others are moved to the nearest cell.
    """
    require_cells(cells, "cells")
    points = [place.xyz for place in expect(level, Level, "level").hiding_places]
    for piece in (*level.cover, *level.obstacles):
        outline = piece.outline_xy
        middle = outline.mean(axis=0)
        for start, end in zip(outline, np.roll(outline, -1, axis=0)):
            half = (start + end) / 2.0
            outward = np.array([end[1] - start[1], start[0] - end[0]])
            length = float(np.linalg.norm(outward))
            if length > 0.0:
                outward *= np.sign(outward @ (half - middle)) or 1.0
                points.append((*(half + aside * outward / length).tolist(), piece.z))
    found = nearest_cells(cells, points_xyz(points, "points"), reach)
    return positions(cells, np.unique(found[found >= 0]))


def hidden_cover(cover_xyz: Any, estimate_xyz: Any, radius: float, sees: Sees) -> Floats:
    """Return the places within `radius` metres of the estimated position that are hidden from it, nearest first."""
    points, estimate = points_xyz(cover_xyz, "cover_xyz"), point_xyz(estimate_xyz, "estimate_xyz")
    away = np.linalg.norm(points - estimate, axis=1)
    near = np.argsort(away, kind="stable")
    return _hidden(points[near[away[near] <= radius]], estimate, sees)


def hidden_floor(
    cells: MeshedLayout, estimate_xyz: Any, radius: float, count: int, random: np.random.Generator, sees: Sees
) -> Floats:
    """Return up to `count` random places on the floor within `radius` metres that are hidden from the estimate."""
    count = whole_number(count, "count")
    estimate = point_xyz(estimate_xyz, "estimate_xyz")
    radius = finite_number(radius, "radius", unit="m", low=0.0, high=1e6)
    found = _hidden(positions(cells, np.sort(cells_within(cells, estimate, radius))), estimate, sees)
    return found[random.permutation(len(found))[:count]]


def influence_points(search: SearchMap, count: int, *, spacing: float = 3.0) -> Floats:
    """Return the `count` places with most influence that are at least `spacing` metres apart."""
    layer = Layer.of(search.layout, "influence", search.value01)
    return positions(search.layout, best_cells(layer, count, minimum=1e-6, spacing=spacing))


def _hidden(points: Floats, estimate: Floats, sees: Sees) -> Floats:
    if not len(points):
        return read_only(np.zeros((0, 3)))
    eyes = np.broadcast_to(estimate + EYE, points.shape).copy()
    return read_only(points[~sees(eyes, points + EYE)])


class SpotKeeper:
    """Creates, assigns and clears the spots of one search."""

    def __init__(
        self,
        cells: MeshedLayout,
        settings: CoordinatorSettings,
        cover: Floats,
        sees: Sees,
        search_map: SearchMap | None,
        random: np.random.Generator,
    ):
        self.spots = SpotPool()
        self._cells = cells
        self._settings = settings
        self._cover = cover
        self._sees = sees
        self._map = search_map
        self._random = random
        self._radius = settings.radius
        self._centre: Floats | None = None

    def begin(self, estimate_xyz: Floats, time: float) -> None:
        """Fill a new pool around an estimated position."""
        self.spots.clear()
        self._radius = self._settings.radius
        self._centre = estimate_xyz
        self._fill(estimate_xyz, time)

    def follow(self, estimate_xyz: Floats, time: float) -> None:
        """Fill a new pool if the estimated position has moved, as it does while the true one is known."""
        if self._centre is None or np.linalg.norm(estimate_xyz - self._centre) > self._settings.spacing:
            self.begin(estimate_xyz, time)

    def request(
        self, searcher: int, place: Floats, estimate_xyz: Floats, actual_xyz: Floats | None, time: float
    ) -> SpotChoice | None:
        """Assign the best free spot to a searcher at `place`; return None if none is left and none can be recycled."""
        self.spots.release(searcher, time)
        choice = self._best(place, estimate_xyz, actual_xyz)
        while choice is None and self._recycle(estimate_xyz, time):
            choice = self._best(place, estimate_xyz, actual_xyz)
        if choice is not None:
            self.spots.mark(choice.spot, IN_PROGRESS, time, searcher)
        return choice

    def searched(self, spots: Any, time: float) -> Array:
        """Mark spots (numbers) as searched; return those that were not before."""
        given = _numbers(spots, len(self.spots))
        fresh = given[self.spots.state[given] != SEARCHED]
        self.spots.mark(fresh, SEARCHED, time)
        return fresh

    def seen(self, members: Iterable[Member], time: float) -> Array:
        """Return the open spots that searchers see; each pair of searcher and spot is tested once per interval."""
        rules = self._settings
        open_spots = np.flatnonzero(self.spots.state != SEARCHED)
        eyes, spots = [], []
        for member in members:
            if time < member.looked + rules.ray_interval or not len(open_spots):
                continue
            member.looked = time
            offset = self.spots.xyz[open_spots] - member.xyz
            away = np.linalg.norm(offset, axis=1)
            angle = np.abs((np.arctan2(offset[:, 1], offset[:, 0]) - member.heading + np.pi) % (2.0 * np.pi) - np.pi)
            in_view = (away <= rules.view_distance) & (2.0 * angle <= rules.view_angle)
            in_view |= away <= rules.arrive
            found = open_spots[in_view]
            spots.append(found)
            eyes.append(np.broadcast_to(member.xyz + EYE, (len(found), 3)))
        if not spots:
            return np.zeros(0, np.int64)
        which = np.concatenate(spots)
        return np.unique(which[self._sees(np.concatenate(eyes), self.spots.xyz[which] + EYE)])

    def _fill(self, estimate_xyz: Floats, time: float) -> None:
        """Add cover hidden from the estimated position, points of the search graph, and then hidden floor."""
        rules, add = self._settings, self.spots.add
        cover = hidden_cover(self._cover, estimate_xyz, self._radius, self._sees)
        add(cover[: rules.pool], "cover", time, spacing=rules.spacing)
        if rules.graph_points:
            graph = search_graph(self._cells, estimate_xyz, most=rules.graph_points + 1, radius=self._radius)
            add(graph.points_xyz[1:], "graph", time, spacing=rules.spacing)
        wanted = rules.pool - int((self.spots.state == UNSEARCHED).sum())
        if wanted > 0:
            # Ask for more than wanted, because some are too close to each other.
            floor = hidden_floor(self._cells, estimate_xyz, self._radius, 6 * wanted, self._random, self._sees)
            for point in floor:
                wanted -= add(point[None], "hidden", time, spacing=rules.spacing)
                if not wanted:
                    break

    def _recycle(self, estimate_xyz: Floats, time: float) -> bool:
        """Free or create spots when none is left; return whether there may be one now."""
        rules = self._settings
        if rules.recycle == "oldest":
            oldest = self.spots.oldest()
            if oldest == NOWHERE:
                return False
            self.spots.mark(oldest, UNSEARCHED, time)
            return True
        if rules.recycle == "grow" and self._radius < rules.most_radius:
            self._radius = min(self._radius * rules.grow, rules.most_radius)
            self._fill(estimate_xyz, time)
            return True
        return False

    def _best(self, place: Floats, estimate_xyz: Floats, actual_xyz: Floats | None) -> SpotChoice | None:
        value = np.zeros(0, np.float32)
        if self._map is not None and len(self.spots):
            value = self._map.value01[cells_near(self._cells, self.spots.xyz, 2.0, "spots")]
        return self.spots.best(place, estimate_xyz, actual_xyz, self._settings.weights, value)


def _numbers(spots: Any, count: int) -> Array:
    """Return one or more numbers of existing spots as (n,) int64."""
    try:
        given: Array = np.atleast_1d(np.asarray(spots))
    except ValueError:
        given = np.zeros((0, 0))
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise InputError(f"spots is {shown(spots)}; give numbers of spots")
    if given.size and not 0 <= int(given.min()) <= int(given.max()) < count:
        raise InputError(f"spots is {shown(spots)}; there are {count} spots, numbered from 0")
    return given.astype(np.int64)
