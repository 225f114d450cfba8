"""Breadcrumbs: the target drops them, the guard follows and consumes them. Convincing, but omniscient."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from ....cells.meshed_layout import MeshedLayout
from ....checks import finite_number, point_xyz, whole_number
from ....conventions import Array, Floats
from ..losses import Losses
from .positions import PlacePredictor, require_trails


class CrumbTrail:
    """Crumbs on the floor, oldest first.

    Parameters
    ----------
    spacing : metres between two crumbs.
    most : crumbs kept; the oldest vanish.
    """

    def __init__(self, *, spacing: float = 2.0, most: int = 256):
        self.spacing = finite_number(spacing, "spacing", unit="m", low=0.0, high=1e3, open_low=True)
        self._crumbs: deque[Floats] = deque(maxlen=whole_number(most, "most", low=1))
        self._last: Floats | None = None

    def __len__(self) -> int:
        return len(self._crumbs)

    @property
    def crumbs_xyz(self) -> Floats:
        """(n, 3) float64: all crumbs left, oldest first."""
        return np.array(self._crumbs).reshape(-1, 3)

    def drop(self, xyz: Any) -> bool:
        """Tell where the target is now; a crumb is dropped if the last one is `spacing` away. Was one?"""
        here = point_xyz(xyz, "xyz")
        if self._last is not None and float(np.linalg.norm(here - self._last)) < self.spacing:
            return False
        self._crumbs.append(here)
        self._last = here
        return True

    def follow(self, xyz: Any, *, reach: float = 1.0) -> Floats | None:
        """Where to go next from here? The guard consumes the newest crumb within `reach` metres and all older ones.

        None: no crumb is left.
        """
        here = point_xyz(xyz, "xyz")
        finite_number(reach, "reach", unit="m", low=0.0, high=1e3)
        near = [number for number, crumb in enumerate(self._crumbs) if float(np.linalg.norm(crumb - here)) <= reach]
        for _ in range(near[-1] + 1 if near else 0):
            self._crumbs.popleft()
        return self._crumbs[0] if self._crumbs else None


class Breadcrumbs(PlacePredictor):
    """The guard follows crumbs to the newest one; needs `Loss.trail`.

    Parameters
    ----------
    spacing : metres between two crumbs.
    ahead : seconds of the target's way that is still dropped while the guard is under way.
    """

    reasons = ("newest_crumb",)

    def __init__(self, cells: MeshedLayout, *, spacing: float = 2.0, ahead: float = 0.0):
        super().__init__(cells)
        self.spacing = finite_number(spacing, "spacing", unit="m", low=0.0, high=1e3, open_low=True)
        self.ahead = finite_number(ahead, "ahead", unit="s", low=0.0, high=1e4)

    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        places = []
        for trail, seconds in zip(require_trails(losses), losses.seconds.tolist()):
            crumbs = CrumbTrail(spacing=self.spacing)
            until = seconds + self.ahead
            for moment, point in zip(trail.seconds.tolist(), trail.points_xyz):
                if moment > until:
                    break
                crumbs.drop(point)
            places.append(crumbs.crumbs_xyz[-1] if len(crumbs) else trail.at(until))
        return np.array(places).reshape(-1, 3), np.zeros(len(losses), np.uint8)
