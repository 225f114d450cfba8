"""Comparisons of runs, with sentences for events that only one run has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from ...simulation.recording.recording import Recording
from ...simulation.replay.comparison import Comparison
from ...vocabulary.events import AnyEvent
from .sentences import Sentences


@dataclass(frozen=True)
class OneSided:
    """An event that only one run has, as a sentence; `agent` is a name, empty if it concerns none."""

    tick: int
    agent: str
    kind: str
    text: str


@dataclass(frozen=True)
class ToldComparison(Comparison):
    """A comparison whose events are sentences."""

    only: tuple[tuple[OneSided, ...], tuple[OneSided, ...]]  # type: ignore[assignment]


def told_comparison(found: Comparison, one: Recording, other: Recording) -> ToldComparison:
    """Return a comparison of two recordings with sentences."""
    kept = {field.name: getattr(found, field.name) for field in fields(found)}
    return ToldComparison(**kept | {"only": (_sentences(found.only[0], one), _sentences(found.only[1], other))})


def _sentences(events: Sequence[AnyEvent], recording: Recording) -> tuple[OneSided, ...]:
    of, names = Sentences.of_recording(recording), recording.about.agents
    return tuple(
        OneSided(event.tick, names[event.agent] if 0 <= event.agent < len(names) else "", event.kind, of(event))
        for event in events
    )
