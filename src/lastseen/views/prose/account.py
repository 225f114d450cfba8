"""Accounts of agents as plain values, with sentences for their events."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ...simulation.replay.account import Account
from .sentences import Sentences


def account_object(account: Account, of: Sentences) -> dict[str, Any]:
    """Return an account as plain values; `decision` has its reason as `why`, if there is one."""
    plain: dict[str, Any] = asdict(account)
    del plain["decided"]
    plain["before"] = [of.as_object(event) for event in account.before]
    plain["said"] = None if account.said is None else of.as_object(account.said)
    plain["did"] = None if account.did is None else of.as_object(account.did)
    if account.decision is not None:
        plain["decision"] = of.as_object(account.decision)
        if account.decided:
            plain["decision"]["why"] = account.decided
    return plain
