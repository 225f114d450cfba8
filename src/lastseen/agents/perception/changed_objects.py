"""Changed objects: who notices first that a door stands open or a light is out?"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...checks import finite_number, points_xyz, whole_number
from ...conventions import Bools
from ...errors import InputError
from .arguments import count_of, things_of, time_of, truths_of

__all__ = ["ChangedObjects", "Noticed"]


class Noticed(NamedTuple):
    """Somebody noticed a change: number of the observer, of the object, and its state now."""

    observer: int
    object: int
    state: int


class ChangedObjects:
    """Things whose state guards remember; whoever sees a change first owns it (chapter 28).

    Parameters
    ----------
    xyz : (k, 3) metres, where one must look.
    states : (k,) whole numbers, as everybody knows them at the start (for a door 0 closed, 1 open).
    lifetime : seconds after which a change nobody saw is no longer worth a reaction.

    Notes
    -----
    The lifetime is ours. A thing put back in time is no change.
    """

    def __init__(self, xyz: Any, states: Any, *, lifetime: float = 30.0):
        self.xyz = points_xyz(xyz, "xyz")
        self.known = np.array([count_of(state, "states") for state in things_of(states, object, "states")], np.int64)
        if self.known.shape != (len(self.xyz),):
            raise InputError(f"there are {len(self.xyz)} places and {self.known.shape} states; give one state each")
        self.state = self.known.copy()
        self.since = np.full(len(self.xyz), -np.inf)
        self.lifetime = finite_number(lifetime, "lifetime", unit="s", low=0.0, high=1e6)

    def change(self, number: int, state: int, now: float) -> None:
        """Thing `number` has a new state."""
        if whole_number(number, "number") >= len(self.state):
            raise InputError(f"there is no thing {number}; there are {len(self.state)}, numbered from 0")
        state, now = count_of(state, "state"), time_of(now)
        if state != self.state[number]:
            self.state[number] = state
            self.since[number] = now

    def fresh(self, now: float) -> Bools:
        """Which changes are still worth noticing? (k,) bool. Older ones become what everybody knows."""
        changed = self.state != self.known
        old = changed & (time_of(now) - self.since > self.lifetime)
        self.known[old] = self.state[old]
        return changed & ~old

    def notice(self, visible: Any, now: float) -> list[Noticed]:
        """Given who sees which thing, (n, k) bool: who notices what? One reaction for each change, ever.

        Of several who see it in the same step the first in the table owns it.
        """
        visible = truths_of(visible, "visible")
        if visible.ndim != 2 or visible.shape[1] != len(self.state):
            raise InputError(f"visible has shape {visible.shape}; give (observers, {len(self.state)})")
        found = []
        for number in np.flatnonzero(self.fresh(now) & visible.any(axis=0)).tolist():
            self.known[number] = self.state[number]
            found.append(Noticed(int(visible[:, number].argmax()), number, int(self.state[number])))
        return found
