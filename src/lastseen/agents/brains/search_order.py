"""What a searcher should do next, whichever kind of search is on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...reasoning.search.coordinator.modes import Order, Role
from ...reasoning.search.map.destination import Destination
from ..bodies.orders import Gait

__all__ = ["SearchOrder", "by_coordinator", "by_influence"]

Place = tuple[float, float, float]

_GAITS: dict[str, tuple[Gait, float]] = {"walk": ("walk", 1.4), "run": ("run", 0.8), "careful": ("walk", 0.8)}
"""Gait and pace of each manner in which a coordinator sends somebody."""


@dataclass(frozen=True)
class SearchOrder:
    """Where to and how.

    Attributes
    ----------
    role : "none": there is nothing to do; else as in `reasoning.search.modes`.
    goal : metres; None: the searcher finds a place of its own, or stays.
    gait, pace : how it goes there.
    reason : why, in words.
    data : numbers behind it, for recordings.
    """

    role: Role
    goal: Place | None = None
    gait: Gait = "walk"
    pace: float = 1.4
    reason: str = ""
    data: dict[str, Any] = field(default_factory=dict)


def by_influence(found: Destination) -> SearchOrder:
    """Return the order a destination of the search map means; where nothing is left to look at, wait and look round."""
    if found.cell < 0:
        return SearchOrder("linger", reason=found.explain())
    x, y, z = found.xyz.tolist()
    numbers = {name: getattr(found, name).tolist() for name in ("scores", "terms", "metres")}
    return SearchOrder("sweep", (x, y, z), reason=found.explain(), data={"cells": found.best.tolist()} | numbers)


def by_coordinator(order: Order) -> SearchOrder:
    """Return a coordinator's order with gait and pace."""
    gait, pace = _GAITS[order.gait]
    goal: Place | None = None
    if order.goal is not None:
        x, y, z = order.goal.tolist()
        goal = (x, y, z)
    data: dict[str, Any] = {"role": order.role}
    if order.choice is not None:
        data |= {"spot": order.choice.spot, "score": order.choice.score, "terms": order.choice.terms.tolist()}
    return SearchOrder(order.role, goal, gait, pace, order.reason, data)
