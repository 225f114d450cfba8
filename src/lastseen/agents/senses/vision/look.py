"""The part of a look that all vision models share: shapes, rays to points of bodies, and the result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ....checks import frozen, points_xyz, read_only, shown, whole_number
from ....conventions import Array, Bools, Floats, Ids
from ....errors import InputError
from ....kernels.arrays.agent_arrays import BodyArrays
from ....kernels.arrays.level_arrays import SightArrays
from ....kernels.senses.vision_rays import PointArrays, look_at_bodies, see_points
from ....kernels.senses.vision_shapes import ShapeArrays
from ....level.sight.sight import Sight
from ....vocabulary.words import AlertLevel
from ...bodies.bodies import STANCES, Stance, bodies_of
from ..arguments import cloud_rows, sight_of
from .shapes import Shape, pack
from .sightings import REASONS, Sightings, VisionMemory, agent_ids

CALM, SUSPICIOUS, COMBAT = (int(level) for level in AlertLevel)
"""Alert levels of observers."""
LOOK = "senses.vision_rays.look_at_bodies"
"""The kernel that every model calls."""

_EYES = frozen([stance.eye for stance in STANCES], np.float64)
_NO_CLOUDS = frozen(np.zeros((0, 4)))


@dataclass(frozen=True)
class RayBudget:
    """Maximum number of rays per look; pairs over budget keep their last result and come first in the next look."""

    rays: int

    def __post_init__(self) -> None:
        whole_number(self.rays, "rays", low=1)


class Glance(NamedTuple):
    """Results of shapes and rays, (n, m) each, and the columns that a model fills."""

    observers: Ids
    targets: Ids
    alert: Array
    shape: Array
    metres: Array
    reason: Array
    visible: Array
    rays: int
    certainty: Array
    awareness: Array
    band: Array

    def limit(self, farthest: Floats) -> None:
        """Let nothing be seen that is farther away than some metres, (n, m)."""
        if farthest.shape != self.metres.shape:
            raise InputError(f"farthest has shape {farthest.shape}; give {self.metres.shape}, one for each pair")
        hidden = (self.visible != 0) & (self.metres > farthest)
        self.visible[hidden], self.reason[hidden] = 0, REASONS.index("too far")

    def sightings(self) -> Sightings:
        """Return the result of a look, once a model has filled its columns."""
        return Sightings(
            self.observers,
            self.targets,
            read_only(self.shape),
            read_only(self.visible.view(np.bool_)),
            read_only(self.certainty),
            read_only(self.awareness),
            read_only(self.band),
            read_only(self.reason),
            read_only(self.metres),
            self.rays,
        )


def glance(
    bodies: BodyArrays,
    sight: Sight | SightArrays,
    observers: Any,
    targets: Any,
    memory: VisionMemory,
    alert: Any,
    rays: RayBudget | None,
    clouds: Any,
    shapes: ShapeArrays,
    points: PointArrays,
) -> Glance:
    """Find for all pairs whether the target is in a shape and, if so, whether it is in sight."""
    bodies = bodies_of(bodies)
    _check_finite(bodies)
    one, other = agent_ids(observers, "observers", len(bodies.xyz)), agent_ids(targets, "targets", len(bodies.xyz))
    size, sight = (len(one), len(other)), sight_of(sight)
    if not isinstance(memory, VisionMemory):
        raise InputError(f"memory is {shown(memory)}; give VisionMemory{size} before the first look")
    if memory.timer.shape != size:
        raise InputError(
            f"memory is for {memory.timer.shape} observers and targets, but there are {size}; make a new one"
        )
    shape, metres = np.empty(size, np.int8), np.empty(size, np.float32)
    reason = np.empty(size, np.uint8)
    levels = _alerts(alert, len(one))
    cast = look_at_bodies(
        bodies,
        sight,
        _clouds(clouds),
        one,
        other,
        levels,
        shapes,
        max(shapes.far.tolist()),
        points,
        _budget(rays, points),
        memory.cursor,
        memory.visible,
        shape,
        metres,
        reason,
    )
    columns = np.empty(size, np.float32), np.empty(size, np.float32), np.empty(size, np.uint8)
    return Glance(one, other, levels, shape, metres, reason, memory.visible.copy(), int(cast), *columns)


def look_at_points(
    bodies: BodyArrays, sight: Sight | SightArrays, observers: Any, points: Any, shape: Shape, *, clouds: Any = None
) -> Bools:
    """Return which points (k, 3) each of `observers` (n,) sees within a shape around its head, (n, k) bool.

    For objects other than bodies: open doors, lights that are off, bottles; see `ChangedObjects`.
    """
    bodies = bodies_of(bodies)
    rows, places = agent_ids(observers, "observers", len(bodies.xyz)), points_xyz(points, "points")
    shapes, sight = pack((shape,)), sight_of(sight)
    seen = np.empty((len(rows), len(places)), np.bool_)
    see_points(bodies, sight, _clouds(clouds), rows, _EYES, shapes, shape.far, places, seen)
    return read_only(seen)


def _check_finite(bodies: BodyArrays) -> None:
    """Refuse positions and headings that are not finite: they would be out of everyone's sight without a word."""
    xyz, heading = bodies.xyz, bodies.heading
    if math.isfinite(np.vdot(xyz, xyz) + np.vdot(heading, heading)):  # half the time of isfinite() of the arrays
        return
    for name, column in (("xyz", xyz), ("heading", heading)):
        wrong = np.flatnonzero(~np.isfinite(column).reshape(len(column), -1).all(1))
        if wrong.size:
            value = column[wrong[0]].tolist()
            raise InputError(f"bodies.{name}[{wrong[0]}] is {value}; write finite numbers before a look")


