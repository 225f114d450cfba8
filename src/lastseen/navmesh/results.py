"""Results of queries on a navmesh: frozen, with read-only arrays; every outcome has a named reason."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from ..checks import real_number
from ..conventions import Array, Bools, Floats, Ids
from ..errors import InputError, QueryError

RAY_OUTCOMES = ("reached", "wall", "off_mesh", "other_floor")
"""Outcomes of a straight walk; `RayHits.outcome` holds indices into this.

reached: the walk arrives at the end, on the end's floor. wall: a wall blocks it.
off_mesh: the start is on no face. other_floor: the walk arrives above or below the end.
"""

PATH_REASONS = ("reached", "no_path", "start_off_mesh", "goal_off_mesh")
"""Reasons why a path ends where it does; `Paths.reason` holds indices into this."""


@dataclass(frozen=True, eq=False)
class NearestPoint:
    """The point of a mesh nearest to a position.

    Attributes
    ----------
    found : whether there is one within the given radius.
    xyz : (3,) float64, metres; NaN if none was found.
    distance : metres; NaN if none was found.
    face : base face the point lies on, -1 if none was found.
    """

    found: bool
    xyz: Floats
    distance: float
    face: int


@dataclass(frozen=True, eq=False)
class NearestPoints:
    """`NearestPoint` for n positions: `xyz` (n, 3), `distance` (n,), `face` (n,) int32, -1 and NaN for none."""

    xyz: Floats
    distance: Floats
    face: Ids

    def __len__(self) -> int:
        return len(self.face)

    @property
    def found(self) -> Bools:
        """(n,) bool: whether there is one within the radius."""
        return self.face >= 0

    def __getitem__(self, index: int) -> NearestPoint:
        face = int(self.face[index])
        return NearestPoint(face >= 0, self.xyz[index], float(self.distance[index]), face)


@dataclass(frozen=True, eq=False)
class RayHit:
    """How far a straight walk leads.

    Attributes
    ----------
    outcome : one of `RAY_OUTCOMES`.
    xyz : (3,) float64, where the walk stops, on the floor; the start if that is off the mesh.
    fraction : fraction of the line walked, 0 … 1.
    normal_xy : (2,) float64, unit normal of the wall, towards the walker; zeros if no wall was hit.
    face : base face the walk stops in, -1 if the start is off the mesh.
    """

    outcome: str
    xyz: Floats
    fraction: float
    normal_xy: Floats
    face: int

    @property
    def reached(self) -> bool:
        """Whether the walk arrives at the end, on the end's floor."""
        return self.outcome == "reached"


@dataclass(frozen=True, eq=False)
class RayHits:
    """`RayHit` for n lines, as arrays.

    `outcome` (n,) uint8 (index into `RAY_OUTCOMES`), `xyz` (n, 3), `fraction` (n,), `normal_xy` (n, 2), `face` (n,).
    """

    outcome: Array
    xyz: Floats
    fraction: Floats
    normal_xy: Floats
    face: Ids

    def __len__(self) -> int:
        return len(self.face)

    @property
    def reached(self) -> Bools:
        """(n,) bool: whether each walk arrives."""
        return self.outcome == 0

    def __getitem__(self, index: int) -> RayHit:
        outcome = RAY_OUTCOMES[int(self.outcome[index])]
        return RayHit(
            outcome, self.xyz[index], float(self.fraction[index]), self.normal_xy[index], int(self.face[index])
        )


@dataclass(frozen=True, eq=False)
class Path:
    """The shortest path over the mesh, seen from above.

    Attributes
    ----------
    points_xyz : (n, 3) float64: start, bends, end, on the floor; with `on_floor` also every crossing of a portal.
        Empty if the start is off the mesh.
    length : metres along the floor, up and down ramps and steps.
    faces : (m,) int32, base faces passed, in order.
    reached : whether the path ends at the goal.
    reason : one of `PATH_REASONS`. Unless it is "reached", the path leads to the reachable point nearest to the goal.
    """

    points_xyz: Floats
    length: float
    faces: Ids
    reached: bool
    reason: str

    def __repr__(self) -> str:
        return f"<Path: {self.reason}, {self.length:.1f} m, {len(self.points_xyz)} points>"

    def at(self, metres: float) -> Floats:
        """Return the place (3,) this many metres along the path, from its start to its end.

        On ramps, use a path found with `on_floor=True`.
        """
        if not len(self.points_xyz):
            raise QueryError("this path is empty: its start is off the mesh; start at nearest(mesh, xyz).xyz")
        metres, (legs, before) = real_number(metres, "metres"), self._legs
        if metres != metres:
            raise InputError("metres is nan; give how far along the path, 0 is its start")
        leg = max(bisect_right(before, metres) - 1, 0)
        if leg >= len(legs):
            return self.points_xyz[-1]
        share = min(max((metres - before[leg]) / legs[leg], 0.0), 1.0) if legs[leg] > 0.0 else 1.0
        start, end = self.points_xyz[leg], self.points_xyz[leg + 1]
        return start + share * (end - start)

    @cached_property
    def _legs(self) -> tuple[list[float], list[float]]:
        """Metres of each leg, and from the start of the path to each of its points."""
        legs = [math.dist(*ends) for ends in pairwise(self.points_xyz.tolist())]
        return legs, [0.0, *accumulate(legs)]


@dataclass(frozen=True, eq=False)
class Paths:
    """`Path` for n pairs, as arrays; `paths[i]` gives one of them.

    `reason` (n,) uint8 (index into `PATH_REASONS`), `length` (n,) metres; the points of pair `i` are
    `points_xyz[point_start[i]:point_start[i + 1]]`, its faces likewise.
    """

    reason: Array
    length: Floats
    point_start: Array
    points_xyz: Floats
    face_start: Array
    faces: Ids

    def __len__(self) -> int:
        return len(self.reason)

    @property
    def reached(self) -> Bools:
        """(n,) bool: whether each path ends at its goal."""
        return self.reason == 0

    def __getitem__(self, index: int) -> Path:
        index = range(len(self))[index]
        points = self.points_xyz[self.point_start[index] : self.point_start[index + 1]]
        faces = self.faces[self.face_start[index] : self.face_start[index + 1]]
        reason = PATH_REASONS[int(self.reason[index])]
        return Path(points, float(self.length[index]), faces, reason == "reached", reason)

    def __iter__(self) -> Iterator[Path]:
        return (self[index] for index in range(len(self)))
