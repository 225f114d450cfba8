"""Wait, Delay, TimeLimit and Cooldown: nodes that depend on time."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal

from ..leaf import Leaf
from ..node import Decorator, Node
from ..ports import Input, as_input, checked_choice, checked_seconds, read_seconds
from ..status import FAILURE, RUNNING, SUCCESS, Status


class Wait(Leaf):
    """Succeeds `seconds` after it began, by `context.time`.

    | time since the beginning | wait    |
    |--------------------------|---------|
    | less than `seconds`      | RUNNING |
    | `seconds` or more        | SUCCESS |
    """

    kind = "wait"
    shown_parameters = ("seconds",)

    def __init__(self, seconds: float | Input[float], *, name: str = ""):
        self.seconds = as_input(seconds, float)
        self.name = name

    def check(self) -> None:
        """Reject invalid times."""
        super().check()
        checked_seconds(self.seconds, self.label)

    def enter(self, context: Any) -> None:
        """Start the clock."""
        self._until = context.time + read_seconds(self.seconds, context)

    def tick(self, context: Any) -> Status:
        """Compare with the clock."""
        return RUNNING if context.time < self._until else SUCCESS


class _Timed(Decorator):
    """A decorator with a time in seconds."""

    shown_parameters: ClassVar[tuple[str, ...]] = ("seconds",)

    def __init__(self, child: Node, *, seconds: float | Input[float], name: str = ""):
        super().__init__(child, name=name)
        self.seconds = as_input(seconds, float)

    def check(self) -> None:
        """Reject invalid times."""
        super().check()
        checked_seconds(self.seconds, self.label)


class Delay(_Timed):
    """Waits `seconds` by `context.time`, then runs the child.

    | time since the beginning | the child returns | delay    |
    |--------------------------|-------------------|----------|
    | less than `seconds`      | is not ticked     | RUNNING  |
    | `seconds` or more        | any status        | the same |
    """

    kind = "delay"

    def enter(self, context: Any) -> None:
        """Start the clock."""
        self._from = context.time + read_seconds(self.seconds, context)

    def tick(self, context: Any) -> Status:
        """Wait, or tick the child."""
        if context.time < self._from:
            self.reason = "waits"
            return RUNNING
        self.reason = ""
        return self.child.run(context)


class TimeLimit(_Timed):
    """Lets the child run for at most `seconds`, by `context.time`.

    | time since the beginning | the child returns | time limit                          |
    |--------------------------|-------------------|-------------------------------------|
    | less than `seconds`      | any status        | the same                            |
    | `seconds` or more        | is not ticked     | FAILURE; the child is interrupted   |
    """

    kind = "time_limit"

    def enter(self, context: Any) -> None:
        """Start the clock."""
        self._until = context.time + read_seconds(self.seconds, context)

    def tick(self, context: Any) -> Status:
        """Tick the child until the limit is reached."""
        if context.time < self._until:
            self.reason = ""
            return self.child.run(context)
        self.child.interrupt(context)
        self.reason = "time is up"
        return FAILURE


class Cooldown(_Timed):
    """Fails for `seconds` of `context.time` after the child ended.

    | state                           | the child returns | cooldown                            |
    |---------------------------------|-------------------|-------------------------------------|
    | ready, or the child is running  | SUCCESS           | SUCCESS; the time begins            |
    | ready, or the child is running  | FAILURE           | FAILURE; the time begins if `after` is "end" |
    | ready, or the child is running  | RUNNING           | RUNNING                             |
    | less than `seconds` have passed | is not ticked     | FAILURE                             |

    An interrupted child starts no cooldown. The time continues while the branch is not reached; `Tree.reset` ends it.
    """

    kind = "cooldown"
    shown_parameters = ("seconds", "after")

    def __init__(
        self,
        child: Node,
        *,
        seconds: float | Input[float],
        after: Literal["success", "end"] = "success",
        name: str = "",
    ):
        super().__init__(child, seconds=seconds, name=name)
        self.after = after
        self._ready = -math.inf

    def check(self) -> None:
        """Reject invalid times and an unknown `after`."""
        super().check()
        checked_choice(self.after, ("success", "end"), "after", self.label)

    def forget(self) -> None:
        """End the cooldown."""
        self._ready = -math.inf

    def tick(self, context: Any) -> Status:
        """Tick the child unless it is cooling down."""
        if self.child.status is not RUNNING and context.time < self._ready:
            self.reason = f"not before {self._ready:.6g} s"
            return FAILURE
        self.reason = ""
        status = self.child.run(context)
        if status is SUCCESS or (status is FAILURE and self.after == "end"):
            self._ready = context.time + read_seconds(self.seconds, context)
        return status
