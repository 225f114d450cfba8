"""`lastseen sweep …`: run an evaluation over many parameters, levels and seeds, and report its results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....errors import did_you_mean
from ..app.main import LazyGroup
from ..app.options import count, json_option, leaves_option, output_option, predictor_option

if TYPE_CHECKING:
    from ....simulation.experiments.harness.sweep import Sweep
    from ....simulation.experiments.harness.sweep_run import SweepOutcome

SOME_FAILED = 3
"""Exit code of a sweep that ran, but had failed tasks."""
_SHOWN = 5


@click.command("run", short_help="Run a sweep file: lastseen sweep FILE -o DIR.")
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", metavar="DIR", required=True, help="Folder for the results; may already hold some.")
@count("--jobs", about="Number of processes; does not change results.  [all cores]")
@click.option("--cluster", metavar="ADDRESS", help="dask.distributed scheduler, such as tcp://host:8786, or `local`.")
@click.option("--retry", is_flag=True, help="Retry tasks that failed before.")
@leaves_option
@predictor_option
@json_option
def run_command(file: str, output: str, jobs: int | None, cluster: str | None, retry: bool, as_json: bool) -> int:
    """Run the sweep described by FILE; results are Parquet files, added to DIR.

    A sweep that was stopped, killed or extended continues: only tasks without results are run. A failed task is kept as
    a row with its error, and the exit code is then 3.

    \b
    Examples:
      lastseen sweep sweep.toml -o results --jobs 4
      lastseen sweep sweep.toml -o results --cluster tcp://10.0.0.5:8786
      lastseen sweep sweep.toml -o results --cluster local
    """
    from ....checks import job_count
    from ....simulation.experiments.harness.cluster import LOCAL
    from ....simulation.experiments.harness.sweep import read_sweep
    from ....simulation.experiments.harness.sweep_run import run_sweep
    from ..app.console import Stages, TimeLeft
    from ..app.outputs import check_folder
    from ..app.tables import json_text

    if cluster is not None and jobs is not None and cluster != LOCAL:
        raise click.UsageError(
            "--jobs applies to this machine only; leave it out with --cluster, whose workers set their number"
        )
    if cluster is not None and not cluster.strip():
        raise click.UsageError("--cluster is empty; give an address, such as tcp://host:8786, or `local`")
    folder = check_folder(output, "results")
    sweep = read_sweep(file)
    try:
        with Stages(quiet=as_json) as stages:
            outcome = stages.run(
                "sweep",
                run_sweep,
                sweep,
                folder,
                jobs=job_count(jobs, "--jobs"),
                cluster=cluster or "",
                retry=retry,
                progress=TimeLeft(stages.progress),
            )
    except KeyboardInterrupt:
        click.echo(f"finished tasks are kept in {output}; run the same command to continue", err=True)
        raise
    click.echo(json_text(_as_object(sweep, outcome, output)) if as_json else _as_text(sweep, outcome, output))
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


def _as_text(sweep: Sweep, outcome: SweepOutcome, output: str) -> str:
    from ..app.tables import counted

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


@click.command("report", short_help="Write tables and charts of a sweep's results.")
@click.argument("results", metavar="DIR")
@click.option("-o", "--output", metavar="DIR", help="Folder for the report.  [DIR-report]")
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON; write a report only with -o.")
def report_command(results: str, output: str | None, as_json: bool) -> None:
    """Draw each measure over each swept parameter, with 95 % intervals, from the results in DIR.

    Writes a standalone report.html, the same as report.md with pictures, and results.json. Unfinished sweeps can be
    reported too.

    \b
    Examples:
      lastseen sweep report results
      lastseen sweep report results -o report --json
    """
    from ....simulation.experiments.harness.sweep_summary import summarise_sweep
    from ..app.outputs import check_folder, echo_report
    from ..app.tables import json_text
    from .sweep_results import as_text, write_report

    summary = summarise_sweep(results)
    written: tuple[Path, ...] = ()
    folder = Path(f"{Path(results)}-report" if output is None else output)
    if output is not None or not as_json:
        written = write_report(check_folder(str(folder), "a report"), summary)
    if as_json:
        click.echo(json_text(summary.as_object()))
        return
    click.echo(as_text(summary))
    echo_report(written, str(folder), "report.html")


@click.command("schema", short_help="Print the JSON Schema of sweep files.")
@output_option("File to write; printed if not given.", required=False)
def schema_command(output: str | None) -> None:
    """Print the JSON Schema of sweep files: every parameter of every evaluation, with its default.

    An editor that uses the schema completes names and marks faults as you type. In TOML, refer to it on the first line:
    "#:schema sweep.schema.json".

    \b
    Examples:
      lastseen sweep schema -o sweep.schema.json
    """
    from ....simulation.experiments.harness.design import sweep_schema
    from ..app.outputs import write_or_print
    from ..app.tables import json_text

    write_or_print(json_text(sweep_schema()), output)


class _Sweeps(LazyGroup):
    """A group with a default command: `lastseen sweep FILE` runs the file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the default command if none is named."""
        first = args[0] if args else "--help"
        if first in self.homes or first in ctx.help_option_names:
            return super().parse_args(ctx, args)
        if not first.startswith("-") and not Path(first).suffix and not Path(first).exists():
            hint = did_you_mean(first, self.homes)
            ctx.fail(f"{first!r} is neither a sweep file nor one of {', '.join(self.homes)}{hint}")
        return super().parse_args(ctx, ["run", *args])


command = _Sweeps(
    name="sweep",
    short_help="Run evaluations over many parameters, levels and seeds.",
    homes={
        "run": "experiments.sweep_commands:run_command",
        "report": "experiments.sweep_commands:report_command",
        "schema": "experiments.sweep_commands:schema_command",
    },
    help="""Run an evaluation over many parameters, levels and seeds, as a sweep file describes.

    \b
    Examples:
      lastseen sweep sweep.toml -o results         run it on all cores of this machine
      lastseen sweep sweep.toml -o results         run it again: only what is missing
      lastseen sweep report results                tables and charts
      lastseen sweep schema -o sweep.schema.json   a schema for editors
""",
)
