"""`lastseen sweep schema`: print the JSON Schema of sweep files for editors."""

from __future__ import annotations

import json

import click

from .options import output_option

__all__ = ["command"]


@click.command("schema", short_help="Print the JSON Schema of sweep files.")
@output_option("File to write; printed if not given.", required=False)
def command(output: str | None) -> None:
    """Print the JSON Schema of sweep files: every parameter of every evaluation, with its default.

    An editor that uses the schema completes names and marks faults as you type. In TOML, refer to it on the first line:
    "#:schema sweep.schema.json".

    \b
    lastseen sweep schema -o sweep.schema.json
    """
    from ...simulation.experiments.sweeps.schema import sweep_schema

    text = json.dumps(sweep_schema(), indent=2, ensure_ascii=False)
    if output is None:
        click.echo(text)
        return
    from ...files import atomic_write
    from .outputs import check_output

    atomic_write(check_output(output), f"{text}\n".encode())
    click.echo(f"wrote {output}")
