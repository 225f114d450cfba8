"""`lastseen rules check PATH…`: report every fault of rules and where it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ...agents.rules.language.faults import RuleFault

__all__ = ["command"]


@click.command("check", short_help="Print the faults of rules.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--combine", multiple=True, metavar="NAME+NAME", help="Handlers used as one; may be repeated.")
@click.option("--strict", is_flag=True, help="Treat warnings as faults.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], combine: tuple[str, ...], strict: bool, as_json: bool) -> None:
    """Print the faults of the rules in files and folders: file, line, rule, fault and similar names.

    Warnings report rules that can never fire or are never tried, contradictory orders, and unused actions and lines.
    Exits with 0 if there are no faults, else with 2.

    \b
    lastseen rules check my_rules/
    lastseen rules check barks.yaml variables.yaml --combine guard.barks+gang.barks
    """
    from ...agents.rules.engine.check import check_rules
    from ...agents.rules.language.faults import RuleFileError
    from .rules_source import rules_of

    count = 0
    try:
        database = rules_of(paths)
        count = sum(len(handler.rules) for handler in database.handlers.values())
        faults = check_rules(database, combined=[tuple(names.split("+")) for names in combine])
    except RuleFileError as error:
        faults = list(error.faults)
    errors = sum(fault.severity == "error" for fault in faults)
    if as_json:
        _print_json(faults, count)
    else:
        for fault in faults:
            click.echo(f"{'' if fault.severity == 'error' else 'warning: '}{fault}")
        if not faults:
            click.echo(f"{', '.join(paths)}: no faults ({count} rule{'' if count == 1 else 's'})")
    ctx.exit(2 if errors or (strict and faults) else 0)


def _print_json(faults: list[RuleFault], count: int) -> None:
    report = {
        "rules": count,
        "errors": sum(fault.severity == "error" for fault in faults),
        "warnings": sum(fault.severity != "error" for fault in faults),
        "faults": [
            {name: getattr(fault, name) for name in ("source", "line", "handler", "rule", "kind", "severity", "what")}
            for fault in faults
        ],
    }
    click.echo(json.dumps(report, indent=2, allow_nan=False))
