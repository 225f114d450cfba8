"""Move: bodies follow their orders into the next generation."""

from __future__ import annotations

from ...agents.brains.surroundings import TEAMS
from ..world import World

__all__ = ["move"]

_GUARDS = TEAMS.index("guards")


def move(world: World) -> None:
    """Find the ways asked for, walk them for one step, and swap the generations."""
    world.crowd.plan(world.bodies, world.orders.arrays)
    world.crowd.step(world.bodies, world.following, world.orders.arrays, world.step)
    world.bodies, world.following = world.following, world.bodies
    if world.contacts is not None:
        for one, other in world.contacts.update(world.bodies, world.crowd.near, _GUARDS):
            text = f"{world.names[one]} and {world.names[other]} run into each other"
            world.happened("contact", one, text, other=other, at=tuple(world.bodies.xyz[one].tolist()))
