"""Think: every mind's tree is ticked once and writes its orders."""

from __future__ import annotations

from ...errors import BehaviourError
from ...kernels.body_arrays import ACTIVE, HIDDEN
from ..last_words import knew, last_words
from ..world import World

__all__ = ["think"]


def think(world: World) -> None:
    """Tick the trees of all who can act; a brain that raises ends the episode with its path and what it knew."""
    world.orders.forget_acts()
    modes = world.bodies.mode.tolist()
    world.places = [(x, y, z) for x, y, z in world.bodies.xyz.tolist()]
    world.ways = world.crowd.routes.status.tolist()
    for mind, tree in zip(world.minds, world.trees):
        if tree is None or modes[mind.number] not in (ACTIVE, HIDDEN):
            continue
        try:
            tree.tick(mind)
        except BehaviourError as error:
            text = f"{mind.name}: {error}; {last_words(world, mind.number)}"
            world.end("brain failed", mind.number, text, path=error.path, knew=knew(world, mind.number))
            return
