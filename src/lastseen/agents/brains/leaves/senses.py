"""Conditions: what does this agent see, know, hear or have to do?"""

from __future__ import annotations

from ..mind import Mind

__all__ = [
    "has_lost_intruder",
    "is_called",
    "is_near_post",
    "knows_intruder",
    "notices_something",
    "searches",
    "sees_intruder",
]

Answer = tuple[bool, str]


def sees_intruder(mind: Mind) -> Answer:
    """Does it see somebody it has identified as an intruder?"""
    column = mind.world.seen[mind.require_watcher()]
    if column < 0:
        return False, "sees no intruder"
    mind.blackboard["target"] = column
    return True, f"sees {mind.world.target_name(column)}"


def knows_intruder(mind: Mind, within: float = 60.0) -> Answer:
    """Has it known of an intruder, by any source, within so many seconds?"""
    column = mind.world.known[mind.require_watcher()]
    if column < 0:
        return False, "knows of no intruder"
    age = mind.time - mind.world.knowledge.arrays.time[mind.row, column]
    mind.blackboard["target"] = column
    return bool(age <= within), f"knew of {mind.world.target_name(column)} {age:.1f} s ago"


def has_lost_intruder(mind: Mind, within: float = 10.0) -> Answer:
    """Has it lost sight of an intruder, no longer ago than so many seconds, and not yet run after that loss?"""
    column = mind.world.lost[mind.require_watcher()]
    if column < 0:
        return False, "has lost nobody"
    when = float(mind.world.knowledge.arrays.perceived[mind.row, column])
    if when <= mind.blackboard.get("chased", -1.0) and mind.state != "chase":
        return False, "has run after it already"
    age = mind.time - when
    mind.blackboard["target"] = column
    if mind.state == "chase":
        return True, f"runs after {mind.world.target_name(column)}"
    return age <= within, f"lost {mind.world.target_name(column)} {age:.1f} s ago"


def notices_something(mind: Mind) -> Answer:
    """Does it see something it cannot identify yet?"""
    column = mind.world.noticed[mind.require_watcher()]
    if column < 0:
        return False, "notices nothing"
    mind.blackboard["target"] = column
    assert mind.world.sightings is not None
    share = float(mind.world.sightings.awareness[mind.row, column])
    return True, f"notices something, {share:.0%} sure"


def searches(mind: Mind) -> Answer:
    """Is there a search this agent knows reason to take part in?"""
    if mind.world.known[mind.require_watcher()] < 0:
        return False, "knows of nobody to search for"
    left = mind.world.hunt.deadline - mind.time
    if not mind.world.hunt.is_on(mind.time, mind.number):
        return False, "the search is over"
    return True, f"searches {max(left, 0.0):.0f} s more"


def is_called(mind: Mind) -> Answer:
    """Is there something it should look into: a noise, a changed thing, a colleague who does not answer?"""
    stimulus = mind.world.stimuli.get(mind.world.calls[mind.require_watcher()])
    if stimulus is None:
        return False, "nothing calls"
    x, y, z = stimulus.xyz.tolist()
    return True, f"{stimulus.kind} {mind.distance_to((x, y, z)):.0f} m away"


def is_near_post(mind: Mind, metres: float = 3.0) -> Answer:
    """Is it within so many metres of where it began?"""
    x, y, z = mind.world.home[mind.number].tolist()
    away = mind.distance_to((x, y, z))
    return away <= metres, f"{away:.1f} m from its post"
