"""What is recorded of a step is what an obvious walk over the world finds."""

from __future__ import annotations

from lastseen.agents.behaviour.status import RUNNING
from lastseen.simulation.columns import COLUMNS, gather_reasons, step_of
from lastseen.simulation.run import step
from lastseen.simulation.world import World
from worlds import Play

MIXED = """
level: warehouse
seconds: 60
agents:
  - {name: you, brain: puppet, at: [2.5, 2.5]}
  - {name: Ames}
  - {name: Rae, brain: runner, at: [3.5, 2.5]}
  - {name: Bell}
"""
ALONE = "level: hall\nagents:\n  - {name: you, brain: puppet, at: [3, 9]}\n"


def running_leaves(world: World) -> list[tuple[int, int, str]]:
    """Ask every node of every tree."""
    return [
        (row, node.index, node.reason)
        for row, tree in enumerate(world.trees)
        for node in (tree.nodes if tree is not None else ())
        if not node.children and node.status is RUNNING
    ]


def test_statuses_and_running_leaves_of_trees_of_several_sizes() -> None:
    world = Play(MIXED).world
    gather_reasons(world)
    sizes = {0 if tree is None else len(tree) for tree in world.trees}
    assert len(sizes) == 3
    noted = 0
    for _ in range(40):
        step(world)
        changes = list(world.texts)
        columns, _, _, texts = step_of(world)
        table = columns[[*COLUMNS].index("tree")]
        assert table.shape == (4, max(sizes))
        for row, tree in zip(table, world.trees):
            known = [] if tree is None else [int(node.status) for node in tree.nodes]
            assert row.tolist() == known + [0] * (max(sizes) - len(known))
        assert texts[: len(changes)] == changes
        assert texts[len(changes) :] == running_leaves(world)
        noted += len(texts) - len(changes)
    assert noted > 40


def test_a_world_without_trees_is_recorded_too() -> None:
    world = Play(ALONE).world
    gather_reasons(world)
    step(world)
    columns, layers, events, texts = step_of(world)
    assert columns[[*COLUMNS].index("tree")].shape == (1, 0)
    assert (len(layers), events, texts) == (1, [], [])
