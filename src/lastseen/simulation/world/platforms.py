"""Platforms of a world: pieces of floor that appear, disappear and move, with the agents on them."""

from __future__ import annotations

import numpy as np
import shapely

from ...agents.bodies.bodies import put
from ...agents.brains.objects import Objects
from ...conventions import Floats, Ids
from ...level.level import Platform
from ...navmesh.query import faces_at, nearest_many
from ...vocabulary.words import ObjectKind
from .world import World

_STANDS = 0.5
"""Metres of height within which an agent stands on a platform."""


def set_platform(world: World, name: str, at: str, *, present: bool) -> None:
    """Let a platform appear, move or disappear; agents and objects on one that moves go with it.

    An agent whose floor is gone gets off to the nearest floor, and so do places at which agents know of others. All
    paths are searched again, since there may be shorter ones now.
    """
    before = world.cells.platforms
    world.cells.set_platform(name, present, at=at or None)
    now = world.cells.platforms
    world.sight.set_platforms(now)
    left, reached = np.flatnonzero(before & ~now).tolist(), np.flatnonzero(now & ~before).tolist()
    if left:
        old = world.level.platforms[left[0]]
        by = _middle(world.level.platforms[reached[0]]) - _middle(old) if reached else None
        for agent in _riders(old, world.bodies.xyz).tolist() if by is not None else ():
            put(world.bodies, agent, world.bodies.xyz[agent] + by)
        if world.objects is not None:
            _carry(world, world.objects, old, by)
    for agent, place in _off_floor(world, world.bodies.xyz):
        put(world.bodies, agent, place)
    world.knowledge.move(_off_floor(world, world.knowledge.arrays.xyz.reshape(-1, 3)))
    for agent in range(len(world.names)):
        world.crowd.forget_path(agent)


def _carry(world: World, objects: Objects, old: Platform, by: Floats | None) -> None:
    """Let objects move with a platform, along with where they belong; items on one that is gone lie on the next floor.

    What belongs on the platform but lies elsewhere, or the other way round, stays moved.
    """
    lying = [number for number, carrier in enumerate(objects.carrier) if carrier == -1]
    here = set(_riders(old, np.array(objects.places)).tolist()) & set(lying)
    if by is None:
        items = [number for number in sorted(here) if objects.things[number].kind is ObjectKind.ITEM]
        places = nearest_many(world.cells.mesh, np.array([objects.places[number] for number in items]).reshape(-1, 3))
        for number, place in zip(items, places.xyz.tolist()):
            objects.lay(number, tuple(place))
        return
    at_home = _riders(old, np.array([thing.xyz for thing in objects.things])).tolist()
    objects.ride(at_home, tuple(by.tolist()))
    for number in sorted(here):
        objects.lay(number, tuple((np.array(objects.places[number]) + by).tolist()))
    first = len(world.doors.shut) + len(world.names)
    for number in (one for one in at_home if objects.things[one].kind is not ObjectKind.SWITCH):
        world.attention.changed.move(first + number, by)


def _off_floor(world: World, xyz: Floats) -> list[tuple[int, Floats]]:
    """Return which places (n, 3) have no floor, and the nearest floor to each."""
    off = np.flatnonzero(faces_at(world.cells.mesh, xyz) < 0)
    return list(zip(off.tolist(), nearest_many(world.cells.mesh, xyz[off]).xyz))


def _middle(piece: Platform) -> Floats:
    middle: Floats = piece.outline_xyz.mean(axis=0)
    return middle


def _riders(piece: Platform, xyz: Floats) -> Ids:
    """Return the agents that stand on a platform."""
    plan = shapely.Polygon(piece.outline_xyz[:, :2], [hole[:, :2] for hole in piece.holes_xyz])
    low, high = piece.outline_xyz[:, 2].min() - _STANDS, piece.outline_xyz[:, 2].max() + _STANDS
    inside = shapely.contains_xy(plan, xyz[:, 0], xyz[:, 1]) & (xyz[:, 2] >= low) & (xyz[:, 2] <= high)
    return np.flatnonzero(inside).astype(np.int32)
