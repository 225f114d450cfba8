"""`lastseen rules …`: check, sort, explain and convert rules, and print their schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..app.main import LazyGroup
from ..app.options import json_option, output_option
from ..app.outputs import check_output, echo_json, write_or_print
from .rule_source import handler_option

if TYPE_CHECKING:
    from ....agents.rules.engine.explanation import Explanation
    from ....agents.rules.engine.line_checks import Coverage
    from ....agents.rules.language.faults import RuleFault


@click.command("check", short_help="Print the faults of rules.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--combine", multiple=True, metavar="NAME+NAME", help="Handlers used as one; may be repeated.")
@click.option("--scenario", metavar="NAME|FILE", help="Check against what this scenario provides, as `run` does.")
@click.option(
    "--game", metavar="FILE|none",
    help="What your own game provides: variables, placeholders, sides.  [the game of lastseen]",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Treat warnings as faults.")
@json_option
@click.pass_context
def check_command(
    ctx: click.Context, paths: tuple[str, ...], combine: tuple[str, ...], scenario: str | None, game: str | None,
    strict: bool, as_json: bool,
) -> None:  # fmt: skip
    """Print the faults of the rules in files and folders, and how many lines are there in each language.

    Faults are printed with file, line, rule and similar names: all that a game refuses, unfilled placeholders among
    it. Warnings report rules that can never fire or are never tried, in this game or in any, contradictory orders,
    unused actions and lines, and lines that were probably meant otherwise.
    Exits with 0 if there are no faults, else with 2.

    \b
    Examples:
      lastseen rules check my_rules/ --scenario night.yaml
      lastseen rules check my_rules/ --game my_game.yaml
      lastseen rules check barks.yaml variables.yaml --combine guard.barks+gang.barks
    """
    from ....agents.rules.engine.check import check_rules
    from ....agents.rules.engine.line_checks import coverage
    from ....agents.rules.language.faults import RuleFileError
    from .rule_source import game_faults_of, rules_of

    known: tuple[RuleFault, ...] = ()
    try:
        database = rules_of(paths)
    except RuleFileError as error:
        if error.database is None:
            raise
        database, known = error.database, error.faults
    count = sum(len(handler.rules) for handler in database.handlers.values())
    lines = None if known else coverage(database)
    faults = check_rules(database, combined=[tuple(names.split("+")) for names in combine], known=known)
    faults += game_faults_of(database, paths, scenario, game, known)
    faults.sort(key=lambda fault: (fault.severity != "error", fault.source, fault.line))
    errors = sum(fault.severity == "error" for fault in faults)
    if as_json:
        _print_json(faults, count, lines)
    else:
        for fault in faults:
            click.echo(f"{'' if fault.severity == 'error' else 'warning: '}{fault}")
        if not faults:
            click.echo(f"{', '.join(paths)}: no faults ({count} rule{'' if count == 1 else 's'})")
        if lines is not None and lines.lines:
            click.echo(str(lines))
    ctx.exit(2 if errors or (strict and faults) else 0)


def _print_json(faults: list[RuleFault], count: int, lines: Coverage | None) -> None:
    report = {
        "rules": count,
        "errors": sum(fault.severity == "error" for fault in faults),
        "warnings": sum(fault.severity != "error" for fault in faults),
        "faults": [
            {name: getattr(fault, name) for name in ("source", "line", "handler", "rule", "kind", "severity", "what")}
            for fault in faults
        ],
        "lines": None if lines is None else {"count": lines.lines, "ids": lines.ids, "languages": lines.languages},
    }
    echo_json(report)


@click.command("sorted", short_help="Print rules in the order they are tried.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@handler_option
@json_option
def sorted_command(paths: tuple[str, ...], handler: str | None, as_json: bool) -> None:
    """Print the rules of a handler, or of several combined, in the order they are tried.

    Each line shows priority, conditions, file and line, and the rules that share the same actions.

    \b
    Examples:
      lastseen rules sorted guards --handler guard.barks
      lastseen rules sorted my_rules/ --handler gang.barks+guard.barks
    """
    from .rule_source import compiled_handlers, rules_of

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
        echo_json({"handler": compiled.name, "rules": rules})
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


@click.command("why", short_help="Explain which rule fires, and why the others do not.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--facts", "-f", "facts", multiple=True, required=True, metavar="VARIABLE=VALUE|FILE",
    help="A fact, or a .yaml, .json or .toml file of facts; may be repeated.",
)  # fmt: skip
@handler_option
@click.option("--misses", type=click.IntRange(0), default=5, show_default=True, help="Near misses to print.")
@click.option("--all", "whole", is_flag=True, help="Print every rule, not only those tried before the one that fires.")
@json_option
def why_command(
    paths: tuple[str, ...], facts: tuple[str, ...], handler: str | None, misses: int, whole: bool, as_json: bool
) -> None:
    """Print which rule fires for these facts, and for every other rule the first condition that failed.

    Dice (random.d6 …) are ordinary facts here: a fact that is not given is unknown.

    \b
    Examples:
      lastseen rules why my_rules/ --facts bark.trigger=LOSE --facts npc.health=0.3
      lastseen rules why my_rules/ --facts moment.json --handler guard.barks --all
    """
    from ....agents.rules.engine.explanation import explain
    from .rule_source import compiled_handlers, read_facts, rules_of

    database = rules_of(paths)
    title, compiled = compiled_handlers(handler, database)
    found = explain(compiled, read_facts(facts, database))
    if as_json:
        echo_json(_as_object(found, misses))
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


@click.command("convert", short_help="Write rules to one YAML, TOML or JSON file.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@output_option("File to write: .yaml, .toml or .json.")
def convert_command(paths: tuple[str, ...], output: str) -> None:
    """Write all rules in files and folders to one file, including notes (`about`) but not comments.

    \b
    Examples:
      lastseen rules convert my_rules/ -o all.yaml
      lastseen rules convert all.toml -o all.yaml
    """
    from ....agents.rules.files.convert import convert_rules
    from ....agents.rules.files.read import rule_files
    from .rule_source import rule_paths

    homes = rule_paths(paths)
    convert_rules(homes, check_output(output, *rule_files(*homes)))
    click.echo(f"wrote {output}; check it: lastseen rules check {output}")


@click.command("schema", short_help="Print the JSON Schema of rule files.")
@click.argument("paths", metavar="[PATH...]", nargs=-1)
@output_option("File to write; printed if not given.", required=False)
def schema_command(paths: tuple[str, ...], output: str | None) -> None:
    """Print the JSON Schema of rule files, with the variables and handlers of PATHs.

    An editor that uses the schema completes names and marks faults as you type. In YAML, refer to it on the first line:
    "# yaml-language-server: $schema=rules.schema.json".

    \b
    Examples:
      lastseen rules schema my_rules/ -o my_rules/rules.schema.json
    """
    from ....agents.rules.files.file_format import rule_schema
    from .rule_source import rules_of

    text = json.dumps(rule_schema(rules_of(paths) if paths else None), indent=2, ensure_ascii=False)
    write_or_print(text, output)


command = LazyGroup(
    name="rules",
    homes={
        "check": "rules.rule_commands:check_command",
        "sorted": "rules.rule_commands:sorted_command",
        "why": "rules.rule_commands:why_command",
        "bench": "rules.rule_benchmark",
        "convert": "rules.rule_commands:convert_command",
        "schema": "rules.rule_commands:schema_command",
        "ids": "rules.line_commands:ids_command",
        "export": "rules.line_commands:export_command",
        "import": "rules.line_commands:import_command",
    },
    help="Check, explain, convert and translate rules for lines and reactions.",
)
