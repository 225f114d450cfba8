"""Crews: the collective level; each crew thinks, and members get its directions before they think themselves."""

from __future__ import annotations

from ...agents.crews.crews import CrewError
from ..world import World

__all__ = ["crews"]


def crews(world: World) -> None:
    """Let crews form and think; a tree that raises ends the episode with its path."""
    if world.crews is None or world.ending is not None:
        return
    try:
        world.crews.update(world)
    except CrewError as error:
        world.end("brain failed", error.leader, str(error), path=error.path)
