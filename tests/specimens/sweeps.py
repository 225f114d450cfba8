"""An experiment that costs nothing, fails or kills its process when told to, and notes every time it is run."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from lastseen.errors import InputError, LastSeenError
from lastseen.simulation.experiments.harness.experiment import Experiment, Job
from lastseen.simulation.experiments.harness.parameters import Measure, Parameter, Row, Values, interval

NOTES = "LASTSEEN_TEST_NOTES"
"""Environment variable: the folder in which runs leave a file each."""


HURRY = "LASTSEEN_TEST_HURRY"
"""Environment variable: tasks take no time, whatever their pause."""


def check(values: Values) -> None:
    if values["a"] < 0.0:
        raise InputError(f"a is {values['a']:g}; it must be at least 0")
    if values["a"] > 5.0 and values["mode"] == "narrow":
        raise InputError(f"a is {values['a']:g}; narrow takes at most 5")


def run(job: Job) -> list[Row]:
    a, mode = float(job.values["a"]), job.values["mode"]
    folder = os.environ.get(NOTES)
    if folder:
        Path(folder, f"{a:g}-{job.seed}-{os.getpid()}-{time.monotonic_ns()}").touch()
    if job.values["pause"] and HURRY not in os.environ:
        time.sleep(job.values["pause"])
    if mode == "fails" and job.seed == 1:
        raise InputError(f"seed 1 is not to be had with a = {a:g}")
    if mode == "bug" and job.seed == 1:
        raise ZeroDivisionError("nothing to share")
    if mode == "dies" and job.seed == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "dies once" and job.seed == 1 and len(list(Path(folder).glob(f"{a:g}-1-*"))) == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    value = a * 0.1 + job.seed / 3.0
    share = min(1.0, a / 10.0)
    return [
        {"side": side, "value": value * factor, **interval("share", share, share / 2, (1 + share) / 2)}
        for side, factor in (("left", 1.0), ("right", -0.0 + 2.0))
    ]


TRIAL = Experiment(
    name="trial",
    about="a trial",
    parameters={
        "a": Parameter("number", 1.0, "a number"),
        "count": Parameter("whole", 3),
        "mode": Parameter("text", "works", choices=("works", "narrow", "fails", "bug", "dies", "dies once")),
        "pause": Parameter("number", 0.0, "seconds"),
        "names": Parameter("texts", ("one",)),
        "on": Parameter("yes", False),
        "path": Parameter("path"),
    },
    measures=(Measure("value", "m"), Measure("share", "share", interval=True), Measure("never", "s")),
    check=check,
    run=run,
    subject="side",
)
TRIALS = {"trial": TRIAL}


def sweep_text(grid: str = "a = [0.5, 1.0, 2.0, 3.0]", fixed: str = "", more: str = "", seeds: int = 3) -> str:
    """Return a sweep file of trials."""
    return (
        f'evaluate = "trial"\nlevels = ["rooms"]\nseeds = {{ count = {seeds} }}\n{more}\n[fixed]\n{fixed}\n'
        f"[grid]\n{grid}\n"
    )


def wait_for(true, seconds: float = 180.0) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def main(file: str, folder: str, jobs: int, cluster: str = "") -> None:
    """Run a sweep of trials, as a program of its own; errors are told as the command does."""
    from lastseen.simulation.experiments.harness.sweep import read_sweep
    from lastseen.simulation.experiments.harness.sweep_run import run_sweep

    try:
        print(run_sweep(read_sweep(file, experiments=TRIALS), folder, jobs=jobs, cluster=cluster).digest)
    except LastSeenError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
