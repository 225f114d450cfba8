"""What guards and runners of an evaluation can do."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from ....checks import finite_number


@dataclass(frozen=True, kw_only=True)
class PursuitSettings:
    """Metres, seconds, radians.

    Attributes
    ----------
    guard_speed : metres a second.
    runner_speeds : of runners, as multiples of the guard's; every model runs at each of them.
    gap : least and greatest metres between guard and runner when an episode begins.
    view_distance, view_angle : what a running guard sees; sight needs a straight walkable line.
    near : within this a guard notices the runner wherever it looks.
    keep : a guard that sees the runner comes no nearer; nobody is caught, so a chase ends by giving up only.
    delay : unseen so long, the runner is lost and the predictor asked.
    look_seconds, look_distance : how long, how far and all round a guard looks at the end of its way.
    patience : the first loss comes within this time, or the episode is drawn anew.
    alive : after the first loss; a chase not given up by then is alive.
    overtime : after that, to see how a chase under way ends.
    corner : a place so near the end of the way from which the runner would have been seen makes a corner missed.
    step : length of one step of time.
    """

    guard_speed: float = 4.0
    runner_speeds: tuple[float, ...] = (1.0, 1.25)
    gap: tuple[float, float] = (4.0, 12.0)
    view_distance: float = 20.0
    view_angle: float = math.radians(120.0)
    near: float = 1.5
    keep: float = 1.5
    delay: float = 0.5
    look_seconds: float = 2.0
    look_distance: float = 15.0
    patience: float = 30.0
    alive: float = 40.0
    overtime: float = 20.0
    corner: float = 3.0
    step: float = 0.1

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            for value in given if isinstance(given, tuple) else (given,):
                unit = _UNITS.get(field.name, "s" if field.name in _SECONDS else "m")
                finite_number(value, field.name, unit=unit, low=0.0, high=1e4, open_low=field.name not in _MAY_BE_ZERO)

    @property
    def steps(self) -> int:
        """How many steps of time an episode has at most."""
        return self.in_steps(self.patience + self.alive + self.overtime) + 1

    def in_steps(self, seconds: float) -> int:
        """Return a time in whole steps."""
        return round(seconds / self.step)


_SECONDS = ("delay", "look_seconds", "patience", "alive", "overtime", "step")
_UNITS = {"guard_speed": "m/s", "runner_speeds": "times the guard's", "view_angle": "rad"}
_MAY_BE_ZERO = ("near", "keep", "delay", "look_seconds", "overtime", "corner")
