"""What an agent does with others at one moment of a recording: its crew and role, and how it fares in a fight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...agents.behaviour.status import Status
from ...agents.crews.combat.reserve import RESERVE
from ...vocabulary.events import AnyEvent, RoleChanged
from ...vocabulary.words import Blow
from ..recording.crew_columns import ASKS, REASON, ROLE, TOLD
from ..recording.recording import Frame, Recording


@dataclass(frozen=True)
class NodeLine:
    """One node of the tree: its line of text, its status, and why."""

    text: str
    status: str
    reason: str


@dataclass(frozen=True)
class Duty:
    """What an agent does in a crew.

    Attributes
    ----------
    crew, objective : number of the crew, and what it is after.
    members : all names, its own too unless it waits for room; `leader` one of them, `target` whom it is about,
        empty: nobody.
    role, reason : what it does, and why it and no other; empty: the crew wants nothing of it.
    since : seconds from which on it has this role; None: it has none.
    place : where it should stand; None: it is not told where. `told`: what else it is told.
    asks : what it asks for itself, with priorities.
    tree : the crew's tree, node by node.
    """

    crew: int
    objective: str
    members: tuple[str, ...]
    leader: str
    target: str
    role: str
    reason: str
    since: float | None
    place: tuple[float, float, float] | None
    told: str
    asks: str
    tree: tuple[NodeLine, ...]


@dataclass(frozen=True)
class Fight:
    """How an agent fares where people fight.

    Attributes
    ----------
    health : what is left of it; 0: it is down.
    rest : seconds until it may attack again.
    attack, foe, due : "strikes" or "aims", at whom, and seconds until that comes; empty: it does not attack.
    """

    health: float
    rest: float
    attack: str = ""
    foe: str = ""
    due: float = 0.0


def fight_of(recording: Recording, frame: Frame, number: int) -> Fight | None:
    """Return how an agent fares in a fight; None: the recording has none."""
    row = frame.columns
    if "foe" not in row:
        return None
    health, rest, foe = float(row["health"][number]), float(row["rest"][number]), int(row["foe"][number])
    if foe < 0:
        return Fight(health, rest)
    kind = Blow.texts()[row["attack"][number]]
    return Fight(health, rest, kind, recording.about.agents[foe], float(row["due"][number]))


def duty_of(recording: Recording, frame: Frame, number: int, own: list[AnyEvent]) -> Duty | None:
    """Return what an agent does in a crew, or which it waits for; None: none. `own`: what happened to it so far."""
    columns, notes = frame.columns, recording.about.notes.get("crews")
    if "crew" not in columns or not isinstance(notes, dict):
        return None
    names, given = recording.about.agents, _last_role(own, number)
    # Who is in reserve is no member, but told something by the crew it waits for.
    waits = given is not None and given.role == RESERVE
    crew = given.crew if given is not None and waits else int(columns["crew"][number])
    if crew < 0:
        return None
    seat = int(np.flatnonzero(columns["crew_seats"][:, 0] == crew)[0])
    _, objective, leader, target = columns["crew_seats"][seat].tolist()
    stand = columns["stand"][number]
    has_role = given is not None and given.role != ""
    return Duty(
        crew=crew,
        objective=notes["objectives"][objective],
        members=tuple(names[one] for one in np.flatnonzero(columns["crew"] == crew).tolist()),
        leader=names[leader],
        target=names[target] if target >= 0 else "",
        role=frame.texts.get((number, ROLE), ""),
        reason=frame.texts.get((number, REASON), ""),
        since=given.tick * recording.about.step if given is not None and has_role else None,
        place=None if np.isnan(stand).any() else point_of(stand),
        told=frame.texts.get((number, TOLD), ""),
        asks=frame.texts.get((number, ASKS), ""),
        tree=tree_lines(notes["trees"][objective], columns["crew_tree"][seat], frame, len(names) + seat),
    )


def _last_role(own: list[AnyEvent], number: int) -> RoleChanged | None:
    return next((one for one in reversed(own) if isinstance(one, RoleChanged) and one.agent == number), None)


def tree_lines(text: str, statuses: Any, frame: Frame, number: int) -> tuple[NodeLine, ...]:
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


def point_of(values: Any) -> tuple[float, float, float]:
    """Return a place as plain numbers."""
    x, y, z = (float(value) for value in values)
    return x, y, z
