"""Settings of crew trials."""

from __future__ import annotations

from dataclasses import dataclass

from ....checks import finite_number, whole_number
from ....errors import InputError

_MOST = 10


@dataclass(frozen=True, kw_only=True)
class CrewTrialSettings:
    """Settings of trials, in metres and seconds.

    Attributes
    ----------
    seconds : maximum duration of a trial; a scenario may end earlier by its own time.
    step : of the simulation.
    sizes : numbers of guards in trials drawn on a level, in turn.
    ranged : 0 … 1, probability of a gun per guard in a fight.
    away : minimum and maximum path length from the first guard to the target at the beginning.
    spread : distance from the first guard within which the others start.
    jitter : maximum displacement of the agents of a scenario at its beginning.
    """

    seconds: float = 40.0
    step: float = 0.1
    sizes: tuple[int, ...] = (1, 3, 5, 8)
    ranged: float = 0.4
    away: tuple[float, float] = (7.0, 16.0)
    spread: float = 5.0
    jitter: float = 1.0

    def __post_init__(self) -> None:
        finite_number(self.seconds, "seconds", unit="s", low=1.0, high=3600.0)
        finite_number(self.step, "step", unit="s", low=0.0, high=1.0, open_low=True)
        finite_number(self.ranged, "ranged", low=0.0, high=1.0)
        for name in ("spread", "jitter"):
            finite_number(getattr(self, name), name, unit="m", low=0.0, high=1000.0)
        low, high = (finite_number(one, "away", unit="m", low=0.0, high=1e4) for one in self.away)
        if low > high:
            raise InputError(f"away is {self.away}; give the minimum first")
        if not self.sizes:
            raise InputError(f"sizes is empty; give numbers of guards from 1 to {_MOST}")
        for size in self.sizes:
            finite_number(whole_number(size, "sizes", low=1), "sizes", high=_MOST)
