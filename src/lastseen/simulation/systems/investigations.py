"""Investigations: evidence and sounds that call for a look, their posting on the board, and each guard's choice."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ...agents.brains.surroundings import TEAMS
from ...agents.senses.hearing.hearing import PathHearing
from ...agents.senses.hearing.sounds import Sound
from ...conventions import Array, Bools
from ...kernels.arrays.agent_arrays import ACTIVE, BODY
from ...kernels.senses.hearing_pairs import choose_calls
from ...kernels.senses.vision_rays import in_smoke
from ...kernels.sight.sight_line import clear_lines
from ...vocabulary.events import Found, Heard, Missing
from ...vocabulary.words import AgentState
from ..world.combat import bodies_in_sight
from ..world.world import World

_NOTICE_REACH, _NOTICE_ANGLE = 15.0, np.radians(60.0)
"""Metres and radians off the gaze within which guards notice changed things."""
_EARSHOT = 12.0


def notice_changes(world: World) -> None:
    """Doors found open and bodies found lying call for a look."""
    attention = world.attention
    fallen = np.flatnonzero(bodies_in_sight(world).mode == BODY)
    doors = len(world.doors.shut)
    for agent in fallen.tolist():
        attention.changed.xyz[doors + agent] = world.bodies.xyz[agent]
        attention.changed.change(doors + agent, 1, world.time)
    fresh = attention.changed.fresh(world.time)
    if not fresh.any():
        return
    visible = attention.reacting.find(_sees_things(world, np.flatnonzero(fresh)), world.time)
    for found in attention.changed.notice(visible, world.time):
        agent = int(world.cast.watchers[found.observer])
        x, y, z = attention.changed.xyz[found.object].tolist()
        is_body = found.object >= doors
        kind: Literal["body", "open door", "shut door"]
        kind = "body" if is_body else "open door" if found.state == 0 else "shut door"
        posted = attention.stimuli.post(
            kind,
            (x, y, z),
            now=world.time,
            priority=3.0 if is_body else 1.5,
            nature="hostile" if is_body else "distraction",
            lifetime=CALL_SECONDS,
            most_claims=2 if is_body else 1,
            about=found.object,
        )
        attention.heard_by[posted.number] = _only(world, found.observer)
        world.happened(Found(world.tick, agent, at=(x, y, z), thing=kind))


def _sees_things(world: World, things: Array) -> Bools:
    """Return which guards see which of the changed things, (watchers, all things) bool."""
    attention = world.attention
    bodies, watchers = world.bodies, world.cast.watchers
    visible = np.zeros((len(watchers), len(attention.changed.state)), np.bool_)
    eyes = bodies.xyz[watchers] + (0.0, 0.0, 1.6)
    awake = (bodies.mode[watchers] == ACTIVE) & (bodies.team[watchers] == TEAMS.index("guards"))
    there = attention.changed.xyz[things]
    there[:, 2] += np.where(things >= len(world.doors.shut), 0.3, 1.0)
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
        if world.script.smoke:
            pairs = zip(eyes[rows], there[which])
            clear &= ~np.array([in_smoke(world.script.clouds, *eye, *place) for eye, place in pairs], np.bool_)
        visible[rows, things[which]] = clear
    return visible


def miss_colleagues(world: World) -> None:
    """Who has not heard from a colleague near by for a while goes and looks."""
    attention = world.attention
    guards = np.flatnonzero(world.bodies.team[world.cast.watchers] == TEAMS.index("guards"))
    every = _every(world, 0.2)
    if len(guards) < 2 or world.tick % every:
        return
    who = world.cast.watchers[guards]
    if attention.earshot is None or world.tick % _every(world, 1.0) < every:
        attention.earshot = _in_earshot(world, who)
    silent = world.bodies.mode[who] != ACTIVE
    missed = attention.missing.step(attention.earshot, silent, every * world.step, world.time)
    if missed is None:
        return
    whom = int(who[missed[1]])
    x, y, z = world.bodies.xyz[whom].tolist()
    posted = attention.stimuli.post(
        "missing colleague", (x, y, z), now=world.time, priority=2.0, lifetime=CALL_SECONDS, about=whom
    )
    attention.heard_by[posted.number] = _only(world, int(guards[missed[0]]))
    world.happened(Missing(world.tick, int(who[missed[0]]), at=(x, y, z), other=whom))


def _in_earshot(world: World, who: Array) -> Bools:
    """Who (row) would hear whom (column)? By the way sound takes where hearing goes by that, else straight."""
    places = world.bodies.xyz[who]
    if isinstance(world.senses.hearing, PathHearing):
        return np.asarray(world.senses.hearing.distances(places, places, _EARSHOT).T <= _EARSHOT)
    return np.asarray(np.linalg.norm(places[:, None] - places[None], axis=2) <= _EARSHOT)


def _only(world: World, row: int) -> Bools:
    """Return that one watcher perceived something."""
    heard = np.zeros(len(world.cast.watchers), np.bool_)
    heard[row] = True
    return heard


def _every(world: World, seconds: float) -> int:
    return max(1, round(seconds / world.step))


CALL_SECONDS = 20.0
"""Seconds for which something calls for a look."""
_SAME_PLACE = 4.0
"""Metres within which sounds of a kind are one call."""


def post_sounds(world: World) -> None:
    """Put what guards heard on the board, once for each sound; what gives an enemy away also moves the search."""
    attention = world.attention
    assert attention.noted is not None
    guards = world.bodies.team[world.cast.watchers] == TEAMS.index("guards")
    for number, sound in enumerate(attention.noted.sounds):
        rows = np.flatnonzero(attention.noted.heard[number] & guards)
        if not len(rows) or sound.kind == "breathing":
            continue
        if sound.made_by >= 0 and world.bodies.team[sound.made_by] == TEAMS.index("guards") and sound.kind != "shout":
            continue
        _search_by_sound(world, sound, world.cast.watchers[rows])
        rows = _wondering(world, sound, rows)
        if not len(rows):
            continue
        posted = _posted_for(world, sound)
        if posted < 0:
            most = 3 if sound.nature == "hostile" else 1
            posted = world.attention.stimuli.post_sound(sound, lifetime=CALL_SECONDS, most_claims=most).number
            x, y, z = sound.xyz.tolist()
            world.happened(Heard(world.tick, int(world.cast.watchers[rows[0]]), at=(x, y, z), sound=sound.kind))
        if sound.lifetime > 0.0:
            attention.called_by.setdefault(sound, (posted, world.time))
        if attention.stimuli.get(posted) is None:
            continue  # it still sounds, but has been seen to
        heard = attention.heard_by.setdefault(posted, np.zeros(len(world.cast.watchers), np.bool_))
        heard[rows] = True


def _search_by_sound(world: World, sound: Sound, hearers: Array) -> None:
    """Let a search go on from what was heard; gunfire and the like begin one for those who heard it."""
    begins = sound.nature == "hostile" and sound.kind not in ("shout", "alarm")
    if not begins and not (world.hunt.is_on(world.time) and sound.gives_away and sound.made_by in world.cast.targets):
        return
    members = world.hunt.members
    agents = [agent for agent in hearers.tolist() if begins or agent in members]
    for agent in agents if begins else ():
        world.hunt.alert(agent)
    places = world.bodies.xyz[agents]
    world.hunt.perceive(sound.xyz, world.time, sure=False, agents=agents, places=places, target=sound.made_by)


def _wondering(world: World, sound: Sound, rows: Array) -> Array:
    """Return who wonders what that was: not who sees its maker."""
    seen = [world.attention.seen[row] for row in rows.tolist()]
    return rows[[column < 0 or world.cast.targets[column] != sound.made_by for column in seen]]


def _posted_for(world: World, sound: Sound) -> int:
    """Return the number of the stimulus a sound is, or was, posted as; -1: none yet."""
    attention = world.attention
    if attention.called_by:
        attention.called_by = {one: at for one, at in attention.called_by.items() if world.time - at[1] < CALL_SECONDS}
    if sound in attention.called_by:
        return attention.called_by[sound][0]
    return _posted_near(world, sound.kind, sound.xyz.tolist())


def _posted_near(world: World, kind: str, xyz: list[float]) -> int:
    """Return the number of a stimulus of that kind near a place: footsteps are one call, not thirty a second."""
    for one in world.attention.stimuli:
        if one.kind == kind and math.dist(one.xyz.tolist(), xyz) <= _SAME_PLACE:
            return one.number
    return -1


_AT_IT = np.isin(list(AgentState), (AgentState.ENGAGE, AgentState.CHASE, AgentState.SEARCH))


def call_guards(world: World) -> list[int]:
    """Which stimulus should each watcher look into? Highest priority, then nearest; -1: none."""
    attention = world.attention
    posted = list(attention.stimuli)
    if not posted:
        attention.heard_by.clear()
        return [-1] * len(world.cast.watchers)
    may = np.zeros((len(posted), len(world.cast.watchers)), np.bool_)
    free = ~_AT_IT[world.state[world.cast.watchers]]
    for row, stimulus in enumerate(posted):
        owners = attention.stimuli.claimed_by(stimulus.number)
        heard = attention.heard_by.get(stimulus.number)
        if heard is not None:
            if stimulus.kind in ("shout", "alarm"):  # who is at it already needs no call, nor afterwards
                heard &= free
            if len(owners) < stimulus.most_claims:
                may[row] = heard
            else:
                for owner in owners:
                    mine = world.cast.watcher_row[owner]
                    may[row, mine] = heard[mine]
    places = np.array([stimulus.xyz for stimulus in posted])
    priority = np.array([stimulus.priority or 0.0 for stimulus in posted])
    numbers = np.array([stimulus.number for stimulus in posted])
    chosen = np.empty(len(world.cast.watchers), np.int32)
    choose_calls(places, priority, may, world.bodies.xyz, world.cast.watchers, chosen)
    if len(attention.heard_by) > len(posted):
        known = set(numbers.tolist())
        attention.heard_by = {number: heard for number, heard in attention.heard_by.items() if number in known}
    return np.where(chosen >= 0, numbers[chosen], -1).tolist()
