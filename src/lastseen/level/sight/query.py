"""What can be seen from where?"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...checks import points_xyz, read_only
from ...conventions import Bools
from ...errors import InputError
from ...kernels.sight_line import clear_lines, clear_pairs
from .sight import Sight

__all__ = ["sees", "sees_each"]


def sees(sight: Sight, eyes: Any, points: Any) -> Bools:
    """Can each eye see its point? Lines in pairs; one eye for many points, or many eyes for one point.

    Parameters
    ----------
    eyes, points : (n, 3) metres, or one position (3,); z is the height of the eye itself, not of the feet.

    Returns
    -------
    (n,) bool, the same with eyes and points swapped.
    """
    one, other = _positions(eyes, "eyes"), _positions(points, "points")
    count = max(len(one), len(other)) if len(one) and len(other) else 0
    if not all(len(array) in (1, count) for array in (one, other)):
        raise InputError(
            f"there are {len(one)} eyes and {len(other)} points; give as many of both, or one of either, "
            "or ask `sees_each` for all pairs"
        )
    one, other = (np.ascontiguousarray(np.broadcast_to(array, (count, 3))) for array in (one, other))
    found = np.zeros(count, np.bool_)
    clear_lines(sight.arrays, one, other, found)
    return read_only(found)


def sees_each(sight: Sight, eyes: Any, points: Any) -> Bools:
    """Which of the points (m, 3) does each of the eyes (n, 3) see? A table (n, m) of bool."""
    one, other = _positions(eyes, "eyes"), _positions(points, "points")
    found = np.zeros((len(one), len(other)), np.bool_)
    clear_pairs(sight.arrays, one, other, found)
    return read_only(found)


def _positions(values: Any, name: str) -> Any:
    array = np.asarray(values) if not isinstance(values, np.ndarray) else values
    return points_xyz(array[None, :] if array.ndim == 1 and array.size else values, name)
