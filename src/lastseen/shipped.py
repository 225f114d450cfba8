"""Files shipped with lastseen: levels, trees, queries, rules, scenarios, the studio's page; and code that is not."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from .checks import shown
from .errors import InputError, did_you_mean


def package_folder(package: str, folder: str = "") -> Path:
    """Return the path of a folder of a package, as in `"lastseen.simulation", "scenarios"`."""
    return Path(str(resources.files(package))) / folder


class Shipped:
    """The files of one kind in a folder of a package and in its subfolders; no two have the same name.

    Parameters
    ----------
    noun : what one of them is called in errors.
    package, folder : where they are, as in `"lastseen.simulation", "scenarios"`.
    suffix : the ending of their file names; empty for folders.
    names : those that may be asked for; all files with the suffix if not given.
    """

    def __init__(
        self, noun: str, package: str, folder: str = "", *, suffix: str = ".yaml", names: Iterable[str] | None = None
    ):
        self._noun, self._suffix = noun, suffix
        self._folder = package_folder(package, folder)
        self._names = None if names is None else tuple(names)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names, without suffix; sorted unless given."""
        return tuple(sorted(self._paths)) if self._names is None else self._names

    @cached_property
    def _paths(self) -> dict[str, Path]:
        files = self._folder.rglob(f"*{self._suffix}")
        return {file.name.removesuffix(self._suffix): file for file in files}

    def path(self, name: str) -> Path:
        """Return the path of a file; raise InputError for an unknown name."""
        if not isinstance(name, str) or name not in self.names:
            hint = did_you_mean(name, self.names)
            raise InputError(f"no {self._noun} {shown(name)}{hint}; there are {', '.join(self.names)}")
        return self._folder / f"{name}{self._suffix}" if self._names is not None else self._paths[name]

    def text(self, name: str) -> str:
        """Return the content of a file; raise InputError for an unknown name."""
        return self.path(name).read_text(encoding="utf-8")


def code_place(error: BaseException, function: Any = None) -> str:
    """Return where the code of a user raised, as in " (my_leaves.py:12, in think)"; empty if none of it was involved.

    If the user's `function` only returned something wrong, this is where it begins.
    """
    import sysconfig
    import traceback

    package = str(package_folder("lastseen")) + os.sep
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
