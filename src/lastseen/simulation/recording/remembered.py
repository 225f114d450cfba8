"""A recording that is asked again and again: its events are unpacked once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from ...agents.events import Event
from .recording import Recording

__all__ = ["RememberedRecording"]


class RememberedRecording(Recording):
    """Answers as a `Recording`; what happened since the start costs as much as what is returned, from the second time.

    Why somebody does something is read from all that happened before: of a long recording that would be minutes.
    """

    _happened: tuple[list[int], list[Event]] | None = None

    def events(self, first: int = 0, last: int | None = None) -> Iterator[Event]:
        """What happened from step `first` up to and with step `last`?"""
        if self._happened is None:
            events = list(super().events())
            self._happened = [event.tick for event in events], events
        ticks, events = self._happened
        until = len(self) - 1 if last is None else last
        yield from events[bisect_left(ticks, first) : bisect_right(ticks, until)]
