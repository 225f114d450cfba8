"""Columns and texts of crews that are recorded in every step: members, places, statuses of trees, and reasons."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from ...agents.crews.combat.attack_turns import TURNS_KEY, AttackTurns
from ...agents.crews.crew import Crew
from ...agents.crews.crews import unmet_requests
from ...agents.directions import DIRECTION_KEYS, Direction
from ...conventions import Array
from ..world.world import World

ROLE, REASON, ASKS, TOLD, IN_VAIN, DECIDED = range(20_000, 20_006)
"""Slots of an agent's row in the table of texts, after those of its tree: its role, the reason of its role, its
requests, its directions except for the place, why its request formed no crew, and why it chose its last goal."""


def crews_in(world: World) -> Array:
    """Return the crew of each agent, (n,) int32; -1 if none."""
    if world.teamwork.crews is None:
        return _no_crews(np.int32, len(world.names))
    found = np.full(len(world.names), -1, np.int32)
    for crew in _standing(world):
        found[list(crew.members)] = crew.number
    return found


def slots(world: World) -> Array:
    """Return the slot of each agent among the places of its role, (n,) int16; -1 if none."""
    if world.teamwork.crews is None:
        return _no_crews(np.int16, len(world.names))
    return np.array([-1 if given is None else given.slot for given in _given(world)], np.int16)


def stands(world: World) -> Array:
    """Return the place where each agent should stand or watch from, (n, 3); NaN if none."""
    if world.teamwork.crews is None:
        return _no_places(len(world.names))
    nowhere = (math.nan,) * 3
    told = [{} if given is None else given.values for given in _given(world)]
    places = [values.get("stand") or values.get("watch") or nowhere for values in told]
    return np.array(places, np.float64).reshape(-1, 3)


def turns(world: World) -> Array:
    """Return whether each agent may attack, (n,) uint8: 0 no direction, 1 not now, 2 yes."""
    if world.teamwork.crews is None:
        return np.zeros(len(world.names), np.uint8)
    told = (None if given is None else given.values.get("attack") for given in _given(world))
    return np.array([0 if may is None else 2 if may else 1 for may in told], np.uint8)


def seats(world: World) -> Array:
    """Return the crew, objective, leader and target of each seat, (seats, 4) int32; -1 if none."""
    if world.teamwork.crews is None:
        return _no_crews(np.int32, 0, 4)
    found = np.full((_seats(world), 4), -1, np.int32)
    for crew in _standing(world):
        found[crew.seat] = crew.number, _objectives(world).index(crew.objective), crew.leader, crew.target
    return found


def statuses(world: World) -> Array:
    """Return the statuses of the nodes of each seat's tree, (seats, nodes of the largest) uint8."""
    widest = 0 if world.teamwork.crews is None else max(map(len, _trees(world)), default=0)
    found = np.zeros((_seats(world), widest), np.uint8)
    for crew in _standing(world):
        found[crew.seat, : len(crew.tree)] = crew.tree.statuses
    return found


def crew_notes(world: World) -> dict[str, Any]:
    """Return the objectives, and the text of the tree of each, which a recording holds once."""
    return {"objectives": _objectives(world), "trees": [tree.as_text(live=False) for tree in _trees(world)]}


def crew_texts(world: World) -> list[tuple[int, int, str]]:
    """Return the texts of all agents (see the slots above), and the reasons of the nodes of crews' trees.

    Trees of crews have the rows after the agents, one for each seat.
    """
    if world.teamwork.crews is None:
        return []
    found = []
    asks, in_vain = _asks(world), unmet_requests(world.teamwork.crews, world)
    for agent, given in enumerate(_given(world)):
        found.append((agent, ROLE, "" if given is None else given.role))
        found.append((agent, REASON, "" if given is None else given.reason))
        found.append((agent, ASKS, asks.get(agent, "")))
        found.append((agent, IN_VAIN, in_vain.get(agent, "")))
        found.append((agent, TOLD, "" if given is None else _direction_words(world, agent, given)))
    for crew in _standing(world):
        row = len(world.names) + crew.seat
        found += [(row, node, words) for node, words in enumerate(crew.tree.reasons)]
    return found


def _asks(world: World) -> dict[int, str]:
    found: dict[int, str] = {}
    for request in world.teamwork.requests:
        about = f" {world.names[request.target]}" if request.target >= 0 else ""
        words = f"{request.objective}{about} ({request.priority:g})"
        found[request.by] = f"{found[request.by]}, {words}" if request.by in found else words
    return found


def _token(world: World, agent: int, given: Direction) -> str:
    """Return why an agent may attack now or not; empty if its crew has no tokens."""
    crew = None if world.teamwork.crews is None else world.teamwork.crews.standing.get(given.crew)
    turns = None if crew is None else crew.blackboard.get(TURNS_KEY)
    if crew is None or not isinstance(turns, AttackTurns) or world.combat is None:
        return ""
    arms = world.combat.attack[agent]
    if arms not in turns.pools:
        return ""
    if turns.may_attack(agent):
        return f"has the {arms} token"
    why = turns.pools[arms].refusal(agent, world.time, characters=len(crew.members))
    # The remaining seconds would be another text in every step of a recording.
    why = why.rsplit(" ", 2)[0] if why.endswith(" s") else why
    return f"waits for a {arms} token" + (f" ({why})" if why else "")


def _direction_words(world: World, agent: int, given: Direction) -> str:
    """Return the directions of an agent as text, except for the place."""
    words = []
    for key, value in given.values.items():
        kind = DIRECTION_KEYS.get(key, "any")
        if key == "stand" or value is None:
            continue
        if kind == "place":
            words.append(f"{key} ({value[0]:.1f}, {value[1]:.1f})")
        elif kind == "agent":
            words.append(f"{key} {world.names[value]}")
        elif isinstance(value, bool):
            token = _token(world, agent, given) if key == "attack" else ""
            words.append((key if value else f"{key} not now") + (f": {token}" if token else ""))
        else:
            words.append(key if isinstance(value, Mapping | list | tuple) else f"{key} {value}")
    return ", ".join(words)


@cache
def _no_crews(kind: type[np.integer[Any]], *shape: int) -> Array:
    """Return a column without crews: -1 everywhere."""
    return np.full(shape, -1, kind)


@cache
def _no_places(agents: int) -> Array:
    """Return the column of places without crews."""
    return np.full((agents, 3), math.nan)


def _given(world: World) -> list[Any]:
    return list(world.teamwork.directions) or [None] * len(world.names)


def _standing(world: World) -> list[Crew]:
    return [] if world.teamwork.crews is None else list(world.teamwork.crews.standing.values())


def _objectives(world: World) -> list[str]:
    return [] if world.teamwork.crews is None else sorted(world.teamwork.crews.trees)


def _seats(world: World) -> int:
    return 0 if world.teamwork.crews is None else len(world.names) // 2


def _trees(world: World) -> list[Any]:
    """Return one tree for each objective."""
    if world.teamwork.crews is None:
        return []
    return [world.teamwork.crews.specimen(objective) for objective in _objectives(world)]
