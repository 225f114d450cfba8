"""Move: bodies follow their orders into the next generation."""

from __future__ import annotations

from ..world import World

__all__ = ["move"]


def move(world: World) -> None:
    """Find the ways asked for, walk them for one step, and swap the generations."""
    world.crowd.plan(world.bodies, world.orders.arrays)
    world.crowd.step(world.bodies, world.following, world.orders.arrays, world.step)
    world.bodies, world.following = world.following, world.bodies
