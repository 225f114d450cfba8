"""Uploaded files: kept apart from the user's own, few and small, and only files our readers accept."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ....errors import InputError, LastSeenError
from ..session.folder import FILE_RULES, LEVELS, RECORDINGS, SCENARIOS, Folder, require_name

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

        Raises
        ------
        LastSeenError
            Its name is not valid, it is too large, there are too many, or the reader of its kind rejects it.
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
