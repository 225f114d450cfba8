"""Ports: how a node reads and writes the blackboard without knowing the name of the key.

The blackboard is `context.blackboard`, any mutable mapping from names to values. Ports are renamed by the subtrees they
stand in; keys a node names in its `reads` and `writes` are the agent's own and mean the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from ...errors import BehaviourError

__all__ = ["Input", "Output", "as_input", "ports_of"]

Value = TypeVar("Value")


class Input(Generic[Value]):
    """A value that is written in the tree, or a key under which it is found: `Input(2.5)` or `Input(key="speed")`."""

    __slots__ = ("key", "type", "value")

    def __init__(self, value: Value | None = None, *, key: str | None = None, type: Any = Any):
        self.key = key
        self.value = value
        self.type = type

    def read(self, context: Any) -> Value:
        """Return the value as it is now."""
        if self.key is None:
            return self.value  # type: ignore[return-value]
        try:
            found: Value = context.blackboard[self.key]
        except KeyError:
            raise BehaviourError(
                f"nothing has been written to key {self.key!r} yet; write it earlier or give it a start value"
            ) from None
        return found

    def renamed(self, key: str) -> Input[Value]:
        """Return the same port under another key."""
        return Input(key=key, type=self.type)

    def __str__(self) -> str:
        return str(self.value) if self.key is None else f"${self.key}"


class Output(Generic[Value]):
    """A key a node writes to: `Output("goal")`."""

    __slots__ = ("key", "type")

    def __init__(self, key: str, *, type: Any = Any):
        self.key = key
        self.type = type

    def write(self, context: Any, value: Value) -> None:
        """Write the value for whoever reads the key."""
        context.blackboard[self.key] = value

    def renamed(self, key: str) -> Output[Value]:
        """Return the same port under another key."""
        return Output(key, type=self.type)

    def __str__(self) -> str:
        return f"${self.key}"


def as_input(value: Any, type: Any) -> Input[Any]:
    """Return a parameter as a port of a type: a value stays what it is, a port learns its type."""
    if not isinstance(value, Input):
        return Input(value, type=type)
    if value.type is not Any or value.key is None:
        return value
    return Input(key=value.key, type=type)


def ports_of(attributes: dict[str, Any]) -> Iterator[tuple[str, Input[Any] | Output[Any]]]:
    """Yield the ports with a key among an object's attributes."""
    for name, value in attributes.items():
        if isinstance(value, Output) or (isinstance(value, Input) and value.key is not None):
            yield name, value
