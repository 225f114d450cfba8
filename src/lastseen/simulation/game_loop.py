"""Run a world step by step until it ends for a named reason; each step is a list of systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from ..checks import expect, shown
from ..errors import InputError, QueryError
from ..vocabulary.events import Ended
from .systems import STANDSTILL, SYSTEMS
from .world.parts import Trace
from .world.world import World


@dataclass(frozen=True)
class Outcome:
    """Outcome of an episode: reason of its end, number of steps, seconds, and the digest of all steps.

    `ending` is the event that ended it; None if it was stopped.
    """

    reason: str
    ending: Ended | None
    ticks: int
    seconds: float
    digest: str


def step(world: World) -> None:
    """Advance a world by one step; `world.trace` has the time of each system, in this step and in total."""
    trace = expect(world, World, "world").trace
    if trace.is_stepping:
        raise QueryError("the world is in the middle of a step; leaves give orders through their mind instead")
    trace.is_stepping = True
    try:
        _advance(world, trace)
    finally:
        trace.is_stepping = False


def _advance(world: World, trace: Trace) -> None:
    world.earlier[:] = world.events
    world.events.clear()
    trace.texts.clear()
    if world.acts.stopper >= 0:
        trace.costs.update(dict.fromkeys(trace.costs, 0.0))
    for system in SYSTEMS if world.acts.stopper < 0 else STANDSTILL:
        begun = perf_counter()
        system(world)
        spent, name = perf_counter() - begun, system.__name__
        trace.timings[name] = trace.timings.get(name, 0.0) + spent
        trace.costs[name] = 1000.0 * spent
    _fold(world)
    world.tick += 1
    world.time = (world.tick - world.acts.stood_still) * world.step


def _fold(world: World) -> None:
    """Add the state after this step to the digest of the run."""
    digest, know = world.trace.digest, world.knowledge.arrays
    bodies = world.bodies._replace(light=world.senses.light)
    for part in (*bodies, world.state, know.xyz, know.time, world.doors.shut):
        digest.update(part)
    digest.update(world.hunt.search.layer.values)
    if world.territory is not None:
        digest.update(bytes(step.number for step in world.territory.steps))
    if world.scenario.teams:
        digest.update(world.relations.attitude.tobytes())
    for layer in world.layers.named.values():
        digest.update(layer.values.tobytes())
    if world.combat is not None:
        digest.update(world.combat.health.tobytes())
    if not world.script.weather.is_clear:
        digest.update(world.script.weather.kind.encode())
    if world.level.platforms:
        digest.update(world.cells.platforms.tobytes())
    if world.objects is not None:
        own = world.objects
        digest.update(repr((own.places, own.carrier, own.is_on, own.owner, own.rung, own.uses)).encode())
    if world.swarms is not None:
        for swarm in world.swarms.each:
            digest.update(swarm.xyz.tobytes())
    if world.script.facts:
        digest.update(repr(world.script.facts).encode())


def run(world: World, *, each: Callable[[World], None] | None = None) -> Outcome:
    """Run to the end; `each` is called after every step, before its events are cleared."""
    if each is not None and not callable(each):
        raise InputError(f"each is {shown(each)}; give a function of the world, or None")
    while expect(world, World, "world").ending is None:
        step(world)
        if each is not None:
            each(world)
    return outcome(world)


def outcome(world: World) -> Outcome:
    """Return the outcome so far."""
    expect(world, World, "world")
    reason = "stopped" if world.ending is None else world.ending.reason
    return Outcome(reason, world.ending, world.tick, world.time, world.trace.digest.hexdigest())


def failure_of(world: World) -> str:
    """Return the message of the brain that ended an episode by raising; empty if none did."""
    ending = world.ending
    if ending is None or ending.reason != "brain failed":
        return ""
    return f"{world.names[ending.agent]}: {ending.error}" if ending.state else ending.error
