"""Crews: the collective phase of 20 crews of five, and who takes which of ten places."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lastseen.agents.crews.crew_trees import shipped_crew_trees
from lastseen.agents.crews.crews import Crews
from lastseen.agents.crews.roles.roles import assign
from lastseen.agents.requests import RequestBoard
from lastseen.cells.build import build_layout
from lastseen.cells.query import cells_within
from lastseen.kernels.arrays.agent_arrays import SIGHT
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.simulation.scenario.reader import setting_of
from lastseen.simulation.scenario.scenario import AgentSpec, Scenario
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World

from .harness import Comparison

CREWS, MEMBERS, TICKS = 20, 5, 60
PHASE, ASSIGNMENT = 2e-3, 50e-6
"""Seconds: a tick of the collective phase, ten members to ten places."""


def comparisons() -> Iterator[Comparison | str]:
    for what, fights in (("catch", False), ("fight", True)):
        world = crowded_world(fights=fights)

        def phase(_: int, world: World = world) -> object:
            for _ in range(TICKS):
                go_on(world)
            return world.teamwork.directions

        name = f"crews: a tick of {CREWS} crews of {MEMBERS} that {what}, {len(world.cells):,} cells"
        yield Comparison(name, phase, None, PHASE, items=TICKS, rounds=9)
    tables = np.random.default_rng(0).uniform(0.0, 3.0, (64, 10, 10))

    def ours(number: int) -> object:
        return [assign(tables[(number + at) % 64]) for at in range(64)]

    yield Comparison("crews: ten members to ten places", ours, None, ASSIGNMENT, items=64)
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError:
        yield "crews: scipy is not installed; no comparison with its assignment"
        return

    def theirs(number: int) -> object:
        return [linear_sum_assignment(tables[(number + at) % 64], maximize=True) for at in range(64)]

    # theirs has no roles, no room and no counts; ours checks its input too
    yield Comparison("crews: ten members to ten places", ours, theirs, 10.0, "scipy", items=64, peer_items=64)


def crowded_world(*, fights: bool) -> World:
    """Return a large level with 20 intruders and five guards round each, who know of it and ask to fight it.

    Where they fight, every other one has a gun, the others blades.
    """
    level, radius = sample("complex"), 0.3
    cells = build_layout(build_navmesh(level, Body(radius=radius)))
    chance = np.random.default_rng(7)
    places = cells.arrays.cell_xyz[chance.choice(len(cells), CREWS, replace=False)].astype(np.float64)
    guards, targets = [], []
    for number, place in enumerate(places):
        near = cells_within(cells, place, 9.0)
        for member in range(MEMBERS):
            at = cells.arrays.cell_xyz[int(chance.choice(near))].tolist()
            arms = "ranged" if (number + member) % 2 else "melee"
            guards.append(AgentSpec(f"guard {number}.{member}", at=tuple(at), attack=arms))
        targets.append(AgentSpec(f"target {number}", "puppet", tuple(place.tolist())))
    scenario = Scenario("complex", tuple(guards + targets), rules="none", combat=fights)
    world = make_world(setting_of(scenario, level=level), cells=cells)
    world.teamwork.requests, world.teamwork.crews = RequestBoard(), Crews(shipped_crew_trees())
    world.attention.seen = [guard // MEMBERS for guard in range(len(guards))]
    for guard in range(len(guards)):
        world.teamwork.requests.post(guard, "fight", len(guards) + guard // MEMBERS, seconds=80_000.0)
    go_on(world)
    return world


def go_on(world: World) -> None:
    """Let a tick pass: targets walk to and fro, their guards know it, the collective phase runs."""
    know, count = world.knowledge.arrays, CREWS * MEMBERS
    columns = np.arange(count) // MEMBERS
    # 1.4 m/s and a second each way: to and fro on the spot.
    world.bodies.xyz[count:, 0] += 1.4 * world.step * (1 if world.tick // 30 % 2 else -1)
    know.xyz[np.arange(count), columns] = world.bodies.xyz[count + columns]
    know.time[np.arange(count), columns], know.source[np.arange(count), columns] = world.time, SIGHT
    world.events.clear()
    assert world.teamwork.crews is not None
    world.teamwork.crews.update(world)
    world.tick += 1
    world.time = world.tick * world.step
