"""Shares of runs and solutions, with their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ....estimates import wilson


@dataclass(frozen=True)
class Rate:
    """Hits out of a total, with share and Wilson's 95 % interval, valid near 0 and 1 too; NaN if the total is 0."""

    hits: int
    of: int
    share: float
    low: float
    high: float

    def as_object(self) -> dict[str, float | int | None]:
        """Return it for JSON, with unknown values as null."""
        values = {"share": self.share, "low": self.low, "high": self.high}
        known = {name: round(value, 6) if math.isfinite(value) else None for name, value in values.items()}
        return {"hits": self.hits, "of": self.of, **known}


def rate(hits: int, of: int) -> Rate:
    """Return a share with its interval."""
    found = wilson(hits, of)
    return Rate(hits, of, found.value, found.low, found.high)
