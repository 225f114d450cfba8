"""Values of a role's directions, constant or computed for each member."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...errors import BehaviourError, did_you_mean
from ..behaviour.hints import HINT_TYPES, HintType
from ..behaviour.parameters import one_of
from ..behaviour.ports import Input
from ..brains.mind import Place
from ..brains.surroundings import STATES
from ..directions import DIRECTION_KEYS
from ..orders import SPEEDS
from .crew_mind import CrewMind
from .words import RoleWords, Word

__all__ = ["Value", "read_values"]

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
