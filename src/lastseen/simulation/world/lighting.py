"""Lighting: the light of places, by the zones of the level."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...conventions import Array, Bools, Floats
from ...level.features import Zone

DARK = 0.2
"""Light in a zone of the kind "dark", 0 … 1; in one of the kind "lit" it is 1. Our choice."""
_KINDS = {"dark": DARK, "lit": 1.0}
_BELOW = 0.6
"""Metres by which a zone extends below its floor, as bodies stand on slopes and steps."""


class Lighting:
    """Light of places, 0 … 1: that of the first zone with a light, else `usual`.

    Parameters
    ----------
    by_name : light of zones by their name, whatever their kind.
    """

    def __init__(self, zones: tuple[Zone, ...], usual: float, by_name: Mapping[str, float]):
        self._zones = zones
        self.usual = usual
        self.light: list[float | None] = [by_name.get(zone.name, _KINDS.get(zone.kind)) for zone in zones]

    def switch(self, name: str, light: float) -> None:
        """Set the light of all zones with a name."""
        self.light = [light if zone.name == name else old for zone, old in zip(self._zones, self.light)]

    def at(self, xyz: Floats) -> Floats:
        """Return the light at each place (n, 3), (n,)."""
        found = np.full(len(xyz), self.usual)
        free = np.ones(len(xyz), np.bool_)
        for zone, light in zip(self._zones, self.light):
            if light is not None:
                lit = free & within(zone, xyz)
                found[lit] = light
                free &= ~lit
        return found


def within(zone: Zone, xyz: Floats) -> Bools:
    """Return which places are in a zone, by the even-odd rule."""
    found = np.zeros(len(xyz), np.bool_)
    x, y = xyz[:, 0], xyz[:, 1]
    outline: Array = zone.outline_xy
    for (x0, y0), (x1, y1) in zip(outline.tolist(), np.roll(outline, -1, axis=0).tolist()):
        if y0 != y1:
            found ^= ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return found & (xyz[:, 2] >= zone.z - _BELOW) & (xyz[:, 2] <= zone.z + zone.height)
