"""Think: tick the trees of crews and minds once; a tree that raises ends the episode with what it knew."""

from __future__ import annotations

import math

from ...agents.behaviour.tree import Tree
from ...agents.crews.crews import CrewError
from ...agents.knowledge.knowledge import SOURCES
from ...errors import BehaviourError
from ...kernels.arrays.agent_arrays import ACTIVE, HIDDEN
from ..world.world import World

__all__ = ["crews", "knew", "last_words", "think"]


def think(world: World) -> None:
    """Tick the trees of all who can act; a brain that raises ends the episode with its path and what it knew."""
    world.orders.forget_acts()
    modes = world.bodies.mode.tolist()
    world.snapshot.places = [(x, y, z) for x, y, z in world.bodies.xyz.tolist()]
    world.snapshot.ways = world.crowd.routes.status.tolist()
    for mind, tree in zip(world.minds, world.trees):
        if tree is None or modes[mind.number] not in (ACTIVE, HIDDEN):
            continue
        try:
            if world.teamwork.crews is not None:
                _take_hints(world, mind.number, tree)
            tree.tick(mind)
        except BehaviourError as error:
            text = f"{mind.name}: {error}; {last_words(world, mind.number)}"
            world.end("brain failed", mind.number, text, path=error.path, knew=knew(world, mind.number))
            return


def _take_hints(world: World, agent: int, tree: Tree) -> None:
    """Let a tree have the hints its crew gives it, and no others of a crew; changes are told."""
    direction = world.teamwork.direction_of(agent)
    given = direction.values.get("hints", {}) if direction is not None else {}
    before = tree.hints.changes
    tree.hints.replace("crew", given, reason=direction.role if direction is not None else "")
    if tree.hints.changes != before:
        words = ", ".join(f"{branch} {type_}" for branch, type_ in given.items()) or "as it likes"
        world.happened("hint", agent, f"{world.names[agent]} is hinted at: {words}", data={"hints": dict(given)})


_MOST = 4
"""Targets named; the newest are, of more only the number is told."""


def knew(world: World, agent: int) -> list[str]:
    """What did an agent know of its targets? The newest first; nothing for those it knew nothing of."""
    row = int(world.cast.watcher_row[agent])
    if row < 0:
        return []
    know = world.knowledge.arrays
    columns = [column for column in range(len(world.cast.targets)) if know.source[row, column]]
    columns.sort(key=lambda column: -float(know.time[row, column]))
    return [_known(world, row, column) for column in columns]


def _known(world: World, row: int, column: int) -> str:
    know = world.knowledge.arrays
    x, y, _ = know.xyz[row, column].tolist()
    source, since = SOURCES[know.source[row, column]], world.time - float(know.time[row, column])
    age = f" {max(0.0, since):.1f} s ago" if math.isfinite(since) else ""
    return f"{world.target_name(column)} at ({x:.1f}, {y:.1f}){age} ({source})"


def last_words(world: World, agent: int) -> str:
    """Where was it, what was it up to, and what did it know?"""
    x, y, _ = world.bodies.xyz[agent].tolist()
    known = knew(world, agent)
    if known:
        more = f" and {len(known) - _MOST} more" if len(known) > _MOST else ""
        words = f"knew of {', '.join(known[:_MOST])}{more}"
    elif world.cast.watcher_row[agent] < 0 or not len(world.cast.targets):
        words = "watched nobody"
    else:
        names = [world.target_name(column) for column in range(len(world.cast.targets))]
        words = f"watched {', '.join(names[:_MOST])} and knew nothing"
    return f"it was at ({x:.1f}, {y:.1f}), {world.state_of(agent)}; it {words}"


def crews(world: World) -> None:
    """Let crews form and think; a tree that raises ends the episode with its path."""
    if world.teamwork.crews is None or world.ending is not None:
        return
    try:
        world.teamwork.crews.update(world)
    except CrewError as error:
        world.end("brain failed", error.leader, str(error), path=error.path)
