"""What an evaluation leaves: one row per first loss, one column per predictor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ...conventions import Array, Bools, Floats, Ids

__all__ = ["Outcome"]


@dataclass(frozen=True, eq=False)
class Outcome:
    """n first losses of one level, met by p predictors.

    Attributes
    ----------
    episode, model : (n,) number of the episode; index into `MODELS`.
    speed : (n,) metres a second, of the runner.
    seen_at, heading, guard_at, guard_facing : (n, 3) what the guard knew.
    trail : (n, k, 3) where the runner went after it was last seen, every half second.
    destination : (n, p, 3) places named.
    reason : (n, p) words.
    reacquired, alive, turned, corner_missed : (n, p) bool.
    metres : (n, p) run until seen again or arrived.
    miss : (n, p) metres from the place named to the runner on arrival.
    losses : (n, p) how often the runner was lost in the whole chase.
    """

    episode: Ids
    model: Ids
    speed: Floats
    seen_at: Floats
    heading: Floats
    guard_at: Floats
    guard_facing: Floats
    trail: Floats
    destination: Floats
    reason: Array
    reacquired: Bools
    alive: Bools
    turned: Bools
    corner_missed: Bools
    metres: Floats
    miss: Floats
    losses: Ids

    def __len__(self) -> int:
        return len(self.episode)

    @classmethod
    def joined(cls, parts: Sequence[Outcome]) -> Outcome:
        """Return several as one, in order."""
        return cls(**{
            field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)
        })  # fmt: skip
