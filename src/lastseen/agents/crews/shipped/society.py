"""Vocabulary of searches and society: members' states, posts and calls, investigators, and places to gather or hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from ....conventions import Array, Floats
from ....kernels.sight.sight_line import clear_lines
from ....reasoning.tactical.chokepoints import find_chokepoints
from ....reasoning.tactical.slots import slots_around
from ...bodies.bodies import STANCES
from ...brains.mind import Place, as_place
from ...brains.shipped_brains import place_query
from ...limits import Count, Metres, NotNegative, Seconds
from ..crew_mind import CrewMind
from ..roles.vocabulary import Asked, Places, RoleWords
from .destinations import area_exits
from .general import falling, in_columns, says

Answer = tuple[bool, str]
_AT_IT = ("engage", "chase")
_CALM = ("patrol", "return")


def add_society(words: RoleWords) -> None:
    """Add the words of searches and society."""
    conditions: tuple[Any, ...] = (intruder_seen, search_is_on, search_goes_on, members_called, members_calm)
    for condition in conditions:
        words.crew(condition)
    words.crew(gathered, names={"role": "role"})
    words.crew(held_for, names={"role": "role"})
    words.crew(role_is, names={"role": "role", "state": "state"})
    words.member(takes_part)
    words.member(is_called)
    words.member(is_calm)
    words.score(near_search, says=_say_search)
    words.score(near_spot, says=_say_spot)
    words.score(called, says=says("is called"))
    words.value(_spot, name="spot")
    words.value(_search, name="search_place")
    words.value(_investigator_place, name="investigator")
    words.agent(_investigator, name="investigator")
    words.place(gathering, room=lambda level, radius, count, apart: count)  # noqa: ARG005
    words.place(ways_out)
    words.place(chokepoints)
    words.place(overlooks, room=lambda level, around, count, clear: count)  # noqa: ARG005
    words.member(has_watched)


def spot_of(mind: CrewMind) -> Place:
    """Return the place a crew is about: the requested one, else the leader's first position."""
    spot: Place | None = mind.blackboard.get("spot")
    if spot is None:
        spot = mind.known.place or mind.place_of(mind.crew.leader)
        mind.blackboard["spot"] = spot
    return spot


def called_to(mind: CrewMind, member: int) -> Any:
    """Return the stimulus that calls a member to investigate, or None."""
    row = int(mind.world.cast.watcher_row[member])
    number = mind.world.attention.calls[row] if 0 <= row < len(mind.world.attention.calls) else -1
    return mind.world.attention.stimuli.get(number) if number >= 0 else None


def intruder_seen(mind: CrewMind) -> Answer:
    """Return whether any member sees or pursues an intruder."""
    world = mind.world
    for member in mind.members:
        row = int(world.cast.watcher_row[member])
        if 0 <= row < len(world.attention.seen) and world.attention.seen[row] >= 0:
            return True, f"{mind.name_of(member)} sees an intruder"
        if world.state_of(member) in _AT_IT:
            return True, f"{mind.name_of(member)} pursues an intruder"
    return False, "no member sees an intruder"


def search_is_on(mind: CrewMind) -> Answer:
    """Return whether any agent still takes part in a search; not all give up at the same time."""
    on = mind.world.hunt.is_on(mind.time)
    return on, "the search is on" if on else "the search is over"


def search_goes_on(mind: CrewMind) -> Answer:
    """Return whether a search has time and places left."""
    on = mind.world.hunt.goes_on(mind.time)
    return on, "the search goes on" if on else "the search is over"


def gathered(mind: CrewMind, role: str, metres: Metres = 1.5) -> Answer:
    """Return whether all members of a role are within this distance of their places; False if there are none."""
    held = {member: given for member, given in mind.crew.given.items() if given.role == role}
    for member, given in held.items():
        place = given.values.get("watch") or given.values.get("stand")
        if place is not None and math.dist(mind.place_of(member), place) > metres:
            return False, f"waits for {mind.name_of(member)}"
    return bool(held), "all are there" if held else f"nobody is {role}"


def role_is(mind: CrewMind, role: str, state: str) -> Answer:
    """Return whether all members of a role are in a state ("patrol", "suspicious" …); False if there are none."""
    held = [member for member in mind.members if mind.role_of(member) == role]
    states = [mind.world.state_of(member) for member in held]
    return bool(held) and all(one == state for one in states), f"{role}: {', '.join(states) or 'nobody'}"


def members_called(mind: CrewMind, kind: str = "", nature: str = "") -> Answer:
    """Return whether any stimulus, or one of a kind or nature ("hostile", "distraction"), calls a member."""
    for member in mind.members:
        found = called_to(mind, member)
        if found is not None and kind in ("", found.kind) and nature in ("", found.nature):
            return True, f"a {found.kind} calls {mind.name_of(member)}"
    return False, "nothing calls"


def members_calm(mind: CrewMind) -> Answer:
    """Return whether every member is on patrol or returning to it, with no call and nothing noticed."""
    for member in mind.members:
        held, why = is_calm(mind, member)
        if not held:
            return False, why
    return True, "all are calm"


