"""Values of variables while rules are tried: asked of the game, or cast as dice; whatever goes wrong is told once."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ...errors import did_you_mean

__all__ = ["CHANCE", "Resolver", "Resolving", "chance_fault", "complaint", "sides_of"]

Resolver = Callable[[str], Any]
"""Returns the value of a variable by its path; None: not known."""

CHANCE = "random."
"""Beginning of the paths of dice."""

UNIT = "random.unit"
_DIE = re.compile(r"random\.d([1-9][0-9]{0,8})")
_EXAMPLES = ("random.d6", "random.d20", "random.d100", UNIT)
_MOST_LETTERS = 200


@lru_cache(maxsize=256)
def sides_of(path: str) -> int | None:
    """Return how many sides a die has, 0 for `random.unit`; None: it is no die."""
    found = _DIE.fullmatch(path)
    return int(found[1]) if found else 0 if path == UNIT else None


def chance_fault(path: str, kind: str | None = None) -> str:
    """Return what is wrong with a variable that begins with `random.`, declared as `kind` or not; empty: nothing is."""
    sides = sides_of(path)
    if sides is None:
        hint = did_you_mean(path, _EXAMPLES)
        return f"no variable {path!r}{hint}; by chance there are random.d1 … random.d999999999 and {UNIT}"
    wanted = ("int", "float") if sides else ("float",)
    return (
        "" if kind is None or kind in wanted else f"{path} is a number by chance, no {kind}; leave its declaration out"
    )


def complaint(error: Exception) -> str:
    """Return in short what a game raised."""
    try:
        words = f"{type(error).__name__}: {error}"
    except Exception:  # an error that cannot be shown
        words = type(error).__name__
    return words if len(words) <= _MOST_LETTERS else f"{words[:_MOST_LETTERS]}…"


class Resolving:
    """Asks for values; `complaints` holds what went wrong, by path, once each."""

    def __init__(self, random: np.random.Generator):
        self._random = random
        self.complaints: dict[str, str] = {}

    def value(self, resolve: Resolver, path: str) -> Any:
        """Return the value of a variable; None where it is not known, or the game raises."""
        if path.startswith(CHANCE):
            return self._chance(path)
        try:
            return resolve(path)
        except Exception as error:  # a resolver is the game's: whatever it raises, the rule does not match
            self.complain(path, error)
            return None

    def complain(self, path: str, error: Exception) -> None:
        """Keep in short what the game raised as it was asked for a value."""
        self.complaints.setdefault(path, complaint(error))

    def _chance(self, path: str) -> float | None:
        """`random.d6` is 1 … 6, `random.unit` 0 … 1."""
        sides = sides_of(path)
        if sides is None:
            return None
        return 1 + int(self._random.integers(sides)) if sides else float(self._random.random())
