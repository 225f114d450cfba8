"""Switch: what to do depends on a key of the blackboard."""

from __future__ import annotations

import typing
from typing import Any

from ....errors import BehaviourError
from ..node import Composite, Node
from ..ports import Input, as_input
from ..status import Status

__all__ = ["Switch"]


class Switch(Composite):
    """Ticks the child whose case equals the value of `on`, else the last child, the default.

    | value of `on`                         | the switch                                  |
    |---------------------------------------|---------------------------------------------|
    | equals `cases[i]`                     | the status of child i                       |
    | equals none                           | the status of the last child                |
    | leads to another child than last tick | that one is interrupted before this is ticked |

    It has one child more than cases. Text matches a number or an enumeration by what it says.
    """

    kind = "switch"
    least = 2

    def __init__(self, children: typing.Sequence[Node], *, on: Input[Any] | Any, cases: list[Any], name: str = ""):
        super().__init__(children, name=name)
        self.on = as_input(on, Any)
        self.cases = tuple(cases)
        self._places = {str(case): at for at, case in enumerate(self.cases)}

    def check(self) -> None:
        """Refuse cases that do not fit the children."""
        super().check()
        if len(self.cases) != len(self.children) - 1:
            raise BehaviourError(
                f"{self.label} has {len(self.cases)} cases and {len(self.children)} children; "
                "give one child for each case and one more for all others"
            )
        if len(self._places) != len(self.cases):
            raise BehaviourError(f"{self.label} has a case twice among {', '.join(map(str, self.cases))}")

    def details(self) -> str:
        """Return what is looked at, and the cases."""
        return f"on: {self.on}, cases: {', '.join(map(str, self.cases))}"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Nothing runs yet."""
        self._running = 0

    def tick(self, context: Any) -> Status:
        """Tick the child of the case."""
        at = self._places.get(str(self.on.read(context)), len(self.cases))
        if at != self._running:
            self.children[self._running].interrupt(context)
            self._running = at
        return self.children[at].run(context)
