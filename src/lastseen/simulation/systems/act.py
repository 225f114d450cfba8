"""Act and move: carry out the ordered acts, operate doors, then move bodies."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...agents.bodies.bodies import put, set_mode
from ...agents.bodies.orders import Act
from ...agents.brains.relations import TEAMS
from ...agents.senses.hearing.sounds import sound
from ...conventions import Array
from ...kernels.arrays.agent_arrays import ACTIVE, GONE, HIDDEN
from ...kernels.bodies.neighbours import find_near_doors
from ...navmesh.query import nearest
from ...vocabulary.events import (
    Appeared,
    CameOut,
    Caught,
    Contact,
    DoorMoved,
    FoundHiding,
    Hid,
    Opened,
    Threw,
)
from ...vocabulary.words import EndReason
from ..world.combat import begin_attack, hurl, resolve_blows
from ..world.objects import drop_all, has_key, put_down, run_objects, use_object
from ..world.possession import end_possessions, possess
from ..world.powers import blink, count_standstill, end_decoys, jump, leave_decoy, stop_time, travel
from ..world.swarms import run_swarms
from ..world.territory import judge_territory
from ..world.traps import set_trap, spring_traps
from ..world.world import World
from .alarms import plan_alarm, raise_alarms

_GUARDS = TEAMS.index("guards")
_NEAR_FLOOR = 1.0
"""Metres within which an agent that appears is moved onto the walkable floor."""
_DOOR_WIDTH = 1.5
"""Metres from its centre within which an agent blocks a door."""
_REACH = 1.0
"""Metres from a door's centre at which a walking agent opens it."""
_SHUT_AFTER = 1.5
"""Seconds without an agent nearby after which a door opened by a guard falls shut."""


def set_door(world: World, number: int, *, shut: bool, by: int) -> None:
    """Open or shut a door: sight and hearing change at once, and it makes a sound."""
    if bool(world.doors.shut[number]) == shut:
        return
    world.doors.shut[number] = shut
    world.sight.set_door(number, shut)
    world.doors.air.set_door(number, shut)
    x, y = world.level.doors[number].outline_xy.mean(axis=0).tolist()
    place = (x, y, float(world.level.doors[number].z))
    world.senses.sounds.append(sound("door", place, created=world.time, made_by=by))
    name = world.level.doors[number].name
    if world.level.doors[number].locked:  # Only locked doors are no floor while shut.
        (world.cells.close_door if shut else world.cells.open_door)(world.level, number)
        world.crowd.replan()
    world.happened(DoorMoved(world.tick, by, at=place, door=number, name=name, shut=shut))
    if by >= 0 and world.cast.side[by] != _GUARDS:
        world.attention.changed.change(number, int(shut), world.time)


def use_door(world: World, agent: int, order: Act) -> None:
    """Open or shut a door as ordered; a door blocked by its user falls shut later."""
    doors, number, shut = world.doors, order.number, order.kind == "close door"
    if world.level.doors[number].locked and not shut and not has_key(world, agent, number):
        return
    if shut and math.dist(world.bodies.xyz[agent].tolist(), doors.middles[number].tolist()) < _DOOR_WIDTH:
        doors.opened_by[number] = agent
        return
    set_door(world, number, shut=shut, by=agent)
    doors.opened_by.pop(number, None)


def pass_doors(world: World) -> None:
    """Open shut doors for agents that walk up to them; shut doors behind guards that opened them."""
    if not len(world.doors.shut):
        return
    walker, nearest = np.empty(len(world.doors.shut), np.int32), np.empty(len(world.doors.shut))
    going = _going(world)
    find_near_doors(world.bodies, going, world.doors.middles, _REACH, walker, nearest)
    for number in np.flatnonzero(world.doors.shut & (walker >= 0)).tolist():
        if not world.level.doors[number].locked:
            by = int(walker[number])
            set_door(world, number, shut=False, by=by)
            if world.cast.side[by] == _GUARDS:  # Intruders leave it open.
                world.doors.opened_by[number] = by
    if world.objects is not None:
        unlock_doors(world, going)
    for number in list(world.doors.opened_by):
        if nearest[number] <= _REACH + 0.5:
            world.doors.free_since.pop(number, None)
        elif world.time - world.doors.free_since.setdefault(number, world.time) >= _SHUT_AFTER:
            set_door(world, number, shut=True, by=world.doors.opened_by.pop(number))
            del world.doors.free_since[number]


def _going(world: World) -> Array:
    """Return which agents walk, (n,) uint8: while time stands still, one at most."""
    going, alone = world.orders.arrays.going, world.acts.stopper
    return going if alone < 0 else np.where(np.arange(len(going)) == alone, going, np.uint8(0))


def unlock_doors(world: World, going: Array) -> None:
    """Open locked doors for agents that walk up to them with the key; guards lock them again behind them."""
    assert world.objects is not None
    for agent in {agent for agent in world.objects.carrier if agent >= 0 and going[agent]}:
        for number in world.objects.opened_by(agent):
            size = np.ptp(world.level.doors[number].outline_xy, axis=0).max() / 2.0
            away = math.dist(world.place_of(agent), world.doors.middles[number].tolist())
            if world.doors.shut[number] and away <= _REACH + size:
                set_door(world, number, shut=False, by=agent)
                if world.cast.side[agent] == _GUARDS:
                    world.doors.opened_by[number] = agent


CATCH_REACH = 1.1
"""Metres within which a target can be caught."""
HIDE_REACH = 1.5
THROW_REACH = 15.0


