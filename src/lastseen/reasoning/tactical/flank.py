"""Plan flanks around a line of combat: the line, the ground to avoid, and paths around both."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from ...checks import finite_number, frozen, instance_of, point_xyz, points_xyz, read_only, real_array, shown
from ...conventions import Bools, Floats
from ...errors import InputError
from ...kernels.walk.cost_field import CAPSULE, LINE, TRAPEZOID, shape_costs
from ...navmesh.navmesh import AnyMesh
from ...navmesh.query import find_path
from ..input_checks import one_or_each
from .cheapest_paths import CheapestPaths, CostPaths
from .cost_field import MOST_COST, NO_COST, CostField

_NOWHERE = 1e-6
"""Metres: a fighter nearer than this to the target gives no direction."""
_FARTHEST = 1e4
_WIDEST = 1e4
_EVERY = 0.5
"""Metres between sampled places of a path."""


@dataclass(frozen=True, eq=False)
class CombatLine:
    """A fixed shape along the direction of combat: most expensive on its centre line, free beyond its half width.

    Attributes
    ----------
    origin_xyz : (3,) metres, where the target stands.
    direction : (2,) float64 unit vector from the target towards its attackers; zeros: none.
    half_width : metres to each side at which the cost reaches 0.
    ahead : metres from the target along the line with the full cost; it fades over another half width.
    behind : metres behind the target over which it fades.
    strength : extra cost per metre on the centre line.
    reach_z : metres above and below the target within which it counts, to exclude other storeys.

    Notes
    -----
    Travis McIntosh, "Human Enemy AI in *The Last of Us*": a fixed shape along the combat vector, with the highest cost
    on the centre line; obstacles are left to the path. The source leaves shape and numbers open; these are ours.
    """

    origin_xyz: Any
    direction: Any
    half_width: float = 6.0
    ahead: float = 20.0
    behind: float = 2.0
    strength: float = 10.0
    reach_z: float = 3.0
    shape: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        origin = point_xyz(self.origin_xyz, "origin_xyz")
        toward = real_array(self.direction, "direction", "(x, y)")
        if toward.shape != (2,) or not np.isfinite(toward).all():
            raise InputError(f"direction has shape {toward.shape}; give (x, y), finite, (0, 0) for none")
        length = math.hypot(*toward.tolist())
        unit = toward / length if length > 0.0 else toward
        for name in ("half_width", "ahead", "behind", "reach_z"):
            finite_number(getattr(self, name), name, unit="m", low=0.0, high=_FARTHEST, open_low=name != "ahead")
        finite_number(self.strength, "strength", low=0.0, high=MOST_COST)
        object.__setattr__(self, "origin_xyz", read_only(origin))
        object.__setattr__(self, "direction", read_only(np.array(unit)))
        row = [LINE, *origin, *unit, self.ahead, self.behind, self.half_width, self.strength, self.reach_z]
        object.__setattr__(self, "shape", read_only(np.array([row])))

    @property
    def has_direction(self) -> bool:
        """Whether the direction of the attackers is known."""
        return bool(self.direction.any())

    def field(self) -> CostField:
        """Return the cost of being near the line; none without a direction."""
        return CostField.of_shapes(self.shape) if self.has_direction else NO_COST

    def costs(self, points: Any) -> Floats:
        """Return the extra cost per metre at each of `points` (n, 3), (n,) float64."""
        return self.field().shape_values(points)

    def aside(self, points: Any) -> Floats:
        """Return how far `points` (n, 3) are from the line, (n,) metres, + counter-clockwise of its direction."""
        away = points_xyz(points)[:, :2] - self.origin_xyz[:2]
        return read_only(away[:, 1] * self.direction[0] - away[:, 0] * self.direction[1])


def combat_line(target_xyz: Any, fighters_xyz: Any, shots: Any = 1.0, **shape: float) -> CombatLine:
    """Return the line along which a target is attacked.

    Parameters
    ----------
    target_xyz : (3,) metres.
    fighters_xyz : (n, 3) metres, the agents that fight it.
    shots : weights of 0 or more, one for each: how much it shot recently. If all are 0, all count equally.
    shape : `half_width`, `ahead`, `behind`, `strength`, `reach_z` of the `CombatLine`.
    """
    target, fighters = point_xyz(target_xyz, "target_xyz"), points_xyz(fighters_xyz, "fighters_xyz")
    weight = one_or_each(shots, len(fighters), "shots", "weights of 0 or more", low=0.0)
    if not weight.sum() > 0.0:
        weight[:] = 1.0
    toward = np.zeros(2)
    if len(fighters):
        toward = np.average(fighters, axis=0, weights=weight)[:2] - target[:2]
    if math.hypot(*toward.tolist()) < _NOWHERE:
        toward = np.zeros(2)
    return CombatLine(target, toward, **shape)


@dataclass(frozen=True, eq=False)
class Avenue:
    """Ground that a path should avoid whatever the detour: it costs `strength` per metre.

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


