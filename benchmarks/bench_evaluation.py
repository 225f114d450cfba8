"""Evaluations: two processes against one."""

from __future__ import annotations

from collections.abc import Iterator

from lastseen.cells.build import build_layout
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.batch import available_threads
from lastseen.simulation.evaluation.evaluation import Evaluation, evaluate_chase

from .harness import Comparison

EPISODES = 480
"""Half a minute in one process: what it takes to start others is a small part."""


def comparisons() -> Iterator[Comparison | str]:
    if available_threads() < 2:
        yield "an evaluation on two cores: there is one"
        return
    cells = {name: build_layout(build_navmesh(sample(name))) for name in ("warehouse", "complex")}

    def run(number: int, jobs: int) -> Evaluation:
        return evaluate_chase(
            cells, predictors=["belief", "particle filter", "article"], episodes=EPISODES, seed=number, jobs=jobs
        )

    yield Comparison(
        name="an evaluation of the chase on two cores",
        ours=lambda number: run(number, 2),
        peer=lambda number: run(number, 1),
        at_most=0.7,
        peer_name="one core",
        rounds=1,
    )
