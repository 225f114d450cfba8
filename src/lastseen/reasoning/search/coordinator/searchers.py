"""Searchers of a coordinated search: their orders, their progress, and events about them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ....conventions import Floats
from ....vocabulary.events import SearchEnd

Mode = Literal["cautious", "aggressive"]
"""Cautious: alerted, perhaps not by an enemy. Aggressive: the target is known to be hostile."""

StimulusClass = Literal["hostile", "distraction"]
"""What a stimulus means to an unaware searcher: gunfire or an explosion, or a thrown bottle or a fallen prop."""

Role = Literal["combat", "investigate", "support", "sweep", "linger", "none"]

_NEARER = 0.05
"""Metres by which a searcher must approach its goal to make progress."""


@dataclass(frozen=True, eq=False)
class SpotChoice:
    """The spot assigned to a searcher, and its score.

    Attributes
    ----------
    spot : number of the spot.
    xyz : (3,) metres.
    score : sum of the terms; higher is better.
    terms : (4,) float64: contributions of estimate, searcher, actual position and influence.
    candidates : number of spots that were free.
    """

    spot: int
    xyz: Floats
    score: float
    terms: Floats
    candidates: int


@dataclass(frozen=True, eq=False)
class Order:
    """What one searcher should do now.

    Attributes
    ----------
    searcher : its number.
    role : "combat": the target is visible, do not search. "investigate": go to the estimated position. "support": stay
        near and cover. "sweep": go to a search spot. "linger": the search is over, go back when told. "none": takes no
        part in a search.
    gait : "walk", "run" or "careful" (slow, close to the place).
    goal : (3,) metres, or None: stay.
    reason : explanation as text.
    choice : the assigned spot and its score, with role "sweep".
    """

    searcher: int
    role: Role
    gait: Literal["walk", "run", "careful"] = "walk"
    goal: Floats | None = None
    reason: str = ""
    choice: SpotChoice | None = None


@dataclass(frozen=True, eq=False)
class SearchEvent:
    """An event that a game may show as dialogue, animation or a new stimulus.

    Attributes
    ----------
    kind : "search started", "phase advanced", "spot searched", "investigator missing", "search ended", "gives up".
    time : seconds.
    searcher : number of the searcher, -1: all.
    xyz : (3,) metres, if the event has a place.
    reason : why a search ended, or a searcher gave up.
    mode : mode of a search that started.
    """

    kind: str
    time: float
    searcher: int = -1
    xyz: Floats | None = None
    reason: SearchEnd | None = None
    mode: Mode | None = None


class Member:
    """A searcher that takes part in a search.

    Attributes
    ----------
    number : its id.
    xyz, heading : its position and the direction it looks in.
    order : its current order.
    began : seconds at which it joined.
    looked : seconds of its last look at spots.
    looks_until : seconds until which it looks around; infinite: it has not reached the place.
    leaves, why : seconds at which it gives up, infinite: not decided; and the reason.
    done : whether it has looked around.
    missed : whether it was reported missing.
    """

    def __init__(self, number: int, xyz: Floats):
        self.number = number
        self.xyz: Floats = xyz
        self.heading = 0.0
        self.order = Order(number, "none")
        self.began = 0.0
        self.looked = -math.inf
        self.looks_until = math.inf
        self.leaves = math.inf
        self.why: SearchEnd | None = None
        self.done = False
        self.missed = False
        self._nearest = math.inf
        self._nearer_at = 0.0

    def begin(self, order: Order, time: float) -> None:
        """Join a search, or start over in it."""
        self.head_for(order, time)
        self.began = time
        self.looked, self.looks_until, self.leaves = -math.inf, math.inf, math.inf
        self.done = self.missed = False

    def head_for(self, order: Order, time: float) -> None:
        """Take an order with a new goal."""
        self.order = order
        self._nearest, self._nearer_at = math.inf, time

    def stuck_for(self, metres: float, time: float) -> float:
        """Return the seconds since the searcher last came nearer to its goal, now `metres` away."""
        if metres < self._nearest - _NEARER:
            self._nearest, self._nearer_at = metres, time
        return time - self._nearer_at
