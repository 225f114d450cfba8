"""Think: every mind's tree is ticked once and writes its orders."""

from __future__ import annotations

from ...agents.behaviour.tree import Tree
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
            if world.crews is not None:
                _take_hints(world, mind.number, tree)
            tree.tick(mind)
        except BehaviourError as error:
            text = f"{mind.name}: {error}; {last_words(world, mind.number)}"
            world.end("brain failed", mind.number, text, path=error.path, knew=knew(world, mind.number))
            return


def _take_hints(world: World, agent: int, tree: Tree) -> None:
    """Let a tree have the hints its crew gives it, and no others of a crew; changes are told."""
    direction = world.directions[agent] if world.directions else None
    given = direction.values.get("hints", {}) if direction is not None else {}
    before = tree.hints.changes
    tree.hints.replace("crew", given, reason=direction.role if direction is not None else "")
    if tree.hints.changes != before:
        words = ", ".join(f"{branch} {type_}" for branch, type_ in given.items()) or "as it likes"
        world.happened("hint", agent, f"{world.names[agent]} is hinted at: {words}", data={"hints": dict(given)})
