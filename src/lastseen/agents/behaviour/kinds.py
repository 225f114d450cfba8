"""The kinds of nodes every tree may use, by the name they have in files."""

from __future__ import annotations

from .node import Node
from .nodes import (
    AlwaysFailure,
    AlwaysRunning,
    AlwaysSuccess,
    Cooldown,
    Delay,
    ForceFailure,
    ForceSuccess,
    Guard,
    HasKey,
    IfThenElse,
    Invert,
    Parallel,
    ParallelAll,
    ReactiveSelector,
    ReactiveSequence,
    ReactiveUtilitySelector,
    Repeat,
    Retry,
    RunOnce,
    Scored,
    Selector,
    Sequence,
    SequenceWithMemory,
    SetKey,
    SubTree,
    Switch,
    TimeLimit,
    UntilFailure,
    UtilitySelector,
    Wait,
    WhileDoElse,
)

__all__ = ["KINDS"]

KINDS: dict[str, type[Node]] = {
    kind.kind: kind
    for kind in (
        Sequence,
        ReactiveSequence,
        SequenceWithMemory,
        Selector,
        ReactiveSelector,
        UtilitySelector,
        ReactiveUtilitySelector,
        Parallel,
        ParallelAll,
        IfThenElse,
        WhileDoElse,
        Switch,
        Guard,
        Invert,
        ForceSuccess,
        ForceFailure,
        UntilFailure,
        Retry,
        Repeat,
        RunOnce,
        Cooldown,
        TimeLimit,
        Delay,
        Scored,
        SubTree,
        Wait,
        SetKey,
        HasKey,
        AlwaysSuccess,
        AlwaysFailure,
        AlwaysRunning,
    )
}
