"""A small run of crews for `lastseen warmup`: roles are given out in a fight and in a chase, and what fights ask."""

from __future__ import annotations

from ...agents.combat import AttackKind, clear_shot, friend_in_line
from ...kernels.knowledge_arrays import SIGHT
from ...navmesh.query import reachable
from ...reasoning.tactical.combat_line import combat_line
from ...reasoning.tactical.flank import flank_routes
from ...reasoning.tactical.ways import CheapestWays
from ...simulation.scenario.read import setting_of
from ...simulation.scenario.scenario import AgentSpec, Scenario
from ...simulation.setup import make_world
from ...simulation.world import World

__all__ = ["share_roles"]


def share_roles() -> None:
    """Let three guards fight somebody together, and then chase them."""
    arms: tuple[AttackKind, ...] = "melee", "melee", "ranged"
    guards = tuple(AgentSpec(f"guard {at}", at=(3.0 + at, 4.0), attack=kind) for at, kind in enumerate(arms))
    agents = (*guards, AgentSpec("you", "puppet", (9.0, 4.0)))
    world = make_world(setting_of(Scenario("rooms", agents, rules="none", crews=True, combat=True)))
    assert world.crews is not None
    know = world.knowledge.arrays
    know.xyz[:, 0], know.time[:, 0], know.source[:, 0] = world.bodies.xyz[3], 0.0, SIGHT
    for objective, priority, seen in (("fight", 1.0, 0), ("chase", 2.0, -1)):
        world.seen = [seen] * 3
        for agent in range(3):
            world.requests.post(agent, objective, 3, priority=priority, seconds=9.0, now=world.time)
        world.crews.update(world)
        world.time += world.step
    _ask_of_fights(world)


def _ask_of_fights(world: World) -> None:
    """What trees of crews ask only where a target is far, out of reach, or lost and looked for."""
    guard, you = world.bodies.xyz[0].tolist(), world.bodies.xyz[3].tolist()
    clear_shot(world.sight.arrays, world.bodies, 0, 3)
    friend_in_line(world.bodies, 0, 3)
    reachable(world.cells.mesh, guard, you)
    flank_routes(CheapestWays(world.cells), combat_line(you, [guard]), [guard])
    world.hunt.search.clean([0])
