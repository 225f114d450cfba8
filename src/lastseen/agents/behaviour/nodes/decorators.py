"""Decorators that change the result of their child, run it several times, or run it as a subtree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ....errors import BehaviourError
from ..node import Decorator, Node
from ..ports import Input
from ..status import FAILURE, IDLE, RUNNING, SUCCESS, Status


class Invert(Decorator):
    """Exchanges success and failure of the child.

    | the child returns | invert  |
    |-------------------|---------|
    | SUCCESS           | FAILURE |
    | FAILURE           | SUCCESS |
    | RUNNING           | RUNNING |
    """

    kind = "invert"
    _is_pure = True

    def tick(self, context: Any) -> Status:
        """Tick the child."""
        status = self.child.run(context)
        if status is RUNNING:
            return RUNNING
        return FAILURE if status is SUCCESS else SUCCESS


class ForceSuccess(Decorator):
    """Turns failure into success.

    | the child returns | force success |
    |-------------------|---------------|
    | SUCCESS, FAILURE  | SUCCESS       |
    | RUNNING           | RUNNING       |
    """

    kind = "force_success"
    _is_pure = True

    def tick(self, context: Any) -> Status:
        """Tick the child."""
        return RUNNING if self.child.run(context) is RUNNING else SUCCESS


class ForceFailure(Decorator):
    """Turns success into failure, so that a selector goes on to the next child.

    | the child returns | force failure |
    |-------------------|---------------|
    | SUCCESS, FAILURE  | FAILURE       |
    | RUNNING           | RUNNING       |
    """

    kind = "force_failure"
    _is_pure = True

    def tick(self, context: Any) -> Status:
        """Tick the child."""
        return RUNNING if self.child.run(context) is RUNNING else FAILURE


class _Counted(Decorator):
    """Runs the child again, at most once a tick, after each `counted` status until `limit` of them (-1: no limit)."""

    counted: ClassVar[Status]
    noun: ClassVar[str]
    """Name of the limit in files."""
    limit: int

    def check(self) -> None:
        """Reject a limit below 1 other than -1."""
        super().check()
        if self.limit < 1 and self.limit != -1:
            raise BehaviourError(f"{self.label} has {self.noun}: {self.limit}; give 1 or more, or -1 for no limit")

    def details(self) -> str:
        """Return the limit."""
        return f"{self.noun}: {self.limit}"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Start counting."""
        self._count = 0

    def tick(self, context: Any) -> Status:
        """Tick the child."""
        status = self.child.run(context)
        if status is not self.counted:
            return status
        self._count += 1
        return status if self._count == self.limit else RUNNING


class Repeat(_Counted):
    """Runs the child `times` times (-1: without end), at most once a tick.

    | the child returns          | repeat                                   |
    |----------------------------|------------------------------------------|
    | SUCCESS, times are left    | RUNNING; the next tick begins it again   |
    | SUCCESS, the last time     | SUCCESS                                  |
    | RUNNING                    | RUNNING                                  |
    | FAILURE                    | FAILURE                                  |
    """

    kind = "repeat"
    counted, noun = SUCCESS, "times"

    def __init__(self, child: Node, *, times: int = -1, name: str = ""):
        super().__init__(child, name=name)
        self.limit = times


class Retry(_Counted):
    """Runs the child until it succeeds, at most `attempts` times (-1: without limit) and once a tick.

    | the child returns          | retry                                    |
    |----------------------------|------------------------------------------|
    | SUCCESS                    | SUCCESS                                  |
    | RUNNING                    | RUNNING                                  |
    | FAILURE, attempts are left | RUNNING; the next tick begins it again   |
    | FAILURE, the last attempt  | FAILURE                                  |
    """

    kind = "retry"
    counted, noun = FAILURE, "attempts"

    def __init__(self, child: Node, *, attempts: int = -1, name: str = ""):
        super().__init__(child, name=name)
        self.limit = attempts


class UntilFailure(Decorator):
    """Runs the child again and again until it fails, at most once a tick.

    | the child returns | until failure |
    |-------------------|---------------|
    | SUCCESS, RUNNING  | RUNNING       |
    | FAILURE           | FAILURE       |
    """

    kind = "until_failure"

    def tick(self, context: Any) -> Status:
        """Tick the child."""
        return FAILURE if self.child.run(context) is FAILURE else RUNNING


class RunOnce(Decorator):
    """Runs the child until it has ended once, then keeps returning its last status.

    | the child                 | run once                     |
    |---------------------------|------------------------------|
    | has not ended yet         | its status                   |
    | has ended                 | that status, without a tick  |

    `Tree.reset` lets it run again.
    """

    kind = "run_once"

    _ended = IDLE

    def forget(self) -> None:
        """Allow another run."""
        self._ended = IDLE

    def tick(self, context: Any) -> Status:
        """Tick the child, or return the status it ended with."""
        if self._ended is not IDLE:
            self.reason = "has ended before"
            return self._ended
        self.reason = ""
        status = self.child.run(context)
        if status is not RUNNING:
            self._ended = status
        return status


class SubTree(Decorator):
    """Runs a tree with keys of its own.

    | the tree returns | subtree  |
    |------------------|----------|
    | any status       | the same |

    `ports` maps keys of the ports inside to a key outside (`Input(key="noise")`) or to a value. All other keys inside
    are private, so that two uses of one tree do not interfere; with `share` they are those of the surrounding tree.
    Keys that the agent provides mean the same inside and outside.
    """

    kind = "subtree"
    _is_pure = True

    def __init__(
        self,
        child: Node,
        *,
        tree: str = "",
        ports: Mapping[str, Any] | None = None,
        share: bool = False,
        name: str = "",
    ):
        super().__init__(child, name=name or tree)
        self.tree = tree or name
        self.mapping = {
            inside: value if isinstance(value, Input) else Input(value, type=type(value))
            for inside, value in (ports or {}).items()
        }
        self.share = share

    def details(self) -> str:
        """Return the ports."""
        return ", ".join(f"{inside}: {outside}" for inside, outside in self.mapping.items())

    def tick(self, context: Any) -> Status:
        """Tick the tree."""
        return self.child.run(context)
