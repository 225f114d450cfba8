"""All leaves of the shipped brains in one registry, for trees in files."""

from __future__ import annotations

import math
from functools import cache

from ....checks import instance_of
from ....errors import BehaviourError, InputError
from ....extensions import extension, extension_names
from ...behaviour.registry import Registry

# Importing a module registers its leaves.
from . import chase, combat, conditions, flight, investigation, movement, patrol, search, speech, teamwork  # noqa: F401
from .brain_leaf import LEAVES

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
"""Blackboard keys of every mind, with their initial values."""


@cache
def brain_leaves() -> Registry:
    """Return the shipped leaves and those of other packages; do not change it (create your own and `include` it)."""
    registry = Registry(keys={key: type(value) for key, value in BLACKBOARD.items()}).include(LEAVES)
    for name in extension_names("leaves"):
        added = instance_of(extension("leaves", name), Registry, f"lastseen.leaves {name!r}", "name a Registry")
        try:
            registry.include(added)
        except BehaviourError as error:
            raise InputError(f"leaves {name!r} of another package: {error}") from error
    return registry
