"""`lastseen show FILE -o picture.png`: draw a baked level."""

from __future__ import annotations

from typing import Any

import click

from ..app.options import level_options, output_option, picture_options


@click.command("show", short_help="Draw a cell file or a level.")
@click.argument("file", metavar="FILE")
@output_option("PNG file to write.")
@click.option("--faces", is_flag=True, help="Draw the edges of the navmesh faces.")
@click.option("--cells", is_flag=True, help="Draw the edges of cells.")
@click.option("--links", is_flag=True, help="Draw the links between cells.")
@click.option("--labels/--no-labels", default=None, help="Label things with their names.  [where there is room]")
@click.option("--layer", metavar="NAME", help="Show a layer as a heat map: one stored in FILE, or height or links.")
@click.option(
    "--distance-from",
    "sources",
    metavar="X,Y[,Z]",
    multiple=True,
    help="Show the walking distance from here as a heat map; may be repeated.",
)
@click.option("--colours", metavar="SCALE", default="heat", help="heat (warm) or influence (green to violet).  [heat]")
@click.option("--level", metavar="LEVEL", help="Level to draw with the cells instead of the one stored in FILE.")
@picture_options
@level_options
def command(file: str, **given: Any) -> None:
    """Draw FILE: a baked cell file, or a level (file or sample), which is baked with default settings first.

    \b
    Examples:
      lastseen show warehouse -o warehouse.png --cells
      lastseen show house.cells -o house.png --distance-from 2,3
      lastseen show dungeon.cells -o floor.png --storey 0 --faces --layer height
    """
    from .layout_picture import show

    show(file, given)
