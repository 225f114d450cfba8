"""The search map: one shared layer of influence that spreads, is cleaned, and comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....cells.meshed_layout import MeshedLayout, cells_near
from ....checks import (
    finite_number,
    point_xyz,
    points_xyz,
    read_only,
    real_array,
    shown,
    table_of,
    thing_of,
    whole_number,
)
from ....conventions import Array, Ids
from ....errors import InputError, QueryError, did_you_mean
from ....kernels.search.search_wave import FLAG, IS_SPOT, REGROWING, VALUE
from ....layers.layer import Layer, cell_ids, require_cells
from ....layers.spread import Spread
from ..search_settings import SearchSettings, preset
from ..sight import boxes, triangles
from .destination import Destination, Destinations, Scoring, choose_destinations
from .wave import Wave

_ENDLESS = 2**62


class SearchMap:
    """Where might they be? Influence seeded by what is perceived, spreading at a runner's pace, cleaned by searchers.

    Parameters
    ----------
    cells : a `CellLayout`, or a `LiveLayout`: doors that close stop the wave, doors that open let it through.
    settings : `SearchSettings`, or the name of a preset.
    spots : search spots, as `{name: (x, y, z)}`: wardrobes and the like, whose cell only `use_spot` cleans.

    Attributes
    ----------
    layer : int8, seven bits of value (0 … 127) and in the sign bit whether a wave has been there. One layer, shared by
        all searchers; this object is its writer.

    Notes
    -----
    After the search of *Dishonored 2*. The wave goes along links, so its pace is exact in metres walked from cell to
    cell. Such a walk is longer than the shortest way: on a grid by 0 (along axes and diagonals) to 8.3 %, on irregular
    cells by 7 to 10 % in the mean; the front is late by that and never early. The setting `pace="shortest"` makes up
    for the mean. A cell is reached in the step in which the wave comes to its position. However time is cut up, a wave
    comes everywhere at the same moment.
    """

    def __init__(
        self,
        cells: MeshedLayout,
        settings: SearchSettings | str = "influence",
        *,
        spots: Mapping[str, Any] | None = None,
    ):
        require_cells(cells)
        if not isinstance(settings, SearchSettings | str):
            raise InputError(f"settings is {shown(settings)}; give SearchSettings(…) or the name of a preset")
        self.layout = cells
        self.settings = preset(settings) if isinstance(settings, str) else settings
        self.layer = Layer(
            cells, "search influence", "int8", "how likely somebody hides here, and whether a wave passed"
        )
        self._wave = Wave(cells, self.settings, self.layer.values)
        self._walk = Spread(cells)
        self._spots: dict[str, int] = {}
        self._unused: dict[int, set[str]] = {}
        self._cursor = np.zeros((2, 2), np.int64)
        for name, xyz in table_of(spots, "spots").items():
            self.add_spot(name, xyz)

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return self._wave.seconds

    @property
    def value01(self) -> Array:
        """(N,) float32: influence of every cell, 0 … 1."""
        return read_only((self._wave.work.byte & VALUE).astype(np.float32) / np.float32(VALUE))

    @property
    def reached(self) -> Ids:
        """Cells a wave has been to since the search began, int32, ascending."""
        return self._wave.cells_with(FLAG)

    @property
    def active(self) -> Ids:
        """Cells that hold influence, int32, ascending."""
        return self._wave.cells_with(VALUE)

    @property
    def behind(self) -> float:
        """Metres the wave still has to go to where it should be; 0.0: nothing is left to do."""
        return self._wave.behind

    @property
    def regenerating(self) -> int:
        """How many cleaned cells are coming back."""
        return int(self._wave.work.count[REGROWING])

    def seed(self, places: Any, value: Any = 1.0, *, reset: bool = False) -> Ids:
        """Something was perceived: put influence there, to spread from now on. Return the cells (n,) int32.

        Parameters
        ----------
        places : cell ids (whole numbers), or positions (x, y[, z]) in metres, one or several.
        value : 0 … 1, one, or one for each place.
        reset : first clear the layer: the target is known to be here and nowhere else.
        """
        cells = self._cells(places)
        values = real_array(value, "value", "one number from 0 to 1, or one for each place")
        if values.shape not in ((), cells.shape) or not ((values >= 0.0) & (values <= 1.0)).all():
            raise InputError(
                f"value is {shown(value)}; give a number from 0 to 1, or one for each of {len(cells)} places"
            )
        if reset:
            self._wave.forget()
        self._wave.seed(cells, np.full(len(cells), values * VALUE, np.float32))
        return read_only(cells)

    def advance(self, seconds: float, *, budget: int | None = None, speed: float | None = None) -> float:
        """Let time pass: spread and regenerate. Return metres the wave is behind, 0.0 if up to date.

        Parameters
        ----------
        budget : most cells the wave may take in this call; the rest is left for the next.
        speed : m/s, for this while instead of the setting.
        """
        seconds = finite_number(seconds, "seconds", unit="s", low=0.0, high=1e6)
        pace = self.settings.speed if speed is None else finite_number(speed, "speed", unit="m/s", low=0.0, high=1e3)
        most = _ENDLESS if budget is None else min(whole_number(budget, "budget", low=1), _ENDLESS)
        self._wave.advance(seconds, pace * seconds, most)
        return self.behind

    def clean(self, cells: Any) -> int:
        """Clean cells somebody inspected, by your own test of what is seen; return how many held influence.

        Cells of search spots are left as they are.
        """
        ids = cell_ids(self.layout, cells)
        return self._wave.clean(ids, spots=False)

    def clean_cube(self, xyz: Any, *, half: float | None = None) -> int:
        """Clean the cells in a cube around each searcher (n, 3); return how many held influence."""
        feet = points_xyz(xyz, "xyz")
        reach = self.settings.cube if half is None else finite_number(half, "half", unit="m", low=0.0, high=100.0)
        return self._wave.clean_shapes(
            feet, boxes(feet, reach), reach, self.settings.cube_needs_line, self._cursor[0], _ENDLESS
        )

    def clean_view(
        self,
        xyz: Any,
        heading: Any,
        *,
        angle: float | None = None,
        distance: float | None = None,
        budget: int | None = None,
    ) -> int:
        """Clean what searchers look at; return how many cells held influence.

        Parameters
        ----------
        xyz : (n, 3) where searchers stand.
        heading : (n,) radians, where each looks.
        angle, distance : of the triangle, as in the settings.
        budget : most straight lines drawn in this call; the next one goes on where this one stopped, searcher by
            searcher, with the poses it is given then.
        """
        feet = points_xyz(xyz, "xyz")
        shapes = triangles(
            feet,
            heading,
            self.settings.angle if angle is None else angle,
            self.settings.distance if distance is None else distance,
        )
        most = _ENDLESS if budget is None else min(whole_number(budget, "budget", low=1), _ENDLESS)
        return self._wave.clean_shapes(feet, shapes, self.settings.reach_z, True, self._cursor[1], most)

    def add_spot(self, name: str, xyz: Any) -> int:
        """Link a search spot to the cell at (or nearest to) a place; return the cell."""
        if not isinstance(name, str) or not name:
            raise InputError(f"a search spot needs a name, got {shown(name)}")
        if name in self._spots:
            raise InputError(f"there is a search spot {name!r} already; give each its own name")
        place = point_xyz(xyz, f"place of spot {name!r}")
        cell = int(cells_near(self.layout, place, self.settings.nearest, f"spot {name!r}")[0])
        self._spots[name] = cell
        self._unused.setdefault(cell, set()).add(name)
        self._wave.work.state[cell] |= IS_SPOT
        return cell

    @property
    def spots(self) -> dict[str, int]:
        """Search spots and their cells."""
        return dict(self._spots)

    def use_spot(self, name: str) -> bool:
        """Clean the cell of a hiding spot that was opened; return whether it held influence.

        Where several spots share a cell, it is cleaned once all of them have been used.
        """
        if not isinstance(name, str) or name not in self._spots:
            have = ", ".join(map(repr, self._spots)) or "none"
            raise QueryError(f"no search spot {shown(name)}{did_you_mean(name, self._spots)}; spots: {have}")
        cell = self._spots[name]
        self._unused[cell].discard(name)
        if self._unused[cell]:
            return False
        self._unused[cell] = {other for other, where in self._spots.items() if where == cell}
        return self._wave.clean(np.array([cell], np.int32), spots=True) > 0

    def clear(self) -> None:
        """End the search: every cell back to 0, time back to 0; search spots stay."""
        self._wave.begin()
        self._cursor[:] = 0

    def destination(self, xyz: Any, others_xyz: Any = (), *, scoring: Scoring | None = None) -> Destination:
        """Where should a searcher at `xyz` go next, others being, or bound for, `others_xyz`? See `destinations`."""
        return self.destinations(point_xyz(xyz, "xyz")[None], others_xyz, scoring=scoring)[0]

    def destinations(self, xyz: Any, others_xyz: Any = (), *, scoring: Scoring | None = None) -> Destinations:
        """Where should each of several searchers go next? In turn: what one is given counts as taken for the next."""
        feet, others = points_xyz(xyz, "xyz"), points_xyz(others_xyz, "others_xyz")
        rules = Scoring() if scoring is None else thing_of(scoring, Scoring, "scoring", "give Scoring(…), or None")
        return choose_destinations(self.layout, self._wave.work, self._walk, feet, others, rules)

    def _cells(self, places: Any) -> Ids:
        """Return the cells at places given as ids or positions."""
        try:
            given = np.asarray(places) if isinstance(places, list | int | np.integer) else places
        except ValueError:
            given = None
        if isinstance(given, np.ndarray) and given.ndim <= 1 and given.dtype.kind in "iu":
            return cell_ids(self.layout, given)
        points = real_array(places, "places", "cell ids or positions in metres")
        return cells_near(self.layout, np.atleast_2d(points), self.settings.nearest, "places")
