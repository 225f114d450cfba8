"""Files shipped with lastseen: levels, trees, queries, rules, scenarios, the studio's page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from importlib import resources
from pathlib import Path

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
