"""Files a page sends: kept apart from the user's own, few and small, and only what our readers can read."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ...errors import InputError, LastSeenError
from .folder import LEVELS, RECORDINGS, SCENARIOS, Folder, require_name

__all__ = ["MOST_BYTES", "Uploads"]

MOST_BYTES = 16 * 1024 * 1024
MOST_FILES = 32


class Uploads:
    """A folder of its own, made when it is needed and gone when the studio stops."""

    def __init__(self) -> None:
        self._home: tempfile.TemporaryDirectory[str] | None = None

    @property
    def folder(self) -> Folder:
        """Where files are kept."""
        if self._home is None:
            self._home = tempfile.TemporaryDirectory(prefix="lastseen-")
        return Folder(self._home.name)

    def keep(self, name: str, data: bytes) -> str:
        """Keep a file if it can be read; return what it is: "level", "scenario" or "recording".

        Raises
        ------
        LastSeenError
            Its name is none, it is too long, there are too many, or the reader of its kind refuses it.
        """
        require_name(name)
        if len(data) > MOST_BYTES:
            raise InputError(f"{name!r} has {len(data):,} bytes; at most {MOST_BYTES:,} can be sent")
        folder = self.folder
        place = folder.path(name)
        if not place.exists() and len(list(folder.root.iterdir())) >= MOST_FILES:
            raise InputError(f"{MOST_FILES} files were sent already; start the studio in their folder instead")
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
                raise InputError(f"{name!r} holds no steps")
            return "recording"
        if ending in SCENARIOS:
            self.folder.scenario(name)
            return "scenario"
        if ending not in LEVELS:
            raise InputError(f"{name!r} is no kind of file that can be opened; its name ends in none of the known ones")
        self.folder.level(name)
        return "level"

    def close(self) -> None:
        """Forget everything that was sent."""
        if self._home is not None:
            self._home.cleanup()
