"""Investigations: post evidence and sounds as stimuli, and choose which one each guard investigates."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ...agents.brains.relations import TEAMS
from ...agents.senses.hearing.hearing import PathHearing
from ...agents.senses.hearing.sounds import SOUNDS, Sound
from ...conventions import Array, Bools
from ...kernels.arrays.agent_arrays import ACTIVE, BODY
from ...kernels.senses.hearing_pairs import choose_calls
from ...kernels.senses.vision_rays import in_smoke
from ...kernels.sight.sight_line import clear_lines
from ...reasoning.chase.pursuit import STRONG
from ...vocabulary.events import Found, Heard, Missing, Place
from ...vocabulary.words import AgentState, Attitude, ObjectKind
from ..world.combat import bodies_in_sight
from ..world.parts import Noticing
from ..world.possession import suspended_rows
from ..world.world import World

_NOTICE_REACH, _NOTICE_ANGLE = 15.0, np.radians(60.0)
"""Metres and radians off the gaze within which guards notice changed objects."""
_EARSHOT = 12.0


def notice_changes(world: World) -> None:
    """Post changed doors, bodies on the floor, stolen objects and lights that are off, once guards have noticed."""
    attention = world.attention
    fallen = np.flatnonzero(bodies_in_sight(world).mode == BODY)
    doors = len(world.doors.shut)
    for agent in fallen.tolist():
        attention.changed.xyz[doors + agent] = world.bodies.xyz[agent]
        attention.changed.change(doors + agent, 1, world.time)
    fresh = attention.changed.fresh(world.time)
    if not np.count_nonzero(fresh):
        return
    visible = attention.reacting.find(_sees_things(world, np.flatnonzero(fresh)), world.time)
    if not np.count_nonzero(visible):
        return
    for found in attention.changed.notice(visible, world.time):
        agent = int(world.cast.watchers[found.observer])
        x, y, z = attention.changed.xyz[found.object].tolist()
        number = found.object - doors - len(world.names)
        if number >= 0:
            if found.state:  # What is back where it belongs calls no one.
                _post_object(world, found.observer, number, (x, y, z))
            continue
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
        other = found.object - doors if is_body else -1
        world.happened(Found(world.tick, agent, at=(x, y, z), other=other, thing=kind))


def _post_object(world: World, row: int, number: int, place: Place) -> None:
    """Post an object that was stolen or moved, or a light that is off, for the guard that noticed."""
    assert world.objects is not None
    thing = world.objects.things[number]
    kind: Literal["theft", "dark zone"] = "theft" if thing.kind is ObjectKind.ITEM else "dark zone"
    posted = world.attention.stimuli.post(
        kind, place, now=world.time, priority=2.5 if kind == "theft" else 1.5, lifetime=CALL_SECONDS, about=number
    )
    world.attention.heard_by[posted.number] = _only(world, row)
    agent = int(world.cast.watchers[row])
    world.happened(Found(world.tick, agent, at=place, thing=kind, name=thing.name))


def _sees_things(world: World, things: Array) -> Bools:
    """Return which watchers see which changed objects, (watchers, all objects) bool."""
    attention = world.attention
    bodies, watchers = world.bodies, world.cast.watchers
    visible = np.zeros((len(watchers), len(attention.changed.state)), np.bool_)
    eyes = bodies.xyz[watchers] + (0.0, 0.0, 1.6)
    awake = (bodies.mode[watchers] == ACTIVE) & (world.cast.side[watchers] == TEAMS.index("guards"))
    awake[suspended_rows(world)] = False
    there = attention.changed.xyz[things]
    there[:, 2] += np.where(_are_bodies(world, things), 0.3, 1.0)
    # Few are near any object, so those far off along one axis are dropped before distances are computed.
    close = (np.abs(there[:, :1] - eyes[:, 0]) <= _NOTICE_REACH) & awake
    if world.relations.is_mixed:
        close &= ~_enemy_bodies(world, things)
    which, rows = np.divmod(np.flatnonzero(close), len(eyes))
    near = np.abs(there[which, 1] - eyes[rows, 1]) <= _NOTICE_REACH
    which, rows = which[near], rows[near]
    if not len(rows):
        return visible
    offset = there[which] - eyes[rows]
    metres = np.linalg.norm(offset, axis=1)
    turns = np.arctan2(offset[:, 1], offset[:, 0]) - bodies.gaze[watchers[rows]]
    ahead = (metres <= _NOTICE_REACH) & (np.abs(np.angle(np.exp(1j * turns))) <= _NOTICE_ANGLE)
    which, rows, offset, metres = which[ahead], rows[ahead], offset[ahead], metres[ahead]
    if len(rows):
        clear = np.zeros(len(rows), np.bool_)
        # A shut door is seen from this side, so look at the point just in front of it.
        near = there[which] - 0.4 * offset / np.maximum(metres, 0.4)[:, None]
        clear_lines(world.sight.arrays, eyes[rows], near, clear)
        if world.script.smoke:
            pairs = zip(eyes[rows], there[which])
            clear &= ~np.array([in_smoke(world.script.clouds, *eye, *place) for eye, place in pairs], np.bool_)
        if not world.script.weather.is_clear:
            clear &= (
                metres <= world.script.weather.sight(bodies.xyz[watchers], attention.changed.xyz[things])[rows, which]
            )
        visible[rows, things[which]] = clear
    return visible


def _enemy_bodies(world: World, things: Array) -> Bools:
    """Return which objects are bodies of enemies of each watcher, which alarm no one, (objects, watchers) bool."""
    is_body = _are_bodies(world, things)
    agents = np.where(is_body, things - len(world.doors.shut), 0)
    team, watching = world.bodies.team[agents], world.bodies.team[world.cast.watchers]
    hostile = Attitude.HOSTILE.number == world.relations.attitude[np.ix_(watching, team)].T
    return np.asarray(hostile & is_body[:, None])


def _are_bodies(world: World, things: Array) -> Bools:
    """Return which of the things that may change are agents, which come after doors and before objects."""
    agents = things - len(world.doors.shut)
    return np.asarray((agents >= 0) & (agents < len(world.names)))


def miss_colleagues(world: World) -> None:
    """Post colleagues that a guard nearby has not heard from for a while."""
    attention = world.attention
    guards = np.flatnonzero(world.cast.side[world.cast.watchers] == TEAMS.index("guards"))
    every = _every(world, 0.2)
    if len(guards) < 2 or world.tick % every:
        return
    agents = world.cast.watchers[guards]
    if attention.earshot is None or world.tick % _every(world, 1.0) < every:
        attention.earshot = _in_earshot(world, agents)
        attention.news.hears = np.ones((len(world.cast.watchers),) * 2, np.bool_)
        attention.news.hears[np.ix_(guards, guards)] = attention.earshot
    silent = (world.bodies.mode[agents] != ACTIVE) | np.isin(agents, world.acts.suspended)
    missed = attention.missing.step(attention.earshot, silent, every * world.step, world.time)
    if missed is None:
        return
    absent = int(agents[missed[1]])
    x, y, z = world.bodies.xyz[absent].tolist()
    posted = attention.stimuli.post(
        "missing colleague", (x, y, z), now=world.time, priority=2.0, lifetime=CALL_SECONDS, about=absent
    )
    attention.heard_by[posted.number] = _only(world, int(guards[missed[0]]))
    world.happened(Missing(world.tick, int(agents[missed[0]]), at=(x, y, z), other=absent))


def _in_earshot(world: World, agents: Array) -> Bools:
    """Return which guard (row) would hear which colleague (column), along the path of sound or straight, as heard."""
    places = world.bodies.xyz[agents]
    team = world.bodies.team[agents]
    colleagues = team[:, None] == team[None]
    if isinstance(world.senses.hearing, PathHearing):
        return np.asarray(world.senses.hearing.distances(places, places, _EARSHOT).T <= _EARSHOT) & colleagues
    return np.asarray(np.linalg.norm(places[:, None] - places[None], axis=2) <= _EARSHOT) & colleagues


def _only(world: World, row: int) -> Bools:
    """Return a mask of one watcher, (watchers,) bool."""
    heard = np.zeros(len(world.cast.watchers), np.bool_)
    heard[row] = True
    return heard


def _every(world: World, seconds: float) -> int:
    return max(1, round(seconds / world.step))


_FOR_HELP = ("shout", "alarm")
"""Sounds that call colleagues, and do not say where a target is."""
CALL_SECONDS = 20.0
"""Seconds for which a stimulus can be investigated."""
_SAME_PLACE = 4.0
"""Metres within which sounds of one kind are one stimulus."""


def post_sounds(world: World) -> None:
    """Post the sounds that guards heard, each once; sounds that give a target away also move the search."""
    attention = world.attention
    assert attention.noted is not None
    attention.fresh = [-1] * len(world.cast.watchers)
    if not attention.noted.sounds:
        return
    heard_by = attention.noted.heard & (world.cast.side[world.cast.watchers] == TEAMS.index("guards"))
    for number in np.flatnonzero(heard_by.any(axis=1)).tolist():
        sound, rows = attention.noted.sounds[number], np.flatnonzero(heard_by[number])
        if sound.kind == "breathing":
            continue
        if sound.made_by >= 0 and world.cast.side[sound.made_by] == TEAMS.index("guards") and sound.kind != "shout":
            rows = _enemies_of(world, sound.made_by, rows)
            if not len(rows):
                continue
        _search_by_sound(world, sound, world.cast.watchers[rows])
        rows = _without_source_in_sight(world, sound, rows)
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
            continue  # It can still be heard, but has been investigated.
        heard = attention.heard_by.setdefault(posted, np.zeros(len(world.cast.watchers), np.bool_))
        heard[rows] = True
        if sound.kind not in _FOR_HELP:
            _note_fresh(attention, posted, sound.priority, rows)


def _note_fresh(attention: Noticing, posted: int, priority: float, rows: Array) -> None:
    """Note a sound as fresh for those that noticed no stronger one in this step."""
    for row in rows.tolist():
        other = attention.stimuli.get(attention.fresh[row])
        if other is None or (other.priority or 0.0) < priority:
            attention.fresh[row] = posted


def _enemies_of(world: World, agent: int, rows: Array) -> Array:
    """Return the watchers that are hostile to an agent."""
    if not world.relations.is_mixed or agent not in world.cast.targets:
        return rows[:0]
    return rows[world.relations.hostile[rows, world.cast.targets.tolist().index(agent)]]


def _search_by_sound(world: World, sound: Sound, hearers: Array) -> None:
    """Move a search to a sound; hostile sounds such as gunfire begin one for those that heard it."""
    begins = sound.nature == "hostile" and sound.kind not in _FOR_HELP
    if not begins and not (world.hunt.is_on(world.time) and sound.gives_away and sound.made_by in world.cast.targets):
        return
    members = world.hunt.members
    agents = [agent for agent in hearers.tolist() if begins or agent in members]
    for agent in agents if begins else ():
        world.hunt.alert(agent)
    places = world.bodies.xyz[agents]
    world.hunt.perceive(
        sound.xyz,
        world.time,
        sure=False,
        strong=begins and sound.priority >= STRONG,
        agents=agents,
        places=places,
        target=sound.made_by,
    )


def _without_source_in_sight(world: World, sound: Sound, rows: Array) -> Array:
    """Return the watchers that do not see the source of a sound."""
    seen = [world.attention.seen[row] for row in rows.tolist()]
    return rows[[column < 0 or world.cast.targets[column] != sound.made_by for column in seen]]


def _posted_for(world: World, sound: Sound) -> int:
    """Return the number of the stimulus of a sound, present or past; -1 if none yet."""
    attention = world.attention
    if attention.called_by:
        attention.called_by = {one: at for one, at in attention.called_by.items() if world.time - at[1] < CALL_SECONDS}
    if sound in attention.called_by:
        return attention.called_by[sound][0]
    return _posted_near(world, sound.kind, sound.xyz.tolist())


def _posted_near(world: World, kind: str, xyz: list[float]) -> int:
    """Return the number of a stimulus of a kind near a place, or -1, so that footsteps are not posted every step."""
    for one in world.attention.stimuli:
        if one.kind == kind and math.dist(one.xyz.tolist(), xyz) <= _SAME_PLACE:
            return one.number
    return -1


_BUSY = np.isin(list(AgentState), (AgentState.ENGAGE, AgentState.CHASE, AgentState.SEARCH))


def call_guards(world: World) -> list[int]:
    """Return the stimulus that each watcher should investigate: highest priority, then nearest; -1 if none."""
    attention = world.attention
    posted = list(attention.stimuli.claims())
    if not posted:
        attention.heard_by.clear()
        return [-1] * len(world.cast.watchers)
    may = np.zeros((len(posted), len(world.cast.watchers)), np.bool_)
    free = ~_BUSY[world.state[world.cast.watchers]]
    for row, (stimulus, owners) in enumerate(posted):
        heard = attention.heard_by.get(stimulus.number)
        if heard is not None:
            if stimulus.kind in SOUNDS:  # Guards that hunt need no call, now or later: they search for it already.
                heard &= free
            if len(owners) < stimulus.most_claims:
                may[row] = heard
            else:
                for owner in owners:
                    mine = world.cast.watcher_row[owner]
                    may[row, mine] = heard[mine]
    places = np.concatenate([stimulus.xyz for stimulus, _ in posted]).reshape(-1, 3)
    priority = np.array([stimulus.priority or 0.0 for stimulus, _ in posted])
    numbers = np.array([stimulus.number for stimulus, _ in posted])
    chosen = np.empty(len(world.cast.watchers), np.int32)
    choose_calls(places, priority, may, world.bodies.xyz, world.cast.watchers, chosen)
    if len(attention.heard_by) > len(posted):
        known = set(numbers.tolist())
        attention.heard_by = {number: heard for number, heard in attention.heard_by.items() if number in known}
    return np.where(chosen >= 0, numbers[chosen], -1).tolist()
