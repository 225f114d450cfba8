"""Write a recording into a file; what was flushed survives whatever happens to the run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from ...agents.events import Event
from ...checks import file_path
from ...conventions import Array
from ...errors import InputError, RecordingError
from .chunks import ChunkWriter
from .form import About

__all__ = ["PART", "Recorder"]

PART = ".part"
"""Ending of a recording that is still being written, or whose run was killed."""


class Recorder:
    """Writes `path` + ".part" and renames it when closed: an older recording is not lost to a failed run.

    Parameters
    ----------
    path : where to.
    about : what is recorded.
    every : steps in a chunk; so many are lost at most when the run is killed.
    """

    def __init__(self, path: str | os.PathLike[str], about: About, *, every: int = 30):
        self.path = Path(file_path(path))
        self.about = about
        self._file: BinaryIO | None = None
        try:
            self._file = self.part.open("wb")
            self._writer = ChunkWriter(self._file, about, every=every)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written ({error.strerror}); choose another place") from None

    @property
    def part(self) -> Path:
        """Where the recording is until it is closed."""
        return self.path.with_name(self.path.name + PART)

    def add(
        self,
        columns: Sequence[Array],
        layers: Sequence[Array] = (),
        events: Sequence[Event] = (),
        texts: Sequence[tuple[int, int, str]] = (),
    ) -> None:
        """Add the next step; see `ChunkWriter.add`."""
        if self._file is None:
            raise RecordingError(f"{self.path}: is closed; nothing can be added")
        self._writer.add(columns, layers, events, texts)

    def flush(self) -> None:
        """Write the steps held so far; they can be read from now on, whatever happens."""
        if self._file is not None:
            self._writer.flush()

    def close(self, reason: str, digest: str, text: str = "") -> Path:
        """Write how it ended and give the file its name."""
        self.flush()
        if self._file is None:
            raise RecordingError(f"{self.path}: is closed already")
        self._file.write(self._writer.end_bytes(reason, digest, text))
        self._file.close()
        self._file = None
        self.part.replace(self.path)
        return self.path

    def abandon(self) -> None:
        """Stop here: what was flushed stays in the ".part" file."""
        self.flush()
        if self._file is not None:
            self._file.close()
            self._file = None
