"""Names of places in sentences: zones, hiding places, markers and doors name the places in or near them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...conventions import Floats
from ...level.level import Level

_PLAIN = re.compile(r"(cover|door|goal|guard|hiding place|obstacle|player|spawn|zone|waypoint)?[ _-]?\w?\d*")
_ADVERBS = ("upstairs", "downstairs", "inside", "outside")
_NEAR = 2.5
"""Metres within which a place is named after a named object."""

Point = Sequence[float]


class PlaceNames:
    """Name places of one level; without a level, or far from named objects, by coordinates."""

    def __init__(self, level: Level | None):
        self._zones = (
            [] if level is None else [zone for zone in level.zones if _is_telling(zone.name) and zone.kind != "state"]
        )
        self._points = [] if level is None else list(_points(level))

    def zone(self, xyz: Point) -> str:
        """Return the zone of a place, such as "the loading bay"; empty if none."""
        for zone in self._zones:
            if zone.z - 0.6 <= xyz[2] <= zone.z + zone.height and _inside(zone.outline_xy, xyz[0], xyz[1]):
                return the(zone.name)
        return ""

    def near(self, xyz: Point) -> str:
        """Return the nearest named object within reach; empty if none."""
        found = [(_gap(point, xyz), name) for point, name in self._points if abs(point[2] - xyz[2]) < 1.5]
        metres, name = min(found, default=(_NEAR + 1.0, ""))
        return the(name) if metres <= _NEAR else ""

    def at(self, xyz: Point) -> str:
        """Return the place with its preposition: "in the loading bay", "near the locker", "at (12.0, 4.0)"."""
        if zone := self.zone(xyz):
            return zone if zone in _ADVERBS else f"in {zone}"
        near = self.near(xyz)
        return f"near {near}" if near else f"at {_numbers(xyz)}"

    def to(self, xyz: Point) -> str:
        """Return the place as a destination: "to the loading bay", "to (12.0, 4.0)"."""
        name = self.zone(xyz) or self.near(xyz) or _numbers(xyz)
        return name if name in _ADVERBS else f"to {name}"


def _points(level: Level) -> Iterator[tuple[Point, str]]:
    for place in level.hiding_places:
        if _is_telling(place.name):
            yield place.xyz, place.name
    for marker in level.markers:
        if _is_telling(marker.name) or marker.kind == "exit":
            yield marker.xyz, marker.name if _is_telling(marker.name) else marker.kind
    for door in level.doors:
        if _is_telling(door.name):
            x, y = door.outline_xy.mean(axis=0).tolist()
            yield (x, y, door.z), door.name


def _is_telling(name: str) -> bool:
    """Return whether a name says more than a number would."""
    return not _PLAIN.fullmatch(name)


def the(name: str) -> str:
    """Return a name for use in a sentence: "the locker", "locker 2", or "a hiding place" for a generic name."""
    if name and _PLAIN.fullmatch(name):
        return f"a {name.rstrip(' _-0123456789')}" if name[0].isalpha() else name
    plain = name[:1].isupper() or name[-1:].isdigit() or name.startswith(("the ", "a ")) or name in _ADVERBS
    return name if plain else f"the {name}"


def _numbers(xyz: Point) -> str:
    place = f"{xyz[0]:.1f}, {xyz[1]:.1f}"
    return f"({place}, {xyz[2]:.1f})" if abs(xyz[2]) > 1.0 else f"({place})"


def _gap(one: Point, other: Point) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def _inside(outline: Floats, x: float, y: float) -> bool:
    """Return whether a point is within an outline, by the even-odd rule."""
    within = False
    corners = outline.tolist()
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            within = not within
    return within
