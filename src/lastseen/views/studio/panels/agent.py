"""The panel Why: everything known about an agent at a step."""

from __future__ import annotations

import math
from typing import Any

from ....errors import InputError
from ....simulation.replay.account import Duty, Fight, Known, NodeLine, account_of
from ....vocabulary.words import AgentMode
from ...prose.account import account_object
from ...prose.sentences import Sentences
from ..protocol.messages import Message, Number
from ..protocol.news import Place, Sent
from ..session.feed_run import FeedRun
from ..session.game import Game


class Ask(Message, frozen=True, tag="ask"):
    """Ask why an agent does what it does, at the step shown or another."""

    agent: Number
    tick: Number | None = None


class Account(Sent, frozen=True, tag="account"):
    """Everything known about an agent at a step; see `simulation.replay.account`."""

    number: int
    agent: str
    tick: int
    seconds: float
    xyz: Place
    state: str
    mode: str
    way: str
    left: float
    goal: Place | None
    tree: tuple[NodeLine, ...]
    known: tuple[Known, ...]
    decision: dict[str, Any] | None
    before: tuple[dict[str, Any], ...]
    step: float
    said: dict[str, Any] | None
    did: dict[str, Any] | None
    duty: Duty | None
    asks_in_vain: str
    fight: Fight | None
    held: str
    out: dict[str, Any] | None = None


def account_answer(game: Game, agent: int, tick: int | None) -> Account:
    """Return everything known about an agent at a step; None: the step shown."""
    names = list(game.agents) if isinstance(game, FeedRun) else game.recording.about.agents
    if agent >= len(names):
        raise InputError(f"there is no agent {agent}; agents are 0 to {len(names) - 1}")
    when = min(game.shown if tick is None else tick, game.ticks - 1)
    if isinstance(game, FeedRun):
        return _fed_account(game, agent, max(0, when))
    account = account_of(game.recording, names[agent], when * game.recording.about.step)
    return Account(number=agent, **account_object(account, Sentences.of_recording(game.recording)))


_RECENT = 8
_GLANCE = 0.2
"""Number of recent events of an agent of a feed, and seconds over which its speed is measured."""


def _fed_account(run: FeedRun, number: int, tick: int) -> Account:
    """Return what a user's own game said about an agent at a step."""
    name, agent, since = run.agent(number, tick)
    _, earlier, _ = run.agent(number, max(0, tick - round(_GLANCE / run.step)))
    at = (0.0, 0.0, 0.0) if agent is None else agent.at
    speed = 0.0 if agent is None or earlier is None else math.dist(at, earlier.at) / _GLANCE
    events = [one for one in run.happened if one["agent"] == number and one["tick"] <= tick]
    has_reason = agent is not None and (agent.why or agent.facts)
    return Account(
        number=number,
        agent=name,
        tick=tick,
        seconds=tick * run.step,
        xyz=at,
        state="" if agent is None else agent.state,
        mode=AgentMode.GONE if agent is None else AgentMode.ACTIVE,
        way=f"{speed:.1f} m/s" if speed >= 0.05 else "standing",
        left=0.0,
        goal=None,
        tree=(),
        known=(),
        decision={**agent.facts, "kind": "why", "tick": since, "text": agent.why} if agent and has_reason else None,
        before=tuple(events[-_RECENT:]),
        step=run.step,
        said=None,
        did=None,
        duty=None,
        asks_in_vain="",
        fight=None,
        held="",
    )
