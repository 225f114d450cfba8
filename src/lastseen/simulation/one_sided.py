"""What happened in one run and not in another? Events counted against one another, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from ..agents.events import Event
from .recording.recording import Recording

__all__ = ["OneSided", "one_sided"]

MOST_EVENTS = 200
"""Events of one run only that are listed; all are counted."""


@dataclass(frozen=True)
class OneSided:
    """An event of one run that the other has not, at that step."""

    tick: int
    agent: str
    kind: str
    text: str


def one_sided(
    one: Recording, other: Recording
) -> tuple[tuple[tuple[OneSided, ...], tuple[OneSided, ...]], tuple[int, int]]:
    """Return the events of each run that the other has not, and how many there are."""
    last = min(len(one), len(other)) - 1
    lists = [[(_key(event, run), event) for event in run.events(0, last)] for run in (one, other)]
    counts = [Counter(key for key, _ in events) for events in lists]
    found = []
    for events, theirs, run in ((lists[0], counts[1], one), (lists[1], counts[0], other)):
        left, missing = theirs.copy(), []
        for key, event in events:
            if left[key] > 0:
                left[key] -= 1
            else:
                missing.append(OneSided(event.tick, _name(event.agent, run.about.agents), event.kind, event.text))
        found.append(missing)
    return (tuple(found[0][:MOST_EVENTS]), tuple(found[1][:MOST_EVENTS])), (len(found[0]), len(found[1]))


def _key(event: Event, run: Recording) -> tuple[object, ...]:
    names = run.about.agents
    data = msgspec.json.encode(event.data)
    return event.tick, event.kind, _name(event.agent, names), _name(event.other, names), event.at, event.text, data


def _name(number: int, names: Sequence[str]) -> str:
    return names[number] if 0 <= number < len(names) else ""
