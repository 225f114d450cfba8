"""Ports: read and write the blackboard under keys chosen by the tree, and read times given as numbers or keys.

The blackboard is `context.blackboard`, any mutable mapping from names to values. Subtrees rename the ports of the nodes
in them; keys that a node names in its `reads` and `writes` belong to the agent and mean the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from ...errors import BehaviourError

Value = TypeVar("Value")


class Input(Generic[Value]):
    """A value written in the tree, or the key that holds it: `Input(2.5)` or `Input(key="speed")`."""

    __slots__ = ("key", "type", "value")

    def __init__(self, value: Value | None = None, *, key: str | None = None, type: Any = Any):
        self.key = key
        self.value = value
        self.type = type

    def read(self, context: Any) -> Value:
        """Return the current value."""
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
        """Write the value to the key."""
        context.blackboard[self.key] = value

    def renamed(self, key: str) -> Output[Value]:
        """Return the same port under another key."""
        return Output(key, type=self.type)

    def __str__(self) -> str:
        return f"${self.key}"


def as_input(value: Any, type: Any) -> Input[Any]:
    """Return a parameter as an `Input` of a type; an existing port without a type receives it."""
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


def checked_seconds(seconds: Input[Any], label: str) -> None:
    """Raise a BehaviourError unless a time written in the tree is a finite number of seconds, at least 0."""
    if seconds.key is None and not _is_time(seconds.value):
        raise BehaviourError(f"{label} has {seconds.value!r} seconds; give a finite number, at least 0")


def read_seconds(seconds: Input[Any], context: Any) -> float:
    """Return the current value of a time in seconds."""
    value = seconds.read(context)
    if seconds.key is not None and not _is_time(value):
        raise BehaviourError(f"key {seconds.key!r} holds {value!r}; a time is a finite number of seconds, at least 0")
    return float(value)


def _is_time(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


def checked_choice(value: object, choices: tuple[str, ...], name: str, label: str) -> None:
    """Raise a BehaviourError unless a parameter is one of its choices."""
    if value not in choices:
        raise BehaviourError(f"{name!r} of {label} is {value!r}; give one of {', '.join(choices)}")
