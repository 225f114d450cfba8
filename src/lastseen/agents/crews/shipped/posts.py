"""Vocabulary of cordons: where to hold what is searched, where to look on, and until when."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np

from ....cells.query import nearest_cells
from ....conventions import Array, Ids
from ....errors import InputError
from ....kernels.sight.sight_line import clear_lines
from ....reasoning.search.coordinator.spots import UNSEARCHED
from ....reasoning.tactical.area import area_within
from ....reasoning.tactical.chokepoints import find_chokepoints
from ....reasoning.tactical.slots import slots_around
from ...bodies.bodies import STANCES
from ...brains.mind import Place, as_place
from ...brains.shipped_brains import place_query
from ...limits import Count, Metres, NotNegative, Seconds
from ..crew_mind import CrewMind
from ..roles.vocabulary import Places, RoleWords
from .destinations import area_exits
from .society import Answer, spot_of


def add_posts(words: RoleWords) -> None:
    """Add the words of cordons."""
    words.place(gathering, room=lambda level, radius, count, apart: count)  # noqa: ARG005
    words.place(ways_out)
    words.place(chokepoints)
    words.place(overlooks, room=lambda level, around, count, clear: count)  # noqa: ARG005
    words.place(entrances)
    words.member(is_relieved)
    words.member(may_enter, names={"role": "role"})


_THERE = 1.5
"""Distance in metres within which a member counts as at its post."""
_ON_ITS_WAY = 10.0
"""Seconds a member may take to reach a post."""
_LEFT = 0.2
"""Share of a closed area that may be left unsearched: searchers leave corners for later."""
_RETURNED = 0.05
"""Influence by which a cell must exceed what comes back by itself to count as unsearched."""
_SAME = 2.0
"""Distance in metres within which two exits count as one."""
_OVERLOOKS = 14.0
"""Maximum distance in metres of an overlook."""
_ASIDE = np.array([(0.0, 0.0, 0.0), (0.4, 0.0, 0.0), (-0.4, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, -0.4, 0.0)])
"""Offsets at which a member may stand after arriving at a place."""


def is_relieved(
    mind: CrewMind, member: int, radius: Metres = 12.0, seconds: Seconds = 3.0, area: bool = False
) -> Answer:
    """Return whether the member may leave its post: it stood there this long, and what it closes off is searched.

    A post is the `watch` place of a direction, and closes off what lies within `radius` metres of where the search
    began, or the whole `area` of the environment around that place; four fifths of that have to be looked at, and its
    hiding places opened. A member that needs over 10 s more than `seconds` to get there is relieved, too. Once
    relieved, it needs no post until a new loss.
    """
    place = mind.world.hunt.place
    known = mind.blackboard.get("relieved")
    if known is None or known[0] != place:
        known = mind.blackboard["relieved"] = (place, {}, set())
    arrived: dict[int, float] = known[1]
    done: set[int] = known[2]
    if member in done:
        return True, "is relieved of its post"
    given = mind.crew.given.get(member)
    post = None if given is None else given.values.get("watch")
    if given is None or post is None:
        arrived.pop(member, None)
        return False, "has no post"
    if math.dist(mind.place_of(member), post) <= _THERE:
        arrived.setdefault(member, mind.time)
    stood = mind.time - arrived.get(member, math.inf)
    if stood < seconds and mind.time - given.since < seconds + _ON_ITS_WAY:
        return False, f"at its post for {max(0.0, stood):.1f} s"
    share = _unsearched(mind, 0.0 if area else radius) if member in arrived else 0.0
    if share > _LEFT:
        return False, f"holds its post: {share:.0%} of what it closes off are unsearched"
    done.add(member)
    return True, "what its post closes off is searched" if member in arrived else "did not get to its post"


def _unsearched(mind: CrewMind, radius: float) -> float:
    """Return the share of the area around the start of the search that nobody has looked at, 0 … 1.

    With radius 0, it is that of the environment.
    """
    known = mind.blackboard.get("unsearched")
    if known is None or known[:2] != (mind.time, radius):
        known = mind.blackboard["unsearched"] = (mind.time, radius, _measured(mind, radius))
    share: float = known[2]
    return share


def _measured(mind: CrewMind, radius: float) -> float:
    hunt, middle = mind.world.hunt, _middle(mind)
    cells = _closed_off(mind, middle, radius)
    if not hunt.spreads:
        assert hunt.coordinator is not None
        pool = hunt.coordinator.spots
        near = np.isin(nearest_cells(mind.world.cells, pool.xyz), cells) if len(pool.xyz) else np.zeros(0, np.bool_)
        begun = hunt.coordinator.phase == 2 and near.any()
        return float((pool.state[near] == UNSEARCHED).mean()) if begun else 1.0
    left = hunt.search.value01[cells] > hunt.search.settings.threshold + _RETURNED
    left |= ~np.isin(cells, hunt.search.reached)
    unopened = np.isin(cells[left], list(hunt.search.spots.values())).any()
    return 1.0 if unopened else float(left.mean()) if len(cells) else 0.0


def _closed_off(mind: CrewMind, middle: Place, radius: float) -> Ids:
    """Return the cells within a radius of a place, or with radius 0, of the area of the environment there."""
    known = mind.blackboard.setdefault("closed off", {})
    if (middle, radius) not in known:
        environment = mind.world.reasoning.environment() if radius == 0.0 else None
        try:
            if environment is not None:
                number = int(environment.area_at([middle])[0])
                cells = environment.areas[number].cells if number >= 0 else np.zeros(0, np.int32)
            else:
                cells = area_within(mind.world.cells, middle, radius).cells
        except InputError:
            cells = np.zeros(0, np.int32)  # The place is not walkable.
        known[middle, radius] = cells
    found: Ids = known[middle, radius]
    return found


def gathering(mind: CrewMind, radius: Metres = 1.5, count: Count = 8, apart: NotNegative = 0.8) -> Places:
    """Find evenly spread places around the crew's place, each with a straight path to it; computed once."""

    def find() -> Places:
        polled = slots_around(mind.world.cells, [spot_of(mind)], count, radius, apart=apart)
        there = np.flatnonzero(polled.found[0])
        return Places.of(polled.xyz[0, there], there, tuple(f"place {number + 1}" for number in there.tolist()))

    return _kept(mind, ("gathering", radius, count, apart), spot_of(mind), find)


