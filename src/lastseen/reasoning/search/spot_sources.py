"""Where search spots come from: cover, floor out of sight, the search graph, the search map."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...cells.query import cells_within, nearest_cells, positions
from ...checks import finite_number, point_xyz, points_xyz, read_only, whole_number
from ...conventions import Floats
from ...layers.best import best_cells
from ...layers.layer import Layer, require_cells
from ...level.level import Level
from ..chase.layouts import MeshedLayout
from .influence import SearchMap
from .lines import EYE, Sees

__all__ = ["cover_points", "hidden_cover", "hidden_floor", "influence_points"]


def cover_points(cells: MeshedLayout, level: Level, *, aside: float = 0.6, reach: float = 1.5) -> Floats:
    """Where can one take cover on a level? (n, 3) metres: `aside` each side of cover and obstacles, and hiding places.

    Points without a cell within `reach` metres are left out; the others stand on the nearest cell.
    """
    require_cells(cells)
    points = [place.xyz for place in level.hiding_places]
    for piece in (*level.cover, *level.obstacles):
        outline = piece.outline_xy
        middle = outline.mean(axis=0)
        for start, end in zip(outline, np.roll(outline, -1, axis=0)):
            half = (start + end) / 2.0
            outward = np.array([end[1] - start[1], start[0] - end[0]])
            length = float(np.linalg.norm(outward))
            if length > 0.0:
                outward *= np.sign(outward @ (half - middle)) or 1.0
                points.append((*(half + aside * outward / length).tolist(), piece.z))
    found = nearest_cells(cells, points_xyz(points, "points"), reach)
    return positions(cells, np.unique(found[found >= 0]))


def hidden_cover(cover_xyz: Any, estimate_xyz: Any, radius: float, sees: Sees) -> Floats:
    """Which of these places within `radius` metres of the estimated position are hidden from it? Nearest first."""
    points, estimate = points_xyz(cover_xyz, "cover_xyz"), point_xyz(estimate_xyz, "estimate_xyz")
    away = np.linalg.norm(points - estimate, axis=1)
    near = np.argsort(away, kind="stable")
    return _hidden(points[near[away[near] <= radius]], estimate, sees)


def hidden_floor(
    cells: MeshedLayout, estimate_xyz: Any, radius: float, count: int, random: np.random.Generator, sees: Sees
) -> Floats:
    """Return up to `count` random places on the floor within `radius` metres that are hidden from the estimate."""
    count = whole_number(count, "count")
    estimate = point_xyz(estimate_xyz, "estimate_xyz")
    radius = finite_number(radius, "radius", unit="m", low=0.0, high=1e6)
    near = np.sort(cells_within(cells, estimate, radius))
    points = positions(cells, near)
    found = _hidden(points, estimate, sees)
    return found[random.permutation(len(found))[:count]]


def influence_points(search: SearchMap, count: int, *, spacing: float = 3.0) -> Floats:
    """Return the `count` places of most influence that keep `spacing` metres apart: the map reduced to points."""
    layer = Layer.of(search.layout, "influence", search.value01)
    return positions(search.layout, best_cells(layer, count, minimum=1e-6, spacing=spacing))


def _hidden(points: Floats, estimate: Floats, sees: Sees) -> Floats:
    if not len(points):
        return read_only(np.zeros((0, 3)))
    eyes = np.broadcast_to(estimate + EYE, points.shape).copy()
    return read_only(points[~sees(eyes, points + EYE)])
