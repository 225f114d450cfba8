"""Placement of guards in slow, obvious words, and levels to place them on."""

from __future__ import annotations

import math

import numpy as np
import shapely

from lastseen.level.features import Obstacle
from lastseen.level.level import Floor, Floors, Level


def box(x0: float, y0: float, x1: float, y1: float) -> np.ndarray:
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)


def hall(wide: float, deep: float, *crates: tuple[float, float, float, float], z: float = 0.0) -> Level:
    """A rectangular floor from the origin, with crates as tall as walls."""
    floor = Floor(np.column_stack([box(0, 0, wide, deep), np.full(4, z)]))
    return Level(Floors((floor,)), obstacles=tuple(Obstacle(box(*crate), z=z) for crate in crates))


def free_length(circles: np.ndarray, shape, radius: float, only: int, steps: int = 4000) -> float:
    """Metres of lines on which the middle of another circle may lie, found by trying places along them."""
    lines = [(circle[:2], circle[2] + radius) for circle in circles]
    if only >= 0:
        lines = [lines[only]]
    total = 0.0
    for middle, reach in lines:
        turn = np.linspace(0.0, 2.0 * math.pi, steps, endpoint=False)
        places = middle + reach * np.column_stack([np.cos(turn), np.sin(turn)])
        total += 2.0 * math.pi * reach * is_free(circles, shape, radius, places).mean()
    if only < 0:
        for ring in shapely.get_rings(shapely.get_parts(shape)):
            along = np.linspace(0.0, 1.0, 4 * steps, endpoint=False)
            places = shapely.get_coordinates(shapely.line_interpolate_point(ring, along, normalized=True))
            total += ring.length * is_free(circles, None, radius, places).mean()
    return float(total)


def is_free(circles: np.ndarray, shape, radius: float, places: np.ndarray) -> np.ndarray:
    apart = np.linalg.norm(places[:, None] - circles[None, :, :2], axis=2)
    clear = (apart >= circles[:, 2] + radius - 1e-9).all(axis=1)
    return clear if shape is None else clear & shapely.contains_xy(shape, places)


def cheapest(pairs: list[tuple[int, int]], weights: list[float], count: int, home: int) -> list[float]:
    """What the cheapest way home costs from each node: all edges again and again, until nothing gets cheaper."""
    costs = [math.inf] * count
    costs[home] = 0.0
    for _ in range(count):
        for (a, b), weight in zip(pairs, weights):
            costs[a] = min(costs[a], costs[b] + weight)
            costs[b] = min(costs[b], costs[a] + weight)
    return costs


def closed_walk(pairs, weights, count, home, most, random) -> tuple[list[int], float]:
    """The source's inequality, word by word."""
    cost_of = {}
    for (a, b), weight in zip(pairs, weights):
        cost_of[a, b] = cost_of[b, a] = weight
    back = cheapest(pairs, weights, count, home)
    walk, spent = [home], 0.0
    for number in random:
        u = walk[-1]
        allowed = [v for v in range(count) if (u, v) in cost_of and spent + cost_of[u, v] + back[v] <= most]
        if not allowed:
            break
        v = allowed[min(int(number * len(allowed)), len(allowed) - 1)]
        walk, spent = [*walk, v], spent + cost_of[u, v]
    while walk[-1] != home:
        u = walk[-1]
        v = min((v for v in range(count) if (u, v) in cost_of), key=lambda v: cost_of[u, v] + back[v])
        walk, spent = [*walk, v], spent + cost_of[u, v]
    return walk, spent
