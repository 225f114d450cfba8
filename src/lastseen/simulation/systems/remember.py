"""Remember: what was perceived becomes knowledge, and what calls for a look goes on the board."""

from __future__ import annotations

import math

import numpy as np

from ...agents.brains.surroundings import STATES, TEAMS
from ...agents.knowledge.sharing import share
from ...agents.perception.hearing import PathHearing
from ...agents.perception.sightings import BANDS
from ...agents.perception.sounds import Sound
from ...conventions import Array, Bools
from ...kernels.best_targets import choose_targets
from ...kernels.body_arrays import ACTIVE, BODY
from ...kernels.calls import choose_calls
from ...kernels.sight_line import clear_lines
from ..world import World

__all__ = ["remember"]

_GLANCE = BANDS.index("glance")
_FORGOTTEN = 90.0
"""Seconds after which what is known of somebody no longer makes a guard search."""
_AT_IT = [STATES.index(name) for name in ("engage", "chase", "search")]
_RECOGNISED = 1.5
"""Seconds for which one who was identified is recognised at a glance."""
_CALL_SECONDS = 20.0
_NOTICE_REACH, _NOTICE_ANGLE = 15.0, np.radians(60.0)
"""Metres and radians off the gaze within which guards notice changed things."""
_EARSHOT = 12.0
_SAME_PLACE = 4.0
"""Metres within which sounds of a kind are one call."""


def remember(world: World) -> None:
    """Bring what watchers know up to date."""
    assert world.sightings is not None
    assert world.heard is not None
    sightings, know = world.sightings, world.knowledge
    world.stimuli.expire(world.time)
    know.remember(sightings, world.bodies, world.time)
    know.hear(world.heard, world.bodies, world.time)
    share(know, world.bodies, world.sharing)
    acting = world.reactions.step(sightings.identified & sightings.visible, world.reaction_delay, world.time)
    before = world.seen
    _best_targets(world, acting & sightings.visible)
    if before:
        _tell_changes(world, before)
    _post_sounds(world)
    _notice_changes(world)
    _miss_colleagues(world)
    world.calls = _calls(world)


def _best_targets(world: World, acting: Bools) -> None:
    """Fill the lists of whom each watcher may act on, notices, knows of, has lost."""
    assert world.sightings is not None
    know, sightings = world.knowledge.arrays, world.sightings
    if not len(world.targets):
        world.seen = world.noticed = world.known = world.lost = [-1] * len(world.watchers)
        return
    # Who was identified a moment ago is known for as long as it stays in sight.
    acting = acting | (sightings.visible & (world.time - world.acted_on <= _RECOGNISED))
    best = np.empty((4, len(world.watchers)), np.int32)
    choose_targets(
        know,
        world.bodies,
        world.watchers,
        acting,
        sightings.visible,
        sightings.band,
        sightings.metres,
        _GLANCE,
        world.time,
        _FORGOTTEN,
        world.acted_on,
        best,
    )
    world.seen, world.noticed, world.known, world.lost = best.tolist()


def _tell_changes(world: World, before: list[int]) -> None:
    """Write down who came into sight and who was lost; a loss starts the search."""
    assert world.sightings is not None
    for row, (was, now) in enumerate(zip(before, world.seen)):
        if now == was:
            continue
        agent = int(world.watchers[row])
        if now >= 0:
            x, y, z = world.knowledge.arrays.xyz[row, now].tolist()
            name = world.target_name(now)
            world.happened(
                "sees", agent, f"{world.names[agent]} sees {name}", other=int(world.targets[now]), at=(x, y, z)
            )
        if was >= 0 and not world.sightings.visible[row, was]:  # another one may be seen in its place
            x, y, z = world.knowledge.arrays.xyz[row, was].tolist()
            name = world.target_name(was)
            world.happened(
                "lost", agent, f"{world.names[agent]} lost {name}", other=int(world.targets[was]), at=(x, y, z)
            )
            if world.bodies.team[agent] == TEAMS.index("guards") and not any(column == was for column in world.seen):
                places, target = world.bodies.xyz[[agent]], int(world.targets[was])
                # Of several targets, one being here says nothing of where the others are.
                sure = len(world.targets) == 1
                world.hunt.perceive((x, y, z), world.time, sure=sure, agents=[agent], places=places, target=target)


