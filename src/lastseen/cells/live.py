"""The live layout: cells and links blocked by cuts, and doors whose effect is computed once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..checks import expect, read_only_view, shown
from ..compilation.preparation import prepare
from ..conventions import Array, Bools
from ..errors import QueryError
from ..kernels.arrays.level_arrays import CellArrays
from ..kernels.cells.blocked_cells import cells_in_slots, mark_covered, write_bits
from ..kernels.cells.cell_access import LEVEL_SLACK
from ..level.features import door_number
from ..level.level import Level
from ..level.sight.sight import Sight
from ..navmesh.body import Body
from ..navmesh.cut import Cut, CutMesh
from ..navmesh.platforms import Gap
from .connectivity import bent_lengths, straight_walks
from .layout import CellLayout
from .live_platforms import LivePlatforms, platform_number

_KERNELS = (
    "cells.blocked_cells.cells_in_slots",
    "cells.blocked_cells.mark_covered",
    "cells.blocked_cells.write_bits",
    "cells.cell_walk.walks_in_columns",
    "cells.cell_access.cells_of_points",
    "cells.nearby_cells.nearest_cells_of_points",
)
"""What cuts, lifts and the usual queries call."""


class LiveLayout:
    """A layout under cuts; any cell query accepts it in place of a `CellLayout`.

    A cut disables the cells whose position it removes from the mesh and blocks the links it crosses, even if it is
    a thin door between two cells. It costs time proportional to the cells around it; once the last cut is lifted all
    bits are as before. Single writer: do not cut or lift while another thread runs queries.

    Parameters
    ----------
    level : level whose doors `set_door` closes and opens.
    sight : what blocks sight on that level; its doors follow. `from_level` makes all three.
    """

    def __init__(self, layout: CellLayout, level: Level | None = None, sight: Sight | None = None) -> None:
        self._layout = expect(layout, CellLayout, "layout")
        self._level = level if level is None else expect(level, Level, "level")
        self._sight = sight if sight is None else expect(sight, Sight, "sight")
        self._mesh = CutMesh(layout.mesh)
        self._disabled = layout.arrays.disabled.copy()
        self._blocked = layout.arrays.blocked.copy()
        # Read-only views, so that kernels compile once for this and for the frozen layout.
        views = read_only_view(self._disabled), read_only_view(self._blocked)
        self._arrays = layout.arrays._replace(disabled=views[0], blocked=views[1])
        self._doors: dict[int, Cut] = {}
        self._platforms: LivePlatforms | None = None
        prepare(*_KERNELS, cells=len(layout))

    def __repr__(self) -> str:
        count = len(self.shut_doors)
        shut = f", {count} {'door' if count == 1 else 'doors'} shut" if count else ""
        return f"<LiveLayout {self._layout.mesh.name!r}: {len(self._layout):,} cells{shut}>"

    @classmethod
    def from_level(cls, level: Level, body: Body = Body(), *, cell: float | None = None) -> LiveLayout:
        """Return the cells, mesh and sight of a level, with those doors closed and platforms absent that are drawn so.

        For the parameters, see `CellLayout.from_level`.
        """
        live = cls(CellLayout.from_level(level, body, cell=cell), level, Sight.from_level(level))
        live.close_doors(level)
        live.place_platforms(level)
        return live

    @classmethod
    def at_start(cls, layout: CellLayout, level: Level) -> LiveLayout:
        """Return cells as worlds begin with them: locked doors closed (agents open the others), platforms as drawn."""
        live = cls(layout)
        for number, door in enumerate(expect(level, Level, "level").doors):
            if door.locked:
                live.close_door(level, number)
        live.place_platforms(level)
        return live

    @property
    def sight(self) -> Sight:
        """What blocks sight, under the same doors."""
        if self._sight is None:
            raise QueryError("this layout has no sight; make it with LiveLayout.from_level(level)")
        return self._sight

    @property
    def layout(self) -> CellLayout:
        """The layout without cuts."""
        return self._layout

    @property
    def mesh(self) -> CutMesh:
        """The navmesh under the same cuts; cut through the layout, not here, or cells will not be updated."""
        return self._mesh

    @property
    def arrays(self) -> CellArrays:
        """All arrays cell queries use; `disabled` and `blocked` change as cuts come and go."""
        return self._arrays

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts in force, oldest first."""
        return self._mesh.cuts

    @property
    def shut_doors(self) -> tuple[int, ...]:
        """Numbers of the closed doors, in the order of the level."""
        return tuple(sorted(self._doors))

    def __len__(self) -> int:
        return len(self._layout)

    def cut(self, outline: Any, z_low: float, z_high: float, *, inflate: float | None = None) -> Cut:
        """Remove a footprint (n, 2) from the floor where a body would stand in `z_low … z_high`; see `CutMesh.cut`."""
        cut = self._mesh.cut(outline, z_low, z_high, inflate=inflate)
        self._follow(cut)
        return cut

    def lift(self, cut: Cut) -> None:
        """Restore what a cut removed, except where other cuts overlap it."""
        self._mesh.lift(cut)
        self._follow(cut)
        self._doors = {number: door for number, door in self._doors.items() if door is not cut}

    def set_door(self, door: str | int, closed: bool) -> None:
        """Close or open a door, by name or number, for everything at once: cells, mesh, sight, and sounds along cells.

        Raises
        ------
        QueryError
            The layout was made without its level, or no door or several have that name or number.
        """
        if self._level is None:
            raise QueryError("this layout does not know its level; make it with LiveLayout.from_level(level)")
        if not isinstance(closed, bool | np.bool_):
            raise QueryError(f"closed is {shown(closed)}; give True or False")
        if closed:
            self.close_door(self._level, door)
        else:
            self.open_door(self._level, door)
        if self._sight is not None:
            self._sight.set_door(door, closed)

    def close_doors(self, level: Level) -> None:
        """Close every door that starts closed in the level, for walking."""
        for number, door in enumerate(expect(level, Level, "level").doors):
            if door.starts_closed:
                self.close_door(level, number)

    def close_door(self, level: Level, door: str | int) -> Cut:
        """Close a door of the level for walking, by name or number; closing a closed door changes nothing.

        `set_door` closes it for sight as well.

        Raises
        ------
        QueryError
            No door has that name or number, or several share the name: use the number.
        """
        number = _door_number(level, door)
        if number not in self._doors:
            drawn = level.doors[number]
            self._doors[number] = self.cut(drawn.outline_xy, drawn.z, drawn.z + drawn.height)
        return self._doors[number]

    def open_door(self, level: Level, door: str | int) -> None:
        """Open a door of the level for walking; opening an open door changes nothing. See `close_door`."""
        number = _door_number(level, door)
        if number in self._doors:
            self.lift(self._doors[number])

    @contextmanager
    def mesh_without(self, doors: Iterable[int]) -> Iterator[CutMesh]:
        """Open doors, by number, in the mesh alone, for paths of agents with a key; afterwards all is as before."""
        lifted = {number: self._doors[number] for number in doors if number in self._doors}
        for cut in lifted.values():
            self._mesh.lift(cut)
        try:
            yield self._mesh
        finally:
            for number, cut in lifted.items():
                self._doors[number] = self._mesh.cut(cut.outline_xy, cut.z_low, cut.z_high, inflate=cut.inflate)

    @property
    def platforms(self) -> Bools:
        """Whether each platform of the level is present, (platforms,), a copy; empty before `place_platforms`."""
        return np.zeros(0, np.bool_) if self._platforms is None else self._platforms.present.copy()

    def place_platforms(self, level: Level) -> None:
        """Remove the floor of those platforms that are absent at first; `from_level` does so."""
        if expect(level, Level, "level").platforms:
            self._level = level
            self._platforms = LivePlatforms(level, self._mesh.body, self._cut_gap, self.lift)

    def set_platform(self, platform: str, present: bool, *, at: str | None = None) -> None:
        """Let a platform appear or disappear, for everything at once: cells, mesh and sight.

        Parameters
        ----------
        platform : its name.
        present : True moves it to the position `at`, so that it leaves any other; False removes it.
        at : name of a position; without one, that in which it is drawn present, or else the first.

        Raises
        ------
        QueryError
            The layout was made without its level, or no platform has that name or position.
        """
        level, own = self._level, self._platforms
        if level is None or own is None:
            raise QueryError("this layout has no platforms; make it with LiveLayout.from_level(level)")
        number = platform_number(level.platforms, platform, at)
        wanted = own.present.copy()
        wanted[[piece.name == platform for piece in level.platforms]] = False
        wanted[number] = bool(present)
        self.set_platforms(wanted)

    def set_platforms(self, present: Any) -> None:
        """Set which platforms are present at once: one bool each, in the order of the level."""
        if self._platforms is not None:
            self._platforms.set(present)
            if self._sight is not None:
                self._sight.set_platforms(self._platforms.present)

    def _cut_gap(self, gap: Gap) -> Cut:
        cut = self._mesh.cut_gap(gap)
        self._follow(cut)
        return cut

    def _follow(self, cut: Cut) -> None:
        """Update cells and links around a cut to match the mesh."""
        if not len(cut.faces):
            return
        cells, cell_face = self._arrays, self._layout.cell_face
        low, high = cut.outline_xy.min(axis=0) - cut.inflate, cut.outline_xy.max(axis=0) + cut.inflate
        near = self._cells_about(low, high)
        mark_covered(self._mesh.arrays, cells, cell_face, near, self._disabled)
        link, start = _links_of(cells, near)
        end = cells.link_cell[link]
        touched = _boxes_meet(cells, start, end, low, high) & self._levels_meet(cut, start, end)
        link, start, end = link[touched], start[touched], end[touched]
        write_bits(self._blocked, link, ~self._holds(start, end))

    def _cells_about(self, low: Array, high: Array) -> Array:
        """Return the cells in the columns a cut meets and next to them, on all levels, since links may be steep."""
        cells = self._arrays
        slots = np.floor((np.array([low, high]) - cells.origin_xyz[:2]) / cells.size_xyz[:2])
        across = np.clip(slots + np.array([[-1.0], [1.0]]), 0, cells.shape[:2].astype(np.float64) - 1.0).astype(
            np.int64
        )
        first, last = np.array([*across[0], 0]), np.array([*across[1], int(cells.shape[2]) - 1])
        # There are at most as many cells as slots.
        found = np.empty(min(int(np.prod(last - first + 1)), len(cells.cell_grid)), np.int32)
        return found[: cells_in_slots(cells, first, last, found)]

    def _levels_meet(self, cut: Cut, start: Array, end: Array) -> Bools:
        """Return which links may pass floors blocked by a cut: from a body's height below its bottom to its top."""
        cells = self._arrays
        heights = np.array([cut.z_low - self._mesh.body.height, cut.z_high])
        low, high = np.floor((heights - cells.origin_xyz[2]) / cells.size_xyz[2] + LEVEL_SLACK)
        one, other = cells.cell_grid[start, 2].astype(np.float64), cells.cell_grid[end, 2].astype(np.float64)
        # Two more levels either way: a bent link may dip below both its ends.
        return (np.minimum(one, other) <= high + 2.0) & (np.maximum(one, other) >= low - 2.0)

    def _holds(self, start: Array, end: Array) -> Bools:
        """Return which links are still passable: straight, or for bent links by any path within the columns."""
        cells, cell_face, base = self._arrays, self._layout.cell_face, self._layout.mesh.arrays
        # Test both directions of a link the same way round, so that they always agree.
        start, end = np.minimum(start, end), np.maximum(start, end)
        straight = cell_face[start] == cell_face[end]
        other = np.flatnonzero(~straight)
        straight[other] = straight_walks(base, cells, cell_face, start[other], end[other])
        holds = straight_walks(self._mesh.arrays, cells, cell_face, start, end)
        bent = np.flatnonzero(~straight)
        holds[bent] = np.isfinite(bent_lengths(self._mesh.arrays, cells, cell_face, start[bent], end[bent]))
        return holds


def _links_of(cells: CellArrays, ids: Array) -> tuple[Array, Array]:
    """Return the links leaving some cells, and the cell each leaves."""
    first = cells.link_start[ids].astype(np.int64)
    count = cells.link_start[ids + 1].astype(np.int64) - first
    ends = np.cumsum(count)
    link = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - (ends - count), count)
    return link, np.repeat(ids, count).astype(np.uint32)


def _boxes_meet(cells: CellArrays, start: Array, end: Array, low: Array, high: Array) -> Bools:
    """Return which links may pass through a rectangle: those whose combined columns overlap it."""
    one, other = cells.cell_grid[start, :2].astype(np.float64), cells.cell_grid[end, :2].astype(np.float64)
    left = cells.origin_xyz[:2] + np.minimum(one, other) * cells.size_xyz[:2]
    right = cells.origin_xyz[:2] + (np.maximum(one, other) + 1.0) * cells.size_xyz[:2]
    return ((left <= high) & (right >= low)).all(axis=1)


def _door_number(level: Level, door: str | int) -> int:
    return door_number([drawn.name for drawn in expect(level, Level, "level").doors], door)


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
        views = read_only_view(self._disabled), read_only_view(self._blocked)
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
