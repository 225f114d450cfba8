"""Criteria for candidates: one measure each, limits it must keep and a curve that rates it.

A criterion with `at_least` or `at_most` drops candidates; one with a `curve` scores them; it may do both. `to`, `by`,
`of`, `past` and `over` name points: "asker", "askers" (all current askers except the asker itself), a name given with
the question, or the points themselves, as [(x, y), …].
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import force_setattr

from ...checks import finite_number, points_xyz, real_number, shown
from ...errors import InputError
from ..input_checks import require_choice
from .curve import Curve

Points = str | tuple[tuple[float, ...], ...]
"""The name of some points, or the points."""

_CHOICES = {
    "how": ("straight", "walking"),
    "across": ("nearest", "farthest", "mean"),
    "line": ("sight", "walking"),
}
_METRES = {"eye": 100.0, "at": 100.0, "crouched": 100.0, "standing": 100.0, "within": math.inf}


class Criterion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="measure"
):
    """Fields shared by all criteria.

    Attributes
    ----------
    at_least, at_most : limits of the measurement, both inclusive; a candidate beyond them is dropped.
    curve : rates the measurement; None: it does not count in the score.
    weight : 0 … 1000. In a mean: its share. In a product: the exponent of the factor.
    name : its name in explanations; derived from the measure if not given.
    """

    at_least: float | None = None
    at_most: float | None = None
    curve: Curve | None = None
    weight: float = 1.0
    name: str = ""

    unit: ClassVar[str] = ""
    cost: ClassVar[int] = 1
    """Order of measuring: cheap measures drop candidates before expensive ones look at them."""
    measured_from: ClassVar[str | None] = None
    """Name of the field with the points it measures from."""

    def __post_init__(self) -> None:
        for field in self.__struct_fields__:
            force_setattr(self, field, _checked(field, getattr(self, field)))
        if self.at_least is None and self.at_most is None and self.curve is None:
            raise InputError(
                f"the criterion {self.title!r} neither drops nor scores candidates; give at_least, at_most or a curve"
            )
        if self.at_least is not None and self.at_most is not None and self.at_least > self.at_most:
            raise InputError(f"at_least {self.at_least:g} is more than at_most {self.at_most:g}; swap them")

    @property
    def has_limit(self) -> bool:
        """Whether it drops candidates."""
        return self.at_least is not None or self.at_most is not None

    @property
    def title(self) -> str:
        """Its name, or a description of its measure."""
        return self.name or self._words()

    @property
    def points(self) -> Points | None:
        """Points it measures from."""
        return None if self.measured_from is None else getattr(self, self.measured_from)

    def _words(self) -> str:
        return type(self).__name__.lower()

    def limits(self) -> str:
        """Return the limits as text."""
        unit = f" {self.unit}" if self.unit else ""
        parts = [f"at least {self.at_least:g}{unit}"] if self.at_least is not None else []
        parts += [f"at most {self.at_most:g}{unit}"] if self.at_most is not None else []
        return " and ".join(parts)


class Distance(Criterion, frozen=True, tag="distance"):
    """Metres from some points: in a straight line, or walking from them through open doors.

    `across` says which of several points counts. For walking it is the nearest; unreachable places are infinitely far.
    """

    to: Points
    how: Literal["straight", "walking"] = "straight"
    across: Literal["nearest", "farthest", "mean"] = "nearest"

    measured_from: ClassVar[str] = "to"
    unit: ClassVar[str] = "m"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.how == "walking" and self.across != "nearest":
            raise InputError(
                f"across is {self.across!r}, but walking distance always uses the nearest point; leave it out"
            )

    def _words(self) -> str:
        kind = "walking distance" if self.how == "walking" else "distance"
        return f"{kind} to {'' if self.across == 'nearest' else f'the {self.across} of '}{_shown(self.to)}"


class PathClearance(Criterion, frozen=True, tag="path_clearance"):
    """Metres between some points and the shortest path from the asker to the place, where it comes closest.

    Small where the asker would have to run towards or past them. Unreachable places are NaN: dropped, or rated 0.
    """

    past: Points

    measured_from: ClassVar[str] = "past"
    unit: ClassVar[str] = "m"
    cost: ClassVar[int] = 3

    def _words(self) -> str:
        return f"nearest the path comes to {_shown(self.past)}"


class Lead(Criterion, frozen=True, tag="lead"):
    """Metres by which the asker is ahead of some points at the place: their walk to it minus `pace` times its own.

    `pace` is their speed as a multiple of the asker's. Where the lead is positive, the asker is first at every point
    of its shortest path there, so none of them can cut it off. A place that only the asker reaches is infinitely safe.
    """

    over: Points
    pace: float = 1.0

    measured_from: ClassVar[str] = "over"
    unit: ClassVar[str] = "m"
    cost: ClassVar[int] = 3

    def _words(self) -> str:
        return f"lead over {_shown(self.over)}"


class Seen(Criterion, frozen=True, tag="seen"):
    """Share of the points from which the place is seen, 0 … 1.

    Attributes
    ----------
    line : "sight": past walls, closed doors and cover, with heights. "walking": where a straight walk is possible.
    eye, at : metres above the floor of the eyes, and of the point they look for.
    within : metres; nothing is seen beyond.
    """

    by: Points
    line: Literal["sight", "walking"] = "sight"
    eye: float = 1.6
    at: float = 1.0
    within: float | None = None

    measured_from: ClassVar[str] = "by"
    cost: ClassVar[int] = 4

    def _words(self) -> str:
        return f"seen by {_shown(self.by)}"


class Cover(Criterion, frozen=True, tag="cover"):
    """Share of the points from which an agent is hidden there when crouched but not when standing, 0 … 1."""

    by: Points
    eye: float = 1.6
    crouched: float = 0.7
    standing: float = 1.6

    measured_from: ClassVar[str] = "by"
    cost: ClassVar[int] = 5

    def _words(self) -> str:
        return f"cover from {_shown(self.by)}"


class Angle(Criterion, frozen=True, tag="angle"):
    """Angle between the heading of some points and the direction to the place, 0 ahead … 180 degrees behind."""

    of: Points

    measured_from: ClassVar[str] = "of"
    unit: ClassVar[str] = "degrees"

    def _words(self) -> str:
        return f"angle off the heading of {_shown(self.of)}"


class Height(Criterion, frozen=True, tag="height"):
    """Metres of the place above the mean height of some points."""

    to: Points

    measured_from: ClassVar[str] = "to"
    unit: ClassVar[str] = "m"

    def _words(self) -> str:
        return f"height above {_shown(self.to)}"


class Crowd(Criterion, frozen=True, tag="crowd"):
    """Number of some points nearer than `within` metres."""

    of: Points
    within: float = 3.0

    measured_from: ClassVar[str] = "of"

    def __post_init__(self) -> None:
        if self.within is None:
            raise InputError("within is None; give metres")
        super().__post_init__()

    def _words(self) -> str:
        return f"{_shown(self.of)} within {self.within:g} m"


class LayerValue(Criterion, frozen=True, tag="layer"):
    """The value of a layer at the place."""

    layer: str

    cost: ClassVar[int] = 0

    def _words(self) -> str:
        return self.layer


class InZone(Criterion, frozen=True, tag="zone"):
    """1 if the place is in a zone of the level, by name or kind, else 0."""

    zone: str

    cost: ClassVar[int] = 0

    def _words(self) -> str:
        return f"in zone {self.zone}"


AnyCriterion = Distance | PathClearance | Lead | Seen | Cover | Angle | Height | Crowd | LayerValue | InZone


def _checked(field: str, given: Any) -> Any:
    """Return the value of a field as it is stored, or raise with what is allowed."""
    if field in ("to", "by", "of", "past", "over"):
        if isinstance(given, str) and given:
            return given
        if isinstance(given, str):
            raise InputError(f"{field} is empty; give a name of points, or [(x, y), …]")
        return tuple(map(tuple, points_xyz(given, field).tolist()))
    if field in ("layer", "zone", "name"):
        if not isinstance(given, str) or not (given or field == "name"):
            raise InputError(f"{field} is {shown(given)}; give a name")
    elif field in _CHOICES:
        require_choice(given, field, _CHOICES[field])
    elif field == "curve":
        if given is not None and not isinstance(given, Curve):
            raise InputError(f"curve is {shown(given)}; give Curve(linear=(3, 5)), or another shape")
    elif field == "weight":
        return finite_number(given, field, low=0.0, high=1000.0)
    elif field == "pace":
        return finite_number(given, field, low=0.0, high=100.0, open_low=True)
    elif field in _METRES:
        return None if given is None else _number(given, field, 0.0, _METRES[field])
    elif given is not None:
        return _number(given, field, -math.inf, math.inf)
    return given


def _number(given: Any, field: str, low: float, high: float) -> float:
    number = real_number(given, field)
    if not low <= number <= high:
        raise InputError(f"{field} is {number:g}; give a number from {low:g} to {high:g}")
    return number


def _shown(points: Points) -> str:
    if isinstance(points, str):
        return points
    x, y, *_ = points[0] if points else (0.0, 0.0)
    return f"({x:g}, {y:g})" if len(points) == 1 else f"{len(points)} points"
