"""The hunt: one search shared by a team, from the first loss until its time is over and the layer is clear again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...checks import finite_number, whole_number
from ...conventions import Floats
from ...reasoning.search.coordinator.coordinator import SearchCoordinator
from ...reasoning.search.coordinator.searchers import Order, Role, SearchEvent, SpotChoice
from ...reasoning.search.coordinator.spots import UNSEARCHED, influence_points
from ...reasoning.search.gaps import Gap, GapDetector
from ...reasoning.search.map.destination import Destination, Scoring
from ...reasoning.search.map.search_map import SearchMap
from ...reasoning.tactical.environment import Environment
from ..bodies.orders import Gait

Place = tuple[float, float, float]

_SAME_PLACE = 4.0
"""Distance in metres within which a sound does not move the estimate of a coordinator."""
_KEPT = 40
"""Number of best places from which one in a suitable area is chosen."""
_OLD = 0.25
"""Share of earlier influence that remains after a strong stimulus."""
_REFILL = 8
"""Number of points of highest influence that become spots when spots run out."""
_REBLEED = 0.5
"""Seconds between two checks of whether a bleeding map is empty."""
_GLANCE, _LONGEST_WALK = 0.8, 3.0
"""Seconds for which an agent looks into an opening, and the maximum for walking to it at 1 m/s: a coordinator takes
away the spot of an agent that comes no nearer for 4 s."""
_USUAL = Scoring()
_DONE = 1.5
"""Distance in metres from its place at which an agent that chooses again has looked around there."""
_APART = 0.5
"""Distance in metres of such a spot from others; where influence has returned, searched spots nearby do not count."""


class Hunt:
    """The search of a team: its members, place and duration.

    Parameters
    ----------
    search : the influence map; this object begins and clears it.
    seconds : duration of a search after the last perception, 0 … 86,400.
    draws : (n,) numbers 0 … 1 that decide how late each agent gives up.
    stagger : seconds over which members give up one after another, 0 … 600; all at once looks like a hive mind.
    coordinator : gives orders instead of the map; its own settings then decide duration and stagger.
    spreads : whether influence is seeded and spreads. With a coordinator, its map weights spots, and where spots run
        out, the places of highest influence become new ones.
    gaps : finds openings next to the paths of searchers, one row per agent.
    cells, lines : maximum number of cells the wave enters, and of lines of sight tested, in one `advance`; the rest is
        left to later calls. None: no limit.
    scoring : by agent, how it chooses its places on the map; empty: as usual.

    Attributes
    ----------
    alerted : agents that have reason to search without knowing of a target: they found a body, or were called.
    target : number of the agent that is searched for; -1 if unknown.
    approacher : the agent on its way to where the target is believed to be; -1 if none.
    approached : time in seconds at which an agent last got there.
    glances : by searcher, the opening it passes and the time until which it looks there.
    gave_up : agents that the coordinator has reported as giving up since the last perception.
    released : agents that know that the hunt is over.
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
        scoring: Sequence[Scoring] = (),
        environment: Callable[[], Environment] | None = None,
    ):
        self.scoring, self._environment = scoring, environment
        # By gain, what remains counts squared, and over its whole area.
        self._old = _OLD**2 if any(one.by == "gain" for one in scoring) else _OLD
        self.search, self.coordinator, self.gaps = search, coordinator, gaps
        self.seconds = finite_number(seconds, "seconds of a search", unit="s", low=0.0, high=86_400.0)
        self.stagger = finite_number(stagger, "stagger", unit="s", low=0.0, high=600.0)
        self.spreads = spreads
        self.cells = None if cells is None else whole_number(cells, "cells", low=1)
        self.lines = None if lines is None else whole_number(lines, "lines", low=1)
        self._draws = draws
        self.deadline = -math.inf
        self.bound: dict[int, Place] = {}
        self.alerted: set[int] = set()
        self.target = -1
        self.approacher, self.approached = -1, -math.inf
        self.glances: dict[int, tuple[Gap, float]] = {}
        self._refilled = self._rebled = -math.inf
        self._lost: tuple[Place, float] | None = None
        self.gave_up: set[int] = set()
        self.released: set[int] = set()
        self._given: dict[int, tuple[Any, ...]] = {}
        self._moved, self._chosen = 0, dict[int, int]()
        self._promised: dict[int, tuple[Place, float]] = {}
        self._spent: set[int] = set()
        self._heard: Place | None = None
        self._rechecks = 0

    @property
    def place(self) -> Place | None:
        """The place of the loss or perception that began the search; None if there is no search."""
        return None if self._lost is None else self._lost[0]

    def goes_on(self, now: float) -> bool:
        """Return whether the search has time and places left, regardless of agents that give up later."""
        return self.coordinator.phase != 0 if self.coordinator is not None else now < self.deadline

    def lateness(self, agent: int) -> float:
        """Return how many seconds after the end of a search an agent gives up."""
        return float(self._draws[agent]) * self.stagger

    @property
    def members(self) -> tuple[int, ...]:
        """Agents that search now, ascending."""
        others = () if self.coordinator is None else self.coordinator.members
        return tuple(sorted({*self.bound, *others}))

    def perceive(
        self,
        xyz: Any,
        now: float,
        *,
        sure: bool,
        strong: bool = False,
        agents: Sequence[int] = (),
        places: Any = (),
        target: int = -1,
    ) -> None:
        """Begin or restart the search where agents at `places` perceived the target; it lasts its full time from now.

        `sure` means that the target was seen, so that it is nowhere else. A `strong` stimulus, such as an explosion,
        outweighs what the search knew before, and searchers choose their places again.
        """
        x, y, z = np.asarray(xyz, np.float64).tolist()
        moves = strong and not self._is_same(xyz, now)
        if self.spreads:
            old = self._old if moves else 1.0
            self.search.seed(np.asarray([xyz], np.float64), 1.0, reset=sure, old=old)
        if moves:
            self._moved += 1
            self._heard = x, y, z
        if sure or moves or not self.is_on(now):
            self._lost = (x, y, z), now
        self.deadline = now + self.seconds
        self.target = target if target >= 0 else self.target
        self.gave_up.clear()
        self.released.clear()
        if self.coordinator is None or not len(agents):
            return
        where = np.asarray(places, np.float64).reshape(-1, 3)
        believed = self.coordinator.estimate_xyz
        if sure:
            self.coordinator.lose_sight(agents, where, xyz, now)
        elif believed is None or math.dist(believed.tolist(), xyz) > _SAME_PLACE:
            self.coordinator.perceive(agents, where, xyz, "hostile", now)

    def _is_same(self, xyz: Any, now: float) -> bool:
        """Return whether a place is about that of the last perception, a moment ago."""
        if self._lost is None:
            return False
        place, since = self._lost
        return math.dist(place, xyz) <= _SAME_PLACE and now - since <= self.search.settings.gather

    def alert(self, agent: int) -> None:
        """Give an agent reason to search until the search is over."""
        self.alerted.add(agent)

    def approach(self, agent: int) -> None:
        """Note that an agent goes to where the target is believed to be."""
        self.approacher = agent

    def end_approach(self, now: float) -> None:
        """Note that an agent went there and found nobody."""
        self.approached, self.approacher = now, -1

    def is_on(self, now: float, agent: int | None = None) -> bool:
        """Return whether there is a search, for this agent or for any."""
        if agent in self.released:
            return False
        if self.coordinator is not None:
            members = self.coordinator.members
            takes_part = bool(members) if agent is None else agent in members
            return takes_part or (self.coordinator.phase != 0 and agent not in self.gave_up)
        return now < self.deadline + (self.stagger if agent is None else self.lateness(agent))

    def leave(self, agent: int, now: float) -> None:
        """Remove an agent from the search."""
        self.bound.pop(agent, None)
        self.glances.pop(agent, None)
        self._promised.pop(agent, None)
        if self.coordinator is not None:
            self.coordinator.leave(agent, now)

    def release(self, agent: int, now: float) -> None:
        """Remove an agent that knows that there is nobody to search for any more."""
        self.released.add(agent)
        self.alerted.discard(agent)
        self.leave(agent, now)

    def call_off(self, now: float) -> None:
        """End a search in which no agent takes part any more."""
        self.deadline = min(self.deadline, now - self.stagger - 1.0)
        if self.coordinator is not None and self.coordinator.phase != 0:
            self.coordinator.stop(now)

    def choose(self, agent: int, xyz: Any, now: float) -> SearchOrder:
        """Return what an agent should do next, and add it to the search; the goals of others count as taken."""
        self.bound.setdefault(agent, tuple(xyz))
        self._chosen[agent] = self._moved
        self._spent.discard(agent)
        if self.coordinator is None:
            others = [place for other, place in self.bound.items() if other != agent]
            scoring = self._scoring(agent)
            before = self._promised.pop(agent, None)
            if before is not None and math.dist(before[0], xyz) <= _DONE:
                self.search.dismiss(before[0], scoring=scoring)
            if scoring.by == "gain" and self._heard is not None:
                # A wave that has just begun shows little from anywhere: the first to choose goes and looks.
                order = SearchOrder("sweep", self._heard, reason="goes to where it was heard")
                self._heard = None
            else:
                order = _order_by_influence(self._destination(xyz, others, scoring))
            if order.goal is not None and scoring.by == "gain":
                self._promised[agent] = order.goal, self.search.gain(order.goal, scoring=scoring)
        else:
            if agent not in self.coordinator.members and self.coordinator.mode == "aggressive":
                self.coordinator.join([agent], [xyz], now)
            order = _order_by_coordinator(self.coordinator.order(agent))
            self._given[agent] = self._key(agent)
        if order.goal is not None:
            self.bound[agent] = order.goal
        return order

    def _destination(self, xyz: Any, others: Sequence[Place], scoring: Scoring) -> Destination:
        """Return the best place, or by area: the best in the area of the searcher, or in one with room for it."""
        if not scoring.areas or self._environment is None:
            return self.search.destination(xyz, others, scoring=scoring)
        found = self.search.destination(xyz, others, scoring=replace(scoring, kept=max(scoring.kept, _KEPT)))
        if not found:
            return found
        environment = self._environment()
        own = int(environment.area_at([xyz])[0])
        full = environment.full_areas(others)
        areas = environment.label[found.best].tolist()
        at_home = [row for row, area in enumerate(areas) if area == own and found.scores[row] >= 0.5 * found.score]
        free = [row for row, area in enumerate(areas) if area not in full]
        row = next(iter([row for row in at_home if row in free] or free), 0)
        return found.led_by(row, environment.place_of(int(found.best[row])), scoring.kept)

    def head_for(self, agent: int, xyz: Place) -> None:
        """Note a goal that a member chose itself; it counts as taken for others."""
        self.bound[agent] = xyz

    def stands(self, agent: int) -> bool:
        """Return whether the last order of an agent is still valid."""
        return self.coordinator is None or self._key(agent) == self._given.get(agent)

    def has_moved(self, agent: int) -> bool:
        """Return whether a strong stimulus has moved the search since the last order of an agent."""
        return self._chosen.get(agent, self._moved) != self._moved

    def is_spent(self, agent: int) -> bool:
        """Return whether little is left to see at the place an agent chose for what it would show."""
        return agent in self._spent

    def _scoring(self, agent: int) -> Scoring:
        return self.scoring[agent] if self.scoring else _USUAL

    def _recheck(self) -> None:
        """Check for one agent, in turn, whether its place is still worth going to."""
        agents = sorted(self._promised)
        if not agents:
            return
        agent = agents[self._rechecks % len(agents)]
        self._rechecks += 1
        (place, promised), scoring = self._promised[agent], self._scoring(agent)
        if self.search.gain(place, scoring=scoring) <= scoring.left * promised:
            del self._promised[agent]
            self._spent.add(agent)

    def _key(self, agent: int) -> tuple[Any, ...]:
        assert self.coordinator is not None
        order = self.coordinator.order(agent)
        return order.role, order.gait, None if order.goal is None else tuple(order.goal.tolist())

    def glance_at(self, agent: int, now: float) -> Gap | None:
        """Return the opening that a searcher should look into as it passes, or None."""
        gap, until = self.glances.get(agent, (None, -math.inf))
        return gap if now < until else None

    def watch_gaps(self, agents: Sequence[int], xyz: Floats, heading: Floats, moving: Any, now: float) -> None:
        """Look for openings next to those of `agents` that move; xyz, heading and moving have a row for every agent."""
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
        """Let a searcher that has walked over to an opening look in for as long as a glance."""
        gap, until = self.glances[agent]
        self.glances[agent] = (replace(gap, response="turn"), min(until, now + _GLANCE))

    def advance(
        self, seconds: float, now: float, agents: Sequence[int], feet: Floats, gaze: Floats, truth: Any = None
    ) -> tuple[SearchEvent, ...]:
        """Advance the search around its members and return its events; when its time is over, clear it.

        `truth` is the true position of the target, if a coordinator may know it; see `SearchCoordinator.update`.
        """
        if self.deadline == -math.inf:
            return ()
        events: tuple[SearchEvent, ...] = ()
        if self.coordinator is not None:
            self._refill(now)
            events = self.coordinator.update(now, agents, feet, gaze, target_xyz=truth)
            self.gave_up |= {event.searcher for event in events if event.kind == "gives up"}
        if not self.is_on(now):
            self._end()
        elif self.spreads:
            self.search.advance(seconds, budget=self.cells)
            if self.search.settings.returns == "bleed":
                self._rebleed(now)
            if len(feet):
                self.search.clean_cube(feet)
                self.search.clean_view(feet, gaze, budget=self.lines)
            self._recheck()
        return events

    def _rebleed(self, now: float) -> None:
        """Restart an empty map at the place of the loss, spread as far as the target may have come.

        Bleeding needs existing influence: a place in view is cleared before it has bled, and then nothing is left to
        search although the target is near.
        """
        if self._lost is None or now < self._rebled + _REBLEED or len(self.search.active):
            return
        self._rebled = now
        place, since = self._lost
        self.search.seed(np.asarray([place]), 1.0, reset=True)
        self.search.advance(max(0.0, now - since), budget=self.cells)

    def _refill(self, now: float) -> None:
        """Turn the places of highest influence into spots if there are fewer free ones than searchers."""
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
        self._given.clear()
        self._chosen.clear()
        self._promised.clear()
        self._spent.clear()
        self._heard = None
        self.glances.clear()


