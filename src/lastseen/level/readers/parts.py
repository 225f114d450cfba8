"""Meanings of symbols, tiles and objects, and the features of a level collected while its file is read."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from ...conventions import Floats
from ..features import Door, HidingPlace, IntendedPath, Marker, Obstacle, Patrol, Point, Spawn, Trap, Zone
from ..level import Level, Platform, Surface

COVER_HEIGHT = 1.0
"""Default height of cover in metres: hides a crouching agent, not a standing one."""
STOREY_HEIGHT = 3.0


@dataclass(frozen=True)
class Meaning:
    """Meaning of a tile or an object of a map. Angles in radians, lengths in metres; None if not given.

    `kind` is one of wall, floor, void, door, cover, hide, player, guard, exit, marker, waypoint, zone, stairs.
    """

    kind: str
    name: str = ""
    open: bool = False
    locked: bool = False
    height: float | None = None
    heading: float | None = None
    capacity: int = 1
    patrol: str = ""
    speed: float | None = None
    turn_speed: float | None = None
    view_angle: float | None = None
    view_distance: float | None = None
    subkind: str = ""

    def spawn(self, xyz: Point, name: str) -> Spawn:
        """Return the spawn of this meaning at `xyz`."""
        body = self.speed, self.turn_speed, self.view_angle, self.view_distance
        return Spawn(xyz, self.kind, name, self.heading or 0.0, self.patrol, *body)


def plain_meanings(*kinds: str) -> dict[str, Meaning]:
    """Return meanings without options, by kind."""
    return {kind: Meaning(kind) for kind in kinds}


DOORS = {
    **plain_meanings("door"),
    "closed door": Meaning("door"),
    "open door": Meaning("door", open=True),
    "locked door": Meaning("door", locked=True),
}
"""Names of doors in legends and classes."""


class Names:
    """Give each thing a unique name: "guard 1", "guard 2"; a given name is kept, and numbered when repeated."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def take(self, given: str, otherwise: str) -> str:
        """Return `given`, or `otherwise` with a number, unused so far."""
        base = given or otherwise
        self._taken[base] = count = self._taken.get(base, 0) + 1
        if given and count == 1:
            return given
        numbered = f"{base} {count}"
        return self.take(numbered, "") if numbered in self._taken else numbered


@dataclass
class Parts:
    """The tuples of a `Level` while they are still lists."""

    obstacles: list[Obstacle] = field(default_factory=list)
    cover: list[Obstacle] = field(default_factory=list)
    doors: list[Door] = field(default_factory=list)
    hiding_places: list[HidingPlace] = field(default_factory=list)
    spawns: list[Spawn] = field(default_factory=list)
    patrols: list[Patrol] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)
    paths: list[IntendedPath] = field(default_factory=list)
    markers: list[Marker] = field(default_factory=list)
    platforms: list[Platform] = field(default_factory=list)
    traps: list[Trap] = field(default_factory=list)
    names: Names = field(default_factory=Names)

    def add_point(self, meaning: Meaning, name: str, xyz: Point) -> None:
        """Add what a meaning stands for at a point: a spawn, a hiding place or a marker."""
        if meaning.kind in ("player", "guard"):
            self.spawns.append(meaning.spawn(xyz, name))
        elif meaning.kind == "hide":
            self.hiding_places.append(HidingPlace(xyz, name, meaning.heading or 0.0, meaning.capacity))
        else:
            self.markers.append(Marker(xyz, meaning.subkind or meaning.kind, name))

    def add_outline(self, meaning: Meaning, name: str, outline_xy: Floats, z: float = 0.0) -> None:
        """Add what a meaning stands for within an outline: a door, cover, a wall or a zone."""
        height = meaning.height or (COVER_HEIGHT if meaning.kind == "cover" else STOREY_HEIGHT)
        if meaning.kind == "door":
            self.doors.append(Door(outline_xy, z, height, name, meaning.open, meaning.locked))
        elif meaning.kind in ("cover", "wall"):
            things = self.cover if meaning.kind == "cover" else self.obstacles
            things.append(Obstacle(outline_xy, z, height, name))
        else:
            self.zones.append(Zone(outline_xy, z, height, name, meaning.subkind or meaning.kind))

    def level(self, surface: Surface, name: str, source: str) -> Level:
        """Return the level of this surface and everything collected."""
        return Level(surface=surface, name=name, source=source, **self.placed())

    def placed(self) -> dict[str, Any]:
        """Return everything placed on the surface, as the fields of a `Level`."""
        return {each.name: tuple(getattr(self, each.name)) for each in fields(Parts) if each.name != "names"}
