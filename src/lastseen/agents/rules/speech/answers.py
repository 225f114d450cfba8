"""Answers: pending lines of an exchange, and the choice of their speakers."""

from __future__ import annotations

import heapq
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ....errors import did_you_mean
from ..language.faults import RuleFault, RuleFileError
from ..language.rule import Database
from .speakers import GameSpeakers

_RETRY = 0.1
"""Seconds before a speaker that waits for silence tries again."""


@dataclass(frozen=True)
class Pending:
    """A pending line: an answer, or an opening line that waits for silence.

    Attributes
    ----------
    due, until : seconds at which it is due, and at which it stops waiting for silence.
    exchange, turn : number of the exchange, and of the line within it, from 1.
    who, cast : role of the speaker, and the agent that held it when the previous line was said.
    caller, callers_caller : the speaker being answered, and the one that speaker answered; None if there is none.
    """

    due: float
    until: float
    exchange: int
    turn: int
    handler: str
    facts: Mapping[str, Any]
    about: Hashable
    urgency: int
    who: str = ""
    cast: Hashable = None
    caller: Hashable = None
    callers_caller: Hashable = None


class Exchanges:
    """Pending answers in the order they are due."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, Pending]] = []
        self._asked = self._begun = 0

    def number(self) -> int:
        """Return the number for a new exchange."""
        self._begun += 1
        return self._begun

    def ask(self, pending: Pending) -> None:
        """Keep an answer until it is due."""
        self._asked += 1
        heapq.heappush(self._waiting, (pending.due, self._asked, pending))

    def wait(self, pending: Pending, now: float) -> None:
        """Postpone an answer until others have spoken."""
        self.ask(replace(pending, due=now + _RETRY))

    def due(self, now: float) -> Pending | None:
        """Take the next answer that is due, or return None."""
        if self._waiting and self._waiting[0][0] <= now:
            return heapq.heappop(self._waiting)[2]
        return None

    def drop(self, speaker: Hashable, exchange: int, cut: Iterable[int]) -> None:
        """Drop exchanges that were cut short, and those of a speaker that has changed the subject."""
        if not self._waiting:
            return
        gone = {number for number in cut if number != exchange}
        kept = [
            each
            for each in self._waiting
            if each[2].exchange == exchange
            or (each[2].exchange not in gone and speaker not in (each[2].caller, each[2].cast))
        ]
        if len(kept) < len(self._waiting):
            self._waiting = kept
            heapq.heapify(self._waiting)

    def __len__(self) -> int:
        return len(self._waiting)


ROLES = ("nearest", "caller", "subject", "self")
"""Roles that a follow-up may address: the nearest speaker of the same side, the speaker being answered, the subject of
the exchange, or the same speaker again. Any other word is a side and means its nearest speaker."""


def checked_roles(database: Database, sides: Sequence[str]) -> None:
    """Raise a RuleFileError if a follow-up addresses a role that cannot exist.

    Known sides are those of the present speakers and those that rules have lines for, as members may join later.
    """
    spoken_for = [name.partition(".")[0] for name in database.handlers if "." in name]
    known = tuple(dict.fromkeys((*ROLES, *sides, *spoken_for)))
    faults = [
        RuleFault(
            rule.source,
            rule.line,
            handler.name,
            rule.name,
            f"no role {rule.then.who!r}{did_you_mean(rule.then.who, known)} can answer; use one of {', '.join(known)}",
            "unknown role",
        )
        for handler in database.handlers.values()
        for rule in handler.rules
        if rule.then is not None and rule.then.who not in known
    ]
    if faults:
        raise RuleFileError(faults)


class Casting:
    """Find the speaker of an answer among those within earshot that can speak."""

    def __init__(self, company: GameSpeakers, earshot: float):
        self._company, self._earshot = company, earshot
        self._found: dict[tuple[Hashable, ...], Hashable] = {}

    def begin(self) -> None:
        """Clear the cache: speakers may have moved."""
        self._found.clear()

    def cast(self, who: str, speaker: Hashable, caller: Hashable, about: Hashable) -> Hashable:
        """Return the speaker that answers a line of `speaker`, or None.

        Parameters
        ----------
        caller : the speaker that `speaker` itself answers, or None.
        about : the subject of the exchange, or None.
        """
        key = (who, speaker, caller, about)
        if key not in self._found:
            self._found[key] = self._cast(who, speaker, caller, about)
        return self._found[key]

    def _cast(self, who: str, speaker: Hashable, caller: Hashable, about: Hashable) -> Hashable:
        if who == "self":
            return speaker
        if who in ("caller", "subject"):
            one = caller if who == "caller" else about
            near = one is not None and one != speaker and self._company.can_speak(one)
            return one if near and self._away(speaker, one) <= self._earshot else None
        side = self._company.side(speaker) if who == "nearest" else who
        company, here = self._company, self._company.place(speaker)
        nearest, least = None, math.inf
        within = getattr(company, "within", None)
        for other in company.speakers() if within is None else within(here, self._earshot):
            away = math.dist(here, company.place(other))
            if away > self._earshot or away >= least or other == speaker:
                continue
            if company.side(other) == side and company.can_speak(other):
                nearest, least = other, away
        return nearest

    def again(self, asked: Pending) -> Hashable:
        """Return the speaker of an answer that is due: the one first cast, else another that fits, or None."""
        one = asked.cast
        if asked.caller is None:
            return one if self._company.can_speak(one) else None
        if one is not None and self._company.can_speak(one) and self._away(asked.caller, one) <= self._earshot:
            return one
        return self.cast(asked.who, asked.caller, asked.callers_caller, asked.about)

    def _away(self, one: Hashable, other: Hashable) -> float:
        return math.dist(self._company.place(one), self._company.place(other))
