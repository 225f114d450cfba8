"""The registry to which leaves of the shipped brains add themselves, and what these leaves have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ...behaviour.leaf import Leaf
from ...behaviour.node import ALWAYS
from ...behaviour.registry import Registry
from ...behaviour.status import Status
from ..facts import woken_by
from ..mind import Mind

LEAVES = Registry()
"""All leaves of the shipped brains, without those of other packages; see `brain_leaves`."""
Answer = tuple[bool, str]
"""Result of a condition: whether it holds, and why."""

TARGET: Mapping[str, Any] = {"target": int}
"""Blackboard key of the column of the target, as `reads` or `writes` of a leaf."""
GOAL_PLACE: Mapping[str, Any] = {"goal": tuple}
"""Blackboard key of the place to go to, as `reads` or `writes` of a leaf."""
NONE: Mapping[str, Any] = {}

Function = TypeVar("Function", bound=Callable[..., Any])
LeafClass = TypeVar("LeafClass", bound=type[Leaf])


def condition(facts: int = ALWAYS, *, writes: Mapping[str, Any] = NONE) -> Callable[[Function], Function]:
    """Register a condition under the name of its function.

    Parameters
    ----------
    facts : the facts that wake it, as bits; see `woken_by`.
    writes : blackboard keys it writes, with their types.
    """

    def add(function: Function) -> Function:
        LEAVES.condition(function, writes=writes)
        return woken_by(facts)(function)

    return add


def action(*, reads: Mapping[str, Any] = NONE, writes: Mapping[str, Any] = NONE) -> Callable[[Function], Function]:
    """Register an action under the name of its function; `reads` and `writes` are blackboard keys with their types."""

    def add(function: Function) -> Function:
        LEAVES.action(function, reads=reads, writes=writes)
        return function

    return add


def leaf(given: LeafClass) -> LeafClass:
    """Register a class of leaves under its `kind`."""
    LEAVES.leaf(given)
    return given


class BrainLeaf(Leaf):
    """A leaf without parameters; classes with parameters have a constructor of their own."""

    def __init__(self, *, name: str = ""):
        self.name = name


class MovingLeaf(BrainLeaf):
    """A leaf after which the agent stops, whether it ended or was interrupted."""

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Stop, and look ahead again."""
        mind.stand()
