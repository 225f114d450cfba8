"""Losses: comrades note who is hit or goes down in their sight, where, and what to say about it."""

from __future__ import annotations

import math

import numpy as np

from ...agents.knowledge.losses import Blow, Danger, Plight
from ...kernels.arrays.agent_arrays import ACTIVE
from ...kernels.sight.sight_line import is_clear
from ...reasoning.search.sight import EYE
from ...vocabulary.crew_events import Casualty, NowhereToGo, Refuses
from ...vocabulary.events import Fell, Found, Hit, Said, TrapSprung
from ...vocabulary.words import TrapEffect
from ..world.world import World

_SEES, _CLOSE, _EARSHOT = 30.0, 5.0, 15.0
"""Metres within which a comrade is seen that is hit, noticed although one looks elsewhere, and heard."""
_REACTS = 0.5
"""Seconds until a comrade says something about it."""
_AGAIN = {"ASK_STATUS": 8.0, "ORDER_MOVE": 8.0, "ORDER_ADVANCE": 8.0}
"""Seconds for which comrades do not say the same about the same agent again."""


def note_losses(world: World) -> None:
    """Take in what happened to members of squads in the previous step."""
    losses = world.losses
    if losses.waiting or losses.dangers or losses.due:
        losses.advance(world.time)
    for event in world.earlier:
        match event:
            case Hit() if event.health > 0.0:
                _hit(world, event)
            case Fell():
                _fell(world, event.agent, event.other)
            case TrapSprung(effect=TrapEffect.FELL):
                _fell(world, event.agent, event.other)
            case Found(thing="body") if event.other in losses.squads and not losses.knows(event.agent, event.other):
                losses.learn(event.agent, {event.other})
                if losses.is_last(event.agent):
                    _say(world, "MAN_DOWN", event.other, (event.agent,))
            case Said() if event.facts.get("bark.trigger") == "MAN_DOWN":
                known = losses.known.get(event.agent, set())
                for other in _comrades(world, event.agent, _EARSHOT):
                    losses.learn(other, known)
            case Refuses():
                _say(world, "ORDER_ADVANCE", event.agent, _comrades(world, event.agent, _EARSHOT))
            case NowhereToGo():
                _say(world, "ORDER_MOVE", event.agent, _witnesses(world, event.agent))


def _is_member(world: World, agent: int) -> bool:
    """Return whether an agent belongs to a squad of guards."""
    return bool(world.cast.watcher_row[agent] >= 0) and bool(world.cast.side[agent] == 0)


def _hit(world: World, event: Hit) -> None:
    if not _is_member(world, event.other) or world.bodies.team[event.agent] == world.bodies.team[event.other]:
        return
    witnesses = _witnesses(world, event.other)
    if event.blow != "strike":
        _shun(world, event.other, witnesses, "hit")
    _say(world, "ASK_STATUS", event.other, witnesses)


def _fell(world: World, agent: int, by: int) -> None:
    """Count a member that went down; those that saw it know, shun the place and may call it."""
    if not _is_member(world, agent):
        return
    losses, crews = world.losses, world.teamwork.crew_numbers
    witnesses = _witnesses(world, agent)
    if world.teamwork.crews is None:
        mates = {one for one in world.cast.watchers.tolist() if _is_same(world, agent, one)}
    else:
        mates = {one for one, crew in crews.items() if crew == crews.get(agent, -1)}
    squad = losses.join({agent} | mates)
    if agent not in squad.fallen:
        squad.fallen.append(agent)
        at, left = world.place_of(agent), len(squad.members) - len(squad.fallen)
        world.happened(Casualty(world.tick, agent, at=at, other=by, count=len(squad.fallen), left=left))
    for witness in witnesses:
        losses.learn(witness, {agent})
    _shun(world, agent, witnesses, "fell")
    _say(world, "MAN_DOWN", agent, witnesses)


def _is_same(world: World, agent: int, other: int) -> bool:
    """Return whether both are members of one team."""
    return bool(world.bodies.team[agent] == world.bodies.team[other]) and _is_member(world, other)


def _shun(world: World, agent: int, witnesses: tuple[int, ...], blow: Blow) -> None:
    """Let those that saw it remember where a comrade was hit."""
    rules = None if world.combat is None else world.combat.rules
    if rules is None or rules.danger_seconds == 0.0:
        return
    now = world.time
    danger = Danger(world.place_of(agent), rules.danger_radius, now, now + rules.danger_seconds, agent, blow)
    for witness in witnesses:
        world.losses.shun(witness, danger)


def _say(world: World, trigger: str, agent: int, witnesses: tuple[int, ...]) -> None:
    """Give comrades something to say after the time they take to react, unless they said it a moment ago."""
    if witnesses:
        world.losses.announce(Plight(world.time + _REACTS, trigger, agent, witnesses), _AGAIN.get(trigger, 0.0))


def _comrades(world: World, agent: int, reach: float) -> tuple[int, ...]:
    """Return the other members of an agent's team within a distance that can act, the nearest first."""
    bodies, watchers = world.bodies, world.cast.watchers
    near = (bodies.team[watchers] == bodies.team[agent]) & (bodies.mode[watchers] == ACTIVE) & (watchers != agent)
    metres = np.linalg.norm(bodies.xyz[watchers] - bodies.xyz[agent], axis=1)
    rows = np.flatnonzero(near & (metres <= reach) & (world.cast.side[watchers] == 0))
    return tuple(watchers[rows[np.argsort(metres[rows], kind="stable")]].tolist())


def _witnesses(world: World, agent: int) -> tuple[int, ...]:
    """Return the comrades that see an agent, or are so close that they notice what happens to it."""
    bodies = world.bodies
    x, y, z = world.place_of(agent)
    found = []
    for other in _comrades(world, agent, _SEES):
        ox, oy, oz = world.place_of(other)
        row = int(world.cast.watcher_row[other])
        away = math.dist((x, y, z), (ox, oy, oz))
        off = abs(math.remainder(math.atan2(y - oy, x - ox) - float(bodies.gaze[other]), math.tau))
        if away > _CLOSE and off > 0.5 * float(world.cast.view_angle[row]):
            continue
        if is_clear(world.sight.arrays, ox, oy, oz + EYE[2], x, y, z + 0.5):
            found.append(other)
    return tuple(found)
