"""Think: tick the trees of crews and minds once; an exception in a tree ends the episode."""

from __future__ import annotations

import math
from collections.abc import Set
from time import perf_counter

import numpy as np

from ...agents.behaviour.tree import Tree
from ...agents.brains.surroundings import STATES
from ...agents.crews.crews import CrewError
from ...agents.knowledge.knowledge import SOURCES
from ...errors import BehaviourError
from ...extensions import code_place
from ...kernels.arrays.agent_arrays import ACTIVE, HIDDEN
from ...kernels.sight.sight_line import clear_lines
from ...reasoning.search.sight import EYE
from ...vocabulary.events import Hinted, KnownTarget, TreeChanged
from ...vocabulary.words import AgentState, EndReason
from ..world.world import World

_CALM = (AgentState.PATROL.number, AgentState.RETURN.number)
_CAN_ACT = (ACTIVE, HIDDEN)


def think(world: World) -> None:
    """Tick the trees of all agents that can act; an exception ends the episode with its path and the knowledge."""
    world.orders.forget_acts()
    modes = world.bodies.mode.tolist()
    world.snapshot.places = list(map(tuple, world.bodies.xyz.tolist()))
    world.snapshot.ways = world.crowd.routes.status.tolist()
    for agent, held in world.acts.possessed.items():
        world.snapshot.ways[agent] = world.snapshot.ways[held.host]
    _take_edits(world)
    for agent in world.acts.woken:
        _come_to(world, agent)
    skipped = _resting(world) | _held(world)
    costs = world.trace.agent_costs = [0.0] * len(world.minds)
    has_crews, begun = world.teamwork.crews is not None, perf_counter()
    for mind, tree in zip(world.minds, world.trees):
        number = mind.number
        if tree is None or modes[number] not in _CAN_ACT or number in skipped:
            continue
        try:
            if has_crews:
                _take_hints(world, number, tree)
            tree.tick(mind)
        except BehaviourError as error:
            _fail(world, number, error)
            return
        ended = perf_counter()
        costs[number] = 1000.0 * (ended - begun)
        begun = ended
    _lead_hosts(world)


def _held(world: World) -> Set[int]:
    """Return the agents whose minds do nothing: possessed and dazed ones, and all but one while time stands still."""
    acts = world.acts
    return set(range(len(world.names))) - {acts.stopper} if acts.stopper >= 0 else set(acts.suspended)


def _lead_hosts(world: World) -> None:
    """Give the bodies of possessed agents the orders of those that have control of them, and halt dazed ones."""
    for agent, held in world.acts.possessed.items():
        for column in world.orders.arrays:
            column[held.host] = column[agent]
    for agent in world.acts.dazed:
        world.minds[agent].stand()


def _come_to(world: World, agent: int) -> None:
    """Let an agent that was possessed begin its tree from the root."""
    if world.trees[agent] is not None:
        _interrupt(world, agent)
    world.minds[agent].stand()


def _take_edits(world: World) -> None:
    """Give agents the trees that were edited since the last step."""
    for edit in world.edits.values():
        for agent, tree in edit.trees.items():
            mind = world.minds[agent]
            _interrupt(world, agent)
            mind.stand()
            mind.restart(edit.blackboards[agent])
            if STATES[world.state[agent]] != AgentState.DOWN:
                mind.be(STATES[0])
            world.trees[agent] = tree
            if world.trace.tree_words is not None:
                world.trace.tree_words.replace(agent, tree)
        agents = tuple(edit.trees)
        lines = edit.trees[agents[0]].as_text(live=False)
        event = TreeChanged(
            world.tick, agents[0], brain=edit.brain, agents=agents, lines=lines, definition=edit.definition
        )
        world.happened(event)
    world.edits.clear()


def _interrupt(world: World, agent: int) -> None:
    """End the running nodes of a tree; an exception in one ends the episode."""
    tree = world.trees[agent]
    assert tree is not None
    try:
        tree.interrupt(world.minds[agent])
    except (Exception, SystemExit) as error:  # a leaf of the user may raise anything
        what = f"raised {type(error).__name__}: {error}{code_place(error)} when its tree was replaced"
        _fail(world, agent, BehaviourError(what))


def _resting(world: World) -> Set[int]:
    """Return the agents that do not think in this step: calm, far from all targets or unseen, and not their turn."""
    detail = world.scenario.detail
    if detail is None or detail.every == 1:
        return frozenset()
    attention, watchers = world.attention, world.cast.watchers
    concerns = np.array([attention.seen, attention.noticed, attention.known, attention.lost, attention.calls])
    idle = (concerns < 0).all(axis=0) & np.isin(world.state[watchers], _CALM)
    idle &= (world.tick + watchers) % detail.every != 0
    places, targets = world.bodies.xyz[watchers], world.bodies.xyz[world.cast.targets]
    apart = np.linalg.norm(places[:, None] - targets[None], axis=2) > detail.beyond
    if detail.unseen:
        rows, columns = np.nonzero(~apart & idle[:, None])
        clear = np.zeros(len(rows), np.bool_)
        clear_lines(world.sight.arrays, places[rows] + EYE, targets[columns] + EYE, clear)
        apart[rows, columns] = ~clear
    teamwork = world.teamwork
    return {
        agent
        for agent in watchers[idle & apart.all(axis=1)].tolist()
        if teamwork.direction_of(agent) is None and agent not in teamwork.crew_numbers
    }


def _fail(world: World, agent: int, error: BehaviourError) -> None:
    """End the episode because a tree raised an exception, with the state and knowledge of its agent."""
    world.end(
        "brain failed",
        agent,
        at=world.place_of(agent),
        path=error.path,
        error=str(error),
        state=AgentState(world.state_of(agent)),
        watched=tuple(world.cast.targets.tolist()) if world.cast.watcher_row[agent] >= 0 else (),
        knew=_knew(world, agent),
    )


def _take_hints(world: World, agent: int, tree: Tree) -> None:
    """Replace a tree's hints from its crew, and report changes."""
    direction = world.teamwork.direction_of(agent)
    given = direction.values.get("hints", {}) if direction is not None else {}
    before = tree.hints.changes
    tree.hints.replace("crew", given, reason=direction.role if direction is not None else "")
    if tree.hints.changes != before:
        world.happened(Hinted(world.tick, agent, hints=dict(given)))


def _knew(world: World, agent: int) -> tuple[KnownTarget, ...]:
    """Return what an agent knew about its targets, newest first."""
    row = int(world.cast.watcher_row[agent])
    if row < 0:
        return ()
    know = world.knowledge.arrays
    columns = [column for column in range(len(world.cast.targets)) if know.source[row, column]]
    columns.sort(key=lambda column: -float(know.time[row, column]))
    return tuple(_known(world, row, column) for column in columns)


def _known(world: World, row: int, column: int) -> KnownTarget:
    know = world.knowledge.arrays
    x, y, z = know.xyz[row, column].tolist()
    since = world.time - float(know.time[row, column])
    age = max(0.0, since) if math.isfinite(since) else None
    return KnownTarget(int(world.cast.targets[column]), (x, y, z), age, SOURCES[know.source[row, column]])


def crews(world: World) -> None:
    """Form crews and tick their trees; an exception ends the episode with its path."""
    if world.teamwork.crews is None or world.ending is not None:
        return
    try:
        world.teamwork.crews.update(world)
    except CrewError as error:
        world.end(EndReason.BRAIN_FAILED, error.leader, path=error.path, error=str(error))