def held_for(mind: CrewMind, role: str, seconds: Seconds) -> Answer:
    """Return whether any member has had a role for this many seconds."""
    since = min((given.since for given in mind.crew.given.values() if given.role == role), default=mind.time)
    return mind.time - since >= seconds, f"{role} for {mind.time - since:.1f} s"


def takes_part(mind: CrewMind, member: int) -> Answer:
    """Return whether the member has not yet given up the search; when it ends, members give up one after another."""
    hunt = mind.world.hunt
    if hunt.goes_on(mind.time):
        mind.blackboard.pop("search over", None)
        return True, "searches"
    since = mind.blackboard.setdefault("search over", mind.time)
    on = hunt.is_on(mind.time, member) or mind.time - since < hunt.lateness(member)
    return on, "searches" if on else "has given up"


def is_called(mind: CrewMind, member: int) -> Answer:
    """Return whether a stimulus calls the member, or it is already investigating."""
    found = called_to(mind, member)
    at_it = mind.world.state_of(member) == "suspicious"
    if found is None and not at_it:
        return False, "nothing calls"
    return True, f"a {found.kind} calls" if found is not None else "looks into something"


def is_calm(mind: CrewMind, member: int) -> Answer:
    """Return whether the member is on patrol or returning to it, with no call and nothing noticed."""
    world, row = mind.world, int(mind.world.cast.watcher_row[member])
    if world.state_of(member) not in _CALM:
        return False, f"{mind.name_of(member)} is up to {world.state_of(member)}"
    noticed = world.attention.noticed
    if called_to(mind, member) is not None or (0 <= row < len(noticed) and noticed[row] >= 0):
        return False, f"something calls {mind.name_of(member)}"
    return True, "calm"


def near_search(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score the proximity of each member to where the search began."""
    return _near(mind, members, asked, mind.world.hunt.place)


def near_spot(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score the proximity of each member to the crew's place."""
    return _near(mind, members, asked, spot_of(mind))


def _near(mind: CrewMind, members: tuple[int, ...], asked: Asked, place: Place | None) -> Floats:
    if place is None:
        return np.zeros((len(members), asked.count))
    metres = np.linalg.norm(mind.world.bodies.xyz[list(members)] - place, axis=1)
    return in_columns(falling(metres), asked)


def called(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score members that are called or already investigating."""
    return in_columns([is_called(mind, member)[0] for member in members], asked)


def _say_search(mind: CrewMind, member: int, xyz: Place | None, value: float) -> str:  # noqa: ARG001
    place = mind.world.hunt.place
    return "" if place is None else f"{math.dist(mind.place_of(member), place):.1f} m from where the search began"


def _say_spot(mind: CrewMind, member: int, xyz: Place | None, value: float) -> str:  # noqa: ARG001
    return f"{math.dist(mind.place_of(member), spot_of(mind)):.1f} m from it"


def _spot(mind: CrewMind, member: int, xyz: Place | None) -> Place:  # noqa: ARG001
    return spot_of(mind)


def _search(mind: CrewMind, member: int, xyz: Place | None) -> Place | None:  # noqa: ARG001
    return mind.world.hunt.place


def _investigator(mind: CrewMind, member: int) -> int:
    """Return the member with the role `investigate`, or -1 if there is none or it is the member itself."""
    found = [one for one in mind.members if mind.role_of(one) == "investigate" and one != member]
    return found[0] if found else -1


def _investigator_place(mind: CrewMind, member: int, xyz: Place | None) -> Place:  # noqa: ARG001
    """Return the investigator's position, or the crew's place if there is none."""
    agent = _investigator(mind, member)
    return mind.place_of(agent) if agent >= 0 else spot_of(mind)


_THERE = 1.5
"""Distance in metres within which a member counts as at its post."""
_ON_ITS_WAY = 10.0
"""Seconds a member may take to reach a post."""


def has_watched(mind: CrewMind, member: int, seconds: Seconds = 3.0) -> Answer:
    """Return whether the member has stood at a post for this many seconds; it then needs no post until a new loss.

    A post is the `watch` place of a direction. A member that needs over 10 s more than that to get there is also
    released.
    """
    place = mind.world.hunt.place
    known = mind.blackboard.get("watched")
    if known is None or known[0] != place:
        known = mind.blackboard["watched"] = (place, {}, set())
    arrived: dict[int, float] = known[1]
    done: set[int] = known[2]
    if member in done:
        return True, "nobody came by its post"
    given = mind.crew.given.get(member)
    post = None if given is None else given.values.get("watch")
    if given is None or post is None:
        arrived.pop(member, None)
        return False, "has no post"
    if math.dist(mind.place_of(member), post) <= _THERE:
        arrived.setdefault(member, mind.time)
    stood = mind.time - arrived.get(member, math.inf)
    if stood >= seconds or mind.time - given.since >= seconds + _ON_ITS_WAY:
        done.add(member)
        return True, "nobody came by its post"
    return False, f"at its post for {max(0.0, stood):.1f} s"


_SAME = 2.0
"""Distance in metres within which two exits count as one."""
_OVERLOOKS = 14.0
"""Maximum distance in metres of an overlook."""
_ASIDE = np.array([(0.0, 0.0, 0.0), (0.4, 0.0, 0.0), (-0.4, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, -0.4, 0.0)])
"""Offsets at which a member may stand after arriving at a place."""


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
