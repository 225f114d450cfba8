"""Platforms: pieces of floor that come and go. All are part of the base mesh; what is absent is cut out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from ..conventions import Array, Bools
from ..errors import BakeError, InputError
from ..kernels.arrays.level_arrays import MeshArrays
from ..level.level import Floors, Level, whole_surface
from .body import Body
from .convex import TIDY
from .inset import keep_distance
from .pieces import NOWHERE, Piece, Plane, areas_only, is_walkable, pieces_of, strip
from .polygons import TOUCH, cut_low_ceilings, cut_obstacles, merge_coplanar, overlaps, same_plane
from .remainder import SPLINTER
from .tiles import as_floors

AROUND = 1.0
"""Metres of floor kept around a site beyond what its platforms can change."""

LEVEL_WITH = 1e-4
"""Metres between a face and the plane of the piece it belongs to."""


def with_platforms(level: Level, body: Body, builder: str) -> Level:
    """Return a level whose floors include all platforms.

    Raises
    ------
    BakeError
        A platform lies over or under another floor, too close for a body to stand between them.
    """
    surface = whole_surface(level)
    if builder == "voxel":
        raise InputError("the voxel builder does not support platforms; use the polygon builder, or remove them")
    floors = as_floors(replace(level, surface=surface, platforms=()))
    _require_room(level, floors, body)
    return floors


def _require_room(level: Level, floors: Level, body: Body) -> None:
    assert isinstance(floors.surface, Floors)
    drawn = merge_coplanar([piece for floor in floors.surface.polygons for piece in pieces_of(floor)])
    for platform in level.platforms:
        own = pieces_of(platform)
        for one, other, common in overlaps(own, drawn):
            gap = drawn[other].plane.minus(own[one].plane)
            where = strip(gap, TOUCH - body.height, body.height - TOUCH, common.bounds)
            if same_plane(replace(own[one], shape=common), drawn[other]) or (where is not None and where.is_empty):
                continue
            x, y = shapely.get_coordinates(shapely.point_on_surface(common))[0].tolist()
            apart = abs(float(gap.heights(np.array([[x, y]]))[0]))
            raise BakeError(
                f"{level.source or level.name or 'the level'}: platform {platform.name!r} {platform.at!r} is "
                f"{apart:.3g} m above or below other floor at ({x:.3g}, {y:.3g}); keep {body.height:g} m, a body's "
                "height, between them, or put them at the same height"
            )


@dataclass(frozen=True, eq=False)
class Gap:
    """Floor that is missing near some platforms.

    Attributes
    ----------
    bounds : left, bottom, right, top: the rectangle outside which nothing is missing, metres.
    z_low, z_high : heights of the floors in it, metres.
    left : the pieces of floor that are left.
    """

    bounds: tuple[float, float, float, float]
    z_low: float
    z_high: float
    left: tuple[Piece, ...]

    def parts(self, mesh: MeshArrays, faces: Array, shapes: Array) -> tuple[Array, Array]:
        """Return which of some faces (polygons: `shapes`) lose something, and the part of the gap on each of them."""
        found = np.full(len(faces), NOWHERE, dtype=object)
        known: dict[tuple[int, ...], shapely.Geometry] = {}
        for row, face in enumerate(faces.tolist()):
            plane = Plane(*mesh.face_plane[face].tolist())
            corners = shapely.get_coordinates(shapes[row])
            own = tuple(
                number
                for number, piece in enumerate(self.left)
                if np.abs(piece.plane.minus(plane).heights(corners)).max() <= LEVEL_WITH
            )
            if own not in known:
                known[own] = shapely.difference(
                    shapely.box(*self.bounds), shapely.union_all([self.left[number].shape for number in own])
                )
            found[row] = known[own]
        # Faces lose slivers everywhere: their corners were rounded when the mesh was built.
        lost = shapely.area(shapely.intersection(found, shapes)) > SPLINTER + 2.0 * TIDY * shapely.length(shapes)
        return faces[lost], found[lost]


class Site:
    """Platforms close to one another, and the floor around them, ready to be divided again as a bake would.

    Attributes
    ----------
    numbers : the numbers of its platforms in the level, ascending.
    """

    def __init__(self, level: Level, floors: Sequence[Piece], body: Body, numbers: Sequence[int]):
        self.numbers = tuple(numbers)
        self._moving = {number: pieces_of(level.platforms[number]) for number in numbers}
        shape = shapely.union_all([piece.shape for pieces in self._moving.values() for piece in pieces])
        self._bounds = shapely.buffer(shape, _reach(body)).bounds
        window = shapely.box(*shapely.buffer(shapely.box(*self._bounds), _reach(body) + AROUND).bounds)
        near = [piece for piece in floors if piece.shape.intersects(window)]
        clipped = [replace(piece, shape=areas_only(shapely.intersection(piece.shape, window))) for piece in near]
        self._fixed = [piece for piece in clipped if not piece.shape.is_empty]
        self._obstacles = [
            one for one in (*level.obstacles, *level.cover) if shapely.Polygon(one.outline_xy).intersects(window)
        ]
        self._body = body

    def gap(self, present: Bools) -> Gap | None:
        """Return the floor that is missing while only some platforms are present, or None if all are."""
        absent = [number for number in self.numbers if not present[number]]
        if not absent:
            return None
        moving = [piece for number in self.numbers if present[number] for piece in self._moving[number]]
        drawn = merge_coplanar([*self._fixed, *moving])
        gentle = [piece for piece in drawn if is_walkable(piece.plane, self._body)]
        free = cut_obstacles(cut_low_ceilings(gentle, drawn, self._body), self._obstacles, self._body) if gentle else []
        heights = np.concatenate([self._heights(number) for number in absent])
        reach = 2.0 * self._body.climb + self._body.height
        low, high = float(heights.min()) - reach, float(heights.max()) + reach
        return Gap(self._bounds, low, high, tuple(keep_distance(free, self._body)))

    def _heights(self, number: int) -> Array:
        return np.concatenate(
            [piece.plane.heights(shapely.get_coordinates(piece.shape)) for piece in self._moving[number]]
        )


def _reach(body: Body) -> float:
    """Return how far from a platform its absence changes the floor, metres."""
    return body.radius + 0.01


def sites_of(level: Level, body: Body) -> list[Site]:
    """Return the platforms of a level in groups that do not influence one another."""
    if not level.platforms:
        return []
    shapes = [shapely.union_all([piece.shape for piece in pieces_of(one)]) for one in level.platforms]
    boxes = [shapely.box(*shapely.buffer(shape, 2.0 * _reach(body)).bounds) for shape in shapes]
    group = list(range(len(boxes)))
    for one in range(len(boxes)):
        for other in range(one):
            if boxes[one].intersects(boxes[other]) and group[one] != group[other]:
                old, new = group[one], group[other]
                group = [new if each == old else each for each in group]
    surface = as_floors(replace(level, platforms=())).surface
    assert isinstance(surface, Floors)
    floors = [piece for floor in surface.polygons for piece in pieces_of(floor)]
    return [
        Site(level, floors, body, [number for number, own in enumerate(group) if own == each])
        for each in dict.fromkeys(group)
    ]
