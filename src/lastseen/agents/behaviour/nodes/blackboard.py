"""HasKey and SetKey: test and write keys of the blackboard."""

from __future__ import annotations

from typing import Any

from ..leaf import Leaf
from ..ports import Input, Output, as_input
from ..status import FAILURE, SUCCESS, Status


class HasKey(Leaf):
    """Looks whether a key holds anything but nothing (None).

    | the key                 | has key |
    |-------------------------|---------|
    | was written, not None   | SUCCESS |
    | was not written, is None | FAILURE |
    """

    kind = "has_key"

    def __init__(self, key: Input[Any], *, name: str = ""):
        self.key = key
        self.name = name

    def details(self) -> str:
        """Return the key."""
        return f"key: {self.key}"

    def tick(self, context: Any) -> Status:
        """Look."""
        return FAILURE if context.blackboard.get(self.key.key) is None else SUCCESS


class SetKey(Leaf):
    """Writes a value, or what another key holds, to a key.

    |              | set key |
    |--------------|---------|
    | always       | SUCCESS |
    """

    kind = "set_key"

    def __init__(self, key: Output[Any], value: Input[Any] | Any, *, name: str = ""):
        self.value = as_input(value, Any)
        value_type = Any if self.value.key is not None else type(self.value.value)
        self.key: Output[Any] = Output(key.key, type=value_type if key.type is Any else key.type)
        self.name = name

    def details(self) -> str:
        """Return what is written where."""
        return f"key: {self.key}, value: {self.value}"

    def tick(self, context: Any) -> Status:
        """Write."""
        self.key.write(context, self.value.read(context))
        return SUCCESS
