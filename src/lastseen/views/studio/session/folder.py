"""The user's files: those of one folder, whatever a name contains, and uploaded ones, which are kept apart."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from ....errors import InputError, LastSeenError
from ....files import atomic_write
from ....level.level import Level
from ....level.overlay import ENDING as OVERLAY
from ....level.overlay import overlay_path
from ....level.read import read_level
from ....level.samples import SAMPLES, describe, sample
from ....simulation.recording.format import MAGIC
from ....simulation.recording.recording import Recording, RememberedRecording
from ....simulation.scenario.reader import Setting, about_scenario, read_scenario, shipped_scenario, shipped_scenarios
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
        """Return the path of a file in this folder; raise InputError for a name that is invalid or leads out of it."""
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
        if name in SAMPLES:
            return sample(name)
        place = self.readable(name)
        self.overlay(name)  # it is read with a mesh
        return read_level(place)

    def overlay(self, name: str) -> Path:
        """Return where the overlay of a mesh is, whether it exists or not; raise InputError if it is a link."""
        place = overlay_path(self.path(name))
        if place.is_symlink():
            raise InputError(f"{place.name!r} is a link to another file; replace it by an ordinary file")
        return place

    def scenario(self, name: str) -> Setting:
        """Return a shipped scenario, or one in this folder, which may not refer to files outside it."""
        if name in shipped_scenarios():
            return shipped_scenario(name)
        if self._uploads is not None and name.startswith(UPLOADED):
            return self._uploads().scenario(name.removeprefix(UPLOADED))
        return read_scenario(self.readable(name), within=self.root)

    def recording(self, name: str) -> Recording:
        """Return a recording in this folder."""
        return RememberedRecording.read(self.readable(name))

    def save(self, name: str, data: bytes, *, replace: bool = False) -> str:
        """Write a recording into this folder, over another of that name only with `replace`; return its name.

        Raise InputError if the name is invalid or that of another kind of file, NameTaken if a recording has it.
        """
        require_name(name)
        full = name if name.lower().endswith(RECORDINGS) else f"{name}.rec"
        place = self.path(full)
        if place.exists() and head_of(place, len(MAGIC)) != MAGIC:
            raise InputError(f"{full!r} already exists and is not a recording; choose another name")
        if place.exists() and not replace:
            raise NameTaken(full)
        atomic_write(place, data)
        return full

    def menus(self) -> Menus:
        """Return what can be opened: levels, scenarios and recordings by name, each with a description."""
        own = self._own()
        levels = [MenuEntry(name, describe(name)) for name in SAMPLES]
        scenarios = [MenuEntry(name, about_scenario(name)) for name in shipped_scenarios()]
        # Trees, queries and settings of tools have the extensions of scenarios, but name no level.
        mine = [one for one in _listed(own, SCENARIOS) if _LEVEL_KEY.search(head_of(self.root / one.name))]
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


def is_name(name: str) -> bool:
    """Return whether a name is a plain file name on every system."""
    return bool(_SAFE_NAME.fullmatch(name)) and not _RESERVED.fullmatch(name) and not name.endswith((".", " "))


def require_name(name: str) -> None:
    """Raise for a name that is not a plain file name on every system."""
    if not is_name(name):
        raise InputError(FILE_RULES.wrong_name.format(name=repr(name)))


def free_name(folder: Folder, stem: str, ending: str = "") -> str:
    """Return a name that nothing in a folder has: the stem, or one with a number."""
    names = (f"{stem}{number}{ending}" for number in ("", *(f" {number}" for number in range(2, 1_000))))
    return next((name for name in names if not (folder.root / name).exists()), f"{stem}{ending}")


def head_of(path: Path, most: int = 20_000) -> bytes:
    """Return the first bytes of a file; none if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError:
        return b""


def _listed(files: list[Path], endings: tuple[str, ...]) -> list[MenuEntry]:
    listed = [path.name for path in files if path.suffix.lower() in endings]
    return [MenuEntry(name, "your file") for name in listed if not name.lower().endswith(OVERLAY)]


MOST_FILES = 32


class Uploads:
    """A separate folder, created when needed and removed when the studio stops."""

    def __init__(self) -> None:
        self._home: tempfile.TemporaryDirectory[str] | None = None

    @property
    def folder(self) -> Folder:
        """The folder of uploaded files."""
        if self._home is None:
            self._home = tempfile.TemporaryDirectory(prefix="lastseen-")
        return Folder(self._home.name)

    def keep(self, name: str, data: bytes) -> str:
        """Keep a file if it can be read; return its kind: "level", "scenario" or "recording".

        Raise LastSeenError if its name is invalid, it is too large, there are too many, or its reader rejects it.
        """
        require_name(name)
        if len(data) > FILE_RULES.most_bytes:
            size, most = f"{len(data):,}", f"{FILE_RULES.most_bytes:,}"
            raise InputError(FILE_RULES.too_large.format(name=repr(name), size=size, most=most))
        folder = self.folder
        place = folder.path(name)
        if not place.exists() and len(list(folder.root.iterdir())) >= MOST_FILES:
            raise InputError(f"{MOST_FILES} files were already uploaded; start the studio in their folder instead")
        before = place.read_bytes() if place.exists() else None
        place.write_bytes(data)
        try:
            return self._kind(name)
        except BaseException as error:
            if before is None:
                place.unlink()
            else:
                place.write_bytes(before)
            if isinstance(error, LastSeenError):
                raise InputError(folder.plain(str(error))) from None
            raise

    def _kind(self, name: str) -> str:
        ending = Path(name).suffix.lower()
        if ending in RECORDINGS:
            if not len(self.folder.recording(name)):
                raise InputError(f"{name!r} has no steps")
            return "recording"
        if ending in SCENARIOS:
            self.folder.scenario(name)
            return "scenario"
        if ending not in LEVELS:
            endings = ", ".join((*RECORDINGS, *SCENARIOS, *LEVELS))
            raise InputError(FILE_RULES.wrong_ending.format(name=repr(name), endings=endings))
        self.folder.level(name)
        return "level"

    def close(self) -> None:
        """Delete all uploaded files."""
        if self._home is not None:
            self._home.cleanup()
