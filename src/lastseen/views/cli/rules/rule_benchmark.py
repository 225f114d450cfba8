"""`lastseen rules bench PATH…`: time the evaluation of rules."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any

import click

from ..app.options import json_option
from ..app.outputs import echo_json
from .rule_source import handler_option

if TYPE_CHECKING:
    from ....agents.rules.engine.compile import CompiledHandler
    from ....conventions import Floats

_BATCH, _SINGLE, _ONE_BY_ONE = 1000, 200, 50


@click.command("bench", short_help="Time the evaluation of rules.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@handler_option
@click.option(
    "--rounds",
    type=click.IntRange(1, 10_000),
    default=15,
    show_default=True,
    help="Repetitions; the median is printed.",
)
@json_option
def command(paths: tuple[str, ...], handler: str | None, rounds: int, as_json: bool) -> None:
    """Time rules on this machine with random facts: compiling, one speaker, and a thousand speakers at once.

    \b
    Examples:
      lastseen rules bench my_rules/ --handler guard.barks
    """
    from ....agents.rules.engine.compile import compile_handler
    from ....agents.rules.engine.engine import Engine
    from .rule_source import handler_names, rules_of

    database = rules_of(paths)
    names = handler_names(handler, database)
    compiled = compile_handler(database, *names)
    engine = Engine(compiled)
    rows = _random_facts(compiled)
    facts = [_decoded(row, compiled) for row in rows[:_SINGLE]]
    engine.match_many(rows)  # compiles the kernel

    report: dict[str, Any] = {
        "handler": compiled.name,
        "rules": len(compiled),
        "variables": len(compiled.variables),
        "compile_ms": 1e3 * _median(lambda: compile_handler(database, *names), min(rounds, 5)),
        "one_us": 1e6 / _SINGLE * _median(lambda: [engine.evaluate(each) for each in facts], rounds),
        "thousand_ms": 1e3 * _median(lambda: engine.match_many(rows), rounds),
    } | _in_order(compiled, facts[:_ONE_BY_ONE], min(rounds, 5))
    if as_json:
        echo_json(report)
        return
    click.echo(f"{compiled.name}: {len(compiled)} rules on {len(compiled.variables)} variables")
    click.echo(f"  compile               {report['compile_ms']:9.2f} ms")
    click.echo(f"  one speaker           {report['one_us']:9.2f} µs")
    reads, read_once = report["reads"], report["reads_cached"]
    saved = 100.0 * (1.0 - report["in_order_cached_us"] / report["in_order_us"])
    click.echo("  one rule after another, as in the source:")
    click.echo(f"    variables read each time  {report['in_order_us']:9.2f} µs ({reads:.0f} reads)")
    click.echo(
        f"    variables read once       {report['in_order_cached_us']:9.2f} µs ({read_once:.0f} reads, -{saved:.0f} %)"
    )
    click.echo(f"  {_BATCH} speakers at once {report['thousand_ms']:9.3f} ms ({_BATCH * len(compiled)} rules)")


def _in_order(compiled: CompiledHandler, speakers: list[dict[str, Any]], rounds: int) -> dict[str, float]:
    """Time a plain reading of the rules, one after another, with and without a cache of variables for one speaker.

    Variables are read through bindings, as a game provides them.
    """
    from ....agents.rules.language.bindings import Method
    from ....agents.rules.language.rule import holds

    specs = dict(zip(compiled.variables, compiled.specs))
    sources = {path: Method("read", (path,), of="game") for path in specs}
    reads = 0

    def evaluate(facts: dict[str, Any], cached: bool) -> str:
        nonlocal reads
        game, known = _Game(facts), dict[str, Any]()
        for rule in compiled.rules:
            for condition in rule.conditions:
                path = condition.variable
                if not cached or path not in known:
                    reads += 1
                    known[path] = sources[path].read({"game": game}, path)
                if not holds(condition, known[path], specs[path]):
                    break
            else:
                return rule.name
        return ""

    found: dict[str, float] = {}
    for name, cached in (("", False), ("_cached", True)):
        reads = 0
        [evaluate(each, cached) for each in speakers]
        found[f"reads{name}"] = reads / len(speakers)
        seconds = _median(lambda cached=cached: [evaluate(each, cached) for each in speakers], rounds)
        found[f"in_order{name}_us"] = 1e6 / len(speakers) * seconds
    return found


class _Game:
    """An object that variables are read from."""

    def __init__(self, facts: dict[str, Any]):
        self._facts = facts

    def read(self, path: str) -> Any:
        """Return a variable."""
        return self._facts.get(path)


def _median(work: Any, rounds: int) -> float:
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def _random_facts(compiled: CompiledHandler) -> Floats:
    """Return facts around the constants that rules compare with, so that every outcome occurs: (1000, V)."""
    import numpy as np

    from ....rng import generator

    random = generator(0, "rules bench")
    table = np.empty((_BATCH, len(compiled.variables)))
    for number, spec in enumerate(compiled.specs):
        cuts = compiled.cuts[compiled.cut_start[number] : compiled.cut_start[number + 1]]
        shift = random.choice([-0.5, 0.0, 0.5], _BATCH) if spec.type == "float" else random.integers(-1, 2, _BATCH)
        table[:, number] = random.choice(cuts, _BATCH) + shift
        if spec.type == "enum":
            table[:, number] = np.clip(table[:, number], 0, len(spec.names) - 1)
        elif spec.type == "bool":
            table[:, number] = random.integers(0, 2, _BATCH)
    return table


def _decoded(row: Floats, compiled: CompiledHandler) -> dict[str, Any]:
    """Return a row of facts as a game provides them."""
    texts = {number: text for text, number in compiled.texts.items()}
    facts: dict[str, Any] = {}
    for name, spec, value in zip(compiled.variables, compiled.specs, row.tolist()):
        if spec.type == "enum":
            facts[name] = spec.names[int(value)]
        elif spec.type == "str":
            facts[name] = texts.get(int(value), "")
        else:
            facts[name] = bool(value) if spec.type == "bool" else value
    return facts
