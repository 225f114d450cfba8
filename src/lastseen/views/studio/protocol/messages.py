"""The messages a page may send to the studio, each with a type."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from ....agents.bodies.orders import Gait
from ....reasoning.chase.flood.chase_settings import FAITHFUL
from .base import Message as Message
from .base import Metres as Metres
from .base import Number as Number
from .base import Point as Point

Direction = tuple[Metres, Metres]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


MOST_POINTS = 800
"""Maximum number of points of a path that is drawn."""


class Input(Message, frozen=True, tag="input"):
    """The player's input from now on: direction on the map and gait; the fields in `ONCE` apply once."""

    move: Direction = (0.0, 0.0)
    gait: Gait = "walk"
    use: bool = False
    throw: Point | None = None
    strike: bool = False
    blink: Point | None = None
    decoy: bool = False
    trap: bool = False
    time_stop: bool = False
    possess: bool = False
    travel: bool = False


ONCE = {
    **dict.fromkeys(("use", "strike", "decoy", "trap", "time_stop", "possess", "travel"), False),
    **dict.fromkeys(("throw", "blink"), None),
}
"""Inputs that apply to one step, and what they are without."""


class Run(Message, frozen=True, tag="run"):
    """Run at `speed` times real time, or pause."""

    running: bool = True
    speed: Annotated[float, msgspec.Meta(ge=0.05, le=8.0)] | None = None


class Step(Message, frozen=True, tag="step"):
    """Pause and advance this many steps."""

    ticks: Annotated[int, msgspec.Meta(ge=1, le=300)] = 1


class Seek(Message, frozen=True, tag="seek"):
    """Pause and show a past step."""

    tick: Number


class Resume(Message, frozen=True, tag="resume"):
    """Continue from the step shown; later steps are discarded."""


class Restart(Message, frozen=True, tag="restart"):
    """Start again from the first step."""


class Open(Message, frozen=True, tag="open"):
    """Play or watch something else: exactly one of `level`, `scenario`, `recording`, `feed`, `guards`.

    `guards`: the open level with the guards placed for this page instead of its own. `opponent`: the brain that moves
    the player's agent in a level, to watch it, or "you".
    """

    level: Word | None = None
    scenario: Word | None = None
    recording: Word | None = None
    feed: Word | None = None
    guards: bool = False
    difficulty: Word | None = None
    opponent: Word | None = None


class Overlays(Message, frozen=True, tag="overlays"):
    """Set what this page shows: the areas guards see, the paths of agents, search spots, and layers by name."""

    views: bool = False
    ways: bool = False
    spots: bool = False
    layers: Annotated[tuple[Word, ...], msgspec.Meta(max_length=32)] | None = None


class Measure(Message, frozen=True, tag="measure"):
    """Ask for the values of a cell in the layers that have to be surveyed first."""

    cell: Number


class Mesh(Message, frozen=True, tag="mesh"):
    """Ask for the faces of the navmesh and the links between cells."""


class AskSolid(Message, frozen=True, tag="solid"):
    """Ask for the level as triangles, for the 3D view."""


class FloodChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a flood that override the preset's."""

    hot: int | None = None
    max_heated: int | None = None
    max_steps: Annotated[int, msgspec.Meta(ge=1, le=400)] | None = None
    behind: Literal["strict", "inclusive"] | None = None


class WhatIf(Message, frozen=True, tag="whatif"):
    """Ask where a guard that lost a target there would run, by some presets."""

    seen: Point
    heading: Direction = (0.0, 0.0)
    guard: Point | None = None
    presets: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1, max_length=4)] = (FAITHFUL,)
    settings: FloodChanges = FloodChanges()


class Place(Message, frozen=True, tag="place"):
    """Move an agent elsewhere; the run continues from there."""

    agent: Number
    at: Point


class Breakpoints(Message, frozen=True, tag="breakpoints"):
    """Pause the game when an agent's tree enters one of these nodes, given by their lines; replaces earlier ones."""

    agent: Number
    nodes: Annotated[tuple[Number, ...], msgspec.Meta(max_length=1000)] = ()


class ApplyTree(Message, frozen=True, tag="apply"):
    """Give all agents with a brain another tree, from the next step on; `value`: the file of trees."""

    brain: Word
    value: dict[str, Any]


class Save(Message, frozen=True, tag="save"):
    """Write the run so far, or the previous one, as a recording; `replace` overwrites another of that name."""

    name: Word
    replace: bool = False
    previous: bool = False


class Export(Message, frozen=True, tag="export"):
    """Make a file of a stretch of the run."""

    kind: Literal["png", "gif", "html"]
    first: Number | None = msgspec.field(default=None, name="from")
    last: Number | None = msgspec.field(default=None, name="to")


class Compare(Message, frozen=True, tag="compare"):
    """Compare a recording with the open run."""

    recording: Word


class Voices(Message, frozen=True, tag="voices"):
    """Ask which rules agents speak by, and why agents with a trigger stay silent."""


class Evaluate(Message, frozen=True, tag="evaluate"):
    """Ask what an agent would say now for a trigger, and why not something else."""

    agent: Number
    trigger: Word


class UseRules(Message, frozen=True, tag="rules"):
    """Start again with other rules for speech."""

    name: Word


class Join(Message, frozen=True, tag="join"):
    """Ask for the shortest path to a place from another; without `start`, for the nearest place on the floor."""

    end: Point
    start: Point | None = None


class Guards(Message, frozen=True, tag="guards"):
    """Place guards around an intended path of the open level; `kinds` are taken in turn.

    `file`: use the guards in a file of the folder instead.
    """

    path: Annotated[tuple[Point, ...], msgspec.Meta(min_length=2, max_length=MOST_POINTS)] = ()
    file: Word | None = None
    guards: Annotated[int, msgspec.Meta(ge=1, le=12)] = 3
    kinds: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1, max_length=4)] = ("walking",)
    seed: Number = 0


class Sneak(Message, frozen=True, tag="sneak"):
    """Sneak past the guards placed for this page this many times; `path`: another intended path."""

    path: Annotated[tuple[Point, ...], msgspec.Meta(min_length=2, max_length=MOST_POINTS)] = ()
    runs: Annotated[int, msgspec.Meta(ge=1, le=200)] = 20
    seed: Number = 0


class Cancel(Message, frozen=True, tag="cancel"):
    """Cancel this page's file (`file`) or the repetition of a run (`run`); None: the first, else the second."""

    what: Literal["file", "run"] | None = None
