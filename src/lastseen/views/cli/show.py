"""`lastseen show FILE -o picture.png`: what does a baked level look like?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .options import kind_option, output_option, scale_option, storey_option, up_option

if TYPE_CHECKING:
    from ...cells.layout import CellLayout
    from ...level.level import Level
    from ..figures.heat import Heat
    from .console import Stages

__all__ = ["command"]


@click.command("show")
@click.argument("file", metavar="FILE")
@output_option("The PNG file to write.")
@click.option("--faces", is_flag=True, help="Lines between the faces of the navmesh.")
@click.option("--cells", is_flag=True, help="Lines between cells.")
@click.option("--links", is_flag=True, help="Which cells one can walk between.")
@click.option("--labels/--no-labels", default=None, help="Names beside things.  [where there is room]")
@click.option("--layer", metavar="NAME", help="A layer as heat: height or links.")
@click.option(
    "--distance-from",
    "sources",
    metavar="X,Y[,Z]",
    multiple=True,
    help="Walking distance from here as heat; may be given several times.",
)
@click.option("--colours", metavar="SCALE", default="heat", help="heat (warm) or influence (green to violet).  [heat]")
@click.option("--level", metavar="LEVEL", help="Level to draw beneath and above the cells of a cell file.")
@scale_option
@storey_option
@kind_option
@up_option
def command(file: str, output: str, kind: str, up: str, **given: Any) -> None:
    """Draw FILE: a baked cell file, or a level (file or sample), which is then baked with its defaults first.

    \b
    lastseen show warehouse -o warehouse.png --cells
    lastseen show house.cells -o house.png --level house --distance-from 2,3
    lastseen show dungeon.cells -o floor.png --storey 0 --faces --layer height
    """
    from ...files import atomic_write
    from .console import Stages
    from .outputs import check_output

    overlay = given["level"]
    path = check_output(output, file, *([overlay] if overlay else []))
    with Stages(quiet=False) as stages:
        layout, level = _load(file, overlay, kind, up, stages)
        picture = stages.run("picture", _draw, layout, level, file, given)
        stages.run("write", atomic_write, path, picture)
    click.echo(f"wrote {output}")


def _load(file: str, overlay: str | None, kind: str, up: str, stages: Stages) -> tuple[CellLayout, Level | None]:
    """Return the cells of a cell file, or those of a level baked now; and the level to draw with them."""
    from .baking import BakeSettings, bake_level
    from .console import say_if_compiling
    from .source import is_cell_file, read_source

    if is_cell_file(file):
        from ...cells.store import load_layout

        level = stages.run("read", read_source, overlay, kind=kind, up=up) if overlay else None
        return stages.run("read", load_layout, file), level
    drawn: Level = stages.run("read", read_source, file, kind=kind, up=up)
    say_if_compiling(quiet=False)
    settings = BakeSettings().settled(drawn)
    layout = bake_level(drawn, settings, stages)
    click.echo(
        f"{file} is a level: baked it with cells of {settings.cell:g} m and a body of radius {settings.radius:g} m "
        "(`lastseen bake` sets these)",
        err=True,
    )
    return layout, stages.run("read", read_source, overlay, kind=kind, up=up) if overlay else drawn


def _draw(layout: CellLayout, level: Level | None, file: str, given: dict[str, Any]) -> bytes:
    from ...level.level import TriangleSoup
    from ..figures.layout_figure import Shown, draw_layout
    from .source import source_name

    heat = _heat(layout, given["layer"], given["sources"], given["colours"])
    if level is not None and isinstance(level.surface, TriangleSoup):
        level = None
    return draw_layout(
        layout,
        level=level,
        heat=heat,
        shown=Shown(**{name: given[name] for name in ("faces", "cells", "links", "labels")}),
        scale=given["scale"],
        storey=given["storey"],
        title=layout.mesh.name or source_name(file),
    )


def _heat(layout: CellLayout, layer: str | None, sources: tuple[str, ...], colours: str) -> Heat | None:
    from ...errors import InputError
    from ..figures.palette import scale_colours
    from .heats import built_in_heat, distance_heat

    scale_colours(colours)
    if layer and sources:
        raise InputError("--layer and --distance-from both ask for the colours; give one of them")
    if sources:
        return distance_heat(layout, sources, colours)
    return built_in_heat(layout, layer, colours) if layer else None
