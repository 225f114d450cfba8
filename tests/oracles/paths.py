"""Random levels of tiles, cut into rectangles at random, and the lengths of their shortest paths in whole numbers.

Nothing here calls a query: sight is decided on the integer grid, and lengths come from a visibility graph.
Places are pairs of integers in half tiles, so that tile centres, the middles of sides and corners all are places.
"""

from __future__ import annotations

import numpy as np

from lastseen.kernels.walk.path_search import LinkArrays
from lastseen.navmesh.navmesh import NavMesh

__all__ = ["lengths_between", "links_of", "places_on", "random_tiles", "rectangles_of", "sees"]


def random_tiles(random: np.random.Generator, most: int = 25) -> np.ndarray:
    """Return a map (rows, columns) of passable tiles: scattered blocks, rooms, boxes or thin walls."""
    rows, columns = random.integers(3, most + 1, 2)
    kind = random.integers(4)
    if kind == 0:
        return random.random((rows, columns)) < random.uniform(0.6, 0.95)
    passable = np.full((rows, columns), kind != 1)
    for _ in range(random.integers(3, 6 + rows * columns // 20)):
        row, column = random.integers(0, rows), random.integers(0, columns)
        tall, wide = random.integers(1, 7, 2)
        if kind == 3:
            tall, wide = (tall + 3, 1) if random.random() < 0.5 else (1, wide + 3)
        passable[row : row + tall, column : column + wide] = kind == 1
    return passable


def rectangles_of(passable: np.ndarray, random: np.random.Generator) -> list[tuple[int, int, int, int]]:
    """Return passable tiles as rectangles `(left, low, right, high)`, each grown from a random tile."""
    free, boxes = passable.copy(), []
    tiles = np.argwhere(free)
    random.shuffle(tiles)
    for row, column in tiles:
        if not free[row, column]:
            continue
        low, left, high, right = row, column, row + 1, column + 1
        sides = [0, 1, 2, 3]
        while sides:
            side = random.choice(sides)
            if side == 0 and low > 0 and free[low - 1, left:right].all():
                low -= 1
            elif side == 1 and high < len(free) and free[high, left:right].all():
                high += 1
            elif side == 2 and left > 0 and free[low:high, left - 1].all():
                left -= 1
            elif side == 3 and right < free.shape[1] and free[low:high, right].all():
                right += 1
            else:
                sides.remove(side)
            if side in sides and random.random() < 0.15:
                sides.remove(side)
        free[low:high, left:right] = False
        boxes.append((int(left), int(low), int(right), int(high)))
    return boxes


def _tiles_about(padded: np.ndarray) -> np.ndarray:
    """Return the passable bits of the four tiles about each lattice point: (4, rows, columns), clockwise."""
    return np.stack([padded[:-1, :-1], padded[:-1, 1:], padded[1:, 1:], padded[1:, :-1]])


def places_on(passable: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    """Return places (count, 2) on passable tiles, none where tiles touch only in a corner."""
    about = _tiles_about(np.pad(passable, 1))
    pinched = (about == about[[2, 3, 0, 1]]).all(axis=0) & (about[0] != about[1])
    closed = np.repeat(np.repeat(np.pad(passable, 1), 2, axis=0), 2, axis=1)
    on = closed[1:-2, 1:-2] | closed[2:-1, 1:-2] | closed[1:-2, 2:-1] | closed[2:-1, 2:-1]
    on[::2, ::2] &= ~pinched
    rows, columns = np.nonzero(on)
    chosen = random.integers(0, len(rows), count)
    return np.column_stack([columns[chosen], rows[chosen]])


def sees(passable: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return for each pair of places (n, 2) whether the line between them can be walked.

    It may touch walls, but neither enter a blocked tile, nor run between two, nor pass where two touch in a corner.
    """
    padded = np.pad(passable, 1)
    step, low, high = other - one, np.minimum(one, other), np.maximum(one, other)
    free = np.ones(len(one), bool)

    def side(x: int, y: int) -> np.ndarray:
        return step[:, 0] * (y - one[:, 1]) - step[:, 1] * (x - one[:, 0])

    for row, column in np.argwhere(~padded):
        x, y = 2 * (column - 1), 2 * (row - 1)
        near = np.flatnonzero(free & (low < (x + 2, y + 2)).all(axis=1) & (high > (x, y)).all(axis=1))
        dx, dy = step[near, 0], step[near, 1]
        corners = [dx * (v - one[near, 1]) - dy * (u - one[near, 0]) for u in (x, x + 2) for v in (y, y + 2)]
        free[near[(np.min(corners, axis=0) < 0) & (np.max(corners, axis=0) > 0)]] = False
    about = _tiles_about(padded)
    pinched = (about == about[[2, 3, 0, 1]]).all(axis=0) & (about[0] != about[1])
    for row, column in np.argwhere(pinched):
        inside = (low <= (2 * column, 2 * row)).all(axis=1) & (high >= (2 * column, 2 * row)).all(axis=1)
        ends = (one == (2 * column, 2 * row)).all(axis=1) | (other == (2 * column, 2 * row)).all(axis=1)
        free &= ~(inside & ~ends & (side(2 * column, 2 * row) == 0))
    for axis in (0, 1):
        along = (step[:, 1 - axis] == 0) & (step[:, axis] != 0) & (one[:, 1 - axis] % 2 == 0)
        for k in np.flatnonzero(free & along):
            line, tiles = one[k, 1 - axis] // 2, slice(low[k, axis] // 2 + 1, (high[k, axis] + 1) // 2 + 1)
            lanes = padded[line : line + 2, tiles] if axis == 0 else padded[tiles, line : line + 2].T
            free[k] = lanes.any(axis=0).all()
    return free


def lengths_between(passable: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the lengths (n, n) of shortest paths between places, in tiles; inf where there is none.

    A shortest path bends only where exactly one of the four tiles is blocked.
    """
    blocked = (~_tiles_about(np.pad(passable, 1))).sum(axis=0)
    points = np.vstack([places, 2 * np.argwhere(blocked == 1)[:, ::-1]])
    first, second = np.triu_indices(len(points), 1)
    free = sees(passable, points[first], points[second])
    steps = np.full((len(points), len(points)), np.inf)
    lengths = np.hypot(*(points[first] - points[second]).T.astype(float)) / 2.0
    steps[first[free], second[free]] = steps[second[free], first[free]] = lengths[free]
    found = np.empty((len(places), len(places)))
    for start in range(len(places)):
        best, done = np.full(len(points), np.inf), np.zeros(len(points), bool)
        best[start] = 0.0
        while np.isfinite(best[~done]).any():
            here = int(np.argmin(np.where(done, np.inf, best)))
            done[here] = True
            best = np.minimum(best, best[here] + steps[here])
        found[start] = best[: len(places)]
    return found


def links_of(mesh: NavMesh) -> LinkArrays:
    """Return what a search needs of a mesh."""
    arrays = mesh.arrays
    return LinkArrays(arrays.link_start, arrays.link_count, arrays.link_face, arrays.link_portal, arrays.link_wall)