def rays_per_pair(points: PointArrays) -> int:
    """Return the maximum number of rays for one pair."""
    return int((points.last.astype(np.int64) - points.first).max())


def _alerts(alert: Any, count: int) -> Array:
    if type(alert) is int and CALM <= alert <= COMBAT:
        return np.full(count, alert, np.uint8)
    try:
        levels = np.asarray(alert)
    except ValueError:
        levels = np.empty((0, 0))
    if levels.shape not in ((), (count,)) or levels.dtype.kind not in "iu":
        raise InputError(f"alert is {shown(alert)}; give 0 (calm), 1 (suspicious) or 2 (combat), one, or one each")
    if levels.size and not 0 <= int(levels.min()) <= int(levels.max()) <= COMBAT:
        raise InputError(f"alert is {shown(alert)}; give 0 (calm), 1 (suspicious) or 2 (combat)")
    return np.full(count, levels, np.uint8)


def _clouds(clouds: Any) -> Floats:
    return _NO_CLOUDS if clouds is None else cloud_rows(clouds)


def _budget(rays: RayBudget | None, points: PointArrays) -> int:
    if rays is None:
        return -1
    if not isinstance(rays, RayBudget):
        raise InputError(f"rays is {shown(rays)}; give RayBudget(rays), or None for no limit")
    most = rays_per_pair(points)
    if rays.rays < most:
        raise InputError(f"a budget of {rays.rays} rays is less than the {most} that one pair may need; give more")
    return rays.rays


BONES = ("head", "one shoulder", "other shoulder", "chest", "hips", "one knee", "other knee", "feet")
"""The eight parts of a body, each of which is looked for."""

# Radii ahead, radii counter-clockwise of ahead, fraction of the height of the head.
_UPRIGHT = (
    (0.0, 0.0, 0.95),
    (0.0, 0.8, 0.82),
    (0.0, -0.8, 0.82),
    (0.0, 0.0, 0.72),
    (0.0, 0.0, 0.52),
    (0.3, 0.5, 0.28),
    (0.3, -0.5, 0.28),
    (0.0, 0.0, 0.05),
)
_LYING = (
    (2.8, 0.0, 0.8),
    (2.0, 0.8, 0.7),
    (2.0, -0.8, 0.7),
    (1.4, 0.0, 0.8),
    (0.2, 0.0, 0.6),
    (-1.4, 0.4, 0.5),
    (-1.4, -0.4, 0.5),
    (-2.8, 0.0, 0.5),
)


def bone_points(needed: Sequence[int]) -> PointArrays:
    """Return the eight parts of a body as points, of which `needed` must be in sight, by stance."""
    return _table([_bones(stance) for stance in STANCES], needed, (0, 0, 0), (8, 8, 8))


def chest_and_head(last_by_alert: Sequence[int] = (1, 1, 1), first_by_alert: Sequence[int] = (0, 0, 0)) -> PointArrays:
    """Return one point to look for: point 0 is the middle of the chest, point 1 the top of the head."""
    rows = [np.array([(0.0, 0.0, stance.chest), (0.0, 0.0, stance.head)]) for stance in STANCES]
    return _table(rows, (1,) * len(STANCES), first_by_alert, last_by_alert)


def _bones(stance: Stance) -> Floats:
    points = np.array(_LYING if stance.name == "lying" else _UPRIGHT)
    points[:, 2] *= stance.head
    return points


def _table(rows: list[Floats], needed: Sequence[int], first: Sequence[int], last: Sequence[int]) -> PointArrays:
    return PointArrays(
        eye=_EYES,
        point=frozen(rows, np.float64),
        needed=frozen(needed, np.uint8),
        first=frozen(first, np.uint8),
        last=frozen(last, np.uint8),
    )
