"""Accounts: everything a recording holds about one agent at one step, its crew and its fights included."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...agents.behaviour.status import Status
from ...agents.bodies.crowd import STATUSES
from ...agents.brains.surroundings import STATES
from ...agents.crews.combat.attack_turns import RESERVE
from ...agents.knowledge.knowledge import SOURCES
from ...agents.senses.vision.sightings import REASONS
from ...checks import expect, shown, whole_number
from ...errors import RecordingError, did_you_mean
from ...vocabulary.events import (
    AnyEvent,
    Caught,
    Did,
    Ended,
    Fell,
    Investigates,
    PicksPlace,
    Predicted,
    RoleChanged,
    Said,
    Scripted,
    Searches,
    TrapSprung,
    TreeChanged,
)
from ...vocabulary.words import AgentMode, AgentState, Blow, EndReason, Hold, TrapEffect
from ..recording.crew_columns import ASKS, DECIDED, IN_VAIN, REASON, ROLE, TOLD
from ..recording.recording import Frame, Recording


@dataclass(frozen=True)
class NodeLine:
    """One node of a tree: its line of text, status and reason."""

    text: str
    status: str
    reason: str


@dataclass(frozen=True)
class Duty:
    """The part of an agent in a crew.

    Attributes
    ----------
    crew, objective : number and objective of the crew.
    members : all names, including its own unless it waits in reserve; `leader` is one of them.
    target : name of the crew's target; empty if none.
    role, reason : its role and why it has it; empty without a role.
    since : time in seconds at which it got this role; None without a role.
    place : where it should stand; None if anywhere. `told` : its other directions, as text.
    asks : its own requests, with priorities.
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
    """Status of an agent in a fight.

    Attributes
    ----------
    health : remaining health; 0: it is down.
    rest : seconds until it may attack again.
    attack, foe, due : "strikes" or "aims", its foe, and seconds until the blow; empty if it does not attack.
    """

    health: float
    rest: float
    attack: str = ""
    foe: str = ""
    due: float = 0.0


def fight_of(recording: Recording, frame: Frame, number: int) -> Fight | None:
    """Return the status of an agent in a fight; None if the recording has no combat."""
    row = frame.columns
    if "foe" not in row:
        return None
    health, rest, foe = float(row["health"][number]), float(row["rest"][number]), int(row["foe"][number])
    if foe < 0:
        return Fight(health, rest)
    kind = Blow.texts()[row["attack"][number]]
    return Fight(health, rest, kind, recording.about.agents[foe], float(row["due"][number]))


def duty_of(recording: Recording, frame: Frame, number: int, own: list[AnyEvent]) -> Duty | None:
    """Return the part of an agent in its crew, or in the crew it waits for; None if none. `own` are its events."""
    columns, notes = frame.columns, recording.about.notes.get("crews")
    if "crew" not in columns or not isinstance(notes, dict):
        return None
    names, given = recording.about.agents, _last_role(own, number)
    # An agent in reserve is not a member, but has directions from the crew it waits for.
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
    """Return the nodes of a tree with statuses and reasons; `number` is its row in the table of texts."""
    lines = text.splitlines()[: len(statuses)]
    found = []
    for node, line in enumerate(lines):
        status = Status(int(statuses[node]))
        has_children = node + 1 < len(lines) and _depth(lines[node + 1]) > _depth(line)
        # The reason of a running parent is recorded only when it starts; its children give the current one.
        stale = has_children and status is Status.RUNNING
        found.append(NodeLine(line, status.name.lower(), "" if stale else frame.texts.get((number, node), "")))
    return tuple(found)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip("│├└─ "))


def point_of(values: Any) -> tuple[float, float, float]:
    """Return a place as a tuple of floats."""
    x, y, z = (float(value) for value in values)
    return x, y, z


MODES = AgentMode.texts()
Decision = Predicted | Searches | PicksPlace | Investigates
"""Events in which an agent chose a place to go to."""
_CALM = (AgentState.PATROL, AgentState.RETURN, AgentState.RUN)
_SAME_PLACE = 1.0
"""Metres from a goal within which a decision refers to it."""
_COLUMNS = (
    *("xyz", "state", "mode", "way", "left", "going", "goal", "tree", "awareness", "sight_reason"),
    *("known_xyz", "known_direction", "known_time", "known_source"),
)


@dataclass(frozen=True)
class Known:
    """Knowledge of a target: its place, the source and age of the knowledge; and what the agent sees of it now."""

    target: str
    source: str
    xyz: tuple[float, float, float] | None
    direction_xy: tuple[float, float] | None
    age: float | None
    sight: str
    awareness: float


