"""Assignment of members to roles and places, optimised jointly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....checks import real_array, shown
from ....conventions import Array, Floats
from ....errors import InputError
from ....kernels.rules.assignment import assign_members

FINEST = 1e-6
"""Resolution of scores."""
HIGHEST = 1e6
"""Upper bound of the absolute value of scores."""


@dataclass(frozen=True, eq=False)
class Assignment:
    """An assignment of members to places.

    Attributes
    ----------
    place : (m,) int64, each member's place, -1 if none.
    score : sum over all assigned members.
    short : number of members missing from the roles' minimum counts; 0 if every role has enough.
    """

    place: Array
    score: float
    short: int


def assign(scores: Any, *, role: Any = None, room: Any = None, least: Any = None, most: Any = None) -> Assignment:
    """Return the assignment with the highest total score among those that leave the fewest members missing.

    Parameters
    ----------
    scores : (m, p), of each member at each place; -inf forbids it. A member without a place scores 0, so a place with
        a negative score is taken only if a role needs it.
    role : (p,) integers from 0 up, the role of each place; default: one role for all.
    room : (p,) capacity of each place; default 1.
    least, most : (r,) minimum and maximum number of members per role; default: none and unlimited.

    Notes
    -----
    Deterministic: equal inputs give equal results. Scores are rounded to `FINEST`.
    """
    value = real_array(scores, "scores", "(members, places) scores, -inf where forbidden")
    if value.ndim != 2:
        raise InputError(f"scores has shape {value.shape}; give (members, places)")
    if value.size and not (value.max() <= HIGHEST and (np.abs(value) <= HIGHEST)[value != -np.inf].all()):
        raise InputError(f"scores contains {shown(scores)}; give numbers between -{HIGHEST:g} and {HIGHEST:g}, or -inf")
    members, places = value.shape
    of = _counts(role, places, "role", 0)
    roles = int(of.max()) + 1 if places else 0
    for name, given in (("least", least), ("most", most)):
        if given is not None:
            roles = max(roles, real_array(given, name, "whole numbers from 0 up").size)
    needs, takes = _counts(least, roles, "least", 0), _counts(most, roles, "most", max(members, 1))
    if (needs > takes).any():
        which = int(np.flatnonzero(needs > takes)[0])
        raise InputError(f"role {which} needs {needs[which]} and takes {takes[which]}; give least ≤ most")
    return assigned(value, of, _counts(room, places, "room", 1), needs, takes)


def assigned(scores: Floats, role: Array, room: Array, least: Array, most: Array) -> Assignment:
    """Return the assignment for arguments that are already checked."""
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
