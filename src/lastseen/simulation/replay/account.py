"""Why did it do that? Everything a recording knows of one agent at one moment."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...agents.bodies.crowd import STATUSES
from ...agents.brains.surroundings import STATES
from ...agents.knowledge.knowledge import SOURCES
from ...agents.senses.vision.sightings import REASONS
from ...checks import shown, whole_number
from ...errors import RecordingError, did_you_mean
from ...vocabulary.events import AnyEvent, Investigates, Predicted, RunsTo, Said, Searches
from ...vocabulary.words import AgentMode, AgentState
from ..recording.crew_columns import DECIDED, IN_VAIN
from ..recording.recording import Frame, Recording
from .crew_account import Duty, Fight, NodeLine, duty_of, fight_of, point_of, tree_lines

MODES = AgentMode.texts()
Decision = Predicted | Searches | RunsTo | Investigates
"""Events by which a place to go to was chosen."""
_CALM = (AgentState.PATROL, AgentState.RETURN, AgentState.RUN)
_SAME_PLACE = 1.0
"""Metres from a goal within which a decision is about it."""
_COLUMNS = (
    *("xyz", "state", "mode", "way", "left", "going", "goal", "tree", "awareness", "sight_reason"),
    *("known_xyz", "known_direction", "known_time", "known_source"),
)


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
class Account:
    """One agent at one moment.

    Attributes
    ----------
    state, mode : what it is up to, and whether it acts at all.
    way : how it fares on its way, with metres left; `goal` where to, None: it stands.
    tree : its behaviour tree, node by node; empty for one moved from outside.
    known : what it knows of each target; empty for one who watches nobody.
    decision : the event by which it chose where it goes, or where it has come to; None: it chose nothing.
    decided : why it chose that place, in words; may be empty.
    before : what happened to it lately, oldest first.
    said : the last thing it said, with the rule it comes from and those that nearly fired; None: nothing.
    step : seconds of a step: times of events are their ticks by this.
    duty : what it does in a crew; None: it is in none.
    asks_in_vain : what it asks for that comes to no crew, and why; empty: nothing.
    fight : its health and attacks; None: nobody fights.
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
    decided: str = ""
    duty: Duty | None = None
    asks_in_vain: str = ""
    fight: Fight | None = None


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
    own = [event for event in recording.events(0, tick) if number in (event.agent, event.partner)]
    goal = point_of(row["goal"][number]) if row["going"][number] else None
    state = STATES[row["state"][number]]
    decision = _decision(own, number, goal, state)
    said = (event for event in reversed(own) if isinstance(event, Said) and event.agent == number)
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
        tree=_tree(recording, frame, number),
        known=_known(recording, frame, number, tick * recording.about.step),
        decision=decision,
        decided="" if decision is None else recording.texts(decision.tick).get((number, DECIDED), ""),
        before=tuple(own[-events:]) if events else (),
        step=recording.about.step,
        said=next(said, None),
        duty=duty_of(recording, frame, number, own),
        asks_in_vain=frame.texts.get((number, IN_VAIN), ""),
        fight=fight_of(recording, frame, number),
    )


def _decision(own: list[AnyEvent], number: int, goal: tuple[float, float, float] | None, state: str) -> Decision | None:
    """Return the last decision, if the agent is still about it: an old one does not say why it goes elsewhere now."""
    last = next((event for event in reversed(own) if isinstance(event, Decision) and event.agent == number), None)
    if last is None or last.at is None:
        return last
    if goal is None:
        return None if state in _CALM else last
    return last if math.dist(goal, last.at) <= _SAME_PLACE else None


def _tree(recording: Recording, frame: Frame, number: int) -> tuple[NodeLine, ...]:
    text = recording.about.trees[number] if number < len(recording.about.trees) else ""
    return tree_lines(text, frame.columns["tree"][number], frame, number)


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
                xyz=None if nothing else point_of(columns["known_xyz"][row, column]),
                direction_xy=(float(direction[0]), float(direction[1])) if not nothing and np.any(direction) else None,
                age=None if nothing else max(0.0, now - float(columns["known_time"][row, column])),
                sight=REASONS[columns["sight_reason"][row, column]],
                awareness=float(columns["awareness"][row, column]),
            )
        )
    return tuple(found)
