"""`lastseen rules why PATH… --facts F`: explain which rule fires, and why the others do not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from .rules_source import handler_option

if TYPE_CHECKING:
    from ...agents.rules.engine.explanation import Explanation

__all__ = ["command"]


@click.command("why", short_help="Explain which rule fires, and why the others do not.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--facts", "-f", "facts", multiple=True, required=True, metavar="VARIABLE=VALUE|FILE",
    help="A fact, or a .yaml, .json or .toml file of facts; may be repeated.",
)  # fmt: skip
@handler_option
@click.option("--misses", type=click.IntRange(0), default=5, show_default=True, help="Near misses to print.")
@click.option("--all", "whole", is_flag=True, help="Print every rule, not only those tried before the one that fires.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def command(
    paths: tuple[str, ...], facts: tuple[str, ...], handler: str | None, misses: int, whole: bool, as_json: bool
) -> None:
    """Print which rule fires for these facts, and for every other rule the first condition that failed.

    Dice (random.d6 …) are ordinary facts here: a fact that is not given is unknown.

    \b
    lastseen rules why my_rules/ --facts bark.trigger=LOSE --facts npc.health=0.3
    lastseen rules why my_rules/ --facts moment.json --handler guard.barks --all
    """
    from ...agents.rules.engine.explanation import explain
    from .rules_source import compiled_handlers, read_facts, rules_of

    database = rules_of(paths)
    title, compiled = compiled_handlers(handler, database)
    found = explain(compiled, read_facts(facts, database))
    if as_json:
        click.echo(json.dumps(_as_object(found, misses), indent=2, allow_nan=False))
        return
    fired = found.fired
    click.echo(f"{title}: " + (f"{fired.rule.name!r} fires" if fired else "no rule fires"))
    for verdict in found.verdicts:
        if whole or fired is None or verdict.number <= fired.number:
            sign = "▶" if verdict is fired else "·" if verdict.holds else "✗"
            click.echo(f"  {sign} {verdict.rule.name}: {found.reason(verdict)}")
    for place, verdict in enumerate(found.near_misses(misses)):
        if place == 0:
            click.echo("near misses:")
        click.echo(f"  {verdict.rule.name}: {'; '.join(map(str, verdict.failures)) or verdict.blocked}")


def _as_object(found: Explanation, misses: int) -> dict[str, Any]:
    fired = found.fired
    return {
        "handler": found.handler,
        "fired": fired.rule.name if fired else None,
        "rules": [
            {
                "name": verdict.rule.name,
                "holds": verdict.holds,
                "reason": found.reason(verdict),
                "failed": [str(failure.condition) for failure in verdict.failures],
                "source": verdict.rule.source,
                "line": verdict.rule.line,
            }
            for verdict in found.verdicts
        ],
        "near_misses": [verdict.rule.name for verdict in found.near_misses(misses)],
    }
