"""`lastseen rules schema`: print the JSON Schema of rule files for editors."""

from __future__ import annotations

import json

import click

from .options import output_option

__all__ = ["command"]


@click.command("schema", short_help="Print the JSON Schema of rule files.")
@click.argument("paths", metavar="[PATH...]", nargs=-1)
@output_option("File to write; printed if not given.", required=False)
def command(paths: tuple[str, ...], output: str | None) -> None:
    """Print the JSON Schema of rule files, with the variables and handlers of PATHs.

    An editor that uses the schema completes names and marks faults as you type. In YAML, refer to it on the first line:
    "# yaml-language-server: $schema=rules.schema.json".

    \b
    lastseen rules schema my_rules/ -o my_rules/rules.schema.json
    """
    from ...agents.rules.files.file_format import rule_schema
    from .rules_source import rules_of

    text = json.dumps(rule_schema(rules_of(paths) if paths else None), indent=2, ensure_ascii=False)
    if output is None:
        click.echo(text)
        return
    from ...files import atomic_write
    from .outputs import check_output

    atomic_write(check_output(output), f"{text}\n".encode())
    click.echo(f"wrote {output}")
