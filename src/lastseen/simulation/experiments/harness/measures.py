"""Measures of experiments, and the rows of results that hold them."""

from __future__ import annotations

import math
from dataclasses import dataclass

Row = dict[str, bool | int | float | str | None]
"""Result of a task by column; a task that compares several subjects returns one row for each."""


@dataclass(frozen=True)
class Measure:
    """A measured quantity.

    Attributes
    ----------
    unit : "share" (0 … 1), "m", "s" or empty.
    about, title, short : a description; its heading in reports; that in the terminal, empty: left out there.
    yes_or_no : it is 1 or 0 for each task, and its unit is "share".
    interval : rows also hold its 95 % interval, as `name_low` and `name_high`.
    reported : it answers the question of the experiment, rather than giving a sample size.
    metric : its name in outcomes of trials, where a parameter has the name of the measure.
    less_is_better : whether a smaller value is better; None: neither.
    """

    name: str
    unit: str = ""
    about: str = ""
    interval: bool = False
    reported: bool = True
    yes_or_no: bool = False
    title: str = ""
    short: str = ""
    metric: str = ""
    less_is_better: bool | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "metric", self.metric or self.name)

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of results that hold it."""
        return (self.name, f"{self.name}_low", f"{self.name}_high") if self.interval else (self.name,)


def number(value: float) -> float | None:
    """Return a number for a row: None if it is not finite."""
    return float(value) if math.isfinite(value) else None


def interval(name: str, value: float, low: float, high: float) -> Row:
    """Return a measure with its interval as columns."""
    return {name: number(value), f"{name}_low": number(low), f"{name}_high": number(high)}
