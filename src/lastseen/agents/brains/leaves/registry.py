"""All leaves of the ready brains in one registry, for trees in files."""

from __future__ import annotations

import math
from functools import cache

from ....checks import thing_of
from ....errors import BehaviourError, InputError
from ....extensions import extension, extension_names
from ...behaviour.registry import Registry
from . import attacks, chase, conditions, crew_directions, crew_duties, flight, investigation
from .attacks import Shoot, Strike
from .chase import Approach, Approached, Predict, WatchPlace
from .crew_directions import Notify, Request, SayAsTold, TakeStand
from .crew_duties import BeAsTold, GetsRole, LeaveSearch, NoteAwaited, TakeWorry
from .flight import ChooseEscape, ChooseExit, ChooseRefuge, ChooseWayBack, Crouch, Hide, LeaveHiding, ShakeOff
from .footwork import Dodge, KeepDistance
from .investigation import CalmDown, CloseCall, JoinSearch, ShutDoor, Stare, StartSearch, Suspect, TakeCall
from .movement import GoTo, LookRound, Pursue, ReturnToPost, StandStill, TurnTo
from .patrol import ChooseAhead, ChooseFar, FollowPatrol, GoBack
from .search import ChooseSearchPlace, GiveUp, GoSearching, OpenSpot
from .speech import Alarm, Bark, Be, Say

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
    "foe": -1,
    "awaited": -1,
    "awaited_at": (),
    "awaited_since": -math.inf,
    "heard_of": -math.inf,
    "worries_until": -math.inf,
    "talks": False,
    "talked": -math.inf,
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
    *(Notify, Request, SayAsTold, TakeStand),
    *(BeAsTold, GetsRole, LeaveSearch, NoteAwaited, TakeWorry),
    *(Dodge, KeepDistance, Shoot, Strike),
)
_TARGET = (
    *("sees_intruder", "knows_intruder", "has_lost_intruder", "notices_something"),
    *("is_suspicious", "is_told", "should_approach", "holds_ground", "has_foe"),
)
_HELPERS = ("guards_in_sight", "line_of_fire", "obeyed_keys")
"""Functions of leaves that are no conditions."""


@cache
def brain_leaves() -> Registry:
    """Return the registry with the leaves of other packages; do not change it (make your own and `include` it)."""
    registry = Registry(keys={key: type(value) for key, value in BLACKBOARD.items()})
    for leaf in _LEAVES:
        registry.leaf(leaf)
    for place in (conditions, chase, crew_directions, attacks, investigation, crew_duties, flight):
        for name in place.__all__:
            if name.islower() and name not in _HELPERS:
                registry.condition(getattr(place, name), writes={"target": int} if name in _TARGET else {})
    for name in extension_names("leaves"):
        added = thing_of(extension("leaves", name), Registry, f"lastseen.leaves {name!r}", "name a Registry")
        try:
            registry.include(added)
        except BehaviourError as error:
            raise InputError(f"leaves {name!r} of another package: {error}") from error
    return registry
