"""Resolution of file names in a scenario, with a check of whether they may be read."""

from __future__ import annotations

from pathlib import Path

from .faults import Faults


class NamedFiles:
    """Find the files that a scenario names: levels, trees of brains and crews, files and folders of rules.

    Attributes
    ----------
    folder : base of relative names.
    within : nothing outside this folder is read, whether through names or links; None: no restriction. Errors reveal
        nothing about what lies outside, not even whether it exists.
    """

    def __init__(self, faults: Faults, folder: Path, within: Path | None = None):
        self._faults, self.folder = faults, folder
        self.within = None if within is None else within.resolve()

    def exists(self, name: str) -> bool:
        """Return whether a file or folder of this name exists; call `allows` first."""
        try:
            return bool(name) and (self.folder / name).exists()
        except (OSError, ValueError):
            return False

    def place(self, name: str) -> Path:
        """Return the path of a name."""
        return self.folder / name

    def allows(self, path: tuple[str | int, ...], name: str) -> bool:
        """Return whether the file named at `path` of the scenario may be read; if not, add a fault."""
        if self.within is None or (outside := self._outside(name, self.within)) is None:
            return True
        self._faults.add(
            path, f"{outside!r} is not in the folder that is open", "name a file in it, relative to the scenario"
        )
        return False

    def _outside(self, name: str, within: Path) -> str | None:
        """Return the name, or a link in the folder of that name, that leads outside; None if nothing does."""
        try:
            place = self.folder / name
            if not place.resolve().is_relative_to(within):
                return name
            inner = sorted(place.rglob("*")) if place.is_dir() else []
            return next(
                (f"{name}/{one.relative_to(place).as_posix()}" for one in inner if _leads_out(one, within)), None
            )
        except (OSError, ValueError, RuntimeError):
            return name


def _leads_out(place: Path, within: Path) -> bool:
    return not place.resolve().is_relative_to(within)
