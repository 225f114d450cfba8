"""Zones over cells."""

from __future__ import annotations

import numpy as np
import shapely

from ..conventions import Array, Bools
from ..level.features import Zone

_ZONE_STEP = 0.5
"""Metres a floor may lie below a zone and still belong to it."""


def inside_zone(zone: Zone, xyz: Array) -> Bools:
    """Return which positions lie in a zone, border included."""
    x, y, z = xyz.astype(np.float64).T
    level = (z >= zone.z - _ZONE_STEP) & (z <= zone.z + zone.height)
    found: Bools = level & shapely.intersects_xy(shapely.Polygon(zone.outline_xy), x, y)
    return found
