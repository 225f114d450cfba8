"""The view of a guard as drawn: an outline without spikes of zero width."""

from __future__ import annotations

import numpy as np

from ...conventions import Floats
from ...level.sight.query import visible_area
from ...level.sight.sight import Sight
from ...reasoning.placement.guard_routes import GuardRoute

__all__ = ["guard_view", "without_spikes"]

_FLAT = 1e-6


def guard_view(sight: Sight, route: GuardRoute, pose: Floats) -> Floats:
    """Return the outline (n, 2) of what a guard sees in a pose x, y, z, heading; fewer than 3 points if nothing."""
    x, y, z, heading = pose.tolist()
    kind = route.kind
    outline = visible_area(sight, (x, y, z + kind.eye_height), heading, kind.view_angle, kind.view_distance)
    return without_spikes(outline)


def without_spikes(outline: Floats) -> Floats:
    """Return a ring without points at which it doubles back, which come from rays that graze a corner."""
    ring = np.asarray(outline, np.float64)
    while len(ring) > 2:
        before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
        size = np.hypot(*before.T) * np.hypot(*after.T)
        cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
        spike = (np.abs(cross) <= _FLAT * size) & ((before * after).sum(axis=1) <= 0.0)
        if not spike.any():
            break
        # Remove one at a time: its neighbours may be fine once it is gone.
        ring = np.delete(ring, int(np.flatnonzero(spike)[0]), axis=0)
    return ring
