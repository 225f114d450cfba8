"""Possession: an agent takes control of another one for a while, whose own mind is suspended."""

from __future__ import annotations

import math

import numpy as np

from ...agents.bodies.bodies import put, set_mode
from ...agents.bodies.orders import Act
from ...agents.brains.acts import Possession
from ...kernels.arrays.agent_arrays import ACTIVE, GONE, HIDDEN
from ...kernels.sight.sight_line import is_clear
from ...navmesh.query import raycasts
from ...vocabulary.events import CameTo, Possessed, Released
from ...vocabulary.words import AgentState, Release
from .powers import jump, use_power
from .world import World

_CHEST = 1.3
"""Height in metres of the line of sight by which an agent is possessed."""
_BESIDE = 1.2
"""Metres, in widths of a body, from the host at which an agent comes out."""
_SIDES = np.radians([180.0, 135.0, -135.0, 90.0, -90.0, 45.0, -45.0, 0.0])
"""Directions off the host's heading in which an agent comes out, the first that is free: behind it, if possible."""


def possess(world: World, agent: int, order: Act) -> None:  # noqa: ARG001
    """Take control of the nearest agent of another team in reach and sight, or let go of it."""
    if agent in world.acts.possessed:
        _release(world, agent, Release.ITSELF)
        return
    host = _host(world, agent)
    if host < 0 or not use_power(world, agent, "possess"):
        return
    seconds, row = world.scenario.power_rules.possess, int(world.cast.watcher_row[host])
    world.acts.possessed[agent] = Possession(host, world.time + seconds)
    world.happened(Possessed(world.tick, agent, at=world.place_of(host), other=host, seconds=seconds))
    set_mode(world.bodies, agent, HIDDEN)
    put(world.bodies, agent, world.place_of(host))
    jump(world, agent)
    jump(world, host)
    world.minds[host].be(AgentState.PATROL)
    if world.combat is not None:
        world.combat.blows.pop(host, None)
    if row >= 0:
        world.attention.black_out(row)


def suspended_rows(world: World) -> list[int]:
    """Return the rows of watchers that neither sense nor think, because they are possessed or dazed."""
    suspended = world.acts.suspended
    return [row for row in world.cast.watcher_row[suspended].tolist() if row >= 0] if suspended else []


def _host(world: World, agent: int) -> int:
    """Return the agent that one could take control of now; -1 if none."""
    bodies, place = world.bodies, world.place_of(agent)
    others = (bodies.team != bodies.team[agent]) & (bodies.mode == ACTIVE)
    others[world.acts.suspended] = False
    reach = world.scenario.power_rules.possess_reach
    near = [(math.dist(place, world.place_of(other)), other) for other in np.flatnonzero(others).tolist()]
    x, y, z = place
    for metres, other in sorted(near):
        ox, oy, oz = world.place_of(other)
        if metres <= reach and is_clear(world.sight.arrays, x, y, z + _CHEST, ox, oy, oz + _CHEST):
            return other
    return -1


def end_possessions(world: World) -> None:
    """Let go of hosts whose time is over or that went down; let those come to that no longer are dazed."""
    acts = world.acts
    for agent, held in list(acts.possessed.items()):
        if world.bodies.mode[held.host] != ACTIVE:
            _release(world, agent, Release.HOST_DOWN)
        elif world.time >= held.until - 1e-9:
            _release(world, agent, Release.TIME)
    acts.woken.clear()
    for agent, until in list(acts.dazed.items()):
        if world.bodies.mode[agent] != ACTIVE:
            del acts.dazed[agent]
        elif world.time >= until - 1e-9:
            del acts.dazed[agent]
            acts.woken.append(agent)
            world.happened(CameTo(world.tick, agent, at=world.place_of(agent)))


def _release(world: World, agent: int, reason: Release) -> None:
    """Put an agent next to its host, which is dazed for a while."""
    host = world.acts.possessed.pop(agent).host
    put(world.bodies, agent, _beside(world, host))
    set_mode(world.bodies, agent, ACTIVE)
    jump(world, agent)
    jump(world, host)
    if world.bodies.mode[host] == ACTIVE:
        world.acts.dazed[host] = world.time + world.scenario.power_rules.daze
        world.minds[host].be(AgentState.SUSPICIOUS)
    world.happened(Released(world.tick, agent, at=world.place_of(agent), other=host, reason=reason))


def _beside(world: World, host: int) -> tuple[float, float, float]:
    """Return the first free place next to a body, from its back to its front; its own place if there is none."""
    start, away = world.bodies.xyz[host], 2.0 * world.scenario.radius * _BESIDE
    turn = world.bodies.heading[host] + _SIDES
    ends = start + away * np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn])
    rays = raycasts(world.cells.mesh, np.repeat(start[None], len(ends), axis=0), ends)
    there = world.bodies.mode != GONE
    there[host] = False
    for place in rays.xyz[np.linalg.norm(rays.xyz - start, axis=1) >= 0.99 * away]:
        near = np.linalg.norm(world.bodies.xyz - place, axis=1) < 2.0 * world.scenario.radius
        if not (near & there & (world.bodies.mode == ACTIVE)).any():
            x, y, z = place.tolist()
            return x, y, z
    return world.place_of(host)
