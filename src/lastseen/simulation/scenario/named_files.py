"""Which file does a scenario mean by a name, and may it be read?"""

from __future__ import annotations

from pathlib import Path

from .faults import Faults

__all__ = ["NamedFiles"]


class NamedFiles:
    """Finds whatever a scenario names beside itself: levels, trees of brains and crews, files and folders of rules.

    Attributes
    ----------
    folder : names are seen from here.
    within : nothing outside this folder is read, whether names or links lead there; None: everything may be. Who
        names something outside is told nothing of it, not even whether it is there.
    """

    def __init__(self, faults: Faults, folder: Path, within: Path | None = None):
        self._faults, self.folder = faults, folder
        self.within = None if within is None else within.resolve()

    def exists(self, name: str) -> bool:
        """Is there a file or folder of that name? Ask `allows` before."""
        try:
            return bool(name) and (self.folder / name).exists()
        except (OSError, ValueError):
            return False

    def place(self, name: str) -> Path:
        """Return where a name leads."""
        return self.folder / name

    def allows(self, path: tuple[str | int, ...], name: str) -> bool:
        """May the file that is named at `path` of the scenario be read? If not, the faults say so."""
        if self.within is None or (outside := self._outside(name, self.within)) is None:
            return True
        self._faults.add(
            path, f"{outside!r} is not in the folder that is open", "name a file in it, seen from the scenario"
        )
        return False

    def _outside(self, name: str, within: Path) -> str | None:
        """Return the name, or whatever in the folder of that name is a link, that leads out; None: nothing does."""
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
