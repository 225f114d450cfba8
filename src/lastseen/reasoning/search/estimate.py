"""The estimated position: where searchers believe the target to be after sight of it was lost."""

from __future__ import annotations

from typing import Any

from ...checks import finite_number, point_xyz, read_only
from ...conventions import Floats

__all__ = ["Estimate"]


class Estimate:
    """Follows the true position for a while after sight was lost, then stands still.

    Parameters
    ----------
    xyz : where the target was when sight was lost, or where something was perceived.
    time : seconds, when that was.
    grace : seconds for which the true position is still known; 0: frozen at once.

    Notes
    -----
    Rich Welsh, "Looking for Trouble: Making NPCs Search Realistically": knowing for 2 to 3 s more looks like
    guessing, and needs no extrapolation into walls.
    """

    def __init__(self, xyz: Any, time: float, grace: float):
        self.xyz: Floats = read_only(point_xyz(xyz, "xyz"))
        self.lost = finite_number(time, "time", unit="s")
        self.grace = finite_number(grace, "grace", unit="s", low=0.0, high=1e6)
        self._seen = self.lost

    @property
    def until(self) -> float:
        """Seconds at which the estimate freezes."""
        return self.lost + self.grace

    def update(self, time: float, true_xyz: Any) -> None:
        """Tell where the target really is now; what comes after the grace only says where it was at its end."""
        time = finite_number(time, "time", unit="s")
        if time <= self._seen or self._seen >= self.until:
            return
        now = point_xyz(true_xyz, "true_xyz")
        share = min((self.until - self._seen) / (time - self._seen), 1.0)
        # Between two steps the target is taken to have gone straight.
        self.xyz = read_only(self.xyz + share * (now - self.xyz) if share < 1.0 else now)
        self._seen = time
