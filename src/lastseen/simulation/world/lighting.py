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


def crossings(zone: Zone, starts: Floats, ends: Floats) -> Floats:
    """Return the share 0 … 1 of each line at which it first meets a zone's outline, (n, m); infinite: it does not.

    Lines lead from each start (n, 3) to each end (m, 3).
    """
    found = np.full((len(starts), len(ends)), np.inf)
    outline: Array = zone.outline_xy
    for (x0, y0), (x1, y1) in zip(outline.tolist(), np.roll(outline, -1, axis=0).tolist()):
        one, other = ((x1 - x0) * (xyz[:, 1] - y0) - (y1 - y0) * (xyz[:, 0] - x0) for xyz in (starts, ends))
        before, after = one[:, None], other[None, :]
        crosses = (before > 0.0) != (after > 0.0)
        share = before / np.where(crosses, before - after, 1.0)
        x, y, z = (starts[:, at, None] + share * (ends[None, :, at] - starts[:, at, None]) for at in range(3))
        along = (x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)
        crosses &= (along >= 0.0) & (along <= (x1 - x0) ** 2 + (y1 - y0) ** 2)
        crosses &= (z >= zone.z - _BELOW) & (z <= zone.z + zone.height)
        np.minimum(found, np.where(crosses, share, np.inf), out=found)
    return found
