"""The simplest predictors: stay, go to the last or the true position, or straight on until the floor ends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from ....cells.meshed_layout import MeshedLayout, start_cells
from ....cells.query import cells_at, nearest_cells
from ....checks import finite_number
from ....conventions import Array, Floats
from ....errors import QueryError
from ....layers.layer import require_cells
from ....navmesh.query import nearest_many, raycasts
from ..flood.beliefs import guard_cells
from ..loss import Loss, Trail
from ..losses import Losses
from ..prediction import Prediction, Predictions

NEAREST = 2.0
"""Metres within which a place off the cells still finds one, as for floods."""


class PlacePredictor(ABC):
    """A predictor that names places; they are put on the floor."""

    reasons: tuple[str, ...] = ()

    def __init__(self, cells: MeshedLayout):
        require_cells(cells)
        self.layout = cells

    def predict(self, loss: Loss, /) -> Prediction:
        """Where to run now?"""
        return self.predict_many([loss])[0]

    def predict_many(self, losses: Sequence[Loss] | Losses, /) -> Predictions:
        """Where to run now, for each loss?"""
        losses = Losses.of(losses)
        start_cells(self.layout, losses.seen_at, np.full(len(losses), NEAREST), "seen_at")
        places, reason = self._places(losses)
        return self._on_floor(places, reason)

    @abstractmethod
    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        """Return the place (n, 3) for each loss and the reason (n,) as an index into `reasons`."""

    def _on_floor(self, places: Floats, reason: Array) -> Predictions:
        placed = nearest_many(self.layout.mesh, places).xyz.copy()
        cell = cells_at(self.layout, placed).copy()
        cell[cell < 0] = nearest_cells(self.layout, placed[cell < 0])
        for array in (placed, cell, reason):
            array.setflags(write=False)
        return Predictions(placed, cell, reason, self.reasons)


class StandStill(PlacePredictor):
    """The guard stays where it is (where that is unknown: where the target was last seen); the lower bound."""

    reasons = ("stayed",)

    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        known = ~np.isnan(losses.guard_at)
        guard_cells(self.layout, losses.guard_at)
        return np.where(known, losses.guard_at, losses.seen_at), np.zeros(len(losses), np.uint8)


class LastPosition(PlacePredictor):
    """The guard goes to where the target was last seen, and no further."""

    reasons = ("last_seen",)

    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        return losses.seen_at.copy(), np.zeros(len(losses), np.uint8)


class OmniscientTrail(PlacePredictor):
    """The guard knows where the target is, `ahead` seconds from now: unfair, an upper bound to measure others by."""

    reasons = ("omniscient",)

    def __init__(self, cells: MeshedLayout, *, ahead: float = 3.0):
        super().__init__(cells)
        self.ahead = finite_number(ahead, "ahead", unit="s", low=0.0, high=1e4)

    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        trails = require_trails(losses)
        places = [trail.at(seconds + self.ahead) for trail, seconds in zip(trails, losses.seconds.tolist())]
        return np.array(places).reshape(-1, 3), np.zeros(len(losses), np.uint8)


def require_trails(losses: Losses) -> list[Trail]:
    """Return the trail of every loss, or say which one has none."""
    trails = losses.trails or (None,) * len(losses)
    for number, trail in enumerate(trails):
        if trail is None:
            raise QueryError(f"loss {number} has no trail; omniscient predictors need where the target really went")
    return [trail for trail in trails if trail is not None]


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
