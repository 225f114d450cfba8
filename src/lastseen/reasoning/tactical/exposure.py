"""Exposure and cover: which cells are seen from where, and what hides a body."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...cells.layout import AnyLayout
from ...cells.query import CellSets, cells_within_many
from ...checks import finite_number, points_xyz, read_only, real_array, shown, thing_of
from ...conventions import Array, Floats
from ...errors import InputError
from ...kernels.sight.exposure import cover_from_eyes, cover_from_ways, seen_cells
from ...layers.layer import Layer, cell_ids, require_cells, require_layer
from ...level.sight.sight import Sight

HEIGHTS = (0.4, 0.8, 1.2, 1.6)
"""Metres above the floor at which a standing body is looked at: four rays, as for cover posts."""
_FARTHEST = 1e4


def cells_seen(
    cells: AnyLayout,
    sight: Sight,
    eyes_xyz: Any,
    *,
    reach: Any = 40.0,
    at: float = 1.0,
    heading: Any = None,
    angle: float = 2.0 * math.pi,
) -> CellSets:
    """Return the cells each of `eyes_xyz` (n, 3) sees, as sets of int32 ids; z is the height of the eye itself.

    Parameters
    ----------
    sight : what blocks sight; doors count as they are now.
    reach : metres an eye sees, in space to the cell's floor, one or (n,).
    at : metres above the floor of the point that must be visible: 1.0 is a chest, 0.2 a lying body.
    heading, angle : direction in radians, one or (n,), and full opening angle; None: all around.

    Notes
    -----
    Travis McIntosh, "Human Enemy AI in *The Last of Us*", walks an 8-bit height map; here lines of sight are exact.
    Cells disabled by a cut are left out.
    """
    require_cells(cells)
    arrays = thing_of(sight, Sight, "sight", "create one with Sight.from_level(level)").arrays
    eyes = points_xyz(eyes_xyz, "eyes_xyz")
    height = finite_number(at, "at", unit="m", low=0.0, high=100.0)
    near = cells_within_many(cells, eyes, _reaches(reach, len(eyes)))
    facing, cosine = _views(heading, angle, len(eyes))
    found, start = near.cell.copy(), np.empty(len(eyes) + 1, np.int64)
    count = seen_cells(arrays, cells.arrays.cell_xyz, eyes, facing, cosine, height, near.start, found, start)
    return CellSets(read_only(start), read_only(found[:count].copy()))


def expose(layer: Layer, seen: CellSets) -> Array:
    """Write what eyes see into a layer; return the cells written, int32, ascending.

    A bool layer is the exposure map: whether any eye sees a cell, the union of the single maps. Any other layer gets
    the number of eyes that see a cell added, clamped to its range. `layer.clear(cells)` removes it again.
    """
    require_layer(layer)
    cells = cell_ids(layer.layout, thing_of(seen, CellSets, "seen", "give the result of cells_seen").cell)
    touched, count = np.unique(cells, return_counts=True)
    if layer.dtype == np.bool_:
        layer.values[touched] = True
    else:
        layer.add(touched, count)
    return read_only(touched.astype(np.int32))


def cover_towards(
    cells: AnyLayout,
    sight: Sight,
    which: Any,
    directions: Any,
    *,
    reach: float = 3.0,
    heights: Sequence[float] = HEIGHTS,
    fan: float = math.radians(20.0),
) -> Floats:
    """Return how well cells are covered from threats in a direction, (n, d) float64, 0: open, 1: fully covered.

    Parameters
    ----------
    which : (n,) cell ids, or a mask.
    directions : (d, 2) or (2,): direction of the threats, seen from the cells.
    reach : metres within which cover counts: a wall at the far end of a hall does not.
    heights : metres above the floor of the points to cover.
    fan : total angle in radians over which threats may be spread.

    Notes
    -----
    The share of horizontal rays that are blocked: from each height, straight and to both ends of the fan.
    """
    arrays, places = _bodies(cells, sight, which)
    ways = real_array(directions, "directions", "(x, y), one or several")
    ways = ways[None] if ways.ndim == 1 else ways
    if ways.ndim != 2 or ways.shape[1] != 2 or not np.isfinite(ways).all():
        raise InputError(f"directions have shape {ways.shape}; give (d, 2), finite")
    length = np.hypot(ways[:, 0], ways[:, 1])
    if not (length > 0.0).all():
        raise InputError("a direction is (0, 0); give the direction of the threat, seen from the cell")
    far = finite_number(reach, "reach", unit="m", low=0.0, high=_FARTHEST, open_low=True)
    wide = finite_number(fan, "fan", unit="rad", low=0.0, high=2.0 * math.pi)
    turns = np.array([0.0]) if wide == 0.0 else np.array([-wide / 2.0, 0.0, wide / 2.0])
    out = np.empty((len(places), len(ways)))
    cover_from_ways(arrays, places, ways / length[:, None], _heights(heights), turns, far, out)
    return read_only(out)


def cover_against(
    cells: AnyLayout, sight: Sight, which: Any, eyes_xyz: Any, *, heights: Sequence[float] = HEIGHTS
) -> Floats:
    """Return how much of a body in each cell each eye does not see, (n, m) float64, 0: all is seen, 1: nothing.

    `eyes_xyz` (m, 3) include the height of the eye; the rest is as for `cover_towards`. Against several eyes together,
    take the minimum of a row. The source keeps a post if any ray gets through: its cover is below 1.
    """
    arrays, places = _bodies(cells, sight, which)
    eyes = points_xyz(eyes_xyz, "eyes_xyz")
    out = np.empty((len(places), len(eyes)))
    cover_from_eyes(arrays, places, eyes, _heights(heights), out)
    return read_only(out)


def _bodies(cells: AnyLayout, sight: Sight, which: Any) -> tuple[Any, Floats]:
    require_cells(cells)
    arrays = thing_of(sight, Sight, "sight", "make one with Sight.from_level(level)").arrays
    return arrays, cells.arrays.cell_xyz[cell_ids(cells, which)].astype(np.float64)


def _heights(values: Any) -> Floats:
    heights = real_array(values, "heights", "metres above the floor")
    if heights.ndim != 1 or not len(heights) or not ((heights >= 0.0) & (heights <= 100.0)).all():
        raise InputError(f"heights are {shown(values)}; give one or more, from 0 to 100 m")
    return np.ascontiguousarray(heights)


def _reaches(reach: Any, count: int) -> Floats:
    given = real_array(reach, "reach", "metres, one number or one for each eye")
    if given.shape not in ((), (count,)) or not (given >= 0.0).all():
        raise InputError(f"reach is {shown(reach)}; give metres of 0 or more, one or one for each of {count} eyes")
    return np.full(count, given)


def _views(heading: Any, angle: float, count: int) -> tuple[Floats, Floats]:
    """Return the direction of each eye (n, 2) and the cosine of half its opening (n,); -1: all around."""
    wide = finite_number(angle, "angle", unit="rad", low=0.0, open_low=True)
    if heading is None:
        return np.zeros((count, 2)), np.full(count, -1.0)
    facing = real_array(heading, "heading", "radians, one number or one for each eye")
    if facing.shape not in ((), (count,)) or not np.isfinite(facing).all():
        raise InputError(f"heading is {shown(heading)}; give finite radians, one or one for each of {count} eyes")
    turn = np.full(count, facing)
    half = min(wide / 2.0, math.pi)
    return np.column_stack([np.cos(turn), np.sin(turn)]), np.full(count, -1.0 if half >= math.pi else math.cos(half))
