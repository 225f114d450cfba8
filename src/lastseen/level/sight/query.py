"""Queries of sight: lines of sight, first hits and visible areas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import expect, finite_number, point_xyz, points_xyz, read_only, real_array, usual_point
from ...conventions import Bools, Floats
from ...errors import InputError
from ...kernels.arrays.level_arrays import SightArrays
from ...kernels.sight.sight_area import view_outline
from ...kernels.sight.sight_line import clear_any, clear_lines, clear_pairs
from ...kernels.sight.sight_trace import first_hits
from .sight import Sight

ARC = math.radians(3.0)
FARTHEST = 10_000.0


@dataclass(frozen=True)
class Hits:
    """Ends of rays: `xyz` (n, 3) where they end, `distance` (n,) metres to there, `reached` (n,) whether that is the
    target point.
    """

    xyz: Floats
    distance: Floats
    reached: Bools


def sees(sight: Sight, eyes: Any, points: Any) -> Bools:
    """Return whether each eye sees its point, pair by pair; one eye may face many points, or many eyes one point.

    A line of sight may graze a corner or run along a wall, but not pass between two corners that touch.

    Parameters
    ----------
    eyes, points : (n, 3) metres, or one position (3,); z is the height of the eye itself, not of the feet.

    Returns
    -------
    (n,) bool, symmetric in eyes and points.
    """
    one, other = _pairs(eyes, points)
    found = np.zeros(len(one), np.bool_)
    clear_lines(_arrays(sight), one, other, found)
    return read_only(found)


def sees_each(sight: Sight, eyes: Any, points: Any) -> Bools:
    """Return which of the points (m, 3) each of the eyes (n, 3) sees, as a bool table (n, m)."""
    one, other = _positions(eyes, "eyes"), _positions(points, "points")
    found = np.zeros((len(one), len(other)), np.bool_)
    clear_pairs(_arrays(sight), one, other, found)
    return read_only(found)


def sees_any(sight: Sight, eyes: Any, points: Any) -> Bools:
    """Return which of the points (m, 3) any of the eyes (n, 3) sees, (m,) bool; stop at the first eye that does."""
    one, other = _positions(eyes, "eyes"), _positions(points, "points")
    found = np.zeros(len(other), np.bool_)
    clear_any(_arrays(sight), one, other, found)
    return read_only(found)


def first_hit(sight: Sight, eyes: Any, points: Any) -> Hits:
    """Return how far each ray from an eye towards its point gets; positions are given as for `sees`."""
    one, other = _pairs(eyes, points)
    share = np.ones(len(one))
    first_hits(_arrays(sight), one, other, share)
    along = other - one
    reached = share >= 1.0
    end = np.where(reached[:, None], other, one + share[:, None] * along)
    distance = share * np.sqrt((along * along).sum(axis=1))
    return Hits(read_only(end), read_only(distance), read_only(reached))


def visible_area(sight: Sight, eye: Any, heading: float, angle: float, distance: float) -> Floats:
    """Return the part of the level an eye sees, at its own height.

    Parameters
    ----------
    eye : (x, y, z) metres.
    heading : viewing direction, radians counter-clockwise from +x.
    angle : full opening of the view, more than 0; 2 pi or more sees all around.
    distance : range of sight, more than 0 and at most 10,000 m.

    Returns
    -------
    (k, 2) float64 outline of the area, counter-clockwise; it begins with the eye unless that sees all around. Anything
    lower than the eye does not cut it off. Exact except for the far end, which has a point every 3 degrees, and
    where raw triangles intersect, which is not detected.
    """
    return visible_areas(sight, point_xyz(eye, "eye")[None], [heading], angle, distance)[0]


def visible_areas(sight: Sight, eyes: Any, heading: Any, angle: Any, distance: Any) -> Sequence[Floats]:
    """Return the part of the level each of the eyes (n, 3) sees; the other arguments are (n,) or one for all."""
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


def _arrays(sight: Sight) -> SightArrays:
    return expect(sight, Sight, "sight").arrays


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
            f"there are {len(one)} eyes and {len(other)} points; give the same number of each, or one of either, "
            "or use `sees_each` for all pairs"
        )
    wide = [np.ascontiguousarray(np.broadcast_to(array[:count], (count, 3))) for array in (one, other)]
    return wide[0], wide[1]


def _each(values: Any, count: int, name: str) -> Floats:
    array = real_array(values, name, "one number, or one for each eye")
    try:
        return np.broadcast_to(array, (count,))
    except ValueError:
        raise InputError(f"{name} has shape {array.shape}; give one number, or one for each of {count} eyes") from None
