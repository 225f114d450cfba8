"""`lastseen level list`: which levels come with the package?"""

from __future__ import annotations

import json

import click

__all__ = ["command"]


@click.command("list", short_help="Name the sample levels.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of words.")
def command(as_json: bool) -> None:
    """Name the sample levels; each can be given wherever a LEVEL is asked for."""
    from ...level.samples import SAMPLES, describe

    if as_json:
        click.echo(json.dumps({"samples": [{"name": n, "description": describe(n)} for n in SAMPLES]}, indent=2))
        return
    longest = max(map(len, SAMPLES))
    for name in SAMPLES:
        click.echo(f"{name:<{longest}}  {describe(name)}")
