"""How two sides are compared: in one process, warm, interleaved, inputs rotated on every call."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Side = Callable[[int], object]
"""Does one piece of work; the argument is the number of the call, by which inputs are rotated."""


@dataclass(frozen=True)
class Comparison:
    """Ours against a peer (or against a fixed limit in seconds, where the target is one).

    `ratio` is our time divided by the peer's, both per item; it passes when `<= at_most`.
    """

    name: str
    ours: Side
    peer: Side | None
    at_most: float
    peer_name: str = ""
    items: int = 1
    peer_items: int = 1
    rounds: int = 15
    parts: Callable[[], Mapping[str, float]] | None = None
    """Asked afterwards: seconds per item by part, to be shown."""
    frame: float = 0.0
    """Seconds of a frame of which an item is a part; its share is shown."""


@dataclass(frozen=True)
class Outcome:
    """Median seconds per item of both sides; where there is no peer, `ratio` is our seconds over the limit."""

    comparison: Comparison
    ours: float
    peer: float | None
    ratio: float

    @property
    def passed(self) -> bool:
        return self.ratio <= (self.comparison.at_most if self.peer is not None else 1.0)


@dataclass(frozen=True)
class Agreement:
    """A quantity both sides compute; it passes when ours differs by at most the share `within` of the peer's."""

    name: str
    ours: Callable[[], float]
    peer: Callable[[], float]
    within: float
    peer_name: str
    unit: str = ""


@dataclass(frozen=True)
class Agreed:
    """What both sides gave; `difference` is ours less the peer's, as a share of the peer's."""

    agreement: Agreement
    ours: float
    peer: float

    @property
    def difference(self) -> float:
        return self.ours / self.peer - 1.0

    @property
    def passed(self) -> bool:
        return abs(self.difference) <= self.agreement.within


def agree(agreement: Agreement) -> Agreed:
    """Ask both sides."""
    return Agreed(agreement, agreement.ours(), agreement.peer())


def measure(comparison: Comparison) -> Outcome:
    """Time both sides alternately and compare medians."""
    ours: list[float] = []
    peers: list[float] = []
    for number in range(comparison.rounds + 2):
        ours.append(_timed(comparison.ours, number) / comparison.items)
        if comparison.peer is not None:
            peers.append(_timed(comparison.peer, number) / comparison.peer_items)
    mine = statistics.median(ours[2:])
    if not peers:
        return Outcome(comparison, mine, None, mine / comparison.at_most)
    theirs = statistics.median(peers[2:])
    return Outcome(comparison, mine, theirs, mine / theirs)


def _timed(side: Side, number: int) -> float:
    gc.disable()
    try:
        start = time.perf_counter()
        side(number)
        return time.perf_counter() - start
    finally:
        gc.enable()
