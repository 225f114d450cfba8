"""The coordinator: a search in two modes and two phases, from the first noise to the last one giving up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ....cells.meshed_layout import MeshedLayout
from ....checks import finite_number, point_xyz, points_xyz, shown, whole_number
from ....conventions import NOWHERE, Floats
from ....errors import InputError, QueryError, did_you_mean
from ....layers.layer import require_cells
from ....rng import generator
from ....vocabulary.events import SearchEnd
from ..map.search_map import SearchMap
from ..sight import Sees, flags, headings, walkable_lines
from .approach import Approach, Estimate
from .members import Member, Members
from .modes import CoordinatorSettings, Mode, Order, SearchEvent, StimulusClass
from .spot_supply import SpotKeeper
from .spots import SpotChoice, SpotPool

_MOST = 2**31 - 1


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
        require_cells(cells)
        if sees is not None and not callable(sees):
            raise InputError(f"sees is {shown(sees)}; give a function of eyes and points, or None")
        if search_map is not None and not isinstance(search_map, SearchMap):
            raise InputError(f"search_map is {shown(search_map)}; give a SearchMap, or None")
        self.cells = cells
        self.settings = settings or CoordinatorSettings()
        self._sees = sees or walkable_lines(cells.mesh)
        self._random = generator(whole_number(seed, "seed"), "search coordinator")
        self._keeper = SpotKeeper(
            cells, self.settings, points_xyz(cover, "cover"), self._sees, search_map, self._random
        )
        self._approach = Approach(self.settings, self._sees)
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
        fights = flags(sees_target, len(ids), "sees_target")
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
        self._enlist(ids, feet, finite_number(time, "time", unit="s"))
        return tuple(map(self.order, ids))

    def order(self, searcher: int) -> Order:
        """What should one searcher do now?"""
        member = self._members.get(_number(searcher, "searcher"))
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
        facing, time = headings(heading, len(ids)), finite_number(time, "time", unit="s")
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
        searcher, time = _number(searcher, "searcher"), finite_number(time, "time", unit="s")
        if self._estimate is None or time > self._began + self.settings.time_limit:
            return None
        place = point_xyz(searcher_xyz, "searcher_xyz")
        actual = None if target_xyz is None else point_xyz(target_xyz, "target_xyz")
        return self._keeper.request(searcher, place, self._estimate.xyz, actual, time)

    def searched(self, spots: Any, time: float) -> None:
        """Spots (numbers) were looked at: nobody needs to go there any more."""
        time = finite_number(time, "time", unit="s")
        fresh = self._keeper.searched(spots, time)
        self._events += [SearchEvent("spot searched", time, xyz=self.spots.xyz[spot].copy()) for spot in fresh]

    def leave(self, searcher: int, time: float) -> None:
        """One is taken out of the search at once: it fights, or fell."""
        searcher = _number(searcher, "searcher")
        self.spots.release(searcher, finite_number(time, "time", unit="s"))
        self._members.remove(searcher)

    def found(self, time: float) -> None:
        """The target was found: the search is over, everybody fights."""
        self._end(finite_number(time, "time", unit="s"), SearchEnd.TARGET_FOUND)
        self._members.clear()

    def stop(self, time: float, reason: SearchEnd = SearchEnd.CALLED_OFF) -> None:
        """End the search; its members give up one by one."""
        self._end(finite_number(time, "time", unit="s"), reason)

    def _rows(self, searchers: Sequence[int], xyz: Any) -> tuple[list[int], Floats]:
        feet = points_xyz(xyz, "searchers_xyz")
        try:
            ids = [_number(who, "searchers") for who in searchers]
        except TypeError:
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
        if self._aggressive:
            self._approach.muster(self._members, self._estimate.xyz, time)
        if begins:
            self._events.append(SearchEvent("search started", time, xyz=self._estimate.xyz, mode=mode))

    def _enlist(self, ids: list[int], feet: Floats, time: float) -> None:
        """Take part in by order of distance: the nearest investigate."""
        assert self._estimate is not None
        away = np.linalg.norm(feet - self._estimate.xyz, axis=1)
        for row in np.argsort(away, kind="stable").tolist():
            known = self._members.get(ids[row])
            if known and known.leaves == math.inf:
                continue
            member = Member(ids[row], feet[row])
            if self.phase == 2:
                order = Order(member.number, "sweep", "run", reason="joins the sweep")
            else:
                order = self._approach.first_order(member, self._members, self._aggressive, self._estimate.xyz)
            if order.role != "none":
                self._members.put(member)
                member.begin(order, time)

    def _work_at_place(self, time: float) -> None:
        """Phase 1: go on when somebody has reached the place, or has looked round there."""
        assert self._estimate is not None
        outcome, events = self._approach.work(self._members, self._aggressive, self._estimate.xyz, time)
        self._events += events
        if outcome == "nobody":
            self._end(time, SearchEnd.NO_INVESTIGATOR)
        elif outcome == "looked round" and not self.settings.cautious_sweeps:
            self._end(time, SearchEnd.NOTHING_FOUND)
        elif outcome != "under way":
            self._advance(time)

    @property
    def _aggressive(self) -> bool:
        return self.mode == "aggressive"

    def _advance(self, time: float) -> None:
        """Begin phase 2 for everybody in the same step."""
        assert self._estimate is not None
        self.phase = 2
        self._keeper.follow(self._estimate.xyz, time)
        for member in self._members:
            member.order = Order(member.number, "sweep", "run", reason="the place is empty")
            self._events.append(SearchEvent("phase advanced", time, member.number))

    def _sweep(self, time: float, actual: Floats | None) -> None:
        """Phase 2: give whoever is done with its spot the next one; when none is left, the search ends."""
        for member in list(self._members):
            if member.leaves < math.inf:
                continue
            own = self.spots.of(member.number)
            if own != NOWHERE:
                away = float(np.linalg.norm(self.spots.xyz[own] - member.xyz))
                if away > self.settings.arrive and member.stands(away, time) < self.settings.stuck_seconds:
                    continue
                self.searched(own, time)
            choice = self.request(member.number, member.xyz, time, target_xyz=actual)
            if choice is None:
                self._give_up(member, time, SearchEnd.NO_SPOT)
            else:
                gait: Literal["walk", "run"] = "walk" if self.mode == "cautious" else "run"
                why = f"spot {choice.spot}: best of {choice.candidates}"
                member.head_for(Order(member.number, "sweep", gait, choice.xyz, why, choice), time)
        if all(member.leaves < math.inf for member in self._members):
            self._end(time, SearchEnd.NO_SPOT)

    def _watch_time(self, time: float) -> None:
        if time > self._began + self.settings.time_limit:
            self._end(time, SearchEnd.TIME_UP)

    def _give_up(self, member: Member, time: float, reason: SearchEnd) -> None:
        """One goes back at its own time: all in the same moment would look like one mind."""
        if member.leaves == math.inf:
            member.leaves = time + float(self._random.uniform(0.0, self.settings.stagger))
            member.order, member.why = Order(member.number, "linger", "walk", reason=reason), reason

    def _end(self, time: float, reason: SearchEnd) -> None:
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
                self._events.append(SearchEvent("gives up", time, member.number, reason=member.why))


def _number(searcher: Any, name: str) -> int:
    """Return the number of a searcher, as arrays hold it."""
    number = whole_number(searcher, name)
    if number > _MOST:
        raise InputError(f"{name} is {shown(searcher)}; give whole numbers up to {_MOST}")
    return number
