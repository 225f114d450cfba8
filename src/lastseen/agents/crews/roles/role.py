"""Role: member counts, conditions, preferences, end, and directions with constant or computed values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ....errors import BehaviourError, did_you_mean
from ...behaviour.hints import HINT_TYPES, HintType
from ...behaviour.leaf import Leaf
from ...behaviour.parameters import one_of
from ...behaviour.ports import Input
from ...behaviour.status import FAILURE, SUCCESS, Status
from ...bodies.orders import SPEEDS
from ...brains.mind import Place
from ...brains.surroundings import STATES
from ...directions import DIRECTION_KEYS
from ..crew_mind import CrewMind
from ..grouping import LARGEST
from .vocabulary import Clause, Places, RoleWords, Word, known_word, read_clause

HEAVIEST = 1000.0
"""Bound on the weights of scores, so that their sums stay within the resolution `assignment.FINEST`."""


class Role(Leaf):
    """One role of a crew; see `Roles`, which assigns several together.

    | the role                                         | status  |
    |--------------------------------------------------|---------|
    | has the members it needs, possibly none          | RUNNING |
    | cannot have `least` members                      | FAILURE; no directions are given |
    | is over: `until` held once since it began        | SUCCESS |
    """

    kind = "role"
    words: ClassVar[RoleWords] = RoleWords()
    """Words it may use; `crew_leaves` creates a subclass with its own."""

    def __init__(
        self,
        *,
        least: int = 1,
        most: int = LARGEST,
        may: Any = None,
        prefer: dict[str, float] | None = None,
        places: dict[str, Any] | None = None,
        directions: dict[str, Any] | None = None,
        until: Any = None,
        name: str = "",
    ):
        self.needs, self.takes, self.name = least, most, name
        if not 0 <= least <= most or not 1 <= most <= LARGEST:
            raise BehaviourError(
                f"least is {least} and most is {most}; give 0 <= least <= most <= {LARGEST}, and most at least 1"
            )
        words = self.words
        self.may = read_clause(may, words.members, "condition on members")
        if not self.may.can_hold():
            wanted = ", ".join(dict.fromkeys(word.name for word in self.may.words()))
            raise BehaviourError(
                f"'may' can never hold for one member ({wanted}): nobody can take this role; drop some"
            )
        narrow = self.may.narrowest()
        if narrow is not None and (narrow.most or 0) < least:
            what = f"{narrow.name} holds for at most {narrow.most} member"
            raise BehaviourError(f"least is {least}, but {what}; lower least to {narrow.most}")
        self.prefer = _preferences(prefer or {}, words)
        self.places = _places(places, words)
        _check_room(self.places, least)
        self.directions: dict[str, Value] = read_values(directions or {}, words, has_places=self.places is not None)
        self.until: Clause | None = None if until is None else read_clause(until, words.crews, "condition on crews")
        if self.until is not None and not self.until.can_hold():
            wanted = ", ".join(dict.fromkeys(word.name for word in self.until.words()))
            raise BehaviourError(
                f"'until' can never hold ({wanted}), so the role would never end; drop some of it, or all"
            )
        self.settled: tuple[Status, str] | None = None
        self.is_over = False

    def details(self) -> str:
        """Return the minimum and maximum count."""
        return f"{self.needs} to {self.takes}"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Restart the role, unless it was settled together with others before it is reached."""
        if self.settled is None:
            self.is_over = False

    def forget(self) -> None:
        """Mark the role as not over."""
        self.is_over = False

    def ends(self, mind: CrewMind) -> str:
        """Return why the role is over; empty if it is not."""
        if self.until is None:
            return ""
        held, why = self.until.holds(mind)
        return (why or "it is over") if held else ""

    def found_places(self, mind: CrewMind) -> Places | None:
        """Return the available places, or None if the role defines none."""
        if self.places is None:
            return None
        word, parameters = self.places
        mind.seeking = self.label
        found = word.function(mind, **parameters)
        if not isinstance(found, Places):
            raise BehaviourError(f"{word.name} returned {found!r}; return Places")
        return found

    def tick(self, mind: CrewMind) -> Status:
        """Return the status settled together with other roles; a role on its own is settled here."""
        if self.settled is None:
            from .roles import share_out

            share_out(mind, (self,))
        assert self.settled is not None
        (status, self.reason), self.settled = self.settled, None
        return status

    def end_or_fail(self, why: str, *, over: bool) -> None:
        """Record that the role has no members, because it is over or cannot be filled."""
        self.is_over = self.is_over or over
        self.settled = (SUCCESS if over else FAILURE), why


def _check_room(places: tuple[Word, dict[str, Any]] | None, least: int) -> None:
    """Reject a minimum that exceeds the number of places that can exist on any level."""
    room = None if places is None else places[0].most_places(places[1])
    if places is not None and room is not None and room < max(1, least):
        name = places[0].name
        what = f"least is {least}, but {name} finds at most {room} place{'s' * (room != 1)}, one per member"
        raise BehaviourError(f"{what}; lower it, or let {name} find more")


