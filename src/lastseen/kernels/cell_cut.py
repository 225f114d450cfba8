"""Faces to pieces of floor: every face is cut along the columns of the grid."""

from __future__ import annotations

import math

import numpy as np

from ..conventions import Array
from .jit import jit
from .mesh_arrays import MeshArrays

__all__ = ["count_fragments", "cut_faces"]

_SLIVER = 1e-6  # share of a column's area, and of a cell's edge, below which a piece of floor is rounding
_PULLS = (0.25, 0.5, 0.75, 1.0)


@jit
def _clip(source: Array, count: int, axis: int, bound: float, sign: float, target: Array) -> int:
    """Keep the part of a convex polygon where `sign * (coordinate - bound) >= 0`; return its number of corners."""
    kept = 0
    previous = count - 1
    before = sign * (source[previous, axis] - bound)
    for corner in range(count):
        here = sign * (source[corner, axis] - bound)
        if (here > 0.0 and before < 0.0) or (here < 0.0 and before > 0.0):
            share = before / (before - here)
            other = 1 - axis
            target[kept, axis] = bound
            target[kept, other] = source[previous, other] + share * (source[corner, other] - source[previous, other])
            kept += 1
        if here >= 0.0:
            target[kept, 0] = source[corner, 0]
            target[kept, 1] = source[corner, 1]
            kept += 1
        previous = corner
        before = here
    return kept


@jit
def _area_and_centroid(polygon: Array, count: int, about: Array) -> float:
    """Return the area of a counter-clockwise polygon and put its centroid into `about` (2,)."""
    # Relative to a corner: far from the world's origin the products would lose the digits that matter.
    base_x = polygon[0, 0]
    base_y = polygon[0, 1]
    twice = 0.0
    about_x = 0.0
    about_y = 0.0
    for corner in range(1, count - 1):
        ax = polygon[corner, 0] - base_x
        ay = polygon[corner, 1] - base_y
        bx = polygon[corner + 1, 0] - base_x
        by = polygon[corner + 1, 1] - base_y
        cross = ax * by - ay * bx
        twice += cross
        about_x += cross * (ax + bx)
        about_y += cross * (ay + by)
    if twice > 0.0:
        about[0] = base_x + about_x / (3.0 * twice)
        about[1] = base_y + about_y / (3.0 * twice)
    return 0.5 * twice


@jit
def _depth(polygon: Array, count: int, x: float, y: float) -> float:
    """How far inside a counter-clockwise convex polygon is a point, in metres? Negative: outside."""
    depth = np.inf
    previous = count - 1
    for corner in range(count):
        edge_x = polygon[corner, 0] - polygon[previous, 0]
        edge_y = polygon[corner, 1] - polygon[previous, 1]
        length = math.sqrt(edge_x * edge_x + edge_y * edge_y)
        if length > 0.0:
            side = edge_x * (y - polygon[previous, 1]) - edge_y * (x - polygon[previous, 0])
            depth = min(depth, side / length)
        previous = corner
    return depth


@jit
def _nearest_on_outline(polygon: Array, count: int, x: float, y: float, nearest: Array) -> None:
    """Put the point of the outline nearest to (x, y) into `nearest` (2,)."""
    best = np.inf
    previous = count - 1
    for corner in range(count):
        from_x = polygon[previous, 0]
        from_y = polygon[previous, 1]
        edge_x = polygon[corner, 0] - from_x
        edge_y = polygon[corner, 1] - from_y
        square = edge_x * edge_x + edge_y * edge_y
        share = 0.0
        if square > 0.0:
            share = min(1.0, max(0.0, ((x - from_x) * edge_x + (y - from_y) * edge_y) / square))
        near_x = from_x + share * edge_x
        near_y = from_y + share * edge_y
        distance = (near_x - x) ** 2 + (near_y - y) ** 2
        if distance < best:
            best = distance
            nearest[0] = near_x
            nearest[1] = near_y
        previous = corner


@jit
def _most_corners(mesh: MeshArrays, first: int, last: int) -> int:
    most = 0
    for face in range(first, last):
        most = max(most, np.int64(mesh.face_count[face]))
    return most


@jit
def _load_face(mesh: MeshArrays, face: int, polygon: Array) -> int:
    count = np.int64(mesh.face_count[face])
    start = np.int64(mesh.face_start[face])
    for corner in range(count):
        vertex = mesh.face_vertex[start + corner]
        polygon[corner, 0] = mesh.vertex_xyz[vertex, 0]
        polygon[corner, 1] = mesh.vertex_xyz[vertex, 1]
    return count


@jit
def _extent(polygon: Array, count: int, axis: int, origin: float, size: float, slots: int) -> tuple[int, int]:
    """Which rows or columns does a polygon meet? First and last, within the grid."""
    low = np.inf
    high = -np.inf
    for corner in range(count):
        low = min(low, polygon[corner, axis])
        high = max(high, polygon[corner, axis])
    first = np.int64(np.floor((low - origin) / size + _SLIVER))
    last = np.int64(np.ceil((high - origin) / size - _SLIVER)) - 1
    first = min(max(first, 0), slots - 1)
    return first, min(max(last, first), slots - 1)


@jit
def _cut_strip(polygon: Array, count: int, low: float, high: float, spare: Array, strip: Array) -> int:
    """Keep the part of a convex polygon between two y; return its number of corners."""
    kept = _clip(polygon, count, 1, low, 1.0, spare)
    return _clip(spare, kept, 1, high, -1.0, strip) if kept >= 3 else 0


