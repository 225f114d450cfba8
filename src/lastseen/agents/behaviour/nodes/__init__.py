"""The kinds of nodes, each with its truth table."""

from __future__ import annotations

from .blackboard import HasKey, SetKey
from .composites import Selector, Sequence, SequenceWithMemory
from .conditionals import Guard, IfThenElse, Switch, WhileDoElse
from .hinted import HintedSelector, IsHinted, ReactiveHintedSelector, SendHint
from .outcomes import AlwaysFailure, AlwaysRunning, AlwaysSuccess, ForceFailure, ForceSuccess, Invert
from .parallel import Parallel, ParallelAll
from .reactive import ReactiveSelector, ReactiveSequence
from .repetition import Repeat, Retry, RunOnce, UntilFailure
from .subtree import SubTree
from .timers import Cooldown, Delay, TimeLimit, Wait
from .utility import ReactiveUtilitySelector, Scored, UtilitySelector

__all__ = [
    "AlwaysFailure",
    "AlwaysRunning",
    "AlwaysSuccess",
    "Cooldown",
    "Delay",
    "ForceFailure",
    "ForceSuccess",
    "Guard",
    "HasKey",
    "HintedSelector",
    "IfThenElse",
    "Invert",
    "IsHinted",
    "Parallel",
    "ParallelAll",
    "ReactiveHintedSelector",
    "ReactiveSelector",
    "ReactiveSequence",
    "ReactiveUtilitySelector",
    "Repeat",
    "Retry",
    "RunOnce",
    "Scored",
    "Selector",
    "SendHint",
    "Sequence",
    "SequenceWithMemory",
    "SetKey",
    "SubTree",
    "Switch",
    "TimeLimit",
    "UntilFailure",
    "UtilitySelector",
    "Wait",
    "WhileDoElse",
]
