"""Compare two runs: settings, the first step that differs, distances, and events that only one has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from ...agents.brains.surroundings import STATES
from ...conventions import Array, Bools
from ...vocabulary.events import AnyEvent
from ..recording.recording import Recording
from .account import MODES

NEAR = 1e-3
"""Metres within which two places count as the same."""
_SETTINGS = ("lastseen", "level", "scenario", "seed", "step", "agents")


@dataclass(frozen=True)
class Difference:
    """A difference: what differs, of which agent (empty if of none), and its value in each run."""

    what: str
    agent: str
    one: str
    other: str


@dataclass(frozen=True)
class Apart:
    """Distance between the positions of an agent in two runs: its maximum in metres, and the step of that.

    `same_state` is the share of the compared steps in which its state is the same, 0 … 1.
    """

    agent: str
    metres: float
    tick: int
    same_state: float


@dataclass(frozen=True)
class Comparison:
    """Comparison of two runs.

    Attributes
    ----------
    sources : names of the recordings.
    step : duration of a step of the first, in seconds.
    is_same : whether everything recorded is the same.
    settings : differences of settings.
    cannot : why steps cannot be compared; empty if they can.
    steps : number of steps of each; the first `compared` are in both.
    digest_tick : first compared step after which digests differ, or None.
    tick, first : first compared step with a visible difference, or None, and its differences.
    apart : agents of both runs, furthest first.
    only : earliest events that only one of the runs has; `only_count` is the number of all.
    ends : how each ended; empty if it did not.
    """

    sources: tuple[str, str]
    step: float
    is_same: bool
    settings: tuple[Difference, ...]
    cannot: str
    steps: tuple[int, int]
    compared: int
    digest_tick: int | None
    tick: int | None
    first: tuple[Difference, ...]
    apart: tuple[Apart, ...]
    only: tuple[tuple[AnyEvent, ...], tuple[AnyEvent, ...]]
    only_count: tuple[int, int]
    ends: tuple[str, str]


def compare(one: Recording, other: Recording) -> Comparison:
    """Compare two recordings step by step, agents by their names."""
    settings, cannot = _settings(one, other), _cannot(one, other)
    count = 0 if cannot else min(len(one), len(other))
    names = [name for name in one.about.agents if name in other.about.agents]
    pair = _Pair(one, other, names, count)
    differs = pair.differs()
    tick = int(differs.argmax()) if differs.any() else None
    only, numbers = events_of_one_run(one, other) if not cannot else (((), ()), (0, 0))
    digest_tick = pair.digest_tick()
    ends = _end(one), _end(other)
    same = not (settings or cannot or numbers != (0, 0)) and digest_tick is None and tick is None
    return Comparison(
        sources=(one.source, other.source),
        step=one.about.step,
        is_same=same and len(one) == len(other) and ends[0] == ends[1],
        settings=settings,
        cannot=cannot,
        steps=(len(one), len(other)),
        compared=count,
        digest_tick=digest_tick,
        tick=tick,
        first=() if tick is None else pair.at(tick),
        apart=pair.apart(),
        only=only,
        only_count=numbers,
        ends=ends,
    )


def _end(recording: Recording) -> str:
    return "" if recording.end is None else recording.end.reason


def _settings(one: Recording, other: Recording) -> tuple[Difference, ...]:
    found = []
    for name in _SETTINGS:
        values = [getattr(recording.about, name) for recording in (one, other)]
        if values[0] == values[1] or (name == "scenario" and _unseeded(values[0]) == _unseeded(values[1])):
            continue
        if name in ("level", "scenario"):
            shown = "differs", "differs"
        elif name == "agents":
            shown = ", ".join(values[0]), ", ".join(values[1])
        else:
            shown = str(values[0]), str(values[1])
        found.append(Difference(name, "", *shown))
    return tuple(found)


def _unseeded(scenario: str) -> dict[str, Any]:
    """Return a recorded scenario without its seed, which is a setting of its own."""
    return {**msgspec.json.decode(scenario or "{}", type=dict[str, Any]), "seed": None}


def _cannot(one: Recording, other: Recording) -> str:
    if one.about.level != other.about.level:
        return "they were recorded in different levels, so places cannot be compared"
    if one.about.step != other.about.step:
        return f"their steps are {one.about.step:g} s and {other.about.step:g} s long, so steps do not match"
    if not set(one.about.agents) & set(other.about.agents):
        return "they have no agent in common"
    return "" if len(one) and len(other) else "one of them holds no steps"


class _Pair:
    """The columns of two runs for the agents and steps that both have."""

    def __init__(self, one: Recording, other: Recording, names: list[str], count: int):
        self._recordings, self._names, self._count = (one, other), names, count
        shared = {column.name for column in one.about.columns} & {column.name for column in other.about.columns}
        self._shared = shared
        self._rows = [[recording.about.agents.index(name) for name in names] for recording in (one, other)]

    def _pair(self, name: str, *, of_agents: bool = True) -> tuple[Array, Array] | None:
        """Return a column of both runs, (steps, agents, …) or (steps, …) each; None if a run lacks it."""
        if name not in self._shared or not self._count:
            return None
        one, other = (np.asarray(recording.column(name))[: self._count] for recording in self._recordings)
        return (one[:, self._rows[0]], other[:, self._rows[1]]) if of_agents else (one, other)

    def differs(self) -> Bools:
        """Return which steps have a visible difference, (steps,) bool."""
        found = np.zeros(self._count, np.bool_)
        for name in ("state", "mode"):
            if (pair := self._pair(name)) is not None:
                found |= (pair[0] != pair[1]).any(axis=1)
        if (places := self._pair("xyz")) is not None:
            found |= (np.abs(places[0] - places[1]) > NEAR).any(axis=(1, 2))
        if (doors := self._pair("doors", of_agents=False)) is not None:
            found |= (doors[0] != doors[1]).any(axis=1)
        return found

    def digest_tick(self) -> int | None:
        """Return the first step after which digests differ."""
        if (digests := self._pair("digest", of_agents=False)) is None:
            return None
        differs = (digests[0] != digests[1]).reshape(self._count, -1).any(axis=1)
        return int(differs.argmax()) if differs.any() else None

    def at(self, tick: int) -> tuple[Difference, ...]:
        """Return the visible differences of a step."""
        found: list[Difference] = []
        for name, words in (("state", STATES), ("mode", MODES)):
            if (pair := self._pair(name)) is not None:
                for row in np.flatnonzero(pair[0][tick] != pair[1][tick]).tolist():
                    values = (words[pair[side][tick, row]] for side in (0, 1))
                    found.append(Difference(name, self._names[row], *values))
        if (places := self._pair("xyz")) is not None:
            for row in np.flatnonzero((np.abs(places[0][tick] - places[1][tick]) > NEAR).any(axis=1)).tolist():
                values = (_place(places[side][tick, row]) for side in (0, 1))
                found.append(Difference("position", self._names[row], *values))
        if (doors := self._pair("doors", of_agents=False)) is not None:
            for door in np.flatnonzero(doors[0][tick] != doors[1][tick]).tolist():
                values = ("shut" if doors[side][tick, door] else "open" for side in (0, 1))
                found.append(Difference(f"door {door}", "", *values))
        return tuple(found)

    def apart(self) -> tuple[Apart, ...]:
        """Return the distances of agents between the runs, furthest first."""
        places, states = self._pair("xyz"), self._pair("state")
        if places is None:
            return ()
        metres = np.linalg.norm(places[0].astype(np.float64) - places[1], axis=2)
        same = np.ones(len(self._names)) if states is None else (states[0] == states[1]).mean(axis=0)
        found = [
            Apart(name, round(float(metres[:, row].max()), 3), int(metres[:, row].argmax()), round(float(same[row]), 4))
            for row, name in enumerate(self._names)
        ]
        return tuple(sorted(found, key=lambda one: -one.metres))


def _place(xyz: Array) -> str:
    return "(" + ", ".join(f"{value:.3f}" for value in xyz.tolist()) + ")"


MOST_EVENTS = 200
"""Maximum number of events of only one run that are listed; all are counted."""


def events_of_one_run(
    one: Recording, other: Recording
) -> tuple[tuple[tuple[AnyEvent, ...], tuple[AnyEvent, ...]], tuple[int, int]]:
    """Return the events that only one of the runs has, and their numbers."""
    last = min(len(one), len(other)) - 1
    lists = [[(_key(event, run), event) for event in run.events(0, last)] for run in (one, other)]
    counts = [Counter(key for key, _ in events) for events in lists]
    found = []
    for events, theirs in ((lists[0], counts[1]), (lists[1], counts[0])):
        left, missing = theirs.copy(), []
        for key, event in events:
            if left[key] > 0:
                left[key] -= 1
            else:
                missing.append(event)
        found.append(missing)
    return (tuple(found[0][:MOST_EVENTS]), tuple(found[1][:MOST_EVENTS])), (len(found[0]), len(found[1]))


def _key(event: AnyEvent, run: Recording) -> tuple[object, ...]:
    """Return a key that is equal for equal events of different runs: agents by name, as their numbers may differ."""
    names = run.about.agents
    plain = msgspec.to_builtins(event) | {"agent": "", "other": ""}
    return _name(event.agent, names), _name(event.partner, names), msgspec.json.encode(plain)


def _name(number: int, names: Sequence[str]) -> str:
    return names[number] if 0 <= number < len(names) else ""
