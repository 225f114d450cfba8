"""Division of faces into floor pieces along the columns of the grid."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..jit import jit

_SLIVER = 1e-6  # share of a column's area, and of a cell's edge, below which a piece of floor is a rounding error
_PULL = 0.25  # share of the distance by which each of four tries pulls a position further inside


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
def _depth(polygon: Array, count: int, x: float, y: float) -> float:
    """Return how many metres inside a counter-clockwise convex polygon a point is; negative: outside."""
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
def _extent(polygon: Array, count: int, axis: int, origin: float, size: float, slots: int) -> tuple[int, int]:
    """Return the first and last row or column that a polygon overlaps, within the grid."""
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
def _whole_columns(strip: Array, count: int, low: float, high: float) -> tuple[float, float]:
    """Return the range of x in which a convex strip covers its row completely from `low` to `high`; reversed: none."""
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
def _nearest_on_outline(polygon: Array, count: int, x: float, y: float) -> tuple[float, float]:
    """Return the point of the outline nearest to (x, y)."""
    best = np.inf
    best_x, best_y = x, y
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
        distance = (near_x - x) * (near_x - x) + (near_y - y) * (near_y - y)
        if distance < best:
            best = distance
            best_x, best_y = near_x, near_y
        previous = corner
    return best_x, best_y


@jit
def cut_faces(
    vertex_xyz: Array,
    face_start: Array,
    face_count: Array,
    face_vertex: Array,
    face_plane: Array,
    origin: Array,
    size: Array,
    shape: Array,
    first: int,
    polygon: Array,
    strip: Array,
    piece: Array,
    spare: Array,
    column_of: Array,
    face_of: Array,
    area_of: Array,
    xyz_of: Array,
    centre_of: Array,
    reached: Array,
) -> int:
    """Cut faces along the grid's columns, from `first` on while there is room; return the number of pieces written.

    Each piece has the column (`row * columns + column`), the face, the area seen from above, a position on the floor
    (the column's centre if well inside the piece, else a point near it), and whether it contains the centre. `reached`
    (1,) receives the first face that was not cut. The four polygons are scratch, with room for eight corners more than
    any face has.
    """
    columns, rows = np.int64(shape[0]), np.int64(shape[1])
    origin_x, origin_y = origin[0], origin[1]
    size_x, size_y = size[0], size[1]
    whole = size_x * size_y
    tiny = _SLIVER * min(size_x, size_y)
    written = 0
    for face in range(first, len(face_start)):
        begun = written
        count = np.int64(face_count[face])
        start = np.int64(face_start[face])
        for corner in range(count):
            vertex = face_vertex[start + corner]
            polygon[corner, 0] = vertex_xyz[vertex, 0]
            polygon[corner, 1] = vertex_xyz[vertex, 1]
        first_row, last_row = _extent(polygon, count, 1, origin_y, size_y, rows)
        for row in range(first_row, last_row + 1):
            low = origin_y + row * size_y
            high = origin_y + (row + 1) * size_y
            kept = _clip(polygon, count, 1, low, 1.0, spare)
            if kept >= 3:
                kept = _clip(spare, kept, 1, high, -1.0, strip)
            if kept < 3:
                continue
            whole_left, whole_right = _whole_columns(strip, kept, low + tiny, high - tiny)
            first_column, last_column = _extent(strip, kept, 0, origin_x, size_x, columns)
            if written + last_column - first_column >= len(column_of):
                reached[0] = face
                return begun
            for column in range(first_column, last_column + 1):
                left = origin_x + column * size_x
                right = origin_x + (column + 1) * size_x
                x = 0.5 * (left + right)
                y = 0.5 * (low + high)
                area = whole
                holds_centre = True
                if left < whole_left - tiny or right > whole_right + tiny:
                    corners = _clip(strip, kept, 0, left, 1.0, spare)
                    corners = _clip(spare, corners, 0, right, -1.0, piece)
                    # Relative to a corner: far from the world's origin the products would lose significant digits.
                    base_x, base_y = piece[0, 0], piece[0, 1]
                    twice, about_x, about_y = 0.0, 0.0, 0.0
                    for corner in range(1, corners - 1):
                        ax = piece[corner, 0] - base_x
                        ay = piece[corner, 1] - base_y
                        bx = piece[corner + 1, 0] - base_x
                        by = piece[corner + 1, 1] - base_y
                        cross = ax * by - ay * bx
                        twice += cross
                        about_x += cross * (ax + bx)
                        about_y += cross * (ay + by)
                    area = 0.5 * twice
                    if area < _SLIVER * whole:
                        continue
                    depth = _depth(piece, corners, x, y)
                    holds_centre = depth >= -tiny
                    # The face's edges, not the piece's: being close to the column's borders is harmless.
                    if _depth(polygon, count, x, y) < 1e3 * tiny:
                        if depth < 0.0:
                            x, y = _nearest_on_outline(piece, corners, x, y)
                        way_x = base_x + about_x / (3.0 * twice) - x
                        way_y = base_y + about_y / (3.0 * twice) - y
                        # Move towards the centroid until inside the face and the column even as float32.
                        inside = False
                        pull = 0.0
                        from_x, from_y = x, y
                        while pull < 1.0 and not inside:
                            pull += _PULL
                            x = np.float64(np.float32(from_x + pull * way_x))
                            y = np.float64(np.float32(from_y + pull * way_y))
                            inside = (left < x) & (x < right) & (low < y) & (y < high)
                            inside = inside and _depth(polygon, count, x, y) > tiny
                        if not inside:
                            continue
                x = np.float64(np.float32(x))
                y = np.float64(np.float32(y))
                column_of[written] = row * columns + column
                face_of[written] = face
                area_of[written] = area
                centre_of[written] = holds_centre
                xyz_of[written, 0] = x
                xyz_of[written, 1] = y
                xyz_of[written, 2] = face_plane[face, 0] * x + face_plane[face, 1] * y + face_plane[face, 2]
                written += 1
    reached[0] = len(face_start)
    return written