@jit
def count_fragments(mesh: MeshArrays, origin: Array, size: Array, shape: Array, counts: Array) -> None:
    """At most how many pieces does each face fall into? Written into `counts` (F,) int64."""
    widest = _most_corners(mesh, 0, len(counts))
    polygon = np.empty((widest, 2))
    strip = np.empty((widest + 4, 2))
    spare = np.empty((widest + 4, 2))
    for face in range(len(counts)):
        count = _load_face(mesh, face, polygon)
        first_row, last_row = _extent(polygon, count, 1, origin[1], size[1], np.int64(shape[1]))
        total = 0
        for row in range(first_row, last_row + 1):
            low = origin[1] + row * size[1]
            high = origin[1] + (row + 1) * size[1]
            kept = _cut_strip(polygon, count, low, high, spare, strip)
            if kept >= 3:
                first, last = _extent(strip, kept, 0, origin[0], size[0], np.int64(shape[0]))
                total += last - first + 1
        counts[face] = total


@jit
def _whole_columns(strip: Array, count: int, low: float, high: float) -> tuple[float, float]:
    """Between which x does a convex strip cover its row from `low` to `high` whole? Reversed: nowhere."""
    left_low = np.inf
    left_high = np.inf
    right_low = -np.inf
    right_high = -np.inf
    for corner in range(count):
        x = strip[corner, 0]
        if strip[corner, 1] <= low:
            left_low = min(left_low, x)
            right_low = max(right_low, x)
        if strip[corner, 1] >= high:
            left_high = min(left_high, x)
            right_high = max(right_high, x)
    return max(left_low, left_high), min(right_low, right_high)


@jit
def cut_faces(
    mesh: MeshArrays,
    origin: Array,
    size: Array,
    shape: Array,
    first: int,
    last: int,
    column_of: Array,
    face_of: Array,
    area_of: Array,
    xyz_of: Array,
    centre_of: Array,
) -> int:
    """Cut faces `first … last - 1` along the grid's columns; return the number of pieces written.

    Per piece: the column (`row * columns + column`), the face, the area seen from above, a position on the floor
    (the column's centre where the piece holds it well inside, else near it), and whether it holds the centre.
    """
    widest = _most_corners(mesh, first, last)
    polygon = np.empty((widest, 2))
    strip = np.empty((widest + 4, 2))
    piece = np.empty((widest + 8, 2))
    spare = np.empty((widest + 8, 2))
    point = np.empty(2)
    about = np.empty(2)
    whole = size[0] * size[1]
    tiny = _SLIVER * min(size[0], size[1])
    written = 0
    for face in range(first, last):
        count = _load_face(mesh, face, polygon)
        slope_x = mesh.face_plane[face, 0]
        slope_y = mesh.face_plane[face, 1]
        height = mesh.face_plane[face, 2]
        first_row, last_row = _extent(polygon, count, 1, origin[1], size[1], np.int64(shape[1]))
        for row in range(first_row, last_row + 1):
            low = origin[1] + row * size[1]
            high = origin[1] + (row + 1) * size[1]
            kept = _cut_strip(polygon, count, low, high, spare, strip)
            if kept < 3:
                continue
            whole_left, whole_right = _whole_columns(strip, kept, low + tiny, high - tiny)
            first_column, last_column = _extent(strip, kept, 0, origin[0], size[0], np.int64(shape[0]))
            for column in range(first_column, last_column + 1):
                left = origin[0] + column * size[0]
                right = origin[0] + (column + 1) * size[0]
                x = 0.5 * (left + right)
                y = 0.5 * (low + high)
                area = whole
                holds_centre = True
                if not (left >= whole_left - tiny and right <= whole_right + tiny):
                    corners = _clip(strip, kept, 0, left, 1.0, spare)
                    corners = _clip(spare, corners, 0, right, -1.0, piece) if corners else 0
                    area = _area_and_centroid(piece, corners, about) if corners >= 3 else 0.0
                    if area < _SLIVER * whole:
                        continue
                    depth = _depth(piece, corners, x, y)
                    holds_centre = depth >= -tiny
                    # The face's edges, not the piece's: those along the column's borders lead nowhere dangerous.
                    if _depth(polygon, count, x, y) < 1e3 * tiny:
                        point[0] = x
                        point[1] = y
                        if depth < 0.0:
                            _nearest_on_outline(piece, corners, x, y, point)
                        if not _pull_inside(polygon, count, point, about, tiny, left, right, low, high):
                            continue
                        x = point[0]
                        y = point[1]
                x = np.float64(np.float32(x))
                y = np.float64(np.float32(y))
                column_of[written] = row * np.int64(shape[0]) + column
                face_of[written] = face
                area_of[written] = area
                centre_of[written] = holds_centre
                xyz_of[written, 0] = x
                xyz_of[written, 1] = y
                xyz_of[written, 2] = slope_x * x + slope_y * y + height
                written += 1
    return written


@jit
def _pull_inside(
    polygon: Array,
    count: int,
    point: Array,
    about: Array,
    tiny: float,
    left: float,
    right: float,
    low: float,
    high: float,
) -> bool:
    """Move `point` towards `about` until it lies inside the face and the column even after rounding to float32."""
    start_x = point[0]
    start_y = point[1]
    for pull in _PULLS:
        x = np.float64(np.float32(start_x + pull * (about[0] - start_x)))
        y = np.float64(np.float32(start_y + pull * (about[1] - start_y)))
        if left < x < right and low < y < high and _depth(polygon, count, x, y) > tiny:
            point[0] = x
            point[1] = y
            return True
    return False