@dataclass(frozen=True)
class Account:
    """One agent at one step.

    Attributes
    ----------
    state, mode : its state, and whether it is active.
    way, left : status of its path, and metres left; `goal` : its destination, None if it stands.
    tree : its behaviour tree, node by node; empty for a puppet.
    known : its knowledge of each target; empty for an agent that watches no targets.
    decision : event in which it chose its current place; None if there is none.
    decided : why it chose that place, as text; may be empty.
    before : its latest events, oldest first.
    said, did : its last line, and what a rule last had it do, with the rule and those that nearly fired; None if none.
    step : duration of a step in seconds, to convert the ticks of events.
    duty : its part in a crew; None if it is in none.
    asks_in_vain : its request that formed no crew, and why; empty if none.
    fight : its health and attacks; None without combat.
    hold, held_by : what keeps it from acting by itself, and the name of the agent that does so; empty if none.
    out : the event that felled it or took it out of the world; None while it is neither down nor gone.
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
    decision: Decision | None
    before: tuple[AnyEvent, ...]
    step: float
    said: Said | None = None
    did: Did | None = None
    decided: str = ""
    duty: Duty | None = None
    asks_in_vain: str = ""
    fight: Fight | None = None
    hold: Hold = Hold.NONE
    held_by: str = ""
    out: AnyEvent | None = None


def account_of(recording: Recording, agent: str, seconds: float, *, events: int = 6) -> Account:
    """Return everything a recording holds about an agent at a time, with its last `events`.

    Raises
    ------
    RecordingError
        There is no such agent, the recording holds no steps, or it lacks a column.
    """
    names = expect(recording, Recording, "recording").about.agents
    missing = [name for name in _COLUMNS if name not in {column.name for column in recording.about.columns}]
    missing += [name for name in ("watchers", "targets") if not isinstance(recording.about.notes.get(name), list)]
    if missing:
        raise RecordingError(f"{recording.source} does not hold {', '.join(missing)}; run the scenario again")
    events = whole_number(events, "events")
    if not isinstance(agent, str) or agent not in names:
        raise RecordingError(
            f"no agent is named {shown(agent)}{did_you_mean(agent, names)}; there are {', '.join(names)}"
        )
    number, tick = names.index(agent), recording.tick_at(seconds)
    frame = recording.frame(tick)
    row = frame.columns
    own = [event for event in recording.events(0, tick) if number in _agents_of(event)]
    goal = point_of(row["goal"][number]) if row["going"][number] else None
    state = STATES[row["state"][number]]
    decision = _decision(own, number, goal, state)
    said = (event for event in reversed(own) if isinstance(event, Said) and event.agent == number)
    did = (event for event in reversed(own) if isinstance(event, Did) and event.agent == number)
    return Account(
        agent=agent,
        tick=tick,
        seconds=tick * recording.about.step,
        xyz=point_of(row["xyz"][number]),
        state=state,
        mode=MODES[row["mode"][number]],
        way=STATUSES[row["way"][number]],
        left=float(row["left"][number]),
        goal=goal,
        tree=tree_lines(tree_text(recording, number, own), row["tree"][number], frame, number),
        known=_known(recording, frame, number, tick * recording.about.step),
        decision=decision,
        decided="" if decision is None else recording.texts(decision.tick).get((number, DECIDED), ""),
        before=tuple([event for event in own if not _repeats(event)][-events:]) if events else (),
        step=recording.about.step,
        said=next(said, None),
        did=next(did, None),
        duty=duty_of(recording, frame, number, own),
        asks_in_vain=frame.texts.get((number, IN_VAIN), ""),
        fight=fight_of(recording, frame, number),
        hold=Hold.NONE if "hold" not in row else tuple(Hold)[row["hold"][number]],
        held_by=names[row["held_by"][number]] if "hold" in row and row["held_by"][number] >= 0 else "",
        out=_out(own, number) if MODES[row["mode"][number]] in ("down", "gone") else None,
    )


def _repeats(event: AnyEvent) -> bool:
    """Return whether an event says that the run ended because of what the event before it says already."""
    return isinstance(event, Ended) and event.reason in (EndReason.CAUGHT, EndReason.FOUND, EndReason.BEATEN)


def _out(own: list[AnyEvent], number: int) -> AnyEvent | None:
    """Return the last event that felled an agent or took it out of the world."""
    for event in reversed(own):
        match event:
            case Fell(agent=agent) if agent == number:
                return event
            case TrapSprung(agent=agent, effect=TrapEffect.FELL) if agent == number:
                return event
            case Scripted(agent=agent, action="fell" | "remove") if agent == number:
                return event
            case Caught(other=other) if other == number:
                return event
    return None


def _decision(own: list[AnyEvent], number: int, goal: tuple[float, float, float] | None, state: str) -> Decision | None:
    """Return the last decision if the agent still follows it; an older one does not explain its current goal."""
    last = next((event for event in reversed(own) if isinstance(event, Decision) and event.agent == number), None)
    if last is None or last.at is None:
        return last
    if goal is None:
        return None if state in _CALM else last
    return last if math.dist(goal, last.at) <= _SAME_PLACE else None


def _agents_of(event: AnyEvent) -> tuple[int, ...]:
    return event.agents if isinstance(event, TreeChanged) else (event.agent, event.partner)


def tree_text(recording: Recording, number: int, events: Iterable[AnyEvent]) -> str:
    """Return the tree of an agent after some events, one line for each node; empty if it has none."""
    text = recording.about.trees[number] if number < len(recording.about.trees) else ""
    for event in events:
        if isinstance(event, TreeChanged) and number in event.agents:
            text = event.lines
    return text


def _known(recording: Recording, frame: Frame, number: int, now: float) -> tuple[Known, ...]:
    watchers, targets = recording.about.notes["watchers"], recording.about.notes["targets"]
    if number not in watchers:
        return ()
    row, columns = watchers.index(number), frame.columns
    found = []
    for column, target in enumerate(targets):
        if target == number:  # no agent watches itself
            continue
        source = SOURCES[columns["known_source"][row, column]]
        nothing = source == "nothing"
        direction = columns["known_direction"][row, column]
        found.append(
            Known(
                target=recording.about.agents[target],
                source=source,
                xyz=None if nothing else point_of(columns["known_xyz"][row, column]),
                direction_xy=(float(direction[0]), float(direction[1])) if not nothing and np.any(direction) else None,
                age=None if nothing else max(0.0, now - float(columns["known_time"][row, column])),
                sight=REASONS[columns["sight_reason"][row, column]],
                awareness=float(columns["awareness"][row, column]),
            )
        )
    return tuple(found)
