"""How near is each to each place, and from which places is a target in view?"""

from __future__ import annotations

import math

from ..conventions import Array
from .jit import jit
from .sight_arrays import SightArrays
from .sight_line import is_clear

__all__ = ["near_places", "spots_in_view"]


@jit
def _metres(one: Array, i: int, other: Array, k: int) -> float:
    dx, dy, dz = one[i, 0] - other[k, 0], one[i, 1] - other[k, 1], one[i, 2] - other[k, 2]
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@jit
def near_places(feet: Array, places: Array, half: float, out: Array) -> None:
    """Write to `out` (m, k) float64 how near `feet` (m, 3) are to `places` (k, 3): 1 at 0 m, 0.5 at `half` metres."""
    for i in range(len(feet)):
        for k in range(len(places)):
            out[i, k] = half / (half + _metres(feet, i, places, k))


@jit
def spots_in_view(
    sight: SightArrays,
    spots: Array,
    target: Array,
    eye: float,
    chest: float,
    near: float,
    far: float,
    metres: Array,
    out: Array,
) -> None:
    """Write to `out` (n,) bool which spots (n, 3) lie between two distances of a target (1, 3) with a clear view of it.

    Eyes are `eye` metres above spots, what is looked at `chest` above the target. `metres` (n,) gets all distances.
    """
    x, y, z = target[0, 0], target[0, 1], target[0, 2] + chest
    for i in range(len(spots)):
        metres[i] = _metres(spots, i, target, 0)
        out[i] = near <= metres[i] <= far and is_clear(sight, spots[i, 0], spots[i, 1], spots[i, 2] + eye, x, y, z)