def _preferences(given: Mapping[str, float], words: RoleWords) -> tuple[tuple[Word, float], ...]:
    for name, weight in given.items():
        if abs(weight) > HEAVIEST:
            raise BehaviourError(f"prefer gives {name!r} a weight of {weight:g}; give -{HEAVIEST:g} to {HEAVIEST:g}")
    return tuple((known_word(words.scores, name, "score"), float(weight)) for name, weight in given.items())


def _places(given: Mapping[str, Any] | None, words: RoleWords) -> tuple[Word, dict[str, Any]] | None:
    if given is None:
        return None
    if len(given) != 1:
        hint = did_you_mean(next(iter(given), ""), words.places)
        raise BehaviourError(f"places has {len(given)} words{hint}; give one with its parameters")
    name, body = next(iter(given.items()))
    word = known_word(words.places, name, "word for places")
    return word, word.checked(body)


OWN_PLACE = "place"
"""The word for the place assigned to a member."""


@dataclass(frozen=True)
class Value:
    """One value of a direction: a constant, or a word that is evaluated for each member."""

    written: Any = None
    word: Word | None = None
    about_agent: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def of(self, mind: CrewMind, member: int, place: Place | None) -> Any:
        """Return the value for a member."""
        if self.word is None:
            return self.written
        if self.about_agent:
            return self.word.function(mind, member, **self.parameters)
        return self.word.function(mind, member, place, **self.parameters)


def read_values(given: Mapping[str, Any], words: RoleWords, *, has_places: bool) -> dict[str, Value]:
    """Parse the values under `directions`, by key."""
    found = {}
    for key, value in given.items():
        if isinstance(value, Input):
            raise BehaviourError(f"direction {key!r} is key {value.key!r}; write its value instead")
        found[key] = _read(key, value, words)
        word = found[key].word
        if word is not None and word.name == OWN_PLACE and not has_places and not found[key].about_agent:
            raise BehaviourError(f"direction {key!r} is the member's place, but the role has no 'places'; add them")
    return found


def _read(key: str, value: Any, words: RoleWords) -> Value:
    kind = DIRECTION_KEYS.get(key, "any")
    if kind == "gait":
        if value not in SPEEDS:
            raise BehaviourError(f"gait is {value!r}{did_you_mean(value, SPEEDS)}; give one of {', '.join(SPEEDS)}")
        return Value(value)
    if kind == "state":
        if value not in STATES:
            raise BehaviourError(f"state is {value!r}{did_you_mean(value, STATES)}; give one of {', '.join(STATES)}")
        return Value(value)
    if kind == "text":
        if not isinstance(value, str):
            raise BehaviourError(f"direction {key!r} is {value!r}; give text")
        return Value(value)
    if kind == "hints":
        return Value(_hints(value))
    if kind == "agent":
        return _asked(key, value, words.agents, "agent", about_agent=True)
    if kind == "truth":
        return Value(value) if isinstance(value, bool) else _asked(key, value, words.values, "value")
    if kind == "place":
        return Value(_point(key, value)) if isinstance(value, list) else _asked(key, value, words.values, "")
    return Value(word=words.values[value]) if isinstance(value, str) and value in words.values else Value(value)


def _asked(key: str, value: Any, table: Mapping[str, Word], what: str, *, about_agent: bool = False) -> Value:
    """Parse a word: its name, or a table of its name and parameters."""
    name, given = next(iter(value.items())) if isinstance(value, Mapping) and len(value) == 1 else (value, None)
    if not isinstance(name, str) or name not in table:
        names = ", ".join(sorted(table))
        raise BehaviourError(
            f"direction {key!r} is {value!r}{did_you_mean(name, table)}; give {what or 'a place,'} {names}"
        )
    word = table[name]
    return Value(word=word, about_agent=about_agent, parameters=word.checked(given))


def _hints(value: Any) -> dict[str, HintType]:
    """Parse hints; scenarios check whether members have such branches."""
    if not isinstance(value, Mapping):
        raise BehaviourError(f"hints is {value!r}; give a table of branches of members' trees: {one_of(HINT_TYPES)}")
    for branch, type_ in value.items():
        if not isinstance(branch, str) or not isinstance(type_, str) or type_ not in HINT_TYPES:
            what = f"hints says {type_!r}{did_you_mean(type_, HINT_TYPES)} of {branch!r}"
            raise BehaviourError(f"{what}; give {one_of(HINT_TYPES)}")
    return dict(value)


def _point(key: str, value: list[Any]) -> Place:
    numbers = [float(one) for one in value if isinstance(one, int | float) and not isinstance(one, bool)]
    if len(numbers) != len(value) or len(numbers) not in (2, 3) or not all(map(math.isfinite, numbers)):
        raise BehaviourError(f"direction {key!r} is {value!r}; give [x, y] or [x, y, z] in metres")
    x, y, *z = numbers
    return x, y, z[0] if z else 0.0
