"""Why did it do that? Everything a recording knows of one agent at one moment."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..agents.behaviour.status import Status
from ..agents.brains.surroundings import STATES
from ..agents.events import Event
from ..agents.knowledge.knowledge import SOURCES
from ..agents.movement.crowd import STATUSES
from ..agents.perception.sightings import REASONS
from ..checks import shown, whole_number
from ..errors import RecordingError, did_you_mean
from .crew_columns import ASKS, REASON, ROLE
from .recording.recording import Frame, Recording

__all__ = ["MODES", "Account", "Duty", "Known", "NodeLine", "account_of"]

MODES = ("active", "hidden", "down", "gone")
DECISIONS = ("flood", "searches", "runs to", "investigates")
"""Events by which a place to go to was chosen."""
_CALM = ("patrol", "return", "run")
_SAME_PLACE = 1.0
"""Metres from a goal within which a decision is about it."""
_COLUMNS = (
    *("xyz", "state", "mode", "way", "left", "going", "goal", "tree", "awareness", "sight_reason"),
    *("known_xyz", "known_direction", "known_time", "known_source"),
)


@dataclass(frozen=True)
class NodeLine:
    """One node of the tree: its line of text, its status, and why."""

    text: str
    status: str
    reason: str


@dataclass(frozen=True)
class Known:
    """What the agent knows of a target: where it was, how it knows, how old that is; and what it sees of it now."""

    target: str
    source: str
    xyz: tuple[float, float, float] | None
    direction_xy: tuple[float, float] | None
    age: float | None
    sight: str
    awareness: float


@dataclass(frozen=True)
class Duty:
    """What an agent does in a crew.

    Attributes
    ----------
    crew, objective : number of the crew, and what it is after.
    members : all names, its own too.
    role, reason : what it does, and why it and no other; empty: the crew wants nothing of it.
    place : where it should stand; None: it is not told where.
    asks : what it asks for itself, with priorities.
    tree : the crew's tree, node by node.
    """

    crew: int
    objective: str
    members: tuple[str, ...]
    role: str
    reason: str
    place: tuple[float, float, float] | None
    asks: str
    tree: tuple[NodeLine, ...]


@dataclass(frozen=True)
class Account:
    """One agent at one moment.

    Attributes
    ----------
    state, mode : what it is up to, and whether it acts at all.
    way : how it fares on its way, with metres left; `goal` where to, None: it stands.
    tree : its behaviour tree, node by node; empty for one moved from outside.
    known : what it knows of each target; empty for one who watches nobody.
    decision : the event by which it chose where it goes, or where it has come to; None: it chose nothing.
    before : what happened to it lately, oldest first.
    said : the last thing it said, with the rule it comes from and those that nearly fired; None: nothing.
    step : seconds of a step: times of events are their ticks by this.
    duty : what it does in a crew; None: it is in none.
    """

    agent: str
    tick: int
    seconds: float
    xyz: tuple[float, float, float]
    state: str
    mode: str
    way: str
    left: float
    goal: tuple[float, float, float] | None
    tree: tuple[NodeLine, ...]
    known: tuple[Known, ...]
    decision: Event | None
    before: tuple[Event, ...]
    step: float
    said: Event | None = None
    duty: Duty | None = None


def account_of(recording: Recording, agent: str, seconds: float, *, events: int = 6) -> Account:
    """Return all that is known of an agent at a time.

    Raises
    ------
    RecordingError
        There is no such agent, or the recording holds no steps, or not what is asked for.
    """
    names = recording.about.agents
    missing = [name for name in _COLUMNS if name not in {column.name for column in recording.about.columns}]
    missing += [name for name in ("watchers", "targets") if not isinstance(recording.about.notes.get(name), list)]
    if missing:
        raise RecordingError(f"{recording.source}: does not hold {', '.join(missing)}; run the scenario again")
    events = whole_number(events, "events")
    if not isinstance(agent, str) or agent not in names:
        raise RecordingError(
            f"nobody is called {shown(agent)}{did_you_mean(agent, names)}; there are {', '.join(names)}"
        )
    number, tick = names.index(agent), recording.tick_at(seconds)
    frame = recording.frame(tick)
    row = frame.columns
    own = [event for event in recording.events(0, tick) if number in (event.agent, event.other)]
    goal = _point(row["goal"][number]) if row["going"][number] else None
    state = STATES[row["state"][number]]
    return Account(
        agent=agent,
        tick=tick,
        seconds=tick * recording.about.step,
        xyz=_point(row["xyz"][number]),
        state=state,
        mode=MODES[row["mode"][number]],
        way=STATUSES[row["way"][number]],
        left=float(row["left"][number]),
        goal=goal,
        tree=_tree(recording, frame, number),
        known=_known(recording, frame, number, tick * recording.about.step),
        decision=_decision(own, number, goal, state),
        before=tuple(own[-events:]) if events else (),
        step=recording.about.step,
        said=next((event for event in reversed(own) if event.kind == "said" and event.agent == number), None),
        duty=_duty(recording, frame, number),
    )


def _decision(own: list[Event], number: int, goal: tuple[float, float, float] | None, state: str) -> Event | None:
    """Return the last decision, if the agent is still about it: an old one does not say why it goes elsewhere now."""
    last = next((event for event in reversed(own) if event.kind in DECISIONS and event.agent == number), None)
    if last is None or last.at is None:
        return last
    if goal is None:
        return None if state in _CALM else last
    return last if math.dist(goal, last.at) <= _SAME_PLACE else None


def _point(values: Any) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z


def _tree(recording: Recording, frame: Frame, number: int) -> tuple[NodeLine, ...]:
    text = recording.about.trees[number] if number < len(recording.about.trees) else ""
    return _lines(text, frame.columns["tree"][number], frame, number)


def _duty(recording: Recording, frame: Frame, number: int) -> Duty | None:
    columns, notes = frame.columns, recording.about.notes.get("crews")
    if "crew" not in columns or not isinstance(notes, dict) or columns["crew"][number] < 0:
        return None
    crew, names = int(columns["crew"][number]), recording.about.agents
    seat = int(np.flatnonzero(columns["crew_seats"][:, 0] == crew)[0])
    objective = int(columns["crew_seats"][seat, 1])
    stand = columns["stand"][number]
    return Duty(
        crew=crew,
        objective=notes["objectives"][objective],
        members=tuple(names[one] for one in np.flatnonzero(columns["crew"] == crew).tolist()),
        role=frame.texts.get((number, ROLE), ""),
        reason=frame.texts.get((number, REASON), ""),
        place=None if np.isnan(stand).any() else _point(stand),
        asks=frame.texts.get((number, ASKS), ""),
        tree=_lines(notes["trees"][objective], columns["crew_tree"][seat], frame, len(names) + seat),
    )


def _lines(text: str, statuses: Any, frame: Frame, number: int) -> tuple[NodeLine, ...]:
    """Return the lines of a tree with statuses and reasons; `number` is its row in the table of texts."""
    lines = text.splitlines()
    found = []
    for node, line in enumerate(lines):
        status = Status(int(statuses[node]))
        has_children = node + 1 < len(lines) and _depth(lines[node + 1]) > _depth(line)
        # Of a parent that goes on only its beginning is recorded; its children say why it does.
        stale = has_children and status is Status.RUNNING
        found.append(NodeLine(line, status.name.lower(), "" if stale else frame.texts.get((number, node), "")))
    return tuple(found)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip("│├└─ "))


def _known(recording: Recording, frame: Frame, number: int, now: float) -> tuple[Known, ...]:
    watchers, targets = recording.about.notes["watchers"], recording.about.notes["targets"]
    if number not in watchers:
        return ()
    row, columns = watchers.index(number), frame.columns
    found = []
    for column, target in enumerate(targets):
        source = SOURCES[columns["known_source"][row, column]]
        nothing = source == "nothing"
        direction = columns["known_direction"][row, column]
        found.append(
            Known(
                target=recording.about.agents[target],
                source=source,
                xyz=None if nothing else _point(columns["known_xyz"][row, column]),
                direction_xy=(float(direction[0]), float(direction[1])) if not nothing and np.any(direction) else None,
                age=None if nothing else max(0.0, now - float(columns["known_time"][row, column])),
                sight=REASONS[columns["sight_reason"][row, column]],
                awareness=float(columns["awareness"][row, column]),
            )
        )
    return tuple(found)
