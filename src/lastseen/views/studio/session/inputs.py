"""External inputs during a run, so that the run can be repeated to the bit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from ....agents.events import Event
from ....errors import RecordingError
from ....simulation.world.puppet import PlayerInput

__all__ = ["INPUT", "PLACED", "InputLog", "Moved"]

INPUT, PLACED = "input", "placed"
"""Kinds of events that record external input: the player's controls, and agents moved by hand."""


@dataclass(frozen=True)
class Moved:
    """An agent moved by hand before step `tick`."""

    tick: int
    agent: int
    at: tuple[float, float, float]

    def as_event(self) -> Event:
        """Return the event to record."""
        x, y, _ = self.at
        return Event(self.tick, PLACED, self.agent, at=self.at, text=f"moved by hand to ({x:.1f}, {y:.1f})")


@dataclass
class InputLog:
    """Changes of the player's input by step, and the agents moved by hand before each step."""

    changes: dict[int, PlayerInput] = field(default_factory=dict)
    moved: dict[int, list[Moved]] = field(default_factory=dict)
    last: PlayerInput = field(default_factory=PlayerInput)

    def note(self, tick: int, agent: int, wanted: PlayerInput) -> list[Event]:
        """Note the player's input in a step; return the events to record."""
        if wanted == self.last:
            return []
        self.changes[tick] = self.last = wanted
        return [Event(tick, INPUT, agent, data=msgspec.to_builtins(wanted))]

    def move(self, moved: Moved) -> None:
        """Note that an agent is moved by hand."""
        self.moved.setdefault(moved.tick, []).append(moved)

    def wanted(self, tick: int, before: PlayerInput) -> PlayerInput:
        """Return the player's input in a step, given the input of the previous step."""
        return self.changes.get(tick, before)

    @classmethod
    def of(cls, events: Iterable[Event]) -> InputLog:
        """Return the inputs in recorded events."""
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
