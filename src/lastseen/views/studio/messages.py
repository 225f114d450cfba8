"""What a page may say to the studio: every message has a type, and nothing but what is listed here."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ...agents.orders import Gait
from ...errors import InputError

__all__ = [
    "MOST_BYTES",
    "Ask",
    "Cancel",
    "Cell",
    "Compare",
    "Evaluate",
    "Export",
    "Guards",
    "Input",
    "Mesh",
    "Message",
    "Open",
    "Overlays",
    "Place",
    "Point",
    "Restart",
    "Resume",
    "Run",
    "Save",
    "Seek",
    "Sneak",
    "Step",
    "UseRules",
    "Voices",
    "WhatIf",
    "parse_message",
]

MOST_BYTES = 64 * 1024
"""Longest message a page may send."""

Metres = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
Point = tuple[Metres, Metres, Metres]
Direction = tuple[Metres, Metres]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class _Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of all: frozen, and closed to fields nobody reads."""


class Input(_Message, frozen=True, tag="input"):
    """What the player wants from now on: direction on the map, gait; `use`, `throw` and `strike` count once."""

    move: Direction = (0.0, 0.0)
    gait: Gait = "walk"
    use: bool = False
    throw: Point | None = None
    strike: bool = False


class Run(_Message, frozen=True, tag="run"):
    """Let time pass, or pause; `speed` times as fast as a clock."""

    running: bool = True
    speed: Annotated[float, msgspec.Meta(ge=0.05, le=8.0)] | None = None


class Step(_Message, frozen=True, tag="step"):
    """Pause, and let so many steps pass."""

    ticks: Annotated[int, msgspec.Meta(ge=1, le=300)] = 1


class Seek(_Message, frozen=True, tag="seek"):
    """Pause, and show a step of the past."""

    tick: Number


class Resume(_Message, frozen=True, tag="resume"):
    """Go on from the step that is shown: what came after it is forgotten."""


class Restart(_Message, frozen=True, tag="restart"):
    """Begin again, from the first step."""


class Open(_Message, frozen=True, tag="open"):
    """Play or watch something else: exactly one of `level`, `scenario`, `recording`."""

    level: Word | None = None
    scenario: Word | None = None
    recording: Word | None = None
    difficulty: Word | None = None


class Overlays(_Message, frozen=True, tag="overlays"):
    """What this page shows: the areas guards see, the ways everybody goes, search spots, and layers by name."""

    views: bool = False
    ways: bool = False
    spots: bool = False
    layers: Annotated[tuple[Word, ...], msgspec.Meta(max_length=32)] | None = None


class Ask(_Message, frozen=True, tag="ask"):
    """Why does an agent do what it does, at the step shown or another?"""

    agent: Number
    tick: Number | None = None


class Cell(_Message, frozen=True, tag="cell"):
    """What are the values of a cell? `all_layers`: also of those that have to be surveyed for that."""

    cell: Number
    all_layers: bool = False


class Mesh(_Message, frozen=True, tag="mesh"):
    """What does one walk on? The faces of the navmesh, and the links between cells."""


class FloodChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a flood in place of the preset's."""

    hot: int | None = None
    max_heated: int | None = None
    max_steps: Annotated[int, msgspec.Meta(ge=1, le=400)] | None = None
    behind: Literal["strict", "inclusive"] | None = None


class WhatIf(_Message, frozen=True, tag="whatif"):
    """Where would a guard run that lost somebody there, by some presets?"""

    seen: Point
    heading: Direction = (0.0, 0.0)
    guard: Point | None = None
    presets: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1, max_length=4)] = ("article",)
    settings: FloodChanges = FloodChanges()


class Place(_Message, frozen=True, tag="place"):
    """Put somebody elsewhere; the run goes on from there."""

    agent: Number
    at: Point


class Save(_Message, frozen=True, tag="save"):
    """Write the run so far, or the one before it, as a recording; `replace`: also over another of that name."""

    name: Word
    replace: bool = False
    previous: bool = False


class Export(_Message, frozen=True, tag="export"):
    """Make a file of a stretch of the run."""

    kind: Literal["png", "gif", "html"]
    first: Number | None = msgspec.field(default=None, name="from")
    last: Number | None = msgspec.field(default=None, name="to")


class Compare(_Message, frozen=True, tag="compare"):
    """Lay a recording beside the run that is open."""

    recording: Word


class Voices(_Message, frozen=True, tag="voices"):
    """By which rules do people speak, and why are those silent who had reason to?"""


class Evaluate(_Message, frozen=True, tag="evaluate"):
    """What would somebody say now, for some reason, and why not what else?"""

    agent: Number
    trigger: Word


class UseRules(_Message, frozen=True, tag="rules"):
    """Begin again, with people who speak by other rules."""

    name: Word


class Guards(_Message, frozen=True, tag="guards"):
    """Place guards round an intended path of the level that is open; `kinds` are taken in turn.

    `file`: take those of a file of the folder instead.
    """

    path: Annotated[tuple[Point, ...], msgspec.Meta(min_length=2, max_length=200)] = ()
    file: Word | None = None
    guards: Annotated[int, msgspec.Meta(ge=1, le=12)] = 3
    kinds: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1, max_length=4)] = ("walking",)
    seed: Number = 0


class Sneak(_Message, frozen=True, tag="sneak"):
    """Sneak past the guards that were placed for this page, so many times; `path`: another intended one."""

    path: Annotated[tuple[Point, ...], msgspec.Meta(min_length=2, max_length=200)] = ()
    runs: Annotated[int, msgspec.Meta(ge=1, le=200)] = 20
    seed: Number = 0


class Cancel(_Message, frozen=True, tag="cancel"):
    """Make no file for this page after all (`file`), or repeat no run (`run`); not said: the one, else the other."""

    what: Literal["file", "run"] | None = None


Message = (
    Input | Run | Step | Seek | Resume | Restart | Open | Overlays | Ask | Cell | Mesh | WhatIf | Place | Save | Export
    | Compare | Guards | Sneak | Cancel | Voices | Evaluate | UseRules
)  # fmt: skip

_DECODER = msgspec.json.Decoder(Message)


def parse_message(data: str | bytes) -> Message:
    """Return the message a page sent.

    Raises
    ------
    InputError
        It is too long, no JSON, of no known type, or says something no message of its type may say.
    """
    length = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if length > MOST_BYTES:
        raise InputError(f"the message has {length:,} bytes; at most {MOST_BYTES:,} are read")
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InputError(f"the message cannot be read: {error}") from None
