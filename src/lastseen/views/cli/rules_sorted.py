"""`lastseen rules sorted PATH…`: print rules in the order they are tried."""

from __future__ import annotations

import json

import click

from .rules_source import handler_option

__all__ = ["command"]


@click.command("sorted", short_help="Print rules in the order they are tried.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@handler_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def command(paths: tuple[str, ...], handler: str | None, as_json: bool) -> None:
    """Print the rules of a handler, or of several combined, in the order they are tried.

    Each line shows priority, conditions, file and line, and the rules that share the same actions.

    \b
    lastseen rules sorted guards --handler guard.barks
    lastseen rules sorted my_rules/ --handler gang.barks+guard.barks
    """
    from .rules_source import compiled_handlers, rules_of

    title, compiled = compiled_handlers(handler, rules_of(paths))
    numbers = compiled.list_of.tolist()
    if as_json:
        rules = [
            {
                "number": number,
                "name": rule.name,
                "priority": rule.priority,
                "when": [str(one) for one in rule.conditions],
                "actions": list(rule.actions),
                "list": numbers[number],
                "policy": compiled.lists[numbers[number]].policy,
                "source": rule.source,
                "line": rule.line,
            }
            for number, rule in enumerate(compiled.rules)
        ]
        click.echo(json.dumps({"handler": compiled.name, "rules": rules}, indent=2, allow_nan=False))
        return
    click.echo(f"{title}: {len(compiled)} rules, {len(compiled.lists)} lists of actions")
    sharing: dict[int, list[str]] = {}
    for number, rule in enumerate(compiled.rules):
        sharing.setdefault(numbers[number], []).append(rule.name)
    for number, rule in enumerate(compiled.rules):
        others = [name for name in sharing[numbers[number]] if name != rule.name]
        shared = f"  (shares its actions with {', '.join(others[:3])})" if others and rule.actions else ""
        when = " and ".join(map(str, rule.conditions)) or "always"
        place = f"  [{rule.source}:{rule.line}]" if rule.line else ""
        click.echo(f"{number + 1:4d}. {rule.name} (priority {rule.priority}): {when}{shared}{place}")
