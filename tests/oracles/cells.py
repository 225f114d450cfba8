"""Slow and obvious versions of what cells are asked."""

from __future__ import annotations

from collections import deque

import numpy as np

from lastseen.cells.layout import AnyLayout, CellLayout
from lastseen.cells.query import neighbours
from lastseen.navmesh.navmesh import NavMesh


def octile_links(passable: np.ndarray) -> dict[tuple[int, int], dict[tuple[int, int], float]]:
    """Links of a tile map: straight to passable tiles, diagonally only where both tiles beside are passable."""
    rows, columns = passable.shape

    def free(column: int, row: int) -> bool:
        return 0 <= column < columns and 0 <= row < rows and bool(passable[row, column])

    links: dict[tuple[int, int], dict[tuple[int, int], float]] = {}
    for row, column in np.argwhere(passable).tolist():
        links[column, row] = {
            (column + dx, row + dy): float(np.float32(np.hypot(dx, dy)))
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if (dx or dy) and free(column + dx, row + dy) and free(column + dx, row) and free(column, row + dy)
        }
    return links


def layout_links(layout: CellLayout, origin: tuple[int, int]) -> dict[tuple[int, int], dict[tuple[int, int], float]]:
    """Links of a layout by tile, `origin` being the tile of column 0 and row 0."""
    tile = [(int(column) + origin[0], int(row) + origin[1]) for column, row, _ in layout.arrays.cell_grid]
    links = {}
    for cell, here in enumerate(tile):
        other, length = neighbours(layout, cell)
        links[here] = {tile[id]: float(metres) for id, metres in zip(other.tolist(), length.tolist())}
    return links


def disabled_cells(layout: AnyLayout) -> set[int]:
    return {cell for cell in range(len(layout.arrays.cell_grid)) if layout.arrays.disabled[cell // 8] >> cell % 8 & 1}


def cell_by_dict(layout: AnyLayout, xyz: np.ndarray, include_disabled: bool = False) -> int:
    """The cell of a position, by a dict of grid coordinates and the rule of `cell_at`."""
    arrays = layout.arrays
    hidden = set() if include_disabled else disabled_cells(layout)
    table = {tuple(grid): cell for cell, grid in enumerate(arrays.cell_grid.tolist()) if cell not in hidden}
    slots = (xyz[:2] - arrays.origin_xyz[:2]) / arrays.size_xyz[:2]
    # Three micrometres beyond the rim of the grid still count.
    column, row = np.where(
        slots < 0.0,
        np.floor(slots + 3e-6 / arrays.size_xyz[:2]),
        np.where(slots < arrays.shape[:2], np.floor(slots), np.ceil(slots - 3e-6 / arrays.size_xyz[:2]) - 1.0),
    )
    height = float(arrays.size_xyz[2])
    level = float(np.floor((xyz[2] - arrays.origin_xyz[2]) / height + 1 / 1024))
    found = []
    for order, near in enumerate((level, level - 1, level + 1)):
        cell = table.get((column, row, near))
        if cell is not None:
            distance = abs(float(arrays.cell_xyz[cell, 2]) - xyz[2])
            if order == 0 or distance <= height / 2:
                found.append((distance, order, cell))
    return min(found)[2] if found else -1


def distances(layout: AnyLayout, xyz: np.ndarray) -> np.ndarray:
    """Distance from a position to every cell."""
    away = layout.arrays.cell_xyz.astype(np.float64) - xyz
    return np.sqrt((away * away).sum(axis=1))


def flood(layout: AnyLayout, start: int) -> dict[int, int]:
    """Number of links from `start` to every cell one reaches."""
    steps = {start: 0}
    waiting = deque([start])
    while waiting:
        cell = waiting.popleft()
        for other in neighbours(layout, cell)[0].tolist():
            if other not in steps:
                steps[other] = steps[cell] + 1
                waiting.append(other)
    return steps


def inside_face(mesh: NavMesh, face: int, x: float, y: float) -> bool:
    corners = mesh.face_xyz(face)[:, :2]
    edge = np.roll(corners, -1, axis=0) - corners
    return bool((edge[:, 0] * (y - corners[:, 1]) - edge[:, 1] * (x - corners[:, 0]) > 0.0).all())
