"""Avenues of approach: the ground between two sides, which a flank avoids."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from ...checks import finite_number, frozen, point_xyz, points_xyz, read_only, shown
from ...conventions import Bools, Floats
from ...errors import InputError
from ...kernels.walk.cost_field import CAPSULE, TRAPEZOID, shape_costs
from ...navmesh.navmesh import AnyMesh
from ...navmesh.query import find_path
from .cost_field import MOST_COST, CostField

_WIDEST = 1e4


@dataclass(frozen=True, eq=False)
class Avenue:
    """Ground that a route should avoid whatever the detour: it costs `strength` per metre.

    Attributes
    ----------
    kind : "trapezoid": two trapezoids joined at their wide ends; "corridor": everything near a path.
    path_xyz : (p, 3) metres, the ends of the trapezoids, or the path.
    narrow, wide : half widths in metres at the two ends and in the middle; a corridor is `narrow` throughout.
    strength : extra cost per metre inside.
    reach_z : metres above and below within which it counts.
    """

    kind: str
    path_xyz: Any
    narrow: float
    wide: float
    strength: float = 100.0
    reach_z: float = 3.0
    shape: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in ("trapezoid", "corridor"):
            raise InputError(f"kind is {shown(self.kind)}; give 'trapezoid' or 'corridor'")
        path = points_xyz(self.path_xyz, "path_xyz")
        if len(path) < 2 or (self.kind == "trapezoid" and len(path) != 2):
            raise InputError(f"path_xyz has {len(path)} points; a trapezoid needs two, a corridor two or more")
        narrow = finite_number(self.narrow, "narrow", unit="m", low=0.0, high=_WIDEST)
        wide = finite_number(self.wide, "wide", unit="m", low=narrow, high=_WIDEST)
        finite_number(self.strength, "strength", low=0.0, high=MOST_COST, open_low=True)
        finite_number(self.reach_z, "reach_z", unit="m", low=0.0, high=_WIDEST)
        object.__setattr__(self, "path_xyz", frozen(path))
        code = TRAPEZOID if self.kind == "trapezoid" else CAPSULE
        rows = []
        for one, other in pairwise(path):
            middle, half = (one[2] + other[2]) / 2.0, abs(one[2] - other[2]) / 2.0
            toward = (other - one)[:2].tolist()
            rows.append([code, one[0], one[1], middle, *toward, narrow, wide, 0.0, self.strength, half + self.reach_z])
        object.__setattr__(self, "shape", read_only(np.array(rows)))

    def contains(self, points: Any) -> Bools:
        """Return which of `points` (n, 3) lie in it, (n,) bool."""
        places = points_xyz(points)
        out = np.empty(len(places))
        shape_costs(self.shape, places, out)
        return read_only(out > 0.0)

    def field(self) -> CostField:
        """Return the cost of crossing it."""
        return CostField.of_shapes(self.shape)


def avenue(
    mesh: AnyMesh,
    one_xyz: Any,
    other_xyz: Any,
    *,
    narrow: float = 1.5,
    wide: float = 6.0,
    strength: float = 100.0,
    reach_z: float = 3.0,
) -> Avenue:
    """Return the ground over which two sides approach each other.

    It is the double trapezoid between them if that covers the shortest path; otherwise, if the path bends far aside, a
    corridor along it, `wide` to both sides but at most half its length.

    Notes
    -----
    Kevin Dill, "Spatial Reasoning for Strategic Decision Making": a flank plans its path without this ground; the
    trapezoids count only if the whole shortest path lies under them.
    """
    one, other = point_xyz(one_xyz, "one_xyz"), point_xyz(other_xyz, "other_xyz")
    shape = Avenue("trapezoid", np.stack([one, other]), narrow, wide, strength, reach_z)
    path = find_path(mesh, one, other)
    inner = path.points_xyz[1:-1]
    if not path.reached or not len(inner) or bool(shape.contains(inner).all()):
        return shape
    half = max(narrow, min(wide, math.dist(one[:2], other[:2]) / 2.0))
    return Avenue("corridor", path.points_xyz, half, half, strength, reach_z)
