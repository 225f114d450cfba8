"""Outcome of an evaluation of searches: one row per beginning, one column per contender."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....conventions import Array, Bools, Floats, Ids
from ..harness.trials import Outcome
from .beginnings import Beginning
from .trial import Trial


@dataclass(frozen=True, eq=False)
class SearchOutcome(Outcome):
    """n searches on one level, by p contenders.

    Attributes
    ----------
    episode, model, searchers : (n,) number of the episode; index into `MODELS`; number of searchers.
    lost_at : (n, 3) where the evader was last seen; `since` (n,) seconds before the search began.
    ending : (n, p) index into `ENDINGS`.
    found : (n, p) bool.
    seconds, off, truth, searched, metres : (n, p) see `Trial`.
    opened : (n, p) hiding places.
    tracks : (n, p, samples, 9, 3) float32, evader, then searchers; NaN for missing ones.
    """

    model: Ids
    searchers: Ids
    lost_at: Floats
    since: Floats
    ending: Array
    found: Bools
    seconds: Floats
    off: Floats
    truth: Floats
    searched: Floats
    opened: Ids
    metres: Floats
    tracks: Array

    @classmethod
    def of(cls, beginnings: Sequence[Beginning], trials: Sequence[Sequence[Trial]]) -> SearchOutcome:
        """Return trials (n rows of p) as arrays."""

        kinds = {"ending": np.uint8, "found": np.bool_, "opened": np.int32, "tracks": np.float32}
        names = ("ending", "found", "seconds", "off", "truth", "searched", "opened", "metres", "tracks")
        return cls(
            episode=np.array([one.number for one in beginnings], np.int32),
            model=np.array([one.model for one in beginnings], np.int32),
            searchers=np.array([len(one.searchers_xyz) for one in beginnings], np.int32),
            lost_at=np.array([one.lost_xyz for one in beginnings]),
            since=np.array([one.since for one in beginnings]),
            **{
                name: np.array([[getattr(one, name) for one in row] for row in trials], kinds.get(name, np.float64))
                for name in names
            },
        )
