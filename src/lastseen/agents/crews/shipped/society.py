"""Vocabulary of searches and society: members' states, posts and calls, investigators, and places to gather or hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....conventions import Floats
from ...brains.mind import Place
from ...limits import Metres, Seconds
from ..crew_mind import CrewMind
from ..roles.vocabulary import Asked, RoleWords
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
