"""Measure how similar paths are, and group similar ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import shapely

from ....checks import finite_number, points_xyz, real_array, shown
from ....conventions import Array, Floats
from ....errors import InputError
from ....kernels.placement import path_distance as kernels
from ...input_checks import require_choice

Kind = Literal["continuous", "discrete", "refined"]
_KINDS = ("continuous", "discrete", "refined")
_PRECISION = 1e-9


def frechet(first: Any, second: Any, *, kind: Kind = "continuous") -> float:
    """Return the Fréchet distance: the shortest leash on which two walkers follow both paths, never turning back.

    Parameters
    ----------
    first, second : (n, 2 or 3) paths in metres; a single point is a walker that waits.
    kind : "continuous": exact, to the last bits of a double. "discrete": jumps from corner to corner (Eiter and
        Mannila), too long where corners are far apart. "refined": discrete, after adding to each path the points
        nearest to the other's corners, as the placement source does; never less than the continuous distance.

    Notes
    -----
    Alt and Godau's free-space diagram decides whether a leash is long enough; bisection finds the shortest. For the
    base a of an isosceles triangle of height ε against its two sides, continuous and refined give ε, discrete
    sqrt(a²/4 + ε²); the source prints sqrt(a² + ε²), which its own figure does not give.
    """
    require_choice(kind, "kind", _KINDS)
    one, other = _path(first, "first"), _path(second, "second")
    if kind == "continuous":
        return float(kernels.frechet(one, other))
    if kind == "refined":
        one, other = with_feet(one, other), with_feet(other, one)
    return float(distances([one, other], kind="discrete")[0, 1])


def distances(paths: Sequence[Any], *, kind: Kind = "continuous") -> Floats:
    """Return the distances between many paths, (n, n) float64, symmetric, zeros on the diagonal."""
    require_choice(kind, "kind", _KINDS)
    if kind == "refined":
        raise InputError("paths are refined pair by pair; give kind 'continuous' or 'discrete', or use frechet")
    if isinstance(paths, str) or not isinstance(paths, Sequence | np.ndarray):
        raise InputError(f"paths is {shown(paths)}; give a list of paths, each (n, 2) or (n, 3)")
    all_paths = [_path(path, f"paths[{number}]") for number, path in enumerate(paths)]
    out = np.zeros((len(all_paths), len(all_paths)))
    if all_paths:
        start = np.cumsum([0, *map(len, all_paths)]).astype(np.uint64)
        kernels.frechet_pairs(np.concatenate(all_paths), start, kind == "continuous", out)
    return out


def hausdorff(first: Any, second: Any) -> float:
    """Return the Hausdorff distance of two paths in metres, to 1e-9 of their extent."""
    one, other = _path(first, "first"), _path(second, "second")
    extent = float(np.ptp(np.concatenate([one, other]), axis=0).max())
    within = max(_PRECISION * extent, 1e-300)
    return float(max(kernels.farthest_from(one, other, within), kernels.farthest_from(other, one, within)))


def area_between(first: Any, second: Any) -> float:
    """Return the area of the plan between two paths, in square metres, their ends joined by straight lines.

    Each piece of the plan counts as often as the closed line of both winds around it.
    """
    one, other = _path(first, "first")[:, :2], _path(second, "second")[:, :2]
    ring = np.concatenate([one, other[::-1], one[:1]])
    faces = shapely.get_parts(shapely.polygonize([shapely.node(shapely.LineString(ring))]))
    inner = shapely.get_coordinates(shapely.point_on_surface(faces))
    return float(sum(area * abs(_winding(ring, place)) for area, place in zip(shapely.area(faces), inner)))


def cluster(apart: Any, *, within: float) -> Array:
    """Group similar paths: (n,) int32, groups numbered by their first member.

    Groups whose farthest members are within `within` of each other are merged, nearest first (complete linkage), so no
    two members of a group are further apart.

    Parameters
    ----------
    apart : (n, n) distances, as returned by `distances`.
    """
    table = real_array(apart, "apart", "an (n, n) table of distances").copy()
    within = finite_number(within, "within", unit="m", low=0.0)
    if table.size == 0:
        return np.empty(0, np.int32)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or np.isnan(table).any() or (table != table.T).any():
        raise InputError(f"apart has shape {table.shape}; give a symmetric (n, n) table of distances without NaN")
    group = np.arange(len(table))
    np.fill_diagonal(table, np.inf)
    while (least := table.min()) <= within and np.isfinite(least):
        keep, gone = np.unravel_index(int(table.argmin()), table.shape)
        farther = np.maximum(table[keep], table[gone])
        table[keep], table[:, keep] = farther, farther
        table[gone], table[:, gone] = np.inf, np.inf
        table[keep, keep] = np.inf
        group[group == group[gone]] = group[keep]
    return np.unique(group, return_inverse=True)[1].astype(np.int32)


def with_feet(path: Floats, other: Floats) -> Floats:
    """Return a path with the points of each segment nearest to the other's corners added as corners."""
    pieces = [path[:1]]
    for start, end in pairwise(path):
        along = end - start
        straight = float(along @ along)
        if straight > 0.0:
            share = np.unique((other - start) @ along / straight)
            pieces.append(start + share[(share > 0.0) & (share < 1.0), None] * along)
        pieces.append(end[None])
    return np.concatenate(pieces)


def _path(values: Any, name: str) -> Floats:
    """Return a path of at least two corners; a single point stands still."""
    path = points_xyz(values, name)
    if len(path) == 0:
        raise InputError(f"{name} is empty; give the corners of a path, (n, 2) or (n, 3)")
    return np.concatenate([path, path]) if len(path) == 1 else path


def _winding(ring: Floats, place: Floats) -> int:
    """Return the winding number of a closed line around a place that is not on it."""
    a, b = ring[:-1] - place, ring[1:] - place
    side = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    up, down = (a[:, 1] <= 0) & (b[:, 1] > 0) & (side > 0), (a[:, 1] > 0) & (b[:, 1] <= 0) & (side < 0)
    return int(up.sum()) - int(down.sum())
