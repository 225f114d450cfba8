"""Made layouts for tests of layers: tile grids as cells, without a navmesh behind them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from lastseen.kernels.arrays.level_arrays import CellArrays

_STEPS = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]


@dataclass(frozen=True)
class GridLayout:
    """What a query needs of a layout, and nothing more."""

    arrays: CellArrays
    cell_of: dict[tuple[int, int], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.arrays.cell_grid)


def grid_layout(text: str, *, ids=np.uint16, disabled=(), blocked=()) -> GridLayout:
    """Cells of a text map ('.' floor, row by row): 8 neighbours, no corner cutting."""
    rows = text.split()
    cell_of = {}
    for row, line in enumerate(rows):
        for column, tile in enumerate(line):
            if tile == ".":
                cell_of[column, row] = len(cell_of)
    start, cells, lengths = [0], [], []
    for column, row in cell_of:
        for dx, dy in _STEPS:
            sides = [(column + dx, row), (column, row + dy), (column + dx, row + dy)]
            if all(side in cell_of for side in sides):
                cells.append(cell_of[column + dx, row + dy])
                lengths.append(np.hypot(dx, dy))
        start.append(len(cells))
    grid = np.array([(column, row, 0) for column, row in cell_of], np.uint16).reshape(-1, 3)
    arrays = CellArrays(
        origin_xyz=np.zeros(3),
        size_xyz=np.array([1.0, 1.0, 2.0]),
        shape=np.array([len(rows[0]), len(rows), 1], np.uint32),
        cell_grid=grid,
        cell_xyz=(grid + np.array([0.5, 0.5, 0.0])).astype(np.float32),
        link_start=np.array(start, np.uint32),
        link_cell=np.array(cells, ids),
        link_length=np.array(lengths, np.float32),
        dense=np.zeros(0, ids),
        hash_cell=np.zeros(0, ids),
        disabled=bit_field(len(cell_of), disabled),
        blocked=bit_field(len(cells), blocked),
    )
    return GridLayout(arrays, cell_of)


def bit_field(count: int, members) -> np.ndarray:
    flags = np.zeros(count, np.uint8)
    flags[list(members)] = 1
    return np.packbits(flags, bitorder="little")


def with_disabled(layout: GridLayout, cells) -> GridLayout:
    return replace(layout, arrays=layout.arrays._replace(disabled=bit_field(len(layout), cells)))


def open_floor(columns: int, rows: int) -> GridLayout:
    return grid_layout("\n".join(["." * columns] * rows))
