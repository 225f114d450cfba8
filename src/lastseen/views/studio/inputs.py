"""What came from outside during a run, so that the run can be repeated to the bit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from ...agents.events import Event
from ...errors import RecordingError
from ...simulation.puppet import PlayerInput

__all__ = ["INPUT", "PLACED", "InputLog", "Moved"]

INPUT, PLACED = "input", "placed"
"""Events that say what came from outside: what the player wants, and that somebody was put elsewhere."""


@dataclass(frozen=True)
class Moved:
    """Somebody was put elsewhere before step `tick`."""

    tick: int
    agent: int
    at: tuple[float, float, float]

    def as_event(self) -> Event:
        """Return it as it is recorded."""
        x, y, _ = self.at
        return Event(self.tick, PLACED, self.agent, at=self.at, text=f"moved by hand to ({x:.1f}, {y:.1f})")


@dataclass
class InputLog:
    """Changes of the player's input by step, and who was put where before which step."""

    changes: dict[int, PlayerInput] = field(default_factory=dict)
    moved: dict[int, list[Moved]] = field(default_factory=dict)
    last: PlayerInput = field(default_factory=PlayerInput)

    def note(self, tick: int, agent: int, wanted: PlayerInput) -> list[Event]:
        """Note what the player wants in a step; return what is to be recorded of it."""
        if wanted == self.last:
            return []
        self.changes[tick] = self.last = wanted
        return [Event(tick, INPUT, agent, data=msgspec.to_builtins(wanted))]

    def move(self, moved: Moved) -> None:
        """Note that somebody is put elsewhere."""
        self.moved.setdefault(moved.tick, []).append(moved)

    def wanted(self, tick: int, before: PlayerInput) -> PlayerInput:
        """Return what the player wanted in a step, given what it wanted in the step before."""
        return self.changes.get(tick, before)

    @classmethod
    def of(cls, events: Iterable[Event]) -> InputLog:
        """Return what recorded events say."""
        log = cls()
        try:
            for event in events:
                if event.kind == INPUT:
                    log.changes[event.tick] = msgspec.convert(event.data, PlayerInput, strict=False)
                elif event.kind == PLACED and event.at is not None:
                    log.move(Moved(event.tick, event.agent, event.at))
        except msgspec.MsgspecError as error:
            raise RecordingError(f"the inputs of this recording cannot be read: {error}") from None
        return log
