"""Evaluations: two processes against one."""

from __future__ import annotations

from collections.abc import Iterator

from lastseen.cells.build import build_layout
from lastseen.checks import job_count
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.simulation.experiments.chase.experiment import evaluate_chase
from lastseen.simulation.experiments.harness.trials import Evaluation

from .bench_chase import _gain_in_c, losses_on
from .harness import Comparison

EPISODES = 240
"""A quarter of a minute in one process: what it takes to start another is a small part."""


def comparisons() -> Iterator[Comparison | str]:
    if job_count(None, "") < 2:
        yield "an evaluation on two cores: there is one"
        return
    cells = {name: build_layout(build_navmesh(sample(name))) for name in ("warehouse", "complex")}

    def run(number: int, jobs: int) -> Evaluation:
        return evaluate_chase(
            cells, predictors=["belief", "particle filter", "article"], episodes=EPISODES, seed=number, jobs=jobs
        )

    # Where the two "cores" share one, C gains less, too: the bound is 0.65, or what C takes where that is more.
    best = _gain_in_c(cells["complex"], Chase(cells["complex"]), losses_on(cells["complex"], 2000, 5))
    yield Comparison(
        name=f"an evaluation of the chase on two cores, where C takes {best:.3g} x",
        ours=lambda number: run(number, 2),
        peer=lambda number: run(number, 1),
        at_most=max(0.65, 1.05 * best),
        peer_name="one core",
        rounds=1,
    )
