"""The user's own files: only those of one folder, whatever a name says."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from ...errors import InputError
from ...files import atomic_write
from ...level.level import Level
from ...level.read import read_level
from ...level.samples import SAMPLES, describe, sample
from ...simulation.recording.form import MAGIC
from ...simulation.recording.recording import Recording
from ...simulation.recording.remembered import RememberedRecording
from ...simulation.scenario.read import Setting, read_scenario
from ...simulation.scenario.ready import about_scenario, ready_scenario, ready_scenarios

__all__ = ["LEVELS", "RECORDINGS", "SCENARIOS", "UPLOADED", "Folder", "NameTaken", "require_name"]

MOST_BYTES = 64 * 1024 * 1024
MOST_LISTED = 300
LEVELS = (".txt", ".level", ".geojson", ".json", ".tmj", ".map", ".mesh", ".obj", ".glb", ".ply", ".stl", ".off")
SCENARIOS = (".yaml", ".yml", ".toml")
RECORDINGS = (".rec",)
UPLOADED = "uploaded/"
"""Names of files that pages sent begin so."""
_SAFE_NAME = re.compile(r"\w[\w .+-]{0,99}")
_LEVEL_KEY = re.compile(rb"(?m)^level\s*[:=]")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")

Menu = list[dict[str, str]]


class NameTaken(InputError):
    """There is a recording of that name already, `name`."""

    def __init__(self, name: str):
        super().__init__(
            f"there is a recording {name!r} already; choose another name, or say that it is to be replaced"
        )
        self.name = name


class Folder:
    """Names are looked up here and nowhere else: no way up, no absolute path, no link that leads out.

    `uploads` gives another folder, for names that begin with `UPLOADED`.
    """

    def __init__(self, root: str | Path, *, uploads: Callable[[], Folder] | None = None):
        self.root = Path(root).resolve()
        self._uploads = uploads

    def path(self, name: str) -> Path:
        """Return the place of a file in this folder.

        Raises
        ------
        InputError
            The name leads out of the folder, or is no name.
        """
        if self._uploads is not None and name.startswith(UPLOADED):
            return self._uploads().path(name.removeprefix(UPLOADED))
        try:
            place = (self.root / name).resolve()
            inside = place.is_relative_to(self.root) and place != self.root
        except (OSError, ValueError, RuntimeError):
            inside = False
        if not inside or Path(name).is_absolute():
            raise InputError(f"{name!r} is not in the folder that is open; open the studio on its folder")
        return place

    def plain(self, words: str) -> str:
        """Return words in which files of this folder, and those that were sent, have the names pages know them by."""
        if self._uploads is not None:
            words = words.replace(f"{self._uploads().root}{os.sep}", UPLOADED)
        return words.replace(f"{self.root}{os.sep}", "")

    def readable(self, name: str) -> Path:
        """Return the place of a file that is there, plain and not too large."""
        place = self.path(name)
        try:
            size = place.stat().st_size
        except OSError:
            raise InputError(f"there is no file {name!r} in the folder that is open") from None
        if not place.is_file():
            raise InputError(f"{name!r} is no file, so it cannot be opened; name a file in it")
        if size > MOST_BYTES:
            raise InputError(f"{name!r} is larger than {MOST_BYTES >> 20} MiB, so it cannot be opened")
        return place

    def level(self, name: str) -> Level:
        """Return a sample, or a level of this folder."""
        return sample(name) if name in SAMPLES else read_level(self.readable(name))

    def scenario(self, name: str) -> Setting:
        """Return a ready scenario, or one of this folder, which may name no file outside of it."""
        if name in ready_scenarios():
            return ready_scenario(name)
        if self._uploads is not None and name.startswith(UPLOADED):
            return self._uploads().scenario(name.removeprefix(UPLOADED))
        return read_scenario(self.readable(name), within=self.root)

    def recording(self, name: str) -> Recording:
        """Return a recording of this folder."""
        return RememberedRecording.read(self.readable(name))

    def save(self, name: str, data: bytes, *, replace: bool = False) -> str:
        """Write a recording into this folder, over another of that name only to `replace` it; return its name.

        Raises
        ------
        InputError
            The name is none for a file, or there is another kind of file of that name.
        NameTaken
            There is a recording of that name.
        """
        require_name(name)
        full = name if name.lower().endswith(RECORDINGS) else f"{name}.rec"
        place = self.path(full)
        if place.exists() and not _is_recording(place):
            raise InputError(f"there is a file {full!r} already that is no recording; choose another name")
        if place.exists() and not replace:
            raise NameTaken(full)
        atomic_write(place, data)
        return full

    def menus(self) -> dict[str, Menu]:
        """Return what can be opened: levels, scenarios and recordings by name, each with a line about it."""
        own = self._own()
        levels = [{"name": name, "about": describe(name)} for name in SAMPLES]
        scenarios = [{"name": name, "about": about_scenario(name)} for name in ready_scenarios()]
        mine = [entry for entry in _listed(own, SCENARIOS) if _names_a_level(self.root / entry["name"])]
        return {
            "levels": [*levels, *_listed(own, LEVELS)],
            "scenarios": [*mine, *scenarios],
            "recordings": _listed(own, RECORDINGS),
        }

    def _own(self) -> list[Path]:
        try:
            found = [path for path in self.root.iterdir() if not path.name.startswith(".")]
            return sorted(path for path in found if path.is_file() and not path.is_symlink())[:MOST_LISTED]
        except OSError:
            return []


def require_name(name: str) -> None:
    """Refuse what is no plain name for a file on any system."""
    if not _SAFE_NAME.fullmatch(name) or _RESERVED.fullmatch(name) or name.endswith((".", " ")):
        raise InputError(f"{name!r} is no name for a file; use letters, digits, spaces, points, - and _")


def _listed(files: list[Path], endings: tuple[str, ...]) -> Menu:
    return [{"name": path.name, "about": "your file"} for path in files if path.suffix.lower() in endings]


def _names_a_level(path: Path) -> bool:
    """Does a text file look like a scenario? Trees, queries and settings of tools have the same endings."""
    try:
        with path.open("rb") as file:
            return _LEVEL_KEY.search(file.read(20_000)) is not None
    except OSError:
        return False


def _is_recording(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False
