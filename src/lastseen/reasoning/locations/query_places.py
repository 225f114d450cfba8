"""Named points of a query, such as the asker, threats and exits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import points_xyz, real_array, shown, usual_point
from ...conventions import Array, Floats, Ids
from ...errors import InputError, QueryError, did_you_mean
from ...kernels.arrays.location_arrays import PlaceArrays
from ...layers.tactical_worth import tactical_points
from ...level.level import Level
from .criteria import Criterion, Points

_RESERVED = ("asker", "askers")
_NOWHERE, _ONE, _NOBODY = np.full((1, 2), np.nan), np.array([0, 1], np.int64), np.full(1, -1, np.int32)
"""Facing, start and owner of a single point, which kernels only read; writeable, as others are, so that kernels are
compiled once."""


@dataclass(frozen=True, eq=False)
class Place:
    """Some points under one name.

    Attributes
    ----------
    xyz : (m, 3) or (m, 2), metres, on the floor; also a single point.
    heading : (m,) radians counter-clockwise from +x, the direction each faces; None: unknown.
    asker : (m,) whole numbers, the asker each counts for; None: all.
    """

    xyz: Any
    heading: Any = None
    asker: Any = None

    def __post_init__(self) -> None:
        points = _points(self.xyz)
        object.__setattr__(self, "xyz", points)
        if self.heading is not None:
            heading = real_array(self.heading, "heading", "radians, one for each point")
            if heading.shape not in ((), (len(points),)):
                raise InputError(
                    f"there are {len(points)} points but headings of shape {heading.shape}; give one heading per point"
                )
            object.__setattr__(self, "heading", np.full(len(points), heading))
        if self.asker is not None:
            asker = real_array(self.asker, "asker", "whole numbers, one for each point")
            if asker.shape != (len(points),) or not np.isfinite(asker).all() or (asker != np.rint(asker)).any():
                raise InputError(
                    f"asker is {shown(self.asker)}; give one whole number for each of {len(points)} points"
                )
            object.__setattr__(self, "asker", np.clip(asker, -1, 2**31).astype(np.int64))


def _points(given: Any) -> Floats:
    if (usual := usual_point(given)) is not None:
        return usual[None]
    if not isinstance(given, np.ndarray):
        given = real_array(given, "xyz of a place", "(x, y), (x, y, z) or a list of such")
    return points_xyz(given[None] if given.ndim == 1 and given.size else given, "xyz of a place")


class MissingPoints(QueryError):
    """A query names points that were not given. `what` is the message without advice for code; `name` names them."""

    def __init__(self, message: str, what: str, name: str):
        super().__init__(message)
        self.what, self.name = what, name


@dataclass(frozen=True, eq=False)
class Situation:
    """All named points of one query, for `count` askers; `askers_xyz` is empty without askers."""

    count: int
    askers_xyz: Floats
    places: dict[str, PlaceArrays]

    def place(self, points: Points, criterion: Criterion) -> PlaceArrays:
        """Return the points a criterion names."""
        if not isinstance(points, str):
            return _arrays(Place(np.array(points, float).reshape(-1, 3)), self.count)
        found = self.places.get(points)
        if found is None:
            have, guess = ", ".join(map(repr, self.places)) or "none", did_you_mean(points, self.places)
            what = f"{criterion.title}: no points named {points!r}{guess} were given; there are {have}"
            raise MissingPoints(f"{what}: give them as places={{{points!r}: …}}", what, points)
        return found


def situation_of(askers: Any, places: Mapping[str, Any] | None, fixed: Mapping[str, PlaceArrays]) -> Situation:
    """Return the named points of a query; `askers` None: a single query without an asker."""
    asking = None if askers is None else askers if isinstance(askers, Place) else Place(askers)
    count = 1 if asking is None else len(asking.xyz)
    found = dict(fixed)
    if asking is not None:
        shared, own = _shared(asking), np.arange(count, dtype=np.int32)
        xyz, facing, start, owner = shared  # `_replace` takes several times as long
        each = start if count == 1 else np.arange(count + 1, dtype=np.int64)
        found["asker"] = PlaceArrays(xyz, facing, each, owner)
        found["askers"] = PlaceArrays(xyz, facing, start, own)
    if places is not None and not isinstance(places, Mapping):
        raise InputError(f"places is {shown(places)}; give {{name: points}}")
    for name, given in (places or {}).items():
        if not isinstance(name, str) or name in _RESERVED:
            raise InputError(f"places name {shown(name)}; 'asker' and 'askers' are reserved; choose another name")
        found[name] = _arrays(given if isinstance(given, Place) else Place(given), count)
    return Situation(count, np.zeros((0, 3)) if asking is None else asking.xyz, found)


def places_of(level: Level) -> dict[str, Floats]:
    """Return the points a level names, (m, 3) metres by name: "cover", "hiding places", "exits", and markers by kind.

    Spawns are under "spawns of guard" and so on; markers with a name of their own also under that name.
    """
    drawn = tactical_points(level)
    found = {"cover": drawn["cover"], "hiding places": drawn["hiding_places"], "exits": drawn["exits"]}
    listed: dict[str, list[tuple[float, float, float]]] = {}
    for marker in level.markers:
        for name in {marker.kind, marker.name} - {""}:
            listed.setdefault(name, []).append(marker.xyz)
    for spawn in level.spawns:
        listed.setdefault(f"spawns of {spawn.who}", []).append(spawn.xyz)
    for name, points in listed.items():
        if name not in (*found, *_RESERVED):
            found[name] = np.array(points, np.float64)
    return found


def _shared(place: Place) -> PlaceArrays:
    """Return points that count for all askers."""
    points: Floats = place.xyz.copy()  # the caller's array may change while a query runs
    if place.heading is not None:
        facing = np.column_stack([np.cos(place.heading), np.sin(place.heading)])
    elif len(points) == 1:
        return PlaceArrays(points, _NOWHERE, _ONE, _NOBODY)
    else:
        facing = np.full((len(points), 2), np.nan)
    owner: Ids = np.full(len(points), -1, np.int32)
    return PlaceArrays(points, facing, np.array([0, len(points)], np.int64), owner)


def _arrays(place: Place, count: int) -> PlaceArrays:
    shared = _shared(place)
    if place.asker is None:
        return shared
    points, facing, _, owner = shared
    number: Array = place.asker
    if len(number) and not 0 <= number.min() <= number.max() < count:
        raise QueryError(f"asker has number {number.max()}, but there are {count} askers; give 0 to {count - 1}")
    order = np.argsort(number, kind="stable")
    start = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(number, minlength=count), out=start[1:])
    # With one asker the two forms are the same: `start` has two entries.
    return PlaceArrays(points[order], facing[order], start, owner)
