"""Find the trees and leaves that commands are given: files or built-in brains, built-in or custom leaves."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ....errors import InputError

if TYPE_CHECKING:
    from ....agents.behaviour.files.definition import TreeFile
    from ....agents.behaviour.registry import Registry

Command = TypeVar("Command", bound=Callable[..., Any])

ANY, CREWS = "any", "crews"

leaves_option = click.option(
    "--leaves",
    metavar="MODULE:NAME",
    help="Your own registry or a function that returns one; 'crews' for the leaves of crew trees; 'any' accepts "
    "every leaf.  [leaves of the built-in brains]",
)


def read_tree_source(source: str) -> TreeFile:
    """Return the trees of a file, of a built-in brain by name, or of a built-in crew by objective."""
    from ....agents.behaviour.files.read import read_trees
    from ....agents.brains.shipped_brains import BRAINS, ready_brain
    from ....agents.crews.crew_trees import ready_crew_trees, ready_crews

    if source in BRAINS and not Path(source).exists():
        return ready_brain(source)
    if source in ready_crews() and not Path(source).exists():
        return ready_crew_trees()[source]
    return read_trees(source)


def registry_of(leaves: str | None) -> tuple[Registry, bool]:
    """Return the leaves trees may use, and whether unknown leaves are accepted."""
    from ....agents.behaviour.registry import Registry

    if leaves is None:
        from ....agents.brains.leaves.registry import brain_leaves

        return brain_leaves(), False
    if leaves == CREWS:
        from ....agents.crews.crew_trees import crew_leaves

        return crew_leaves(), False
    if leaves == ANY:
        return Registry(), True
    module, _, name = leaves.partition(":")
    if not module or not name:
        raise InputError(f"--leaves is {leaves!r}; give MODULE:NAME, such as my_game.leaves:registry, 'crews' or 'any'")
    sys.path.insert(0, "")  # find modules in the current folder, as `python -m` does
    try:
        found = getattr(importlib.import_module(module), name)
        found = found() if callable(found) else found
    except Exception as error:  # importing user code may raise anything
        raise InputError(f"--leaves {leaves}: import failed: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove("")
    if not isinstance(found, Registry):
        raise InputError(f"--leaves {leaves} is a {type(found).__name__}; name a Registry")
    return found, False
