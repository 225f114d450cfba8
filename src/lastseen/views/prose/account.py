"""Accounts of agents as plain values, with sentences for their events."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ...simulation.replay.account import Account
from ...vocabulary.words import Hold
from .sentences import Sentences

_HOLDS = {
    Hold.NONE: "",
    Hold.STANDSTILL: "time stands still for it, stopped by {by}",
    Hold.DAZED: "it is dazed, as it was possessed a moment ago",
    Hold.POSSESSED: "{by} has control of it",
}


def held_words(account: Account) -> str:
    """Return what keeps an agent from acting by itself; empty if nothing does."""
    return _HOLDS[account.hold].format(by=account.held_by)


def account_object(account: Account, of: Sentences) -> dict[str, Any]:
    """Return an account as plain values; `decision` has its reason as `why`, if there is one.

    `held` says what keeps the agent from acting by itself.
    """
    plain: dict[str, Any] = asdict(account)
    del plain["decided"], plain["hold"], plain["held_by"]
    plain["held"] = held_words(account)
    plain["before"] = [of.as_object(event) for event in account.before]
    plain["said"] = None if account.said is None else of.as_object(account.said)
    plain["did"] = None if account.did is None else of.as_object(account.did)
    plain["out"] = None if account.out is None else of.as_object(account.out)
    if account.decision is not None:
        plain["decision"] = of.as_object(account.decision)
        if account.decided:
            plain["decision"]["why"] = account.decided
    return plain
