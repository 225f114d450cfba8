"""Kinds of guards and their abilities."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...checks import finite_number, shown, text_of
from ...errors import InputError, did_you_mean

_RANGES = (
    ("speed", "m/s", 0.0, 50.0, False),
    ("view_distance", "m", 0.0, 10_000.0, True),
    ("view_angle", "rad", 0.0, 2.0 * math.pi, True),
    ("turn_speed", "rad/s", 0.0, 1000.0, True),
    ("sweep", "rad", 0.0, 2.0 * math.pi, False),
    ("pause", "s", 0.0, 3600.0, False),
    ("passive", "m", 0.0, 10_000.0, True),
    ("eye_height", "m", 0.0, 100.0, False),
)
_TURN = 2.0 * math.pi


@dataclass(frozen=True)
class GuardKind:
    """The abilities of a kind of guard, in metres, seconds and radians.

    Attributes
    ----------
    speed : 0 … 50 m/s along its route; 0: it stays in place.
    view_distance, view_angle : radius and full opening of its field of view, up to 2 pi.
    turn_speed : of its head, at corners or when looking around, up to 1000 rad/s.
    sweep : total angle a stationary guard sweeps around its heading; 2 pi: it turns continuously.
    pause : seconds it looks each way before turning back.
    passive : distance at which it notices anyone in any direction: the smallest radius of a packing for it. Not part of
        the field of view.
    eye_height : metres above the floor.
    """

    name: str = "walking"
    speed: float = 1.5
    view_distance: float = 8.0
    view_angle: float = math.pi / 2.0
    turn_speed: float = math.pi
    sweep: float = 0.0
    pause: float = 0.0
    passive: float = 1.0
    eye_height: float = 1.6

    def __post_init__(self) -> None:
        text_of(self.name, "name")
        for name, unit, low, high, open_low in _RANGES:
            number = finite_number(getattr(self, name), name, unit=unit, low=low, high=high, open_low=open_low)
            object.__setattr__(self, name, number)

    @property
    def walks(self) -> bool:
        """Whether it moves."""
        return self.speed > 0.0

    @property
    def opening(self) -> float:
        """Everything it can see from one place: its view plus its sweep, at most 2 pi."""
        return min(self.view_angle + (0.0 if self.walks else self.sweep), _TURN)


KINDS = {
    "walking": GuardKind(),
    "standing": GuardKind("standing", speed=0.0, view_angle=math.radians(120.0)),
    "turning": GuardKind("turning", speed=0.0, turn_speed=math.radians(60.0), sweep=_TURN),
    "camera": GuardKind(
        "camera",
        speed=0.0,
        view_distance=12.0,
        view_angle=math.radians(60.0),
        turn_speed=math.radians(30.0),
        sweep=math.radians(90.0),
        pause=1.0,
        eye_height=2.5,
    ),
}
"""The archetypes: walking a route, standing and looking one way, turning continuously, and a camera."""


def guard_kind(name: str) -> GuardKind:
    """Return an archetype; use `dataclasses.replace` to change its view or speed."""
    if not isinstance(name, str) or name not in KINDS:
        raise InputError(
            f"there is no kind of guard {shown(name)}{did_you_mean(name, KINDS)}; there are {', '.join(KINDS)}"
        )
    return KINDS[name]
