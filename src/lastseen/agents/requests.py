"""Requests: what members want done together; a crew is formed of those who want the same."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

from ..checks import finite_number, shown, text_of, whole_number
from ..errors import InputError


class Wish(Protocol):
    """What leaves and scripts say of a request, each in a form of its own; see `Request`."""

    @property
    def objective(self) -> str:
        """What for."""

    @property
    def priority(self) -> float:
        """How urgent."""

    @property
    def seconds(self) -> float:
        """For how long."""

    @property
    def draws(self) -> float:
        """Metres."""

    @property
    def wants(self) -> int:
        """How many."""


@dataclass(frozen=True)
class Request:
    """One agent wants something done together.

    Attributes
    ----------
    objective : what, the name of a tree for crews: "fight", "chase" …
    target : number of the agent it is about; -1: nobody.
    priority : among requests of one agent the highest counts.
    by : number of the agent; `since` seconds when it was posted first.
    place : metres, where it is about one; None: it is not.
    matter : number of the stimulus it is about; -1: none. Two noises are two matters.
    draws : metres, straight, within which others of the team are drawn in by radio as if they asked, too; 0: none is.
    wants : how many there are to be with those it draws.
    """

    objective: str
    target: int
    priority: float
    by: int
    since: float = 0.0
    place: tuple[float, float, float] | None = None
    draws: float = 0.0
    wants: int = 10
    matter: int = -1

    @property
    def key(self) -> tuple[str, int, int]:
        """What makes two requests the same: objective, target and matter."""
        return self.objective, self.target, self.matter


class RequestBoard:
    """All requests that stand. Trees of members and scripts write, the collective phase reads.

    Parameters
    ----------
    is_read : whether anybody reads it; without crews nothing is kept.

    Attributes
    ----------
    version : another number whenever there is a request more or less, or one has another priority; renewing is none.
    """

    def __init__(self, *, is_read: bool = True):
        self.is_read = is_read
        self.version = 0
        self._standing: dict[tuple[int, str, int, int], Request] = {}
        self._until: dict[tuple[int, str, int, int], float] = {}

    def post(
        self,
        agent: int,
        objective: str,
        target: int = -1,
        *,
        priority: float = 1.0,
        seconds: float = 1.0,
        now: float = 0.0,
        place: tuple[float, float, float] | None = None,
        draws: float = 0.0,
        wants: int = 10,
        matter: int = -1,
    ) -> None:
        """Ask for something, from now on for so many seconds; asking again renews it."""
        if not self.is_read:
            return
        key = (agent, objective, target, matter)
        known = self._standing.get(key)
        same = known is not None and (known.priority, known.place, known.draws, known.wants) == (
            priority, place, draws, wants
        )  # fmt: skip
        if not same or self._until[key] <= now:
            agent, target = whole_number(agent, "agent"), whole_number(target, "target", low=-1)
            if not text_of(objective, "objective"):
                raise InputError(f"objective is {shown(objective)}; name a tree for crews, such as 'fight'")
            priority = finite_number(priority, "priority", low=-1e6, high=1e6)
            since = known.since if known is not None and self._until[key] > now else now
            draws = finite_number(draws, "draws", unit="m", low=0.0, high=1e6)
            wants, matter = whole_number(wants, "wants", low=2), whole_number(matter, "matter", low=-1)
            self._standing[key] = Request(objective, target, priority, agent, since, place, draws, wants, matter)
            self.version += 1
        self._until[key] = now + finite_number(seconds, "seconds of a request", unit="s", low=0.0, high=86_400.0)

    def ask(
        self,
        agent: int,
        wish: Wish,
        target: int,
        *,
        now: float,
        place: tuple[float, float, float] | None = None,
        matter: int = -1,
    ) -> None:
        """Post what a wish says, in the name of an agent."""
        self.post(
            agent,
            wish.objective,
            target,
            priority=wish.priority,
            seconds=wish.seconds,
            now=now,
            place=place,
            draws=wish.draws,
            wants=wish.wants,
            matter=matter,
        )

    def renew(self, agent: int, objective: str, target: int, *, seconds: float, now: float, matter: int = -1) -> bool:
        """Let a request stand for so many seconds from now on, as it is; False: there is none."""
        key = (agent, objective, target, matter)
        if key in self._until:
            self._until[key] = max(self._until[key], now + seconds)
        return key in self._until

    def withdraw(self, agent: int, objective: str | None = None) -> None:
        """Ask no longer: for one objective, or for any."""
        gone = [key for key in self._standing if key[0] == agent and objective in (None, key[1])]
        self._remove(gone)

    def expire(self, now: float) -> None:
        """Drop what no longer stands."""
        self._remove([key for key, until in self._until.items() if until <= now])

    def _remove(self, keys: list[tuple[int, str, int, int]]) -> None:
        for key in keys:
            del self._standing[key], self._until[key]
        self.version += bool(keys)

    def until(self, agent: int, objective: str, target: int = -1, *, matter: int = -1) -> float:
        """Seconds from which on a request no longer stands; -inf: there is none."""
        return self._until.get((agent, objective, target, matter), -math.inf)

    def place_of(
        self, objective: str, target: int, agents: Collection[int], *, matter: int = -1
    ) -> tuple[float, float, float] | None:
        """Return the place that a request of one of these agents is about; None: none is about one."""
        found = (self._standing.get((agent, objective, target, matter)) for agent in agents)
        return next((request.place for request in found if request is not None and request.place is not None), None)

    def of(self, agent: int) -> tuple[Request, ...]:
        """Return the requests of one agent, highest priority first."""
        return tuple(request for request in self if request.by == agent)

    def __iter__(self) -> Iterator[Request]:
        """Iterate over all requests: highest priority first, then by objective, target, matter and agent."""
        yield from sorted(
            self._standing.values(),
            key=lambda request: (-request.priority, request.objective, request.target, request.matter, request.by),
        )

    def __len__(self) -> int:
        return len(self._standing)
