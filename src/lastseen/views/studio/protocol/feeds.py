"""The messages of a feed: what a user's own game sends to the studio, and the studio's answer."""

from __future__ import annotations

from typing import Annotated

import msgspec

from .base import Message, Number, Part, Point, Problem, Sent

MOST_AGENTS = 256
MOST_MARKS = 256
MOST_LINE_POINTS = 1_000
MOST_NUMBERS = 64
MOST_FACTS = 32
MOST_DOORS = 10_000
MOST_FRAMES = 64
MOST_EVENTS = 256
MOST_LEVEL_BYTES = 8 * 1024 * 1024
"""Limits of a frame (agents, points or lines, numbers, doors), a batch (frames, events) and a level as GeoJSON."""
MOST_FEED_BYTES = 1024 * 1024
"""Maximum bytes of a message from a game."""
LONGEST_NAME, LONGEST_TEXT = 100, 2_000
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
Text = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
Label = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
Real = Annotated[float, msgspec.Meta(ge=-1e15, le=1e15)]
Radians = Annotated[float, msgspec.Meta(ge=-1e3, le=1e3)]
Range = Annotated[float, msgspec.Meta(gt=0.0, le=1e4)]
Angle = Annotated[float, msgspec.Meta(gt=0.0, le=6.2831854)]
Seconds = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
Fact = bool | Real | Text


class FeedPart(Part, frozen=True, omit_defaults=True):
    """Base of the parts of a frame: fields with their defaults are left out."""


class FedAgent(FeedPart, frozen=True):
    """An agent at a moment; `view` is the range and the whole angle of its field of view."""

    name: Name
    at: Point
    heading: Radians = 0.0
    state: Label = ""
    why: Text = ""
    view: tuple[Range, Angle] | None = None
    facts: Annotated[dict[Name, Fact], msgspec.Meta(max_length=MOST_FACTS)] = msgspec.field(default_factory=dict)


class FedPoint(FeedPart, frozen=True):
    """A named point, with a label if `text` is given."""

    name: Name
    at: Point
    text: Label = ""


class FedLine(FeedPart, frozen=True):
    """A named line through points."""

    name: Name
    points: Annotated[tuple[Point, ...], msgspec.Meta(min_length=2, max_length=MOST_LINE_POINTS)]


class FedFrame(FeedPart, frozen=True):
    """Everything shown at a time: what is not in it is not there; `shut` are the doors that are, None: as at first."""

    time: Seconds
    agents: Annotated[tuple[FedAgent, ...], msgspec.Meta(max_length=MOST_AGENTS)] = ()
    points: Annotated[tuple[FedPoint, ...], msgspec.Meta(max_length=MOST_MARKS)] = ()
    lines: Annotated[tuple[FedLine, ...], msgspec.Meta(max_length=MOST_MARKS)] = ()
    numbers: Annotated[dict[Name, Real], msgspec.Meta(max_length=MOST_NUMBERS)] = msgspec.field(default_factory=dict)
    shut: Annotated[tuple[Number, ...], msgspec.Meta(max_length=MOST_DOORS)] | None = None


class FedEvent(FeedPart, frozen=True):
    """Something that happened, to an agent if one is named."""

    time: Seconds
    name: Name
    agent: Label = ""
    text: Text = ""


class FeedBegins(Message, frozen=True, tag="begin"):
    """The first message of a connection.

    Attributes
    ----------
    key : chosen by the game, so that it continues its run when it connects again.
    level : base64 of the compressed GeoJSON; empty: none.
    """

    key: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
    name: Name
    step: Annotated[float, msgspec.Meta(ge=0.001, le=10.0)] = 1.0 / 60.0
    level: str = ""


class FeedFrames(Message, frozen=True, tag="frames"):
    """The next frames and events; `dropped` counts the frames left out since the game connected first."""

    frames: Annotated[tuple[FedFrame, ...], msgspec.Meta(max_length=MOST_FRAMES)] = ()
    events: Annotated[tuple[FedEvent, ...], msgspec.Meta(max_length=MOST_EVENTS)] = ()
    dropped: Number = 0


class FeedOpened(Sent, frozen=True, tag="feed"):
    """The studio shows frames under this name from now on."""

    name: str


FromGame = FeedBegins | FeedFrames
ToGame = FeedOpened | Problem


class MarkedPoint(Part, frozen=True):
    """A point on the map."""

    name: str
    at: Point
    text: str


class MarkedLine(Part, frozen=True):
    """A line on the map."""

    name: str
    points: tuple[Point, ...]


class Marks(Part, frozen=True):
    """The end of a frame of a feed: points and lines of the step."""

    points: list[MarkedPoint]
    lines: list[MarkedLine]
