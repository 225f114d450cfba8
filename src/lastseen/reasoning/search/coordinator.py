"""The coordinator: a search in two modes and two phases, from the first noise to the last one giving up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ...checks import finite_number, point_xyz, points_xyz, shown, whole_number
from ...conventions import NOWHERE, Floats
from ...errors import InputError, QueryError, did_you_mean
from ...rng import generator
from ..chase.layouts import MeshedLayout
from .estimate import Estimate
from .influence import SearchMap
from .lines import Sees, walkable_lines
from .members import Member, Members
from .modes import CoordinatorSettings, Mode, Order, SearchEvent, StimulusClass
from .spot_keeper import EYE, SpotKeeper
from .spots import SpotChoice, SpotPool
from .views import headings

__all__ = ["SearchCoordinator"]


class SearchCoordinator:
    """Who looks where? One search for one target: phase 1 at the place, phase 2 over spots around it, then home.

    Parameters
    ----------
    cells : a `CellLayout` or a `LiveLayout`.
    settings : `CoordinatorSettings`.
    cover : (n, 3) places to hide at, such as `cover_points(cells, level)`.
    sees : test of sight row by row, such as `functools.partial(sees, sight)`; None: straight walks on the mesh.
    search_map : a `SearchMap` whose influence counts when spots are chosen; the caller advances and cleans it.
    seed : of random spots and of the times of giving up.

    Attributes
    ----------
    mode : "cautious", "aggressive", or None: nobody searches.
    phase : 1 or 2; 0: nobody searches.

    Notes
    -----
    Rich Welsh, "Looking for Trouble: Making NPCs Search Realistically", Game AI Pro 2.
    """

    def __init__(
        self,
        cells: MeshedLayout,
        settings: CoordinatorSettings | None = None,
        *,
        cover: Any = (),
        sees: Sees | None = None,
        search_map: SearchMap | None = None,
        seed: int = 0,
    ):
        if settings is not None and not isinstance(settings, CoordinatorSettings):
            raise InputError(f"settings is {shown(settings)}; give CoordinatorSettings(…)")
        self.cells = cells
        self.settings = settings or CoordinatorSettings()
        self._sees = sees or walkable_lines(cells.mesh)
        self._random = generator(whole_number(seed, "seed"), "search coordinator")
        self._keeper = SpotKeeper(
            cells, self.settings, points_xyz(cover, "cover"), self._sees, search_map, self._random
        )
        self._members = Members()
        self.mode: Mode | None = None
        self.phase: Literal[0, 1, 2] = 0
        self._estimate: Estimate | None = None
        self._began = 0.0
        self._events: list[SearchEvent] = []

    @property
    def spots(self) -> SpotPool:
        """The pool of phase 2."""
        return self._keeper.spots

    @property
    def members(self) -> tuple[int, ...]:
        """Numbers of those who take part, in the order they came."""
        return self._members.numbers

    @property
    def estimate_xyz(self) -> Floats | None:
        """Where the target is believed to be, (3,) metres; None: nobody searches."""
        return None if self._estimate is None else self._estimate.xyz

    def perceive(
        self,
        searchers: Sequence[int],
        searchers_xyz: Any,
        xyz: Any,
        stimulus: StimulusClass,
        time: float,
        *,
        sees_target: Any = False,
    ) -> tuple[Order, ...]:
        """Some perceived something without seeing its cause: who goes there, and how? One order for each.

        Who `sees_target` ((n,) bool) fights and does not search. A hostile stimulus begins an aggressive search, or
        turns a cautious one into it; during an aggressive search any stimulus moves the estimated position.
        """
        if not isinstance(stimulus, str) or stimulus not in ("hostile", "distraction"):
            hint = did_you_mean(stimulus, ("hostile", "distraction"))
            raise InputError(f"stimulus is {shown(stimulus)}{hint}; give 'hostile' or 'distraction'")
        ids, feet = self._rows(searchers, searchers_xyz)
        fights = np.broadcast_to(np.asarray(sees_target, np.bool_), (len(ids),))
        orders = {who: Order(who, "combat", "run", reason="sees the target") for who, sees in zip(ids, fights) if sees}
        rest = [row for row in range(len(ids)) if not fights[row]]
        if rest:
            mode: Mode = "aggressive" if stimulus == "hostile" or self.mode == "aggressive" else "cautious"
            self._start(mode, xyz, time, grace=0.0)
            self._enlist([ids[row] for row in rest], feet[rest], time)
        return tuple(orders.get(who) or self.order(who) for who in ids)

    def lose_sight(
        self, searchers: Sequence[int], searchers_xyz: Any, target_xyz: Any, time: float
    ) -> tuple[Order, ...]:
        """Sight of the target was lost by all: search aggressively, knowing its position for a while yet."""
        ids, feet = self._rows(searchers, searchers_xyz)
        self._start("aggressive", target_xyz, time, grace=self.settings.grace)
        self._enlist(ids, feet, time)
        return tuple(map(self.order, ids))

    def join(self, searchers: Sequence[int], searchers_xyz: Any, time: float) -> tuple[Order, ...]:
        """Informed allies and reinforcements join an aggressive search."""
        if self.mode != "aggressive":
            raise QueryError("there is no aggressive search to join; begin one with lose_sight or a hostile stimulus")
        ids, feet = self._rows(searchers, searchers_xyz)
        self._enlist(ids, feet, time)
        return tuple(map(self.order, ids))

    def order(self, searcher: int) -> Order:
        """What should one searcher do now?"""
        member = self._members.get(searcher)
        if member:
            return member.order
        busy = "loses interest: enough investigate already" if self.mode == "cautious" else "there is no part for it"
        return Order(searcher, "none", reason=busy)

    def update(
        self, time: float, searchers: Sequence[int], searchers_xyz: Any, heading: Any, *, target_xyz: Any = None
    ) -> tuple[SearchEvent, ...]:
        """Let the search go on: who arrived, what was seen, who goes where next, who gives up. Return what happened.

        Parameters
        ----------
        searchers, searchers_xyz, heading : numbers (n,), places (n, 3) and gazes (n,) radians of those who search.
        target_xyz : where the target really is; used for the grace after losing sight and for intuition only.
        """
        ids, feet = self._rows(searchers, searchers_xyz)
        facing = headings(heading, len(ids))
        actual = None if target_xyz is None else point_xyz(target_xyz, "target_xyz")
        if self._estimate is not None and actual is not None:
            self._estimate.update(time, actual)
        for row, who in enumerate(ids):
            member = self._members.get(who)
            if member:
                member.xyz, member.heading = feet[row], float(facing[row])
        if self.phase:
            self._watch_time(time)
        if self.phase == 1:
            self._work_at_place(time)
        if self.phase == 2:
            self.searched(self._keeper.seen(self._members, time), time)
            self._sweep(time, actual)
        self._go_home(time)
        events, self._events = tuple(self._events), []
        return events

    def request(self, searcher: int, searcher_xyz: Any, time: float, *, target_xyz: Any = None) -> SpotChoice | None:
        """Which spot should one look at next? It is marked as in progress; None: none is left, or time is up.

        What the searcher was on its way to before is given back.
        """
        if self._estimate is None or time > self._began + self.settings.time_limit:
            return None
        place = point_xyz(searcher_xyz, "searcher_xyz")
        actual = None if target_xyz is None else point_xyz(target_xyz, "target_xyz")
        return self._keeper.request(searcher, place, self._estimate.xyz, actual, time)

    def searched(self, spots: Any, time: float) -> None:
        """Spots (numbers) were looked at: nobody needs to go there any more."""
        fresh = self._keeper.searched(spots, time)
        self._events += [SearchEvent("spot searched", time, xyz=self.spots.xyz[spot].copy()) for spot in fresh]

    def leave(self, searcher: int, time: float) -> None:
        """One is taken out of the search at once: it fights, or fell."""
        self.spots.release(searcher, time)
        self._members.remove(searcher)

    def found(self, time: float) -> None:
        """The target was found: the search is over, everybody fights."""
        self._end(time, "target found")
        self._members.clear()

    def stop(self, time: float, reason: str = "called off") -> None:
        """End the search; its members give up one by one."""
        self._end(time, reason)

    def _rows(self, searchers: Sequence[int], xyz: Any) -> tuple[list[int], Floats]:
        feet = points_xyz(xyz, "searchers_xyz")
        try:
            ids = [int(who) for who in searchers]
        except (TypeError, ValueError):
            raise InputError(f"searchers is {shown(searchers)}; give their numbers") from None
        if len(ids) != len(feet):
            raise InputError(f"there are {len(ids)} searchers and {len(feet)} places; give one place for each")
        return ids, feet

    def _start(self, mode: Mode, xyz: Any, time: float, *, grace: float) -> None:
        time = finite_number(time, "time", unit="s")
        begins = self.mode is None
        if mode == self.mode == "cautious":
            return
        self._estimate = Estimate(xyz, time, grace)
        self._began = time
        self.mode, self.phase = mode, 1
        self.spots.clear()
        if mode == "aggressive" or self.settings.cautious_sweeps:
            # At once, so that the sweep can begin the moment the place turns out to be empty.
            self._keeper.begin(self._estimate.xyz, time)
        if mode == "aggressive":
            self._muster(time)
        if begins:
            self._events.append(SearchEvent("search started", time, xyz=self._estimate.xyz, reason=mode))

    def _muster(self, time: float) -> None:
        """Give everybody who takes part, or has not gone home yet, a new part."""
        for member in self._members:
            member.order = Order(member.number, "none")
        for member in sorted(self._members, key=self._metres_of):
            member.begin(self._role_order(member), time)

    def _metres_of(self, member: Member) -> float:
        assert self._estimate is not None
        return float(np.linalg.norm(member.xyz - self._estimate.xyz))

    def _enlist(self, ids: list[int], feet: Floats, time: float) -> None:
        """Take part in by order of distance: the nearest investigate."""
        assert self._estimate is not None
        away = np.linalg.norm(feet - self._estimate.xyz, axis=1)
        for row in np.argsort(away, kind="stable").tolist():
            known = self._members.get(ids[row])
            if known and known.leaves == math.inf:
                continue
            member = Member(ids[row], feet[row])
            investigates = self.phase == 1 and self._members.count("investigate") < self._limit()
            if self.mode == "cautious" and not investigates:
                continue  # loses interest: one is enough for a noise
            self._members.put(member)
            member.begin(self._role_order(member), time)

    def _limit(self) -> int:
        return self.settings.cautious_limit if self.mode == "cautious" else self.settings.aggressive_limit

    def _role_order(self, member: Member) -> Order:
        """Return the order of one who begins phase 1, or comes in phase 2."""
        assert self._estimate is not None
        goal = self._estimate.xyz
        if self.phase == 2:
            return Order(member.number, "sweep", "run", reason="joins the sweep")
        others = sum(other.order.role == "investigate" for other in self._members if other is not member)
        if others < self._limit():
            gait: Literal["walk", "run"] = "walk" if self.mode == "cautious" else "run"
            return Order(member.number, "investigate", gait, goal, f"{self.mode}: goes to the estimated position")
        return Order(member.number, "support", "walk", reason=f"{others} investigate already: covers them")

    def _work_at_place(self, time: float) -> None:
        """Phase 1: approach with care once the place is in sight; go on when somebody has reached it."""
        assert self._estimate is not None
        goal = self._estimate.xyz
        investigators = [member for member in self._members if member.order.role == "investigate"]
        if not investigators:
            self._end(time, "no investigator is left")
            return
        feet = np.array([member.xyz for member in investigators])
        away = np.linalg.norm(feet - goal, axis=1)
        near = away <= self.settings.arrive
        for row, member in enumerate(investigators):
            # As near as one can get: no nearer for a while.
            near[row] |= member.stands(float(away[row]), time) >= self.settings.stuck_seconds
        seen = near | self._sees(feet + EYE, np.broadcast_to(goal + EYE, feet.shape).copy())
        for member, sees, is_near in zip(investigators, seen, near):
            if self.mode == "cautious":
                self._look_round(member, bool(sees), time)
            elif sees and not is_near:
                member.order = Order(member.number, "investigate", "careful", goal, "the place is in sight")
            elif not is_near:
                member.order = Order(member.number, "investigate", "run", goal, "goes to the estimated position")
        if self.mode == "aggressive":
            if near.any() or (self.settings.advance == "sight" and seen.any()):
                self._advance(time)
        elif self.phase and all(member.done for member in investigators):
            if self.settings.cautious_sweeps:
                self._advance(time)
            else:
                self._end(time, "nothing found")

    def _look_round(self, member: Member, sees: bool, time: float) -> None:
        if sees and member.looks_until == math.inf:
            member.looks_until = time + self.settings.look_seconds
            member.order = Order(member.number, "investigate", "walk", None, "looks round: the place is in sight")
        if time >= member.looks_until:
            member.done = True
        elif time - member.began > self.settings.missing_seconds and not member.missed:
            member.missed = True
            self._events.append(
                SearchEvent("investigator missing", time, member.number, member.xyz.copy(), "did not come back")
            )

    def _advance(self, time: float) -> None:
        """Begin phase 2 for everybody in the same step."""
        assert self._estimate is not None
        self.phase = 2
        self._keeper.follow(self._estimate.xyz, time)
        for member in self._members:
            member.order = Order(member.number, "sweep", "run", reason="the place is empty")
            self._events.append(SearchEvent("phase advanced", time, member.number, reason="the place is empty"))

    def _sweep(self, time: float, actual: Floats | None) -> None:
        """Phase 2: give whoever is done with its spot the next one; when none is left, the search ends."""
        for member in list(self._members):
            if member.leaves < math.inf:
                continue
            own = self.spots.of(member.number)
            if own != NOWHERE and np.linalg.norm(self.spots.xyz[own] - member.xyz) <= self.settings.arrive:
                self.searched(own, time)
                own = NOWHERE
            if own != NOWHERE:
                continue
            choice = self.request(member.number, member.xyz, time, target_xyz=actual)
            if choice is None:
                self._give_up(member, time, "no spot is left")
            else:
                gait: Literal["walk", "run"] = "walk" if self.mode == "cautious" else "run"
                why = f"spot {choice.spot}: best of {choice.candidates}"
                member.order = Order(member.number, "sweep", gait, choice.xyz, why, choice)
        if all(member.leaves < math.inf for member in self._members):
            self._end(time, "no spot is left")

    def _watch_time(self, time: float) -> None:
        if time > self._began + self.settings.time_limit:
            self._end(time, "time is up")

    def _give_up(self, member: Member, time: float, reason: str) -> None:
        """One goes back at its own time: all in the same moment would look like one mind."""
        if member.leaves == math.inf:
            member.leaves = time + float(self._random.uniform(0.0, self.settings.stagger))
            member.order = Order(member.number, "linger", "walk", reason=reason)

    def _end(self, time: float, reason: str) -> None:
        if not self.phase:
            return
        self.mode, self.phase, self._estimate = None, 0, None
        self.spots.clear()
        for member in self._members:
            self._give_up(member, time, reason)
        self._events.append(SearchEvent("search ended", time, reason=reason))

    def _go_home(self, time: float) -> None:
        for member in list(self._members):
            if time >= member.leaves:
                self._members.remove(member.number)
                self._events.append(SearchEvent("gives up", time, member.number, reason=member.order.reason))
