"""Where the commands get trees and leaves from: files or ready brains; the ready leaves or a program's own."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...errors import InputError

if TYPE_CHECKING:
    from ...agents.behaviour.definition import TreeFile
    from ...agents.behaviour.registry import Registry

__all__ = ["ANY", "leaves_option", "read_tree_source", "registry_of"]

Command = TypeVar("Command", bound=Callable[..., Any])

ANY, CREWS = "any", "crews"

leaves_option = click.option(
    "--leaves",
    metavar="MODULE:NAME",
    help="A registry of your own, or a function that returns one; 'crews': what trees of crews may use; 'any' takes "
    "every leaf.  [those of the ready brains]",
)


def read_tree_source(source: str) -> TreeFile:
    """Return the trees of a file, of a ready brain by its name, or of a ready crew by its objective."""
    from ...agents.behaviour.read import read_trees
    from ...agents.brains.ready import BRAINS, ready_brain
    from ...agents.crews.ready import ready_crew_trees, ready_crews

    if source in BRAINS and not Path(source).exists():
        return ready_brain(source)
    if source in ready_crews() and not Path(source).exists():
        return ready_crew_trees()[source]
    return read_trees(source)


def registry_of(leaves: str | None) -> tuple[Registry, bool]:
    """Return the leaves trees may use, and whether others are taken as they are."""
    from ...agents.behaviour.registry import Registry

    if leaves is None:
        from ...agents.brains.leaves.registry import brain_leaves

        return brain_leaves(), False
    if leaves == CREWS:
        from ...agents.crews.leaves import crew_leaves

        return crew_leaves(), False
    if leaves == ANY:
        return Registry(), True
    module, _, name = leaves.partition(":")
    if not module or not name:
        raise InputError(f"--leaves is {leaves!r}; give MODULE:NAME, as my_game.leaves:registry, 'crews' or 'any'")
    sys.path.insert(0, "")  # a program beside the tree file, as `python -m` would find it
    try:
        found = getattr(importlib.import_module(module), name)
        found = found() if callable(found) else found
    except Exception as error:  # whatever a program of the user's does when it is imported
        raise InputError(f"--leaves {leaves}: cannot be had: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove("")
    if not isinstance(found, Registry):
        raise InputError(f"--leaves {leaves} is a {type(found).__name__}; name a Registry")
    return found, False