_GAITS: dict[str, tuple[Gait, float]] = {"walk": ("walk", 1.4), "run": ("run", 0.8), "careful": ("walk", 0.8)}
"""Gait and pace by the gait of a coordinator's order."""


@dataclass(frozen=True)
class SearchOrder:
    """What a searcher should do next.

    Attributes
    ----------
    role : "none" if there is nothing to do; otherwise as in `reasoning.search.coordinator.searchers`.
    goal : place in metres; None if the searcher chooses its own place, or stays.
    gait, pace : how it goes there.
    reason : why, as text.
    found, choice : the place on the search map, or the spot of a coordinator, with its scores; None if neither.
    """

    role: Role
    goal: Place | None = None
    gait: Gait = "walk"
    pace: float = 1.4
    reason: str = ""
    found: Destination | None = None
    choice: SpotChoice | None = None


def _order_by_influence(found: Destination) -> SearchOrder:
    """Return the order for a destination on the search map; wait and look around if nothing is left."""
    if found.cell < 0:
        return SearchOrder("linger", reason=found.explain())
    x, y, z = found.xyz.tolist()
    return SearchOrder("sweep", (x, y, z), reason=found.explain(), found=found)


def _order_by_coordinator(order: Order) -> SearchOrder:
    """Return a coordinator's order, with gait and pace."""
    gait, pace = _GAITS[order.gait]
    goal: Place | None = None
    if order.goal is not None:
        x, y, z = order.goal.tolist()
        goal = (x, y, z)
    return SearchOrder(order.role, goal, gait, pace, order.reason, choice=order.choice)
