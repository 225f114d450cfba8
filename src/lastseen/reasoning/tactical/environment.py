"""The environment of a level: areas with what they are for, and the chokes between them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from ...cells.layout import CellLayout
from ...cells.live import DoorCells
from ...cells.query import nearest_cells
from ...checks import expect, finite_number, points_xyz, read_only
from ...conventions import Array, Bools, Floats, Ids
from ...kernels.cells.minimum_cut import label_parts
from ...level.level import Level
from ...level.sight.query import sees
from ...level.sight.sight import Sight
from ..zones import inside_zone
from .area import area_of
from .chokepoints import Chokepoints, find_chokepoints
from .exits import exits_of

AreaKind = Literal["dead end", "passage", "room", "hall"]
"""One choke; narrow, with several; other rooms; rooms of `_HALL` m² and more. The area of a zone has its kind."""

_DOOR_SIDE = 1.2
"""Metres from the centre of a door at which the areas on its sides are looked up."""
_SLIVER = 4.0
"""Areas of fewer m² become part of the neighbour to which most links lead."""
_NICHE = 25.0
"""The smallest m² that a chokepoint cuts off as an area."""
_HALL, _NARROW = 150.0, 3.0
"""Smallest m² of a hall; largest m² per metre of its extent of a passage."""
_PER_AGENT, _MOST = 30.0, 6
"""Area in m² for each agent that should enter, and the maximum of such agents."""
_POSTS, _POST_AWAY, _POST_NEAR, _POSTS_APART = 3, 6.0, 2.5, 1.5
"""Number of position nodes on each side of a choke; metres to the farthest and the best, and between two of them."""
_EYE, _AIM = np.array([0.0, 0.0, 1.6]), np.array([0.0, 0.0, 1.2])
_FRONT = 0.9
"""Metres from the middle of a choke to the floor in front of it."""
_BEYOND = 0.6
"""Metres by which a closed chord extends at both ends, so that no link passes next to it."""


@dataclass(frozen=True, eq=False)
class EnvironmentArea:
    """A part of the floor that chokes separate from the others.

    Attributes
    ----------
    cells : (n,) int32, ascending; cells of doors belong to one of their sides.
    size : m².
    kind : an `AreaKind`, or the kind of the zone it is.
    name : of the zone it is, or empty.
    entrants : number of agents that should enter for a search or a fight.
    """

    number: int
    cells: Ids
    size: float
    kind: str
    name: str
    entrants: int


@dataclass(frozen=True, eq=False)
class EnvironmentChoke:
    """A connection of two areas.

    Attributes
    ----------
    areas : numbers of both areas, its sides in this order.
    xyz : (3,) metres, in the middle.
    door : number of the door in it, -1: none.
    walkable : False: only sight and sound pass, as through a window.
    posts : position nodes in each of both areas, (k, 3) with k ≥ 1, best first: places on open floor that see it.
    """

    areas: tuple[int, int]
    xyz: Floats
    door: int
    walkable: bool
    posts: tuple[Floats, Floats]

    def beyond(self, area: int) -> int:
        """Return the area on the other side."""
        return self.areas[1] if self.areas[0] == area else self.areas[0]

    def posts_in(self, area: int) -> Floats:
        """Return the position nodes in one of both areas."""
        return self.posts[self.areas.index(area)]


def fewest_areas(start: int, goal: int, beyond: Callable[[int], Iterable[int]]) -> tuple[int, ...]:
    """Return the areas from one to another, both included, as few as possible; empty if there is no path.

    `beyond` lists the neighbours of an area; the first to reach an area are preferred.
    """
    before, front = {start: start}, [start]
    while front and goal not in before:
        following = []
        for area in front:
            for other in beyond(area):
                if other not in before:
                    before[other] = area
                    following.append(other)
        front = following
    if goal not in before:
        return ()
    path = [goal]
    while path[-1] != start:
        path.append(before[path[-1]])
    return tuple(reversed(path))


@dataclass(frozen=True, eq=False)
class Environment:
    """Areas, numbered from 0, the chokes between them, and the area of each cell, (N,) int32, -1: none.

    Notes
    -----
    The Tactical Environment Awareness System of Martin Walsh, "Perception and awareness in Splinter Cell Blacklist".
    The source leaves the number of entrants and the choice of position nodes open.
    """

    areas: tuple[EnvironmentArea, ...]
    chokes: tuple[EnvironmentChoke, ...]
    label: Ids
    _layout: CellLayout = field(repr=False)

    @classmethod
    def from_level(cls, level: Level, cells: CellLayout, *, windows: Any = (), widest: float = 4.0) -> Environment:
        """Divide a level by its doors and zones; by chokepoints, at most `widest` m wide, if it has neither.

        Parameters
        ----------
        windows : (w, 3) metres, places in openings through which agents see and hear but cannot walk.
        """
        expect(level, Level, "level")
        expect(cells, CellLayout, "cells")
        widest = finite_number(widest, "widest", unit="m", low=0.1, high=1e3)
        shut = DoorCells(cells, level)
        for number in range(len(level.doors)):
            shut.set_door(number, True)
        zone = _zones(level, cells)
        bars = None if level.doors or (zone >= 0).any() else find_chokepoints(cells, widest=widest, least=_NICHE)
        label = _labels(cells, shut, zone, bars)
        chokes = [*_doors(level, cells, label), *_openings(cells, shut, label, bars), *_windows(windows, cells, label)]
        sight = Sight.from_level(level)
        chokes = [replace(one, posts=_posts(cells, sight, label, one)) for one in chokes]
        areas = [_area(number, cells, label, zone, level, chokes) for number in range(int(label.max(initial=-1)) + 1)]
        return cls(tuple(areas), tuple(chokes), read_only(label), cells)

    def area_at(self, xyz: Any) -> Array:
        """Return the area of each place (n, 3), (n,) int64; -1 if none."""
        found = nearest_cells(self._layout, points_xyz(xyz, "xyz"), 2.0)
        return np.where(found >= 0, self.label[found], -1)

    def place_of(self, cell: int) -> Floats:
        """Return the middle of a cell, (3,)."""
        return self._layout.arrays.cell_xyz[cell].astype(np.float64)

    def full_areas(self, agents_xyz: Any) -> set[int]:
        """Return the areas in which as many of these agents (n, 3) are as should enter."""
        places = points_xyz(agents_xyz, "agents_xyz")
        counted = Counter(self.area_at(places).tolist() if len(places) else [])
        return {area for area, count in counted.items() if area >= 0 and count >= self.areas[area].entrants}

    def chokes_of(self, area: int, *, walkable: bool = False) -> tuple[EnvironmentChoke, ...]:
        """Return the chokes of an area, only those that can be walked through if `walkable`."""
        return tuple(one for one in self.chokes if area in one.areas and (one.walkable or not walkable))

    def path(self, start: int, goal: int, *, walkable: bool = True) -> tuple[int, ...]:
        """Return the areas from one to another, both included, as few as possible; empty if there is no path."""
        return fewest_areas(
            start, goal, lambda area: (one.beyond(area) for one in self.chokes_of(area, walkable=walkable))
        )

    def cover(self, area: int, agents_xyz: Any) -> tuple[tuple[int, Floats], ...]:
        """Assign to each agent (n, 3) outside an area a choke of it, by number, and a position node that sees it.

        The nearest pairs come first; no choke gets a second agent before all have one. Agents that cannot be placed
        get choke -1 and their own position.
        """
        places = points_xyz(agents_xyz, "agents_xyz")
        given: dict[int, tuple[int, Floats]] = {}
        posts = [
            (number, node, round_)
            for number, one in enumerate(self.chokes)
            if area in one.areas
            for round_, node in enumerate(one.posts_in(one.beyond(area)))
        ]
        pairs = (
            (round_, float(np.linalg.norm(place - node)), agent, number, node)
            for (number, node, round_), (agent, place) in itertools.product(posts, enumerate(places))
        )
        taken: set[tuple[int, int]] = set()
        for round_, _, agent, number, node in sorted(pairs, key=lambda one: one[:4]):
            if agent not in given and (number, round_) not in taken:
                given[agent] = (number, node)
                taken.add((number, round_))
        return tuple(given.get(agent, (-1, place)) for agent, place in enumerate(places))


def _zones(level: Level, cells: CellLayout) -> Ids:
    """Return the first zone of each cell, -1: none."""
    found = np.full(len(cells), -1, np.int32)
    for number, zone in enumerate(level.zones):
        found[inside_zone(zone, cells.arrays.cell_xyz) & (found < 0)] = number
    return found


def _links(cells: Any) -> tuple[Array, Array, Bools]:
    """Return both ends of every link, and which links are open."""
    arrays = cells.arrays
    one = np.repeat(np.arange(len(arrays.cell_grid)), np.diff(arrays.link_start.astype(np.int64)))
    other, link = arrays.link_cell.astype(np.int64), np.arange(len(arrays.link_cell))
    free = arrays.blocked[link >> 3] >> (link & 7).astype(np.uint8) & 1 == 0
    shut = np.unpackbits(arrays.disabled, count=len(arrays.cell_grid), bitorder="little").astype(np.bool_)
    return one, other, free & ~shut[one] & ~shut[other]


def _labels(cells: CellLayout, shut: DoorCells, zone: Ids, bars: Chokepoints | None) -> Ids:
    """Return the area of each cell: connected without passing a door, the border of a zone, or a chokepoint."""
    one, other, is_open = _links(shut)
    inner = is_open & (zone[one] == zone[other])
    if bars is not None:
        xyz = cells.arrays.cell_xyz.astype(np.float64)
        for ends in bars.ends:
            inner &= ~_crosses(xyz[one], xyz[other], ends)
    label = _parts(len(cells), one[inner], other[inner])
    enabled = ~np.unpackbits(cells.arrays.disabled, count=len(cells), bitorder="little").astype(np.bool_)
    closed = np.unpackbits(shut.arrays.disabled, count=len(cells), bitorder="little").astype(np.bool_)
    label[closed] = -1
    _join_slivers(label, one[is_open], other[is_open], _SLIVER / _cell_area(cells))
    every = _links(cells)[2]
    one, other = one[every], other[every]
    while True:  # Cells of doors join what is next to them.
        grows = (label[one] < 0) & (label[other] >= 0) & enabled[one]
        if not grows.any():
            break
        label[one[grows]] = label[other[grows]]
    known = label >= 0
    label[known] = np.unique(label[known], return_inverse=True)[1]
    return label


def _parts(count: int, one: Array, other: Array) -> Ids:
    label = np.empty(count, np.int32)
    label_parts(np.searchsorted(one, np.arange(count + 1)), other.astype(np.int32), label)
    return label


def _crosses(start: Floats, end: Floats, bar: Floats) -> Bools:
    """Return which steps cross a line from wall to wall, on its storey."""
    left, right = bar[0], bar[1]
    along = (right - left)[:2] / max(float(np.linalg.norm((right - left)[:2])), 1e-9)
    left, right = left[:2] - _BEYOND * along, right[:2] + _BEYOND * along

    def side(points: Floats, origin: Floats, way: Floats) -> Floats:
        away = points - origin
        found: Floats = away[..., 0] * way[..., 1] - away[..., 1] * way[..., 0]
        return found

    across = side(start[:, :2], left, right - left) * side(end[:, :2], left, right - left) <= 0.0
    step, begin = (end - start)[:, :2], start[:, :2]
    within = side(left, begin, step) * side(right, begin, step) <= 0.0
    found: Bools = across & within & (np.abs((start + end)[:, 2] / 2.0 - bar[:, 2].mean()) < 1.5)
    return found


def _join_slivers(label: Ids, one: Array, other: Array, fewest: float) -> None:
    """Join areas of few cells to the neighbour to which most links lead, smallest first."""
    size = np.bincount(label[label >= 0])
    for number in np.argsort(size, kind="stable").tolist():
        if size[number] >= fewest:
            return
        around = label[other[(label[one] == number) & (label[other] != number)]]
        around = around[around >= 0]
        if len(around):
            label[label == number] = np.bincount(around).argmax()


def _cell_area(cells: CellLayout) -> float:
    size = cells.arrays.size_xyz
    return float(size[0] * size[1])


def _choke(one: int, other: int, xyz: Floats, door: int = -1, walkable: bool = True) -> EnvironmentChoke:
    nothing: Floats = np.zeros((0, 3))
    return EnvironmentChoke((one, other), read_only(np.asarray(xyz, np.float64)), door, walkable, (nothing, nothing))


def _sides(xyz: Floats, cells: CellLayout, label: Ids) -> tuple[int, ...]:
    """Return the areas around a place in an opening."""
    turns = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    around = xyz + _DOOR_SIDE * np.column_stack([np.cos(turns), np.sin(turns), np.zeros(8)])
    found = nearest_cells(cells, around, 2.0)
    return tuple(dict.fromkeys(label[found[found >= 0]].tolist()))[:2]


def _doors(level: Level, cells: CellLayout, label: Ids) -> list[EnvironmentChoke]:
    found = []
    for number, door in enumerate(level.doors):
        middle = np.append(door.outline_xy.mean(axis=0), door.z)
        sides = _sides(middle, cells, label)
        if len(sides) == 2:
            found.append(_choke(*sides, middle, number))
    return found


def _windows(places: Any, cells: CellLayout, label: Ids) -> list[EnvironmentChoke]:
    sides = [(xyz, _sides(xyz, cells, label)) for xyz in points_xyz(places, "windows")]
    return [_choke(*both, xyz, walkable=False) for xyz, both in sides if len(both) == 2]


def _openings(cells: CellLayout, shut: DoorCells, label: Ids, bars: Chokepoints | None) -> list[EnvironmentChoke]:
    """Return the openings between areas that have no door: borders of zones, and chokepoints."""
    one, other, is_open = _links(shut)
    borders = is_open & (label[one] != label[other])
    free = set(one[borders].tolist())
    found = []
    for area in np.unique(label[one[borders]]).tolist():
        exits = exits_of(area_of(cells, np.flatnonzero(label == area)), look=0.0)
        for row in range(len(exits)):
            ((beyond, _),) = Counter(label[exits.outer[row]].tolist()).most_common(1)
            if beyond > area and not free.isdisjoint(exits.inner[row].tolist()):
                xyz = exits.xyz[row]
                if bars is not None:  # the opening next to it is a cell wide or more
                    xyz = bars.xyz[np.linalg.norm(bars.xyz - xyz, axis=1).argmin()]
                found.append(_choke(area, int(beyond), xyz))
    return found


def _posts(cells: CellLayout, sight: Sight, label: Ids, choke: EnvironmentChoke) -> tuple[Floats, Floats]:
    one, other = (_posts_in(cells, sight, np.flatnonzero(label == area), choke.xyz) for area in choke.areas)
    return one, other


def _posts_in(cells: CellLayout, sight: Sight, own: Array, choke: Floats) -> Floats:
    """Return places of an area that see a choke from a little away, best first; the cell next to it if none does."""
    xyz = cells.arrays.cell_xyz[own].astype(np.float64)
    away = np.linalg.norm(xyz - choke, axis=1)
    # A closed door would hide its own middle: the floor in front of it is watched.
    front = xyz[np.where(away < _FRONT, np.inf, away).argmin()]
    near = np.flatnonzero(away <= _POST_AWAY)
    near = near[np.asarray(sees(sight, xyz[near] + _EYE, np.tile(front + _AIM, (len(near), 1))))] if len(near) else near
    chosen: list[Floats] = []
    for row in near[np.argsort(np.abs(away[near] - _POST_NEAR), kind="stable")].tolist():
        if len(chosen) < _POSTS and all(np.linalg.norm(xyz[row] - one) >= _POSTS_APART for one in chosen):
            chosen.append(xyz[row])
    return read_only(np.array(chosen or [front]))


def _area(
    number: int, cells: CellLayout, label: Ids, zone: Ids, level: Level, chokes: Sequence[EnvironmentChoke]
) -> EnvironmentArea:
    own = np.flatnonzero(label == number).astype(np.int32)
    size = len(own) * _cell_area(cells)
    drawn = int(np.bincount(zone[own] + 1).argmax()) - 1
    xy = cells.arrays.cell_xyz[own, :2].astype(np.float64)
    long = float(np.linalg.norm(np.ptp(xy, axis=0)))
    ways = sum(number in one.areas for one in chokes if one.walkable)
    kind: str = "dead end" if ways == 1 else "passage" if size < _NARROW * long else "hall" if size >= _HALL else "room"
    return EnvironmentArea(
        number=number,
        cells=read_only(own),
        size=size,
        kind=level.zones[drawn].kind if drawn >= 0 else kind,
        name=level.zones[drawn].name if drawn >= 0 else "",
        entrants=int(np.clip(round(size / _PER_AGENT), 1, _MOST)),
    )
