"""Test the source's findings on experiments: means with intervals, and verdicts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....conventions import Floats
from ....estimates import Estimate, share_of
from ....estimates import paired as paired_of
from ....rng import generator
from .figure_experiments import ExperimentTable

_SAMPLES = 4000
YES_OR_NO = ("passable", "touched", "pacing")
"""Measures that are 0 or 1 for each placement."""
SIMILAR = 0.02
"""Share of the floor within which two coverages count as similar."""
FEWEST = 10
"""Number of placements needed for a verdict."""
RARE = 0.1
"""An event that never happened is confirmed never to happen if its interval ends below this."""


@dataclass(frozen=True)
class Finding:
    """A claim of the source, the verdict on it ("confirmed", "refuted", "not decided"), and the numbers."""

    claim: str
    verdict: str
    numbers: str


def estimate(values: Floats, measure: str) -> Estimate:
    """Return the mean of one condition (placements,): with Wilson's interval for 0-or-1 measures, else a bootstrap."""
    known = values[np.isfinite(values)]
    if len(known) == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    return share_of(known == 1.0) if measure in YES_OR_NO else _bootstrap(known)


def paired(first: Floats, second: Floats, measure: str = "") -> Estimate:
    """Return the mean of `second` - `first` over placements that have both, with the interval of Bonett and Price for
    0-or-1 measures, else a bootstrap.
    """
    both = np.isfinite(first) & np.isfinite(second)
    if measure in YES_OR_NO and both.any():
        return paired_of(second[both] == 1.0, first[both] == 1.0)
    return _bootstrap((second - first)[both])


def _bootstrap(values: Floats) -> Estimate:
    if len(values) == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    picks = generator(0, "findings").integers(len(values), size=(_SAMPLES, len(values)))
    low, high = np.quantile(values[picks].mean(axis=1), (0.025, 0.975)).tolist()
    return Estimate(float(values.mean()), low, high, len(values))


def figure_4_findings(table: ExperimentTable) -> tuple[Finding, ...]:
    """Judge the source's claims about the path's cost, from its lowest to its highest value."""
    series = table.series[0]
    costs, touched = table.of(series, "touched")
    pacing, passable = table.of(series, "pacing")[1], table.of(series, "passable")[1]
    close, apart = table.of(series, "close")[1], table.of(series, "apart")[1]
    first, last = estimate(touched[0], "touched"), estimate(touched[-1], "touched")
    free, nearer = estimate(passable[-1], "passable"), paired(apart[0], apart[-1], "apart")
    return (
        Finding(
            "a high cost keeps guards off the intended path",
            _never(last),
            f"placements with a route on the path: {first.words()} at cost {costs[0]}, {last.words()} at {costs[-1]}",
        ),
        _pacing(costs, pacing),
        Finding(
            "a high cost guarantees that the path can be taken",
            _never(Estimate(1.0 - free.value, 1.0 - free.high, 1.0 - free.low, free.of)),
            f"passable in space and time at cost {costs[-1]}: {free.words()} of placements",
        ),
        _close_and_own(costs[-1], close[-1], table.settings.close),
        Finding(
            "a high cost leads players nearer to the path",
            _verdict(nearer, nearer.high < 0.0, nearer.low > 0.0),
            f"median distance at cost {costs[-1]} minus that at {costs[0]}, paired: {nearer.words('m')}",
        ),
    )


def _close_and_own(cost: str, close: Floats, within: float) -> Finding:
    """Judge whether some solutions are close to the path and others are not.

    A mean over placements that are all 0 has no width in a bootstrap, however few they are. That there are no such
    solutions is therefore judged by whether each placement has any.
    """
    near, known = estimate(close, "close"), close[np.isfinite(close)]
    some, own = share_of(known > 0.0), share_of(known < 1.0)
    mean = near.words() if near.low != near.high else f"{near.value:.1%}"
    return Finding(
        "at a high cost players both pass close to the path and find their own solutions",
        _verdict(near, near.low > 0.0 and near.high < 1.0, some.high < RARE or own.high < RARE),
        f"solutions within {within:g} m of it at cost {cost}: {mean}; placements with any of these: {some.words()}, "
        f"with any others: {own.words()}",
    )


def _pacing(costs: list[str], pacing: Floats) -> Finding:
    """Compare all costs between the lowest and the highest with these two."""
    between = pacing[1:-1].mean(axis=0) if len(pacing) > 2 else np.full(pacing.shape[1], np.nan)
    than_none, than_high = paired(pacing[0], between), paired(pacing[-1], between)
    return Finding(
        "a low cost makes guards pace one edge on top of the path more often than no cost or a high one",
        _verdict(than_none, than_none.low > 0.0 and than_high.low > 0.0, than_none.high < 0.0 or than_high.high < 0.0),
        f"placements with one, mean of the costs between minus that at {costs[0]}, paired: {than_none.words()}; "
        f"minus that at {costs[-1]}: {than_high.words()}",
    )


def figure_5_findings(table: ExperimentTable) -> tuple[Finding, ...]:
    """Judge the source's claims about the number of guards, from the fewest to the most."""
    series = table.series[0]
    counts, apart = table.of(series, "apart")
    ever = table.of(series, "ever")[1]
    nearer = paired(apart[0], apart[-1], "apart")
    more, all_in_all = paired(ever[-2], ever[-1], "ever"), paired(ever[0], ever[-1], "ever")
    found = [
        Finding(
            "few guards leave solutions far from the intended path; more bring them nearer",
            _verdict(nearer, nearer.high < 0.0, nearer.low > 0.0),
            f"median distance with {counts[-1]} guards minus that with {counts[0]}, paired, in the {nearer.of} "
            f"placements with solutions in both: {nearer.words('m')}",
        ),
        Finding(
            "many guards do not raise coverage over slightly fewer",
            _verdict(more, more.high < SIMILAR, more.low > SIMILAR),
            f"floor seen with {counts[-1]} guards minus that with {counts[-2]}, paired: {more.words()}; "
            f"from {counts[0]} to {counts[-1]}: {all_in_all.words()}",
        ),
    ]
    if len(table.series) > 1:
        found += _together(table, counts[-1], ever[-1])
    return tuple(found)


def _together(table: ExperimentTable, count: str, ever: Floats) -> list[Finding]:
    """Compare guards chosen together with those placed one by one, for the most guards."""
    one, other = table.series[:2]
    gain = paired(ever, table.of(other, "ever")[1][-1], "ever")
    moment, spared, free = (
        paired(table.of(one, measure)[1][-1], table.of(other, measure)[1][-1], measure)
        for measure in ("mean", "path", "passable")
    )
    apart = f"with {count} guards, {other} minus {one}, paired"
    return [
        Finding(
            "guards chosen together see more of the floor (the source's conjecture)",
            _verdict(gain, gain.low > 0.0, gain.high < 0.0),
            f"floor seen at some time {apart}: {gain.words()}; at any moment: {moment.words()}",
        ),
        Finding(
            "they see less of the intended path",
            _verdict(spared, spared.high < 0.0, spared.low > 0.0),
            f"path seen at any moment {apart}: {spared.words()}; placements that leave it passable: {free.words()}",
        ),
    ]


def _verdict(found: Estimate, confirmed: bool, refuted: bool) -> str:
    """Return what an estimate decides; nothing if it rests on few placements."""
    if found.of < FEWEST:
        return "not decided"
    return "confirmed" if confirmed else "refuted" if refuted else "not decided"


def _never(found: Estimate) -> str:
    """Judge a claim that something never happens; one occurrence refutes it."""
    return "refuted" if found.value > 0.0 else "confirmed" if found.high < RARE else "not decided"
