"""Sweeps: what handing out a task costs, and two processes against one."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from lastseen.cells.build import build_layout
from lastseen.checks import job_count
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.simulation.experiments.harness.experiment import Experiment, Job, Runner
from lastseen.simulation.experiments.harness.parameters import Measure, Parameter, Row, Values
from lastseen.simulation.experiments.harness.sweep import Sweep, read_sweep
from lastseen.simulation.experiments.harness.sweep_run import run_sweep

from .bench_chase import _gain_in_c, losses_on
from .harness import Comparison

SHORT = 10_000
"""Tasks that do nothing; those after the first tenth are timed."""
LONG = 48


def check(values: Values) -> None:
    """Take everything."""


def run(job: Job) -> list[Row]:
    """Do next to nothing."""
    return [{"value": float(job.seed)}]


NOTHING = Experiment(
    name="nothing",
    about="nothing at all",
    parameters={"a": Parameter("number", 1.0)},
    measures=(Measure("value"),),
    check=check,
    run=run,
)


def comparisons() -> Iterator[Comparison | str]:
    try:
        import duckdb  # noqa: F401
    except ImportError:
        yield "sweeps: the package duckdb is not there"
        return
    yield _overhead(_sweep(f'evaluate = "nothing"\nlevels = ["rooms"]\nseeds = {{ count = {SHORT} }}\n'))
    if job_count(None, "") < 2:
        yield "a sweep on two cores: there is one"
        return
    yield _two_processes()


def _sweep(text: str) -> Sweep:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sweep.toml")
        path.write_text(text, encoding="utf-8")
        return read_sweep(path, experiments={"nothing": NOTHING}) if "nothing" in text else read_sweep(path)


def _done(sweep: Sweep, jobs: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return run_sweep(sweep, folder, jobs=jobs).digest


def _overhead(sweep: Sweep) -> Comparison:
    """From the time both processes are at work to the end: handing out, answers, progress, files, the digest."""
    begun, warm = threading.Event(), threading.Event()

    def progress(_words: str, share: float) -> None:
        begun.set()
        if share >= 0.1:
            warm.set()

    def whole() -> None:
        with tempfile.TemporaryDirectory() as folder:
            run_sweep(sweep, folder, jobs=2, progress=progress)

    running = threading.Thread(target=whole)

    def ours(number: int) -> object:
        # The first two calls are not counted.
        if number == 0:
            running.start()
            return begun.wait()
        return warm.wait() if number == 1 else running.join()

    def directly() -> Mapping[str, float]:
        runner, start = Runner(sweep.plan), time.perf_counter()
        for task in sweep.tasks:
            runner(task)
        return {"called directly": (time.perf_counter() - start) / SHORT}

    return Comparison(
        name="a task of a sweep that does nothing, on the pool",
        ours=ours,
        peer=None,
        at_most=0.002,
        items=SHORT * 9 // 10,
        rounds=1,
        parts=directly,
    )


def _two_processes() -> Comparison:
    """Bounded by 1.7, or by what C reaches on two cores of this machine, whichever is less."""
    layout = build_layout(build_navmesh(sample("complex")))
    best = _gain_in_c(layout, Chase(layout), losses_on(layout, 2000, 5))
    sweep = _sweep(
        'evaluate = "chase"\nlevels = ["warehouse", "complex"]\n'
        f"seeds = {{ count = {LONG // 4} }}\n"
        '[fixed]\nepisodes = 24\npredictors = ["belief", "particle filter", "article"]\n'
        "[grid]\nview_distance = [10.0, 20.0]\n"
    )
    return Comparison(
        name=f"a sweep of pursuits on two processes, where C takes {best:.3g} x",
        ours=lambda _: _done(sweep, 2),
        peer=lambda _: _done(sweep, 1),
        at_most=max(1 / 1.7, 1.05 * best),
        peer_name="one",
        rounds=1,
    )
