"""Cells whose doors open and close often: the effect of each door is computed once, then toggled."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from ..kernels.cell_arrays import CellArrays
from ..kernels.cell_live import write_bits
from ..level.level import Level
from .layout import CellLayout
from .live import LiveLayout

__all__ = ["DoorCells"]


class DoorCells:
    """A layout for anything that passes only open doors, such as sound; its mesh has no cuts.

    A door controls the cells and links a `LiveLayout` loses when only this door is closed. Opening and closing costs
    time proportional to these, a thousandth of cutting the mesh. Any cell query accepts it in place of a `CellLayout`.
    """

    def __init__(self, layout: CellLayout, level: Level) -> None:
        self._layout, self._level = layout, level
        self._live: LiveLayout | None = None
        self._disabled, self._blocked = layout.arrays.disabled.copy(), layout.arrays.blocked.copy()
        # Read-only views, so that kernels compile once for this, for live and for frozen layouts.
        views = self._disabled.view(), self._blocked.view()
        for view in views:
            view.setflags(write=False)
        self._arrays = layout.arrays._replace(disabled=views[0], blocked=views[1])
        self._bars: dict[int, tuple[Array, Array]] = {}
        self._shut = np.zeros(len(level.doors), np.bool_)
        # Number of shut doors that block a cell or a link: adjacent doors may share some.
        self._cells_barred = np.zeros(len(layout), np.uint8)
        self._links_barred = np.zeros(len(layout.arrays.link_cell), np.uint8)

    @property
    def arrays(self) -> CellArrays:
        """Every array a cell query touches; `disabled` and `blocked` change with the doors."""
        return self._arrays

    def __len__(self) -> int:
        return len(self._layout)

    def set_door(self, door: int, shut: bool) -> None:
        """Close or open the door of that number; do nothing if it is in that state already."""
        if bool(self._shut[door]) == shut:
            return
        self._shut[door] = shut
        if door not in self._bars:
            self._bars[door] = self._find_bars(door)
        counted = (self._cells_barred, self._disabled), (self._links_barred, self._blocked)
        for which, (count, bits) in zip(self._bars[door], counted):
            count[which] += np.uint8(1) if shut else np.uint8(255)
            write_bits(bits, which, count[which] > 0)

    def _find_bars(self, door: int) -> tuple[Array, Array]:
        """Return the cells and links lost when only this door is closed."""
        if self._live is None:
            self._live = LiveLayout(self._layout)
        self._live.close_door(self._level, door)
        closed, base = self._live.arrays, self._layout.arrays
        cells = _bits(closed.disabled, len(self._cells_barred)) & ~_bits(base.disabled, len(self._cells_barred))
        links = _bits(closed.blocked, len(self._links_barred)) & ~_bits(base.blocked, len(self._links_barred))
        self._live.open_door(self._level, door)
        return np.flatnonzero(cells), np.flatnonzero(links)


def _bits(field: Array, count: int) -> Array:
    return np.unpackbits(field, count=count, bitorder="little").astype(np.bool_)
