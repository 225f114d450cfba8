"""IfThenElse, WhileDoElse, Switch and Guard: choose a child by a condition or a key."""

from __future__ import annotations

import typing
from typing import Any, Literal

from ....errors import BehaviourError
from ..node import Composite, Node
from ..ports import Input, as_input, checked_choice
from ..status import FAILURE, RUNNING, SUCCESS, Status


class IfThenElse(Composite):
    """Ticks its first child, the condition, then the second if it succeeds, or the third (optional) if it fails.

    | the condition returns | then                                                           |
    |-----------------------|----------------------------------------------------------------|
    | SUCCESS               | the second child, until it ends; its status                    |
    | FAILURE               | the third child, until it ends; its status; FAILURE without one |
    | RUNNING               | RUNNING; the condition is ticked again                         |

    The condition is not ticked again while the chosen child runs: see `WhileDoElse`.
    """

    kind = "if_then_else"
    least, most = 2, 3

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Begin with the condition."""
        self._chosen = 0

    def tick(self, context: Any) -> Status:
        """Tick the condition, or the child it has chosen."""
        if self._chosen == 0:
            held = self.children[0].run(context)
            if held is RUNNING:
                return RUNNING
            self._chosen = 1 if held is SUCCESS else 2
        if self._chosen == len(self.children):
            return FAILURE
        return self.children[self._chosen].run(context)


class WhileDoElse(Composite):
    """Ticks its first child, the condition, at every tick, and the second or the third (optional) by its result.

    | the condition returns | then                                                                        |
    |-----------------------|-----------------------------------------------------------------------------|
    | SUCCESS               | the third child is interrupted; the second is ticked; its status            |
    | FAILURE               | the second child is interrupted; the third is ticked; its status; FAILURE without one |
    | RUNNING               | RUNNING; both are left as they are                                          |

    Unlike in a reactive sequence, the abandoned child is exited before the other is entered.
    """

    kind = "while_do_else"
    least, most = 2, 3

    def tick(self, context: Any) -> Status:
        """Tick the condition, then one child."""
        held = self.children[0].run(context)
        if held is RUNNING:
            return RUNNING
        chosen = 1 if held is SUCCESS else 2
        for at, child in enumerate(self.children):
            if at not in (0, chosen):
                child.interrupt(context)
        if chosen == len(self.children):
            return FAILURE
        return self.children[chosen].run(context)


class Switch(Composite):
    """Ticks the child whose case equals the value of `on`, or the last child if none does.

    | value of `on`                         | the switch                                  |
    |---------------------------------------|---------------------------------------------|
    | equals `cases[i]`                     | the status of child i                       |
    | equals none                           | the status of the last child                |
    | selects another child than last tick  | the previous child is interrupted first     |

    It has one more child than cases. Values are compared as text, so "2" matches the number 2.
    """

    kind = "switch"
    least = 2

    def __init__(self, children: typing.Sequence[Node], *, on: Input[Any] | Any, cases: list[Any], name: str = ""):
        super().__init__(children, name=name)
        self.on = as_input(on, Any)
        self.cases = tuple(cases)
        self._places = {str(case): at for at, case in enumerate(self.cases)}

    def check(self) -> None:
        """Reject cases that do not match the children."""
        super().check()
        if len(self.cases) != len(self.children) - 1:
            raise BehaviourError(
                f"{self.label} has {len(self.cases)} cases and {len(self.children)} children; "
                "give one child for each case and one for all others"
            )
        if len(self._places) != len(self.cases):
            raise BehaviourError(f"{self.label} repeats a case among {', '.join(map(str, self.cases))}")

    def details(self) -> str:
        """Return the value and the cases."""
        return f"on: {self.on}, cases: {', '.join(map(str, self.cases))}"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Begin with no child running."""
        self._running = 0

    def tick(self, context: Any) -> Status:
        """Tick the child of the case."""
        at = self._places.get(str(self.on.read(context)), len(self.cases))
        if at != self._running:
            self.children[self._running].interrupt(context)
            self._running = at
        return self.children[at].run(context)


class Guard(Composite):
    """Ticks its first child, the condition, before every tick of the second.

    | the condition returns | the child         | guard                                                  |
    |-----------------------|-------------------|--------------------------------------------------------|
    | SUCCESS               | returns any status | the same                                              |
    | FAILURE               | is interrupted    | FAILURE, or SUCCESS with `otherwise="success"`         |
    | RUNNING               | is interrupted    | RUNNING                                                |

    With `otherwise="success"` a sequence around it continues once the condition no longer holds.
    """

    kind = "guard"
    _is_pure = True
    least = most = 2

    def __init__(
        self, condition: Node, child: Node, *, otherwise: Literal["failure", "success"] = "failure", name: str = ""
    ):
        super().__init__([condition, child], name=name)
        self.condition, self.child = condition, child
        self.otherwise = otherwise

    def check(self) -> None:
        """Reject an unknown `otherwise`."""
        super().check()
        checked_choice(self.otherwise, ("failure", "success"), "otherwise", self.label)

    def details(self) -> str:
        """Return `otherwise` unless it is the default."""
        return "" if self.otherwise == "failure" else f"otherwise: {self.otherwise}"

    def run(self, context: Any) -> Status:
        """Tick the condition, then the child."""
        old, self.status = self.status, RUNNING
        if self._shared.facts is None:
            status = self.condition.run(context)
        else:  # It rests: see LeafShortcut.
            status = self.condition.repeat()
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
        """Return the reason of the child, or of the condition if that decided."""
        decided = self.child if self._seen[self.child.index] else self.condition
        reason = decided.why()
        return f"{decided.label}: {reason}" if reason else decided.label
