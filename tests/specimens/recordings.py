"""Recordings for tests: short runs with everything in them, and made ones of a few events."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from lastseen.simulation.recording.format import About, Column
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.recording.writer import Recorder
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.vocabulary.events import AnyEvent, Ended

LOST = """
level: corridor
seconds: 60
search_seconds: 10
sighting_hold: 0
ends: [caught, all calm]
name: lost
agents:
  - {name: Ames, at: [6, 4], heading: 0.0, patrol: beat}
  - {name: you, brain: puppet, at: [14, 4]}
script:
  - {at: 1.5, do: remove, agent: you}
"""
"""A guard sees somebody who vanishes: suspicious, engage, chase, search, patrol."""

SHARED = """
level: house
seconds: 6
sharing: broadcast
name: shared
agents:
  - {name: Ames, at: [9, 3, 0], heading: 3.14159}
  - {name: Bell, at: [9, 3, 3]}
  - {name: you, brain: puppet, at: [6, 3, 0]}
script:
  - {at: 1.2, do: remove, agent: you}
"""
"""Two storeys; what one guard saw both know."""


def recorded(text: str, path: Path) -> Path:
    """Run a scenario and record it."""
    path.write_bytes(_recording(text))
    return path


@cache
def _recording(text: str) -> bytes:
    """Run a scenario once for all tests: the same scenario gives the same recording."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.rec"
        record(make_world(parse_scenario(text)), path)
        return path.read_bytes()


def made(
    path: Path,
    events: Sequence[AnyEvent],
    *,
    names: tuple[str, ...] = ("Ames", "Bell", "you"),
    ticks: int = 600,
    level: str = "",
    places: np.ndarray | None = None,
) -> Recording:
    """Record `events`, ten steps a second, of people who stand, or are at `places` (ticks, agents, 3)."""
    column = Column("xyz", "<f4", (len(names), 3))
    about = About("0", "{}", level, 0, 0.1, names, (column,), ())
    recorder = Recorder(path, about)
    happened = [*events, Ended(ticks - 1, reason="time over", seconds=60.0)]
    for tick in range(ticks):
        xyz = np.zeros((len(names), 3)) if places is None else places[tick]
        recorder.add([xyz], [], [event for event in happened if event.tick == tick])
    recorder.close("time over", "0")
    return Recording.read(path)
