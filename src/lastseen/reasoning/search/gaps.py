"""Gaps: openings to the left and right that a searcher passes and may look into."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ...checks import instance_of, points_xyz, read_only, shown, whole_number
from ...conventions import Array, Floats, left_turn
from ...errors import InputError
from ...navmesh.navmesh import AnyMesh, mesh_arrays
from ...navmesh.query import raycasts
from ...rng import generator
from ..input_checks import store_numbers
from .sight import flags, headings

Side = Literal["left", "right"]

RESPONSES = ("walk over", "turn", "glance")
"""What a searcher may do at a gap: go and look, turn towards it, or only move its head."""

_RANGES = {
    "ahead": ("m", 0.0, 100.0),
    "reach": ("m", 0.0, 1e3),
    "jump": ("m", 0.0, 1e3),
    "turn": ("rad", 0.0, 7.0),
}
_MOST = 1_000_000
_STEP = 0.5
"""Metres into a gap of the point to look at."""


@dataclass(frozen=True, kw_only=True)
class GapSettings:
    """How gaps are found.

    Attributes
    ----------
    ahead : metres ahead of the searcher at which rays to both sides start.
    reach : length of the rays in metres.
    jump : metres by which a ray must be longer than the one before to indicate a gap.
    turn : radians by which the searcher may change direction before both sides are reset.
    """

    ahead: float = 1.5
    reach: float = 20.0
    jump: float = 1.5
    turn: float = math.radians(30.0)

    def __post_init__(self) -> None:
        store_numbers(self, _RANGES)


@dataclass(frozen=True, eq=False)
class Gap:
    """A gap at the side of a searcher.

    Attributes
    ----------
    searcher : row of the searcher.
    side : "left" or "right" of the searcher, as on the map.
    xyz : (3,) metres, in the opening, a step beyond the line of the wall.
    heading : direction straight into the opening, radians.
    depth : length of the ray in metres.
    response : one of `RESPONSES`, chosen at random.
    """

    searcher: int
    side: Side
    xyz: Floats
    heading: float
    depth: float
    response: str


class GapDetector:
    """Watches both sides of `count` searchers and reports each gap once, shortly before they reach it.

    Notes
    -----
    Rich Welsh, "Looking for Trouble": cast rays to both sides from a little ahead; a jump in their length indicates a
    gap or corner. Looking there replaces unmotivated glances.

    Sides are named as on the map; give the level's `is_drawn_down`, which is true for tile maps.
    """

    def __init__(
        self,
        mesh: AnyMesh,
        count: int,
        settings: GapSettings | None = None,
        *,
        seed: int = 0,
        is_drawn_down: bool = False,
    ):
        mesh_arrays(mesh)
        self.mesh = mesh
        given = GapSettings() if settings is None else settings
        self.settings = instance_of(given, GapSettings, "settings", "give GapSettings(…)")
        self._sides: tuple[Side, Side] = ("left", "right") if left_turn(is_drawn_down) > 0.0 else ("right", "left")
        self._random = generator(whole_number(seed, "seed"), "search gaps")
        if whole_number(count, "count") > _MOST:
            raise InputError(f"count is {shown(count)}; give at most {_MOST}")
        # Side 0 is counter-clockwise of ahead.
        # Length of the ray to each side when it last hit a wall, NaN: unknown; and whether a gap is open there.
        self._wall: Floats = np.full((count, 2), np.nan)
        self._open: Array = np.zeros((count, 2), np.bool_)
        self._heading: Floats = np.full(count, np.nan)

    def look(self, xyz: Any, heading: Any, moving: Any = True) -> tuple[Gap, ...]:
        """Return new gaps at the sides of searchers at `xyz` (n, 3) that move in direction `heading` (n,) radians.

        Searchers that are not `moving` ((n,) bool) are left out.
        """
        feet = points_xyz(xyz, "xyz")
        count = len(self._heading)
        if len(feet) != count:
            raise InputError(f"xyz has {len(feet)} rows; this detector watches {count} searchers, one row for each")
        facing = headings(heading, count)
        rows = np.flatnonzero(flags(moving, count, "moving"))
        if not len(rows):
            return ()
        self._forget_turned(rows, facing)
        depth, rays = self._rays(feet[rows], facing[rows])
        sides = [(place, row, side) for place, row in enumerate(rows.tolist()) for side in range(2)]
        new = [each for each in sides if self._is_new(each[1], each[2], float(depth[each[0], each[2]]))]
        return tuple(self._gap(row, side, float(depth[place, side]), rays[place, side]) for place, row, side in new)

    def _forget_turned(self, rows: Array, facing: Floats) -> None:
        turned = np.abs((facing[rows] - self._heading[rows] + np.pi) % (2.0 * np.pi) - np.pi)
        reset = rows[~(turned <= self.settings.turn)]
        self._wall[reset] = np.nan
        self._open[reset] = False
        self._heading[reset] = facing[reset]

    def _rays(self, feet: Floats, facing: Floats) -> tuple[Floats, Floats]:
        """Return the length of the ray of each searcher and side (n, 2), and its start and direction (n, 2, 2, 3)."""
        along = np.column_stack([np.cos(facing), np.sin(facing), np.zeros(len(facing))])
        ahead = raycasts(self.mesh, feet, feet + self.settings.ahead * along).xyz
        counter_clockwise = np.column_stack([-along[:, 1], along[:, 0], along[:, 2]])
        depth, rays = np.zeros((len(feet), 2)), np.zeros((len(feet), 2, 2, 3))
        for side, across in enumerate((counter_clockwise, -counter_clockwise)):
            hit = raycasts(self.mesh, ahead, ahead + self.settings.reach * across)
            depth[:, side] = hit.fraction * self.settings.reach
            rays[:, side, 0], rays[:, side, 1] = ahead, across
        return depth, rays

    def _is_new(self, row: int, side: int, depth: float) -> bool:
        wall = self._wall[row, side]
        if np.isnan(wall) or depth <= wall + self.settings.jump:
            self._wall[row, side] = depth
            self._open[row, side] = False
            return False
        new = not self._open[row, side]
        self._open[row, side] = True
        return bool(new)

    def _gap(self, row: int, side: int, depth: float, ray: Floats) -> Gap:
        response = RESPONSES[int(self._random.integers(len(RESPONSES)))]
        inside = min(float(self._wall[row, side]) + _STEP, depth)
        place, heading = read_only(ray[0] + inside * ray[1]), math.atan2(ray[1, 1], ray[1, 0])
        return Gap(row, self._sides[side], place, heading, depth, response)
