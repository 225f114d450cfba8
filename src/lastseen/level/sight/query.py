"""What can be seen from where?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import finite_number, point_xyz, points_xyz, read_only, real_array, shown, usual_point
from ...conventions import Bools, Floats
from ...errors import InputError
from ...kernels.sight_area import view_outline
from ...kernels.sight_line import clear_any, clear_lines, clear_pairs
from ...kernels.sight_trace import first_hits
from .sight import Sight

__all__ = ["Hits", "first_hit", "sees", "sees_any", "sees_each", "visible_area", "visible_areas"]

ARC = math.radians(3.0)
FARTHEST = 10_000.0


@dataclass(frozen=True)
class Hits:
    """How far looks go: `xyz` (n, 3) where they end, `distance` (n,) metres to there, `reached` (n,) whether that is
    the point they went for.
    """

    xyz: Floats
    distance: Floats
    reached: Bools


def sees(sight: Sight, eyes: Any, points: Any) -> Bools:
    """Can each eye see its point? Lines in pairs; one eye for many points, or many eyes for one point.

    A look may graze a corner or run along a wall, but not pass between two corners that touch.

    Parameters
    ----------
    eyes, points : (n, 3) metres, or one position (3,); z is the height of the eye itself, not of the feet.

    Returns
    -------
    (n,) bool, the same with eyes and points swapped.
    """
    one, other = _pairs(eyes, points)
    found = np.zeros(len(one), np.bool_)
    clear_lines(_arrays(sight), one, other, found)
    return read_only(found)


def sees_each(sight: Sight, eyes: Any, points: Any) -> Bools:
    """Which of the points (m, 3) does each of the eyes (n, 3) see? A table (n, m) of bool."""
    one, other = _positions(eyes, "eyes"), _positions(points, "points")
    found = np.zeros((len(one), len(other)), np.bool_)
    clear_pairs(_arrays(sight), one, other, found)
    return read_only(found)


def sees_any(sight: Sight, eyes: Any, points: Any) -> Bools:
    """Which of the points (m, 3) does any of the eyes (n, 3) see? (m,) bool; an eye that sees one is the last asked."""
    one, other = _positions(eyes, "eyes"), _positions(points, "points")
    found = np.zeros(len(other), np.bool_)
    clear_any(_arrays(sight), one, other, found)
    return read_only(found)


def first_hit(sight: Sight, eyes: Any, points: Any) -> Hits:
    """How far does each look from an eye towards its point go? Takes positions as `sees` does."""
    one, other = _pairs(eyes, points)
    share = np.ones(len(one))
    first_hits(_arrays(sight), one, other, share)
    way = other - one
    reached = share >= 1.0
    end = np.where(reached[:, None], other, one + share[:, None] * way)
    distance = share * np.sqrt((way * way).sum(axis=1))
    return Hits(read_only(end), read_only(distance), read_only(reached))


def visible_area(sight: Sight, eye: Any, heading: float, angle: float, distance: float) -> Floats:
    """Which part of the level does an eye see, at its own height?

    Parameters
    ----------
    eye : (x, y, z) metres.
    heading : where it looks, radians counter-clockwise from +x.
    angle : full opening of the view, more than 0; 2 pi and more is all around.
    distance : how far it sees, more than 0 … 10,000 m.

    Returns
    -------
    (k, 2) float64 outline of the area, counter-clockwise; it begins with the eye unless that looks all around. What
    is lower than the eye does not cut it off. Exact but for the far end, which has a point every 3 degrees, and for
    places where raw triangles pass through one another, which are not looked for.
    """
    return visible_areas(sight, point_xyz(eye, "eye")[None], [heading], angle, distance)[0]


def visible_areas(sight: Sight, eyes: Any, heading: Any, angle: Any, distance: Any) -> Sequence[Floats]:
    """Which part of the level does each of the eyes (n, 3) see? Other arguments (n,) or one for all."""
    arrays = _arrays(sight)
    places = _positions(eyes, "eyes")
    facing = _each(heading, len(places), "heading")
    opening = _each(angle, len(places), "angle")
    reach = _each(distance, len(places), "distance")
    for turn, wide, far in zip(facing.tolist(), opening.tolist(), reach.tolist()):
        finite_number(turn, "heading", unit="rad")
        finite_number(wide, "angle", unit="rad", low=0.0, open_low=True)
        finite_number(far, "distance", unit="m", low=0.0, high=FARTHEST, open_low=True)
    seen = np.zeros(len(arrays.wall) + len(arrays.triangle), np.uint32)
    views = zip(places.tolist(), facing.tolist(), opening.tolist(), reach.tolist())
    return [
        read_only(view_outline(arrays, sight.crossings, seen, 2 * number + 1, tuple(eye), turn, wide, far, ARC))
        for number, (eye, turn, wide, far) in enumerate(views)
    ]


def _arrays(sight: Sight) -> Any:
    if not isinstance(sight, Sight):
        raise InputError(f"sight is {shown(sight)}; make one with `Sight.from_level(level)`")
    return sight.arrays


def _positions(values: Any, name: str) -> Floats:
    array = real_array(values, name, "numbers of shape (n, 3) or (n, 2)")
    return points_xyz(array[None, :] if array.ndim == 1 and array.size else array, name)


def _pairs(eyes: Any, points: Any) -> tuple[Floats, Floats]:
    eye, point = usual_point(eyes), usual_point(points)
    if eye is not None and point is not None:
        return eye[None], point[None]
    one, other = _positions(eyes, "eyes"), _positions(points, "points")
    count = max(len(one), len(other)) if len(one) and len(other) else 0
    if not all(len(array) in (1, count) for array in (one, other)):
        raise InputError(
            f"there are {len(one)} eyes and {len(other)} points; give as many of both, or one of either, "
            "or ask `sees_each` for all pairs"
        )
    wide = [np.ascontiguousarray(np.broadcast_to(array[:count], (count, 3))) for array in (one, other)]
    return wide[0], wide[1]


def _each(values: Any, count: int, name: str) -> Floats:
    array = real_array(values, name, "one number, or one for each eye")
    try:
        return np.broadcast_to(array, (count,))
    except ValueError:
        raise InputError(f"{name} has shape {array.shape}; give one number, or one for each of {count} eyes") from None
