"""A picture of a level as the designer drew it."""

from __future__ import annotations

import numpy as np

from ....errors import InputError
from ....level.level import ConvexFaces, Floors, Level, Tiles, TriangleSoup
from ..drawing.canvas import Canvas
from ..drawing.overlay import draw_features, key_of, labelled
from ..drawing.page import compose, png_bytes
from ..drawing.palette import WALKABLE
from ..drawing.route_lines import routes_of
from ..drawing.storeys import Storeys, storeys_of_level
from ..drawing.surface import draw_ground, surface_bounds
from ..drawing.viewport import choose_view


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
    storeys = storeys_of_level(level)
    shown = chosen_storeys(storeys, storey)
    bounds = surface_bounds(level)
    view, across = choose_view(bounds[0], bounds[1], panels=len(shown), scale=scale, y_down=rows_run_down(level))
    panels = []
    for number in shown:
        canvas = Canvas(view)
        draw_ground(canvas, level, storeys, number, WALKABLE)
        draw_features(canvas, level, storeys, number, routes_of(level))
        words = storeys.title(number) if len(storeys) > 1 else ""
        panels.append(labelled(canvas, level, storeys, number, words, labels=labels))
    name = title or level.name or "level"
    sheet = compose(panels, across, view, title=name, subtitle=_subtitle(level, bounds), key=key_of(level))
    return png_bytes(sheet, f"level {name}")


def rows_run_down(level: Level | None) -> bool:
    """Return whether y runs down the picture, as the rows of a tile map do in its file."""
    return level is not None and (level.y_down or isinstance(level.surface, Tiles))


def chosen_storeys(storeys: Storeys, storey: int | None) -> list[int]:
    """Return the storeys to show: all, or the one requested."""
    if storey is None:
        return list(range(len(storeys)))
    if not 0 <= storey < len(storeys):
        raise InputError(
            f"there is no storey {storey}; this level has storeys 0 to {len(storeys) - 1}, 0 at the bottom"
        )
    return [storey]


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
