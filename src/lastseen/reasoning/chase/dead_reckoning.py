"""Dead reckoning: straight on until the floor ends."""

from __future__ import annotations

import numpy as np

from ...checks import finite_number
from ...conventions import Array, Floats
from ...navmesh.locate import nearest_many
from ...navmesh.straight_lines import raycasts
from .layouts import MeshedLayout
from .losses import Losses
from .places import PlacePredictor

__all__ = ["DeadReckoning"]


class DeadReckoning(PlacePredictor):
    """Extrapolate the last direction as far as one can walk straight on, at most `distance` metres.

    Notes
    -----
    What the article's game did first. It gives up at the first wall, though an obvious way goes on (figure 1).
    """

    reasons = ("reached", "wall", "off_mesh", "other_floor", "no_heading")

    def __init__(self, cells: MeshedLayout, *, distance: float = 30.0):
        super().__init__(cells)
        self.distance = finite_number(distance, "distance", unit="m", low=0.0, high=1e5)

    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        start = nearest_many(self.layout.mesh, losses.seen_at).xyz
        # Walking is judged from above: only the level part of a direction counts, at full length.
        flat = losses.heading[:, :2]
        length = np.hypot(flat[:, 0], flat[:, 1])
        unit = flat / np.where(length == 0.0, 1.0, length)[:, None]
        end = start.copy()
        end[:, :2] += self.distance * unit
        hits = raycasts(self.layout.mesh, start, end)
        # Arriving above or below the level of the start is arriving: the line has followed a slope.
        reason = np.where(hits.outcome == self.reasons.index("other_floor"), 0, hits.outcome)
        reason = np.where(length == 0.0, self.reasons.index("no_heading"), reason)
        return hits.xyz.copy(), reason.astype(np.uint8)
