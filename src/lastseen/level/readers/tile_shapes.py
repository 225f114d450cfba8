"""Convert tiles to outlines: rectangles of a mask, outlines of its connected parts."""

from __future__ import annotations

import numpy as np
import shapely

from ...conventions import Bools, Floats

__all__ = ["Rectangle", "merged_outlines", "rectangle_outline", "rectangles"]

Rectangle = tuple[int, int, int, int]


def rectangles(mask: Bools) -> list[Rectangle]:
    """Cover the true tiles of `mask[row, column]` with disjoint rectangles.

    Returns `(first column, first row, end column, end row)`, ends exclusive, in order of the last row touched.
    Runs of equal extent in consecutive rows are joined, so a block of tiles is one rectangle.
    """
    done: list[Rectangle] = []
    open_runs: dict[tuple[int, int], int] = {}
    rows = np.flatnonzero(mask.any(axis=1)).tolist()
    before = -2
    for row in rows:
        edges = np.flatnonzero(np.diff(mask[row].astype(np.int8), prepend=0, append=0))
        runs = list(zip(edges[::2].tolist(), edges[1::2].tolist()))
        kept = {run: open_runs.pop(run) for run in runs if row == before + 1 and run in open_runs}
        done += [(first, start, end, before + 1) for (first, end), start in open_runs.items()]
        open_runs = {run: kept.get(run, row) for run in runs}
        before = row
    return done + [(first, start, end, before + 1) for (first, end), start in open_runs.items()]


def rectangle_outline(rectangle: Rectangle, tile: float, origin_xy: tuple[float, float] = (0.0, 0.0)) -> Floats:
    """Return the four corners of a rectangle of tiles in metres, counter-clockwise from above: (4, 2) float64."""
    left, low, right, high = rectangle
    corners = np.array([[left, low], [right, low], [right, high], [left, high]], dtype=np.float64)
    return corners * tile + np.asarray(origin_xy)


def merged_outlines(mask: Bools, tile: float, origin_xy: tuple[float, float] = (0.0, 0.0)) -> list[Floats]:
    """Return the outer outline of each part of `mask` connected by sides, (n, 2) float64; holes are filled."""
    boxes = [shapely.box(*rectangle) for rectangle in rectangles(mask)]
    merged = shapely.union_all(boxes)
    parts = getattr(merged, "geoms", [merged])
    outlines = [shapely.get_coordinates(shapely.orient_polygons(part).exterior)[:-1] for part in parts]
    return [_corners(outline) * tile + np.asarray(origin_xy) for outline in outlines]


def _corners(outline: Floats) -> Floats:
    """Return the points where a grid-aligned outline turns."""
    arrive = outline - np.roll(outline, 1, axis=0)
    leave = np.roll(outline, -1, axis=0) - outline
    return outline[arrive[:, 0] * leave[:, 1] != arrive[:, 1] * leave[:, 0]]
