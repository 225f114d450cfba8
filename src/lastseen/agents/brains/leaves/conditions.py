"""Conditions on what an agent sees, knows, was told or has to do."""

from __future__ import annotations

import math

import numpy as np

from ..facts import ALERTED, AWAY, KNOWS, LOST, RETURNS, SEES_ANOTHER, SEES_TARGET, WAITS
from ..mind import Mind, as_place
from .brain_leaf import TARGET, Answer, condition


@condition(SEES_ANOTHER | SEES_TARGET, writes=TARGET)
def sees_intruder(mind: Mind) -> Answer:
    """Return whether the agent sees and has identified an intruder."""
    column = mind.attention.seen[mind.require_watcher()]
    if column < 0:
        return False, "sees no intruder"
    mind.blackboard["target"] = column
    return True, f"sees {mind.world.target_name(column)}"


@condition(KNOWS, writes=TARGET)
def knows_intruder(mind: Mind, within: float = 60.0) -> Answer:
    """Return whether the agent learned of an intruder, from any source, in the last `within` seconds."""
    column = mind.attention.known[mind.require_watcher()]
    if column < 0:
        return False, "knows of no intruder"
    age = mind.time - mind.world.knowledge.arrays.time[mind.row, column]
    mind.blackboard["target"] = column
    return bool(age <= within), f"knew of {mind.world.target_name(column)} {age:.1f} s ago"


@condition(LOST | WAITS, writes=TARGET)
def has_lost_intruder(mind: Mind, within: float = 10.0) -> Answer:
    """Return whether the agent lost sight of an intruder in the last `within` seconds and has not yet given chase.

    Agents that wait after a loss (setting `approach`) do not give chase.
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


@condition(KNOWS, writes=TARGET)
def is_told(mind: Mind, within: float = 2.0) -> Answer:
    """Return whether the agent knows of an intruder that a colleague saw in the last `within` seconds."""
    world, column = mind.world, mind.attention.known[mind.require_watcher()]
    if column < 0:
        return False, "knows of no intruder"
    waits = world.hunt.coordinator is not None or mind.blackboard["approach"]
    if waits and column not in mind.attention.seen:
        return False, "does not run in after a loss"
    mind.blackboard["target"] = column
    seen, is_chasing = mind.attention.acted_on, mind.state == "chase"
    is_lost = not is_chasing and mind.attention.lost[mind.row] == column
    if is_lost and seen.item(mind.row, column) > mind.blackboard["chased"]:
        return False, "has lost it itself"
    latest = float(np.maximum.reduce(seen[:, column]))
    if latest == seen.item(mind.row, column):  # It is one of the last to have seen it.
        latest = float(np.delete(seen[:, column], mind.row).max(initial=-math.inf))
    age = mind.time - min(latest, world.knowledge.arrays.time.item(mind.row, column))
    # Agents already running continue for longer, because news arrives irregularly.
    most = 2.0 * within if is_chasing else within
    if math.isinf(age):
        return False, f"no colleague saw {world.target_name(column)}"
    return age <= most, f"a colleague saw {world.target_name(column)} {age:.1f} s ago"


@condition(AWAY | RETURNS)
def was_called_away(mind: Mind) -> Answer:
    """Return whether the agent left its patrol and is not back yet."""
    if mind.state == "patrol":
        return False, "is on patrol"
    return True, f"comes back: {mind.state}"


@condition(KNOWS | ALERTED)
def searches(mind: Mind) -> Answer:
    """Return whether there is a search the agent has reason to join."""
    hunt = mind.world.hunt
    if mind.attention.known[mind.require_watcher()] < 0 and mind.number not in hunt.alerted:
        return False, "knows of nobody to search for"
    left = hunt.deadline - mind.time
    if not hunt.is_on(mind.time, mind.number):
        return False, "the search is over"
    return True, f"searches {max(left, 0.0):.0f} s more"


@condition()
def search_stands(mind: Mind) -> Answer:
    """Return whether no strong stimulus has moved the search, and something is left to see where the agent goes."""
    if mind.world.hunt.has_moved(mind.number):
        return False, "heard something elsewhere"
    if mind.world.hunt.is_spent(mind.number):
        return False, "nothing left to see there"
    return True, "nothing new"


@condition()
def is_near_post(mind: Mind, metres: float = 3.0) -> Answer:
    """Return whether the agent is within this distance of where it started."""
    away = mind.distance_to(as_place(mind.world.cast.home[mind.number]))
    return away <= metres, f"{away:.1f} m from its post"
