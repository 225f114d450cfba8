"""The moment shown: agents, what they see and believe, and the floods, speech and sounds that are still visible."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ...conventions import Array, Bools, Floats, Ids
from ...level.features import Trap
from ...simulation.recording.recording import Recording
from ...vocabulary.events import AnyEvent, Heard, Predicted, Said, SetTrap, TrapSprung
from .sights import SeenArea
from .timings import TIMINGS, fading

E = TypeVar("E", bound=AnyEvent)


@dataclass(frozen=True, eq=False)
class Person:
    """An agent that is present.

    Attributes
    ----------
    state : one of STATES; team : one of TEAMS; mode : one of MODES.
    xyz : (3,) metres; heading, gaze : radians counter-clockwise from +x.
    awareness : 0 … 1, of the target it is surest of; 0 for agents that watch no one.
    path : (n, 3) metres, the path ahead of it; empty if it stands.
    seen : what it sees; None for agents that do not watch.
    doing : animation while it uses an object; empty: none.
    """

    name: str
    team: str
    state: str
    mode: str
    xyz: Floats
    heading: float
    gaze: float
    awareness: float
    path: Floats
    seen: SeenArea | None
    doing: str = ""


@dataclass(frozen=True, eq=False)
class Ghost:
    """Where guards believe a target was last: `believers` share the belief, `from_xyz` (n, 3) are their positions."""

    target: str
    xyz: Floats
    direction_xy: Floats
    age: float
    believers: tuple[str, ...]
    from_xyz: Floats

    @property
    def strength(self) -> float:
        """Opacity, 0 … 1; it falls with age."""
        return max(TIMINGS.belief_least, fading(self.age, TIMINGS.belief_fade, TIMINGS.belief_fade))


@dataclass(frozen=True, eq=False)
class FloodLook:
    """The visible part of a chase flood: it grows, then shows its flag, then fades.

    `warm`, `barrier` and `closed` are cells, `values` the heat of the warm ones, `front` the cells heated last, `hot`
    the highest heat, `flag` (3,) where to run (None while it grows), `strength` its opacity, 0 … 1.
    """

    agent: str
    warm: Ids
    values: Array
    front: Ids
    barrier: Ids
    closed: Ids
    hot: float
    flag: Floats | None
    strength: float = 1.0


@dataclass(frozen=True, eq=False)
class Bubble:
    """Speech: the speaker (number in `Moment.people`), the line, and its age in seconds."""

    person: int
    words: str
    age: float

    @property
    def strength(self) -> float:
        """Opacity, 0 … 1."""
        return fading(self.age, TIMINGS.speech, TIMINGS.speech_fade)


@dataclass(frozen=True, eq=False)
class Noise:
    """A sound: its position, its kind, and its age from 0 (just now) to 1 (over)."""

    xyz: Floats
    kind: str
    age: float


@dataclass(frozen=True, eq=False)
class Post:
    """The post of an agent in a crew.

    Attributes
    ----------
    person : number in `Moment.people`.
    crew, seat : numbers of the crew and of its seat among current crews; -1: it waits for room in a crew.
    role : empty if it has none; leads : whether it leads the crew.
    stand : (3,) metres, the place it should take, or None; slot : number of that place in its role, -1: none.
    """

    person: int
    crew: int
    seat: int
    role: str
    leads: bool
    stand: Floats | None
    slot: int


@dataclass(frozen=True, eq=False)
class Thing:
    """An object in sight: where it is, in metres, whether it changed, and for a barrier its outlines in metres."""

    name: str
    kind: str
    xyz: Floats
    is_changed: bool = False
    zones: tuple[Floats, ...] = ()


@dataclass(frozen=True, eq=False)
class Moment:
    """Everything a picture of one moment shows; `search` (cells,) 0 … 127, None if no agent searches.

    `creatures` (n, 3) are those of swarms; None: there are none.
    """

    tick: int
    seconds: float
    people: tuple[Person, ...]
    ghosts: tuple[Ghost, ...]
    flood: FloodLook | None
    search: Array | None
    bubbles: tuple[Bubble, ...]
    noises: tuple[Noise, ...]
    door_shut: Bools
    posts: tuple[Post, ...] = ()
    platforms: tuple[bool, ...] = ()
    traps: tuple[tuple[Trap, bool], ...] = ()
    things: tuple[Thing, ...] = ()
    creatures: Floats | None = None


class Recent:
    """The events of a recording that are still visible at a moment."""

    def __init__(self, recording: Recording):
        self._about = recording.about
        self._events = list(recording.events())
        self._ticks = [event.tick for event in self._events]

    def _since(self, tick: int, seconds: float, kind: type[E]) -> list[tuple[E, float]]:
        """Return the events of a kind in the last `seconds`, with their age in seconds."""
        step = self._about.step
        first = bisect_left(self._ticks, tick - int(seconds / step))
        events = self._events[first : bisect_right(self._ticks, tick)]
        return [(event, (tick - event.tick) * step) for event in events if isinstance(event, kind)]

    def flood(self, tick: int, cells: int) -> FloodLook | None:
        """Return the flood shown at a step, as it has grown by then, or None; `cells` is the number of cells."""
        floods = [(event, age) for event, age in self._since(tick, TIMINGS.flood, Predicted) if event.warm]
        if not floods:
            return None
        event, age = floods[-1]
        warm, values, heated_in, barrier, closed = (
            _whole(numbers) for numbers in (event.warm, event.values, event.heated_in, event.barrier, event.closed)
        )
        cold, cold_in = _whole(event.cold), _whole(event.cold_in)
        highest = max(int(part.max(initial=0)) for part in (warm, barrier, closed, cold))
        matches = 0 < len(warm) == len(values) == len(heated_in) and len(cold) == len(cold_in)
        if not matches or highest >= cells:
            return None
        steps = max(int(heated_in.max()), event.steps or 0)
        step = int(steps * min(1.0, age / TIMINGS.flood_grows))
        # Heat falls by one in every step, so earlier heat follows from the heat at the end.
        hot = int((values + steps - heated_in).max())
        warm, heated_in = np.concatenate([warm, cold]), np.concatenate([heated_in, cold_in])
        values = hot - (step - heated_in)
        shown = (heated_in <= step) & (values > 0)
        growing = age < TIMINGS.flood_grows
        return FloodLook(
            agent=self._about.agents[event.agent],
            warm=warm[shown],
            values=values[shown],
            front=warm[heated_in == step] if growing else warm[:0],
            barrier=barrier,
            closed=closed,
            hot=float(hot),
            flag=None if growing or event.at is None else np.array(event.at),
            strength=fading(age, TIMINGS.flood, TIMINGS.flood_fade),
        )

    def bubbles(self, tick: int, shown: list[int]) -> tuple[Bubble, ...]:
        """Return the last line of each agent shown, if it was spoken just now."""
        latest = {}
        for event, age in self._since(tick, TIMINGS.speech, Said):
            if event.agent in shown:
                latest[event.agent] = Bubble(shown.index(event.agent), event.line, age)
        return tuple(latest.values())

    def traps(self, tick: int, drawn: Sequence[Trap]) -> tuple[tuple[Trap, bool], ...]:
        """Return the traps of a level and those that agents set until a step, and which have not sprung."""
        before = self._events[: bisect_right(self._ticks, tick)]
        added = [Trap(one.at, radius=one.radius) for one in before if isinstance(one, SetTrap) and one.at is not None]
        sprung = {event.number for event in before if isinstance(event, TrapSprung)}
        return tuple((trap, number not in sprung) for number, trap in enumerate((*drawn, *added)))

    def noises(self, tick: int) -> tuple[Noise, ...]:
        """Return the sounds heard just now."""
        return tuple(
            Noise(np.array(event.at), event.sound, age / TIMINGS.sound)
            for event, age in self._since(tick, TIMINGS.sound, Heard)
            if event.at is not None
        )


def _whole(numbers: Sequence[int]) -> Array:
    """Return numbers of an event as an array, at least 0."""
    return np.maximum(np.array(numbers, np.int64), 0)
