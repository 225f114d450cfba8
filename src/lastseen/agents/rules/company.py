"""The company: whom speech is about. A game says who is there, where, and what they know."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...checks import point_xyz, shown, text_of
from ...errors import InputError

__all__ = ["Company", "Speaker", "Speakers"]

Place = tuple[float, float, float]


class Company(Protocol):
    """What speech asks a game. Speakers are whatever the game knows them by: numbers, names."""

    @property
    def sides(self) -> tuple[str, ...]:
        """Sides there are; rules may ask the nearest of a side to answer."""

    def speakers(self) -> Iterable[Hashable]:
        """Return everybody, whether it can speak now or not."""

    def name(self, speaker: Hashable) -> str:
        """Return what a speaker is called."""

    def side(self, speaker: Hashable) -> str:
        """Return whose side it is on: its lines are in the handlers `<side>.barks`."""

    def place(self, speaker: Hashable) -> Place:
        """Return where it is, metres."""

    def can_speak(self, speaker: Hashable) -> bool:
        """Is it there, alive and awake?"""

    def facts(self, speaker: Hashable, given: Mapping[str, Any]) -> Callable[[str], Any]:
        """Return what looks up variables for it; `given` are those of this occasion."""


@dataclass
class Speaker:
    """Somebody who speaks, in a game that keeps no other list of them.

    Attributes
    ----------
    facts : values by path, or a function of a path.
    """

    place: tuple[float, ...] = (0.0, 0.0, 0.0)
    side: str = "guard"
    facts: Mapping[str, Any] | Callable[[str], Any] = field(default_factory=dict)
    can_speak: bool = True


class Speakers:
    """A company of `Speaker`s by name; add, move and change them as the game goes on."""

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
        """Sides of those who are there."""
        return tuple(dict.fromkeys(one.side for one in self.everybody.values()))

    def speakers(self) -> Iterable[Hashable]:
        """Return all names."""
        return self.everybody

    def name(self, speaker: Hashable) -> str:
        """Return the name: speakers go by it."""
        return str(speaker)

    def side(self, speaker: Hashable) -> str:
        """Return whose side it is on."""
        return self._get(speaker).side

    def place(self, speaker: Hashable) -> Place:
        """Return where it is."""
        x, y, z = point_xyz(self._get(speaker).place, "place").tolist()
        return x, y, z

    def can_speak(self, speaker: Hashable) -> bool:
        """Is it there, alive and awake?"""
        return self._get(speaker).can_speak

    def facts(self, speaker: Hashable, given: Mapping[str, Any]) -> Callable[[str], Any]:  # noqa: ARG002
        """Return its facts."""
        facts = self._get(speaker).facts
        return facts.get if isinstance(facts, Mapping) else facts

    def _get(self, speaker: Hashable) -> Speaker:
        if not isinstance(speaker, str) or speaker not in self.everybody:
            raise InputError(f"nobody is called {shown(speaker)}; there are {', '.join(self.everybody) or 'none'}")
        return self.everybody[speaker]