def act(world: World) -> None:
    """Carry out orders in the order of agents; while time stands still, those of one agent only."""
    alone = world.acts.stopper
    for agent, order in (*world.acts.outside, *world.orders.acts):
        if alone in (-1, agent):
            _DO[order.kind](world, agent, order)
    world.acts.outside.clear()
    if alone >= 0:
        pass_doors(world)
        count_standstill(world)
        return
    end_decoys(world)
    end_possessions(world)
    resolve_blows(world)
    pass_doors(world)
    raise_alarms(world)
    judge_territory(world)
    if world.traps.traps:
        spring_traps(world)
    if world.objects is not None:
        run_objects(world)
    if world.swarms is not None:
        run_swarms(world)


def _catch(world: World, agent: int, order: Act) -> None:
    other = order.number
    if math.dist(world.place_of(agent), world.place_of(other)) > CATCH_REACH or world.bodies.mode[other] != ACTIVE:
        return
    world.happened(Caught(world.tick, agent, at=world.place_of(other), other=other))
    if "caught" in world.scenario.ends:
        world.end(EndReason.CAUGHT, agent, other=other)
    else:
        drop_all(world, other)
        set_mode(world.bodies, other, GONE)
        world.attention.out.append(world.cast.targets.tolist().index(other))


def _hide(world: World, agent: int, order: Act) -> None:
    place = world.level.hiding_places[order.number]
    inside = int((world.acts.hidden_in == order.number).sum())
    if math.dist(world.place_of(agent), place.xyz) > HIDE_REACH or inside >= place.capacity:
        return
    set_mode(world.bodies, agent, HIDDEN)
    world.acts.hidden_in[agent] = order.number
    world.happened(Hid(world.tick, agent, at=place.xyz, spot=place.name))


def _leave_hiding(world: World, agent: int, order: Act) -> None:  # noqa: ARG001
    if world.acts.hidden_in[agent] >= 0:
        world.acts.hidden_in[agent] = -1
        set_mode(world.bodies, agent, ACTIVE)
        world.happened(CameOut(world.tick, agent, at=world.place_of(agent)))


def _use_spot(world: World, agent: int, order: Act) -> None:
    place = world.level.hiding_places[order.number]
    if math.dist(world.place_of(agent), place.xyz) > HIDE_REACH:
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
    """Return the name of a hiding place on the search map."""
    return f"{number} {world.level.hiding_places[number].name}".strip()


def _throw(world: World, agent: int, order: Act) -> None:
    if order.xyz is None or math.dist(world.place_of(agent), order.xyz) > THROW_REACH:
        return
    world.senses.sounds.append(sound("bottle", order.xyz, created=world.time, made_by=agent))
    world.happened(Threw(world.tick, agent, at=order.xyz))


def _alarm(world: World, agent: int, order: Act) -> None:  # noqa: ARG001
    plan_alarm(world, agent)


def _appear(world: World, agent: int, order: Act) -> None:
    """Let an agent, or one it summons, vanish and appear on the floor within a metre of a place."""
    who, found = order.number, None if order.xyz is None else nearest(world.cells.mesh, order.xyz, _NEAR_FLOOR)
    is_free = world.bodies.mode[who] in (ACTIVE, GONE) and who not in world.traps.held
    if found is None or not found.found or not is_free:
        return
    before = world.place_of(who) if world.bodies.mode[who] == ACTIVE else None
    put(world.bodies, who, found.xyz)
    set_mode(world.bodies, who, ACTIVE)
    jump(world, who)
    other = agent if who != agent else -1
    world.happened(Appeared(world.tick, who, at=world.place_of(who), other=other, came_from=before))


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
    "appear": _appear,
    "leave": _leave,
    "strike": begin_attack,
    "shoot": begin_attack,
    "hurl": hurl,
    "blink": blink,
    "decoy": leave_decoy,
    "set trap": set_trap,
    "stop time": stop_time,
    "possess": possess,
    "travel": travel,
    "use": use_object,
    "put down": put_down,
}


def _move_alone(world: World, agent: int) -> None:
    """Move one agent; all others stay as they are, with the paths they follow."""
    others = np.arange(len(world.names)) != agent
    bodies, following, routes = world.bodies, world.motion.following, world.crowd.routes
    still = bodies._replace(velocity_xy=np.where(others[:, None], 0.0, bodies.velocity_xy))
    orders = world.orders.arrays._replace(going=_going(world))
    kept = [column[others] for column in routes]
    world.crowd.plan(still, orders)
    world.crowd.step(still, following, orders, world.step)
    for column, values in zip(routes, kept):
        column[others] = values
    for new, old in zip(following, bodies):
        new[others] = old[others]


def move(world: World) -> None:
    """Find the requested paths, advance all bodies by one step, and swap the generations."""
    alone, following = world.acts.stopper, world.motion.following
    if alone < 0:
        world.crowd.plan(world.bodies, world.orders.arrays)
        world.crowd.step(world.bodies, following, world.orders.arrays, world.step)
    else:
        _move_alone(world, alone)
    world.bodies, world.motion.following = following, world.bodies
    for agent, held in world.acts.possessed.items():
        for column in (following.xyz, following.heading, following.gaze, following.velocity_xy):
            column[agent] = column[held.host]
    if world.motion.contacts is not None and alone < 0:
        for one, other in world.motion.contacts.update(world.bodies, world.crowd.near, world.cast.side == _GUARDS):
            world.happened(Contact(world.tick, one, at=world.place_of(one), other=other))
