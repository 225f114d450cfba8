"""Phase 1: the estimated position of the target, and the approach of searchers to it."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from ....checks import finite_number, point_xyz, read_only
from ....conventions import Array, Floats
from ..sight import EYE, Sees
from .members import Member, Members
from .modes import CoordinatorSettings, Order, SearchEvent

Outcome = Literal["under way", "reached", "looked round", "nobody"]


class Approach:
    """The rules of phase 1; keeps nothing but its settings: what has happened is with the members."""

    def __init__(self, settings: CoordinatorSettings, sees: Sees):
        self._settings = settings
        self._sees = sees

    def first_order(self, member: Member, members: Members, aggressive: bool, goal: Floats) -> Order:
        """What should one do who comes in phase 1? Role "none": enough are there already."""
        rules = self._settings
        limit = rules.aggressive_limit if aggressive else rules.cautious_limit
        others = sum(other.order.role == "investigate" for other in members if other is not member)
        if others < limit:
            gait: Literal["walk", "run"] = "run" if aggressive else "walk"
            return Order(member.number, "investigate", gait, goal, "goes to the estimated position")
        if aggressive:
            return Order(member.number, "support", "walk", reason=f"{others} investigate already: covers them")
        return Order(member.number, "none", reason="loses interest: enough investigate already")

    def muster(self, members: Members, goal: Floats, time: float) -> None:
        """Give everybody who takes part, or has not gone home yet, a new part; the nearest investigate."""
        for member in members:
            member.order = Order(member.number, "none")
        for member in sorted(members, key=lambda one: float(np.linalg.norm(one.xyz - goal))):
            member.begin(self.first_order(member, members, True, goal), time)

    def work(self, members: Members, aggressive: bool, goal: Floats, time: float) -> tuple[Outcome, list[SearchEvent]]:
        """Let phase 1 go on by one step; how far is it, and what happened?"""
        if aggressive:
            self._fill_up(members, goal, time)
        investigators = [member for member in members if member.order.role == "investigate"]
        if not investigators:
            return "nobody", []
        near, seen = self._at_place(investigators, goal, time)
        if not aggressive:
            events = []
            for member, in_sight in zip(investigators, seen.tolist()):
                events += self._look_round(member, in_sight, time)
            return ("looked round" if all(member.done for member in investigators) else "under way"), events
        for member, in_sight in zip(investigators, seen.tolist()):
            gait: Literal["careful", "run"] = "careful" if in_sight else "run"
            why = "the place is in sight" if in_sight else "goes to the estimated position"
            member.order = Order(member.number, "investigate", gait, goal, why)
        reached = near.any() or (self._settings.advance == "sight" and seen.any())
        return ("reached" if reached else "under way"), []

    def _fill_up(self, members: Members, goal: Floats, time: float) -> None:
        """Let those who cover take the place of investigators that are gone."""
        for member in members:
            if member.order.role == "support":
                order = self.first_order(member, members, True, goal)
                if order.role == "investigate":
                    member.head_for(order, time)

    def _at_place(self, investigators: list[Member], goal: Floats, time: float) -> tuple[Array, Array]:
        """Return who is at the place, or as near as it can get, and who sees it: (n,) bool each."""
        feet = np.array([member.xyz for member in investigators])
        away = np.linalg.norm(feet - goal, axis=1)
        near = away <= self._settings.arrive
        for row, member in enumerate(investigators):
            near[row] |= member.stands(float(away[row]), time) >= self._settings.stuck_seconds
        return near, near | self._sees(feet + EYE, np.broadcast_to(goal + EYE, feet.shape).copy())

    def _look_round(self, member: Member, in_sight: bool, time: float) -> list[SearchEvent]:
        if in_sight and member.looks_until == math.inf:
            member.looks_until = time + self._settings.look_seconds
            member.order = Order(member.number, "investigate", "walk", None, "looks round: the place is in sight")
        if time >= member.looks_until:
            member.done = True
        elif time - member.began > self._settings.missing_seconds and not member.missed:
            member.missed = True
            where = member.xyz.copy()
            return [SearchEvent("investigator missing", time, member.number, where)]
        return []


class Estimate:
    """Follows the true position for a while after sight was lost, then stands still.

    Parameters
    ----------
    xyz : where the target was when sight was lost, or where something was perceived.
    time : seconds, when that was.
    grace : seconds for which the true position is still known; 0: frozen at once.

    Notes
    -----
    Rich Welsh, "Looking for Trouble: Making NPCs Search Realistically": knowing for 2 to 3 s more looks like
    guessing, and needs no extrapolation into walls.
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
        """Tell where the target really is now; what comes after the grace only says where it was at its end."""
        time = finite_number(time, "time", unit="s")
        if time <= self._seen or self._seen >= self.until:
            return
        now = point_xyz(true_xyz, "true_xyz")
        share = min((self.until - self._seen) / (time - self._seen), 1.0)
        # Between two steps the target is taken to have gone straight.
        self.xyz = read_only(self.xyz + share * (now - self.xyz) if share < 1.0 else now)
        self._seen = time
