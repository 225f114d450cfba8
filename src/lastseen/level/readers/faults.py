"""Collect the faults of a file before raising, up to a limit."""

from __future__ import annotations

from ...errors import Fault, LevelError

__all__ = ["MOST_TILES", "FaultList"]

MOST_TILES = 64_000_000
"""Most tiles of one storey; larger grids are rejected before anything is allocated."""

MOST_SHOWN = 100
"""A garbled file may have a fault per byte; nobody reads past the first hundred."""


class FaultList:
    """Faults of one file, in the order found; beyond `MOST_SHOWN` they are only counted."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.faults: list[Fault] = []
        self.count = 0

    def add(self, what: str, advice: str, where: str = "", at: tuple[float, ...] | None = None) -> None:
        """Record one fault."""
        self.count += 1
        if len(self.faults) < MOST_SHOWN:
            self.faults.append(Fault(what, advice, where, at))

    def stop_if_any(self) -> None:
        """Raise `LevelError` with every fault recorded so far."""
        if not self.faults:
            return
        unseen = self.count - len(self.faults)
        more = [Fault(f"{unseen} more faults follow", "fix these first")] if unseen else []
        raise LevelError(self.source, [*self.faults, *more])
