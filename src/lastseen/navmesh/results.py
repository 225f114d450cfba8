"""What queries on a navmesh answer: frozen, with read-only arrays; every end has a named reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..conventions import Array, Bools, Floats, Ids

RAY_OUTCOMES = ("reached", "wall", "off_mesh", "other_floor")
"""How a walk along a straight line ends; `RayHits.outcome` holds indices into this.

reached: the line arrives at the end, on the floor the end stands on. wall: something is in the way.
off_mesh: the start stands on no face. other_floor: the line arrives above or below the end.
"""

PATH_REASONS = ("reached", "no_way", "start_off_mesh", "goal_off_mesh")
"""Why a path ends where it ends; `Paths.reason` holds indices into this."""


@dataclass(frozen=True, eq=False)
class NearestPoint:
    """The point of a mesh nearest to a position.

    Attributes
    ----------
    found : whether there is one within the radius asked for.
    xyz : (3,) float64, metres; NaN where none was found.
    distance : metres; NaN where none was found.
    face : base face the point lies on, -1 where none was found.
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
        """(n,) bool: is there one within the radius?"""
        return self.face >= 0

    def __getitem__(self, index: int) -> NearestPoint:
        face = int(self.face[index])
        return NearestPoint(face >= 0, self.xyz[index], float(self.distance[index]), face)


@dataclass(frozen=True, eq=False)
class RayHit:
    """How far one can walk along a straight line.

    Attributes
    ----------
    outcome : one of `RAY_OUTCOMES`.
    xyz : (3,) float64, where the walk stops, on the floor; the start where that is off the mesh.
    fraction : 0 … 1, share of the line walked.
    normal_xy : (2,) float64, unit vector from the wall towards the walker; zeros where no wall was hit.
    face : base face the walk stops in, -1 where the start is off the mesh.
    """

    outcome: str
    xyz: Floats
    fraction: float
    normal_xy: Floats
    face: int

    @property
    def reached(self) -> bool:
        """Does the walk arrive at the end, on the end's floor?"""
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
        """(n,) bool: does each walk arrive?"""
        return self.outcome == 0

    def __getitem__(self, index: int) -> RayHit:
        outcome = RAY_OUTCOMES[int(self.outcome[index])]
        return RayHit(
            outcome, self.xyz[index], float(self.fraction[index]), self.normal_xy[index], int(self.face[index])
        )


@dataclass(frozen=True, eq=False)
class Path:
    """A way over the mesh, shortest in plan.

    Attributes
    ----------
    points_xyz : (n, 3) float64: start, bends, end, on the floor; with `on_floor` also every crossing of a portal.
        Empty where the start is off the mesh.
    length : metres walked along the floor, up and down ramps and steps.
    faces : (m,) int32, base faces passed, in order.
    reached : whether the goal itself is the end.
    reason : one of `PATH_REASONS`. Where it is not "reached", the way leads to the reachable point nearest the goal.
    """

    points_xyz: Floats
    length: float
    faces: Ids
    reached: bool
    reason: str


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
        """(n,) bool: does each way end at its goal?"""
        return self.reason == 0

    def __getitem__(self, index: int) -> Path:
        index = range(len(self))[index]
        points = self.points_xyz[self.point_start[index] : self.point_start[index + 1]]
        faces = self.faces[self.face_start[index] : self.face_start[index + 1]]
        reason = PATH_REASONS[int(self.reason[index])]
        return Path(points, float(self.length[index]), faces, reason == "reached", reason)

    def __iter__(self) -> Iterator[Path]:
        return (self[index] for index in range(len(self)))


def freeze(*arrays: Array) -> None:
    """Make arrays read-only that nobody else holds yet."""
    for array in arrays:
        array.setflags(write=False)
