"""What is recorded of a step is what an obvious walk over the world finds."""

from __future__ import annotations

from lastseen.agents.behaviour.status import FAILURE, IDLE, RUNNING, SUCCESS
from lastseen.simulation.game_loop import step
from lastseen.simulation.recording.world_columns import COLUMNS, gather_reasons, step_of
from lastseen.simulation.world.world import World
from specimens.worlds import Play

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


def reasons_now(world: World) -> list[tuple[int, int, str]]:
    """Ask every node of every tree that was reached, but parents that go on: their children say why."""
    return [
        (row, node.index, node.why())
        for row, tree in enumerate(world.trees)
        for node in (tree.nodes if tree is not None else ())
        if node.status is not IDLE and not (node.children and node.status is RUNNING)
    ]


def test_statuses_and_reasons_of_trees_of_several_sizes() -> None:
    world = Play(MIXED).world
    gather_reasons(world)
    sizes = {0 if tree is None else len(tree) for tree in world.trees}
    assert len(sizes) == 3
    noted, words = set(), dict[tuple[int, int], str]()
    for _ in range(40):
        step(world)
        columns, _, _, texts = step_of(world)
        table = columns[[*COLUMNS].index("tree")]
        assert table.shape == (4, max(sizes))
        for row, tree in zip(table, world.trees):
            known = [] if tree is None else [int(node.status) for node in tree.nodes]
            assert row.tolist() == known + [0] * (max(sizes) - len(known))
        words |= {(row, index): said for row, index, said in texts}
        now = reasons_now(world)
        assert [words[row, index] for row, index, _ in now] == [said for _, _, said in now]
        noted |= {world.trees[row].nodes[index].status for row, index, _ in now}
    assert noted == {SUCCESS, FAILURE, RUNNING}


def test_what_is_interrupted_between_steps_is_recorded_too() -> None:
    world = Play(MIXED).world
    gather_reasons(world)
    step(world)
    step_of(world)
    row, tree = next((row, tree) for row, tree in enumerate(world.trees) if tree is not None)
    was = tree.status_bytes
    tree.interrupt(world.minds[row])
    world.trees[row] = None  # it is not ticked again
    step(world)
    table = step_of(world)[0][[*COLUMNS].index("tree")]
    assert any(was)
    assert not table[row].any()


def test_a_world_without_trees_is_recorded_too() -> None:
    world = Play(ALONE).world
    gather_reasons(world)
    step(world)
    columns, layers, events, texts = step_of(world)
    assert columns[[*COLUMNS].index("tree")].shape == (1, 0)
    assert (len(layers), events, texts) == (1, [], [])
