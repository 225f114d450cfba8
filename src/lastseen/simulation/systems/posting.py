"""Posting: what guards heard goes on the board, and moves the search."""

from __future__ import annotations

import math

import numpy as np

from ...agents.brains.surroundings import TEAMS
from ...agents.perception.sounds import Sound
from ...conventions import Array
from ..world import World

__all__ = ["CALL_SECONDS", "post_sounds"]

CALL_SECONDS = 20.0
"""Seconds for which something calls for a look."""
_SAME_PLACE = 4.0
"""Metres within which sounds of a kind are one call."""


def post_sounds(world: World) -> None:
    """Put what guards heard on the board, once for each sound; what gives an enemy away also moves the search."""
    assert world.noted is not None
    guards = world.bodies.team[world.watchers] == TEAMS.index("guards")
    for number, sound in enumerate(world.noted.sounds):
        rows = np.flatnonzero(world.noted.heard[number] & guards)
        if not len(rows) or sound.kind == "breathing":
            continue
        if sound.made_by >= 0 and world.bodies.team[sound.made_by] == TEAMS.index("guards") and sound.kind != "shout":
            continue
        _search_by_sound(world, sound, world.watchers[rows])
        rows = _wondering(world, sound, rows)
        if not len(rows):
            continue
        posted = _posted_for(world, sound)
        if posted < 0:
            most = 3 if sound.nature == "hostile" else 1
            posted = world.stimuli.post_sound(sound, lifetime=CALL_SECONDS, most_claims=most).number
            world.happened(
                "heard", int(world.watchers[rows[0]]), f"a {sound.kind} is heard", at=tuple(sound.xyz.tolist())
            )
        if sound.lifetime > 0.0:
            world.called_by.setdefault(sound, (posted, world.time))
        if world.stimuli.get(posted) is None:
            continue  # it still sounds, but has been seen to
        heard = world.heard_by.setdefault(posted, np.zeros(len(world.watchers), np.bool_))
        heard[rows] = True


def _search_by_sound(world: World, sound: Sound, hearers: Array) -> None:
    """Let a search go on from what was heard; gunfire and the like begin one for those who heard it."""
    begins = sound.nature == "hostile" and sound.kind not in ("shout", "alarm")
    if not begins and not (world.hunt.is_on(world.time) and sound.gives_away and sound.made_by in world.targets):
        return
    members = world.hunt.members
    agents = [agent for agent in hearers.tolist() if begins or agent in members]
    for agent in agents if begins else ():
        world.hunt.alert(agent)
    places = world.bodies.xyz[agents]
    world.hunt.perceive(sound.xyz, world.time, sure=False, agents=agents, places=places, target=sound.made_by)


def _wondering(world: World, sound: Sound, rows: Array) -> Array:
    """Return who wonders what that was: not who sees its maker."""
    seen = [world.seen[row] for row in rows.tolist()]
    return rows[[column < 0 or world.targets[column] != sound.made_by for column in seen]]


def _posted_for(world: World, sound: Sound) -> int:
    """Return the number of the stimulus a sound is, or was, posted as; -1: none yet."""
    if world.called_by:
        world.called_by = {one: at for one, at in world.called_by.items() if world.time - at[1] < CALL_SECONDS}
    if sound in world.called_by:
        return world.called_by[sound][0]
    return _posted_near(world, sound.kind, sound.xyz.tolist())


def _posted_near(world: World, kind: str, xyz: list[float]) -> int:
    """Return the number of a stimulus of that kind near a place: footsteps are one call, not thirty a second."""
    for one in world.stimuli:
        if one.kind == kind and math.dist(one.xyz.tolist(), xyz) <= _SAME_PLACE:
            return one.number
    return -1
