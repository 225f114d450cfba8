"""`lastseen level convert FILE -o OUT.geojson`: write a level in the one format that holds everything."""

from __future__ import annotations

import click

from .options import flip_option, kind_option, output_option, up_option

__all__ = ["command"]


@click.command("convert", short_help="Write a level as GeoJSON.")
@click.argument("level", metavar="LEVEL")
@output_option("GeoJSON file to write.")
@kind_option
@up_option
@flip_option
def command(level: str, output: str, kind: str, up: str, flip: bool) -> None:
    """Write LEVEL (a file or the name of a sample) as GeoJSON, without loss.

    \b
    lastseen level convert arena.map -o arena.geojson
    lastseen level convert house -o my_house.geojson
    """
    from ...level.write import write_level
    from .outputs import check_output
    from .source import read_source

    path = check_output(output, level)
    write_level(read_source(level, kind=kind, up=up, flip=flip), path)
    click.echo(f"wrote {output}")
