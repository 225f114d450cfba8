"""Weather: how far agents see, and how well they hear, outdoors."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Bools, Floats, Ids
from ...kernels.arrays.agent_arrays import BodyArrays
from ...level.features import Zone
from .lighting import within

WEATHERS = {"clear": (math.inf, 1.0), "rain": (20.0, 0.5), "fog": (8.0, 1.0), "dust storm": (5.0, 0.4)}
"""By name, the metres at which agents are still seen, and the factor on the radius at which sounds are heard. Ours."""


class Weather:
    """The weather of a world, which limits sight and hearing in zones of the kind "outdoors".

    A level without such zones lies outdoors as a whole.
    """

    def __init__(self, zones: tuple[Zone, ...], kind: str):
        self.kind = kind
        self._outdoors = [zone for zone in zones if zone.kind == "outdoors"]

    @property
    def is_clear(self) -> bool:
        """Whether it limits nothing."""
        return self.kind == "clear"

    def outdoors(self, xyz: Floats) -> Bools:
        """Return which places (n, 3) are outdoors."""
        if not self._outdoors:
            return np.ones(len(xyz), np.bool_)
        return np.logical_or.reduce([within(zone, xyz) for zone in self._outdoors])

    def farthest(self, bodies: BodyArrays, observers: Ids, targets: Ids) -> Floats:
        """Return how far each observer could see each target, (n, m) metres: limited if either is outdoors."""
        out = self.outdoors(bodies.xyz)
        return np.where(out[observers][:, None] | out[targets][None, :], WEATHERS[self.kind][0], math.inf)

    def hearing(self, bodies: BodyArrays, observers: Ids) -> Floats:
        """Return the factor on the hearing of each observer, (n,)."""
        return np.where(self.outdoors(bodies.xyz[observers]), WEATHERS[self.kind][1], 1.0)
