"""`lastseen show FILE -o picture.png`: draw a baked level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..app.options import kind_option, output_option, scale_option, storey_option, up_option

if TYPE_CHECKING:
    from ....cells.cell_file import Baked
    from ....level.level import Level
    from ...figures.drawing.heat import Heat
    from ..app.console import Stages


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
@scale_option
@storey_option
@kind_option
@up_option
def command(file: str, output: str, kind: str, up: str, **given: Any) -> None:
    """Draw FILE: a baked cell file, or a level (file or sample), which is baked with default settings first.

    \b
    lastseen show warehouse -o warehouse.png --cells
    lastseen show house.cells -o house.png --distance-from 2,3
    lastseen show dungeon.cells -o floor.png --storey 0 --faces --layer height
    """
    from ....files import atomic_write
    from ..app.console import Stages
    from ..app.level_source import is_cell_file
    from ..app.outputs import check_picture

    overlay = given["level"]
    path = check_picture(output, file, *([overlay] if overlay else []))
    _check(given, bakes=not is_cell_file(file))
    with Stages(quiet=False) as stages:
        baked = _load(file, overlay, kind, up, stages)
        stages.watch_compiler()
        picture = stages.run("picture", _draw, baked, file, given)
        stages.run("write", atomic_write, path, picture)
    click.echo(f"wrote {output}")


def _check(given: dict[str, Any], *, bakes: bool) -> None:
    """Reject wrong options before minutes of baking."""
    from ....checks import finite_number
    from ....errors import InputError, did_you_mean
    from ...figures.drawing.palette import scale_colours
    from .layer_heat import BUILT_IN, parse_numbers

    scale_colours(given["colours"])
    if given["layer"] and given["sources"]:
        raise InputError("--layer and --distance-from both set the colours; give only one")
    if given["scale"] is not None:
        finite_number(given["scale"], "--scale", unit="pixels per metre", low=0.0, high=1e4, open_low=True)
    if given["storey"] is not None and given["storey"] < 0:
        raise InputError(f"there is no storey {given['storey']}; storeys count from 0, the lowest")
    for place in given["sources"]:
        parse_numbers(place)
    if bakes and given["layer"] and given["layer"] not in BUILT_IN:
        guess = did_you_mean(given["layer"], BUILT_IN)
        raise InputError(f"no layer {given['layer']!r}{guess}; a freshly baked level has {' and '.join(BUILT_IN)}")


def _load(file: str, overlay: str | None, kind: str, up: str, stages: Stages) -> Baked:
    """Return a cell file or a level baked now, with `overlay` replacing its own level."""
    from dataclasses import replace

    from ..app.level_source import is_cell_file, read_source

    if is_cell_file(file):
        from ....cells.cell_file import load_baked

        baked: Baked = stages.run("read", load_baked, file)
    else:
        baked = _bake(file, kind, up, stages)
    if overlay:
        baked = replace(baked, level=stages.run("read", read_source, overlay, kind=kind, up=up))
    return baked


def _bake(file: str, kind: str, up: str, stages: Stages) -> Baked:
    from ....cells.cell_file import Baked
    from ..app.bake_request import BakeRequest
    from ..app.level_source import read_source

    drawn: Level = stages.run("read", read_source, file, kind=kind, up=up)
    layout = BakeRequest().bake(drawn, stages, file)
    click.echo(
        f"{file} is a level: baked with cells of {layout.arrays.size_xyz[0]:g} m "
        f"for a body of radius {layout.mesh.body.radius:g} m "
        "(use `lastseen bake` for other values)",
        err=True,
    )
    return Baked(layout, drawn, {})


def _draw(baked: Baked, file: str, given: dict[str, Any]) -> bytes:
    from ....level.level import TriangleSoup
    from ...figures.level.layout_figure import Shown, draw_layout
    from ..app.level_source import source_name

    # Triangles seen from above would hide the lower storeys; the faces alone show the walkable floor.
    soup = baked.level is not None and isinstance(baked.level.surface, TriangleSoup)
    return draw_layout(
        baked.layout,
        level=None if soup else baked.level,
        heat=_heat(baked, given["layer"], given["sources"], given["colours"]),
        shown=Shown(**{name: given[name] for name in ("faces", "cells", "links", "labels")}),
        scale=given["scale"],
        storey=given["storey"],
        title=baked.layout.mesh.name or source_name(file),
    )


def _heat(baked: Baked, layer: str | None, sources: tuple[str, ...], colours: str) -> Heat | None:
    from .layer_heat import distance_heat, layer_heat, parse_point

    if sources:
        places = [parse_point(baked.layout, given) for given in sources]
        return distance_heat(baked.layout, places, baked.level, scale=colours)
    return layer_heat(baked.layout, baked.layers, layer, colours) if layer else None
