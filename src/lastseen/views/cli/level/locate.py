"""`lastseen locate LEVEL --query FILE`: pick places to go to, appear at or hide in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..app.options import kind_option, scale_option, storey_option, up_option

if TYPE_CHECKING:
    from ....cells.cell_file import Baked
    from .location_query import Located


@click.command("locate", short_help="Pick places to go to, appear at or hide in.")
@click.argument("level", metavar="LEVEL", required=False)
@click.option("--query", metavar="FILE", help="A query file, or the name of a built-in query (see --list).")
@click.option("--from", "asker", metavar="X,Y[,Z]", help="Position of the asker in metres.")
@click.option("--heading", metavar="DX,DY", help="Direction the asker faces.")
@click.option(
    "--place",
    "places",
    metavar="NAME=X,Y[,Z][@DX,DY]",
    multiple=True,
    help="A point the query refers to, with an optional facing; may be repeated.",
)
@click.option("--count", type=int, metavar="N", help="Number of places to pick; overrides the query.")
@click.option("--seed", type=int, default=0, metavar="N", help="Random seed, for queries that pick at random.  [0]")
@click.option("--why", "asked", metavar="X,Y[,Z]", help="Also explain why this place was or was not picked.")
@click.option("--cell", type=float, metavar="M", help="Edge of a cell in metres, if LEVEL has to be baked.")
@click.option("--radius", type=float, metavar="M", help="Radius of the body in metres, if LEVEL has to be baked.")
@click.option("--png", metavar="FILE", help="Write a picture of the scores and the picked places.")
@scale_option
@storey_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--list", "lists", is_flag=True, help="List the built-in queries; takes no LEVEL.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of query files; takes no LEVEL.")
@kind_option
@up_option
def command(
    level: str | None, lists: bool, schema: bool, as_json: bool, kind: str, up: str, png: str | None, **given: Any
) -> None:
    """Pick places in LEVEL (a level file, a sample or a baked cell file) with a query.

    A query is a small YAML, JSON or TOML file: criteria that drop or score places, and how to pick among them. Points
    it refers to (threats, players, target) are given with --place; exits, cover and the like come from the level.
    Closed doors block the view; locked doors also block the way.

    \b
    lastseen locate warehouse --query panic --from 9.5,8.5 --place threats=14.5,8.5 --png panic.png
    lastseen locate warehouse --query my.yaml --from 9.5,8.5 --place threats=14.5,8.5@-1,0 --why 5.5,7.5
    lastseen locate house --query summon --from 2,3 --place players=5,3 --seed 7 --json
    lastseen locate --list
    """
    if lists or schema:
        _tell(lists, schema, level, given)
        return
    if level is None:
        raise click.UsageError(
            "LEVEL is missing; give a file or a sample, such as: lastseen locate warehouse --query panic"
        )
    if given["query"] is None:
        raise click.UsageError("--query is missing; give a file or the name of a built-in query (see --list)")
    from ..app.console import Stages
    from ..app.outputs import check_picture

    if png is None and (given["scale"] is not None or given["storey"] is not None):
        raise click.UsageError("--scale and --storey need a picture to apply to; give --png FILE too")
    output = None if png is None else check_picture(png, level, given["query"])
    from .location_query import locate, read_request

    query = read_request(given["query"], given["count"])
    with Stages(quiet=as_json) as stages:
        from ..app.level_inputs import load_or_bake

        baked = load_or_bake(level, kind, up, given["cell"], given["radius"], stages)
        stages.prepare("locate")
        found = stages.run("locate", locate, baked, query, given)
        if output is not None:
            from ....files import atomic_write

            picture = stages.run("picture", _draw, baked, found, level, given)
            stages.run("write", atomic_write, output, picture)
    from .location_query import as_object, as_words

    if as_json:
        click.echo(json.dumps(as_object(found, level, given["query"]) | stages.timing(), indent=2, allow_nan=False))
        return
    click.echo(as_words(found))
    if png is not None:
        click.echo(f"wrote {png}")


def _tell(lists: bool, schema: bool, level: str | None, given: dict[str, Any]) -> None:
    """Print the built-in queries or the schema of query files."""
    from ....reasoning.locations.query import query_schema, ready_queries, ready_query

    if level is not None or given["query"] is not None or (lists and schema):
        raise click.UsageError("--list and --schema cannot be combined; leave out LEVEL, --query and the other one")
    if schema:
        click.echo(json.dumps(query_schema(), indent=2))
        return
    for name in ready_queries():
        click.echo(f"{name:8} {ready_query(name).about}")


def _draw(baked: Baked, found: Located, level: str, given: dict[str, Any]) -> bytes:
    from ....level.level import TriangleSoup
    from ...figures.level.location_figure import LocationScene, draw_location
    from ..app.level_source import source_name

    soup = baked.level is not None and isinstance(baked.level.surface, TriangleSoup)
    scene = LocationScene(
        baked.layout,
        found.choice,
        asker=found.asker,
        places=found.places,
        level=None if soup else baked.level,
    )
    title = baked.layout.mesh.name or source_name(level)
    return draw_location(scene, scale=given["scale"], storey=given["storey"], title=title)
