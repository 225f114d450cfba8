"""What looking gives: who sees whom, how surely, and if not, why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....checks import extremes, frozen, read_only, shown
from ....conventions import Array, Bools, Floats, Ids
from ....errors import InputError
from ..arguments import count_of

REASONS = (
    "seen",
    "absent",
    "friend",
    "hidden",
    "too far",
    "outside view",
    "smoke",
    "occluded",
    "dark",
    "deferred",
    "camouflaged",
)
"""Why a target is or is not seen; `Sightings.reason` holds positions in this list."""

BANDS = ("nothing", "glance", "investigate", "identified")
"""What a certainty calls for; `Sightings.band` holds positions in this list."""


@dataclass(frozen=True, eq=False)
class Sightings:
    """All pairs of one look: row i is `observers[i]`, column j is `targets[j]`.

    Attributes
    ----------
    observers, targets : (n,), (m,) int32, rows in the table of bodies.
    shape : (n, m) int8, which shape of the model holds the target, best first; -1: none.
    visible : (n, m) bool, in a shape, lit and enough of the body in sight.
    certainty : (n, m) float32, 0 … 1, how sure the observer is about what it sees now; never a probability.
    awareness : (n, m) float32, 0 … 1, how far it is on the way to full detection: a stealth meter.
    band : (n, m) uint8, what that calls for, in `BANDS`.
    reason : (n, m) uint8, in `REASONS`.
    metres : (n, m) float32, distance of the feet; infinite where nobody is.
    rays : how many rays were cast.
    """

    observers: Ids
    targets: Ids
    shape: Array
    visible: Bools
    certainty: Array
    awareness: Array
    band: Array
    reason: Array
    metres: Array
    rays: int

    @property
    def in_shape(self) -> Bools:
        """(n, m) bool: is the target in any shape of the model?"""
        return read_only(self.shape >= 0)

    @property
    def noticed(self) -> Bools:
        """(n, m) bool: has it become worth looking into (or more)?"""
        return read_only(self.band >= BANDS.index("investigate"))

    @property
    def identified(self) -> Bools:
        """(n, m) bool: does the observer know who that is?"""
        return read_only(self.band == BANDS.index("identified"))

    def why(self, observer: int, target: int) -> str:
        """Say in a word why observer number i sees target number j, or does not."""
        return REASONS[self.reason[observer, target]]


class VisionMemory:
    """What looking carries from step to step; written by `look` only.

    Attributes
    ----------
    timer : (n, m) float64, seconds (or share of a bar) gathered towards detection.
    visible : (n, m) uint8, last answer of the rays, which stands in for answers put off.
    perceived : (n, m) uint8, 1 once the observer has fully detected the target.
    cursor : (1,) int64, the pair whose turn it is when rays are few.
    """

    def __init__(self, observers: int, targets: int):
        size = count_of(observers, "observers"), count_of(targets, "targets")
        self.timer: Floats = np.zeros(size)
        self.visible: Array = np.zeros(size, np.uint8)
        self.perceived: Array = np.zeros(size, np.uint8)
        self.cursor: Array = np.zeros(1, np.int64)

    def forget(self, observers: Any = slice(None)) -> None:
        """Empty the memory of some observers (positions), or of all."""
        rows = observers if isinstance(observers, slice) else agent_ids(observers, "observers", len(self.timer))
        for array in (self.timer, self.visible, self.perceived):
            array[rows] = 0

    def copy(self) -> VisionMemory:
        """Return a memory of its own with the same content."""
        other = VisionMemory(*self.timer.shape)
        for name in ("timer", "visible", "perceived", "cursor"):
            getattr(other, name)[:] = getattr(self, name)
        return other


def agent_ids(values: Any, name: str, count: int) -> Ids:
    """Return rows in a table of `count` bodies as read-only (n,) int32, else say what is allowed."""
    try:
        ids = np.asarray(values)
    except ValueError:
        ids = np.empty((0, 0))
    if ids.ndim != 1 or (ids.size and ids.dtype.kind not in "iu"):
        raise InputError(f"{name} must be rows of the table of bodies, whole numbers (n,), got {shown(values)}")
    low, high = extremes(ids)
    if ids.size and (low < 0 or high >= count):
        wrong = ids[(ids < 0) | (ids >= count)][0]
        raise InputError(f"{name} names body {wrong}; there are {count}, numbered from 0")
    return frozen(ids, np.int32)
