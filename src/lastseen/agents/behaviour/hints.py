"""Hints: advice to a tree to prefer or avoid some of its branches (chapter 10).

Without hints a tree runs exactly as written. A hint only changes the order in which a hinted selector tries its
branches.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from ...checks import finite_number, shown, table_of, text_of
from ...errors import BehaviourError, did_you_mean

HintType = Literal["positive", "negative", "neutral"]
HINT_TYPES: tuple[HintType, ...] = get_args(HintType)


@dataclass(frozen=True)
class Hint:
    """One hint: the branch, whether to prefer or avoid it, its source and reason, and the second when it expires."""

    branch: str
    type: HintType
    source: str = ""
    reason: str = ""
    until: float = math.inf

    @property
    def words(self) -> str:
        """Source and reason."""
        return ": ".join(part for part in (self.source, self.reason) if part)


class Hints:
    """All hints one tree receives.

    Hints of several sources stack: the latest is active, and when it expires or is withdrawn, the one below is active
    again. A source has one hint per branch; sending it again keeps its place in the stack.

    Parameters
    ----------
    branches : names that accept hints: branches of hinted selectors, and those that conditions test.

    Attributes
    ----------
    changes : number of changes of the active hint of any branch.
    next_end : second at which the next hint expires; infinite if none does.
    """

    def __init__(self, branches: Iterable[str] = ()):
        try:
            self.branches = frozenset(text_of(branch, "branch") for branch in branches)
        except TypeError:
            raise BehaviourError(f"branches is {shown(branches)}; give names") from None
        self.changes = 0
        self.next_end = math.inf
        self._stacks: dict[str, list[Hint]] = {}

    def send(
        self,
        branch: str,
        type: HintType,
        *,
        source: str = "",
        now: float = 0.0,
        seconds: float | None = None,
        reason: str = "",
    ) -> None:
        """Add a hint for a number of seconds, or until it is withdrawn; "neutral" withdraws the source's hint.

        Raises
        ------
        BehaviourError
            The tree has no such branch, or there is no such type.
        """
        if text_of(branch, "branch") not in self.branches:
            known = f"those are {', '.join(sorted(self.branches))}" if self.branches else "add a hinted selector"
            raise BehaviourError(f"no branch {branch!r}{did_you_mean(branch, self.branches)} takes hints; {known}")
        if not isinstance(type, str) or type not in HINT_TYPES:
            allowed = ", ".join(HINT_TYPES)
            raise BehaviourError(f"the hint is {shown(type)}{did_you_mean(type, HINT_TYPES)}; give one of {allowed}")
        until = math.inf
        if seconds is not None:
            until = now + finite_number(seconds, "seconds of a hint", unit="s", low=0.0, high=86_400.0)
        self._put(Hint(branch, type, text_of(source, "source"), text_of(reason, "reason"), until))

    def replace(self, source: str, hints: Mapping[str, HintType], *, reason: str = "") -> None:
        """Replace all hints of a source; branches the tree does not have are skipped."""
        text_of(source, "source")
        hints = table_of(hints, "hints")
        for branch, stack in list(self._stacks.items()):
            if branch not in hints and any(hint.source == source for hint in stack):
                self._put(Hint(branch, "neutral", source))
        for branch, type in hints.items():
            if branch in self.branches:
                self.send(branch, type, source=source, reason=reason)

    def _put(self, hint: Hint) -> None:
        """Put a hint in place of its source's last one, else on top."""
        stack = self._stacks.setdefault(hint.branch, [])
        before = self.of(hint.branch)
        at = next((number for number, other in enumerate(stack) if other.source == hint.source), -1)
        if at >= 0 and (hint.type == "neutral" or stack[at].type != hint.type):
            del stack[at]
            at = -1
        if at >= 0:
            stack[at] = hint
        elif hint.type != "neutral":
            stack.append(hint)
        self._note(hint.branch, before)

    def _note(self, branch: str, before: Hint | None) -> None:
        """Count a change of the active hint, and find when the next hint expires."""
        after = self.of(branch)
        if not self._stacks[branch]:
            del self._stacks[branch]
        if (before and before.type) != (after and after.type):
            self.changes += 1
        self.next_end = min((hint.until for stack in self._stacks.values() for hint in stack), default=math.inf)

    def withdraw(self, source: str) -> None:
        """Withdraw all hints of a source."""
        self.replace(source, {})

    def expire(self, now: float) -> None:
        """Drop expired hints."""
        if finite_number(now, "now", unit="s") < self.next_end:
            return
        for branch, stack in list(self._stacks.items()):
            before = self.of(branch)
            stack[:] = [hint for hint in stack if now < hint.until]
            self._note(branch, before)

    def clear(self) -> None:
        """Drop all hints."""
        self.changes += bool(self._stacks)
        self._stacks.clear()
        self.next_end = math.inf

    def of(self, branch: str) -> Hint | None:
        """Return the active hint of a branch, or None."""
        stack = self._stacks.get(text_of(branch, "branch"))
        return stack[-1] if stack else None

    def __len__(self) -> int:
        return len(self._stacks)


class TakesHints:
    """A node that reads the hints of its tree, which sets `hints` when it is built."""

    hints: Hints = Hints()

    def hint_branches(self) -> Iterable[str]:
        """Return the names of the branches it accepts hints for."""
        return ()
