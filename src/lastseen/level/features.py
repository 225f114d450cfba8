"""Things placed on a level: obstacles, cover, doors, zones, spawns, patrols and paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..checks import frozen_numbers, real_array, shown, wrong_kind
from ..conventions import Floats
from ..errors import InputError, QueryError, did_you_mean
from ..vocabulary.words import TrapEffect

Point = tuple[float, float, float]


def parts_of(values: Any, name: str, kind: type = object) -> tuple[Any, ...]:
    """Return several parts of a level as a tuple, or raise unless each is of `kind`."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InputError(f"{name} is {shown(values)}; give several, such as [{kind.__name__}(…)]")
    parts = tuple(values)
    for number, part in enumerate(parts):
        if not isinstance(part, kind):
            raise wrong_kind(part, kind.__name__, f"{name}[{number}]")
    return parts


class _Placed:
    """Something at a point: `xyz` becomes a tuple of floats; (x, y) lies at z = 0."""

    xyz: Point

    def __post_init__(self) -> None:
        place = real_array(self.xyz, "xyz", "(x, y) or (x, y, z) in metres").ravel().tolist()
        object.__setattr__(self, "xyz", (*place, 0.0) if len(place) == 2 else tuple(place))


@dataclass(frozen=True, eq=False)
class _Outlined:
    """Something with a footprint: `outline_xy` (n, 2) float64 in metres, based at `z`, `height` metres tall."""

    outline_xy: Floats
    z: float = 0.0
    height: float = 3.0
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "outline_xy", frozen_numbers(self.outline_xy, "outline_xy"))


@dataclass(frozen=True, eq=False)
class Obstacle(_Outlined):
    """A wall, crate or pillar (or, in `Level.cover`, something low to hide behind)."""


@dataclass(frozen=True, eq=False)
class Door(_Outlined):
    """A door; its footprint blocks walking and sight while it is closed."""

    open: bool = True
    locked: bool = False

    @property
    def starts_closed(self) -> bool:
        """Whether it is closed at first: drawn closed, or locked."""
        return not self.open or self.locked


def door_number(names: Sequence[str], door: Any) -> int:
    """Return the number of a door given by its name or number.

    Raises
    ------
    QueryError
        No door has that name or number, or several share the name.
    """
    named = [number for number, name in enumerate(names) if name and isinstance(door, str) and name == door]
    if len(named) > 1:
        numbers = ", ".join(map(str, named))
        raise QueryError(f"doors {numbers} are all named {door!r}; use a number, or give each its own name")
    if named:
        return named[0]
    if isinstance(door, int | np.integer) and not isinstance(door, bool) and 0 <= door < len(names):
        return int(door)
    have = ", ".join(f"{number} {name!r}" if name else str(number) for number, name in enumerate(names)) or "none"
    raise QueryError(f"the level has no door {shown(door)}{did_you_mean(door, names)}; its doors: {have}")


@dataclass(frozen=True, eq=False)
class Zone(_Outlined):
    """A named area with a meaning for designers: an exit, a restricted room, an ambush volume."""

    kind: str = "zone"


@dataclass(frozen=True)
class HidingPlace(_Placed):
    """A wardrobe, a dumpster, tall grass; `heading`, in radians, is the direction in which an agent steps out."""

    xyz: Point
    name: str = ""
    heading: float = 0.0
    capacity: int = 1


@dataclass(frozen=True)
class Marker(_Placed):
    """A point with a meaning: a goal, an exit, a sound source."""

    xyz: Point
    kind: str
    name: str = ""


@dataclass(frozen=True)
class Trap(_Placed):
    """A trap, which springs once: for the first agent that comes near and is not of the team that set it.

    Attributes
    ----------
    team : the team that set it; empty: any agent springs it.
    radius : metres within which an agent springs it.
    effect : what happens to the agent.
    seconds : how long a snare holds.
    sound : kind of sound it makes.
    """

    xyz: Point
    name: str = ""
    team: str = "intruders"
    radius: float = 0.8
    effect: str = TrapEffect.FELL.value
    seconds: float = 6.0
    sound: str = "body fall"


@dataclass(frozen=True)
class Spawn(_Placed):
    """Starting place of an agent; body and senses as given in the file, None where it gives nothing."""

    xyz: Point
    who: str = "guard"
    name: str = ""
    heading: float = 0.0
    patrol: str = ""
    speed: float | None = None
    turn_speed: float | None = None
    view_angle: float | None = None
    view_distance: float | None = None


@dataclass(frozen=True)
class PatrolStop(_Placed):
    """One order of a patrol: walk to `xyz`, then wait `seconds`, turn to `heading`, or use the named `object`."""

    xyz: Point
    action: Literal["move", "wait", "turn", "use"] = "move"
    seconds: float = 0.0
    heading: float = 0.0
    object: str = ""


@dataclass(frozen=True)
class Patrol:
    """A sequence of stops; after the last, continue from stop `loop_to` (None: end there)."""

    stops: tuple[PatrolStop, ...]
    name: str = ""
    loop_to: int | None = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "stops", parts_of(self.stops, "stops", PatrolStop))


@dataclass(frozen=True, eq=False)
class IntendedPath:
    """A path the designer wants a player to take: `points_xyz` (n, 3), `seconds` (n,) or empty if untimed."""

    points_xyz: Floats
    name: str = ""
    seconds: Floats = ()  # type: ignore[assignment]

    def __post_init__(self) -> None:
        object.__setattr__(self, "points_xyz", frozen_numbers(self.points_xyz, "points_xyz"))
        object.__setattr__(self, "seconds", frozen_numbers(self.seconds, "seconds"))
