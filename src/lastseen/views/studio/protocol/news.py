"""The messages the studio sends to pages through the socket, apart from the greeting."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from ....simulation.recording.recording import Recording
from ...prose.comparison import ToldComparison
from ...prose.sentences import Sentences, ending_of
from ...prose.story import Sentence
from .base import Code as Code
from .base import Part as Part
from .base import Problem as Problem
from .base import Sent as Sent
from .base import encoded as encoded

Place = tuple[float, float, float]
Base64 = str
"""Numbers as base64 of their little-endian bytes."""


class Note(Sent, frozen=True, tag="note"):
    """A remark for the user."""

    text: str


class Busy(Sent, frozen=True, tag="busy"):
    """What the studio is doing; empty: nothing any more. A run is being repeated from step `tick` to `until`."""

    text: str
    tick: int = 0
    until: int | None = None


class Compiling(Sent, frozen=True, tag="compiling", omit_defaults=True):
    """Progress of the compiler before the first step or during the game; `share` is done, 0 … 1, if known."""

    stage: Literal["first step", "rest"]
    text: str
    compiled_kernels: int | None = None
    of_kernels: int | None = None
    compile_seconds: float | None = None
    compile_seconds_left: float | None = None
    share: float | None = None


class Ended(Part, frozen=True):
    """How a run ended."""

    reason: str
    text: str


def ended_of(recording: Recording) -> Ended | None:
    """Return how a recorded run ended; None: it has not."""
    if recording.end is None:
        return None
    return Ended(recording.end.reason, Sentences(recording.about.agents).ending(ending_of(recording)))


class Status(Sent, frozen=True, tag="status"):
    """The state of the game; `live`: the next step is new, `repeating`: the step a run is repeated up to."""

    running: bool = False
    speed: float = 1.0
    tick: int = 0
    ticks: int = 0
    mode: Literal["play", "watch"] = "watch"
    live: bool = False
    digest: str = ""
    repeating: int | None = None
    ended: Ended | None = None


class MenuEntry(Part, frozen=True):
    """Something that can be opened."""

    name: str
    about: str


class Previous(Part, frozen=True):
    """The previous run, which can still be saved."""

    title: str
    seconds: float


class Menus(Sent, frozen=True, tag="menus"):
    """What can be opened, and the previous run."""

    levels: tuple[MenuEntry, ...] = ()
    scenarios: tuple[MenuEntry, ...] = ()
    recordings: tuple[MenuEntry, ...] = ()
    feeds: tuple[MenuEntry, ...] = ()
    previous: Previous | None = None


class Events(Sent, frozen=True, tag="events"):
    """Events since step `first`; none: all later ones are revoked."""

    first: int = msgspec.field(name="from")
    events: list[dict[str, Any]]


class Story(Sent, frozen=True, tag="story"):
    """The story from sentence `first` on."""

    first: int = msgspec.field(name="from")
    sentences: list[Sentence]


class BreakpointHit(Sent, frozen=True, tag="breakpoint"):
    """The game is paused because an agent's tree entered a node; `label`: its line."""

    agent: int
    node: int
    tick: int
    label: str


class BreakpointsMoved(Sent, frozen=True, tag="breakpoints moved"):
    """The breakpoints of an agent that has another tree now, `lines`; those of nodes that are gone are removed."""

    agent: int
    nodes: list[int]
    lines: list[str]


class TreeApplied(Sent, frozen=True, tag="tree applied"):
    """Agents have another tree from step `tick` on."""

    brain: str
    agents: list[int]
    tick: int


class Spent(Sent, frozen=True, tag="spent"):
    """Milliseconds of steps from step `first` on, of the most expensive of every `every` steps, and their budget."""

    first: int = msgspec.field(name="from")
    every: int
    budget: float
    totals: list[float]


Spots = tuple[tuple[float, float, float, int, int], ...]
"""x, y, z, state (a number of `SPOT_STATES`), and the agent on its way there, -1: none."""


class SpotsShown(Sent, frozen=True, tag="spots"):
    """The spots of a coordinated search."""

    spots: Spots


class CrewState(Part, frozen=True):
    """One crew."""

    number: int
    seat: int
    objective: str
    leader: int
    target: int
    members: list[int]


class Duties(Part, frozen=True):
    """The duty of a member: where to stand (None: unspecified), number of that place (-1: none), may it attack now."""

    agent: int
    crew: int
    role: str
    reason: str
    stand: Place | None
    slot: int
    attack: bool | None


class Crews(Sent, frozen=True, tag="crews"):
    """The crews of the step shown, the duties of their members, and requests of agents."""

    crews: list[CrewState]
    duties: list[Duties]
    asks: list[tuple[int, str]]


