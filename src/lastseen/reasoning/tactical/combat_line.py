"""The line of combat: where it runs, and the cost of being near it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...checks import finite_number, point_xyz, points_xyz, read_only, real_array
from ...conventions import Floats
from ...errors import InputError
from ...kernels.walk.cost_field import LINE
from .cost_field import MOST_COST, NO_COST, CostField

_NOWHERE = 1e-6
"""Metres: a fighter nearer than this to the target gives no direction."""
_FARTHEST = 1e4


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
        """Return how far `points` (n, 3) are left (+) or right (-) of the line, seen from the target, (n,) metres."""
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
    given = real_array(shots, "shots", "numbers of 0 or more, one or one for each fighter")
    allowed = ((), (len(fighters),))
    if given.shape not in allowed or not (np.isfinite(given) & (given >= 0.0)).all():
        raise InputError(
            f"shots has shape {given.shape}; give a number of 0 or more, or one for each of {len(fighters)}"
        )
    weight = np.full(len(fighters), given)
    if not weight.sum() > 0.0:
        weight[:] = 1.0
    toward = np.zeros(2)
    if len(fighters):
        toward = np.average(fighters, axis=0, weights=weight)[:2] - target[:2]
    if math.hypot(*toward.tolist()) < _NOWHERE:
        toward = np.zeros(2)
    return CombatLine(target, toward, **shape)
