"""The supply of search spots: sources to fill the pool from, spots handed out, and spots cleared by sight."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ....cells.meshed_layout import MeshedLayout, cells_near
from ....cells.query import cells_within, nearest_cells, positions
from ....checks import finite_number, point_xyz, points_xyz, read_only, shown, whole_number
from ....conventions import NOWHERE, Array, Floats
from ....errors import InputError
from ....layers.layer import Layer, require_cells
from ....layers.selection import best_cells
from ....level.level import Level
from ..map.search_map import SearchMap
from ..sight import EYE, Sees
from .members import Member
from .modes import CoordinatorSettings
from .search_graph import search_graph
from .spots import IN_PROGRESS, SEARCHED, UNSEARCHED, SpotChoice, SpotPool


def cover_points(cells: MeshedLayout, level: Level, *, aside: float = 0.6, reach: float = 1.5) -> Floats:
    """Where can one take cover on a level? (n, 3) metres: `aside` each side of cover and obstacles, and hiding places.

    Points without a cell within `reach` metres are left out; the others stand on the nearest cell.
    """
    require_cells(cells)
    points = [place.xyz for place in level.hiding_places]
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
    """Which of these places within `radius` metres of the estimated position are hidden from it? Nearest first."""
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
    near = np.sort(cells_within(cells, estimate, radius))
    points = positions(cells, near)
    found = _hidden(points, estimate, sees)
    return found[random.permutation(len(found))[:count]]


def influence_points(search: SearchMap, count: int, *, spacing: float = 3.0) -> Floats:
    """Return the `count` places of most influence that keep `spacing` metres apart: the map reduced to points."""
    layer = Layer.of(search.layout, "influence", search.value01)
    return positions(search.layout, best_cells(layer, count, minimum=1e-6, spacing=spacing))


def _hidden(points: Floats, estimate: Floats, sees: Sees) -> Floats:
    if not len(points):
        return read_only(np.zeros((0, 3)))
    eyes = np.broadcast_to(estimate + EYE, points.shape).copy()
    return read_only(points[~sees(eyes, points + EYE)])


class SpotKeeper:
    """The spots of one search and the rules by which they are made, chosen and cleared."""

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
        """Make a new pool around an estimated position."""
        self.spots.clear()
        self._radius = self._settings.radius
        self._centre = estimate_xyz
        self._fill(estimate_xyz, time)

    def follow(self, estimate_xyz: Floats, time: float) -> None:
        """Make the pool anew if the estimated position has moved since; it does while the true one is still known."""
        if self._centre is None or np.linalg.norm(estimate_xyz - self._centre) > self._settings.spacing:
            self.begin(estimate_xyz, time)

    def request(
        self, searcher: int, place: Floats, estimate_xyz: Floats, actual_xyz: Floats | None, time: float
    ) -> SpotChoice | None:
        """Hand the best free spot to a searcher at `place`; None: none is left, nor can any be had anew."""
        self.spots.release(searcher, time)
        choice = self._best(place, estimate_xyz, actual_xyz)
        while choice is None and self._recycle(estimate_xyz, time):
            choice = self._best(place, estimate_xyz, actual_xyz)
        if choice is not None:
            self.spots.mark(choice.spot, IN_PROGRESS, time, searcher)
        return choice

    def searched(self, spots: Any, time: float) -> Array:
        """Mark spots (numbers) as searched; return those that were not."""
        given = _numbers(spots, len(self.spots))
        fresh = given[self.spots.state[given] != SEARCHED]
        self.spots.mark(fresh, SEARCHED, time)
        return fresh

    def seen(self, members: Iterable[Member], time: float) -> Array:
        """Which open spots does somebody see? Each pair of searcher and spot is looked at once per interval."""
        rules = self._settings
        open_spots = np.flatnonzero(self.spots.state != SEARCHED)
        eyes, spots = [], []
        for member in members:
            if time < member.looked + rules.ray_interval or not len(open_spots):
                continue
            member.looked = time
            way = self.spots.xyz[open_spots] - member.xyz
            away = np.linalg.norm(way, axis=1)
            aside = np.abs((np.arctan2(way[:, 1], way[:, 0]) - member.heading + np.pi) % (2.0 * np.pi) - np.pi)
            in_view = (away <= rules.view_distance) & (2.0 * aside <= rules.view_angle)
            in_view |= away <= rules.arrive
            found = open_spots[in_view]
            spots.append(found)
            eyes.append(np.broadcast_to(member.xyz + EYE, (len(found), 3)))
        if not spots:
            return np.zeros(0, np.int64)
        which = np.concatenate(spots)
        return np.unique(which[self._sees(np.concatenate(eyes), self.spots.xyz[which] + EYE)])

    def _fill(self, estimate_xyz: Floats, time: float) -> None:
        """Add cover out of sight of the estimate, the search graph, then floor out of its sight."""
        rules, add = self._settings, self.spots.add
        cover = hidden_cover(self._cover, estimate_xyz, self._radius, self._sees)
        add(cover[: rules.pool], "cover", time, spacing=rules.spacing)
        if rules.graph_points:
            graph = search_graph(self._cells, estimate_xyz, most=rules.graph_points + 1, radius=self._radius)
            add(graph.points_xyz[1:], "graph", time, spacing=rules.spacing)
        wanted = rules.pool - int((self.spots.state == UNSEARCHED).sum())
        if wanted > 0:
            # More than wanted: some lie too near to one another.
            floor = hidden_floor(self._cells, estimate_xyz, self._radius, 6 * wanted, self._random, self._sees)
            for point in floor:
                wanted -= add(point[None], "hidden", time, spacing=rules.spacing)
                if not wanted:
                    break

    def _recycle(self, estimate_xyz: Floats, time: float) -> bool:
        """Find more spots when none is free; return whether there may be one now."""
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
    """Return numbers of spots (one, or some) as (n,) int64, all of them existing."""
    try:
        given: Array = np.atleast_1d(np.asarray(spots))
    except ValueError:
        given = np.zeros((0, 0))
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise InputError(f"spots is {shown(spots)}; give numbers of spots")
    if given.size and not 0 <= int(given.min()) <= int(given.max()) < count:
        raise InputError(f"spots is {shown(spots)}; there are {count} spots, numbered from 0")
    return given.astype(np.int64)
