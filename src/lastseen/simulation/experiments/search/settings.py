"""Settings of the searchers and evaders of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ....checks import finite_number
from ....errors import InputError


@dataclass(frozen=True, kw_only=True)
class TrialSettings:
    """Settings of trials, in metres and seconds.

    Attributes
    ----------
    seconds : duration of a search; an evader not found by then counts as not found.
    step : of the simulation.
    radius : of bodies; layouts are baked with it.
    cell : edge of a cell; default: the tile of a tile map, else 1.
    pace : of searchers, as a multiple of walking; the same for all contenders.
    look_seconds : how long searchers look around where they arrive.
    run_speed : of the evader from the place where it was last seen to its first hiding place, in m/s.
    away : minimum and maximum length of that path, in metres.
    first_away, others_away : minimum and maximum path length of searchers to the last sighting, in metres.
    sample : seconds between two samples of the belief and of the tracks.
    escape_away : minimum distance in metres from its first hiding place to the exit chosen by a sneaker.
    """

    seconds: float = 60.0
    step: float = 0.1
    radius: float = 0.3
    cell: float | None = None
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
            if given is None and field.name == "cell":
                continue
            unit = {"pace": "", "run_speed": "m/s"}.get(field.name, "s" if field.name in _SECONDS else "m")
            for value in given if isinstance(given, tuple) else (given,):
                finite_number(value, field.name, unit=unit, low=0.0, high=1e4, open_low=field.name != "look_seconds")
            if isinstance(given, tuple) and (len(given) != 2 or given[0] > given[1]):
                raise InputError(f"{field.name} is {given}; give minimum and maximum in metres")
        finite_number(self.step, "step", unit="s", low=0.01, high=0.5)
        finite_number(self.sample, "sample", unit="s", low=self.step, high=self.seconds)

    @property
    def samples(self) -> int:
        """Number of samples of a whole search."""
        return int(self.seconds / self.sample + 1e-9) + 1


_SECONDS = ("seconds", "step", "look_seconds", "sample")
