"""The panel Why: everything known about an agent at a step."""

from __future__ import annotations

from typing import Any

from ....errors import InputError
from ....simulation.replay.account import Duty, Fight, Known, NodeLine, account_of
from ...prose.account import account_object
from ...prose.sentences import Sentences
from ..protocol.messages import Message, Number
from ..protocol.news import Place, Sent
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
    duty: Duty | None
    asks_in_vain: str
    fight: Fight | None


def account_answer(game: Game, agent: int, tick: int | None) -> Account:
    """Return everything known about an agent at a step; None: the step shown."""
    names = game.recording.about.agents
    if agent >= len(names):
        raise InputError(f"there is no agent {agent}; agents are 0 to {len(names) - 1}")
    when = min(game.shown if tick is None else tick, game.ticks - 1)
    account = account_of(game.recording, names[agent], when * game.recording.about.step)
    return Account(number=agent, **account_object(account, Sentences.of_recording(game.recording)))
