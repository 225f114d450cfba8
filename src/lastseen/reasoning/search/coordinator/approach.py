"""Phase 1 of a search: the estimated position of the target, and the approach of searchers to it."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, Literal

import numpy as np

from ....checks import finite_number, point_xyz, read_only
from ....conventions import Array, Floats
from ..search_settings import CoordinatorSettings
from ..sight import EYE, Sees
from .searchers import Member, Order, SearchEvent

Outcome = Literal["under way", "reached", "looked round", "nobody"]


class Approach:
    """The rules of phase 1; the state of a search is in its members."""

    def __init__(self, settings: CoordinatorSettings, sees: Sees):
        self._settings = settings
        self._sees = sees

    def first_order(self, member: Member, members: Collection[Member], aggressive: bool, goal: Floats) -> Order:
        """Return the order for a searcher that joins in phase 1; role "none": there are enough already."""
        rules = self._settings
        limit = rules.aggressive_limit if aggressive else rules.cautious_limit
        others = sum(other.order.role == "investigate" for other in members if other is not member)
        if others < limit:
            gait: Literal["walk", "run"] = "run" if aggressive else "walk"
            return Order(member.number, "investigate", gait, goal, "goes to the estimated position")
        if aggressive:
            return Order(member.number, "support", "walk", reason=f"{others} investigate already: covers them")
        return Order(member.number, "none", reason="loses interest: enough investigate already")

    def muster(self, members: Collection[Member], goal: Floats, time: float) -> None:
        """Give all members a new order, those about to go home too; the nearest investigate."""
        for member in members:
            member.order = Order(member.number, "none")
        for member in sorted(members, key=lambda one: float(np.linalg.norm(one.xyz - goal))):
            member.begin(self.first_order(member, members, True, goal), time)

    def work(
        self, members: Collection[Member], aggressive: bool, goal: Floats, time: float
    ) -> tuple[Outcome, list[SearchEvent]]:
        """Advance phase 1 by one step; return its state and what happened."""
        if aggressive:
            self._replace_investigators(members, goal, time)
        investigators = [member for member in members if member.order.role == "investigate"]
        if not investigators:
            return "nobody", []
        near, seen = self._at_place(investigators, goal, time)
        if not aggressive:
            events = []
            for member, in_sight in zip(investigators, seen.tolist()):
                events += self._look_around(member, in_sight, time)
            return ("looked round" if all(member.done for member in investigators) else "under way"), events
        for member, in_sight in zip(investigators, seen.tolist()):
            gait: Literal["careful", "run"] = "careful" if in_sight else "run"
            why = "the place is in sight" if in_sight else "goes to the estimated position"
            member.order = Order(member.number, "investigate", gait, goal, why)
        reached = near.any() or (self._settings.advance == "sight" and seen.any())
        return ("reached" if reached else "under way"), []

    def _replace_investigators(self, members: Collection[Member], goal: Floats, time: float) -> None:
        """Let supporting members replace investigators that are gone."""
        for member in members:
            if member.order.role == "support":
                order = self.first_order(member, members, True, goal)
                if order.role == "investigate":
                    member.head_for(order, time)

    def _at_place(self, investigators: list[Member], goal: Floats, time: float) -> tuple[Array, Array]:
        """Return which investigators are at the place, or as near as they can get, and which see it: (n,) bool each."""
        feet = np.array([member.xyz for member in investigators])
        away = np.linalg.norm(feet - goal, axis=1)
        near = away <= self._settings.arrive
        for row, member in enumerate(investigators):
            near[row] |= member.stuck_for(float(away[row]), time) >= self._settings.stuck_seconds
        return near, near | self._sees(feet + EYE, np.broadcast_to(goal + EYE, feet.shape).copy())

    def _look_around(self, member: Member, in_sight: bool, time: float) -> list[SearchEvent]:
        if in_sight and member.looks_until == math.inf:
            member.looks_until = time + self._settings.look_seconds
            member.order = Order(member.number, "investigate", "walk", None, "looks round: the place is in sight")
        if time >= member.looks_until:
            member.done = True
        elif time - member.began > self._settings.missing_seconds and not member.missed:
            member.missed = True
            return [SearchEvent("investigator missing", time, member.number, member.xyz.copy())]
        return []


class Estimate:
    """The estimated position of the target: follows the true one for a while after sight was lost, then stays.

    Parameters
    ----------
    xyz : where the target was when sight was lost, or where something was perceived.
    time : seconds, when that was.
    grace : seconds for which the true position is still known; 0: not at all.

    Notes
    -----
    Rich Welsh, "Looking for Trouble: Making NPCs Search Realistically": knowing for 2 to 3 s more looks like
    guessing, and avoids extrapolation into walls.
    """

    def __init__(self, xyz: Any, time: float, grace: float):
        self.xyz: Floats = read_only(point_xyz(xyz, "xyz"))
        self.lost = finite_number(time, "time", unit="s")
        self.grace = finite_number(grace, "grace", unit="s", low=0.0, high=1e6)
        self._seen = self.lost

    @property
    def until(self) -> float:
        """Seconds at which the estimate freezes."""
        return self.lost + self.grace

    def update(self, time: float, true_xyz: Any) -> None:
        """Follow the true position; one after the grace is used to interpolate where the target was at its end."""
        time = finite_number(time, "time", unit="s")
        if time <= self._seen or self._seen >= self.until:
            return
        now = point_xyz(true_xyz, "true_xyz")
        share = min((self.until - self._seen) / (time - self._seen), 1.0)
        # Between two steps the target is assumed to have moved in a straight line.
        self.xyz = read_only(self.xyz + share * (now - self.xyz) if share < 1.0 else now)
        self._seen = time
