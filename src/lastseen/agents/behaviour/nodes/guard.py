"""Guard: do something only while a condition holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from ....errors import BehaviourError
from ..leaf import Condition
from ..node import Composite, Node
from ..status import FAILURE, RUNNING, SUCCESS, Status

__all__ = ["Guard", "Turns"]

ENDS = ("failure", "success")
_NO_ANSWER = object()
_BOTH_FAIL = bytes((FAILURE, FAILURE))


class Guard(Composite):
    """Asks its first child, the condition, before every tick of the second.

    | the condition returns | the child         | guard                                                  |
    |-----------------------|-------------------|--------------------------------------------------------|
    | SUCCESS               | returns any status | the same                                              |
    | FAILURE               | is interrupted    | FAILURE, or SUCCESS with `otherwise="success"`         |
    | RUNNING               | is interrupted    | RUNNING                                                |

    `otherwise="success"`: what is no longer called for has ended well, and a sequence around it goes on.
    """

    kind = "guard"
    least = most = 2

    def __init__(
        self, condition: Node, child: Node, *, otherwise: Literal["failure", "success"] = "failure", name: str = ""
    ):
        super().__init__([condition, child], name=name)
        self.condition, self.child = condition, child
        self.otherwise = otherwise

    def check(self) -> None:
        """Refuse an unknown way to end."""
        super().check()
        if self.otherwise not in ENDS:
            raise BehaviourError(f"{self.label} ends with {self.otherwise!r}; give {' or '.join(map(repr, ENDS))}")

    def details(self) -> str:
        """Return what an unheld condition makes of it."""
        return "" if self.otherwise == "failure" else f"otherwise: {self.otherwise}"

    def run(self, context: Any) -> Status:
        """Ask, then tick the child."""
        old, self.status = self.status, RUNNING
        return self.go_on(context, old, self.condition.run(context))

    def go_on(self, context: Any, old: Status, status: Status) -> Status:
        """Tick the child, or leave it, by the status of the condition; `old` is the guard's own before that."""
        if status is SUCCESS:
            status = self.child.run(context)
        else:
            if self.child.status is RUNNING:
                self.child.interrupt(context)
            if status is FAILURE and self.otherwise == "success":
                status = SUCCESS
        self.status = status
        self._seen[self.index] = status
        if status is not old:
            self._changed(old, status)
        return status

    def why(self) -> str:
        """Return the child's reason, or the condition's where that decided."""
        decided = self.child if self._seen[self.child.index] else self.condition
        reason = decided.why()
        return f"{decided.label}: {reason}" if reason else decided.label


class Turns:
    """The branches of a reactive selector in their order of now.

    Most of an agent's tree is guards whose condition fails as in the last tick. While a condition gives the very answer
    by which its guard failed, the guard and all below it stay as they are, so they are not entered. What has to be
    looked at for that stands together here: the nodes of a hundred trees do not fit into a processor's cache.

    Parameters
    ----------
    branches : children of one selector in a tree, whose tables are given as `seen` and `statuses`.
    """

    __slots__ = ("_asks", "_branches", "_in_order", "_marks", "_numbers", "_refusals", "_seen", "_spans", "_statuses")

    def __init__(self, branches: Sequence[Node], seen: bytearray, statuses: bytearray):
        self._branches = tuple(branches)
        self._asks = tuple(_plain_condition(branch) for branch in branches)
        self._numbers = tuple(branch.index for branch in branches)
        self._in_order = list(self._numbers) == sorted(self._numbers)
        self._marks = bytearray(len(seen))
        for number in self._numbers:
            self._marks[number : number + 2] = _BOTH_FAIL
        self._spans: dict[tuple[int, int], tuple[int, int, bytes]] = {}
        self._refusals: list[Any] = [_NO_ANSWER] * len(self._branches)
        """By branch the answer with which its condition last made it fail."""
        self._seen, self._statuses = seen, statuses

    def run(self, context: Any) -> tuple[Node | None, Status]:
        """Run branches until one does not fail; return it, None for none, and its status."""
        branches = self._branches
        at = first = 0
        ask: Callable[[Any], Any] | None = None
        try:
            for at, (ask, refusal) in enumerate(zip(self._asks, self._refusals)):
                if ask is None:
                    self._pass_over(first, at, context)
                    status = branches[at].run(context)
                else:
                    answer = ask(context)
                    if answer is refusal:
                        continue
                    self._pass_over(first, at, context)
                    status = self._judge(at, context, answer)
                if status is not FAILURE:
                    return branches[at], status
                first = at + 1
        except BaseException:
            if ask is not None:
                branch: Any = branches[at]
                branch.status = RUNNING
                asked = branch.condition  # noqa: F841 - read by the tree, which names the node that raised
            raise
        self._pass_over(first, len(branches), context)
        return None, FAILURE

    def _pass_over(self, first: int, end: int, context: Any) -> None:
        """Mark guards as failed whose conditions gave the same answers as before."""
        if first == end:
            return
        start, stop, marks = self._spans.get((first, end)) or self._span(first, end)
        if self._in_order and self._statuses[start:stop] == marks:
            self._seen[start:stop] = marks
            return
        for at in range(first, end):
            number = self._numbers[at]
            if self._statuses[number] == FAILURE:
                self._seen[number : number + 2] = _BOTH_FAIL  # the condition stands next to its guard
            else:  # the selector was passed over meanwhile
                self._judge(at, context, self._refusals[at])

    def _span(self, first: int, end: int) -> tuple[int, int, bytes]:
        """Return the numbers from the first of some branches to the last, and their statuses if all fail; keep it."""
        start, stop = self._numbers[first], self._numbers[end - 1] + 2
        self._spans[first, end] = start, stop, bytes(self._marks[start:stop])
        return self._spans[first, end]

    def _judge(self, at: int, context: Any, answer: Any) -> Status:
        """Run a guard whose condition has been asked."""
        guard: Any = self._branches[at]
        condition: Condition = guard.condition
        old, guard.status = guard.status, RUNNING
        self._refusals[at] = _NO_ANSWER
        holds = condition.judge(answer)
        status: Status = guard.go_on(context, old, holds)
        if holds is FAILURE and status is FAILURE and condition.answer is not None:
            self._refusals[at] = condition.answer
        return status


def _plain_condition(branch: Node) -> Callable[[Any], Any] | None:
    """Return the function of a guard's condition; None: it is no guard, or its condition is more than a function."""
    if branch.__class__ is not Guard:
        return None
    condition = branch.condition
    return condition.plain if condition.__class__ is Condition else None
