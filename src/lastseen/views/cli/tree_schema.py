"""`lastseen tree schema`: print the JSON Schema of tree files for editors."""

from __future__ import annotations

import json

import click

from .options import output_option
from .tree_source import leaves_option

__all__ = ["command"]


@click.command("schema", short_help="Print the JSON Schema of tree files.")
@leaves_option
@output_option("File to write; printed if not given.", required=False)
def command(leaves: str | None, output: str | None) -> None:
    """Print the JSON Schema of tree files, with all nodes, leaves and parameters.

    An editor that uses the schema completes names and marks faults as you type. In YAML, refer to it on the first line:
    "# yaml-language-server: $schema=tree.schema.json".

    \b
    lastseen tree schema -o tree.schema.json
    """
    from ...agents.behaviour.files.schema import tree_schema
    from .tree_source import registry_of

    text = json.dumps(tree_schema(registry_of(leaves)[0]), indent=2, ensure_ascii=False)
    if output is None:
        click.echo(text)
        return
    from ...files import atomic_write
    from .outputs import check_output

    atomic_write(check_output(output), f"{text}\n".encode())
    click.echo(f"wrote {output}")
