"""Draw a baked level and its layers, as the options of `lastseen show` request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click
import numpy as np

from ....cells.cell_file import Baked, load_baked
from ....cells.layout import CellLayout
from ....cells.query import nearest_cells
from ....checks import finite_number, point_xyz
from ....conventions import Array, Floats
from ....errors import InputError, did_you_mean
from ....files import atomic_write
from ....layers.spread import Spread
from ....level.level import Level
from ...figures.drawing.heat import Heat
from ...figures.drawing.palette import scale_colours
from ...figures.level.layout_figure import Shown, draw_layout
from ..app.bake_request import BakeRequest
from ..app.console import Stages
from ..app.inputs import is_cell_file, parse_numbers, read_source, source_name
from ..app.outputs import check_picture

_BUILT_IN = ("height", "links")
"""Layers of every layout: height of the floor, and number of cells an agent can step to."""


def show(file: str, given: dict[str, Any]) -> None:
    """Run `lastseen show`."""
    overlay, kind, up = given["level"], given["kind"], given["up"]
    path = check_picture(given["output"], file, *([overlay] if overlay else []))
    _check(given, bakes=not is_cell_file(file))
    with Stages(quiet=False) as stages:
        baked: Baked = stages.run("read", load_baked, file) if is_cell_file(file) else _bake(file, kind, up, stages)
        if overlay:
            baked = replace(baked, level=stages.run("read", read_source, overlay, kind=kind, up=up))
        stages.watch_compiler()
        picture = stages.run(
            "picture",
            draw_layout,
            baked.layout,
            level=baked.level,
            heat=_heat(baked, given),
            shown=Shown(**{name: given[name] for name in ("faces", "cells", "links", "labels")}),
            scale=given["scale"],
            storey=given["storey"],
            title=baked.layout.mesh.name or source_name(file),
        )
        stages.run("write", atomic_write, path, picture)
    click.echo(f"wrote {given['output']}")


def _check(given: dict[str, Any], *, bakes: bool) -> None:
    """Reject wrong options before minutes of baking."""
    scale_colours(given["colours"])
    if given["layer"] and given["sources"]:
        raise InputError("--layer and --distance-from both set the colours; give only one")
    if given["scale"] is not None:
        finite_number(given["scale"], "--scale", unit="pixels per metre", low=0.0, high=1e4, open_low=True)
    if given["storey"] is not None and given["storey"] < 0:
        raise InputError(f"there is no storey {given['storey']}; storeys count from 0, the lowest")
    for place in given["sources"]:
        _distance_numbers(place)
    if bakes and given["layer"] and given["layer"] not in _BUILT_IN:
        guess = did_you_mean(given["layer"], _BUILT_IN)
        raise InputError(f"no layer {given['layer']!r}{guess}; a freshly baked level has {' and '.join(_BUILT_IN)}")


def _bake(file: str, kind: str, up: str, stages: Stages) -> Baked:
    drawn: Level = stages.run("read", read_source, file, kind=kind, up=up)
    layout = BakeRequest().bake(drawn, stages, file)
    click.echo(
        f"{file} is a level: baked with cells of {layout.arrays.size_xyz[0]:g} m "
        f"for a body of radius {layout.mesh.body.radius:g} m "
        "(use `lastseen bake` for other values)",
        err=True,
    )
    return Baked(layout, drawn, {})


def _heat(baked: Baked, given: dict[str, Any]) -> Heat | None:
    """Return the layer to show as colour, if one is requested."""
    layer, sources, scale = given["layer"], given["sources"], given["colours"]
    if sources:
        places = [_distance_point(baked.layout, source) for source in sources]
        return _distance_heat(baked.layout, np.array(places), baked.level, scale)
    return _layer_heat(baked.layout, baked.layers, layer, scale) if layer else None


def _layer_heat(layout: CellLayout, kept: Mapping[str, Array], name: str, scale: str) -> Heat:
    """Return a layer kept in the cell file, or one that every layout has."""
    if name in kept:
        return Heat(kept[name].astype(np.float64), name, scale=scale)
    if name == "height":
        height = layout.arrays.cell_xyz[:, 2].astype(np.float64)
        return Heat(height - height.min(), "height above the lowest floor", "m", scale=scale)
    if name == "links":
        first = layout.arrays.link_start.astype(np.float64)
        return Heat(first[1:] - first[:-1], "cells in one step", "", scale=scale)
    names = (*kept, *_BUILT_IN)
    raise InputError(f"no layer {name!r}{did_you_mean(name, names)}; there are {', '.join(names)}")


def _distance_heat(layout: CellLayout, places: Floats, level: Level | None, scale: str) -> Heat:
    """Return the walking distance from the nearest of some places, (n, 3) metres; every door counts as open."""
    cells = nearest_cells(layout, places)
    reached = Spread(layout).distances(cells)
    metres = np.full(len(layout), np.nan)
    metres[reached.cells] = reached.metres
    where = layout.arrays.cell_xyz[cells].astype(np.float64)
    shut = level is not None and any(not door.open for door in level.doors)
    name = "walking distance, every door open" if shut else "walking distance"
    return Heat(metres, name, "m", sources_xyz=where, scale=scale, none="unreachable")


def _distance_point(layout: CellLayout, given: str) -> Floats:
    """Return "x,y" or "x,y,z" as a position in metres within the layout's bounds; without z, on the lowest floor."""
    numbers = _distance_numbers(given)
    if len(numbers) == 2:
        numbers.append(_lowest_floor(layout, numbers))
    place = point_xyz(numbers, "--distance-from")
    low, high = layout.mesh.bounds_xyz
    if (place[:2] < low[:2]).any() or (place[:2] > high[:2]).any():
        raise InputError(
            f"--distance-from {given} lies outside the level, which spans ({low[0]:g}, {low[1]:g}) "
            f"to ({high[0]:g}, {high[1]:g}) m"
        )
    return place


def _distance_numbers(given: str) -> list[float]:
    numbers = parse_numbers(given, "--distance-from", "position", "in metres, such as 4.5,3")
    point_xyz(numbers, "--distance-from")
    return numbers


def _lowest_floor(layout: CellLayout, xy: list[float]) -> float:
    """Return the height of the lowest cell within two cells of a position, else of the lowest cell of all."""
    cells = layout.arrays.cell_xyz
    reach = 2.0 * float(layout.arrays.size_xyz[0])
    near = cells[np.hypot(cells[:, 0] - xy[0], cells[:, 1] - xy[1]) <= reach]
    return float((near if len(near) else cells)[:, 2].min())
