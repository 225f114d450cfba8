"""Step 3: keep the agent's radius away from walls and ledges."""

from __future__ import annotations

import math

from ...errors import BakeError
from ...kernels.voxel_erode import border_distance
from .filter import OpenSpans

__all__ = ["erode"]


def erode(spans: OpenSpans) -> OpenSpans:
    """Drop open spans nearer to a border than the agent's radius, rounded up to whole voxels."""
    border = spans.grid.border
    if border == 0:
        return spans
    distance = border_distance(spans.link)
    keep = distance >= 2 * border
    if not keep.any():
        agent, voxel = spans.grid.agent, spans.grid.settings.voxel
        widest = (int(distance.max()) // 2 + 1) * voxel
        raise BakeError(
            f"no walkable place: a radius of {agent.radius:g} m ({border} voxels) is wider than every passage; "
            f"the widest place allows a radius below {widest:g} m: give a smaller radius"
            + (f", or a voxel that divides it (now {voxel:g} m)" if math.fmod(agent.radius, voxel) > 1e-6 else "")
        )
    return spans.only(keep)
