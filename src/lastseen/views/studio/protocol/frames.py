"""Steps as bytes: what moves, packed once for all pages, and layers as changes for each page.

Bytes, little-endian::

    u8 kind 1, u8 flags (1: layers are whole, 2: agents fight, 4: marks, 8: objects, 16: swarms), u16 agents, u32 tick,
    u16 watchers, u16 targets, u16 doors, u16 layer blocks, u16 view polygons, u16 paths
    agents     f32 x y z heading gaze speed goal_x goal_y goal_z, u8 state mode stance going
    pairs      f32 awareness; u8 visible (padded to 4); f32 x y z dx dy age of the last known state (age -1: none)
    doors      u8 shut (padded to 4)
    fights     f32 health rest due, i16 foe (-1: none), u8 attack 0: for each agent, where flag 2 is set
    objects    u32 count, f32 x y z, u8 state 0 0 0 (see `Objects.states`), where flag 8 is set
    creatures  u32 count, f32 x y z, where flag 16 is set
    layers     u16 layer, u16 0, u32 count, u32 cell …, i8 value … (padded to 4)
    views      u16 agent, u16 points, f32 x y …
    paths      u16 agent, u16 points, f32 x y z …
    marks      JSON to the end, where flag 4 is set: see `feeds.Marks`
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from ....conventions import Array, Floats
from ...scene.sights import Sights
from ..session.game import Game

FRAME, FULL, FIGHTS, MARKS, OBJECTS, SWARMS = 1, 1, 2, 4, 8, 16
HEAD = struct.Struct("<BBHIHHHHHH")
_BLOCK = struct.Struct("<HHI")
_VIEW = struct.Struct("<HH")
_FIGHT = np.dtype([("health", "<f4"), ("rest", "<f4"), ("due", "<f4"), ("foe", "<i2"), ("attack", "u1"), ("", "u1")])
_OBJECT = np.dtype([("xyz", "<f4", 3), ("state", "u1"), ("", "u1", 3)])


@dataclass(frozen=True, eq=False)
class PackedFrame:
    """One step, ready to be sent.

    Attributes
    ----------
    age : number of the opening it belongs to: pages drop frames of earlier ones.
    whole : send whole layers, whatever a page has.
    body : agents, pairs, doors, fights, objects, creatures as bytes; `counts` of agents, watchers, targets and doors.
    fights, objects, swarms : whether agents fight, and whether there are objects and swarms.
    marks : points and lines of a feed as JSON.
    layers : (cells,) int8 each; never modified.
    views, ways : packed view polygons and paths to goals, with counts.
    packed : messages made from it so far, shared by pages with the same state and settings.
    """

    age: int
    tick: int
    whole: bool
    counts: tuple[int, int, int, int]
    body: bytes
    layers: tuple[Array, ...]
    views: bytes = b""
    view_count: int = 0
    ways: bytes = b""
    way_count: int = 0
    fights: bool = False
    objects: bool = False
    swarms: bool = False
    marks: bytes = b""
    packed: dict[tuple[int, tuple[int, ...], bool, bool], bytes] = field(default_factory=dict)


def pack_frame(
    columns: Mapping[str, Array],
    layers: Sequence[Array],
    *,
    tick: int,
    now: float,
    age: int = 0,
    whole: bool = False,
    views: Mapping[int, Floats] | None = None,
    ways: Mapping[int, Floats] | None = None,
    marks: bytes = b"",
) -> PackedFrame:
    """Return a step from its recorded columns; `now` in seconds dates what agents know."""
    awareness = np.asarray(columns["awareness"])
    # Platforms follow the doors: 0 where one is present, as for an open door.
    doors = np.concatenate([columns["doors"], 1 - np.asarray(columns.get("platforms", ()), np.uint8)])
    watchers, targets = awareness.shape
    body = b"".join(
        [
            _agents(columns),
            np.asarray(awareness, "<f4").tobytes(),
            _padded(np.asarray(columns["visible"], np.uint8).tobytes()),
            _known(columns, now),
            _padded(np.asarray(doors, np.uint8).tobytes()),
            _fights(columns) if "foe" in columns else b"",
            _objects(columns) if "object_state" in columns else b"",
            _creatures(columns) if "swarm_xyz" in columns else b"",
        ]
    )
    counts = (len(columns["mode"]), watchers, targets, len(doors))
    areas, lines = _lines(views), _lines(ways)
    foes, things, swarms = (name in columns for name in ("foe", "object_state", "swarm_xyz"))
    return PackedFrame(
        *(age, tick, whole, counts, body, tuple(layers), *areas, *lines, foes, things, swarms), marks=marks
    )


def _lines(given: Mapping[int, Floats] | None) -> tuple[bytes, int]:
    """Return points by agent as bytes, and the number of agents."""
    lines = [_VIEW.pack(agent, len(line)) + np.asarray(line, "<f4").tobytes() for agent, line in (given or {}).items()]
    return b"".join(lines), len(lines)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def _agents(columns: Mapping[str, Array]) -> bytes:
    count = len(columns["mode"])
    numbers = np.zeros((count, 9), "<f4")
    numbers[:, 0:3] = columns["xyz"]
    numbers[:, 3] = columns["heading"]
    numbers[:, 4] = columns["gaze"]
    numbers[:, 5] = np.hypot(columns["velocity"][:, 0], columns["velocity"][:, 1])
    numbers[:, 6:9] = columns["goal"]
    marks = np.stack([np.asarray(columns[name], np.uint8) for name in ("state", "mode", "stance", "going")], axis=1)
    return np.concatenate([numbers.view(np.uint8).reshape(count, 36), marks], axis=1).tobytes()


def _fights(columns: Mapping[str, Array]) -> bytes:
    table = np.zeros(len(columns["foe"]), _FIGHT)
    for name in ("health", "rest", "due", "foe", "attack"):
        table[name] = columns[name]
    return table.tobytes()


def _objects(columns: Mapping[str, Array]) -> bytes:
    table = np.zeros(len(columns["object_state"]), _OBJECT)
    table["xyz"], table["state"] = columns["object_xyz"], columns["object_state"]
    return struct.pack("<I", len(table)) + table.tobytes()


def _creatures(columns: Mapping[str, Array]) -> bytes:
    places = np.asarray(columns["swarm_xyz"], "<f4")
    return struct.pack("<I", len(places)) + places.tobytes()


def _known(columns: Mapping[str, Array], now: float) -> bytes:
    source = np.asarray(columns["known_source"])
    known = np.zeros((*source.shape, 6), "<f4")
    known[..., 0:3] = columns["known_xyz"]
    known[..., 3:5] = columns["known_direction"]
    known[..., 5] = np.where(source == 0, -1.0, np.maximum(0.0, now - np.asarray(columns["known_time"], np.float64)))
    known[source == 0, :5] = 0.0
    return known.tobytes()


def packed(
    frame: PackedFrame, before: Sequence[Array] | None, shown: Sequence[int], *, views: bool, ways: bool = False
) -> bytes:
    """Return the message for one page: `before` are the layers it has (None: nothing), `shown` those it wants."""
    # The layers a page has were made earlier and still exist, so no two share an id.
    key = (0 if frame.whole or before is None else id(before), tuple(shown), views, ways)
    if key not in frame.packed:
        frame.packed[key] = _packed(frame, before, shown, views, ways)
    return frame.packed[key]


def _packed(frame: PackedFrame, before: Sequence[Array] | None, shown: Sequence[int], views: bool, ways: bool) -> bytes:
    whole = frame.whole or before is None
    blocks = []
    for number in shown:
        now = frame.layers[number]
        cells = np.flatnonzero(now) if whole or before is None else np.flatnonzero(now != before[number])
        if whole or len(cells):
            values = np.asarray(now[cells], np.int8).tobytes()
            blocks.append(_BLOCK.pack(number, 0, len(cells)) + cells.astype("<u4").tobytes() + _padded(values))
    agents, watchers, targets, doors = frame.counts
    head = HEAD.pack(
        FRAME,
        (FULL if whole else 0)
        | (FIGHTS if frame.fights else 0)
        | (MARKS if frame.marks else 0)
        | (OBJECTS if frame.objects else 0)
        | (SWARMS if frame.swarms else 0),
        agents,
        frame.tick,
        watchers,
        targets,
        doors,
        len(blocks),
        frame.view_count if views else 0,
        frame.way_count if ways else 0,
    )
    lines = (frame.views if views else b"", frame.ways if ways else b"")
    return b"".join([head, frame.body, *blocks, *lines, frame.marks])


Key = TypeVar("Key", str, int)


class FramePacker:
    """Views one game; keeps what it needs besides the game's own recording.

    `grain` is the precision, in metres, radians and seconds, to which numbers are rounded; outlines of views and paths
    use eight times that; 0: no rounding.
    """

    def __init__(self, game: Game, *, grain: float = 0.0):
        self._game, self._grain = game, grain
        self._sights = Sights(game.stage.setting, game.recording.about.notes["watchers"])

    def frame(
        self, *, views: bool, ways: bool = False, age: int = 0, whole: bool = False, more: Sequence[Array] = ()
    ) -> PackedFrame:
        """Return the step shown; `views`: with the areas guards see, `ways`: with the paths of agents.

        `more` are surveyed layers, (cells,) int8 each.
        """
        game = self._game
        about = game.recording.about
        columns, layers = game.now()
        areas = self._sights.areas(columns) if views else None
        routes = game.ways(columns) if ways else None
        now = game.shown * about.step
        if self._grain:
            columns, areas, routes = self._rounded(columns, 1.0), self._rounded(areas, 8.0), self._rounded(routes, 8.0)
        layers = [*layers, *more]
        return pack_frame(columns, layers, tick=game.shown, now=now, age=age, whole=whole, views=areas, ways=routes)

    def _rounded(self, given: dict[Key, Array] | None, times: float) -> dict[Key, Array]:
        grain = times * self._grain
        return {  # costs have half precision: they are coarse enough, and a slow step divided by the grain overflows
            name: np.round(values / grain) * grain if values.dtype.kind == "f" and values.itemsize > 2 else values
            for name, values in (given or {}).items()
        }
