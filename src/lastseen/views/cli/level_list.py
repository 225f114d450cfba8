"""`lastseen level list`: list the sample levels."""

from __future__ import annotations

import json

import click

__all__ = ["command"]


@click.command("list", short_help="List the sample levels.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def command(as_json: bool) -> None:
    """List the sample levels; their names work wherever a command takes a LEVEL."""
    from ...level.samples import SAMPLES, describe

    if as_json:
        click.echo(json.dumps({"samples": [{"name": n, "description": describe(n)} for n in SAMPLES]}, indent=2))
        return
    longest = max(map(len, SAMPLES))
    for name in SAMPLES:
        click.echo(f"{name:<{longest}}  {describe(name)}")
