"""News: what colleagues tell each other of targets, under way by voice or radio and understood a moment later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...compilation.preparation import prepare
from ...conventions import Array, Bools, Floats
from ...kernels.arrays.agent_arrays import ACTIVE, TOLD, BodyArrays, KnowledgeArrays
from ...kernels.senses.knowledge import send_news
from .knowledge import Knowledge, Sharing

SHOUT_REACH = 12.0
"""Metres that a shouted message carries, around corners."""
_NEARLY = 1e-9


class News:
    """Messages under way: at most one to each observer about each target, the next one after it has been understood.

    Parameters
    ----------
    reaction : function from the rows (k,) of observers that are told something to their reaction times (k,) in seconds.

    Attributes
    ----------
    hears : (n, n) bool, which observer (row) hears which one (column); empty: all hear each other.
    due : (n, m) float64, seconds at which each message has been understood; infinite: none is under way.
    """

    def __init__(self, knowledge: Knowledge, reaction: Callable[[Array], Floats]):
        prepare("senses.knowledge.send_news")
        self._records = KnowledgeArrays(*(array.copy() for array in knowledge.arrays))
        self._reaction = reaction
        self.hears: Bools = np.empty((0, 0), np.bool_)
        self.due: Floats = np.full(knowledge.arrays.time.shape, np.inf)
        self._sent = np.empty(self.due.size, np.int64)

    def spread(
        self, knowledge: Knowledge, bodies: BodyArrays, policy: Sharing, now: float, barred: Bools
    ) -> tuple[Array, Array]:
        """Let observers take in what has reached them, then send on what is newer than what colleagues know.

        Return the rows and columns of the records taken in. A record keeps the position and time of the original
        perception. `barred` (n, m): who learns nothing about which target any more.
        """
        taken = self._take_in(knowledge, bodies, now, barred)
        if policy.reach == 0.0 or not np.count_nonzero(knowledge.arrays.source):
            return taken
        count = send_news(
            knowledge.arrays,
            bodies,
            knowledge.observers,
            policy.reach,
            self.hears,
            barred,
            SHOUT_REACH,
            now,
            self._records,
            self.due,
            self._sent,
        )
        if count:
            pairs = self._sent[:count]
            self.due.flat[pairs] += self._reaction(pairs // self.due.shape[1])
        return taken

    def forget(self, pairs: Any) -> None:
        """Let messages get lost, where `pairs` indexes (n, m) arrays."""
        self.due[pairs] = np.inf

    def _take_in(self, knowledge: Knowledge, bodies: BodyArrays, now: float, barred: Bools) -> tuple[Array, Array]:
        rows, columns = np.nonzero(self.due <= now + _NEARLY)
        if not len(rows):
            return rows, columns
        self.due[rows, columns] = np.inf
        know, news = knowledge.arrays, self._records
        is_newer = news.time[rows, columns] > know.time[rows, columns]
        is_newer &= (bodies.mode[knowledge.observers[rows]] == ACTIVE) & ~barred[rows, columns]
        rows, columns = rows[is_newer], columns[is_newer]
        at = rows, columns
        for name in ("xyz", "direction_xy", "speed", "time", "certainty"):
            getattr(know, name)[at] = getattr(news, name)[at]
        know.identified[at] |= news.identified[at]
        know.source[at] = TOLD
        listeners = knowledge.observers[rows]
        know.from_xyz[at], know.from_gaze[at] = bodies.xyz[listeners], bodies.gaze[listeners]
        return rows, columns
