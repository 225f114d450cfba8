"""`lastseen evaluate …`: measure how well guards predict, search and act together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..app.main import LazyGroup

if TYPE_CHECKING:
    from ....cells.layout import CellLayout
    from ....level.level import Level
    from ....simulation.experiments.crews.beginnings import Source
    from ..app.console import Stages

__all__ = ["chase_command", "command", "crews_command", "require_level", "search_command"]


@click.command("chase", short_help="Measure how often each predictor finds a lost target again.")
@click.argument("levels", metavar="LEVEL…", nargs=-1, required=True)
@click.option("--episodes", type=int, default=200, metavar="N", help="First losses per level.  [200]")
@click.option("--seed", type=int, default=0, metavar="N", help="Random seed; the same seed gives the same result.  [0]")
@click.option("--predictors", metavar="NAMES", help="Comma-separated; presets take changes, such as belief:lead=1.")
@click.option("--jobs", type=int, metavar="N", help="Number of processes; does not change the result.  [all cores]")
@click.option("--report", metavar="DIR", help="Write report.md, results.json, a chart and pictures of episodes to DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def chase_command(
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
    from ....checks import job_count
    from ....simulation.experiments.chase.evaluation import evaluate_chase
    from ....simulation.experiments.chase.predictors import DEFAULT, contenders
    from ..app.console import Stages
    from ..app.level_inputs import bake_all, names_in, report_folder
    from .chase_report import as_object, as_words

    names = names_in(predictors, DEFAULT)
    contenders(names)  # report unknown names before baking, not after
    folder = None if report is None else report_folder(report)
    with Stages(quiet=as_json) as stages:
        baked = bake_all(levels, stages)
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
            from .chase_report import write_report

            written = stages.run("report", write_report, folder, evaluation, baked)
    click.echo(json.dumps(as_object(evaluation), indent=2, allow_nan=False) if as_json else as_words(evaluation))
    if folder is not None and not as_json:
        click.echo(f"wrote {len(written)} files to {report}; start with {Path(str(report)) / 'report.md'}")


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
def search_command(
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
    from ....checks import job_count
    from ....simulation.experiments.search import contenders as known
    from ....simulation.experiments.search.beginnings import MODELS
    from ....simulation.experiments.search.evaluation import evader_numbers, evaluate_search, searcher_counts
    from ....simulation.experiments.search.settings import TrialSettings
    from ..app.console import Stages
    from ..app.level_inputs import bake_all, names_in, report_folder
    from .search_report import as_object, as_words

    # Report unknown names before baking, not after.
    names, models = names_in(contenders, known.DEFAULT), names_in(evaders, MODELS)
    known.contenders(names)
    evader_numbers(models)
    counts = searcher_counts(_searcher_counts(searchers))
    settings = TrialSettings(seconds=seconds)
    folder = None if report is None else report_folder(report)
    with Stages(quiet=as_json) as stages:
        baked = bake_all(levels, stages)
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
            from .search_report import write_search_report

            written = stages.run("report", write_search_report, folder, evaluation, baked)
    click.echo(json.dumps(as_object(evaluation), indent=2, allow_nan=False) if as_json else as_words(evaluation))
    if folder is not None and not as_json:
        click.echo(f"wrote {len(written)} files to {report}; start with {Path(str(report)) / 'report.md'}")


def require_level(name: str, level: Level | None) -> Level:
    """Return the level a cell file was baked from, or raise if the file does not hold it."""
    from ....errors import InputError

    if level is None:
        raise InputError(f"the cell file {name!r} does not hold its level; give the level itself")
    return level


def _searcher_counts(words: str) -> tuple[int, ...]:
    from ....errors import InputError

    try:
        return tuple(int(word) for word in words.split(",") if word.strip())
    except ValueError:
        raise InputError(f"--searchers is {words!r}; give comma-separated whole numbers, such as 1,2,4") from None


@click.command("crews", short_help="Measure what changes when agents act as crews.")
@click.argument("given", metavar="LEVEL|SCENARIO…", nargs=-1, required=True)
@click.option("--episodes", type=int, default=40, metavar="N", help="Starting positions per level or scenario.  [40]")
@click.option("--seed", type=int, default=0, metavar="N", help="Random seed; the same seed gives the same result.  [0]")
@click.option("--seconds", type=float, default=40.0, metavar="S", help="Maximum length of a trial.  [40]")
@click.option("--guards", metavar="NUMBERS", default="1,3,5,8", help="Numbers of guards to try on levels.  [1,3,5,8]")
@click.option("--jobs", type=int, metavar="N", help="Number of processes; does not change the result.  [all cores]")
@click.option("--report", metavar="DIR", help="Write report.md, results.json, a chart and pictures of trials to DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def crews_command(
    given: tuple[str, ...],
    episodes: int,
    seed: int,
    seconds: float,
    guards: str,
    jobs: int | None,
    report: str | None,
    as_json: bool,
) -> None:
    """Run the same starting positions with crews off and on, and compare the results.

    On a LEVEL, trials alternate between fights, hunts, and sweeps for a target that has escaped; in a SCENARIO (a file,
    or one that comes with lastseen) every agent starts up to a metre from its place each time. Intervals are 95 %
    confidence intervals of paired differences.

    \b
    lastseen evaluate crews hall warehouse --episodes 24
    lastseen evaluate crews brawl --report report
    """
    from ....checks import job_count
    from ....simulation.experiments.crews.evaluation import evaluate_crews
    from ....simulation.experiments.crews.settings import CrewTrialSettings
    from ..app.console import Stages
    from ..app.level_inputs import report_folder
    from .crew_report import as_object, as_words

    settings = CrewTrialSettings(seconds=seconds, sizes=_crew_sizes(guards))
    folder = None if report is None else report_folder(report)
    with Stages(quiet=as_json) as stages:
        sources, levels = _sources(given, stages)
        evaluation = stages.run(
            "trials",
            evaluate_crews,
            sources,
            episodes=episodes,
            seed=seed,
            jobs=job_count(jobs, "--jobs"),
            settings=settings,
            progress=stages.progress,
        )
        if folder is not None:
            from .crew_report import write_crew_report

            written = stages.run("report", write_crew_report, folder, evaluation, levels)
    click.echo(json.dumps(as_object(evaluation), indent=2, allow_nan=False) if as_json else as_words(evaluation))
    if folder is not None and not as_json:
        click.echo(f"wrote {len(written)} files to {report}; start with {Path(str(report)) / 'report.md'}")


def _sources(
    given: tuple[str, ...], stages: Stages
) -> tuple[dict[str, Source], dict[str, tuple[CellLayout, Level | None]]]:
    """Return levels and scenarios by name, and the cells and level of each."""
    from ....errors import InputError
    from ....simulation.experiments.crews.beginnings import Drawn, Given
    from ....simulation.world.setup import layout_of_setting
    from ..app.level_inputs import bake_all
    from ..app.level_source import source_name
    from ..run.run import is_scenario, load_setting

    sources: dict[str, Source] = {}
    levels: dict[str, tuple[CellLayout, Level | None]] = {}
    for one in given:
        name = source_name(one)
        if name in sources:
            raise InputError(f"two inputs are called {name!r}; give each level or scenario a name of its own")
        if is_scenario(one):
            setting = stages.run("read", load_setting, one)
            layout = stages.run("bake", layout_of_setting, setting)
            folder = str(Path(one).parent) if Path(one).exists() else "."
            sources[name], levels[name] = Given(setting.scenario, folder, layout), (layout, setting.level)
        else:
            layout, level = bake_all((one,), stages)[name]
            sources[name], levels[name] = Drawn(require_level(name, level), layout), (layout, level)
    return sources, levels


def _crew_sizes(words: str) -> tuple[int, ...]:
    from ....errors import InputError

    try:
        return tuple(int(word) for word in words.split(",") if word.strip())
    except ValueError:
        raise InputError(f"--guards is {words!r}; give comma-separated whole numbers, such as 3,5") from None


command = LazyGroup(
    name="evaluate",
    homes={
        "chase": "experiments.evaluate_commands:chase_command",
        "crews": "experiments.evaluate_commands:crews_command",
        "search": "experiments.evaluate_commands:search_command",
    },
    help="Measure how well guards predict, search and cooperate in simulated trials.",
)
