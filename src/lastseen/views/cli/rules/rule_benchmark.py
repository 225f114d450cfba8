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

_BATCH, _SINGLE = 1000, 200


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
    }
    if as_json:
        echo_json(report)
        return
    click.echo(f"{compiled.name}: {len(compiled)} rules on {len(compiled.variables)} variables")
    click.echo(f"  compile               {report['compile_ms']:9.2f} ms")
    click.echo(f"  one speaker           {report['one_us']:9.2f} µs")
    click.echo(f"  {_BATCH} speakers at once {report['thousand_ms']:9.3f} ms ({_BATCH * len(compiled)} rules)")


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
