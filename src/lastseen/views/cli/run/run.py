"""`lastseen run SCENARIO -o run.rec`: run a scenario and record it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..app.options import count, file, json_option, leaves_option, number, predictor_option

if TYPE_CHECKING:
    from ....simulation.costs import Costs
    from ....simulation.game_loop import Outcome
    from ....simulation.scenario.reader import Setting
    from ....simulation.world.world import World
    from ..app.console import Stages


def _list(context: click.Context, option: click.Parameter, wanted: bool) -> None:  # noqa: ARG001
    """Print the shipped scenarios and exit."""
    if not wanted:
        return
    from ....simulation.scenario.reader import about_scenario, shipped_scenarios

    for name in shipped_scenarios():
        click.echo(f"{name:14}  {about_scenario(name)}")
    context.exit()


@click.command("run", short_help="Run a scenario and record it.")
@click.argument("scenario", metavar="SCENARIO")
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="List the shipped scenarios."
)
@file("-o", "--output", about="Record the run to this file, for `replay` and `why`.")
@number("--seconds", unit="S", about="End after this many seconds; overrides the scenario.")
@count("--seed", about="Random seed; overrides the scenario.")
@file("--guards", about="Play against these guards instead of the level's own: a file from `guards place`.")
@leaves_option
@predictor_option
@click.option("--costs", is_flag=True, help="Print the milliseconds of each system and agent, and steps over budget.")
@click.option("--quiet", is_flag=True, help="Print only how the run ended, not each event.")
@json_option
def command(
    scenario: str,
    output: str | None,
    seconds: float | None,
    seed: int | None,
    guards: str | None,
    costs: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Run SCENARIO (a shipped one, a .yaml, .toml or .json file, or a level with all agents it spawns).

    Prints each event on a line, then how the run ended. The same seed always gives the same digest. The exit code is 2
    if a brain failed, with the leaf, and the file and line of your own code.

    \b
    Examples:
      lastseen run --list
      lastseen run night_shift
      lastseen run warehouse --guards guards.geojson
      lastseen run night.yaml -o night.rec --seconds 60
      lastseen replay night.rec --gif night.gif
    """
    from ....vocabulary.words import EndReason
    from ..app.console import Stages
    from ..app.outputs import check_output, echo_json

    target = None if output is None else check_output(output, scenario)
    printer = EventPrinter(show=not (quiet or as_json))
    with Stages(quiet=as_json) as stages:
        setting = load_setting(scenario, seconds=seconds, seed=seed, guards=guards)
        _note_unused_predictors(setting)
        stages.prepare("play", "game")
        outcome, spent = _run(setting, target, printer, stages)
    text = printer.sentences.ending(outcome.ending)
    if as_json:
        echo_json(_as_object(outcome, text, printer.events, spent, output) | stages.timing())
    else:
        click.echo(f"{outcome.reason} after {outcome.seconds:.1f} s: {text}")
        click.echo(f"digest {outcome.digest}")
        if costs:
            _print_costs(spent, outcome.seconds / max(outcome.ticks, 1))
        elif spent.over and setting.scenario.budget is not None:  # else it would depend on the load of the machine
            what = f"{spent.over} of {spent.steps} steps took more than their budget of {spent.budget:.3g} ms"
            click.echo(f"note: {what}; --costs lists what they cost", err=True)
    if target is not None and not as_json:
        click.echo(f"wrote {output}; next: lastseen replay {output} --gif run.gif, lastseen why {output} --agent NAME")
    if outcome.reason == EndReason.BRAIN_FAILED:
        click.get_current_context().exit(2)


def _note_unused_predictors(setting: Setting) -> None:
    """Say which predictors of `--predictor` nobody in the scenario uses."""
    import msgspec

    text = msgspec.json.encode(setting.scenario).decode()
    for name in click.get_current_context().meta.get("lastseen.predictors", ()):
        if name not in text:
            what = f"no agent uses {name}, so --predictor changes nothing"
            click.echo(f"note: {what}; write `chase: {name}` into the scenario", err=True)


class EventPrinter:
    """Prints events as they happen and keeps them."""

    def __init__(self, *, show: bool):
        from ...prose.sentences import Sentences

        self.show = show
        self.sentences = Sentences(())
        self.events: list[dict[str, Any]] = []

    def __call__(self, world: World) -> None:
        """Handle the events of a step."""
        from ...prose.narration import is_repetition
        from ...prose.sentences import Sentences

        self.sentences = Sentences.of_world(world)
        for event in world.events:
            text = self.sentences(event)
            name = world.names[event.agent] if event.agent >= 0 else getattr(event, "speaker", "")
            seconds = event.tick * world.step  # the world's clock already shows the end of the step
            self.events.append({"seconds": round(seconds, 3), "kind": event.kind, "agent": name, "text": text})
            # How the run ended is printed on a line of its own, after the last step.
            if self.show and text and event.kind != "end" and not is_repetition(event):
                words = f"{name}: “{text}”" if event.kind == "said" else text
                click.echo(f"{seconds:7.1f} s  {words}")


