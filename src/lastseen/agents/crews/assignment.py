"""Assignment: who takes which role at which place, all of them together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import real_array, shown
from ...conventions import Array, Floats
from ...errors import InputError
from ...kernels.assignment import assign_members

__all__ = ["FINEST", "HIGHEST", "Assignment", "assign", "assigned"]

FINEST = 1e-6
"""Scores are told apart to a millionth."""
HIGHEST = 1e6
"""Scores are at most this high, or as low."""


@dataclass(frozen=True, eq=False)
class Assignment:
    """Who goes where.

    Attributes
    ----------
    place : (m,) int64, each member's place; -1: none.
    score : the sum over all who have one.
    short : by how many members roles fall short of their least; 0: every role has what it needs.
    """

    place: Array
    score: float
    short: int


def assign(scores: Any, *, role: Any = None, room: Any = None, least: Any = None, most: Any = None) -> Assignment:
    """Return who goes where so that the sum of scores is the highest there is, no role short that need not be.

    Parameters
    ----------
    scores : (m, p), of each member at each place; -inf: it may not. A member without a place counts 0, so that nobody
        takes a place of a score below 0 unless a role needs it.
    role : (p,) whole numbers from 0 up, the role of each place; left out: one role has them all.
    room : (p,) how many fit in each place; left out: one.
    least, most : (r,) how many each role needs, and takes; left out: none, and any number.

    Notes
    -----
    Deterministic: the same numbers give the same answer. Scores are rounded to `FINEST`.
    """
    value = real_array(scores, "scores", "(members, places) scores, -inf where one may not be")
    if value.ndim != 2:
        raise InputError(f"scores has shape {value.shape}; give (members, places)")
    if value.size and not (value.max() <= HIGHEST and (np.abs(value) <= HIGHEST)[value != -np.inf].all()):
        raise InputError(f"scores holds {shown(scores)}; give numbers up to {HIGHEST:g}, or -inf: at most that high")
    members, places = value.shape
    of = _counts(role, places, "role", 0)
    roles = int(of.max()) + 1 if places else 0
    for name, given in (("least", least), ("most", most)):
        if given is not None:
            roles = max(roles, real_array(given, name, "whole numbers from 0 up").size)
    needs, takes = _counts(least, roles, "least", 0), _counts(most, roles, "most", max(members, 1))
    if (needs > takes).any():
        which = int(np.flatnonzero(needs > takes)[0])
        raise InputError(f"role {which} needs {needs[which]} and takes {takes[which]}; let least be at most `most`")
    return assigned(value, of, _counts(room, places, "room", 1), needs, takes)


def assigned(scores: Floats, role: Array, room: Array, least: Array, most: Array) -> Assignment:
    """Return who goes where; what is given has been checked."""
    place = np.empty(len(scores), np.int64)
    short, score = assign_members(scores, FINEST, room, role, least, most, place)
    return Assignment(place, float(score), int(short))


def _counts(values: Any, count: int, name: str, usual: int) -> Array:
    if values is None:
        return np.full(count, usual, np.int64)
    numbers = real_array(values, name, f"({count},) whole numbers from 0 up")
    if (
        numbers.shape != (count,)
        or (numbers != np.floor(numbers)).any()
        or not ((numbers >= 0) & (numbers <= 1e9)).all()
    ):
        raise InputError(f"{name} is {shown(values)}; give {count} whole numbers from 0 up")
    return numbers.astype(np.int64)
