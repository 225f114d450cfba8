"""How far is each open span from the nearest place one cannot walk to?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import jit

__all__ = ["border_distance"]

FAR = np.uint16(0xFFFF)
EAST, NORTH, WEST, SOUTH = 0, 1, 2, 3


@jit
def _relax(link: Array, distance: Array, s: int, side: int, onward: int) -> None:
    """Shorten the distance of `s` by way of its neighbour at `side`, and that one's neighbour at `onward`."""
    n = link[s, side]
    if n < 0:
        return
    i = np.uint32(n)
    if distance[i] + 2 < distance[s]:
        distance[s] = distance[i] + np.uint16(2)
    n = link[i, onward]
    if n >= 0 and distance[np.uint32(n)] + 3 < distance[s]:
        distance[s] = distance[np.uint32(n)] + np.uint16(3)


@jit
def border_distance(link: Array) -> Array:
    """Return the distance in half voxels, (N,) uint16: 2 a step straight, 3 a step aslant, 0 at the border itself.

    Two sweeps over spans that lie in row order (Borgefors' chamfer distance), as Recast measures it.
    """
    distance = np.full(len(link), FAR - np.uint16(3), np.uint16)
    for s in range(len(link)):
        i = np.uint32(s)
        for direction in range(4):
            if link[i, direction] < 0:
                distance[i] = 0
        if distance[i]:
            _relax(link, distance, i, WEST, SOUTH)
            _relax(link, distance, i, SOUTH, EAST)
    for s in range(len(link) - 1, -1, -1):
        i = np.uint32(s)
        if distance[i]:
            _relax(link, distance, i, EAST, NORTH)
            _relax(link, distance, i, NORTH, WEST)
    return distance
