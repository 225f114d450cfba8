"""Leaves every tree may use: constant results, and tests and writes of blackboard keys."""

from __future__ import annotations

import operator as operators
from typing import Any, ClassVar, Literal

from ....errors import BehaviourError
from ..leaf import Leaf
from ..ports import Input, Output, as_input, checked_choice
from ..status import FAILURE, RUNNING, SUCCESS, Status


class _Always(Leaf):
    """A leaf that returns the same status at every tick."""

    result: ClassVar[Status]

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, context: Any) -> Status:  # noqa: ARG002
        """Return the status."""
        return self.result


class AlwaysSuccess(_Always):
    """SUCCESS at every tick."""

    kind = "always_success"
    result = SUCCESS


class AlwaysFailure(_Always):
    """FAILURE at every tick."""

    kind = "always_failure"
    result = FAILURE


class AlwaysRunning(_Always):
    """RUNNING at every tick."""

    kind = "always_running"
    result = RUNNING


class HasKey(Leaf):
    """Tests whether a key holds a value other than None.

    | the key                 | has key |
    |-------------------------|---------|
    | was written, not None   | SUCCESS |
    | was not written, is None | FAILURE |
    """

    kind = "has_key"
    shown_parameters = ("key",)

    def __init__(self, key: Input[Any], *, name: str = ""):
        self.key = key
        self.name = name

    def tick(self, context: Any) -> Status:
        """Test the key."""
        return FAILURE if context.blackboard.get(self.key.key) is None else SUCCESS


_COMPARE = {
    "==": operators.eq,
    "!=": operators.ne,
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
}


class Compare(Leaf):
    """Compares the value of a key with another, or with a constant; by default, tests whether it is true.

    | `value` and `to`                       | compare |
    |----------------------------------------|---------|
    | compare as the operator says           | SUCCESS |
    | do not                                 | FAILURE |
    """

    kind = "compare"
    shown_parameters = ("value", "operator", "to")

    def __init__(
        self,
        value: Input[Any] | Any,
        operator: Literal["==", "!=", "<", "<=", ">", ">="] = "==",
        to: Input[Any] | Any = True,
        *,
        name: str = "",
    ):
        self.value, self.operator, self.to = as_input(value, Any), operator, as_input(to, Any)
        self.name = name

    def check(self) -> None:
        """Reject an unknown operator."""
        super().check()
        checked_choice(self.operator, tuple(_COMPARE), "operator", self.label)

    def tick(self, context: Any) -> Status:
        """Compare the two values."""
        one, other = self.value.read(context), self.to.read(context)
        try:
            holds = _COMPARE[self.operator](one, other)
        except TypeError:
            raise BehaviourError(f"{one!r} and {other!r} cannot be compared by {self.operator}") from None
        self.reason = f"{one} {self.operator} {other}"
        return SUCCESS if holds else FAILURE


class SetKey(Leaf):
    """Writes a value, or the value of another key, to a key.

    |              | set key |
    |--------------|---------|
    | always       | SUCCESS |
    """

    kind = "set_key"
    shown_parameters = ("key", "value")

    def __init__(self, key: Output[Any], value: Input[Any] | Any, *, name: str = ""):
        self.value = as_input(value, Any)
        value_type = Any if self.value.key is not None else type(self.value.value)
        self.key: Output[Any] = Output(key.key, type=value_type if key.type is Any else key.type)
        self.name = name

    def tick(self, context: Any) -> Status:
        """Write the value."""
        self.key.write(context, self.value.read(context))
        return SUCCESS
