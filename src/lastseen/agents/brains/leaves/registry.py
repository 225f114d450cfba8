"""All leaves of the ready brains in one registry, for trees in files."""

from __future__ import annotations

import math
from functools import cache

from ...behaviour.registry import Registry
from . import approaching, fleeing, hiding, investigating, senses, suspecting
from .approaching import Approach, Approached, WatchPlace
from .chasing import Predict
from .fleeing import ChooseEscape, ChooseExit, ChooseRefuge, ChooseWayBack, ShakeOff
from .hiding import Crouch, Hide, LeaveHiding
from .investigating import CloseCall, JoinSearch, ShutDoor, StartSearch, TakeCall
from .looking import LookRound, TurnTo
from .moving import GoTo, Pursue, ReturnToPost, StandStill
from .patrolling import FollowPatrol, GoBack
from .roaming import ChooseAhead, ChooseFar
from .searching import ChooseSearchPlace, GiveUp, GoSearching, OpenSpot
from .suspecting import CalmDown, Stare, Suspect
from .talking import Alarm, Bark, Be, Say

__all__ = ["BLACKBOARD", "brain_leaves"]

BLACKBOARD: dict[str, object] = {
    "patrol": "",
    "patrol_at": 0,
    "chased": -1.0,
    "approach": False,
    "call": -1,
    "call_kind": "",
    "call_hostile": False,
    "call_about": -1,
    "call_until": -1.0,
    "noticed": -math.inf,
    "noticed_at": (),
    "suspects_until": -1.0,
    "hunted": -math.inf,
    "hunted_at": (),
    "to": "",
    "voice": "",
}
"""Keys every mind brings along, with their start values."""

_LEAVES = (
    *(
        Alarm,
        Bark,
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
    *(Approach, Approached, CalmDown, JoinSearch, ShutDoor, StartSearch, Suspect, WatchPlace, GoBack),
    *(ReturnToPost, Say, StandStill, Stare, TakeCall, TurnTo),
    *(ChooseEscape, ChooseExit, ChooseRefuge, ChooseWayBack, Crouch, Hide, LeaveHiding, ShakeOff),
    *(ChooseAhead, ChooseFar),
)
_TARGET = (
    *("sees_intruder", "knows_intruder", "has_lost_intruder", "notices_something"),
    *("is_suspicious", "is_told", "should_approach", "holds_ground"),
)


@cache
def brain_leaves() -> Registry:
    """Return the registry; one for all, do not change it (make your own and `include` it)."""
    registry = Registry(keys={key: type(value) for key, value in BLACKBOARD.items()})
    for leaf in _LEAVES:
        registry.leaf(leaf)
    for place in (senses, approaching, investigating, suspecting, fleeing, hiding):
        for name in place.__all__:
            if name.islower():
                registry.condition(getattr(place, name), writes={"target": int} if name in _TARGET else {})
    return registry
