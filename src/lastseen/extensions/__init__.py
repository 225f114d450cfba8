"""Extensions: what other installed packages add to lastseen through entry points.

A package adds a predictor, a reader, leaves, an experiment, a command or a panel by naming it in a group of its
`pyproject.toml`, such as `[project.entry-points."lastseen.predictors"]`. Nothing of it is imported until it is used.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "GROUPS",
    "code_place",
    "extension",
    "extension_folder",
    "extension_names",
    "is_module_name",
    "named_object",
    "own_names",
    "own_used",
    "use_own",
]

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


def is_module_name(text: Any) -> bool:
    """Return whether a text has the form MODULE:NAME, as in "my_game.leaves:registry"."""
    if not isinstance(text, str):
        return False
    module, colon, name = text.partition(":")
    return bool(colon) and name.isidentifier() and all(part.isidentifier() for part in module.split("."))


def named_object(text: str, what: str) -> Any:
    """Import MODULE:NAME, also from the current folder, and return the object.

    Raises
    ------
    InputError
        The text has another form, the module cannot be imported, or it has no such name.
    """
    if not is_module_name(text):
        raise InputError(f"{what} is {text!r}; give MODULE:NAME, such as my_game.guards:{what}")
    module, _, name = text.partition(":")
    sys.path.insert(0, "")  # find modules in the current folder, as `python -m` does
    try:
        home = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise InputError(f"{what} {text}: importing {module} failed: {error}") from error
        hint = f"write {module.removesuffix('.py')}:{name}" if module.endswith(".py") else "check its name"
        raise InputError(f"{what} {text}: no module {module!r} in {Path.cwd()} or installed; {hint}") from None
    except (Exception, SystemExit) as error:  # importing another program's code may raise anything
        words = f"{type(error).__name__}: {error}{code_place(error)}"
        advice = '; put what the program does itself under `if __name__ == "__main__":`'
        raise InputError(
            f"{what} {text}: importing {module} failed: {words}{advice * isinstance(error, SystemExit)}"
        ) from error
    finally:
        sys.path.remove("")
    if not hasattr(home, name):
        have = [one for one in vars(home) if not one.startswith("_")]
        raise InputError(f"{what} {text}: {module} has no {name!r}{did_you_mean(name, have)}; it has {', '.join(have)}")
    return getattr(home, name)


def code_place(error: BaseException, function: Any = None) -> str:
    """Return where the code of a user raised, as in " (my_leaves.py:12, in think)"; empty if none of it was involved.

    If the user's `function` only returned something wrong, this is where it begins.
    """
    import sysconfig
    import traceback

    package = sys.modules[__name__.partition(".")[0]].__path__[0] + os.sep
    frames = [(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    code = getattr(function, "__code__", None)
    frames = [(code, code.co_firstlineno), *frames] if code is not None else frames
    theirs = [one for one in frames if not one[0].co_filename.startswith(package)]
    if not theirs:
        return ""
    libraries = tuple(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    # Dataclasses and the like run generated code, which has no file.
    own = [one for one in theirs if not one[0].co_filename.startswith((*libraries, "<string>"))]
    code, line = (own or theirs)[-1]
    path = Path(code.co_filename)
    shown_path = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f" ({shown_path}:{line}, in {code.co_name})"


def own_names(group: str) -> tuple[str, ...]:
    """Return what the program named as its own in a group, as MODULE:NAME."""
    return tuple(filter(None, os.environ.get(_variable(group), "").split(",")))


def use_own(group: str, text: str) -> Any:
    """Import MODULE:NAME and use it as the program's own in this process and those it starts; return the object."""
    found = named_object(text, "leaves" if group == "leaves" else group.removesuffix("s"))
    os.environ[_variable(group)] = ",".join(dict.fromkeys((*own_names(group), text)))
    return found


@contextmanager
def own_used(group: str, text: str) -> Iterator[None]:
    """Use MODULE:NAME as the program's own within the block; see `use_own`."""
    before = os.environ.get(_variable(group))
    use_own(group, text)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_variable(group), None)
        else:
            os.environ[_variable(group)] = before


def _variable(group: str) -> str:
    return f"LASTSEEN_{group.upper()}"


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
