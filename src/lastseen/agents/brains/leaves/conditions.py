"""Conditions: what does this agent see, know, hear or have to do?"""

from __future__ import annotations

import math

from ..facts import ALERTED, AWAY, KNOWS, LOST, RETURNS, SEES_ANOTHER, SEES_TARGET, WAITS, woken_by
from ..mind import Mind

__all__ = [
    "has_lost_intruder",
    "is_near_post",
    "is_told",
    "knows_intruder",
    "searches",
    "sees_intruder",
    "was_called_away",
]

Answer = tuple[bool, str]


@woken_by(SEES_ANOTHER | SEES_TARGET)
def sees_intruder(mind: Mind) -> Answer:
    """Does it see somebody it has identified as an intruder?"""
    column = mind.attention.seen[mind.require_watcher()]
    if column < 0:
        return False, "sees no intruder"
    mind.blackboard["target"] = column
    return True, f"sees {mind.world.target_name(column)}"


@woken_by(KNOWS)
def knows_intruder(mind: Mind, within: float = 60.0) -> Answer:
    """Has it known of an intruder, by any source, within so many seconds?"""
    column = mind.attention.known[mind.require_watcher()]
    if column < 0:
        return False, "knows of no intruder"
    age = mind.time - mind.world.knowledge.arrays.time[mind.row, column]
    mind.blackboard["target"] = column
    return bool(age <= within), f"knew of {mind.world.target_name(column)} {age:.1f} s ago"


@woken_by(LOST | WAITS)
def has_lost_intruder(mind: Mind, within: float = 10.0) -> Answer:
    """Has it lost sight of an intruder, no longer ago than so many seconds, and not yet run after that loss?

    Who waits after a loss (setting `approach`) runs after nobody.
    """
    if mind.blackboard["approach"]:
        return False, "waits instead"
    column = mind.attention.lost[mind.require_watcher()]
    if column < 0:
        return False, "has lost nobody"
    when = float(mind.attention.acted_on[mind.row, column])
    if when <= mind.blackboard.get("chased", -1.0) and mind.state != "chase":
        return False, "has run after it already"
    age = mind.time - when
    mind.blackboard["target"] = column
    if mind.state == "chase":
        return True, f"runs after {mind.world.target_name(column)}"
    return age <= within, f"lost {mind.world.target_name(column)} {age:.1f} s ago"


@woken_by(KNOWS)
def is_told(mind: Mind, within: float = 2.0) -> Answer:
    """Does it know of an intruder that a colleague saw a moment ago: no longer than so many seconds?"""
    world, column = mind.world, mind.attention.known[mind.require_watcher()]
    if column < 0:
        return False, "was told of nobody"
    waits = world.hunt.coordinator is not None or mind.blackboard["approach"]
    if waits and column not in mind.attention.seen:
        return False, "does not run in after a loss"
    mind.blackboard["target"] = column
    seen = mind.attention.acted_on[:, column].tolist()
    own = seen.pop(mind.row)
    if own > mind.blackboard["chased"] and mind.state != "chase":
        return False, "has lost it itself"
    told = float(world.knowledge.arrays.time[mind.row, column])
    age = mind.time - min(max(seen, default=-math.inf), told)
    # Who runs already goes on for longer: news come by fits and starts.
    most = 2.0 * within if mind.state == "chase" else within
    return age <= most, f"a colleague saw {world.target_name(column)} {age:.1f} s ago"


@woken_by(AWAY | RETURNS)
def was_called_away(mind: Mind) -> Answer:
    """Has it done something else than its round, and is not back yet?"""
    if mind.state == "patrol":
        return False, "is on its round"
    return True, f"comes back: {mind.state}"


@woken_by(KNOWS | ALERTED)
def searches(mind: Mind) -> Answer:
    """Is there a search this agent has reason to take part in?"""
    hunt = mind.world.hunt
    if mind.attention.known[mind.require_watcher()] < 0 and mind.number not in hunt.alerted:
        return False, "knows of nobody to search for"
    left = hunt.deadline - mind.time
    if not hunt.is_on(mind.time, mind.number):
        return False, "the search is over"
    return True, f"searches {max(left, 0.0):.0f} s more"


def is_near_post(mind: Mind, metres: float = 3.0) -> Answer:
    """Is it within so many metres of where it began?"""
    x, y, z = mind.world.cast.home[mind.number].tolist()
    away = mind.distance_to((x, y, z))
    return away <= metres, f"{away:.1f} m from its post"