@dataclass(frozen=True, eq=False)
class Flanks:
    """Flanking paths for n flankers.

    Attributes
    ----------
    paths : the path of each, including costs along the cells.
    aside : (n,) float64, greatest distance from the centre line in metres; + counter-clockwise of its direction.
    inside : (n,) float64, metres of it through excluded ground, including its two ends.
    best : the flanker with the cheapest path; -1: none has one.
    """

    paths: CostPaths
    aside: Floats
    inside: Floats
    best: int


def flank_paths(
    paths: CheapestPaths,
    line: CombatLine,
    flankers_xyz: Any,
    *,
    excluded: Avenue | None = None,
    field: CostField = NO_COST,
    goal_xyz: Any = None,
    most: Any = np.inf,
) -> Flanks:
    """Find paths by which `flankers_xyz` (n, 3) reach the target of a line without running down that line.

    Parameters
    ----------
    excluded : ground to avoid whatever the detour, if there is another path at all.
    field : further costs: exposure, danger.
    goal_xyz : (n, 3) goal of each; None: the target.
    most : maximum cost of a path, beyond which it is given up ("too_costly"); one or (n,).

    Notes
    -----
    The coordinator of *The Last of Us* lets only the agent with the cheapest path flank: `best`.
    """
    instance_of(paths, CheapestPaths, "paths", "create it once with CheapestPaths(layout)")
    instance_of(line, CombatLine, "line", "create one with combat_line(…)")
    instance_of(field, CostField, "field", "give a CostField")
    flankers = points_xyz(flankers_xyz, "flankers_xyz")
    goals = np.tile(line.origin_xyz, (len(flankers), 1)) if goal_xyz is None else points_xyz(goal_xyz, "goal_xyz")
    total = line.field() + field
    if excluded is not None:
        total += instance_of(excluded, Avenue, "excluded", "create one with avenue(…)").field()
    found = paths.find(flankers, goals, total, most=most)
    aside, inside = np.zeros(len(flankers)), np.zeros(len(flankers))
    for i, path in enumerate(found):
        if not path.reached:
            continue
        places, metres = _along(path.points_xyz)
        off = line.aside(places)
        aside[i] = off[np.argmax(np.abs(off))]
        if excluded is not None:
            inside[i] = float(metres[excluded.contains(places)].sum())
    cheapest = int(np.argmin(found.cost)) if found.reached.any() else -1
    return Flanks(found, read_only(aside), read_only(inside), cheapest)


def _along(points: Floats) -> tuple[Floats, Floats]:
    """Return places along a path and the metres each stands for."""
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    parts = np.maximum(np.ceil(lengths / _EVERY).astype(np.int64), 1)
    leg = np.repeat(np.arange(len(parts)), parts)
    share = (np.arange(len(leg)) - np.repeat(np.cumsum(parts) - parts, parts) + 0.5) / parts[leg]
    places = points[leg] + steps[leg] * share[:, None]
    return places, lengths[leg] / parts[leg]
