"""Collect everything placed on a level while a file is read, and freeze it at the end."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from ..features import Door, HidingPlace, IntendedPath, Marker, Obstacle, Patrol, Spawn, Zone
from ..level import Level, Surface


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

    def spawn(self, xyz: tuple[float, float, float], name: str) -> Spawn:
        """Return the spawn of this meaning at `xyz`."""
        return Spawn(
            xyz=xyz,
            who=self.kind,
            name=name,
            heading=self.heading or 0.0,
            patrol=self.patrol,
            speed=self.speed,
            turn_speed=self.turn_speed,
            view_angle=self.view_angle,
            view_distance=self.view_distance,
        )


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
    names: Names = field(default_factory=Names)

    def level(self, surface: Surface, name: str, source: str) -> Level:
        """Return the level of this surface and everything collected."""
        return Level(surface=surface, name=name, source=source, **self.placed())

    def placed(self) -> dict[str, Any]:
        """Return everything placed on the surface, as the fields of a `Level`."""
        return {each.name: tuple(getattr(self, each.name)) for each in fields(Parts) if each.name != "names"}
