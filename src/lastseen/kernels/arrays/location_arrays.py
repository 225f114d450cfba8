"""Arrays of the candidates and places of a location query."""

from __future__ import annotations

from typing import NamedTuple

from ...conventions import Array


class Rows(NamedTuple):
    """Candidates of all askers, one row each; the rows of an asker are consecutive."""

    cell: Array  # int32 (r,)
    asker: Array  # int32 (r,)
    xyz: Array  # float32 (N, 3)  position of every cell of the layout


class PlaceArrays(NamedTuple):
    """Points with one name, shared by all askers or separate for each.

    Points of asker `i` are `start[i] … start[i + 1] - 1`; if `start` has two entries, all askers share them. A point
    that is an asker itself (`owner`) does not count for that asker.
    """

    xyz: Array  # float64 (m, 3)
    facing: Array  # float64 (m, 2)  unit vector in which each faces; NaN: unknown
    start: Array  # int64 (n + 1,) or (2,)
    owner: Array  # int32 (m,)  -1: none
