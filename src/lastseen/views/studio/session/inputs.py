"""External inputs during a run, so that the run can be repeated to the bit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from ....errors import LastSeenError, RecordingError
from ....simulation.world.puppet import PlayerInput
from ....vocabulary.events import AnyEvent, InputChanged, Placed


@dataclass(frozen=True)
class Moved:
    """An agent moved by hand before step `tick`."""

    tick: int
    agent: int
    at: tuple[float, float, float]

    def as_event(self) -> Placed:
        """Return the event to record."""
        return Placed(self.tick, self.agent, at=self.at)


@dataclass
class InputLog:
    """Changes of the player's input by step, and the agents moved by hand before each step."""

    changes: dict[int, PlayerInput] = field(default_factory=dict)
    moved: dict[int, list[Moved]] = field(default_factory=dict)
    last: PlayerInput = field(default_factory=PlayerInput)

    def note(self, tick: int, agent: int, wanted: PlayerInput) -> list[AnyEvent]:
        """Note the player's input in a step; return the events to record."""
        if wanted == self.last:
            return []
        self.changes[tick] = self.last = wanted
        return [InputChanged(tick, agent, **msgspec.structs.asdict(wanted))]

    def move(self, moved: Moved) -> None:
        """Note that an agent is moved by hand."""
        self.moved.setdefault(moved.tick, []).append(moved)

    def wanted(self, tick: int, before: PlayerInput) -> PlayerInput:
        """Return the player's input in a step, given the input of the previous step."""
        return self.changes.get(tick, before)

    @classmethod
    def of(cls, events: Iterable[AnyEvent]) -> InputLog:
        """Return the inputs in recorded events."""
        log = cls()
        try:
            for event in events:
                if isinstance(event, InputChanged):
                    wanted = {name: getattr(event, name) for name in PlayerInput.__struct_fields__}
                    log.changes[event.tick] = PlayerInput(**wanted)
                elif isinstance(event, Placed) and event.at is not None:
                    log.move(Moved(event.tick, event.agent, event.at))
        except LastSeenError as error:
            raise RecordingError(f"the inputs of this recording cannot be read: {error}") from None
        return log
