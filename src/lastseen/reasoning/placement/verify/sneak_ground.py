"""The floor for a sneaking player: where it walks and bends, what blocks sight, and the places of an exact search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ....cells.layout import CellLayout
from ....checks import expect, finite_number, point_xyz
from ....conventions import Array, Floats, Ids
from ....errors import InputError
from ....kernels.spacetime.space_time_floor import AskArrays
from ....kernels.spacetime.space_time_lines import LeashArrays, floor_bends, off_lines, straight_pairs
from ....kernels.spacetime.space_time_reach import PlaceArrays, link_metres
from ....level.level import Level
from ....level.sight.sight import Sight
from ....navmesh.navmesh import NavMesh
from ....navmesh.query import faces_at, find_paths, nearest_many, raycasts
from ....rng import generator
from ..guard_ground import body_radius, on_floor, unlocked_mesh, xyz_text

ANYWHERE = LeashArrays(np.empty((0, 3)), np.array([np.inf, np.inf]))
"""Straight links may lead anywhere."""
ON_LINKS = LeashArrays(np.empty((0, 3)), np.array([-1.0, np.inf]))
"""The player never leaves the given links."""

_SNAP = 0.05
"""Metres beyond its radius by which a start or a goal is moved onto the floor."""

_FANNED = 32
"""Number of places whose shortest paths are searched for bends."""
_ONE_CORNER = 0.5
"""Two bends closer than this many metres are one: a body rounds a corner in an arc."""
_ASIDE = 0.4
"""Metres a bend is moved away from its corner, given twice the room: from there an agent sees around it."""
_MOST_BENDS = 64
_MOST_EDGES = 64
"""Maximum number of floor bends found below one path."""


@dataclass(frozen=True, eq=False)
class LinkGraph:
    """Places (n, 3) on the floor and straight links between them: (k,) from and to, each in both directions."""

    xyz: Floats
    begin: Array
    end: Array


class SneakGround:
    """A level prepared for a player; created once for many placements of guards.

    Attributes
    ----------
    mesh : where the player's body walks; locked doors are walls.
    sight : what blocks sight.
    """

    def __init__(self, level: Level, *, radius: float | None = None, cell: float = 0.5) -> None:
        """Prepare a level.

        Parameters
        ----------
        radius : radius of the player's body, 0 … 10 m; None: 0.3, but 0 on tile maps and ready-made navmeshes.
        cell : edge of the cells of exact searches and heat maps, 0.05 … 100 m.
        """
        self.level = expect(level, Level, "level")
        given = body_radius(level) if radius is None else radius
        self.radius = finite_number(given, "radius", unit="m", low=0.0, high=10.0)
        self.cell = finite_number(cell, "cell", unit="m", low=0.05, high=100.0)
        self.mesh = unlocked_mesh(level, self.radius)
        self.sight = Sight.from_level(level)
        self._bends: tuple[bytes, Floats, Array] | None = None

    @cached_property
    def bare(self) -> NavMesh:
        """The floor of a body without radius, which drawn paths must keep to."""
        return self.mesh if self.radius == 0.0 else unlocked_mesh(self.level, 0.0)

    @cached_property
    def flat(self) -> bool:
        """Whether the whole floor has one height."""
        plane = self.mesh.arrays.face_plane
        return bool((plane == np.array([0.0, 0.0, plane[0, 2]])).all())

    @cached_property
    def layout(self) -> CellLayout:
        """The floor in cells."""
        return CellLayout.from_navmesh(self.mesh, cell=self.cell)

    def settled(self, xyz: Any, name: str) -> tuple[Floats, int]:
        """Return a place on the floor, and its face; a place within the body's radius of the floor is moved onto it.

        Raises InputError with the nearest floor if the place is further off.
        """
        place = point_xyz(xyz, name)[None]
        settled, face = on_floor(self.mesh, place)
        if face[0] >= 0:
            return settled[0], int(face[0])
        near = nearest_many(self.mesh, place)[0]
        if near.distance > self.radius + _SNAP:
            raise InputError(
                f"the {name} {xyz_text(place[0])} is off the floor; move it to the nearest place where the player "
                f"(radius {self.radius:g} m) can stand, {near.distance:.3g} m away at {xyz_text(near.xyz)}"
            )
        return near.xyz.copy(), int(near.face)

    def together(self, start: tuple[Floats, int], goal: tuple[Floats, int]) -> None:
        """Raise if no walk leads from start to goal."""
        piece = self.mesh.face_component
        if piece[start[1]] != piece[goal[1]]:
            count = len(np.unique(piece))
            raise InputError(
                f"the floor is in {count} pieces, and the start {xyz_text(start[0])} and the goal {xyz_text(goal[0])} "
                "are on two of them; join the pieces, or choose both on one"
            )

    @cached_property
    def ways(self) -> LinkGraph:
        """Cells and the links between neighbours; a link around a corner has extra places at its bends."""
        arrays = self.layout.arrays
        first = arrays.link_start.astype(np.int64)
        begin = np.repeat(np.arange(len(self.layout)), first[1:] - first[:-1])
        end = arrays.link_cell.astype(np.int64)
        once = begin < end
        begin, end = begin[once], end[once]
        cells = arrays.cell_xyz.astype(np.float64)
        face = self.layout.cell_face.astype(np.int32)
        straight = raycasts(self.mesh, cells[begin], cells[end], start_face=face[begin]).reached
        pieces = [np.column_stack([begin[straight], end[straight]])]
        bends, count = [cells], len(cells)
        paths = find_paths(self.mesh, cells[begin[~straight]], cells[end[~straight]])
        for path, one, other in zip(paths, begin[~straight].tolist(), end[~straight].tolist()):
            inner = path.points_xyz[1:-1]
            if path.reached and len(inner):
                chain = [one, *range(count, count + len(inner)), other]
                pieces.append(np.column_stack([chain[:-1], chain[1:]]))
                bends.append(inner)
                count += len(inner)
        pairs = np.concatenate(pieces)
        return LinkGraph(np.concatenate(bends), pairs[:, 0], pairs[:, 1])

    def joined(self, start: Floats, goal: Floats, leash: LeashArrays = ANYWHERE) -> tuple[LinkGraph, int, int]:
        """Return the links with a start and a goal added, and the bends of the shortest path between them.

        Each is joined to all places within two cells in a straight line.

        Parameters
        ----------
        leash : places outside it are left out.
        """
        graph, count = self.ways, len(self.ways.xyz)
        bends = find_paths(self.mesh, start[None], goal[None])[0].points_xyz[1:-1]
        xyz = np.concatenate([graph.xyz, start[None], goal[None], bends])
        begin, end = [graph.begin], [graph.end]
        for number in range(count, len(xyz)):
            near = np.flatnonzero(np.linalg.norm(xyz[:number] - xyz[number], axis=1) <= 2.0 * self.cell)
            near = near[raycasts(self.mesh, np.broadcast_to(xyz[number], (len(near), 3)), xyz[near]).reached]
            begin.append(np.full(len(near), number))
            end.append(near)
        one, other = np.concatenate(begin), np.concatenate(end)
        if len(leash.line):
            away = np.empty(len(xyz))
            off_lines(leash, xyz, away)
            away[[count, count + 1]] = 0.0
            kept = (away[one] <= leash.hold[0]) & (away[other] <= leash.hold[0])
            one, other = one[kept], other[kept]
        return LinkGraph(xyz, one, other), count, count + 1

    def bends_between(self, start: Floats, goal: Floats) -> tuple[Floats, Array]:
        """Return places where paths bend, (m, 3), the start first, and pairs joined by a straight walk, (m, m) uint8.

        They are the bends of the shortest paths between start and goal, and from both to places all over their piece of
        the floor. The latest answer is cached.
        """
        key = start.tobytes() + goal.tobytes()
        kept = self._bends
        if kept is not None and kept[0] == key:
            return kept[1], kept[2]
        face = int(faces_at(self.mesh, start[None])[0])
        towards = self.scattered(generator(0, "bends").random((_FANNED, 3)), face)
        bends, sees = bends_between(self.mesh, start, goal, towards, self.flat)
        self._bends = key, bends, sees
        return bends, sees

    @cached_property
    def _triangles(self) -> tuple[Floats, Floats, Ids]:
        """Return the faces as triangles (n, 3, 3), their areas in plan (n,), and their piece of the floor (n,)."""
        arrays = self.mesh.arrays
        count, start = arrays.face_count.astype(np.int64), arrays.face_start.astype(np.int64)
        each = np.maximum(count - 2, 0)
        face = np.repeat(np.arange(len(count)), each)
        inner = np.arange(int(each.sum())) - np.repeat(np.cumsum(each) - each, each)
        rows = np.stack([start[face], start[face] + inner + 1, start[face] + inner + 2], axis=1)
        corner = arrays.vertex_xyz[arrays.face_vertex[rows]]
        one, other = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
        area = np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2.0
        return corner, area, self.mesh.face_component[face]

    def scattered(self, random: Floats, face: int) -> Floats:
        """Return places uniform over the piece of floor that contains a face, for random numbers (n, 3) 0 … 1."""
        corner, area, piece = self._triangles
        mine = np.flatnonzero(piece == self.mesh.face_component[face])
        ends = np.cumsum(area[mine])
        which = mine[np.minimum(np.searchsorted(ends, random[:, 0] * ends[-1], side="right"), len(mine) - 1)]
        root = np.sqrt(random[:, 1:2])
        share = np.concatenate([1.0 - root, root * (1.0 - random[:, 2:3]), root * random[:, 2:3]], axis=1)
        return np.einsum("nk,nkd->nd", share, corner[which])


def place_arrays(ground: SneakGround, graph: LinkGraph, pace: float, ask: AskArrays) -> PlaceArrays:
    """Return links as kernels take them; `pace` is metres per moment, `ask` a query with the height guards look at."""
    begin, end = np.concatenate([graph.begin, graph.end]), np.concatenate([graph.end, graph.begin])
    order = np.lexsort((end, begin))
    begin, end = begin[order], end[order]
    start = np.searchsorted(begin, np.arange(len(graph.xyz) + 1)).astype(np.uint32)
    moments = np.linalg.norm(graph.xyz[begin] - graph.xyz[end], axis=1) / pace
    face = faces_at(ground.mesh, graph.xyz).astype(np.int32)
    seen_at = np.array([0.0, 0.0, ask.pace[1]])
    places = PlaceArrays(graph.xyz + seen_at, face, start, end.astype(np.uint32), moments)
    if not ask.flat:
        metres = np.empty(len(moments))
        link_metres(ground.mesh.arrays, ask, places, metres)
        places = places._replace(moments=metres / pace)
    return places


def leash_to(line: Floats, width: float, tall: float) -> LeashArrays:
    """Return a leash that keeps paths within `width` metres of a line (n, 3) and less than `tall` above or below it."""
    return LeashArrays(np.ascontiguousarray(line, np.float64), np.array([width, tall]))


def bends_between(mesh: NavMesh, start: Floats, goal: Floats, towards: Floats, flat: bool) -> tuple[Floats, Array]:
    """Return places where shortest paths bend, (m, 3), the start first, and which pairs are joined by a straight walk,
    (m, m) uint8.

    The paths are those between start and goal, and from both to places `towards` (n, 3). They also bend where the floor
    does, unless it is `flat`.
    """
    ask = AskArrays(
        np.stack([start, goal]),
        np.zeros(2, np.int32),
        np.array([1.0, 1.0, mesh.body.height, mesh.body.climb]),
        np.zeros(4, np.int64),
        flat,
    )
    edges = np.empty((_MOST_EDGES, 3))
    ends = np.concatenate([goal[None], towards])
    found = [(start, start, start)]
    for here in (start, goal):
        for path in find_paths(mesh, np.broadcast_to(here, ends.shape), ends):
            found += _corners(path.points_xyz)
            if not flat:
                count = floor_bends(mesh.arrays, ask, np.array(path.points_xyz), edges)
                found += [(edge, start, start) for edge in edges[:count].copy()]
    rows = np.array(found)
    _, once = np.unique((rows[:, 0] / _ONE_CORNER).round(), axis=0, return_index=True)
    rows = rows[np.sort(once)][:_MOST_BENDS]
    bends = _moved_aside(mesh, rows[:, 0], rows[:, 1] - rows[:, 2])
    sees = np.empty((len(bends), len(bends)), np.uint8)
    straight_pairs(mesh.arrays, ask, bends, sees)
    return bends, sees


def _corners(points: Floats) -> list[tuple[Floats, Floats, Floats]]:
    """Return the corners of a path, each with the unit vectors of arrival and departure."""
    if len(points) < 3:
        return []
    gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    cuts = [0, *(np.flatnonzero(gaps[1:-1] > _ONE_CORNER) + 1).tolist(), len(points) - 2]
    return [
        (
            points[(first + 1 + last) // 2],
            _unit(points[first + 1] - points[first]),
            _unit(points[last + 1] - points[last]),
        )
        for first, last in pairwise(cuts)
    ]


def _unit(vector: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0.0 else vector


def _moved_aside(mesh: NavMesh, places: Floats, away: Floats) -> Floats:
    """Return places moved in a direction by at most half of the available room."""
    flat = away * np.array([1.0, 1.0, 0.0])
    length = np.linalg.norm(flat, axis=1, keepdims=True)
    flat = np.divide(flat, length, out=np.zeros_like(flat), where=length > 1e-9)
    ray = raycasts(mesh, places, places + 2.0 * _ASIDE * flat)
    aimed = places + _ASIDE * ray.fraction[:, None] * flat
    there = raycasts(mesh, places, aimed)
    return np.where(there.reached[:, None], there.xyz, places)
