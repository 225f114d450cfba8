"""A picture of a layout: faces, cells, links, and a layer as heat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ....cells.layout import CellLayout
from ....conventions import Array, Bools
from ....errors import InputError
from ....level.level import Level
from ..drawing.canvas import Canvas
from ..drawing.cell_raster import cell_numbers
from ..drawing.heat import Heat, draw_legend, heat_colours
from ..drawing.level_map import LevelMap
from ..drawing.overlay import draw_features, key_entry, key_of, labelled
from ..drawing.page import KeyEntry, png_bytes
from ..drawing.palette import (
    CELL_LINE,
    CELL_LINE_ON_HEAT,
    FACE_LINE,
    HATCH,
    LINK,
    LINK_STEEP,
    WALKABLE,
    Colour,
    scale_colours,
)
from ..drawing.route_lines import Route, routes_of
from ..drawing.surface import edges_between
from ..drawing.symbols import draw_source

_SMALLEST_CELL_DRAWN = 3.0


@dataclass(frozen=True)
class Shown:
    """Details to draw besides the walkable ground; `labels` None: if there is room for them."""

    faces: bool = False
    cells: bool = False
    links: bool = False
    labels: bool | None = None


def draw_layout(
    layout: CellLayout,
    *,
    level: Level | None = None,
    heat: Heat | None = None,
    shown: Shown = Shown(),  # noqa: B008 - frozen
    scale: float | None = None,
    storey: int | None = None,
    title: str = "",
) -> bytes:
    """Return a PNG of a layout, with storeys side by side.

    Parameters
    ----------
    level : the level as drawn, shown below and above the cells.
    heat : a layer shown as colour, one value per cell.
    scale : pixels per metre; None fits a large screen.
    storey : show only this storey.
    """
    if heat is not None and len(heat.values) != len(layout):
        raise InputError(f"layer {heat.name!r} has {len(heat.values):,} values; this layout has {len(layout):,} cells")
    chart = LevelMap(level, layout.mesh, scale=scale, storey=storey)
    drawn = chart.level
    routes = routes_of(drawn, layout.mesh) if drawn is not None else []
    panels = []
    for number in chart.numbers:
        canvas = _draw_storey(chart, layout, heat, shown, number, routes)
        words = chart.title(number) and f"{chart.title(number)} · {_cells_on(layout, number):,} cells"
        panels.append(labelled(canvas, drawn, chart.storeys, number, words, labels=shown.labels))
    name = title or layout.mesh.name or (level.name if level is not None else "") or "cells"
    sheet = chart.sheet(
        panels,
        title=name,
        subtitle=_subtitle(layout),
        legend=None if heat is None else draw_legend(heat),
        key=[*(() if drawn is None else key_of(drawn)), *_key(layout, heat, shown, chart.view.scale)],
    )
    return png_bytes(sheet, f"layout of {name}")


def _draw_storey(
    chart: LevelMap, layout: CellLayout, heat: Heat | None, shown: Shown, storey: int, routes: Sequence[Route]
) -> Canvas:
    canvas, faces = chart.canvas(storey)
    large = _cells_are_large(layout, canvas.view.scale)
    if heat is not None or (shown.cells and large):
        cells = cell_numbers(canvas, layout, faces)
        if heat is not None:
            _draw_heat(canvas, heat, cells)
        if shown.cells and large:
            ink = CELL_LINE if heat is None else CELL_LINE_ON_HEAT
            canvas.blend(canvas.grown(edges_between(cells), 0.34) & (faces >= 0), ink, 0.9 if heat is None else 0.45)
    if shown.faces:
        canvas.blend(canvas.grown(edges_between(faces), 0.4) & (faces >= 0), FACE_LINE)
    if shown.links:
        _draw_links(canvas, layout, storey)
    if chart.level is not None:
        draw_features(canvas, chart.level, chart.storeys, storey, routes, tint=heat is None)
    if heat is not None:
        for source in heat.sources_xyz:
            if chart.here(source, storey):
                draw_source(canvas, source)
    return canvas


def _cells_are_large(layout: CellLayout, scale: float) -> bool:
    return float(layout.arrays.size_xyz[0]) * scale >= _SMALLEST_CELL_DRAWN


def _key(layout: CellLayout, heat: Heat | None, shown: Shown, scale: float) -> list[KeyEntry]:
    """Return the key of the lines between cells and faces, of links, and of where a distance starts."""
    *_, steep = _links(layout)
    cell_line = CELL_LINE if heat is None else CELL_LINE_ON_HEAT
    # A pale line is visible only on the colours of a layer.
    red, green, blue = WALKABLE if heat is None else scale_colours(heat.scale)[128].tolist()
    floor = red, green, blue
    lines = (
        (shown.cells and _cells_are_large(layout, scale), "edge of cells", cell_line),
        (shown.faces, "edge of faces", FACE_LINE),
        (shown.links and not steep.all(), "link", LINK),
        (shown.links and bool(steep.any()), "link to another level", LINK_STEEP),
    )
    key = [key_entry(words, _line_on_floor(colour, floor)) for present, words, colour in lines if present]
    if heat is not None and len(heat.sources_xyz):
        key.append(key_entry("start", lambda canvas: draw_source(canvas, np.zeros(3))))
    return key


def _links(layout: CellLayout) -> tuple[Array, Array, Bools]:
    """Return the cells at both ends of every link, and whether it leads to another level of the grid."""
    arrays = layout.arrays
    first = arrays.link_start.astype(np.int64)
    start = np.repeat(np.arange(len(layout)), first[1:] - first[:-1])
    end = arrays.link_cell.astype(np.int64)
    return start, end, arrays.cell_grid[start, 2] != arrays.cell_grid[end, 2]


def _line_on_floor(colour: Colour, floor: Colour) -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        canvas.polygon(np.array([[-0.9, -0.5], [0.9, -0.5], [0.9, 0.5], [-0.9, 0.5]]), floor)
        canvas.line(np.array([[-0.8, 0.0], [0.8, 0.0]]), colour, 1.2)

    return draw


def _draw_heat(canvas: Canvas, heat: Heat, cells: Array) -> None:
    there = cells >= 0
    known = np.append(heat.known, False)
    canvas.paint(heat_colours(heat)[np.where(there, cells, 0)], there & known[cells])
    unknown: Bools = there & ~known[cells]
    if unknown.any():
        canvas.blend(unknown & canvas.hatch(6.0, 1.0), HATCH)


def _draw_links(canvas: Canvas, layout: CellLayout, storey: int) -> None:
    """Draw each link between cells once; links to another level of the grid have their own colour."""
    start, end, steep = _links(layout)
    storey_of = layout.mesh.face_storey[layout.cell_face.astype(np.int64)]
    once = ((storey_of[start] == storey) | (storey_of[end] == storey)) & (start < end)
    xy = layout.arrays.cell_xyz[:, :2].astype(np.float64)
    for mask, colour in ((once & ~steep, LINK), (once & steep, LINK_STEEP)):
        canvas.segments(np.stack([xy[start[mask]], xy[end[mask]]], axis=1), colour, 0.8)


def _cells_on(layout: CellLayout, storey: int) -> int:
    return int((layout.mesh.face_storey[layout.cell_face.astype(np.int64)] == storey).sum())


def _subtitle(layout: CellLayout) -> str:
    edge = layout.arrays.size_xyz
    area = float(layout.mesh.face_area.sum())
    body = layout.mesh.body
    return (
        f"{len(layout):,} cells of {edge[0]:g} x {edge[1]:g} x {edge[2]:g} m · {layout.mesh.face_count:,} faces · "
        f"{area:,.0f} m2 walkable · body radius {body.radius:g} m"
    )
