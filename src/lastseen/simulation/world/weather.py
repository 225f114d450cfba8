"""Weather: how far agents see, and how well they hear, outdoors."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Bools, Floats, Ids
from ...kernels.arrays.agent_arrays import BodyArrays
from ...level.features import Zone
from .lighting import crossings, within

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

    @property
    def reach(self) -> float:
        """The metres at which agents are still seen outdoors."""
        return WEATHERS[self.kind][0]

    @property
    def corners(self) -> list[Floats]:
        """The outlines of what is outdoors, (k, 2) metres each."""
        return [zone.outline_xy for zone in self._outdoors]

    @property
    def number(self) -> int:
        """The number of its kind, as recorded."""
        return tuple(WEATHERS).index(self.kind)

    @number.setter
    def number(self, given: int) -> None:
        self.kind = tuple(WEATHERS)[given]

    def outdoors(self, xyz: Floats) -> Bools:
        """Return which places (n, 3) are outdoors."""
        if not self._outdoors:
            return np.ones(len(xyz), np.bool_)
        return np.logical_or.reduce([within(zone, xyz) for zone in self._outdoors])

    def sight(self, eyes: Floats, places: Floats) -> Floats:
        """Return how far each eye (n, 3) could see each place (m, 3), in metres: limited if the line goes outdoors."""
        in_open = self.outdoors(eyes)[:, None] | self.outdoors(places)[None, :]
        if not in_open.all():
            for zone in self._outdoors:
                in_open |= np.isfinite(crossings(zone, eyes, places))
        return np.where(in_open, self.reach, math.inf)

    def ends(self, eye: Floats, places: Floats) -> Floats:
        """Return how many metres an eye (3,) sees on its way to each place (m, 3)."""
        if self.is_clear or self.outdoors(eye[None])[0]:
            return np.full(len(places), self.reach)
        first = np.full(len(places), np.inf)
        for zone in self._outdoors:
            np.minimum(first, crossings(zone, eye[None], places)[0], out=first)
        return np.maximum(self.reach, first * np.linalg.norm(places - eye, axis=1))

    def farthest(self, bodies: BodyArrays, observers: Ids, targets: Ids) -> Floats:
        """Return how far each observer could see each target, (n, m) metres."""
        return self.sight(bodies.xyz[observers], bodies.xyz[targets])

    def hearing(self, xyz: Floats) -> Floats:
        """Return the factor on the hearing at places (n, 3), (n,)."""
        return np.where(self.outdoors(xyz), WEATHERS[self.kind][1], 1.0)
