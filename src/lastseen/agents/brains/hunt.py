"""The hunt: one search shared by a team, from the first loss until its time is over and the layer is clean again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...checks import finite_number, whole_number
from ...conventions import Floats
from ...reasoning.search.coordinator.coordinator import SearchCoordinator
from ...reasoning.search.coordinator.searchers import SearchEvent
from ...reasoning.search.coordinator.spots import UNSEARCHED, influence_points
from ...reasoning.search.gaps import Gap, GapDetector
from ...reasoning.search.map.destination import Scoring
from ...reasoning.search.map.search_map import SearchMap
from .search_order import SearchOrder, by_coordinator, by_influence

_SAME_PLACE = 4.0
"""Metres within which what is heard does not move the place a coordinator believes in."""
_REFILL = 8
"""Points of most influence that become spots when spots run out."""
_REBLEED = 0.5
"""Seconds between two looks at whether a bleeding map has run empty."""
_GLANCE, _LONGEST_WALK = 0.8, 3.0
"""Seconds for which an opening is looked into, and that a walk over to it may take at most, a metre a second: a
coordinator that sees somebody come no nearer for 4 s gives up its spot."""
_APART = 0.5
"""Metres such a spot keeps from others: where influence has come back, a searched spot near by does not count."""


class Hunt:
    """Who searches, since when and until when.

    Parameters
    ----------
    search : the map of influence; this object begins and clears it.
    seconds : how long a search goes on after the last perception.
    draws : numbers 0 … 1 that decide how late each agent gives up, by agent.
    stagger : seconds within which members give up one after another: all at once looks like a hive mind.
    coordinator : who says where to go in place of the map; its own settings hold seconds and stagger then.
    spreads : whether influence is seeded and spreads. With a coordinator: its map weighs spots, and where spots run
        out, the places of most influence become new ones.
    gaps : finds openings beside the way of searchers, one row for each agent.
    cells, lines : most cells the wave takes, and most lines drawn to find what is looked at, in one `advance`; what is
        left is done in the next ones. None: all at once.

    Attributes
    ----------
    alerted : agents that have reason to search without knowing of anybody: they found a body, or were called.
    target : number of the agent that is searched for; -1: nobody knows whom.
    approacher, approached : who goes to where the target is believed to be, -1: nobody; seconds when somebody last did.
    glances : the gap each searcher passes, and until when it minds it.
    """

    def __init__(
        self,
        search: SearchMap,
        seconds: float,
        draws: Floats,
        *,
        stagger: float = 6.0,
        coordinator: SearchCoordinator | None = None,
        spreads: bool = True,
        gaps: GapDetector | None = None,
        cells: int | None = None,
        lines: int | None = None,
    ):
        self.search, self.coordinator, self.gaps = search, coordinator, gaps
        self.seconds = finite_number(seconds, "seconds of a search", unit="s", low=0.0, high=86_400.0)
        self.stagger = finite_number(stagger, "stagger", unit="s", low=0.0, high=600.0)
        self.spreads = spreads
        self.cells = None if cells is None else whole_number(cells, "cells", low=1)
        self.lines = None if lines is None else whole_number(lines, "lines", low=1)
        self._draws = draws
        self.deadline = -math.inf
        self.bound: dict[int, tuple[float, float, float]] = {}
        self.alerted: set[int] = set()
        self.target = -1
        self.approacher, self.approached = -1, -math.inf
        self.glances: dict[int, tuple[Gap, float]] = {}
        self._refilled = self._rebled = -math.inf
        self._lost: tuple[tuple[float, float, float], float] | None = None
        self._gave_up: set[int] = set()
        self._given: dict[int, tuple[Any, ...]] = {}

    @property
    def place(self) -> tuple[float, float, float] | None:
        """Where the target was lost, or what began the search was perceived; None: there is no search."""
        return None if self._lost is None else self._lost[0]

    def goes_on(self, now: float) -> bool:
        """Is there time left, and anything to search? Not who gives up a little later than others."""
        return self.coordinator.phase != 0 if self.coordinator is not None else now < self.deadline

    def lateness(self, agent: int) -> float:
        """Seconds after the end of a search at which an agent gives up."""
        return float(self._draws[agent]) * self.stagger

    @property
    def members(self) -> tuple[int, ...]:
        """Who searches now, ascending."""
        others = () if self.coordinator is None else self.coordinator.members
        return tuple(sorted({*self.bound, *others}))

    def perceive(
        self,
        xyz: Any,
        now: float,
        *,
        sure: bool,
        agents: Sequence[int] = (),
        places: Any = (),
        target: int = -1,
    ) -> None:
        """Agents at places perceived the target: the search begins here, and goes on for its full time from now.

        `sure`: it was seen, so it is here and nowhere else.
        """
        if self.spreads:
            self.search.seed(np.asarray([xyz], np.float64), 1.0, reset=sure)
        if sure or not self.is_on(now):
            x, y, z = np.asarray(xyz, np.float64).tolist()
            self._lost = (x, y, z), now
        self.deadline = now + self.seconds
        self.target = target if target >= 0 else self.target
        self._gave_up.clear()
        if self.coordinator is None or not len(agents):
            return
        where = np.asarray(places, np.float64).reshape(-1, 3)
        believed = self.coordinator.estimate_xyz
        if sure:
            self.coordinator.lose_sight(agents, where, xyz, now)
        elif believed is None or math.dist(believed.tolist(), xyz) > _SAME_PLACE:
            self.coordinator.perceive(agents, where, xyz, "hostile", now)

    def alert(self, agent: int) -> None:
        """One has reason to search from now on, until the search is over."""
        self.alerted.add(agent)

    def approach(self, agent: int) -> None:
        """Note that an agent goes to where the target is believed to be."""
        self.approacher = agent

    def end_approach(self, now: float) -> None:
        """Note that an agent went there and found nobody."""
        self.approached, self.approacher = now, -1

    def is_on(self, now: float, agent: int | None = None) -> bool:
        """Is there a search, for this agent or for anybody?"""
        if self.coordinator is not None:
            members = self.coordinator.members
            takes_part = bool(members) if agent is None else agent in members
            return takes_part or (self.coordinator.phase != 0 and agent not in self._gave_up)
        return now < self.deadline + (self.stagger if agent is None else self.lateness(agent))

    def leave(self, agent: int, now: float) -> None:
        """Somebody takes part no more."""
        self.bound.pop(agent, None)
        self.glances.pop(agent, None)
        if self.coordinator is not None:
            self.coordinator.leave(agent, now)

    def choose(self, agent: int, xyz: Any, now: float, scoring: Scoring | None = None) -> SearchOrder:
        """What should this one do next? It takes part from now on; where others go counts as taken."""
        self.bound.setdefault(agent, tuple(xyz))
        if self.coordinator is None:
            others = [place for other, place in self.bound.items() if other != agent]
            order = by_influence(self.search.destination(xyz, others, scoring=scoring))
        else:
            if agent not in self.coordinator.members and self.coordinator.mode == "aggressive":
                self.coordinator.join([agent], [xyz], now)
            order = by_coordinator(self.coordinator.order(agent))
            self._given[agent] = self._key(agent)
        if order.goal is not None:
            self.bound[agent] = order.goal
        return order

    def head_for(self, agent: int, xyz: tuple[float, float, float]) -> None:
        """Note where a member goes by its own choice; others count that place as taken."""
        self.bound[agent] = xyz

    def stands(self, agent: int) -> bool:
        """Does the order an agent got last still stand?"""
        return self.coordinator is None or self._key(agent) == self._given.get(agent)

    def _key(self, agent: int) -> tuple[Any, ...]:
        assert self.coordinator is not None
        order = self.coordinator.order(agent)
        return order.role, order.gait, None if order.goal is None else tuple(order.goal.tolist())

    def glance_at(self, agent: int, now: float) -> Gap | None:
        """Which opening should one who searches mind as it passes?"""
        gap, until = self.glances.get(agent, (None, -math.inf))
        return gap if now < until else None

    def watch_gaps(self, agents: Sequence[int], xyz: Floats, heading: Floats, moving: Any, now: float) -> None:
        """Look for openings beside those of `agents` who move; xyz, heading, moving hold everybody."""
        if self.gaps is None or not len(agents):
            return
        searching = np.zeros(len(xyz), np.bool_)
        searching[list(agents)] = True
        for gap in self.gaps.look(xyz, heading, searching & moving):
            under_way = self.glance_at(gap.searcher, now)
            if under_way is None or under_way.response != "walk over":
                walk = math.dist(xyz[gap.searcher].tolist(), gap.xyz.tolist()) if gap.response == "walk over" else 0.0
                self.glances[gap.searcher] = (gap, now + _GLANCE + min(walk, _LONGEST_WALK))

    def look_in(self, agent: int, now: float) -> None:
        """One who walked over to an opening is there: it looks in for as long as others glance."""
        gap, until = self.glances[agent]
        self.glances[agent] = (replace(gap, response="turn"), min(until, now + _GLANCE))

    def advance(
        self, seconds: float, now: float, agents: Sequence[int], feet: Floats, gaze: Floats, truth: Any = None
    ) -> tuple[SearchEvent, ...]:
        """Let the search go on around those who take part; return what happened. When its time is over it is cleared.

        `truth`: where the target really is, where a coordinator may know it; see `SearchCoordinator.update`.
        """
        if self.deadline == -math.inf:
            return ()
        events: tuple[SearchEvent, ...] = ()
        if self.coordinator is not None:
            self._refill(now)
            events = self.coordinator.update(now, agents, feet, gaze, target_xyz=truth)
            self._gave_up |= {event.searcher for event in events if event.kind == "gives up"}
        if not self.is_on(now):
            self._end()
        elif self.spreads:
            self.search.advance(seconds, budget=self.cells)
            if self.search.settings.returns == "bleed":
                self._rebleed(now)
            if len(feet):
                self.search.clean_cube(feet)
                self.search.clean_view(feet, gaze, budget=self.lines)
        return events

    def _rebleed(self, now: float) -> None:
        """Let a map that was cleaned to the last cell begin anew where they were lost, as wide as they may have come.

        Influence that bleeds comes from influence: a place in view is cleaned before it has bled, and then nothing is
        left to search, though somebody is there.
        """
        if self._lost is None or now < self._rebled + _REBLEED or len(self.search.active):
            return
        self._rebled = now
        place, since = self._lost
        self.search.seed(np.asarray([place]), 1.0, reset=True)
        self.search.advance(max(0.0, now - since), budget=self.cells)

    def _refill(self, now: float) -> None:
        """Make spots of the places of most influence when there are fewer free ones than searchers."""
        assert self.coordinator is not None
        pool = self.coordinator.spots
        if not self.spreads or self.coordinator.phase != 2 or now < self._refilled + 1.0:
            return
        self._refilled = now
        if int((pool.state == UNSEARCHED).sum()) < len(self.coordinator.members):
            pool.add(influence_points(self.search, _REFILL), "influence", now, spacing=_APART)

    def _end(self) -> None:
        self.search.clear()
        self.deadline, self.target = -math.inf, -1
        self.approacher, self.approached = -1, -math.inf
        self._lost = None
        self.bound.clear()
        self.alerted.clear()
        self._gave_up.clear()
        self._given.clear()
        self.glances.clear()
