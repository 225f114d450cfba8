"""`lastseen evaluate chase LEVEL…`: measure how often each predictor finds a lost target again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ...level.level import Level
    from .baking import BakeSettings

__all__ = ["command"]


@click.command("chase", short_help="Measure how often each predictor finds a lost target again.")
@click.argument("levels", metavar="LEVEL…", nargs=-1, required=True)
@click.option("--episodes", type=int, default=200, metavar="N", help="First losses per level.  [200]")
@click.option("--seed", type=int, default=0, metavar="N", help="Random seed; the same seed gives the same result.  [0]")
@click.option("--predictors", metavar="NAMES", help="Comma-separated; presets take changes, such as belief:lead=1.")
@click.option("--jobs", type=int, metavar="N", help="Number of processes; does not change the result.  [all cores]")
@click.option("--report", metavar="DIR", help="Write report.md, results.json, a chart and pictures of episodes to DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def command(
    levels: tuple[str, ...],
    episodes: int,
    seed: int,
    predictors: str | None,
    jobs: int | None,
    report: str | None,
    as_json: bool,
) -> None:
    """Run seeded pursuits in each LEVEL (level files, samples or baked cell files) and measure predictors.

    A guard sees a runner, pursues it and loses it; the predictor names one place; the guard runs there and looks
    around. All predictors face the same losses. Intervals are 95 % confidence intervals.

    \b
    lastseen evaluate chase warehouse rooms --episodes 100
    lastseen evaluate chase *.map --predictors "belief,belief:lead=1,article" --report report
    """
    from ...checks import job_count
    from ...simulation.experiments.chase.evaluation import evaluate_chase
    from ...simulation.experiments.chase.predictors import DEFAULT, contenders
    from .console import Stages
    from .evaluation_inputs import bake_all, names_in, report_folder
    from .evaluation_words import as_object, as_words

    names = names_in(predictors, DEFAULT)
    contenders(names)  # report unknown names before baking, not after
    folder = None if report is None else report_folder(report)
    with Stages(quiet=as_json) as stages:
        baked = bake_all(levels, stages, _as_drawn)
        evaluation = stages.run(
            "pursuits",
            evaluate_chase,
            {name: layout for name, (layout, _) in baked.items()},
            predictors=names,
            episodes=episodes,
            seed=seed,
            jobs=job_count(jobs, "--jobs"),
            progress=stages.progress,
        )
        if folder is not None:
            from .evaluation_report import write_report

            written = stages.run("report", write_report, folder, evaluation, baked)
    click.echo(json.dumps(as_object(evaluation), indent=2, allow_nan=False) if as_json else as_words(evaluation))
    if folder is not None and not as_json:
        click.echo(f"wrote {len(written)} files to {report}; start with {Path(str(report)) / 'report.md'}")


def _as_drawn(level: Level) -> BakeSettings:
    from .baking import BakeSettings

    return BakeSettings().settled(level)
