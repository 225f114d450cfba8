"""`lastseen evaluate crews LEVEL|SCENARIO…`: measure what crews change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ...cells.layout import CellLayout
    from ...level.level import Level
    from ...simulation.experiments.crews.beginnings import Source
    from .console import Stages

__all__ = ["command"]


@click.command("crews", short_help="Measure what changes when agents act as crews.")
@click.argument("given", metavar="LEVEL|SCENARIO…", nargs=-1, required=True)
@click.option("--episodes", type=int, default=40, metavar="N", help="Starting positions per level or scenario.  [40]")
@click.option("--seed", type=int, default=0, metavar="N", help="Random seed; the same seed gives the same result.  [0]")
@click.option("--seconds", type=float, default=40.0, metavar="S", help="Maximum length of a trial.  [40]")
@click.option("--guards", metavar="NUMBERS", default="1,3,5,8", help="Numbers of guards to try on levels.  [1,3,5,8]")
@click.option("--jobs", type=int, metavar="N", help="Number of processes; does not change the result.  [all cores]")
@click.option("--report", metavar="DIR", help="Write report.md, results.json, a chart and pictures of trials to DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def command(
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
    from ...checks import job_count
    from ...simulation.experiments.crews.evaluation import evaluate_crews
    from ...simulation.experiments.crews.settings import CrewTrialSettings
    from .console import Stages
    from .evaluate_crews_words import as_object, as_words
    from .evaluation_inputs import report_folder

    settings = CrewTrialSettings(seconds=seconds, sizes=_numbers(guards))
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
            from .evaluate_crews_report import write_crew_report

            written = stages.run("report", write_crew_report, folder, evaluation, levels)
    click.echo(json.dumps(as_object(evaluation), indent=2, allow_nan=False) if as_json else as_words(evaluation))
    if folder is not None and not as_json:
        click.echo(f"wrote {len(written)} files to {report}; start with {Path(str(report)) / 'report.md'}")


def _sources(
    given: tuple[str, ...], stages: Stages
) -> tuple[dict[str, Source], dict[str, tuple[CellLayout, Level | None]]]:
    """Return levels and scenarios by name, and the cells and level of each."""
    from ...errors import InputError
    from ...simulation.experiments.crews.beginnings import Drawn, Given
    from .evaluate_search import for_bodies, require_level
    from .evaluation_inputs import bake_all
    from .run import is_scenario, load_setting
    from .source import source_name

    sources: dict[str, Source] = {}
    levels: dict[str, tuple[CellLayout, Level | None]] = {}
    for one in given:
        name = source_name(one)
        if name in sources:
            raise InputError(f"two inputs are called {name!r}; give each level or scenario a name of its own")
        if is_scenario(one):
            setting = stages.run("read", load_setting, one)
            layout = stages.run("bake", _layout, setting.level, setting.scenario.radius, setting.scenario.cell)
            folder = str(Path(one).parent) if Path(one).exists() else "."
            sources[name], levels[name] = Given(setting.scenario, folder, layout), (layout, setting.level)
        else:
            layout, level = bake_all((one,), stages, for_bodies)[name]
            sources[name], levels[name] = Drawn(require_level(name, level), layout), (layout, level)
    return sources, levels


def _layout(level: Level, radius: float, cell: float) -> CellLayout:
    from ...cells.build import build_layout
    from ...navmesh.agent import Agent
    from ...navmesh.build import build_navmesh

    return build_layout(build_navmesh(level, Agent(radius=radius)), cell=cell)


def _numbers(words: str) -> tuple[int, ...]:
    from ...errors import InputError

    try:
        return tuple(int(word) for word in words.split(",") if word.strip())
    except ValueError:
        raise InputError(f"--guards is {words!r}; give comma-separated whole numbers, such as 3,5") from None
