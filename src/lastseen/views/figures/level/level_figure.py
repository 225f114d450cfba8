"""A picture of a level as the designer drew it."""

from __future__ import annotations

import numpy as np

from ....level.level import ConvexFaces, Floors, Level, Tiles, TriangleSoup
from ..drawing.level_map import LevelMap
from ..drawing.overlay import draw_features, key_of, labelled
from ..drawing.page import png_bytes
from ..drawing.route_lines import routes_of


def draw_level(
    level: Level, *, scale: float | None = None, storey: int | None = None, labels: bool | None = None, title: str = ""
) -> bytes:
    """Return a PNG of the level: storeys side by side, with everything on them.

    Parameters
    ----------
    scale : pixels per metre; None fits a large screen.
    storey : show only this storey.
    labels : write names next to things; None: if there is room for them.
    """
    chart = LevelMap(level, scale=scale, storey=storey)
    panels = []
    for number in chart.numbers:
        canvas, _ = chart.canvas(number)
        draw_features(canvas, level, chart.storeys, number, routes_of(level))
        panels.append(labelled(canvas, level, chart.storeys, number, chart.title(number), labels=labels))
    name = title or level.name or "level"
    sheet = chart.sheet(panels, title=name, subtitle=_subtitle(level, chart.bounds), key=key_of(level))
    return png_bytes(sheet, f"level {name}")


def _subtitle(level: Level, bounds: np.ndarray) -> str:
    wide, tall = (bounds[1] - bounds[0]).tolist()
    surface = level.surface
    if isinstance(surface, Tiles):
        what = f"{sum(int(floor.passable.sum()) for floor in surface.floors):,} passable tiles"
    elif isinstance(surface, Floors):
        what = f"{len(surface.polygons):,} floor polygons"
    elif isinstance(surface, TriangleSoup):
        what = f"{len(surface.triangles):,} triangles"
    elif isinstance(surface, ConvexFaces):
        what = f"{len(surface.face_start) - 1:,} faces"
    return f"{wide:.4g} m x {tall:.4g} m · {what}"
