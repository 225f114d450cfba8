"""`lastseen evaluate …`: measure experiments on levels; their options are the parameters they declare.

The options of an experiment are read when its command is used, so that a list of commands imports nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..app.main import LazyGroup

if TYPE_CHECKING:
    from ....cells.layout import CellLayout
    from ....level.level import Level
    from ....simulation.experiments.harness.experiment import Experiment
    from ....simulation.experiments.harness.parameters import Parameter
    from ....simulation.experiments.harness.trials import Trials
    from ..app.console import Stages

    Baked = dict[str, tuple[CellLayout, Level | None]]


def _option(*names: str, metavar: str, about: str, **more: Any) -> click.Option:
    return click.Option(names, metavar=metavar, help=about, **more)


_COMMON = (
    _option("--seed", metavar="N", type=int, default=0, about="Random seed; the same seed gives the same result.  [0]"),
    _option("--jobs", metavar="N", type=int, about="Number of processes; does not change the result.  [all cores]"),
    _option("--csv", metavar="FILE", about="Write the numbers as CSV to FILE."),
    click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object instead of tables."),
)
_TRIALS = (
    _option("--report", metavar="DIR", about="Write report.md, results.json, a chart and pictures of episodes to DIR."),
)
_SEEDS = (_option("--seeds", metavar="N", type=int, default=1, about="Number of seeds, from --seed on.  [1]"),)


class EvaluateCommand(click.Command):
    """The command of one experiment.

    `options` names parameters that have options, with what they set if that has another name; None: all have.
    """

    def __init__(self, name: str, help: str, options: Mapping[str, str] | None = None, takes: str = "LEVEL…"):
        super().__init__(name, callback=self._evaluate, short_help=help.partition("\n")[0], help=help)
        self._options, self._takes = options, takes

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the options: those of all experiments, and one for each parameter of this one."""
        if not self.params:
            levels = click.Argument(["levels"], metavar=self._takes, nargs=-1, required=True)
            self.params = [levels, *(self._declared(*one) for one in self._parameters()), *self._shared()]
        return super().get_params(ctx)

    @property
    def _experiment(self) -> Experiment:
        from ....simulation.experiments.registry import EXPERIMENTS

        return EXPERIMENTS[str(self.name)]

    def _parameters(self) -> list[tuple[str, str, Parameter]]:
        """Return the option, the name and the declaration of each parameter that has an option."""
        known = self._experiment.parameters
        chosen = {name: name for name in known} if self._options is None else self._options
        return [(option, name, known[name]) for option, name in chosen.items()]

    def _shared(self) -> tuple[click.Option, ...]:
        return (*(_SEEDS if self._experiment.trials is None else _TRIALS), *_COMMON)

    def _declared(self, option: str, name: str, parameter: Parameter) -> click.Option:
        from ....simulation.experiments.harness.parameters import text_of_value

        usual = text_of_value(parameter.usual)
        words = f"{parameter.about[:1].upper()}{parameter.about[1:].rstrip('.')}." + (f"  [{usual}]" if usual else "")
        kind: dict[str, Any] = {"whole": int, "number": float, "yes": bool}
        choice = click.Choice(parameter.choices) if parameter.choices else kind.get(parameter.kind, str)
        metavar = (
            None if parameter.choices else {"whole": "N", "texts": "NAMES", "wholes": "NUMBERS"}.get(parameter.kind)
        )
        return click.Option([f"--{option.replace('_', '-')}", name], type=choice, metavar=metavar, help=words)

    def _evaluate(
        self, levels: tuple[str, ...], seed: int, jobs: int | None, csv: str | None, as_json: bool, **given: Any
    ) -> int:
        from ....checks import job_count
        from ..app.console import Stages
        from ..app.outputs import check_folder, check_output, echo_report
        from ..app.tables import csv_text, json_text, write_files

        report, seeds = given.pop("report", None), given.pop("seeds", 1)
        experiment, count = self._experiment, job_count(jobs, "--jobs")
        values = self._values(given)
        experiment.check(values)  # report unknown names before baking, not after
        folder = None if report is None else check_folder(report, "a report")
        file = None if csv is None else check_output(csv)
        written: tuple[Path, ...] = ()
        with Stages(quiet=as_json) as stages:
            if experiment.trials is not None:
                from ....simulation.experiments.harness.summary import as_object
                from ....simulation.experiments.harness.trials import evaluate
                from .evaluation_report import as_rows, as_text, write_report

                cases, baked = _cases(experiment.trials, levels, stages)
                asked = experiment.trials.asked(values) | {"seed": seed, "jobs": count, "progress": stages.progress}
                found = stages.run(experiment.trials.count, evaluate, experiment.trials, cases, **asked)
                content, text, rows, failed = as_object(found), as_text(found), as_rows(found), False
                if folder is not None:
                    written = stages.run("report", write_report, folder, found, baked)
            else:
                from ....simulation.experiments.harness.sweep_run import evaluate_rows
                from .sweep_results import as_text as summary_text

                drawn = _levels(levels, stages)
                asked = {"seeds": range(seed, seed + seeds), "jobs": count, "progress": stages.progress}
                summary, rows = stages.run(experiment.name, evaluate_rows, experiment, drawn, values, **asked)
                content, text, failed = summary.as_object(), summary_text(summary), bool(summary.failed)
        if file is not None:
            write_files(file.parent, {file.name: csv_text(rows)})
        click.echo(json_text(content) if as_json else text)
        if not as_json:
            echo_report(written, report)
        return 3 * failed

    def _values(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return the value of every parameter: its default, or what was given."""
        values: dict[str, Any] = {name: one.usual for name, one in self._experiment.parameters.items()}
        for option, name, parameter in self._parameters():
            if given[name] is not None:
                values[name] = _value(parameter, f"--{option.replace('_', '-')}", given[name])
        return values


def _value(parameter: Parameter, option: str, given: Any) -> Any:
    """Return what was given for a parameter; lists are comma-separated, points of a path separated by spaces."""
    from ....errors import InputError
    from ..app.inputs import names_in

    if parameter.kind == "texts":
        usual: Any = parameter.usual
        return names_in(given, usual)
    convert = int if parameter.kind == "wholes" else float
    try:
        if parameter.kind in ("wholes", "numbers", "place"):
            given = [convert(word) for word in given.split(",") if word.strip()]
        elif parameter.kind == "path" and not Path(given).exists():
            given = [[float(word) for word in point.split(",")] for point in given.split()]
    except ValueError:
        kind = "whole numbers, such as 1,2,4" if convert is int else "numbers, such as 1.5,2"
        raise InputError(f"{option} is {given!r}; give comma-separated {kind}") from None
    return parameter.value(given, option)


def _levels(given: Sequence[str], stages: Stages) -> dict[str, Level]:
    from ..app.inputs import read_source, require_names

    return {name: stages.run("read", read_source, one) for name, one in require_names(given, "levels").items()}


def _cases(trials: Trials, given: Sequence[str], stages: Stages) -> tuple[dict[str, Any], Baked]:
    """Return the cases of trials by name, and the cells and level of each."""
    from ....errors import InputError
    from ....simulation.world.setup import layout_of_setting
    from ..app.inputs import load_or_bake, require_level_or_scenario, require_names
    from ..run.run import is_scenario, load_setting

    cases: dict[str, Any] = {}
    baked: Baked = {}
    for name, one in require_names(given, f"{trials.case}s").items():
        if trials.scenario_of is not None:
            require_level_or_scenario(one)
        if trials.scenario_of is not None and is_scenario(one):
            setting = stages.run("read", load_setting, one)
            layout = stages.run("bake", layout_of_setting, setting)
            folder = str(Path(one).parent) if Path(one).exists() else "."
            cases[name], level = trials.scenario_of(setting.scenario, folder, layout), setting.level
        else:
            loaded = load_or_bake(one, "auto", "auto", None, None, stages)
            layout, level = loaded.layout, loaded.level
            if level is None and trials.needs_level:
                raise InputError(f"the cell file {name!r} does not hold its level; give the level itself")
            cases[name] = trials.case_of(level, layout)
        baked[name] = layout, level
    return cases, baked


_SHIPPED = {
    "chase": EvaluateCommand(
        "chase",
        """Measure how often each predictor finds a lost target again.

    Runs seeded pursuits in each LEVEL (level files, samples or baked cell files). A guard sees a runner, pursues it and
    loses it; the predictor names one place; the guard runs there and looks around. All predictors face the same losses.
    Intervals are 95 % confidence intervals.

    \b
    Examples:
      lastseen evaluate chase warehouse rooms --episodes 100
      lastseen evaluate chase *.map --predictors "belief,belief:lead=1,article" --report report
      lastseen evaluate chase warehouse --powers none,blink,decoy
    """,
        {name: name for name in ("episodes", "predictors", "powers")},
    ),
    "search": EvaluateCommand(
        "search",
        """Measure how soon each search strategy finds a lost target.

    Runs seeded searches in each LEVEL (level files, samples, or cell files that hold their level). A target was seen
    and is gone; searchers look for it in a full simulation until one sees it, finds it in a hiding place, or time runs
    out. All contenders face the same starting positions. Intervals are 95 % confidence intervals.

    \b
    Examples:
      lastseen evaluate search warehouse rooms --episodes 30
      lastseen evaluate search warehouse --contenders "influence,influence:speed=2" --evaders hider --report report
    """,
        {name: name for name in ("episodes", "contenders", "evaders", "searchers", "seconds")},
    ),
    "crews": EvaluateCommand(
        "crews",
        """Measure what changes when agents act as crews.

    Runs the same starting positions with crews off and on. On a LEVEL, trials alternate between fights, hunts, and
    sweeps for a target that has escaped; in a SCENARIO (a file, or one that comes with lastseen) every agent starts up
    to a metre from its place each time. Intervals are 95 % confidence intervals of paired differences.

    \b
    Examples:
      lastseen evaluate crews hall warehouse --episodes 24
      lastseen evaluate crews brawl --report report
    """,
        {"episodes": "episodes", "seconds": "seconds", "guards": "sizes"},
        "LEVEL|SCENARIO…",
    ),
    "believability": EvaluateCommand(
        "believability",
        """Count what breaks the illusion when guards hunt.

    On a LEVEL, encounters alternate between captures, fights, hunts and gunshots; in a SCENARIO every agent starts up
    to a metre from its place each time. Encounters go on after the target is caught. Counted are hunting after the end,
    losses that were none, changes of roles, repeated alarms, news that arrives too fast, barks at once, and more.
    Variants are changed settings, or results of an earlier version, which --json wrote; differences are paired.

    \b
    Examples:
      lastseen evaluate believability hall brawl --variants sighting_hold=0
      lastseen evaluate believability house --json > before.json
      lastseen evaluate believability house --variants before.json --report report
    """,
        {"episodes": "episodes", "seconds": "seconds", "guards": "sizes", "variants": "variants"},
        "LEVEL|SCENARIO…",
    ),
    "opponents": EvaluateCommand(
        "opponents",
        """Measure how long intruders keep away from guards that see them.

    Every chase is run with every brain: shipped ones such as ghost, outrunner and deceiver, or tree files. Counted are
    captures, those in which the intruder ran towards its catcher, escapes, and the time in view of a guard.

    \b
    Examples:
      lastseen evaluate opponents warehouse house
      lastseen evaluate opponents hall --brains ghost,hider --guards 2,4
    """,
        {"episodes": "episodes", "seconds": "seconds", "guards": "sizes", "brains": "brains"},
    ),
    "placement": EvaluateCommand(
        "placement",
        """Measure what placed guards see, and whether players get through.

    \b
    Examples:
      lastseen evaluate placement hall --path "2.5,1.5 29.5,1.5" --guards 3 --seeds 10
    """,
    ),
    "verification": EvaluateCommand(
        "verification",
        """Measure whether a player can still sneak through a level.

    \b
    Examples:
      lastseen evaluate verification hall --start 2.5,16.5 --goal 29.5,2.5 --runs 20
    """,
    ),
}


class _Evaluations(LazyGroup):
    """A group with a command for every registered experiment."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all experiments, those of lastseen first."""
        return list(self._known())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command of an experiment."""
        return self._known().get(cmd_name)

    def _known(self) -> dict[str, EvaluateCommand]:
        from ....simulation.experiments.registry import EXPERIMENTS

        others = [name for name in EXPERIMENTS if name not in _SHIPPED]
        return _SHIPPED | {name: EvaluateCommand(name, f"Run the experiment {name}.") for name in others}


command = _Evaluations(
    name="evaluate",
    short_help="Measure predictors, searches, crews and guard placements.",
    homes={},
    help="Measure how well guards predict, search, cooperate and guard, in simulated trials.",
)
