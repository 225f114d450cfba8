"""The step of a world: guards and intruders on the large sample, from senses to movement; and recording it.

What the parts of a step cost alone is in `bench_perception.py` (all pairs of guards and intruders) and
`bench_search.py` (influence over all cells).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.rng import generator
from lastseen.simulation.game_loop import step
from lastseen.simulation.recording.world_columns import recorder_of, step_of
from lastseen.simulation.scenario.reader import Setting, setting_of
from lastseen.simulation.scenario.scenario import AgentSpec, Scenario
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World

from .harness import Comparison, Side

LIMIT = 5e-3
TARGETS = 10
STEPS = 30
"""Steps a call: a second."""
WARM = 90
"""Steps before the first call: by then intruders have been seen, and some guards search."""


def comparisons() -> Iterator[Comparison | str]:
    yield _full_step()
    yield _per_guard(1000, 100, 1.1)
    yield _per_guard(100, 10, 1.0)
    yield _recording()


@cache
def _layout() -> CellLayout:
    return build_layout(build_navmesh(sample("complex"), Body(radius=0.3)))


def _setting(guards: int) -> Setting:
    """Guards on the level's patrols and runners, at random cells."""
    level, cells = sample("complex"), _layout().arrays.cell_xyz
    ids = generator(1, "bench world").choice(len(cells), guards + TARGETS, replace=False)
    patrols = [patrol.name for patrol in level.patrols]
    agents = tuple(
        AgentSpec(f"guard {i}", "guard", tuple(map(float, cells[cell])), 0.0, patrols[i % len(patrols)])
        if i < guards
        else AgentSpec(f"runner {i}", "runner", tuple(map(float, cells[cell])))
        for i, cell in enumerate(ids.tolist())
    )
    return setting_of(Scenario("complex", agents, seconds=3600.0, ends=()), level=level)


@cache
def world_of(guards: int) -> World:
    world = make_world(_setting(guards), cells=_layout())
    for _ in range(WARM):
        step(world)
    world.trace.timings.clear()
    return world


def _steps(guards: int) -> Side:
    def side(_: int) -> object:
        world = world_of(guards)
        for _ in range(STEPS):
            step(world)
        return world

    return side


def _full_step() -> Comparison:
    title = f"step of a world of 100 guards and {TARGETS} targets"
    return Comparison(title, _steps(100), None, LIMIT, items=STEPS, parts=_by_system)


def _by_system() -> dict[str, float]:
    """Mean seconds each system took in a step."""
    world = world_of(100)
    return {name: seconds / (world.tick - WARM) for name, seconds in world.trace.timings.items()}


def _per_guard(many: int, few: int, at_most: float) -> Comparison:
    """What the targets and the step as such cost is shared by all guards, so a guard should cost less among many."""
    return Comparison(
        f"step of a world, per guard of {many:,}",
        _steps(many),
        _steps(few),
        at_most,
        f"per guard of {few:,}",
        items=STEPS * many,
        peer_items=STEPS * few,
        rounds=7,
    )


def _recording() -> Comparison:
    """Two worlds of one seed do the same; one of them is recorded."""
    folder = tempfile.TemporaryDirectory(prefix="lastseen-bench-")
    setting = _setting(100)
    plain, recorded = (make_world(setting, cells=_layout()) for _ in range(2))
    recorder = recorder_of(recorded, Path(folder.name) / "run.rec")

    def ours(_: int) -> object:
        for _ in range(STEPS):
            step(recorded)
            recorder.add(*step_of(recorded))
        return folder  # kept for as long as it is written to

    def peer(_: int) -> object:
        for _ in range(STEPS):
            step(plain)
        return None

    return Comparison("step of a world, recorded", ours, peer, 1.1, "not recorded", items=STEPS, peer_items=STEPS)
