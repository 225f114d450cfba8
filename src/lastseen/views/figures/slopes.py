"""Slopes: contour lines, as on a map, and arrows that point up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...conventions import Array, Bools, Floats
from ...level.level import Floor, Floors, Level, Tiles
from .canvas import Canvas
from .palette import HEIGHT_LINE, QUIET_INK

__all__ = ["draw_floor_slopes", "draw_height_lines", "draw_ways_up", "is_sloping"]

_INTERVALS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
_GENTLE = 0.08
_LEAST_SPACING = 4.0


def is_sloping(polygon: Floor) -> bool:
    """Return whether a polygon slopes."""
    return bool(np.ptp(polygon.outline_xyz[:, 2]) > 0.05)


def draw_height_lines(canvas: Canvas, planes: Floats, numbers: Array) -> None:
    """Draw contour lines.

    Parameters
    ----------
    planes : (F, 3) float64, z = a x + b y + c.
    numbers : (rows, columns) int32, the plane at each pixel, -1 for none.
    """
    slope = np.hypot(planes[:, 0], planes[:, 1])
    if not (slope > _GENTLE).any():
        return
    sloping = (numbers >= 0) & (slope > _GENTLE)[numbers]
    if sloping.any():
        canvas.blend(_lines(canvas, planes, slope, numbers, sloping), HEIGHT_LINE)


def draw_floor_slopes(canvas: Canvas, polygons: Sequence[Floor]) -> None:
    """Draw the contour lines of ramps and stairs."""
    if polygons:
        planes = np.stack([_plane(polygon.outline_xyz) for polygon in polygons])
        numbers = canvas.numbered([(n, polygon.outline_xyz) for n, polygon in enumerate(polygons)])
        draw_height_lines(canvas, planes, numbers)


def draw_ways_up(canvas: Canvas, level: Level, storey: int) -> None:
    """Draw an arrow up each ramp and flight of stairs of a storey."""
    for polygon in _ramps(level):
        if polygon.storey == storey and is_sloping(polygon):
            outline = polygon.outline_xyz
            way = _plane(outline)[:2]
            way /= np.hypot(*way) or 1.0
            middle = outline[:, :2].mean(axis=0)
            along = (outline[:, :2] - middle) @ way
            foot, top = middle + 0.7 * along.min() * way, middle + 0.7 * along.max() * way
            canvas.arrow(foot, top, QUIET_INK, 1.3, min(6.0, 0.25 * canvas.view.scale))


def _ramps(level: Level) -> Iterator[Floor]:
    surface = level.surface
    if isinstance(surface, Tiles):
        yield from surface.ramps
    elif isinstance(surface, Floors):
        yield from surface.polygons


def _plane(outline: Floats) -> Floats:
    """Return a, b, c of the plane z = a x + b y + c that fits the corners best."""
    middle = outline.mean(axis=0)
    around = outline - middle
    ab = np.linalg.lstsq(around[:, :2], around[:, 2], rcond=None)[0]
    return np.array([ab[0], ab[1], middle[2] - ab @ middle[:2]])


def _lines(canvas: Canvas, planes: Floats, slope: Floats, numbers: Array, sloping: Bools) -> Bools:
    x, y = canvas.columns_rows()
    typical = float(np.median(slope[numbers[sloping]]))
    spacing = canvas.view.scale / typical
    interval = next((i for i in _INTERVALS if i * spacing >= _LEAST_SPACING), _INTERVALS[-1])
    here = planes[numbers]
    z = here[..., 0] * x[None, :] + here[..., 1] * y[:, None] + here[..., 2]
    # The offset keeps floors at round heights off the lines.
    step = np.floor(z / interval + 0.37)
    lines = np.zeros(numbers.shape, dtype=bool)
    lines[:, 1:] |= (step[:, 1:] != step[:, :-1]) & sloping[:, 1:] & sloping[:, :-1]
    lines[1:, :] |= (step[1:, :] != step[:-1, :]) & sloping[1:, :] & sloping[:-1, :]
    return canvas.grown(lines, 0.4) & sloping
