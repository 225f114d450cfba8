"""Perception: 100 guards look at 10 targets on the large sample, rays included; hearing and sharing beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.knowledge.knowledge import SHARING, Knowledge, share
from lastseen.agents.senses.hearing.hearing import PathHearing, RadiusHearing
from lastseen.agents.senses.hearing.sounds import MovementNoise
from lastseen.agents.senses.vision.sightings import VisionMemory
from lastseen.agents.senses.vision.vision import VISIONS
from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.kernels.arrays.agent_arrays import BodyArrays
from lastseen.level.samples import sample
from lastseen.level.sight.sight import Sight
from lastseen.navmesh.build import build_navmesh
from lastseen.rng import generator

from .harness import Comparison

GUARDS, TARGETS = 100, 10
LIMIT = 1e-3
STEPS = 32


def comparisons() -> Iterator[Comparison | str]:
    level = sample("complex")
    layout, sight = build_layout(build_navmesh(level)), Sight.from_level(level).arrays
    spread_out = [crowd(layout, seed) for seed in range(8)]
    together = [crowd(layout, seed, within=25.0) for seed in range(8)]
    guards, targets = np.arange(GUARDS), np.arange(GUARDS, GUARDS + TARGETS)
    for name in VISIONS:
        yield _looking(name, "all over the map", spread_out, sight, guards, targets)
        yield _looking(name, "in one place", together, sight, guards, targets)
    yield _per_guard(layout, sight)
    listen = PathHearing(layout).listen
    yield _hearing("by path", lambda *case: listen(*case), spread_out, guards, targets)
    radius = RadiusHearing().listen
    yield _hearing("by radius", lambda *case: radius(*case, sight=sight), spread_out, guards, targets)
    yield _sharing(spread_out, guards, targets)


def crowd(layout: CellLayout, seed: int, *, guards: int = GUARDS, within: float = np.inf) -> BodyArrays:
    """Guards and targets at random places, within so many metres of one of them."""
    random = generator(seed, "bench perception")
    cells = layout.arrays.cell_xyz
    middle = cells[random.integers(len(cells))]
    near = np.flatnonzero(((cells - middle) ** 2).sum(axis=1) <= within * within)
    count = guards + TARGETS
    return bodies(
        cells[random.choice(near, count)].astype(float),
        random.uniform(-np.pi, np.pi, count),
        team=np.arange(count) >= guards,
        velocity_xy=random.uniform(-2.0, 2.0, (count, 2)),
    )


def _looking(name, where, crowds, sight, guards, targets) -> Comparison:  # type: ignore[no-untyped-def]
    model, memory = VISIONS[name], VisionMemory(len(guards), len(targets))

    def ours(number: int) -> object:
        for step in range(STEPS):
            model.look(crowds[(number + step) % 8], sight, guards, targets, memory, 0.1)
        return None

    title = f"perception of {GUARDS} x {TARGETS} pairs by {name}, {where}"
    return Comparison(title, ours, None, LIMIT, items=STEPS)


def _per_guard(layout: CellLayout, sight) -> Comparison:  # type: ignore[no-untyped-def]
    """A guard costs the same among a thousand."""
    sides = []
    for count in (1000, 100):
        crowds = [crowd(layout, seed, guards=count) for seed in range(8)]
        memory = VisionMemory(count, TARGETS)
        targets = np.arange(count, count + TARGETS)

        def side(number: int, crowds=crowds, memory=memory, count=count, targets=targets) -> object:
            for step in range(8):
                table = crowds[(number + step) % 8]
                VISIONS["coffin"].look(table, sight, np.arange(count), targets, memory, 0.1)
            return None

        sides.append(side)
    return Comparison("perception of a guard among 1,000", *sides, 1.25, "among 100", items=8000, peer_items=800)


def _hearing(name: str, listen: Callable[..., object], crowds, guards, targets) -> Comparison:  # type: ignore[no-untyped-def]
    noise = MovementNoise()
    sounds = [noise.sounds(table, targets, 0.0) for table in crowds]

    def ours(_: int) -> object:
        for step in range(8):
            listen(sounds[step], crowds[step], guards)
        return None

    return Comparison(f"hearing of {TARGETS} sounds by {GUARDS} guards {name}", ours, None, LIMIT, items=8)


def _sharing(crowds, guards, targets) -> Comparison:  # type: ignore[no-untyped-def]
    knowledge = Knowledge(crowds[0], guards, targets)
    for i in range(GUARDS):
        knowledge.touch(i, i % TARGETS, crowds[0], float(i))

    def ours(number: int) -> object:
        return share(knowledge.copy(), crowds[number % 8], SHARING["on contact"])

    return Comparison(f"sharing on contact among {GUARDS} guards", ours, None, LIMIT)
