"""A small run of crews for `lastseen warmup`: roles are given out in a fight and in a chase."""

from __future__ import annotations

from ...kernels.knowledge_arrays import SIGHT
from ...simulation.scenario.read import setting_of
from ...simulation.scenario.scenario import AgentSpec, Scenario
from ...simulation.setup import make_world

__all__ = ["share_roles"]


def share_roles() -> None:
    """Let three guards fight somebody together, and then chase them."""
    guards = tuple(AgentSpec(f"guard {number}", at=(3.0 + number, 4.0)) for number in range(3))
    agents = (*guards, AgentSpec("you", "puppet", (9.0, 4.0)))
    world = make_world(setting_of(Scenario("rooms", agents, rules="none", crews=True)))
    assert world.crews is not None
    know = world.knowledge.arrays
    know.xyz[:, 0], know.time[:, 0], know.source[:, 0] = world.bodies.xyz[3], 0.0, SIGHT
    for objective, priority, seen in (("fight", 1.0, 0), ("chase", 2.0, -1)):
        world.seen = [seen] * 3
        for agent in range(3):
            world.requests.post(agent, objective, 3, priority=priority, seconds=9.0, now=world.time)
        world.crews.update(world)
        world.time += world.step
