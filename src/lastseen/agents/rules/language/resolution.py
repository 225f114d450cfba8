"""Resolution of variables during evaluation: from the game or at random, with each error reported once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import FunctionType
from typing import Any

import numpy as np

from ....checks import shown
from ....errors import InputError, did_you_mean

Resolver = Callable[[str], Any]
"""Returns the value of a variable by path; None if unknown."""

CHANCE = "random."
"""Path prefix of random variables."""

UNIT = "random.unit"
_DIE = re.compile(r"random\.d([1-9][0-9]{0,8})")
_EXAMPLES = ("random.d6", "random.d20", "random.d100", UNIT)
_MOST_LETTERS = 200


@lru_cache(maxsize=256)
def sides_of(path: str) -> int | None:
    """Return the number of sides of a die, 0 for `random.unit`, or None for any other path."""
    found = _DIE.fullmatch(path)
    return int(found[1]) if found else 0 if path == UNIT else None


def chance_fault(path: str, kind: str | None = None) -> str:
    """Return what is wrong with a `random.` variable, optionally declared as `kind`; empty if nothing is."""
    sides = sides_of(path)
    if sides is None:
        hint = did_you_mean(path, _EXAMPLES)
        return f"no variable {path!r}{hint}; random variables are random.d1 … random.d999999999 and {UNIT}"
    wanted = ("int", "float") if sides else ("float",)
    return "" if kind is None or kind in wanted else f"{path} is a random number, not {kind}; remove its declaration"


def complaint(error: Exception) -> str:
    """Return a short description of an exception raised by the game."""
    try:
        words = f"{type(error).__name__}: {error}"
    except Exception:  # The exception itself cannot be formatted.
        words = type(error).__name__
    return words if len(words) <= _MOST_LETTERS else f"{words[:_MOST_LETTERS]}…"


def resolver_of(facts: Mapping[str, Any] | Resolver) -> Resolver:
    """Return a function that looks up facts, or raise an InputError."""
    if isinstance(facts, FunctionType):  # This common case avoids the slow check against Mapping.
        return facts
    if isinstance(facts, Mapping):
        return facts.get
    if not callable(facts):
        raise InputError(f"facts are {shown(facts)}; give a mapping by path, or a function of a path")
    return facts


class Resolving:
    """Resolve values; `complaints` holds errors by path, once each."""

    def __init__(self, random: np.random.Generator):
        self._random = random
        self.complaints: dict[str, str] = {}

    def value(self, resolve: Resolver, path: str) -> Any:
        """Return the value of a variable, or None if it is unknown or the game raises."""
        if path.startswith(CHANCE):
            return self._chance(path)
        try:
            return resolve(path)
        except Exception as error:  # Resolvers belong to the game: if one raises, the rule does not match.
            self.complain(path, error)
            return None

    def complain(self, path: str, error: Exception) -> None:
        """Keep a short description of the first exception raised for a variable."""
        self.complaints.setdefault(path, complaint(error))

    def _chance(self, path: str) -> float | None:
        """Draw a random value: `random.d6` is 1 … 6, `random.unit` 0 … 1."""
        sides = sides_of(path)
        if sides is None:
            return None
        return 1 + int(self._random.integers(sides)) if sides else float(self._random.random())
