"""The first messages to a page: the level before there is a game, and everything that stays unchanged during a run."""

from __future__ import annotations

import msgspec

from ....agents.brains.acts import BLINK_REACH
from ...scene.signs import Looks
from ...scene.timings import Timings
from .news import Base64, MenuEntry, Part, Place, Previous, Sent, Status

Ring = list[tuple[float, float]]
_STEPS = 126
"""Number of values that a byte distinguishes, in addition to no value."""


class Storey(Part, frozen=True):
    """A storey of the level."""

    name: str
    z: float


class Shape(Part, frozen=True, kw_only=True, omit_defaults=True):
    """An outline of the level; `meaning` is the kind of a zone."""

    kind: str
    storey: int
    outline: Ring
    holes: list[Ring]
    name: str
    number: int | None = None
    heights: list[float] | None = None
    locked: bool | None = None
    open: bool | None = None
    meaning: str | None = None


class PointShown(Part, frozen=True, kw_only=True, omit_defaults=True):
    """A hiding place, a trap or a marker; `radius` is where a trap springs."""

    kind: str
    storey: int
    at: Place
    name: str
    number: int | None = None
    capacity: int | None = None
    radius: float | None = None


class ObjectShown(Part, frozen=True):
    """An object that agents use; `zones` are the outlines of a barrier."""

    name: str
    kind: str
    animation: str
    zones: list[Ring]


class Patrol(Part, frozen=True):
    """A patrol route."""

    name: str
    points: list[Place]


class LevelDrawing(Part, frozen=True):
    """Everything static of a level."""

    bounds: list[float]
    y_down: bool
    storeys: list[Storey]
    shapes: list[Shape]
    points: list[PointShown]
    patrols: list[Patrol]


class Preview(Sent, frozen=True, tag="preview"):
    """A level as designed, before there is a game."""

    title: str
    level: LevelDrawing
    looks: Looks


class LayerKind(Part, frozen=True):
    """The meaning of a layer's values, and how they are shown.

    Attributes
    ----------
    low, high : the ends of its scale in its `unit`; values beyond are clamped.
    scale : colours, see `scene.palette`; `is_turned`: strong colours are low values.
    nothing : text for cells without a value.
    is_offered : whether it has anything to show here.
    steps : 0: bytes are values; else 0 is nothing and 1 … steps + 1 map linearly to `low` … `high`.
    """

    name: str
    title: str
    about: str
    unit: str = ""
    low: float = 0.0
    high: float = 1.0
    scale: str = "flood"
    is_turned: bool = False
    nothing: str = "0"
    is_offered: bool = True
    steps: int = _STEPS


class ViewShape(Part, frozen=True):
    """The outlines of a view in the frame of the head, metres: x ahead, y counter-clockwise of it."""

    inner: list[Ring]
    outer: list[Ring]
    far: float


class AgentLooks(Part, frozen=True):
    """An agent: its part in the run, the lines of its tree and the name of its brain, and its view if it watches."""

    name: str
    team: str
    watcher: bool
    target: bool
    radius: float
    tree: list[str]
    brain: str
    view: ViewShape | None


class Cells(Part, frozen=True, kw_only=True):
    """The cells: a grid of `shape`, and the place of each cell in it."""

    count: int
    size: list[float]
    origin: list[float]
    shape: list[int]
    column: Base64
    row: Base64
    level: Base64
    storey: Base64
    xyz: Base64


class CrewNotes(Part, frozen=True):
    """Objectives of crews, and the lines of the tree of each."""

    objectives: list[str]
    trees: list[list[str]]


class FightNotes(Part, frozen=True):
    """Full health of agents, reach of a strike, and by number of an attack its duration and the rest after it."""

    health: list[float]
    reach: float
    seconds: list[float]
    rest: list[float]


class FileRules(Part, frozen=True, kw_only=True):
    """What the studio opens and saves, so that a page can check a file before it sends it.

    Attributes
    ----------
    endings : extensions by kind of file.
    most_bytes : limit of an upload.
    name, reserved : patterns of valid names, and of names that some systems reserve (in any case), for JavaScript.
    wrong_name, wrong_ending, too_large : messages, with `{name}`, `{endings}`, `{size}` and `{most}` to fill in.
    """

    endings: dict[str, tuple[str, ...]]
    most_bytes: int
    name: str
    reserved: str
    wrong_name: str
    wrong_ending: str
    too_large: str


class Vocabulary(Part, frozen=True, kw_only=True):
    """The words of `lastseen.vocabulary`, and their labels.

    Attributes
    ----------
    states, modes, blows, spot_states : texts in order of the numbers that frames and messages hold.
    guard_states : states that guards can be in.
    ends, flood_stops : label by reason.
    markers, zones, spawns, sounds, traps : kinds that the editor suggests; `traps` are effects.
    """

    states: tuple[str, ...]
    guard_states: tuple[str, ...]
    modes: tuple[str, ...]
    blows: tuple[str, ...]
    spot_states: tuple[str, ...]
    ends: dict[str, str]
    flood_stops: dict[str, str]
    markers: tuple[str, ...]
    zones: tuple[str, ...]
    spawns: tuple[str, ...]
    sounds: tuple[str, ...]
    traps: tuple[str, ...]
    files: FileRules


class Hello(Status, frozen=True, tag="hello", kw_only=True):
    """Everything that stays unchanged during a run, the current state, and what else can be opened.

    Attributes
    ----------
    panels : names of the panels of other packages, whose scripts are `/panels/NAME.js`.
    opponent, opponents : the brain that moves the player's agent in a level, or "you"; those to choose.
    first : the step of the recorded run that is step 0 of a replay.
    objects : those of the scenario, in the order of frames.
    powers, blink_reach : the powers of the player, and metres that a blink reaches.
    """

    version: str
    title: str
    kind: str
    source: str
    difficulty: str
    opponent: str
    step: float
    player: int | None
    vocabulary: Vocabulary
    agents: list[AgentLooks]
    watchers: list[int]
    targets: list[int]
    layers: tuple[LayerKind, ...]
    level: LevelDrawing
    cells: Cells
    crews: CrewNotes | None
    fights: FightNotes | None
    difficulties: list[str]
    opponents: list[str]
    presets: list[str]
    timings: Timings
    looks: Looks
    objects: tuple[ObjectShown, ...] = ()
    powers: tuple[str, ...] = ()
    blink_reach: float = BLINK_REACH
    panels: tuple[str, ...] = ()
    levels: tuple[MenuEntry, ...] = ()
    scenarios: tuple[MenuEntry, ...] = ()
    recordings: tuple[MenuEntry, ...] = ()
    feeds: tuple[MenuEntry, ...] = ()
    previous: Previous | None = None
    first: int = msgspec.field(default=0, name="from")