class NumbersShown(Sent, frozen=True, tag="numbers"):
    """Numbers of a feed: steps and values since step `first`; earlier ones are kept, later ones replaced."""

    first: int = msgspec.field(name="from")
    series: dict[str, list[tuple[int, float]]]


class FeedState(Sent, frozen=True, tag="feed"):
    """The connection of a feed: whether frames may still come, and how many its game left out."""

    connected: bool
    dropped: int


class MeshFaces(Part, frozen=True):
    """The faces of the navmesh."""

    count: int
    corners: Base64
    storey: Base64
    xyz: Base64


class CellLinks(Part, frozen=True):
    """Pairs of linked cells."""

    count: int
    cells: Base64


class MeshDrawing(Sent, frozen=True, tag="mesh"):
    """Faces and links, without links that are blocked now."""

    faces: MeshFaces
    links: CellLinks


class Solid(Sent, frozen=True, tag="solid", kw_only=True):
    """The level as triangles, for the 3D view.

    Attributes
    ----------
    vertices : x, y, z of each; `triangles`: three vertices each, counter-clockwise from outside.
    kinds : what a triangle can be part of; `kind`: the place of each triangle's in it.
    edges : pairs of vertices to draw as lines.
    left_out : number of triangles, the smallest ones, that were too many to send.
    """

    vertices: Base64
    triangles: Base64
    kinds: tuple[str, ...]
    kind: Base64
    edges: Base64
    left_out: int


class Working(Sent, frozen=True, tag="working"):
    """What the answer for a panel is waiting for, and the fraction done, 0 … 1."""

    panel: str
    text: str
    fraction: float


class Measured(Sent, frozen=True, tag="measured"):
    """The values of surveyed layers for a cell; None: nothing."""

    cell: int
    tick: int
    values: dict[str, float | None]


class FloodResult(Part, frozen=True, kw_only=True):
    """The flood of one preset, with the command and the code that give the same."""

    preset: str
    destination: Place
    destination_cell: int
    reason: str
    steps: int
    heated: list[int]
    warm: list[tuple[int, int, int]]
    cold: list[tuple[int, int]]
    barrier: list[int]
    closed: list[int]
    has_barrier: bool
    fell_back: str
    hot: int
    max_heated: int
    max_steps: int
    command: str
    python: str
    note: str


class Floods(Sent, frozen=True, tag="flood"):
    """Floods of some presets from one loss."""

    seen: Place
    heading: tuple[float, float]
    results: list[FloodResult]


class Joined(Sent, frozen=True, tag="joined"):
    """The bends of a shortest path after its start, the last one its end; `moved`: metres the end was off the floor."""

    points: list[Place]
    moved: float


class SilentAgent(Part, frozen=True):
    """Why an agent with a trigger said nothing."""

    agent: int
    why: str


class UnreadFact(Part, frozen=True):
    """A variable of the rules that could not be read."""

    path: str
    what: str


class SpeechState(Sent, frozen=True, tag="voices"):
    """The rules agents speak by, their triggers, what the scenario sets, and why agents stay silent."""

    rules: str | None
    triggers: list[str]
    facts: dict[str, bool | int | float | str | None]
    speakers: list[int]
    is_live: bool
    silent: list[SilentAgent]
    complaints: list[UnreadFact]


class RuleVerdict(Part, frozen=True):
    """Why a rule fires or not; `near`: its place among those closest to firing."""

    name: str
    handler: str
    state: str
    reason: str
    near: int | None


class Evaluation(Sent, frozen=True, tag="evaluation"):
    """What an agent would say now for a trigger, and for every rule why it does not fire."""

    agent: int
    trigger: str
    tick: int
    handlers: str
    refused: str
    fired: str | None
    facts: dict[str, bool | int | float | str | None]
    rules: list[RuleVerdict]


class Taken(Sent, frozen=True, tag="taken"):
    """A recording of that name exists; saving waits for a confirmation."""

    name: str
    previous: bool


class Saved(Sent, frozen=True, tag="saved"):
    """A recording was saved."""

    name: str
    ticks: int


Job = Literal["png", "gif", "html", "run", "guards", "ways"]


class Progress(Sent, frozen=True, tag="progress"):
    """Progress of a file being made, 0 … 1."""

    kind: Job
    text: str
    fraction: Annotated[float, msgspec.Meta(ge=0.0)]


class Exported(Sent, frozen=True, tag="exported", omit_defaults=True):
    """A file was made; it can be downloaded once with the ticket."""

    kind: Job
    name: str
    bytes: int
    note: str
    ticket: str
    comparison: ToldComparison | None = None


class Cancelled(Sent, frozen=True, tag="cancelled"):
    """A file is no longer being made."""

    kind: Job
