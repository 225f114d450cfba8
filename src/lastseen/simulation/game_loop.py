"""Run a world: one step after another, each a list of systems, until it ends for a named reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from ..vocabulary.events import Ended
from .systems import SYSTEMS
from .world.world import World


@dataclass(frozen=True)
class Outcome:
    """How an episode went: why it ended, after how many steps and seconds, and the digest of all of them.

    `ending` is the event that ended it; None if it was stopped.
    """

    reason: str
    ending: Ended | None
    ticks: int
    seconds: float
    digest: str


def step(world: World) -> None:
    """Let one step pass; `world.trace.timings` gathers the seconds each system took."""
    trace = world.trace
    world.events.clear()
    trace.texts.clear()
    for system in SYSTEMS:
        begun = perf_counter()
        system(world)
        trace.timings[system.__name__] = trace.timings.get(system.__name__, 0.0) + perf_counter() - begun
    _fold(world)
    world.tick += 1
    world.time = world.tick * world.step


def _fold(world: World) -> None:
    """Add what this step left to the digest of the run."""
    digest, know = world.trace.digest, world.knowledge.arrays
    bodies = world.bodies._replace(light=world.senses.light)
    for part in (*bodies, world.state, know.xyz, know.time, world.doors.shut):
        digest.update(part.tobytes())
    digest.update(world.hunt.search.layer.values.tobytes())
    if world.combat is not None:
        digest.update(world.combat.health.tobytes())


def run(world: World, *, each: Callable[[World], None] | None = None) -> Outcome:
    """Run to the end; `each` is called after every step, before its events are forgotten."""
    while world.ending is None:
        step(world)
        if each is not None:
            each(world)
    return outcome(world)


def outcome(world: World) -> Outcome:
    """Return how it went so far."""
    reason = "stopped" if world.ending is None else world.ending.reason
    return Outcome(reason, world.ending, world.tick, world.time, world.trace.digest.hexdigest())


def failure_of(world: World) -> str:
    """Return the message of the brain that ended an episode by raising; empty if none did."""
    ending = world.ending
    if ending is None or ending.reason != "brain failed":
        return ""
    return f"{world.names[ending.agent]}: {ending.error}" if ending.state else ending.error
