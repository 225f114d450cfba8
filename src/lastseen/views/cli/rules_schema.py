"""`lastseen rules schema`: how are rule files written, for editors?"""

from __future__ import annotations

import json

import click

from .options import output_option

__all__ = ["command"]


@click.command("schema", short_help="Print the JSON Schema of rule files.")
@click.argument("paths", metavar="[PATH...]", nargs=-1)
@output_option("A file to write it to; printed if not given.", required=False)
def command(paths: tuple[str, ...], output: str | None) -> None:
    """Print the JSON Schema of rule files; of PATHs with their variables and handlers.

    An editor that knows it completes names and marks faults while you type; in YAML the first line says so:
    "# yaml-language-server: $schema=rules.schema.json".

    \b
    lastseen rules schema my_rules/ -o my_rules/rules.schema.json
    """
    from ...agents.rules.schema import rule_schema
    from .rules_source import rules_of

    text = json.dumps(rule_schema(rules_of(paths) if paths else None), indent=2, ensure_ascii=False)
    if output is None:
        click.echo(text)
        return
    from ...files import atomic_write
    from .outputs import check_output

    atomic_write(check_output(output), f"{text}\n".encode())
    click.echo(f"wrote {output}")
