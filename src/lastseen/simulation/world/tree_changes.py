"""Replace the tree of agents in a running world: checked at once, taken over in the next step."""

from __future__ import annotations

from collections.abc import Iterator

from ...agents.behaviour.files.build import build_tree
from ...agents.behaviour.files.definition import TreeFault, TreeFile, TreeFileError
from ...agents.behaviour.files.write import as_json
from ...agents.brains.leaves.layers import layers_in
from ...agents.brains.leaves.places import is_file, queries_in, query_faults
from ...agents.brains.shipped_brains import PUPPET, place_query
from ...checks import expect, instance_of, text_of
from ...errors import InputError, did_you_mean
from ..scenario.reader import Setting
from .parts import TreeEdit
from .setup import blackboard_of
from .world import World

_RESTART = "save the tree and start the game again with it"


def replace_tree(world: World, setting: Setting, brain: str, file: TreeFile) -> tuple[int, ...]:
    """Give all agents with a brain another tree from the next step on; return their numbers.

    Running nodes of the old tree end, minds start again with the initial values of their blackboards, and everything
    else stays: bodies, knowledge, searches, crews. The step records a `TreeChanged`. Trees with faults change nothing.

    Parameters
    ----------
    setting : what the world was made from.
    brain : name of the brain, as the scenario gives it to agents.
    file : the new trees, whose main tree is used.

    Raises
    ------
    InputError
        No agent has this brain, or the tree has more nodes than the recording of this world has room for.
    TreeFileError
        The tree has faults, or needs a layer or a query file that this world did not load.
    """
    world, setting = expect(world, World, "world"), expect(setting, Setting, "setting")
    file = instance_of(file, TreeFile, "file", "read one with read_trees(path)")
    known = [spec.brain for spec in setting.agents if spec.brain != PUPPET]
    if text_of(brain, "brain") not in known:
        there = ", ".join(dict.fromkeys(known)) or "none"
        raise InputError(f"no agent has the brain {brain!r}{did_you_mean(brain, known)}; there are {there}")
    agents = tuple(number for number, spec in enumerate(setting.agents) if spec.brain == brain)
    trees = {agent: build_tree(file, setting.leaves) for agent in agents}
    faults = [*_missing(world, file)]
    if faults:
        raise TreeFileError(faults)
    words, size = world.trace.tree_words, len(trees[agents[0]])
    if words is not None and size > words.room:
        raise InputError(f"the tree has {size} nodes, but this run has room to record {words.room}; {_RESTART}")
    blackboards = {agent: blackboard_of(setting, agent, trees[agent]) for agent in agents}
    world.edits[brain] = TreeEdit(brain, trees, blackboards, as_json(file))
    return agents


def _missing(world: World, file: TreeFile) -> Iterator[TreeFault]:
    """Yield what the trees of a file name that this world did not load."""
    for name, source, line in queries_in(file):
        if is_file(name) and name not in world.reasoning.queries:
            yield TreeFault(source, line, "choose_place", f"this game did not load the query {name!r}; {_RESTART}")
            continue
        query = world.reasoning.queries[name] if is_file(name) else place_query(name)
        for what in query_faults(query, world.level, world.layers.named):
            yield TreeFault(source, line, "choose_place", f"{name}: {what}; {_RESTART}")
    for name, source, line in layers_in(file):
        if name not in world.layers.named:
            yield TreeFault(source, line, "", f"this game does not compute the layer {name!r}; {_RESTART}")
