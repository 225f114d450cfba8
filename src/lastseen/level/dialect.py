"""The GeoJSON dialect of levels: the kinds of features and their properties.

Reader and writer share these structs, so neither can know a property the other does not. `docs/geojson.md` describes
the same in prose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from ..vocabulary.words import MarkerKind, TrapEffect, ZoneKind

if TYPE_CHECKING:
    Effect = str
else:
    Effect = Literal[TrapEffect.texts()]

VERSION = 1
"""Version in the top-level member `lastseen`; files with a higher one are rejected."""

FLOOR_KINDS = ("floor", "ramp", "stairs")
SPAWN_KINDS = ("spawn", "guard", "player")
MARKER_KINDS = MarkerKind.texts()
ZONE_KINDS = ZoneKind.texts()
POLYGON_KINDS = (
    *FLOOR_KINDS,
    "platform",
    "obstacle",
    "wall",
    "cover",
    "door",
    *ZONE_KINDS,
    "tiles",
    "triangles",
    "faces",
)
LINE_KINDS = ("path", "patrol", "door", "wall", "obstacle")
POINT_KINDS = (*SPAWN_KINDS, "hide", "trap", *MARKER_KINDS)
KINDS = tuple(sorted({*POLYGON_KINDS, *LINE_KINDS, *POINT_KINDS}))

SURFACES = Literal["floors", "tiles", "triangles", "faces"]


class Header(Struct, omit_defaults=True):
    """The top-level member `lastseen`."""

    version: int
    name: str = ""
    surface: SURFACES | None = None
    y_down: bool = False


class Properties(Struct, omit_defaults=True):
    """Properties of every feature."""

    kind: str
    name: str = ""


class FloorProperties(Properties):
    """Properties of a floor, a ramp or a flight of stairs; `z` applies only to positions of two numbers."""

    storey: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    z: float = 0.0


class PlatformProperties(FloorProperties):
    """Properties of a piece of floor that comes and goes; `at` names its position."""

    at: str = ""
    present: bool = True


class OutlineProperties(Properties):
    """Properties of an obstacle, cover, a door or a zone; `width` is the thickness of one drawn as a line."""

    z: float | None = None
    height: float | None = None
    width: Annotated[float, Meta(gt=0)] = 0.2


class DoorProperties(OutlineProperties):
    """Properties of a door."""

    open: bool = True
    locked: bool = False


class ZoneProperties(OutlineProperties):
    """Properties of a zone; `zone` names its meaning."""

    zone: str | None = None


class HideProperties(Properties):
    """Properties of a hiding place."""

    z: float = 0.0
    heading: float = 0.0
    capacity: int = 1


class MarkerProperties(Properties):
    """Properties of a marker; `marker` names its meaning."""

    z: float = 0.0
    marker: str | None = None


class TrapProperties(Properties):
    """Properties of a trap."""

    z: float = 0.0
    team: str = "intruders"
    radius: float = 0.8
    effect: Effect = TrapEffect.FELL.value
    seconds: float = 6.0
    sound: str = "body fall"


class SpawnProperties(Properties):
    """Properties of the starting place of an agent."""

    z: float = 0.0
    who: str | None = None
    heading: float = 0.0
    patrol: str = ""
    speed: float | None = None
    turn_speed: float | None = None
    view_angle: float | None = None
    view_distance: float | None = None


class StopProperties(Struct, omit_defaults=True):
    """Properties of one stop of a patrol, in the order of its positions."""

    action: Literal["move", "wait", "turn", "use"] = "move"
    seconds: float = 0.0
    heading: float = 0.0
    object: str = ""


class PatrolProperties(Properties):
    """Properties of a patrol; without `stops`, the guard walks to every position."""

    z: float = 0.0
    loop_to: int | None = 0
    stops: list[StopProperties] | None = None


class PathProperties(Properties):
    """Properties of an intended path; `seconds` is empty or has one entry per position."""

    z: float = 0.0
    seconds: list[float] = []


class TilesProperties(Properties):
    """Properties of a storey of tiles: `.` is walkable, `#` is not; the first row has the lowest y."""

    rows: list[str] = []
    columns: int | None = None
    z: float = 0.0
    tile: Annotated[float, Meta(gt=0)] = 1.0
    origin: tuple[float, float] = (0.0, 0.0)


class MeshProperties(Properties):
    """Properties of triangles or faces: the vertex index of each corner; `loose` holds vertices no corner uses."""

    corners: list[list[int]] | None = None
    loose: list[tuple[int, float, float, float]] = []
