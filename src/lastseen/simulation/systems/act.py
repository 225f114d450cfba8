"""Act and move: carry out the acts that minds want done, then move bodies by their orders."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...agents.bodies.bodies import set_mode
from ...agents.bodies.orders import Act
from ...agents.brains.surroundings import TEAMS
from ...agents.senses.hearing.sounds import sound
from ...kernels.arrays.agent_arrays import ACTIVE, GONE, HIDDEN
from ...vocabulary.events import AlarmRaised, CameOut, Caught, Contact, FoundHiding, Hid, Opened, Threw
from ...vocabulary.words import EndReason
from ..world.combat import begin_attack, forget_target, resolve_blows
from ..world.world import World
from .doors import pass_doors, use_door

CATCH_REACH = 1.1
"""Metres at which somebody can be caught."""
HIDE_REACH = 1.5
THROW_REACH = 15.0


def act(world: World) -> None:
    """Do what was ordered, in the order of agents."""
    for agent, order in (*world.acts.outside, *world.orders.acts):
        _DO[order.kind](world, agent, order)
    world.acts.outside.clear()
    resolve_blows(world)
    pass_doors(world)


def _place(world: World, agent: int) -> tuple[float, float, float]:
    x, y, z = world.bodies.xyz[agent].tolist()
    return x, y, z


def _catch(world: World, agent: int, order: Act) -> None:
    other = order.number
    if math.dist(_place(world, agent), _place(world, other)) > CATCH_REACH or world.bodies.mode[other] != ACTIVE:
        return
    world.happened(Caught(world.tick, agent, at=_place(world, other), other=other))
    if "caught" in world.scenario.ends:
        world.end(EndReason.CAUGHT, agent, other=other)
    else:
        set_mode(world.bodies, other, GONE)
        forget_target(world, world.cast.targets.tolist().index(other))


def _hide(world: World, agent: int, order: Act) -> None:
    place = world.level.hiding_places[order.number]
    inside = int((world.acts.hidden_in == order.number).sum())
    if math.dist(_place(world, agent), place.xyz) > HIDE_REACH or inside >= place.capacity:
        return
    set_mode(world.bodies, agent, HIDDEN)
    world.acts.hidden_in[agent] = order.number
    world.happened(Hid(world.tick, agent, at=place.xyz, spot=place.name))


def _leave_hiding(world: World, agent: int, order: Act) -> None:  # noqa: ARG001
    if world.acts.hidden_in[agent] >= 0:
        world.acts.hidden_in[agent] = -1
        set_mode(world.bodies, agent, ACTIVE)
        world.happened(CameOut(world.tick, agent, at=_place(world, agent)))


def _use_spot(world: World, agent: int, order: Act) -> None:
    place = world.level.hiding_places[order.number]
    if math.dist(_place(world, agent), place.xyz) > HIDE_REACH:
        return
    world.hunt.search.use_spot(spot_name(world, order.number))
    world.happened(Opened(world.tick, agent, at=place.xyz, spot=place.name))
    for other in (world.acts.hidden_in == order.number).nonzero()[0].tolist():
        _leave_hiding(world, other, order)
        world.knowledge.touch(
            int(world.cast.watcher_row[agent]), world.cast.targets.tolist().index(other), world.bodies, world.time
        )
        world.happened(FoundHiding(world.tick, agent, at=place.xyz, other=other, spot=place.name))
        if "found" in world.scenario.ends:
            world.end(EndReason.FOUND, agent, other=other, spot=place.name)


def spot_name(world: World, number: int) -> str:
    """Return under which name the search map keeps a hiding place."""
    return f"{number} {world.level.hiding_places[number].name}".strip()


def _throw(world: World, agent: int, order: Act) -> None:
    if order.xyz is None or math.dist(_place(world, agent), order.xyz) > THROW_REACH:
        return
    world.senses.sounds.append(sound("bottle", order.xyz, created=world.time, made_by=agent))
    world.happened(Threw(world.tick, agent, at=order.xyz))


def _alarm(world: World, agent: int, order: Act) -> None:  # noqa: ARG001
    world.happened(AlarmRaised(world.tick, agent, at=_place(world, agent)))


def _leave(world: World, agent: int, order: Act) -> None:  # noqa: ARG001
    set_mode(world.bodies, agent, GONE)


_DO: dict[str, Callable[[World, int, Act], None]] = {
    "catch": _catch,
    "hide": _hide,
    "leave hiding": _leave_hiding,
    "use spot": _use_spot,
    "open door": use_door,
    "close door": use_door,
    "throw": _throw,
    "alarm": _alarm,
    "leave": _leave,
    "strike": begin_attack,
    "shoot": begin_attack,
}


_GUARDS = TEAMS.index("guards")


def move(world: World) -> None:
    """Find the ways asked for, walk them for one step, and swap the generations."""
    world.crowd.plan(world.bodies, world.orders.arrays)
    world.crowd.step(world.bodies, world.motion.following, world.orders.arrays, world.step)
    world.bodies, world.motion.following = world.motion.following, world.bodies
    if world.motion.contacts is not None:
        for one, other in world.motion.contacts.update(world.bodies, world.crowd.near, _GUARDS):
            world.happened(Contact(world.tick, one, at=_place(world, one), other=other))
