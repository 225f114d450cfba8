"""Powers of intruders: blink, leave a decoy that watchers see instead, stop time, travel between states of a level."""

from __future__ import annotations

import math

import numpy as np

from ...agents.bodies.bodies import STANCES, put
from ...agents.bodies.orders import Act, Power
from ...agents.brains.acts import BLINK_REACH, Decoy
from ...kernels.arrays.agent_arrays import ACTIVE, GONE, HIDDEN, BodyArrays
from ...kernels.sight.sight_line import is_clear
from ...navmesh.query import nearest_many
from ...vocabulary.events import Blinked, DecoyGone, LeftDecoy, Place, TimeResumed, TimeStopped, Travelled
from .world import World

_RESTS = {"blink": 4.0, "decoy": 12.0, "trap": 10.0}
"""Seconds after the use of a power before it can be used again; the scenario has those of others."""
_DECOY_SECONDS, _TOUCH = 5.0, 1.2
"""Seconds for which a decoy lasts, and metres within which a watcher sees through it."""
_ON_FLOOR = 1.0
"""Metres within which the place of a blink is moved onto the walkable floor."""


def use_power(world: World, agent: int, power: Power) -> bool:
    """Return whether an agent can use a power now, which it then has to wait for."""
    if world.bodies.mode[agent] != ACTIVE or not world.acts.can_use(agent, power, world.time):
        return False
    rules = world.scenario.power_rules
    rests = _RESTS | {"time_stop": rules.time_stop_rest, "possess": rules.possess_rest, "travel": rules.travel_rest}
    world.acts.rested[power, agent] = world.time + rests[power]
    return True


def blink(world: World, agent: int, order: Act) -> None:
    """Move an agent at once to a free place on the floor that it sees within reach."""
    place = None if order.xyz is None else _landing(world, agent, order.xyz)
    if place is None or not use_power(world, agent, "blink"):
        return
    before = world.place_of(agent)
    put(world.bodies, agent, place)
    jump(world, agent)
    world.happened(Blinked(world.tick, agent, at=place, start=before))


def jump(world: World, agent: int) -> None:
    """Note that an agent was moved at once, so that no one that saw it knows where it is now."""
    world.crowd.forget_path(agent)
    world.acts.jumped[agent] = world.time


def travel(world: World, agent: int, order: Act) -> None:  # noqa: ARG001
    """Move an agent that has the power to the same place in the other state of the level."""
    if _other_side(world, agent) is not None and use_power(world, agent, "travel"):
        cross_over(world, agent)


def cross_over(world: World, agent: int) -> None:
    """Move an agent to the same place in the other state of the level, if there is free floor."""
    found = _other_side(world, agent)
    if found is None:
        return
    before, (state, place) = world.place_of(agent), found
    put(world.bodies, agent, place)
    jump(world, agent)
    world.happened(Travelled(world.tick, agent, at=place, start=before, state=state))


def _other_side(world: World, agent: int) -> tuple[str, Place] | None:
    """Return the other state of the level, and the free floor at an agent's place in it; None if there is none."""
    found = None if world.level_states is None else world.level_states.other_side(world.place_of(agent))
    place = None if found is None else _free_floor(world, agent, found[1])
    return None if found is None or place is None else (found[0], place)


def stop_time(world: World, agent: int, order: Act) -> None:  # noqa: ARG001
    """Stop time for all other agents: they neither sense nor think nor move until it goes on."""
    if world.acts.stopper >= 0 or not use_power(world, agent, "time_stop"):
        return
    seconds = world.scenario.power_rules.time_stop
    world.acts.stopper, world.acts.stop_steps = agent, max(1, round(seconds / world.step))
    world.happened(TimeStopped(world.tick, agent, at=world.place_of(agent), seconds=seconds))


def count_standstill(world: World) -> None:
    """Count a step of a standstill; after the last one time goes on, and its agent stands elsewhere all at once."""
    acts = world.acts
    acts.stood_still += 1
    acts.stop_steps -= 1
    agent = acts.stopper
    if acts.stop_steps <= 0 or world.bodies.mode[agent] not in (ACTIVE, HIDDEN):
        acts.stopper = -1
        acts.jumped[agent] = world.time
        world.happened(TimeResumed(world.tick, agent, at=world.place_of(agent)))


def _landing(world: World, agent: int, wanted: Place) -> Place | None:
    """Return the place on the floor where a blink ends; None if it is off the floor, too far, hidden or taken."""
    place = _free_floor(world, agent, wanted)
    x, y, z = world.place_of(agent)
    if place is None or math.dist((x, y, z), place) > BLINK_REACH:
        return None
    eye, (to_x, to_y, to_z) = STANCES[world.bodies.stance[agent]].eye, place
    return place if is_clear(world.sight.arrays, x, y, z + eye, to_x, to_y, to_z + 1.0) else None


def _free_floor(world: World, agent: int, wanted: Place) -> Place | None:
    """Return the floor at a place where no other agent stands; None if there is none."""
    found = nearest_many(world.cells.mesh, np.array([wanted]), _ON_FLOOR)
    if not found.found[0]:
        return None
    to_x, to_y, to_z = found.xyz[0].tolist()
    room = np.linalg.norm(world.bodies.xyz - (to_x, to_y, to_z), axis=1) < 2.0 * world.scenario.radius
    taken = room & (world.bodies.mode != GONE)
    taken[agent] = False
    return None if taken.any() else (to_x, to_y, to_z)


def leave_decoy(world: World, agent: int, order: Act) -> None:  # noqa: ARG001
    """Leave a decoy here: for some seconds watchers see it instead of the agent."""
    if not use_power(world, agent, "decoy"):
        return
    place = world.place_of(agent)
    world.acts.decoys[agent] = Decoy(place, world.time + _DECOY_SECONDS)
    world.happened(LeftDecoy(world.tick, agent, at=place, seconds=_DECOY_SECONDS))


def end_decoys(world: World) -> None:
    """Remove decoys whose time is over, and those that a watcher has come up to."""
    if not world.acts.decoys:
        return
    watchers = world.cast.watchers[world.bodies.mode[world.cast.watchers] == ACTIVE]
    for agent, decoy in list(world.acts.decoys.items()):
        away = np.linalg.norm(world.bodies.xyz[watchers] - decoy.xyz, axis=1)
        by = int(watchers[away.argmin()]) if len(away) and away.min() <= _TOUCH else -1
        if by >= 0 or world.time >= decoy.until - 1e-9:
            del world.acts.decoys[agent]
            world.acts.jumped[agent] = world.time  # for those that saw the decoy
            world.happened(DecoyGone(world.tick, agent, at=decoy.xyz, other=by))


def with_decoys(world: World, bodies: BodyArrays) -> BodyArrays:
    """Return bodies as watchers see them: decoys, standing, in place of the agents that left them."""
    if not world.acts.decoys:
        return bodies
    xyz, mode, velocity = bodies.xyz.copy(), bodies.mode.copy(), bodies.velocity_xy.copy()
    for agent, decoy in world.acts.decoys.items():
        xyz[agent], mode[agent], velocity[agent] = decoy.xyz, ACTIVE, 0.0
    return bodies._replace(xyz=xyz, mode=mode, velocity_xy=velocity)
