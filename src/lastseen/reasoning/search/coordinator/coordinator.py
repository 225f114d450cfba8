"""The coordinator: runs a search in two modes and two phases, from the first noise until the last searcher leaves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ....cells.meshed_layout import MeshedLayout
from ....checks import finite_number, instance_of, point_xyz, points_xyz, shown, whole_number
from ....conventions import NOWHERE, Floats
from ....errors import InputError, QueryError
from ....layers.layer import require_cells
from ....rng import generator
from ....vocabulary.events import SearchEnd
from ...input_checks import require_choice
from ..map.search_map import SearchMap
from ..search_settings import CoordinatorSettings
from ..sight import Sees, flags, headings, sight_test
from .approach import Approach, Estimate
from .searchers import Member, Mode, Order, SearchEvent, SpotChoice, StimulusClass
from .spots import SpotKeeper, SpotPool

_MOST = 2**31 - 1


class SearchCoordinator:
    """Coordinates one search for one target: phase 1 at the place, phase 2 over spots around it, then the way home.

    Parameters
    ----------
    cells : a `CellLayout` or a `LiveLayout`.
    settings : `CoordinatorSettings`.
    cover : (n, 3) places to hide at, such as `cover_points(cells, level)`.
    sees : test of sight row by row, such as `functools.partial(sees, sight)`; None: straight walks on the mesh.
    search_map : a `SearchMap` whose influence counts when spots are chosen; the caller advances and cleans it.
    seed : seed of random spots and of the times at which searchers give up.

    Attributes
    ----------
    mode : "cautious", "aggressive", or None: there is no search.
    phase : 1 or 2; 0: there is no search.

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
        given = CoordinatorSettings() if settings is None else settings
        self.settings = instance_of(given, CoordinatorSettings, "settings", "give CoordinatorSettings(…)")
        require_cells(cells, "cells")
        if search_map is not None:
            instance_of(search_map, SearchMap, "search_map", "give a SearchMap, or None")
        self.cells = cells
        self._sees = sight_test(sees, cells.mesh)
        self._random = generator(whole_number(seed, "seed"), "search coordinator")
        self._keeper = SpotKeeper(
            cells, self.settings, points_xyz(cover, "cover"), self._sees, search_map, self._random
        )
        self._approach = Approach(self.settings, self._sees)
        self._members: dict[int, Member] = {}
        self.mode: Mode | None = None
        self.phase: Literal[0, 1, 2] = 0
        self._estimate: Estimate | None = None
        self._began = 0.0
        self._events: list[SearchEvent] = []

    @property
    def spots(self) -> SpotPool:
        """The pool of spots of phase 2."""
        return self._keeper.spots

    @property
    def members(self) -> tuple[int, ...]:
        """Numbers of the searchers that take part, in the order they joined."""
        return tuple(self._members)

    @property
    def estimate_xyz(self) -> Floats | None:
        """Estimated position of the target, (3,) metres; None: there is no search."""
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
        """React to a stimulus that searchers perceived without seeing its cause; return one order for each searcher.

        Searchers that see the target (`sees_target`, (n,) bool) fight and do not search. A hostile stimulus starts an
        aggressive search, or makes a cautious one aggressive; during an aggressive search any stimulus moves the
        estimated position.
        """
        require_choice(stimulus, "stimulus", ("hostile", "distraction"))
        ids, feet = self._rows(searchers, searchers_xyz)
        fights = flags(sees_target, len(ids), "sees_target")
        orders = {one: Order(one, "combat", "run", reason="sees the target") for one, sees in zip(ids, fights) if sees}
        rest = [row for row in range(len(ids)) if not fights[row]]
        if rest:
            mode: Mode = "aggressive" if stimulus == "hostile" or self.mode == "aggressive" else "cautious"
            self._start(mode, xyz, time, grace=0.0)
            self._enlist([ids[row] for row in rest], feet[rest], time)
        return tuple(orders.get(one) or self.order(one) for one in ids)

    def lose_sight(
        self, searchers: Sequence[int], searchers_xyz: Any, target_xyz: Any, time: float
    ) -> tuple[Order, ...]:
        """Start an aggressive search once no searcher sees the target; its position stays known for a while."""
        ids, feet = self._rows(searchers, searchers_xyz)
        self._start("aggressive", target_xyz, time, grace=self.settings.grace)
        self._enlist(ids, feet, time)
        return tuple(map(self.order, ids))

    def join(self, searchers: Sequence[int], searchers_xyz: Any, time: float) -> tuple[Order, ...]:
        """Let informed allies and reinforcements join an aggressive search."""
        if self.mode != "aggressive":
            raise QueryError("there is no aggressive search to join; start one with lose_sight or a hostile stimulus")
        ids, feet = self._rows(searchers, searchers_xyz)
        self._enlist(ids, feet, finite_number(time, "time", unit="s"))
        return tuple(map(self.order, ids))

    def order(self, searcher: int) -> Order:
        """Return the current order of a searcher."""
        member = self._members.get(_number(searcher, "searcher"))
        if member:
            return member.order
        why = "loses interest: enough investigate already" if self.mode == "cautious" else "there is no part for it"
        return Order(searcher, "none", reason=why)

    def update(
        self, time: float, searchers: Sequence[int], searchers_xyz: Any, heading: Any, *, target_xyz: Any = None
    ) -> tuple[SearchEvent, ...]:
        """Advance the search by one step: arrivals, spots seen, new orders and searchers that give up; return events.

        Parameters
        ----------
        searchers, searchers_xyz, heading : numbers (n,), positions (n, 3) and view directions (n,) in radians.
        target_xyz : true position of the target, used only for the grace after losing sight and for intuition.
        """
        ids, feet = self._rows(searchers, searchers_xyz)
        facing, time = headings(heading, len(ids)), finite_number(time, "time", unit="s")
        actual = None if target_xyz is None else point_xyz(target_xyz, "target_xyz")
        if self._estimate is not None and actual is not None:
            self._estimate.update(time, actual)
        for row, one in enumerate(ids):
            member = self._members.get(one)
            if member:
                member.xyz, member.heading = feet[row], float(facing[row])
        if time > self._began + self.settings.time_limit:
            self._end(time, SearchEnd.TIME_UP)
        if self.phase == 1:
            self._work_at_place(time)
        if self.phase == 2:
            self.searched(self._keeper.seen(self._members.values(), time), time)
            self._sweep(time, actual)
        self._go_home(time)
        events, self._events = tuple(self._events), []
        return events

    def request(self, searcher: int, searcher_xyz: Any, time: float, *, target_xyz: Any = None) -> SpotChoice | None:
        """Return the spot a searcher should look at next, marked as in progress; None: none is left, or time is up.

        The spot it was on its way to before is freed.
        """
        searcher, time = _number(searcher, "searcher"), finite_number(time, "time", unit="s")
        if self._estimate is None or time > self._began + self.settings.time_limit:
            return None
        place = point_xyz(searcher_xyz, "searcher_xyz")
        actual = None if target_xyz is None else point_xyz(target_xyz, "target_xyz")
        return self._keeper.request(searcher, place, self._estimate.xyz, actual, time)

    def searched(self, spots: Any, time: float) -> None:
        """Mark spots (numbers) as searched, so that no searcher is sent there."""
        time = finite_number(time, "time", unit="s")
        fresh = self._keeper.searched(spots, time)
        self._events += [SearchEvent("spot searched", time, xyz=self.spots.xyz[spot].copy()) for spot in fresh]

    def leave(self, searcher: int, time: float) -> None:
        """Remove a searcher from the search at once, because it fights or is down."""
        searcher = _number(searcher, "searcher")
        self.spots.release(searcher, finite_number(time, "time", unit="s"))
        self._members.pop(searcher, None)

    def found(self, time: float) -> None:
        """End the search because the target was found; all searchers fight."""
        self._end(finite_number(time, "time", unit="s"), SearchEnd.TARGET_FOUND)
        self._members.clear()

    def stop(self, time: float, reason: SearchEnd = SearchEnd.CALLED_OFF) -> None:
        """End the search; its members give up one by one."""
        self._end(finite_number(time, "time", unit="s"), reason)

    def _rows(self, searchers: Sequence[int], xyz: Any) -> tuple[list[int], Floats]:
        feet = points_xyz(xyz, "searchers_xyz")
        try:
            ids = [_number(one, "searchers") for one in searchers]
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
            # Now, so that the sweep can begin as soon as the place turns out to be empty.
            self._keeper.begin(self._estimate.xyz, time)
        if self._aggressive:
            self._approach.muster(self._members.values(), self._estimate.xyz, time)
        if begins:
            self._events.append(SearchEvent("search started", time, xyz=self._estimate.xyz, mode=mode))

    def _enlist(self, ids: list[int], feet: Floats, time: float) -> None:
        """Add searchers in order of distance; the nearest investigate."""
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
                others = self._members.values()
                order = self._approach.first_order(member, others, self._aggressive, self._estimate.xyz)
            if order.role != "none":
                self._members[member.number] = member
                member.begin(order, time)

    def _work_at_place(self, time: float) -> None:
        """Run phase 1; advance when an investigator has reached the place, or all have looked around there."""
        assert self._estimate is not None
        outcome, events = self._approach.work(self._members.values(), self._aggressive, self._estimate.xyz, time)
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
        """Begin phase 2 for all members in the same step."""
        assert self._estimate is not None
        self.phase = 2
        self._keeper.follow(self._estimate.xyz, time)
        for member in self._members.values():
            member.order = Order(member.number, "sweep", "run", reason="the place is empty")
            self._events.append(SearchEvent("phase advanced", time, member.number))

    def _sweep(self, time: float, actual: Floats | None) -> None:
        """Run phase 2: assign the next spot to members that are done with theirs; end the search when none is left."""
        for member in self._members.values():
            if member.leaves < math.inf:
                continue
            own = self.spots.of(member.number)
            if own != NOWHERE:
                away = float(np.linalg.norm(self.spots.xyz[own] - member.xyz))
                if away > self.settings.arrive and member.stuck_for(away, time) < self.settings.stuck_seconds:
                    continue
                self.searched(own, time)
            choice = self.request(member.number, member.xyz, time, target_xyz=actual)
            if choice is None:
                self._give_up(member, time, SearchEnd.NO_SPOT)
            else:
                gait: Literal["walk", "run"] = "walk" if self.mode == "cautious" else "run"
                why = f"spot {choice.spot}: best of {choice.candidates}"
                member.head_for(Order(member.number, "sweep", gait, choice.xyz, why, choice), time)
        if all(member.leaves < math.inf for member in self._members.values()):
            self._end(time, SearchEnd.NO_SPOT)

    def _give_up(self, member: Member, time: float, reason: SearchEnd) -> None:
        """Let a member go back at a random time: leaving all at once would look like one mind."""
        if member.leaves == math.inf:
            member.leaves = time + float(self._random.uniform(0.0, self.settings.stagger))
            member.order, member.why = Order(member.number, "linger", "walk", reason=reason), reason

    def _end(self, time: float, reason: SearchEnd) -> None:
        if not self.phase:
            return
        self.mode, self.phase, self._estimate = None, 0, None
        self.spots.clear()
        for member in self._members.values():
            self._give_up(member, time, reason)
        self._events.append(SearchEvent("search ended", time, reason=reason))

    def _go_home(self, time: float) -> None:
        for member in list(self._members.values()):
            if time >= member.leaves:
                del self._members[member.number]
                self._events.append(SearchEvent("gives up", time, member.number, reason=member.why))


def _number(searcher: Any, name: str) -> int:
    """Return the number of a searcher, which must fit into 32 bits."""
    number = whole_number(searcher, name)
    if number > _MOST:
        raise InputError(f"{name} is {shown(searcher)}; give whole numbers up to {_MOST}")
    return number
