"""Statistical estimates from samples: a proportion or a mean with its 95 % confidence interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from .conventions import Array

Z_95 = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Student's 97.5 % quantiles, for 1 to 10 degrees of freedom."""


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % interval from `of` samples (0: unknown); NaN if nothing was measured."""

    value: float
    low: float
    high: float
    of: int = field(default=0, compare=False)

    def as_object(self) -> dict[str, float | None]:
        """Return the estimate for JSON; unknown values, such as the bounds of a single sample, become null."""
        values = {name: getattr(self, name) for name in ("value", "low", "high")}
        return {name: round(value, 6) if math.isfinite(value) else None for name, value in values.items()}

    def words(self, unit: str = "%") -> str:
        """Return the estimate as text, with its interval."""
        if math.isnan(self.value):
            return "-"
        if unit == "%":
            return f"{self.value:.1%} ({self.low:.1%} to {self.high:.1%})"
        return f"{self.value:.3g} {unit} ({self.low:.3g} to {self.high:.3g})"


def wilson(hits: int, of: int) -> Estimate:
    """Return a proportion with Wilson's interval, which stays sound when hits are none or all."""
    if of == 0:
        return Estimate(math.nan, math.nan, math.nan)
    found = wilson_share(hits / of, of)
    return Estimate(found.value, found.low, found.high, of)


def wilson_share(share: float, of: float) -> Estimate:
    """Return a proportion with Wilson's interval, from as many independent samples as `of`, whole or not."""
    scale = 1.0 + Z_95**2 / of
    middle = (share + Z_95**2 / (2 * of)) / scale
    half = Z_95 * math.sqrt(share * (1.0 - share) / of + Z_95**2 / (4.0 * of**2)) / scale
    # Rounding may push a bound of a proportion of 0 or 1 slightly past it, to either side.
    return Estimate(share, max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share)))


def share_of(hits: Array) -> Estimate:
    """Return the proportion of true values; see `wilson`."""
    return wilson(int(np.count_nonzero(hits)), len(hits))


def student(degrees: int) -> float:
    """Return Student's 97.5 % quantile; beyond the table, from its series expansion around the normal one."""
    if degrees <= len(_STUDENT):
        return _STUDENT[degrees - 1]
    first = (Z_95**3 + Z_95) / (4.0 * degrees)
    return Z_95 + first + (5.0 * Z_95**5 + 16.0 * Z_95**3 + 3.0 * Z_95) / (96.0 * degrees**2)


def mean_of(values: Array) -> Estimate:
    """Return the mean with Student's interval, which is wider than the normal one for few values."""
    count, mean = len(values), float(np.mean(values))
    half = student(count - 1) * float(np.std(values, ddof=1)) / math.sqrt(count) if count > 1 else math.inf
    return Estimate(mean, mean - half, mean + half, len(values))


def paired(values: Array, others: Array) -> Estimate:
    """Return the mean difference of values measured under the same conditions; pairing removes their common part.

    Differences of proportions use the interval of Bonett and Price (add one discordant pair to either side, then the
    normal interval): even if no pair differs, few pairs leave some doubt.
    """
    apart = values.astype(np.float64) - others.astype(np.float64)
    if values.dtype != np.bool_:
        return mean_of(apart)
    count = len(apart) + 2
    more, fewer = (np.sum(apart > 0) + 1) / count, (np.sum(apart < 0) + 1) / count
    half = Z_95 * math.sqrt((more + fewer - (more - fewer) ** 2) / count)
    low, high = max(-1.0, more - fewer - half), min(1.0, more - fewer + half)
    return Estimate(float(apart.mean()), float(low), float(high), len(apart))


def shares_apart(hits: Array, others: Array) -> Estimate:
    """Return the difference of two independent proportions with Newcombe's interval, made of Wilson's two."""
    one, other = share_of(hits), share_of(others)
    apart = one.value - other.value
    down = math.hypot(one.value - one.low, other.high - other.value)
    up = math.hypot(one.high - one.value, other.value - other.low)
    return Estimate(apart, apart - down, apart + up, min(one.of, other.of))
