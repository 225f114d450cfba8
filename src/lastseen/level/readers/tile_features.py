"""Outlines of drawn tiles, and the features they stand for: doors, cover, agents, zones."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import shapely

from ...conventions import Bools, Floats
from .parts import Meaning, Parts

PASSABLE_KINDS = frozenset({"floor", "door", "hide", "player", "guard", "exit", "marker", "waypoint", "zone"})
"""Kinds of tile an agent can stand on; the ground of a door is passable, its `Door` blocks while closed."""

_SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


class TileGrid:
    """One storey of tiles: which are passable, and their positions in the world."""

    def __init__(self, passable: Bools, tile: float, z: float, origin_xy: tuple[float, float] = (0.0, 0.0)) -> None:
        self.passable = passable
        self.tile = tile
        self.z = z
        self.origin_xy = origin_xy

    def centre(self, column: int, row: int) -> tuple[float, float, float]:
        """Return the centre of a tile in metres."""
        return (
            self.origin_xy[0] + (column + 0.5) * self.tile,
            self.origin_xy[1] + (row + 0.5) * self.tile,
            self.z,
        )

    def can_stand(self, column: int, row: int) -> bool:
        """Return whether a tile is inside the grid and passable."""
        rows, columns = self.passable.shape
        return 0 <= row < rows and 0 <= column < columns and bool(self.passable[row, column])

    def exit_heading(self, column: int, row: int) -> float:
        """Return the heading in radians towards the first passable neighbour: +x, +y, -x, -y; 0 if there is none."""
        for step_x, step_y in _SIDES:
            if self.can_stand(column + step_x, row + step_y):
                return math.atan2(step_y, step_x)
        return 0.0


def place(parts: Parts, meaning: Meaning, mask: Bools, grid: TileGrid) -> None:
    """Add the features that the true tiles of `mask[row, column]` stand for to `parts`."""
    if meaning.kind in ("cover", "zone"):
        outlines = (
            merged_outlines(mask, grid.tile, grid.origin_xy)
            if meaning.kind == "zone"
            else [rectangle_outline(rectangle, grid.tile, grid.origin_xy) for rectangle in rectangles(mask)]
        )
        for outline in outlines:
            parts.add_outline(meaning, parts.names.take(meaning.name, meaning.kind), outline, grid.z)
    elif meaning.kind not in ("wall", "floor", "void", "waypoint", "stairs"):
        for row, column in np.argwhere(mask).tolist():
            _place_one(parts, meaning, column, row, grid)


def _place_one(parts: Parts, meaning: Meaning, column: int, row: int, grid: TileGrid) -> None:
    usual = "hiding place" if meaning.kind == "hide" else meaning.subkind or meaning.kind
    name = parts.names.take(meaning.name or ("player" if meaning.kind == "player" else ""), usual)
    if meaning.kind == "door":
        outline = rectangle_outline((column, row, column + 1, row + 1), grid.tile, grid.origin_xy)
        parts.add_outline(meaning, name, outline, grid.z)
        return
    if meaning.kind == "hide" and meaning.heading is None:
        meaning = replace(meaning, heading=grid.exit_heading(column, row))
    parts.add_point(meaning, name, grid.centre(column, row))


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
