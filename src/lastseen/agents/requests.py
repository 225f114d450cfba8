"""Requests: objectives that agents want to pursue together; agents with the same request form a crew."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ..checks import finite_number, shown, text_of, whole_number
from ..errors import InputError


@dataclass(frozen=True)
class Request:
    """A request of one agent.

    Attributes
    ----------
    objective : name of a crew tree: "fight", "chase" …
    target : number of the agent it is about; -1 if there is none.
    priority : the highest among an agent's requests decides.
    by : number of the requesting agent; `since` is the time in seconds at which it was first posted.
    place : the place it is about, in metres; None if there is none.
    matter : number of the stimulus it is about; -1 if there is none. Two noises are two matters.
    draws : straight-line distance in metres within which colleagues are called by radio to join; 0: none are.
    wants : number of members wanted, including those called.
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
        """Objective, target and matter, which are equal in equivalent requests."""
        return self.objective, self.target, self.matter


class RequestBoard:
    """All current requests. Agents' trees and scripts write them, the collective phase reads them.

    Parameters
    ----------
    is_read : whether there are crews to read them; if not, none are stored.
    served : objectives that crews have trees for; None: any.

    Attributes
    ----------
    version : changes whenever a request is added, removed or modified, but not when one is renewed.
    """

    def __init__(self, *, is_read: bool = True, served: Collection[str] | None = None):
        self.is_read, self.served = is_read, served
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
        """Post a request that lasts this many seconds, or renew it; see `Request`."""
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
                raise InputError(f"objective is {shown(objective)}; name a crew tree, such as 'fight'")
            priority = finite_number(priority, "priority", low=-1e6, high=1e6)
            since = known.since if known is not None and self._until[key] > now else now
            draws = finite_number(draws, "draws", unit="m", low=0.0, high=1e6)
            wants, matter = whole_number(wants, "wants", low=2), whole_number(matter, "matter", low=-1)
            self._standing[key] = Request(objective, target, priority, agent, since, place, draws, wants, matter)
            self.version += 1
        self._until[key] = now + finite_number(seconds, "seconds of a request", unit="s", low=0.0, high=86_400.0)

    def renew(self, agent: int, objective: str, target: int, *, seconds: float, now: float, matter: int = -1) -> bool:
        """Extend a request to this many seconds from now; return whether it exists and crews serve it."""
        key = (agent, objective, target, matter)
        if key in self._until:
            self._until[key] = max(self._until[key], now + seconds)
        return key in self._until and (self.served is None or objective in self.served)

    def withdraw(self, agent: int, objective: str | None = None) -> None:
        """Remove an agent's requests for one objective, or all of them."""
        gone = [key for key in self._standing if key[0] == agent and objective in (None, key[1])]
        self._remove(gone)

    def expire(self, now: float) -> None:
        """Remove requests whose time is over."""
        self._remove([key for key, until in self._until.items() if until <= now])

    def _remove(self, keys: list[tuple[int, str, int, int]]) -> None:
        for key in keys:
            del self._standing[key], self._until[key]
        self.version += bool(keys)

    def until(self, agent: int, objective: str, target: int = -1, *, matter: int = -1) -> float:
        """Return the time in seconds at which a request expires; -inf if there is none."""
        return self._until.get((agent, objective, target, matter), -math.inf)

    def place_of(
        self, objective: str, target: int, agents: Collection[int], *, matter: int = -1
    ) -> tuple[float, float, float] | None:
        """Return the place that a request of one of these agents is about, or None."""
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
