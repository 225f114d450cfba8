"""What a searcher should do next, whichever kind of search is on."""

from __future__ import annotations

from dataclasses import dataclass

from ...reasoning.search.coordinator.searchers import Order, Role, SpotChoice
from ...reasoning.search.map.destination import Destination
from ..bodies.orders import Gait

Place = tuple[float, float, float]

_GAITS: dict[str, tuple[Gait, float]] = {"walk": ("walk", 1.4), "run": ("run", 0.8), "careful": ("walk", 0.8)}
"""Gait and pace of each manner in which a coordinator sends somebody."""


@dataclass(frozen=True)
class SearchOrder:
    """Where to and how.

    Attributes
    ----------
    role : "none": there is nothing to do; else as in `reasoning.search.coordinator.searchers`.
    goal : metres; None: the searcher finds a place of its own, or stays.
    gait, pace : how it goes there.
    reason : why, in words.
    found, choice : the place on the search map, or the spot of a coordinator, with its terms; None: neither.
    """

    role: Role
    goal: Place | None = None
    gait: Gait = "walk"
    pace: float = 1.4
    reason: str = ""
    found: Destination | None = None
    choice: SpotChoice | None = None


def by_influence(found: Destination) -> SearchOrder:
    """Return the order a destination of the search map means; where nothing is left to look at, wait and look round."""
    if found.cell < 0:
        return SearchOrder("linger", reason=found.explain())
    x, y, z = found.xyz.tolist()
    return SearchOrder("sweep", (x, y, z), reason=found.explain(), found=found)


def by_coordinator(order: Order) -> SearchOrder:
    """Return a coordinator's order with gait and pace."""
    gait, pace = _GAITS[order.gait]
    goal: Place | None = None
    if order.goal is not None:
        x, y, z = order.goal.tolist()
        goal = (x, y, z)
    return SearchOrder(order.role, goal, gait, pace, order.reason, choice=order.choice)