def ways_out(mind: CrewMind, radius: Metres = 12.0, beyond: NotNegative = 20.0) -> Places:
    """Find the exits of the area where the search began, except those with less than `beyond` m² behind them."""
    middle = _middle(mind)
    return _kept(mind, ("ways out", radius, beyond), middle, lambda: area_exits(mind, middle, radius, beyond))


def entrances(mind: CrewMind, most: Count = 3) -> Places:
    """Find posts outside the area where the search began that see its chokes, at most so many for each choke."""
    middle = _middle(mind)

    def find() -> Places:
        environment = mind.world.reasoning.environment()
        area = int(environment.area_at([middle])[0])
        chokes = environment.chokes_of(area) if area >= 0 else ()
        # One post of every choke before the second of any.
        posts = [
            (node, number)
            for place in range(most)
            for number, one in enumerate(chokes)
            for node in one.posts_in(one.beyond(area))[place : place + 1]
        ]
        words = tuple(f"entrance {number + 1} of {len(chokes)}" for _, number in posts)
        return Places.of(np.array([node for node, _ in posts]).reshape(-1, 3), words=words)

    return _kept(mind, ("entrances", most), middle, find)


def may_enter(mind: CrewMind, member: int, role: str = "search") -> Answer:
    """Return whether the member is one of as many as should enter the area where the search began.

    Those who have the role already come first, then the nearest.
    """
    environment, middle = mind.world.reasoning.environment(), _middle(mind)
    area = int(environment.area_at([middle])[0])
    if area < 0:
        return True, "the place is in no area"
    most = environment.areas[area].entrants
    order = sorted((mind.role_of(one) != role, math.dist(mind.place_of(one), middle), one) for one in mind.members)
    return member in [one for *_, one in order[:most]], f"{most} should enter"


def chokepoints(mind: CrewMind, radius: Metres = 20.0, widest: Metres = 2.5, detour: NotNegative = 20.0) -> Places:
    """Find narrow passages within a straight-line distance of where the search began.

    They are computed once per crew, so doors that open later are ignored.
    """
    middle = _middle(mind)

    def find() -> Places:
        cells = mind.world.cells
        found = find_chokepoints(cells, widest=widest, detour=detour, apart=_SAME, around=middle, radius=radius)
        words = tuple(f"chokepoint, {width:.1f} m wide" for width in found.width.tolist())
        return Places.of(found.xyz, words=words)

    return _kept(mind, ("chokepoints", radius, widest, detour), middle, find)


def overlooks(
    mind: CrewMind, around: Literal["search", "spot"] = "search", count: Count = 4, clear: bool = False
) -> Places:
    """Find places that overlook the start of the search, or the crew's place: not too near, and apart.

    If members are far from all such places, others count too; but not if the view has to be `clear`, so that the place
    is also seen from a step aside.
    """
    middle = _middle(mind) if around == "search" else spot_of(mind)

    def find() -> Places:
        query, chosen = place_query("support"), list[Place]()
        cells = _in_clear_view(mind, middle) if clear else None
        for member in mind.members[:count]:
            where = {"place": np.array([middle]), "colleagues": np.array(chosen).reshape(-1, 3)}
            choice = mind.world.reasoning.picker.pick(
                query, np.array(mind.place_of(member)), places=where, candidates=cells
            )
            if choice.cell >= 0:
                chosen.append(as_place(choice.xyz[0]))
        return Places.of(chosen, words=tuple(f"overlook {number + 1}" for number in range(len(chosen))))

    return _kept(mind, ("overlooks", around, count, clear), middle, find)


def _in_clear_view(mind: CrewMind, middle: Place) -> Array:
    """Return the cells from which a place is seen even from a little aside."""
    xyz = mind.world.cells.arrays.cell_xyz
    near = np.flatnonzero(np.linalg.norm(xyz - middle, axis=1) <= _OVERLOOKS)
    stands = (xyz[near, None] + _ASIDE).reshape(-1, 3)
    stands[:, 2] += STANCES[0].eye
    points = np.tile(np.add(middle, (0.0, 0.0, STANCES[0].chest)), (len(stands), 1))
    clear = np.zeros(len(stands), np.bool_)
    clear_lines(mind.world.sight.arrays, stands, points, clear)
    return near[clear.reshape(-1, len(_ASIDE)).all(axis=1)]


def _middle(mind: CrewMind) -> Place:
    return mind.world.hunt.place or spot_of(mind)


def _kept(mind: CrewMind, asked: tuple[object, ...], middle: Place, find: Callable[[], Places]) -> Places:
    """Return the cached places for the same middle, or find them now."""
    known = mind.blackboard.setdefault("places of society", {})
    if asked not in known or known[asked][0] != middle:
        known[asked] = (middle, find())
    places: Places = known[asked][1]
    return places
