"""Noticing: doors found open, bodies found lying, and colleagues not heard of call for a look."""

from __future__ import annotations

import numpy as np

from ...agents.brains.surroundings import TEAMS
from ...agents.perception.hearing import PathHearing
from ...conventions import Array, Bools
from ...kernels.body_arrays import ACTIVE, BODY
from ...kernels.sight_line import clear_lines
from ...kernels.vision_rays import in_smoke
from ..fighting import bodies_in_sight
from ..world import World
from .posting import CALL_SECONDS

__all__ = ["miss_colleagues", "notice_changes"]

_NOTICE_REACH, _NOTICE_ANGLE = 15.0, np.radians(60.0)
"""Metres and radians off the gaze within which guards notice changed things."""
_EARSHOT = 12.0


def notice_changes(world: World) -> None:
    """Doors found open and bodies found lying call for a look."""
    fallen = np.flatnonzero(bodies_in_sight(world).mode == BODY)
    doors = len(world.door_shut)
    for agent in fallen.tolist():
        world.changed.xyz[doors + agent] = world.bodies.xyz[agent]
        world.changed.change(doors + agent, 1, world.time)
    fresh = world.changed.fresh(world.time)
    if not fresh.any():
        return
    visible = world.reacting.find(_sees_things(world, np.flatnonzero(fresh)), world.time)
    for found in world.changed.notice(visible, world.time):
        agent = int(world.watchers[found.observer])
        x, y, z = world.changed.xyz[found.object].tolist()
        is_body = found.object >= doors
        kind = "body" if is_body else "open door" if found.state == 0 else "shut door"
        kind_of_thing = "an open door" if kind == "open door" else f"a {kind}"
        posted = world.stimuli.post(
            kind,
            (x, y, z),
            now=world.time,
            priority=3.0 if is_body else 1.5,
            nature="hostile" if is_body else "distraction",
            lifetime=CALL_SECONDS,
            most_claims=2 if is_body else 1,
            about=found.object,
        )
        world.heard_by[posted.number] = _only(world, found.observer)
        world.happened("found", agent, f"{world.names[agent]} finds {kind_of_thing}", at=(x, y, z), data={"kind": kind})


def _sees_things(world: World, things: Array) -> Bools:
    """Return which guards see which of the changed things, (watchers, all things) bool."""
    bodies, watchers = world.bodies, world.watchers
    visible = np.zeros((len(watchers), len(world.changed.state)), np.bool_)
    eyes = bodies.xyz[watchers] + (0.0, 0.0, 1.6)
    awake = (bodies.mode[watchers] == ACTIVE) & (bodies.team[watchers] == TEAMS.index("guards"))
    there = world.changed.xyz[things]
    there[:, 2] += np.where(things >= len(world.door_shut), 0.3, 1.0)
    # Few are near anything: what lies far off along one axis is left out before distances are taken.
    close = np.abs(there[:, :1] - eyes[:, 0]) <= _NOTICE_REACH
    close &= np.abs(there[:, 1:2] - eyes[:, 1]) <= _NOTICE_REACH
    which, rows = np.nonzero(close & awake)
    offset = there[which] - eyes[rows]
    metres = np.linalg.norm(offset, axis=1)
    turns = np.arctan2(offset[:, 1], offset[:, 0]) - bodies.gaze[watchers[rows]]
    ahead = (metres <= _NOTICE_REACH) & (np.abs(np.angle(np.exp(1j * turns))) <= _NOTICE_ANGLE)
    which, rows, offset, metres = which[ahead], rows[ahead], offset[ahead], metres[ahead]
    if len(rows):
        clear = np.zeros(len(rows), np.bool_)
        # A shut door is seen from this side: look at the point just before it.
        near = there[which] - 0.4 * offset / np.maximum(metres, 0.4)[:, None]
        clear_lines(world.sight.arrays, eyes[rows], near, clear)
        if world.smoke:
            pairs = zip(eyes[rows], there[which])
            clear &= ~np.array([in_smoke(world.clouds, *eye, *place) for eye, place in pairs], np.bool_)
        visible[rows, things[which]] = clear
    return visible


def miss_colleagues(world: World) -> None:
    """Who has not heard from a colleague near by for a while goes and looks."""
    guards = np.flatnonzero(world.bodies.team[world.watchers] == TEAMS.index("guards"))
    every = _every(world, 0.2)
    if len(guards) < 2 or world.tick % every:
        return
    who = world.watchers[guards]
    if world.earshot is None or world.tick % _every(world, 1.0) < every:
        world.earshot = _in_earshot(world, who)
    silent = world.bodies.mode[who] != ACTIVE
    missed = world.missing.step(world.earshot, silent, every * world.step, world.time)
    if missed is None:
        return
    whom = int(who[missed[1]])
    x, y, z = world.bodies.xyz[whom].tolist()
    posted = world.stimuli.post(
        "missing colleague", (x, y, z), now=world.time, priority=2.0, lifetime=CALL_SECONDS, about=whom
    )
    world.heard_by[posted.number] = _only(world, int(guards[missed[0]]))
    name = world.names[whom]
    world.happened("missing", int(who[missed[0]]), f"{world.names[int(who[missed[0]])]} misses {name}", at=(x, y, z))


def _in_earshot(world: World, who: Array) -> Bools:
    """Who (row) would hear whom (column)? By the way sound takes where hearing goes by that, else straight."""
    places = world.bodies.xyz[who]
    if isinstance(world.hearing, PathHearing):
        return np.asarray(world.hearing.distances(places, places, _EARSHOT).T <= _EARSHOT)
    return np.asarray(np.linalg.norm(places[:, None] - places[None], axis=2) <= _EARSHOT)


def _only(world: World, row: int) -> Bools:
    """Return that one watcher perceived something."""
    heard = np.zeros(len(world.watchers), np.bool_)
    heard[row] = True
    return heard


def _every(world: World, seconds: float) -> int:
    return max(1, round(seconds / world.step))
