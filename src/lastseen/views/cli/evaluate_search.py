"""`lastseen evaluate search LEVEL…`: measure how soon each search strategy finds a lost target."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ...level.level import Level
    from .baking import BakeSettings

__all__ = ["command", "for_bodies", "require_level"]


@click.command("search", short_help="Measure how soon each search strategy finds a lost target.")
@click.argument("levels", metavar="LEVEL…", nargs=-1, required=True)
@click.option("--episodes", type=int, default=60, metavar="N", help="Searches per level and strategy.  [60]")
@click.option("--seed", type=int, default=0, metavar="N", help="Random seed; the same seed gives the same result.  [0]")
@click.option("--contenders", metavar="NAMES", help="Comma-separated; presets take changes, such as influence:speed=2.")
@click.option(
    "--evaders", metavar="NAMES", help="Comma-separated: hider, stayer, sight breaker, roamer, sneaker.  [all]"
)
@click.option("--searchers", metavar="NUMBERS", default="1,2,4", help="Numbers of searchers to try.  [1,2,4]")
@click.option("--seconds", type=float, default=60.0, metavar="S", help="Length of a search.  [60]")
@click.option("--jobs", type=int, metavar="N", help="Number of processes; does not change the result.  [all cores]")
@click.option("--report", metavar="DIR", help="Write report.md, results.json, a chart and pictures of searches to DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def command(
    levels: tuple[str, ...],
    episodes: int,
    seed: int,
    contenders: str | None,
    evaders: str | None,
    searchers: str,
    seconds: float,
    jobs: int | None,
    report: str | None,
    as_json: bool,
) -> None:
    """Run seeded searches in each LEVEL (level files, samples, or cell files that hold their level) and measure them.

    A target was seen and is gone; searchers look for it in a full simulation until one sees it, finds it in a hiding
    place, or time runs out. All contenders face the same starting positions. Intervals are 95 % confidence intervals.

    \b
    lastseen evaluate search warehouse rooms --episodes 30
    lastseen evaluate search warehouse --contenders "influence,influence:speed=2" --evaders hider --report report
    """
    from ...checks import job_count
    from ...simulation.experiments.search import contenders as known
    from ...simulation.experiments.search.beginnings import MODELS
    from ...simulation.experiments.search.evaluation import evader_numbers, evaluate_search, searcher_counts
    from ...simulation.experiments.search.settings import TrialSettings
    from .console import Stages
    from .evaluate_search_words import as_object, as_words
    from .evaluation_inputs import bake_all, names_in, report_folder

    # Report unknown names before baking, not after.
    names, models = names_in(contenders, known.DEFAULT), names_in(evaders, MODELS)
    known.contenders(names)
    evader_numbers(models)
    counts = searcher_counts(_numbers(searchers))
    settings = TrialSettings(seconds=seconds)
    folder = None if report is None else report_folder(report)
    with Stages(quiet=as_json) as stages:
        baked = bake_all(levels, stages, for_bodies)
        evaluation = stages.run(
            "searches",
            evaluate_search,
            {name: (require_level(name, level), layout) for name, (layout, level) in baked.items()},
            contenders=names,
            evaders=models,
            searchers=counts,
            episodes=episodes,
            seed=seed,
            jobs=job_count(jobs, "--jobs"),
            settings=settings,
            progress=stages.progress,
        )
        if folder is not None:
            from .evaluate_search_report import write_search_report

            written = stages.run("report", write_search_report, folder, evaluation, baked)
    click.echo(json.dumps(as_object(evaluation), indent=2, allow_nan=False) if as_json else as_words(evaluation))
    if folder is not None and not as_json:
        click.echo(f"wrote {len(written)} files to {report}; start with {Path(str(report)) / 'report.md'}")


def for_bodies(level: Level) -> BakeSettings:
    """Return bake settings for bodies that keep their distance from walls; a ready-made navmesh already does."""
    from ...level.level import ConvexFaces
    from ...simulation.experiments.search.settings import TrialSettings
    from .baking import BakeSettings

    usual = TrialSettings()
    radius = None if isinstance(level.surface, ConvexFaces) else usual.radius
    return BakeSettings(cell=usual.cell, radius=radius).settled(level)


def require_level(name: str, level: Level | None) -> Level:
    """Return the level a cell file was baked from, or raise if the file does not hold it."""
    from ...errors import InputError

    if level is None:
        raise InputError(f"the cell file {name!r} does not hold its level; give the level itself")
    return level


def _numbers(words: str) -> tuple[int, ...]:
    from ...errors import InputError

    try:
        return tuple(int(word) for word in words.split(",") if word.strip())
    except ValueError:
        raise InputError(f"--searchers is {words!r}; give comma-separated whole numbers, such as 1,2,4") from None
