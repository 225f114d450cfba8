"""The search map: one shared layer of influence that spreads, is cleaned and returns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ....cells.meshed_layout import MeshedLayout, cells_near
from ....checks import (
    finite_number,
    instance_of,
    point_xyz,
    points_xyz,
    read_only,
    real_array,
    shown,
    table_of,
    whole_number,
)
from ....compilation.preparation import prepare
from ....conventions import Array, Ids
from ....errors import InputError, QueryError, did_you_mean
from ....kernels.search.search_wave import FLAG, IS_SPOT, REGROWING, VALUE
from ....layers.layer import Layer, cell_ids, require_cells
from ....layers.spread import Spread
from ..search_settings import SearchSettings, preset
from ..sight import boxes, triangles
from .destination import Destination, Destinations, Scoring, choose_destinations, gain_rules
from .looks import Looks
from .threads import ENDLESS, MOST_THREADS
from .wave import Wave

_KERNELS = (
    "search.search_wave.start_wave",
    "search.search_wave.run_wave",
    "search.search_wave.regrow",
    "search.search_wave.forget_wave",
    "search.search_inspection.clean_cells",
    "search.search_inspection.clean_shapes",
    "search.search_score.score_cells",
    "search.search_gain.score_gains",
    "search.search_gain.gain_at",
    "search.search_gain.list_view",
    "search.search_gain.unseen_bearings",
    "cells.layer_spread.distances_from",
    "cells.standing_cells.stood_in",
    "cells.nearby_cells.nearest_cells_of_points",
)
"""What a search calls."""


class SearchMap:
    """Influence over cells: where a target may be, seeded by stimuli, spreading at its pace, cleaned by searchers.

    Parameters
    ----------
    cells : a `CellLayout`, or a `LiveLayout`: doors that close stop the wave, doors that open let it through.
    settings : `SearchSettings`, or the name of a preset.
    spots : search spots as `{name: (x, y, z)}`, such as wardrobes, whose cells only `use_spot` cleans.
    threads : 1 … 64, threads that look for searchers when cells are cleaned without a budget; the result is the same.

    Attributes
    ----------
    layer : int8 layer shared by all searchers and written by this object: seven bits of value (0 … 127), and in the
        sign bit whether a wave has passed.

    Notes
    -----
    After the search of *Dishonored 2*. The wave follows links, so its pace is exact in metres walked from cell to cell.
    Such a walk is longer than the shortest path: on a grid by 0 (along axes and diagonals) to 8.3 %, on irregular cells
    by 7 to 10 % on average; the front is late by that much and never early. The setting `pace="shortest"` compensates
    for the average. A cell is reached in the step in which the wave arrives at its position; how time is divided into
    steps does not affect when.
    """

    def __init__(
        self,
        cells: MeshedLayout,
        settings: SearchSettings | str = "influence",
        *,
        spots: Mapping[str, Any] | None = None,
        threads: int = 1,
    ):
        require_cells(cells, "cells")
        if not isinstance(settings, SearchSettings | str):
            raise InputError(f"settings is {shown(settings)}; give SearchSettings(…) or the name of a preset")
        self.layout = cells
        self.settings = preset(settings) if isinstance(settings, str) else settings
        self.layer = Layer(
            cells, "search influence", "int8", "how likely the target hides here, and whether a wave passed"
        )
        if whole_number(threads, "threads", low=1) > MOST_THREADS:
            raise InputError(f"threads is {shown(threads)}; give 1 to {MOST_THREADS}")
        self._wave = Wave(cells, self.settings, self.layer.values, threads)
        self._walk = Spread(cells)
        self._looks = Looks(cells, self._wave.work)
        self._spots: dict[str, int] = {}
        self._unused: dict[int, set[str]] = {}
        self._cursor = np.zeros((2, 2), np.int64)
        prepare(*_KERNELS, cells=len(cells.arrays.cell_grid))
        for name, xyz in table_of(spots, "spots").items():
            self.add_spot(name, xyz)

    def __repr__(self) -> str:
        return f"<SearchMap over {self.layout!r}: {len(self.reached):,} reached after {self.seconds:g} s>"

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return self._wave.seconds

    @property
    def value01(self) -> Array:
        """(N,) float32: influence of each cell, 0 … 1."""
        return read_only((self._wave.work.byte & VALUE).astype(np.float32) / np.float32(VALUE))

    @property
    def reached(self) -> Ids:
        """Cells that a wave has passed since the search began, int32, ascending."""
        return self._wave.cells_with(FLAG)

    @property
    def active(self) -> Ids:
        """Cells with influence, int32, ascending."""
        return self._wave.cells_with(VALUE)

    @property
    def behind(self) -> float:
        """Metres by which the wave is behind schedule; 0.0: it is up to date."""
        return self._wave.behind

    @property
    def regenerating(self) -> int:
        """Number of cleaned cells that are regenerating."""
        return int(self._wave.work.count[REGROWING])

    def seed(self, places: Any, value: Any = 1.0, *, reset: bool = False, old: float = 1.0) -> Ids:
        """Put influence where something was perceived, to spread from now on; return the cells (n,) int32.

        Parameters
        ----------
        places : cell ids (whole numbers), or positions (x, y[, z]) in metres, one or several.
        value : 0 … 1, one for all or one for each place.
        reset : clear the layer first, because the target is known to be here and nowhere else.
        old : share 0 … 1 of earlier influence that remains, so that what is fresh outweighs it.
        """
        old = finite_number(old, "old", low=0.0, high=1.0)
        cells = self._cells(places)
        values = real_array(value, "value", "one number from 0 to 1, or one for each place")
        if values.shape not in ((), cells.shape) or not ((values >= 0.0) & (values <= 1.0)).all():
            raise InputError(
                f"value is {shown(value)}; give a number from 0 to 1, or one for each of {len(cells)} places"
            )
        if reset:
            self._wave.forget()
        elif old < 1.0:
            self._wave.weaken(old)
        self._wave.seed(cells, np.full(len(cells), values * VALUE, np.float32))
        return read_only(cells)

    def advance(self, seconds: float, *, budget: int | None = None, speed: float | None = None) -> float:
        """Advance time: spread and regenerate; return the metres by which the wave is behind, 0.0 if up to date.

        Parameters
        ----------
        budget : maximum number of cells the wave may reach in this call; the rest is left for the next.
        speed : m/s to use in this call instead of the setting.
        """
        seconds = finite_number(seconds, "seconds", unit="s", low=0.0, high=1e6)
        pace = self.settings.speed if speed is None else finite_number(speed, "speed", unit="m/s", low=0.0, high=1e3)
        self._wave.advance(seconds, pace * seconds, _budget(budget))
        return self.behind

    def clean(self, cells: Any) -> int:
        """Clean cells that searchers inspected, by the caller's test of sight; return how many had influence.

        Cells of search spots are not cleaned.
        """
        return self._wave.clean(cell_ids(self.layout, cells), spots=False)

    def clean_cube(self, xyz: Any, *, half: float | None = None) -> int:
        """Clean the cells in a cube around each searcher (n, 3); return how many had influence."""
        feet = points_xyz(xyz, "xyz")
        reach = self.settings.cube if half is None else finite_number(half, "half", unit="m", low=0.0, high=100.0)
        return self._wave.clean_shapes(
            feet, boxes(feet, reach), reach, self.settings.cube_needs_line, self._cursor[0], ENDLESS
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
        """Clean the cells that searchers look at; return how many had influence.

        Parameters
        ----------
        xyz : (n, 3) positions of the searchers.
        heading : (n,) radians, their view directions.
        angle, distance : of the triangle, by default as in the settings.
        budget : maximum number of straight lines tested in this call; the next call continues with the searcher at
            which this one stopped, using the poses given then.
        """
        feet = points_xyz(xyz, "xyz")
        shapes = triangles(
            feet,
            heading,
            self.settings.angle if angle is None else angle,
            self.settings.distance if distance is None else distance,
        )
        return self._wave.clean_shapes(feet, shapes, self.settings.reach_z, True, self._cursor[1], _budget(budget))

    def add_spot(self, name: str, xyz: Any) -> int:
        """Link a search spot to the cell at or nearest to a place; return the cell."""
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
        """Clean the cell of a hiding spot that was opened; return whether it had influence.

        If several spots share a cell, it is cleaned once all of them have been used.
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
        """End the search: reset all cells and the time to 0; search spots stay."""
        self._wave.begin()
        self._cursor[:] = 0

    def destination(self, xyz: Any, others_xyz: Any = (), *, scoring: Scoring | None = None) -> Destination:
        """Return where a searcher at `xyz` should go next if others are at, or on their way to, `others_xyz`."""
        return self.destinations(point_xyz(xyz, "xyz")[None], others_xyz, scoring=scoring)[0]

    def destinations(self, xyz: Any, others_xyz: Any = (), *, scoring: Scoring | None = None) -> Destinations:
        """Return where each of several searchers should go next, chosen in turn: later ones avoid earlier choices."""
        feet, others = points_xyz(xyz, "xyz"), points_xyz(others_xyz, "others_xyz")
        rules = Scoring() if scoring is None else instance_of(scoring, Scoring, "scoring", "give Scoring(…), or None")
        return choose_destinations(self.layout, self._wave.work, self._walk, self._looks, feet, others, rules)

    def gain(self, xyz: Any, *, scoring: Scoring | None = None) -> float:
        """Return what a look around at a place shows: the area in view in m², weighed by influence squared."""
        rules = Scoring() if scoring is None else instance_of(scoring, Scoring, "scoring", "give Scoring(…), or None")
        return self._looks.gain(point_xyz(xyz, "xyz"), gain_rules(rules, self._looks.area))

    def dismiss(self, xyz: Any, *, scoring: Scoring | None = None) -> None:
        """Clean all that a look around at a place shows, and a hiding place there: the searcher is done with it."""
        rules = Scoring() if scoring is None else instance_of(scoring, Scoring, "scoring", "give Scoring(…), or None")
        seen = self._looks.seen(point_xyz(xyz, "xyz"), gain_rules(rules, self._looks.area))
        self._wave.clean(seen, spots=False)
        self._wave.clean(seen[:1], spots=True)

    def unseen_direction(
        self, xyz: Any, heading: float, *, most: float = math.pi, distance: float | None = None
    ) -> tuple[float, float]:
        """Return the direction in which most influence is in view of a place, and how many m² of it.

        Parameters
        ----------
        heading : radians; the direction is at most `most` radians from it.
        distance : metres of view, by default as in the settings.
        """
        heading = finite_number(heading, "heading", unit="rad")
        most = finite_number(most, "most", unit="rad", low=0.0, high=math.pi + 1e-9)
        given = self.settings.distance if distance is None else distance
        view = finite_number(given, "distance", unit="m", low=0.0, high=1e3)
        return self._looks.direction(point_xyz(xyz, "xyz"), view, heading, most)

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


def _budget(given: int | None) -> int:
    return ENDLESS if given is None else min(whole_number(given, "budget", low=1), ENDLESS)
