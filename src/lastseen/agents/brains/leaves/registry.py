"""All leaves of the ready brains in one registry, for trees in files."""

from __future__ import annotations

from functools import cache

from ...behaviour.registry import Registry
from . import fleeing, senses
from .chasing import Predict
from .fleeing import ChooseEscape, ChooseExit, ChooseRefuge, Crouch, Hide, LeaveHiding
from .investigating import CloseCall, TakeCall
from .looking import LookRound, Stare, TurnTo
from .moving import GoTo, Pursue, ReturnToPost, StandStill
from .patrolling import FollowPatrol
from .searching import ChooseSearchPlace, GiveUp, GoSearching, OpenSpot
from .talking import Alarm, Be, Say

__all__ = ["BLACKBOARD", "brain_leaves"]

BLACKBOARD: dict[str, object] = {"patrol": "", "patrol_at": 0, "chased": -1.0}
"""Keys every mind brings along, with their start values."""

_LEAVES = (
    *(
        Alarm,
        Be,
        ChooseSearchPlace,
        CloseCall,
        FollowPatrol,
        GiveUp,
        GoSearching,
        GoTo,
        LookRound,
        OpenSpot,
        Predict,
        Pursue,
    ),
    *(ReturnToPost, Say, StandStill, Stare, TakeCall, TurnTo),
    *(ChooseEscape, ChooseExit, ChooseRefuge, Crouch, Hide, LeaveHiding),
)
_TARGET = ("sees_intruder", "knows_intruder", "has_lost_intruder", "notices_something")


@cache
def brain_leaves() -> Registry:
    """Return the registry; one for all, do not change it (make your own and `include` it)."""
    registry = Registry(keys={key: type(value) for key, value in BLACKBOARD.items()})
    for leaf in _LEAVES:
        registry.leaf(leaf)
    for name in senses.__all__:
        registry.condition(getattr(senses, name), writes={"target": int} if name in _TARGET else {})
    for condition in (fleeing.is_hidden, fleeing.is_hunted, fleeing.is_in_danger):
        registry.condition(condition)
    return registry
