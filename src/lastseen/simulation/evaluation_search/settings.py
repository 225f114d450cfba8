"""What searchers and evaders of an evaluation do, and for how long."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ...checks import finite_number
from ...errors import InputError

__all__ = ["TrialSettings"]


@dataclass(frozen=True, kw_only=True)
class TrialSettings:
    """Metres and seconds.

    Attributes
    ----------
    seconds : how long a search goes on; who is not found by then is not found.
    step : of the simulation.
    radius, cell : of bodies and of cells; layouts are baked with them.
    pace : of searchers, as a multiple of walking; the same for all contenders.
    look_seconds : how long searchers look round where they arrive.
    run_speed : of the evader between the place where it was last seen and its first hiding place, in m/s.
    away : least and greatest metres it walked on that way.
    first_away, others_away : least and greatest metres a searcher walks to the place last seen.
    sample : seconds between two measurements of the belief, and two points of the tracks.
    escape_away : least metres from its first hiding place to the exit a sneaker makes for.
    """

    seconds: float = 60.0
    step: float = 0.1
    radius: float = 0.3
    cell: float = 1.0
    pace: float = 1.4
    look_seconds: float = 1.5
    run_speed: float = 4.5
    away: tuple[float, float] = (4.0, 20.0)
    first_away: tuple[float, float] = (3.0, 10.0)
    others_away: tuple[float, float] = (3.0, 25.0)
    sample: float = 1.0
    escape_away: float = 10.0

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            unit = {"pace": "", "run_speed": "m/s"}.get(field.name, "s" if field.name in _SECONDS else "m")
            for value in given if isinstance(given, tuple) else (given,):
                finite_number(value, field.name, unit=unit, low=0.0, high=1e4, open_low=field.name != "look_seconds")
            if isinstance(given, tuple) and (len(given) != 2 or given[0] > given[1]):
                raise InputError(f"{field.name} is {given}; give the least and the greatest metres")
        finite_number(self.step, "step", unit="s", low=0.01, high=0.5)
        finite_number(self.sample, "sample", unit="s", low=self.step, high=self.seconds)

    @property
    def samples(self) -> int:
        """How many measurements a whole search has."""
        return int(self.seconds / self.sample + 1e-9) + 1

    def as_object(self) -> dict[str, Any]:
        """Return the settings for JSON."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in named.items()}


_SECONDS = ("seconds", "step", "look_seconds", "sample")
