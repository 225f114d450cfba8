"""`lastseen level show LEVEL -o PNG`: draw a level as its designer drew it."""

from __future__ import annotations

import click

from .options import kind_option, output_option, scale_option, storey_option, up_option

__all__ = ["command"]


@click.command("show", short_help="Draw a level before baking.")
@click.argument("level", metavar="LEVEL")
@output_option("PNG file to write.")
@kind_option
@up_option
@scale_option
@storey_option
@click.option("--labels/--no-labels", default=None, help="Label things with their names.  [where there is room]")
def command(
    level: str, output: str, kind: str, up: str, scale: float | None, storey: int | None, labels: bool | None
) -> None:
    """Draw LEVEL (a file or the name of a sample) as designed, before anything is baked."""
    from ...files import atomic_write
    from .outputs import check_picture
    from .source import read_source, source_name

    path = check_picture(output, level)
    drawn = read_source(level, kind=kind, up=up)
    from ..figures.level_figure import draw_level

    title = drawn.name or source_name(level)
    atomic_write(path, draw_level(drawn, scale=scale, storey=storey, labels=labels, title=title))
    click.echo(f"wrote {output}")
