"""Speakers: their positions and known facts, and which of them are speaking, so that only urgent lines interrupt."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ....checks import point_xyz, shown, text_of
from ....errors import InputError

Place = tuple[float, float, float]


class GameSpeakers(Protocol):
    """Interface through which speech queries a game. Speakers are any hashable identifiers: numbers, names.

    A large company may offer a method `within(place, metres)` that returns the speakers that may be that near, in the
    order of `speakers`; the others are then skipped when a speaker to answer is looked for. A method `groups(speaker)`
    may name groups whose handlers are combined with those of the speaker's side, and come first. A method
    `still_means(speaker, given)` may drop a line that waited for silence and is no longer true.
    """

    @property
    def sides(self) -> tuple[str, ...]:
        """Existing sides; rules may let the nearest speaker of a side answer."""

    def speakers(self) -> Iterable[Hashable]:
        """Return all speakers, including those that cannot speak now."""

    def name(self, speaker: Hashable) -> str:
        """Return the speaker's display name."""

    def side(self, speaker: Hashable) -> str:
        """Return the speaker's side, which selects its lines: the handlers `<side>.barks`."""

    def place(self, speaker: Hashable) -> Place:
        """Return the speaker's position in metres."""

    def can_speak(self, speaker: Hashable) -> bool:
        """Return whether the speaker is present, alive and awake."""

    def facts(self, speaker: Hashable, given: Mapping[str, Any]) -> Callable[[str], Any]:
        """Return a function that looks up variables for the speaker; `given` are the values of this occasion."""


@dataclass
class Speaker:
    """A speaker of a game that keeps no list of its own.

    Attributes
    ----------
    facts : values by path, or a function of a path.
    groups : of which it is a member; the handlers `<group>.barks` come before those of its side.
    """

    place: tuple[float, ...] = (0.0, 0.0, 0.0)
    side: str = "guard"
    facts: Mapping[str, Any] | Callable[[str], Any] = field(default_factory=dict)
    can_speak: bool = True
    groups: tuple[str, ...] = ()


class Speakers:
    """A company of `Speaker`s by name; add, move and change them as the game proceeds."""

    def __init__(self, everybody: Mapping[str, Speaker]):
        if not isinstance(everybody, Mapping):
            raise InputError(f"speakers are {shown(everybody)}; give Speaker(…) by name")
        self.everybody = dict(everybody)
        for name, one in self.everybody.items():
            text_of(name, "the name of a speaker")
            if not isinstance(one, Speaker):
                raise InputError(f"{name!r} is {shown(one)}; give Speaker(…)")

    @property
    def sides(self) -> tuple[str, ...]:
        """Sides of the present speakers."""
        return tuple(dict.fromkeys(one.side for one in self.everybody.values()))

    def speakers(self) -> Iterable[Hashable]:
        """Return all names."""
        return self.everybody

    def name(self, speaker: Hashable) -> str:
        """Return the name, which also identifies the speaker."""
        return str(speaker)

    def side(self, speaker: Hashable) -> str:
        """Return the speaker's side."""
        return self._get(speaker).side

    def groups(self, speaker: Hashable) -> tuple[str, ...]:
        """Return the groups the speaker is a member of."""
        return self._get(speaker).groups

    def place(self, speaker: Hashable) -> Place:
        """Return the speaker's position."""
        x, y, z = point_xyz(self._get(speaker).place, "place").tolist()
        return x, y, z

    def can_speak(self, speaker: Hashable) -> bool:
        """Return whether the speaker can speak."""
        return self._get(speaker).can_speak

    def facts(self, speaker: Hashable, given: Mapping[str, Any]) -> Callable[[str], Any]:  # noqa: ARG002
        """Return the speaker's facts."""
        facts = self._get(speaker).facts
        return facts.get if isinstance(facts, Mapping) else facts

    def _get(self, speaker: Hashable) -> Speaker:
        if not isinstance(speaker, str) or speaker not in self.everybody:
            raise InputError(f"no speaker {shown(speaker)}; there are {', '.join(self.everybody) or 'none'}")
        return self.everybody[speaker]


def groups_of_speaker(company: GameSpeakers, speaker: Hashable) -> tuple[str, ...]:
    """Return the groups of a speaker, if it has any, and its side."""
    groups = getattr(company, "groups", None)
    return (*(groups(speaker) if groups is not None else ()), company.side(speaker))


@dataclass(frozen=True)
class Speaking:
    """A line being spoken or already spoken: its speaker, times, position and urgency."""

    speaker: Hashable
    begun: float
    until: float
    place: Place
    urgency: int
    exchange: int


class TurnTaking:
    """Lines being spoken.

    Parameters
    ----------
    earshot : distance in metres within which speakers hear one another and keep silent.
    pause : seconds of silence after a speaker's own line, unless something more urgent comes up.
    """

    def __init__(self, earshot: float, pause: float):
        self.earshot, self.pause = earshot, pause
        self._last: dict[Hashable, Speaking] = {}
        self._now: dict[Hashable, Speaking] = {}

    def refuses(self, speaker: Hashable, place: Place, urgency: int, now: float) -> str:
        """Return why a speaker may not speak now; empty if it may, which interrupts others within earshot."""
        refused = self.refuses_itself(speaker, urgency, now)
        if refused:
            return refused
        for other in self.heard_at(place, now):
            if other.speaker != speaker and other.urgency >= urgency:
                return f"{other.speaker} is speaking"
        return ""

    def refuses_itself(self, speaker: Hashable, urgency: int, now: float) -> str:
        """Return why a speaker may not speak because of its own last line; empty if it may."""
        own = self._last.get(speaker)
        if own is None or own.urgency < urgency or now >= own.until + self.pause:
            return ""
        return "is speaking" if now < own.until else "has just spoken"

    def note_aside(self, line: Speaking) -> None:
        """Start a line that others neither wait for nor lose theirs to."""
        self._last[line.speaker] = line

    def heard_at(self, place: Place, now: float) -> list[Speaking]:
        """Return the lines being spoken within earshot of a place."""
        if any(one.until <= now for one in self._now.values()):
            self._now = {one.speaker: one for one in self._now.values() if now < one.until}
        return [one for one in self._now.values() if math.dist(one.place, place) <= self.earshot]

    def take(self, line: Speaking) -> list[Speaking]:
        """Start a line; return the lines it cuts short."""
        cut = self.heard_at(line.place, line.begun)
        for one in cut:
            self._last[one.speaker] = Speaking(one.speaker, one.begun, line.begun, one.place, one.urgency, one.exchange)
            del self._now[one.speaker]
        self._last[line.speaker] = self._now[line.speaker] = line
        return cut
