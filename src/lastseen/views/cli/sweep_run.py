"""`lastseen sweep FILE -o DIR`: run a sweep file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ...simulation.experiments.sweeps.run import SweepOutcome
    from ...simulation.experiments.sweeps.sweep import Sweep

__all__ = ["command"]

SOME_FAILED = 3
"""Exit code of a sweep that ran, but had failed tasks."""
_SHOWN = 5


@click.command("run", short_help="Run a sweep file: lastseen sweep FILE -o DIR.")
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", metavar="DIR", required=True, help="Folder for the results; may already hold some.")
@click.option("--jobs", type=int, metavar="N", help="Number of processes; does not change results.  [all cores]")
@click.option("--cluster", metavar="ADDRESS", help="dask.distributed scheduler, such as tcp://host:8786, or `local`.")
@click.option("--retry", is_flag=True, help="Retry tasks that failed before.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def command(file: str, output: str, jobs: int | None, cluster: str | None, retry: bool, as_json: bool) -> int:
    """Run the sweep described by FILE; results are Parquet files, added to DIR.

    A sweep that was stopped, killed or extended continues: only tasks without results are run. A failed task is kept as
    a row with its error, and the exit code is then 3.

    \b
    lastseen sweep sweep.toml -o results --jobs 4
    lastseen sweep sweep.toml -o results --cluster tcp://10.0.0.5:8786
    lastseen sweep sweep.toml -o results --cluster local
    """
    from ...checks import job_count
    from ...simulation.experiments.sweeps.cluster import LOCAL
    from ...simulation.experiments.sweeps.run import run_sweep
    from ...simulation.experiments.sweeps.sweep import read_sweep
    from .outputs import check_folder
    from .sweep_bar import SweepBar

    if cluster is not None and jobs is not None and cluster != LOCAL:
        raise click.UsageError(
            "--jobs applies to this machine only; leave it out with --cluster, whose workers set their number"
        )
    if cluster is not None and not cluster.strip():
        raise click.UsageError("--cluster is empty; give an address, such as tcp://host:8786, or `local`")
    folder = check_folder(output, "results")
    sweep = read_sweep(file)
    try:
        with SweepBar(quiet=as_json) as bar:
            outcome = run_sweep(
                sweep,
                folder,
                jobs=job_count(jobs, "--jobs"),
                cluster=cluster or "",
                retry=retry,
                progress=bar.progress,
            )
    except KeyboardInterrupt:
        click.echo(f"finished tasks are kept in {output}; run the same command to continue", err=True)
        raise
    if as_json:
        click.echo(json.dumps(_as_object(sweep, outcome, output), indent=2, allow_nan=False))
    else:
        click.echo(_as_words(sweep, outcome, output))
    return SOME_FAILED if outcome.failed else 0


def _as_object(sweep: Sweep, outcome: SweepOutcome, output: str) -> dict[str, Any]:
    return {
        "sweep": sweep.name,
        "evaluate": sweep.experiment.name,
        "output": output,
        "levels": list(sweep.plan.levels),
        "swept": list(sweep.swept),
        "tasks": outcome.tasks,
        "done_before": outcome.earlier,
        "done_now": outcome.done,
        "failed": outcome.failed,
        "errors": list(outcome.errors),
        "digest": outcome.digest,
        "seconds": round(outcome.seconds, 3),
    }


def _as_words(sweep: Sweep, outcome: SweepOutcome, output: str) -> str:
    from .sweep_words import counted

    levels = len(sweep.plan.levels)
    were = "was" if outcome.earlier == 1 else "were"
    before = f"; {outcome.earlier} {were} done before" if outcome.earlier else ""
    lines = [
        f"{sweep.name}: {counted(outcome.tasks, 'task')} of {sweep.experiment.name} on {counted(levels, 'level')}, "
        f"{outcome.done} done in {outcome.seconds:.1f} s{before}",
        f"  digest of the results: {outcome.digest}",
    ]
    if outcome.failed:
        lines.append(f"  {counted(outcome.failed, 'task')} failed:")
        lines += [f"    {error}" for error in outcome.errors[:_SHOWN]]
        more = len(outcome.errors) - _SHOWN
        lines += [f"    and {counted(more, 'other error')}; see column `error`"] * (more > 0)
    lines.append(f"wrote {output}; next: lastseen sweep report {output}")
    return "\n".join(lines)
