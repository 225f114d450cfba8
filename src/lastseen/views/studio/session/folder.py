"""The user's files: only those of one folder, whatever a name contains."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from ....errors import InputError
from ....files import atomic_write
from ....level.level import Level
from ....level.read import read_level
from ....level.samples import SAMPLES, describe, sample
from ....simulation.recording.format import MAGIC
from ....simulation.recording.recording import Recording, RememberedRecording
from ....simulation.scenario.reader import Setting, about_scenario, read_scenario, ready_scenario, ready_scenarios
from ..protocol.greeting import FileRules
from ..protocol.news import MenuEntry, Menus

MOST_BYTES = 64 * 1024 * 1024
MOST_LISTED = 300
LEVELS = (".txt", ".level", ".geojson", ".json", ".tmj", ".map", ".mesh", ".obj", ".glb", ".ply", ".stl", ".off")
SCENARIOS = (".yaml", ".yml", ".toml")
RECORDINGS = (".rec",)
UPLOADED = "uploaded/"
"""Prefix of the names of uploaded files."""
_NAME = "[{letters}][{letters} .+-]{{0,99}}"
_RESERVED_NAME = r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?"
FILE_RULES = FileRules(
    endings={"recording": RECORDINGS, "scenario": SCENARIOS, "level": LEVELS},
    most_bytes=16 * 1024 * 1024,
    name=_NAME.format(letters=r"\p{L}\p{N}_"),
    reserved=_RESERVED_NAME,
    wrong_name="{name} is not a valid file name; use letters, digits, spaces, dots, - and _",
    wrong_ending="{name} cannot be opened: its extension must be one of {endings}",
    too_large="{name} has {size} bytes; at most {most} can be uploaded",
)
_SAFE_NAME = re.compile(_NAME.format(letters=r"\w"))
_LEVEL_KEY = re.compile(rb"(?m)^level\s*[:=]")
_RESERVED = re.compile(_RESERVED_NAME, re.IGNORECASE)


class NameTaken(InputError):
    """A recording of this `name` already exists."""

    def __init__(self, name: str):
        super().__init__(f"a recording {name!r} already exists; choose another name, or confirm replacing it")
        self.name = name


class Folder:
    """Looks up names in one folder only: no parent folders, no absolute paths, no links that lead out.

    `uploads` returns another folder for names that start with `UPLOADED`.
    """

    def __init__(self, root: str | Path, *, uploads: Callable[[], Folder] | None = None):
        self.root = Path(root).resolve()
        self._uploads = uploads

    def path(self, name: str) -> Path:
        """Return the path of a file in this folder.

        Raises
        ------
        InputError
            The name leads out of the folder, or is not a valid name.
        """
        if self._uploads is not None and name.startswith(UPLOADED):
            return self._uploads().path(name.removeprefix(UPLOADED))
        try:
            place = (self.root / name).resolve()
            inside = place.is_relative_to(self.root) and place != self.root
        except (OSError, ValueError, RuntimeError):
            inside = False
        if not inside or Path(name).is_absolute():
            raise InputError(f"{name!r} is not in the open folder; start the studio in its folder")
        return place

    def plain(self, words: str) -> str:
        """Return a message in which files have the names that pages know."""
        if self._uploads is not None:
            words = words.replace(f"{self._uploads().root}{os.sep}", UPLOADED)
        return words.replace(f"{self.root}{os.sep}", "")

    def readable(self, name: str) -> Path:
        """Return the path of an existing, regular file that is not too large."""
        place = self.path(name)
        try:
            size = place.stat().st_size
        except OSError:
            raise InputError(f"there is no file {name!r} in the open folder") from None
        if not place.is_file():
            raise InputError(f"{name!r} is not a file; choose a file")
        if size > MOST_BYTES:
            raise InputError(f"{name!r} is larger than {MOST_BYTES >> 20} MiB")
        return place

    def level(self, name: str) -> Level:
        """Return a sample, or a level in this folder."""
        return sample(name) if name in SAMPLES else read_level(self.readable(name))

    def scenario(self, name: str) -> Setting:
        """Return a built-in scenario, or one in this folder, which may not refer to files outside it."""
        if name in ready_scenarios():
            return ready_scenario(name)
        if self._uploads is not None and name.startswith(UPLOADED):
            return self._uploads().scenario(name.removeprefix(UPLOADED))
        return read_scenario(self.readable(name), within=self.root)

    def recording(self, name: str) -> Recording:
        """Return a recording in this folder."""
        return RememberedRecording.read(self.readable(name))

    def save(self, name: str, data: bytes, *, replace: bool = False) -> str:
        """Write a recording into this folder, over another of that name only with `replace`; return its name.

        Raises
        ------
        InputError
            The name is not valid for a file, or belongs to a file of another kind.
        NameTaken
            A recording of that name exists.
        """
        require_name(name)
        full = name if name.lower().endswith(RECORDINGS) else f"{name}.rec"
        place = self.path(full)
        if place.exists() and not _is_recording(place):
            raise InputError(f"{full!r} already exists and is not a recording; choose another name")
        if place.exists() and not replace:
            raise NameTaken(full)
        atomic_write(place, data)
        return full

    def menus(self) -> Menus:
        """Return what can be opened: levels, scenarios and recordings by name, each with a description."""
        own = self._own()
        levels = [MenuEntry(name, describe(name)) for name in SAMPLES]
        scenarios = [MenuEntry(name, about_scenario(name)) for name in ready_scenarios()]
        mine = [entry for entry in _listed(own, SCENARIOS) if _names_a_level(self.root / entry.name)]
        return Menus(
            levels=(*levels, *_listed(own, LEVELS)),
            scenarios=(*mine, *scenarios),
            recordings=tuple(_listed(own, RECORDINGS)),
        )

    def _own(self) -> list[Path]:
        try:
            found = [path for path in self.root.iterdir() if not path.name.startswith(".")]
            return sorted(path for path in found if path.is_file() and not path.is_symlink())[:MOST_LISTED]
        except OSError:
            return []


def require_name(name: str) -> None:
    """Raise for a name that is not a plain file name on every system."""
    if not _SAFE_NAME.fullmatch(name) or _RESERVED.fullmatch(name) or name.endswith((".", " ")):
        raise InputError(FILE_RULES.wrong_name.format(name=repr(name)))


def _listed(files: list[Path], endings: tuple[str, ...]) -> list[MenuEntry]:
    return [MenuEntry(path.name, "your file") for path in files if path.suffix.lower() in endings]


def _names_a_level(path: Path) -> bool:
    """Return whether a text file looks like a scenario; trees, queries and tool settings share its extensions."""
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
