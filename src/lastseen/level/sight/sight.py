"""`Sight`: everything that blocks lines of sight on a level, and which doors are closed."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...checks import MadeByMethods, read_only, read_only_view, shown
from ...compilation.preparation import prepare
from ...conventions import Bools, Floats, Ids
from ...errors import QueryError
from ...kernels.arrays.level_arrays import SightArrays
from ...kernels.sight.sight_grid import wall_crossings
from ..features import door_number
from ..level import Level

_KERNELS = (
    "sight.sight_line.clear_lines",
    "sight.sight_line.clear_pairs",
    "sight.sight_line.clear_any",
    "sight.sight_trace.first_hits",
    "sight.sight_grid.wall_crossings",
    "sight.sight_area.view_outline",
)
"""What queries call."""


class Sight(MadeByMethods):
    """Everything that blocks sight on a level; only its doors and platforms change.

    Single writer: set neither while another thread runs queries.
    """

    def __init__(
        self,
        arrays: SightArrays,
        doors: tuple[Ids, Ids],
        door_names: tuple[str, ...],
        wall_height: float,
        platforms: int = 0,
    ) -> None:
        """Take the arrays, and the door (or -1) each of its walls and triangles belongs to; all doors start closed.

        Platforms are numbered after the doors; one that is present blocks sight like a closed door.
        """
        self._wall, self._triangle = arrays.wall, arrays.triangle
        count = len(door_names) + platforms
        walls = [np.flatnonzero(doors[0] == number) for number in range(count)]
        triangles = [np.flatnonzero(doors[1] == number) for number in range(count)]
        self._door_walls = [(rows, arrays.wall[rows]) for rows in walls]
        self._door_triangles = [(rows, arrays.triangle[rows]) for rows in triangles]
        self._closed = np.ones(count, np.bool_)
        self._arrays = arrays._replace(wall=read_only_view(arrays.wall), triangle=read_only_view(arrays.triangle))
        self._door_names = door_names
        self._wall_height = wall_height

    @classmethod
    def from_level(cls, level: Level, *, wall_height: float = 3.0) -> Sight:
        """Collect everything that blocks sight on a level; doors start in the state the level gives.

        Parameters
        ----------
        wall_height : height of walls at the rim of floors, 0.1 … 1000 m.
        """
        from .build import build_sight

        sight = build_sight(level, wall_height=wall_height)
        prepare(*_KERNELS)
        return sight

    def __repr__(self) -> str:
        return f"<Sight: {np.count_nonzero(self.closed)} of {len(self._door_names)} doors shut>"

    @property
    def arrays(self) -> SightArrays:
        """All arrays kernels need, read-only; the rows of doors change with their state."""
        return self._arrays

    @property
    def door_names(self) -> tuple[str, ...]:
        """Names of the level's doors, in order."""
        return self._door_names

    @property
    def wall_height(self) -> float:
        """Height of walls above the floor they border, metres."""
        return self._wall_height

    @property
    def closed(self) -> Bools:
        """Whether each door is closed at the moment, (doors,), a copy."""
        return self._closed[: len(self._door_names)].copy()

    @cached_property
    def crossings(self) -> Floats:
        """Points where walls cross in plan with all doors closed, without a drawn corner: x, y, bottom, top, (n, 4)."""
        walls = self._wall.copy()
        for rows, as_closed in self._door_walls:
            walls[rows] = as_closed
        arrays = self._arrays._replace(wall=read_only(walls))
        found = np.empty((wall_crossings(arrays, np.empty((0, 4))), 4))
        wall_crossings(arrays, found)
        return read_only(np.unique(found, axis=0))

    def set_door(self, door: str | int, closed: bool) -> None:
        """Close or open a door, by name or number.

        Raises
        ------
        QueryError
            No door has that name or number, or several share the name: use the number.
        """
        self._set(door_number(self._door_names, door), bool(closed))

    def set_doors(self, closed: Any) -> None:
        """Set the state of all doors at once: one bool each, or one for all."""
        self._set_all(closed, "doors", 0, len(self._door_names))

    def set_platforms(self, present: Any) -> None:
        """Set which platforms of the level are there: one bool each, or one for all."""
        first = len(self._door_names)
        self._set_all(present, "platforms", first, len(self._closed) - first)

    def _set_all(self, given: Any, what: str, first: int, count: int) -> None:
        try:
            states = np.broadcast_to(np.asarray(given, dtype=np.bool_), (count,))
        except (TypeError, ValueError):
            raise QueryError(f"the {what} were given as {shown(given)}; give {count} bools") from None
        for number in np.flatnonzero(states != self._closed[first : first + count]).tolist():
            self._set(first + number, bool(states[number]))

    def _set(self, number: int, closed: bool) -> None:
        self._closed[number] = closed
        rows, as_closed = self._door_walls[number]
        self._wall[rows] = as_closed
        if not closed:
            self._wall[rows, 5], self._wall[rows, 7] = as_closed[:, 4], as_closed[:, 6]
        rows, as_closed = self._door_triangles[number]
        self._triangle[rows] = as_closed
        if not closed:
            self._triangle[rows, 0], self._triangle[rows, 1] = np.inf, -np.inf
