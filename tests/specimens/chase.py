"""Made levels for the chase: text maps of one-metre tiles whose cells are the tiles."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from lastseen.cells.layout import CellLayout
from lastseen.cells.query import cell_at
from lastseen.reasoning.chase.loss import Loss, View
from specimens.cells import passable, tile_layout


@lru_cache
def cells_of(text: str) -> CellLayout:
    """`.` is floor; any other character is a wall, letters and arrows are floor with a name."""
    return tile_layout(passable(floor_only(text)))


def floor_only(text: str) -> str:
    return "".join("." if letter.isalpha() or letter in ".>" else letter for letter in text)


def spot(text: str, letter: str) -> tuple[float, float]:
    """Centre of the tile marked with a letter."""
    lines = [line.strip() for line in text.strip().splitlines()]
    (found,) = [(line.index(letter), row) for row, line in enumerate(lines) if letter in line]
    return found[0] + 0.5, found[1] + 0.5


def cell_of(layout: CellLayout, column: int, row: int) -> int:
    return cell_at(layout, (column + 0.5, row + 0.5))


def with_bits(layout: CellLayout, disabled=(), blocked=()) -> CellLayout:
    """The same layout with some cells disabled and links blocked."""
    flags = [np.zeros(len(layout), np.uint8), np.zeros(len(layout.arrays.link_cell), np.uint8)]
    for flag, members in zip(flags, (disabled, blocked)):
        flag[list(members)] = 1
    bits = [np.packbits(flag, bitorder="little") for flag in flags]
    for bit in bits:
        bit.setflags(write=False)  # as in any layout: kernels are compiled anew for arrays that may be written
    return replace(layout, arrays=layout.arrays._replace(disabled=bits[0], blocked=bits[1]))


def picture(layout: CellLayout, flood, columns: int, rows: int) -> list[str]:
    """A flood as text: digits of heat, # barrier, x closed, . untouched."""
    lines = [[" "] * columns for _ in range(rows)]
    for column, row, _ in layout.arrays.cell_grid:
        lines[row][column] = "."
    for cells, letters in (
        (flood.warm, [str(value) for value in flood.values]),
        (flood.barrier, "#" * len(flood.barrier)),
        (flood.closed, "x" * len(flood.closed)),
    ):
        for cell, letter in zip(cells, letters):
            column, row, _ = layout.arrays.cell_grid[cell]
            lines[row][column] = letter
    return ["".join(line) for line in lines]


_TEXT = """
    ##########################
    #.......#................#
    #.......#....####........#
    #............#..#........#
    #.......#....#...........#
    #.......#....####........#
    #.......#................#
    ##########################
    """
ROOMS = cells_of(_TEXT)


def losses(count: int, seed: int = 0) -> list[Loss]:
    """So many losses all over the rooms; some without a heading, a guard or its view."""
    random = np.random.default_rng(seed)
    cells = random.integers(0, len(ROOMS), (2, count))
    spots = ROOMS.arrays.cell_xyz.astype(float)
    angles = random.uniform(0, 2 * math.pi, (2, count))
    return [
        Loss(
            spots[cells[0, n]],
            (math.cos(angles[0, n]), math.sin(angles[0, n])) if n % 5 else None,
            seconds=0.4,
            guard_at=spots[cells[1, n]] if n % 3 else None,
            guard_view=View((math.cos(angles[1, n]), math.sin(angles[1, n]))) if n % 3 == 1 else None,
        )
        for n in range(count)
    ]
