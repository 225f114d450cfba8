"""Extensions: what other installed packages add to lastseen through entry points.

A package adds a predictor, a reader, leaves, an experiment, a command or a panel by naming it in a group of its
`pyproject.toml`, such as `[project.entry-points."lastseen.predictors"]`. Nothing of it is imported until it is used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GROUPS", "extension", "extension_folder", "extension_names"]

GROUPS = ("predictors", "readers", "leaves", "experiments", "commands", "panels")
"""What can be added; the group of entry points has the prefix `lastseen.`."""


def extension_names(group: str) -> tuple[str, ...]:
    """Return the names that installed packages offer in a group, sorted, without importing any of them."""
    return tuple(sorted({name for kind, name in _offers(tuple(sys.path)) if kind == group}))


def extension(group: str, name: str) -> Any:
    """Import and return what an installed package offers.

    Raises
    ------
    InputError
        It cannot be imported, or two packages offer the same name; the message names the packages.
    """
    found = _offers(tuple(sys.path))[group, name]
    what = f"{name!r} of {' and '.join(_package(one) for one in found)} (lastseen.{group})"
    if len(found) > 1:
        raise InputError(f"{what} is offered more than once; uninstall all but one of these packages")
    try:
        return found[0].load()
    except Exception as error:  # importing another package may raise anything
        raise InputError(
            f"{what} cannot be loaded: {type(error).__name__}: {error}; fix or uninstall that package"
        ) from error


def extension_folder(group: str, name: str) -> Path:
    """Return the folder of the module that offers something, which `extension` has imported."""
    offer = _offers(tuple(sys.path))[group, name][0]
    file = sys.modules[offer.module].__file__
    if file is None:
        raise InputError(f"{name!r} of {_package(offer)} (lastseen.{group}) has no file; add an __init__.py")
    return Path(file).resolve().parent


def _package(offer: EntryPoint) -> str:
    return f"package {offer.dist.name}" if offer.dist is not None else f"module {offer.module}"


@cache
def _offers(folders: tuple[str, ...]) -> dict[tuple[str, str], list[EntryPoint]]:
    """Return every offer of the packages in some folders of `sys.path`, by group and name."""
    found: dict[tuple[str, str], list[EntryPoint]] = {}
    # Importing importlib.metadata takes half as long as `lastseen --help`; most installations need not.
    if not any(b"[lastseen." in text for folder in folders for text in _entry_points_of(folder)):
        return found
    from importlib.metadata import entry_points

    for group in GROUPS:
        for one in entry_points(group=f"lastseen.{group}"):
            found.setdefault((group, one.name), []).append(one)
    return found


def _entry_points_of(folder: str) -> Iterator[bytes]:
    """Return the list of entry points of each package in a folder of `sys.path`."""
    with suppress(OSError), os.scandir(folder or ".") as entries:
        for entry in entries:
            if entry.name.endswith((".dist-info", ".egg-info")):
                with suppress(OSError):
                    yield Path(entry.path, "entry_points.txt").read_bytes()