def load_setting(
    given: str, *, seconds: float | None = None, seed: int | None = None, guards: str | None = None
) -> Setting:
    """Return the setting of a shipped scenario, of a scenario file, or of a plain level, with the guards of a file."""
    import msgspec

    from ....errors import InputError
    from ....simulation.scenario.reader import read_scenario, setting_of, shipped_scenario, shipped_scenarios
    from ....simulation.scenario.scenario import Scenario
    from ..app.inputs import read_source, require_level_or_scenario

    if seconds is not None and not 0.0 < seconds <= 86_400.0:
        raise InputError(f"--seconds is {seconds:g}; give more than 0 and at most 86400")
    if seed is not None and seed < 0:
        raise InputError(f"--seed is {seed}; give a whole number, 0 or more")
    changes: dict[str, Any] = {"seconds": seconds, "seed": seed}
    changes = {name: value for name, value in changes.items() if value is not None}
    if is_scenario(given):
        if guards is not None:
            raise InputError(f"--guards applies to levels, but {given} is a scenario; write guards: {guards} in it")
        is_shipped = given in shipped_scenarios() and not Path(given).exists()
        setting = shipped_scenario(given) if is_shipped else read_scenario(given)
        scenario = msgspec.structs.replace(setting.scenario, name=Path(given).stem, **changes)
        setting.scenario = scenario
        return setting
    require_level_or_scenario(given)
    level = read_source(given)
    if guards is not None:
        from ....reasoning.placement.files.level_guards import guarded_level

        level = guarded_level(level, guards)
    return setting_of(Scenario(given, name=Path(given).stem, **changes), level=level)


def is_scenario(given: str) -> bool:
    """Return whether `given` is the name of a shipped scenario or a scenario file, not a level."""
    from ....simulation.scenario.reader import shipped_scenarios

    is_shipped = given in shipped_scenarios() and not Path(given).exists()
    return is_shipped or Path(given).suffix.lower() in (".yaml", ".yml", ".toml") or _is_json_scenario(given)


def _is_json_scenario(given: str) -> bool:
    """Return whether a .json file is a scenario, not a level."""
    import msgspec

    path = Path(given)
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    data = path.read_bytes()
    try:
        decoded = msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        return b'"level"' in data[:1000] and b'"features"' not in data
    return isinstance(decoded, dict) and "level" in decoded and "type" not in decoded


def _run(setting: Setting, target: Path | None, printer: EventPrinter, stages: Stages) -> tuple[Outcome, Costs]:
    from ....simulation.game_loop import run
    from ....simulation.world.setup import make_world

    world = stages.run("bake", make_world, setting)

    clock = _StepClock(stages, world)

    def each(now: World) -> None:
        clock(now)
        printer(now)
        stages.progress(f"{now.time:.0f} s", min(1.0, now.time / now.scenario.seconds))

    if target is None:
        outcome = stages.run("run", run, world, each=each)
    else:
        outcome = _recorded(world, target, each, stages)
    return outcome, clock.costs


class _StepClock:
    """Measures what steps cost that do not wait for the compiler."""

    def __init__(self, stages: Stages, world: World):
        from ....simulation.costs import Costs
        from ....simulation.scenario.scenario import budget_of
        from ....simulation.systems import SYSTEMS

        self._stages = stages
        self._compiled = stages.compilation.done
        self.costs = Costs(budget_of(world.scenario), tuple(one.__name__ for one in SYSTEMS), world.names)

    def __call__(self, world: World) -> None:
        """Handle a step."""
        import numpy as np

        compiled = self._stages.compilation.done
        if compiled == self._compiled:
            spent = np.array([list(world.trace.costs.values())])
            self.costs.add(world.tick - 1, spent, np.array([world.trace.agent_costs]))
        self._compiled = compiled


def _recorded(world: World, target: Path, each: Callable[[World], None], stages: Stages) -> Outcome:
    """Run and record; if interrupted, say what remains of the recording."""
    from ....simulation.recording.world_columns import record
    from ....simulation.recording.writer import PART

    try:
        outcome: Outcome = stages.run("run", record, world, target, each=each)
    except BaseException:
        part = target.with_name(target.name + PART)
        if part.exists() and world.tick:
            click.echo(f"note: {part} holds the run up to {world.time:.1f} s and can be replayed", err=True)
        raise
    return outcome


def _print_costs(spent: Costs, step: float) -> None:
    """Print what steps cost: in total, by system and by agent, the most expensive first."""
    worst = f"at most {spent.worst:.3g} ms at {max(spent.worst_tick, 0) * step:.1f} s"
    over = f"{spent.over} of {spent.steps} steps over the budget of {spent.budget:.3g} ms"
    click.echo(f"{spent.mean:.3g} ms per step, {worst}; {over}")
    for what, costs in (("system", spent.by_system()), ("thinking of", spent.by_agent())):
        for name, value in sorted(costs.items(), key=lambda one: -one[1]):
            click.echo(f"{value:9.4f} ms  {what} {name}")


def _as_object(
    outcome: Outcome, text: str, events: list[dict[str, Any]], spent: Costs, output: str | None
) -> dict[str, Any]:
    """Return a run as one JSON object; costs are milliseconds per step, excluding the compiler."""
    return {
        "reason": outcome.reason,
        "text": text,
        "seconds": outcome.seconds,
        "steps": outcome.ticks,
        "digest": outcome.digest,
        "recording": output,
        "events": events,
        "milliseconds": {name: round(value, 4) for name, value in spent.by_system().items()},
        "agent_milliseconds": {name: round(value, 4) for name, value in spent.by_agent().items()},
        "budget": {
            "milliseconds": spent.budget,
            "over": spent.over,
            "steps_over": spent.over_ticks,
            "worst": round(spent.worst, 4),
            "worst_step": spent.worst_tick,
        },
    }