def _post_sounds(world: World) -> None:
    """Put what guards heard on the board, once for each sound; what gives an enemy away also moves the search."""
    assert world.heard is not None
    guards = world.bodies.team[world.watchers] == TEAMS.index("guards")
    for number, sound in enumerate(world.heard.sounds):
        rows = np.flatnonzero(world.heard.heard[number] & guards)
        if not len(rows) or sound.kind == "breathing":
            continue
        if sound.made_by >= 0 and world.bodies.team[sound.made_by] == TEAMS.index("guards") and sound.kind != "shout":
            continue
        _search_by_sound(world, sound, world.watchers[rows])
        rows = _wondering(world, sound, rows)
        if not len(rows):
            continue
        posted = _posted_near(world, sound.kind, sound.xyz.tolist())
        if posted < 0:
            most = 3 if sound.nature == "hostile" else 1
            posted = world.stimuli.post_sound(sound, lifetime=_CALL_SECONDS, most_claims=most).number
            world.happened(
                "heard", int(world.watchers[rows[0]]), f"a {sound.kind} is heard", at=tuple(sound.xyz.tolist())
            )
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


def _posted_near(world: World, kind: str, xyz: list[float]) -> int:
    """Return the number of a stimulus of that kind near a place: footsteps are one call, not thirty a second."""
    for one in world.stimuli:
        if one.kind == kind and math.dist(one.xyz.tolist(), xyz) <= _SAME_PLACE:
            return one.number
    return -1


def _notice_changes(world: World) -> None:
    """Doors found open and bodies found lying call for a look."""
    fallen = np.flatnonzero(world.bodies.mode == BODY)
    doors = len(world.door_shut)
    for agent in fallen.tolist():
        world.changed.xyz[doors + agent] = world.bodies.xyz[agent]
        world.changed.change(doors + agent, 1, world.time)
    fresh = world.changed.fresh(world.time)
    if not fresh.any():
        return
    visible = _sees_things(world, np.flatnonzero(fresh))
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
            lifetime=_CALL_SECONDS,
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
    for thing in things.tolist():
        there = world.changed.xyz[thing] + (0.0, 0.0, 0.3 if thing >= len(world.door_shut) else 1.0)
        offset = there - eyes
        off = np.abs(np.angle(np.exp(1j * (np.arctan2(offset[:, 1], offset[:, 0]) - bodies.gaze[watchers]))))
        may = (np.linalg.norm(offset, axis=1) <= _NOTICE_REACH) & (off <= _NOTICE_ANGLE)
        may &= (bodies.mode[watchers] == ACTIVE) & (bodies.team[watchers] == TEAMS.index("guards"))
        rows = np.flatnonzero(may)
        clear = np.zeros(len(rows), np.bool_)
        # A shut door is seen from this side: look at the point just before it.
        near = there - 0.4 * offset[rows] / np.maximum(np.linalg.norm(offset[rows], axis=1), 0.4)[:, None]
        clear_lines(world.sight.arrays, eyes[rows], near, clear)
        visible[rows, thing] = clear
    return visible


def _miss_colleagues(world: World) -> None:
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
    x, y, z = world.bodies.xyz[who[missed[1]]].tolist()
    posted = world.stimuli.post("missing colleague", (x, y, z), now=world.time, priority=2.0, lifetime=_CALL_SECONDS)
    world.heard_by[posted.number] = _only(world, int(guards[missed[0]]))
    name = world.names[int(who[missed[1]])]
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


def _calls(world: World) -> list[int]:
    """Which stimulus should each watcher look into? Highest priority, then nearest; -1: none."""
    posted = list(world.stimuli)
    if not posted:
        world.heard_by.clear()
        return [-1] * len(world.watchers)
    may = np.zeros((len(posted), len(world.watchers)), np.bool_)
    busy = np.isin(world.state[world.watchers], _AT_IT)
    for row, stimulus in enumerate(posted):
        owners = world.stimuli.claimed_by(stimulus.number)
        heard = world.heard_by.get(stimulus.number)
        if heard is not None:
            if stimulus.kind in ("shout", "alarm"):  # who is at it already needs no call, nor afterwards
                heard &= ~busy
            if len(owners) < stimulus.most_claims:
                may[row] = heard
            else:
                mine = world.watcher_row[list(owners)]
                may[row, mine] = heard[mine]
    places = np.array([stimulus.xyz for stimulus in posted])
    priority = np.array([stimulus.priority or 0.0 for stimulus in posted])
    numbers = np.array([stimulus.number for stimulus in posted])
    chosen = np.empty(len(world.watchers), np.int32)
    choose_calls(places, priority, may, world.bodies.xyz, world.watchers, chosen)
    if len(world.heard_by) > len(posted):
        known = set(numbers.tolist())
        world.heard_by = {number: heard for number, heard in world.heard_by.items() if number in known}
    return np.where(chosen >= 0, numbers[chosen], -1).tolist()
