"""Anomalies that agents notice: changed objects and missing colleagues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ....checks import finite_number, point_xyz, points_xyz, whole_number
from ....conventions import Bools, Floats
from ....errors import InputError
from ..arguments import count_of, things_of, time_of, truths_of


class Noticed(NamedTuple):
    """A change that was noticed: numbers of the observer and the object, and the object's present state."""

    observer: int
    object: int
    state: int


class ChangedObjects:
    """Objects whose state guards remember; the first to see a change reacts to it (chapter 28).

    Parameters
    ----------
    xyz : (k, 3) metres, the points to look at.
    states : (k,) whole numbers, known to all guards at the start (for a door 0 closed, 1 open).
    lifetime : seconds after which an unseen change is no longer worth a reaction, 0 … 1e6.

    Attributes
    ----------
    lifetime : as given, or (k,) seconds of each object.

    Notes
    -----
    The lifetime is ours. An object that is put back in time has not changed.
    """

    def __init__(self, xyz: Any, states: Any, *, lifetime: float = 30.0):
        self.xyz = points_xyz(xyz, "xyz")
        self.known = np.array([count_of(state, "states") for state in things_of(states, object, "states")], np.int64)
        if self.known.shape != (len(self.xyz),):
            raise InputError(f"there are {len(self.xyz)} places and {self.known.shape} states; give one state each")
        self.state = self.known.copy()
        self.since = np.full(len(self.xyz), -np.inf)
        self.lifetime: float | Floats = finite_number(lifetime, "lifetime", unit="s", low=0.0, high=1e6)

    def change(self, number: int, state: int, now: float) -> None:
        """Set the state of object `number`."""
        if whole_number(number, "number") >= len(self.state):
            raise InputError(f"there is no object {number}; there are {len(self.state)}, numbered from 0")
        state, now = count_of(state, "state"), time_of(now)
        if state != self.state[number]:
            self.state[number] = state
            self.since[number] = now

    def move(self, number: int, by: Any) -> None:
        """Move the point to look at of object `number`, in metres."""
        self.xyz[whole_number(number, "number")] += point_xyz(by, "by")

    def fresh(self, now: float) -> Bools:
        """Return which changes are still worth noticing, (k,) bool; older ones become known to all."""
        changed = self.state != self.known
        old = changed & (time_of(now) - self.since > self.lifetime)
        self.known[old] = self.state[old]
        return changed & ~old

    def notice(self, visible: Any, now: float) -> list[Noticed]:
        """Return the changes noticed, given which observers see which objects, (n, k) bool; each only once.

        If several observers see a change in the same step, the first in the table notices it.
        """
        visible = truths_of(visible, "visible")
        if visible.ndim != 2 or visible.shape[1] != len(self.state):
            raise InputError(f"visible has shape {visible.shape}; give (observers, {len(self.state)})")
        found = []
        for number in np.flatnonzero(self.fresh(now) & visible.any(axis=0)).tolist():
            self.known[number] = self.state[number]
            found.append(Noticed(int(visible[:, number].argmax()), number, int(self.state[number])))
        return found


@dataclass(frozen=True)
class MissingRule:
    """Seconds in earshot required `before` and `after` a silence, and the `cooldown` until the next one (ours)."""

    before: float = 10.0
    after: float = 5.0
    cooldown: float = 60.0

    def __post_init__(self) -> None:
        for name in ("before", "after", "cooldown"):
            finite_number(getattr(self, name), name, unit="s", low=0.0, high=1e6)


class MissingColleague:
    """Detects agents that were in earshot of a colleague for a while, and still are a while after it fell silent.

    Notes
    -----
    Chapter 28, instead of a memory of all sights and sounds. Agents that leave earshot start over; a silence during
    the cooldown is never noticed.
    """

    def __init__(self, count: int, rule: MissingRule | None = None):
        count = count_of(count, "count")
        self.rule = rule if rule is not None else MissingRule()
        self.together = np.zeros((count, count))
        self.alone = np.zeros((count, count))
        self.quiet_until = -np.inf

    def step(self, in_earshot: Any, silent: Any, seconds: float, now: float) -> tuple[int, int] | None:
        """Advance by this many seconds; return an agent (row) and the colleague it misses (column), or None.

        Parameters
        ----------
        in_earshot : (n, n) bool, whether the row hears the column; see `PathHearing.distances`.
        silent : (n,) bool, whether an agent no longer makes any noise.
        """
        near, quiet = truths_of(in_earshot, "in_earshot"), truths_of(silent, "silent")
        seconds, now = finite_number(seconds, "seconds", unit="s", low=0.0, high=3600.0), time_of(now)
        if near.shape != self.together.shape or quiet.shape != near.shape[:1]:
            raise InputError(
                f"in_earshot has shape {near.shape} and silent {quiet.shape}; {self.together.shape} needed"
            )
        near = near & ~np.eye(len(near), dtype=bool) & ~quiet[:, None]
        heard = near & ~quiet
        waiting = near & quiet & (self.together >= self.rule.before - 1e-9)
        self.together[heard] += seconds
        self.alone[heard] = 0.0
        self.alone[waiting] += seconds
        lost = ~heard & ~waiting
        self.together[lost] = 0.0
        self.alone[lost] = 0.0
        due = waiting & (self.alone >= self.rule.after - 1e-9)
        if not due.any():
            return None
        agent, colleague = (int(number) for number in np.argwhere(due)[0])
        missed = due.any(axis=0)
        self.together[:, missed] = 0.0  # One event per silence.
        self.alone[:, missed] = 0.0
        if now < self.quiet_until:
            return None
        self.quiet_until = now + self.rule.cooldown
        return agent, colleague
