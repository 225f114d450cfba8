"""`lastseen locate LEVEL --query FILE`: pick places to go to, appear at or hide in."""

from __future__ import annotations

import json
from typing import Any

import click

from ..app.options import bake_again_options, count, file, json_option, level_options, picture_options


@click.command("locate", short_help="Pick places to go to, appear at or hide in.")
@click.argument("level", metavar="LEVEL", required=False)
@click.option("--query", metavar="FILE", help="A query file, or the name of a shipped query (see --list).")
@click.option("--from", "asker", metavar="X,Y[,Z]", help="Position of the asker in metres.")
@click.option("--heading", metavar="DX,DY", help="Direction the asker faces.")
@click.option(
    "--place",
    "places",
    metavar="NAME=X,Y[,Z][@DX,DY]",
    multiple=True,
    help="A point the query refers to, with an optional facing; may be repeated.",
)
@count("--count", about="Number of places to pick; overrides the query.")
@count("--seed", default=0, about="Random seed, for queries that pick at random.  [0]")
@click.option("--why", "asked", metavar="X,Y[,Z]", help="Also explain why this place was or was not picked.")
@bake_again_options
@file("--png", about="Write a picture of the scores and the picked places.")
@picture_options
@json_option
@click.option("--list", "lists", is_flag=True, help="List the shipped queries; takes no LEVEL.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of query files; takes no LEVEL.")
@level_options
def command(level: str | None, lists: bool, schema: bool, **given: Any) -> None:
    """Pick places in LEVEL (a level file, a sample or a baked cell file) with a query.

    A query is a small YAML, JSON or TOML file: criteria that drop or score places, and how to pick among them. Points
    it refers to (threats, players, target) are given with --place; exits, cover and the like come from the level.
    Closed doors block the view; locked doors also block paths.

    \b
    Examples:
      lastseen locate warehouse --query panic --from 9.5,8.5 --place threats=14.5,8.5 --png panic.png
      lastseen locate warehouse --query my.yaml --from 9.5,8.5 --place threats=14.5,8.5@-1,0 --why 5.5,7.5
      lastseen locate house --query summon --from 2,3 --place players=5,3 --seed 7 --json
      lastseen locate --list
    """
    if lists or schema:
        _print_list_or_schema(lists, schema, level, given)
        return
    if level is None:
        raise click.UsageError(
            "LEVEL is missing; give a file or a sample, such as: lastseen locate warehouse --query panic"
        )
    if given["query"] is None:
        raise click.UsageError("--query is missing; give a file or the name of a shipped query (see --list)")
    from .location_query import locate

    locate(level, given)


def _print_list_or_schema(lists: bool, schema: bool, level: str | None, given: dict[str, Any]) -> None:
    """Print the shipped queries or the schema of query files."""
    from ....reasoning.locations.query import query_schema, shipped_queries, shipped_query

    if level is not None or given["query"] is not None or (lists and schema):
        raise click.UsageError("--list and --schema cannot be combined; leave out LEVEL, --query and the other one")
    if schema:
        click.echo(json.dumps(query_schema(), indent=2))
        return
    for name in shipped_queries():
        click.echo(f"{name:8} {shipped_query(name).about}")
