"""Tokens: limit how many agents do something at the same time (chapter 36).

Every action has a pool. Members request a token in each tick in which they want one; once per tick the pool grants its
free tokens to the best ranked. This keeps the player from being overwhelmed; with a shared cooldown, no two agents
begin at the same moment.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ....checks import finite_number, instance_of, real_number, table_of, text_of, whole_number, whole_numbers


@dataclass(frozen=True)
class TokenSettings:
    """Size and timing of a token pool.

    Attributes
    ----------
    count : tokens of the pool.
    wait : seconds for which an agent is refused after it returned a token.
    cooldown : seconds between two grants to any agents, shared by the crew. Above 0, at most one is granted per tick.
    scaling : number of characters per additional token; 0: the count does not grow.
    most : upper limit of tokens, however many characters there are; None: no limit.
    holds : seconds after which a held token is taken back; infinite: never.
    """

    count: int = 1
    wait: float = 0.0
    cooldown: float = 0.0
    scaling: int = 0
    most: int | None = None
    holds: float = math.inf

    def __post_init__(self) -> None:
        whole_number(self.count, "count", low=0)
        whole_number(self.scaling, "scaling", low=0)
        if self.most is not None:
            whole_number(self.most, "most", low=0)
        for name in ("wait", "cooldown"):
            finite_number(getattr(self, name), f"{name} of tokens", unit="s", low=0.0, high=86_400.0)
        if real_number(self.holds, "holds", "seconds, or infinity") != math.inf:
            finite_number(self.holds, "holds", unit="s", low=0.0, high=86_400.0)

    def size(self, characters: int) -> int:
        """Return the number of tokens for this many characters."""
        more = whole_number(characters, "characters") // self.scaling if self.scaling else 0
        return self.count + more if self.most is None else min(self.count + more, self.most)


class TokenPool:
    """The tokens of one action.

    Attributes
    ----------
    held : by agent, the time in seconds at which it got its token.
    asking : agents that want one in this tick.

    Examples
    --------
    >>> pool = TokenPool("attack", TokenSettings(count=1, wait=2.0))
    >>> for agent in (0, 1, 2):
    ...     pool.request(agent)
    >>> pool.grant(0.0, {0: 3, 1: 1, 2: 2})
    (1,)
    """

    def __init__(self, action: str, settings: TokenSettings | None = None):
        self.action = text_of(action, "action")
        given = TokenSettings() if settings is None else settings
        self.settings = instance_of(given, TokenSettings, "settings", "give TokenSettings(…), or None")
        self.held: dict[int, float] = {}
        self.asking: set[int] = set()
        self._granted = -math.inf
        self._released: dict[int, float] = {}

    def request(self, agent: int) -> None:
        """Request a token in this tick."""
        self.asking.add(whole_number(agent, "agent"))

    def grant(self, now: float, ranks: Mapping[int, int] | None = None, *, characters: int = 0) -> tuple[int, ...]:
        """Grant free tokens to requesting agents, the best ranked first; return those that got one.

        `ranks` by agent, 1 is best; unranked agents come last, by number. All requests are then cleared.
        """
        ranks, now = table_of(ranks, "ranks"), finite_number(now, "now", unit="s")
        for agent in [one for one, since in self.held.items() if now - since >= self.settings.holds]:
            self.release(agent, now)
        granted = []
        for agent in sorted(self.asking, key=lambda agent: (ranks.get(agent, math.inf), agent)):
            if not self.refusal(agent, now, characters=characters):
                self.held[agent] = self._granted = now
                granted.append(agent)
        self.asking.clear()
        return tuple(granted)

    def refusal(self, agent: int, now: float, *, characters: int = 0) -> str:
        """Return why an agent could not get a token now; empty if it could."""
        agent, now = whole_number(agent, "agent"), finite_number(now, "now", unit="s")
        if agent in self.held:
            return "has one"
        size = self.settings.size(characters)
        if len(self.held) >= size:
            return f"{len(self.held)} of {size} are out"
        left = self._released.get(agent, -math.inf) + self.settings.wait - now
        if left > 0.0:
            return f"had one, waits {left:.1f} s"
        left = self.ready_at - now
        # A shared cooldown must prevent two grants at the same moment.
        return f"the crew waits {left:.1f} s" if left > 0.0 else ""

    def has_for(self, agent: int, now: float, characters: int) -> bool:
        """Return whether an agent could get a token now: like `refusal`, but unchecked and without a reason."""
        if agent in self.held or len(self.held) >= self.settings.size(characters):
            return False
        waits = self._released.get(agent, -math.inf) + self.settings.wait - now
        return waits <= 0.0 and self.ready_at - now <= 0.0

    def has_any(self, now: float, characters: int) -> bool:
        """Return whether any agent could get a token now, unchecked."""
        return self.ready_at - now <= 0.0 and len(self.held) < self.settings.size(characters)

    @property
    def ready_at(self) -> float:
        """Time in seconds from which the next token may be granted."""
        return self._granted + self.settings.cooldown

    def holds(self, agent: int) -> bool:
        """Return whether an agent has a token."""
        return whole_number(agent, "agent") in self.held

    def release(self, agent: int, now: float) -> None:
        """Return a token to the pool; does nothing if the agent has none."""
        if self.held.pop(whole_number(agent, "agent"), None) is not None:
            self._released[agent] = finite_number(now, "now", unit="s")

    def retain(self, agents: Collection[int], now: float) -> tuple[int, ...]:
        """Take back the tokens of all other agents, which are dead or have left; return those agents."""
        kept = set(whole_numbers(agents, "agents"))
        gone = tuple(agent for agent in self.held if agent not in kept)
        for agent in gone:
            self.release(agent, now)
        self.asking &= kept
        return gone
