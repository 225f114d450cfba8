"""Contacts: detect colleagues that run into each other."""

from __future__ import annotations

import numpy as np

from ...conventions import Array, Bools, Floats
from ...kernels.arrays.agent_arrays import ACTIVE, BodyArrays
from ...kernels.bodies.neighbours import Nearby

_TOUCH, _APART = 0.01, 0.15
"""Metres between two bodies at which they touch, and beyond which a contact is over."""


class Contacts:
    """Remember pairs that touch, so that every contact is reported once, when it begins.

    Overlapping bodies are pushed apart until they touch, so bodies that touch were pushed or stand side by side. A pair
    counts only if at least one of the two moves.
    """

    def __init__(self) -> None:
        self._touching: set[tuple[int, int]] = set()

    def update(self, bodies: BodyArrays, near: Nearby, who: Bools) -> list[tuple[int, int]]:
        """Return the colleagues among `who`, (n,) bool, that came into contact in this step; `near` is the crowd's."""
        if not near.start[-1]:
            self._touching.clear()
            return []
        first = np.repeat(np.arange(len(bodies.mode)), np.diff(near.start))
        second = near.other[: len(first)]
        ours = (first < second) & who[first] & (bodies.team[first] == bodies.team[second])
        ours &= (bodies.mode[first] == ACTIVE) & (bodies.mode[second] == ACTIVE)
        first, second = first[ours], second[ours]
        gap = _gaps(bodies, first, second)
        moves = (np.abs(bodies.velocity_xy[first]).max(axis=1, initial=0.0) > 0.1) | (
            np.abs(bodies.velocity_xy[second]).max(axis=1, initial=0.0) > 0.1
        )
        begun = [
            pair
            for pair in zip(first[(gap <= _TOUCH) & moves].tolist(), second[(gap <= _TOUCH) & moves].tolist())
            if pair not in self._touching
        ]
        close = set(zip(first[gap <= _APART].tolist(), second[gap <= _APART].tolist()))
        self._touching = (self._touching & close) | set(begun)
        return begun


def _gaps(bodies: BodyArrays, first: Array, second: Array) -> Floats:
    """Return the horizontal distance in metres between pairs of bodies."""
    offset = bodies.xyz[first, :2] - bodies.xyz[second, :2]
    return np.asarray(np.hypot(offset[:, 0], offset[:, 1]) - bodies.radius[first] - bodies.radius[second])
