"""Leaves every tree may use: constant results, and tests and writes of blackboard keys."""

from __future__ import annotations

from typing import Any, ClassVar

from ..leaf import Leaf
from ..ports import Input, Output, as_input
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
