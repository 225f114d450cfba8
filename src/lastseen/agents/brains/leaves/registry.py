"""All leaves of the shipped brains in one registry, for trees in files."""

from __future__ import annotations

import math
from functools import cache

from ....checks import instance_of
from ....errors import BehaviourError, InputError
from ....extensions import code_place, extension, extension_names, named_object, own_names
from ...behaviour.registry import Registry

# Importing a module registers its leaves.
from . import (  # noqa: F401
    chase,
    combat,
    conditions,
    danger,
    evasion,
    flight,
    investigation,
    layers,
    movement,
    objects,
    patrol,
    places,
    search,
    speech,
    teamwork,
    territory,
)
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
    "task_at": 0,
    "task_left": -1.0,
    "swarmed": -math.inf,
}
"""Blackboard keys of every mind, with their initial values."""


def brain_leaves() -> Registry:
    """Return the leaves trees may use: the shipped ones, those of other packages, and the program's own (`--leaves`).

    Do not change it: create a registry of your own and `include` it.
    """
    return _brain_leaves(own_names("leaves"))


@cache
def _brain_leaves(own: tuple[str, ...]) -> Registry:
    registry = _shipped_leaves()
    for text in own:
        registry = joined_leaves(own_registry(text), registry)
    return registry


def own_registry(text: str) -> Registry:
    """Return the registry that MODULE:NAME is, or that it returns if it is a function."""
    found = named_object(text, "leaves")
    if callable(found) and not isinstance(found, Registry):
        try:
            found = found()
        except (Exception, SystemExit) as error:  # another program's code may raise anything
            raise InputError(f"leaves {text}: {type(error).__name__}: {error}{code_place(error)}") from error
    return instance_of(found, Registry, f"leaves {text}", "name a lastseen.trees.Registry")


def joined_leaves(own: Registry, shipped: Registry) -> Registry:
    """Return a program's own leaves with the shipped ones, unless it has included those itself."""
    if all(name in own.leaves for name in LEAVES.leaves):
        return own
    try:
        return Registry(keys=dict(shipped.keys)).include(shipped).include(own)
    except BehaviourError as error:
        raise InputError(f"your leaves: {error}") from error


def _shipped_leaves() -> Registry:
    registry = Registry(keys={key: type(value) for key, value in BLACKBOARD.items()}).include(LEAVES)
    for name in extension_names("leaves"):
        added = instance_of(extension("leaves", name), Registry, f"lastseen.leaves {name!r}", "name a Registry")
        try:
            registry.include(added)
        except BehaviourError as error:
            raise InputError(f"leaves {name!r} of another package: {error}") from error
    return registry
