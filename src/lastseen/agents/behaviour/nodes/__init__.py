"""The kinds of nodes, one a file, each with its truth table."""

from __future__ import annotations

from .constants import AlwaysFailure, AlwaysRunning, AlwaysSuccess
from .cooldown import Cooldown
from .delay import Delay
from .force_failure import ForceFailure
from .force_success import ForceSuccess
from .guard import Guard
from .has_key import HasKey
from .hinted_selector import HintedSelector
from .if_then_else import IfThenElse
from .invert import Invert
from .is_hinted import IsHinted
from .parallel import Parallel
from .parallel_all import ParallelAll
from .reactive_hinted_selector import ReactiveHintedSelector
from .reactive_selector import ReactiveSelector
from .reactive_sequence import ReactiveSequence
from .reactive_utility_selector import ReactiveUtilitySelector
from .repeat import Repeat
from .retry import Retry
from .run_once import RunOnce
from .scored import Scored
from .selector import Selector
from .send_hint import SendHint
from .sequence import Sequence
from .sequence_with_memory import SequenceWithMemory
from .set_key import SetKey
from .subtree import SubTree
from .switch import Switch
from .time_limit import TimeLimit
from .until_failure import UntilFailure
from .utility_selector import UtilitySelector
from .wait import Wait
from .while_do_else import WhileDoElse

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
