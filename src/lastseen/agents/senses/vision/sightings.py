"""Sightings: the result of a look, and the memory of vision models between looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....checks import extremes, frozen, read_only, shown
from ....conventions import Array, Bools, Floats, Ids
from ....errors import InputError, QueryError
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
    "neutral",
)
"""Reasons why a target is or is not seen; `Sightings.reason` holds indices into this list."""

BANDS = ("nothing", "glance", "investigate", "identified")
"""Reactions to a certainty; `Sightings.band` holds indices into this list."""


@dataclass(frozen=True, eq=False)
class Sightings:
    """All pairs of one look: row i is `observers[i]`, column j is `targets[j]`.

    Attributes
    ----------
    observers, targets : (n,), (m,) int32, rows in the table of bodies.
    shape : (n, m) int8, the best shape of the model that contains the target; -1: none.
    visible : (n, m) bool, whether the target is in a shape, lit, and enough of its body in sight.
    certainty : (n, m) float32, 0 … 1, how sure the observer is of what it sees now; not a probability.
    awareness : (n, m) float32, 0 … 1, progress towards full detection: a stealth meter.
    band : (n, m) uint8, the reaction, as an index into `BANDS`.
    reason : (n, m) uint8, an index into `REASONS`.
    metres : (n, m) float32, distance between the feet; infinite if the target is absent.
    rays : number of rays cast.
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
        """(n, m) bool, whether the target is in any shape of the model."""
        return read_only(self.shape >= 0)

    @property
    def noticed(self) -> Bools:
        """(n, m) bool, whether the target is at least worth investigating."""
        return read_only(self.band >= BANDS.index("investigate"))

    @property
    def identified(self) -> Bools:
        """(n, m) bool, whether the observer has identified the target."""
        return read_only(self.band == BANDS.index("identified"))

    def why(self, observer: int, target: int) -> str:
        """Return the reason why observer i sees target j or does not, one of `REASONS`."""
        try:
            return REASONS[self.reason[observer, target]]
        except (IndexError, TypeError):
            counts = " and ".join(map(str, self.reason.shape))
            what = f"there is no observer {shown(observer)} with a target {shown(target)}"
            raise QueryError(f"{what}; there are {counts}, counted from 0 in the order they were given") from None


class VisionMemory:
    """Memory of a vision model between looks; written by `look` only.

    Attributes
    ----------
    timer : (n, m) float64, progress towards detection, in seconds or as a fraction of a bar.
    visible : (n, m) uint8, the last result of the rays, which is reused for pairs over budget.
    perceived : (n, m) uint8, 1 once the observer has fully detected the target.
    cursor : (1,) int64, the next pair to look at if rays run out.
    """

    def __init__(self, observers: int, targets: int):
        size = count_of(observers, "observers"), count_of(targets, "targets")
        self.timer: Floats = np.zeros(size)
        self.visible: Array = np.zeros(size, np.uint8)
        self.perceived: Array = np.zeros(size, np.uint8)
        self.cursor: Array = np.zeros(1, np.int64)

    def forget(self, observers: Any = slice(None)) -> None:
        """Clear the memory of some observers (indices), or of all."""
        rows = observers if isinstance(observers, slice) else agent_ids(observers, "observers", len(self.timer))
        for array in (self.timer, self.visible, self.perceived):
            array[rows] = 0

    def copy(self) -> VisionMemory:
        """Return an independent copy."""
        other = VisionMemory(*self.timer.shape)
        for name in ("timer", "visible", "perceived", "cursor"):
            getattr(other, name)[:] = getattr(self, name)
        return other


def agent_ids(values: Any, name: str, count: int) -> Ids:
    """Return rows of a table of `count` bodies as a read-only (n,) int32 array."""
    try:
        ids = np.asarray(values)
    except ValueError:
        ids = np.empty((0, 0))
    if ids.ndim != 1 or (ids.size and ids.dtype.kind not in "iu"):
        raise InputError(f"{name} must be rows of the table of bodies, whole numbers (n,), got {shown(values)}")
    if ids.dtype == np.int32:  # As unsigned numbers, negative ones are the highest.
        high = int(np.maximum.reduce(ids.view(np.uint32), initial=0))
        is_out = ids.size > 0 and high >= count
    else:
        low, high = extremes(ids)
        is_out = ids.size > 0 and (low < 0 or high >= count)
    if is_out:
        wrong = ids[(ids < 0) | (ids >= count)][0]
        raise InputError(f"{name} names body {wrong}; there are {count}, numbered from 0")
    return frozen(ids, np.int32)
