"""`lastseen guards experiment figure4|figure5 LEVEL`: repeat the source's experiments and test its findings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..app.main import INTERRUPTED
from .guards_commands import placing_options

if TYPE_CHECKING:
    from ....simulation.experiments.placement.figure_experiments import Condition, ExperimentTable
    from ..app.console import TimeLeft
    from .place_request import GuardRequest

_VARIABLES = {"figure4": "path cost", "figure5": "guards"}


@click.command("experiment", short_help="Repeat the source's experiments and test its findings.")
@click.argument("figure", type=click.Choice(list(_VARIABLES)))
@click.argument("level", metavar="LEVEL")
@click.option("--guards", type=int, default=3, metavar="N", help="Number of guards in figure4.  [3]")
@click.option("--values", metavar="NUMBERS", help="Comma-separated path costs or numbers of guards.")
@click.option("--placements", type=int, default=12, metavar="N", help="Placements under each condition.  [12]")
@click.option("--runs", type=int, default=20, metavar="N", help="Runs of the solver in each placement.  [20]")
@click.option("--trees", type=int, metavar="N", help="Trees each run tries in turn.  [24]")
@click.option("--nodes", type=int, metavar="N", help="Samples drawn for each tree.  [500]")
@click.option(
    "--seconds", type=float, metavar="S", help="Time limit for players.  [60, or 4 times the path's duration]"
)
@click.option(
    "--close", type=float, metavar="M", help="Solutions within this distance of the path count as close.  [3]"
)
@click.option("--jobs", type=int, metavar="N", help="Number of threads; does not change the result.  [all cores]")
@click.option("--report", metavar="DIR", help="Write report.md, results.json and a chart to DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@placing_options
def command(figure: str, level: str, report: str | None, as_json: bool, level_kind: str, up: str, **given: Any) -> None:
    """Place guards on LEVEL repeatedly, as Miloslavov does, and run the solver in each placement.

    figure4 raises the cost of the intended path, figure5 the number of guards; everything else stays the same,
    including packings and random numbers. Ctrl-C stops it and keeps the finished placements.

    \b
    lastseen guards experiment figure4 corridor.json --path way.geojson --view 6 --angle 66 --report figure4
    lastseen guards experiment figure5 docks.json --values 1,2,4,8 --placements 20 --report figure5
    """
    from ..app.console import Stages
    from ..app.outputs import check_folder

    folder = None if report is None else check_folder(report, "a report")
    from .place_request import read_request

    with Stages(quiet=as_json) as stages:
        asked = {**given, "checked": True, "guards": given["guards"]}
        request: GuardRequest = stages.run("read", read_request, level, level_kind, up, asked)
        conditions = _conditions(figure, request, given["values"])
        stages.prepare("placement")
        from ....simulation.experiments.placement.findings import figure_4_findings, figure_5_findings
        from ..app import console
        from ..app.level_source import source_name

        table: ExperimentTable = stages.run(
            "experiment", _run, figure, request, conditions, given, console.TimeLeft(stages.progress)
        )
        findings = (figure_4_findings if figure == "figure4" else figure_5_findings)(table)
        title = request.level.name or source_name(level)
        written: tuple[Path, ...] = ()
        if folder is not None:
            from .experiment_report import write_experiment_report

            written = stages.run("report", write_experiment_report, folder, table, findings, title, figure)
    from .experiment_report import as_object, as_words

    if as_json:
        click.echo(json.dumps(as_object(table, findings, title), indent=2, allow_nan=False))
    else:
        click.echo(as_words(table, findings, title))
        if written:
            click.echo(f"wrote {len(written)} files to {report}; start with {Path(str(report)) / 'report.md'}")
    if table.stopped:
        click.get_current_context().exit(INTERRUPTED)


def _run(
    figure: str, request: GuardRequest, conditions: tuple[Condition, ...], given: dict[str, Any], progress: TimeLeft
) -> ExperimentTable:
    from ....checks import job_count
    from ....simulation.experiments.placement.figure_experiments import run_experiment
    from .improve_request import solver_settings

    return run_experiment(
        request.level,
        request.path,
        _VARIABLES[figure],
        conditions,
        kinds=request.kinds,
        settings=solver_settings(request, given),
        placements=given["placements"],
        width=request.within,
        seed=request.seed,
        jobs=job_count(given["jobs"], "--jobs"),
        progress=progress,
    )


def _conditions(figure: str, request: GuardRequest, values: str | None) -> tuple[Condition, ...]:
    from ....simulation.experiments.placement import figure_experiments as experiments

    if figure == "figure4":
        costs = experiments.PATH_COSTS if values is None else tuple(_numbers(values))
        return experiments.path_costs(costs, guards=request.guards, settings=request.settings)
    counts = experiments.GUARD_COUNTS if values is None else tuple(_whole(number) for number in _numbers(values))
    return experiments.guard_counts(counts, settings=request.settings)


def _numbers(words: str) -> list[float]:
    from ....errors import InputError

    try:
        return [float(word) for word in words.split(",") if word.strip()]
    except ValueError:
        raise InputError(f"--values is {words!r}; give comma-separated numbers, such as 0,0.5,2") from None


def _whole(number: float) -> int:
    from ....errors import InputError

    if number != int(number):
        raise InputError(f"--values has {number:g} guards; give whole numbers")
    return int(number)
