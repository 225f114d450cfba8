"""`lastseen tree schema`: how are tree files written, for editors?"""

from __future__ import annotations

import json

import click

from .options import output_option
from .tree_source import leaves_option

__all__ = ["command"]


@click.command("schema", short_help="Print the JSON Schema of tree files.")
@leaves_option
@output_option("A file to write it to; printed if not given.", required=False)
def command(leaves: str | None, output: str | None) -> None:
    """Print the JSON Schema of tree files, with all nodes, leaves and parameters.

    An editor that knows it completes names and marks faults while you type; in YAML the first line says so:
    "# yaml-language-server: $schema=tree.schema.json".

    \b
    lastseen tree schema -o tree.schema.json
    """
    from ...agents.behaviour.schema import tree_schema
    from .tree_source import registry_of

    text = json.dumps(tree_schema(registry_of(leaves)[0]), indent=2, ensure_ascii=False)
    if output is None:
        click.echo(text)
        return
    from ...files import atomic_write
    from .outputs import check_output

    atomic_write(check_output(output), f"{text}\n".encode())
    click.echo(f"wrote {output}")
