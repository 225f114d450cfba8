"""The kinds of nodes every tree may use, each with its truth table."""

from __future__ import annotations

from ..node import Node
from .composites import ReactiveSelector, ReactiveSequence, Selector, Sequence, SequenceWithMemory
from .conditionals import Guard, IfThenElse, Switch, WhileDoElse
from .decorators import ForceFailure, ForceSuccess, Invert, Repeat, Retry, RunOnce, SubTree, UntilFailure
from .hinted import HintedSelector, IsHinted, ReactiveHintedSelector, SendHint
from .leaves import AlwaysFailure, AlwaysRunning, AlwaysSuccess, Compare, HasKey, SetKey
from .parallel import Parallel, ParallelAll
from .timers import Cooldown, Delay, TimeLimit, Wait
from .utility import ReactiveUtilitySelector, Scored, UtilitySelector

_KINDS: tuple[type[Node], ...] = (
    *(Sequence, ReactiveSequence, SequenceWithMemory, Selector, ReactiveSelector),
    *(UtilitySelector, ReactiveUtilitySelector, HintedSelector, ReactiveHintedSelector),
    *(Parallel, ParallelAll, IfThenElse, WhileDoElse, Switch, Guard),
    *(Invert, ForceSuccess, ForceFailure, UntilFailure, Retry, Repeat, RunOnce),
    *(Cooldown, TimeLimit, Delay, Scored, SubTree),
    *(Wait, SetKey, HasKey, Compare, IsHinted, SendHint, AlwaysSuccess, AlwaysFailure, AlwaysRunning),
)
KINDS: dict[str, type[Node]] = {kind.kind: kind for kind in _KINDS}
"""Node classes by the name they have in files."""
