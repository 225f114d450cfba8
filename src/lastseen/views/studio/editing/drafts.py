"""Keep unsaved work of pages in the user's cache, available from any port and any browser."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

import msgspec

from ....errors import InputError
from ....files import atomic_write
from ....textfile import digest_of
from ..protocol.replies import Draft, DraftData, KeepDraft

MOST_DRAFT_BYTES = 24 * 1024 * 1024
"""Maximum bytes of one draft."""
MOST_KEPT = 200
MOST_KEPT_BYTES = 256 * 1024 * 1024
"""Maximum number and total bytes of drafts of all folders; beyond it, the oldest are removed."""
_ID = re.compile(r"[0-9a-f]{32}")
_HEAD = 4096
_ENDING = ".draft"


def drafts_folder() -> Path:
    """Return the folder that holds all drafts."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lastseen" / "drafts"


class Drafts:
    """Drafts of work on one folder, identified by `home`; drafts of other folders are not visible."""

    def __init__(self, root: Path, place: Path | None = None):
        self.home = digest_of(os.fsencode(root.resolve()))[:16]
        self._place = drafts_folder() if place is None else place

    def keep(self, data: bytes) -> bool:
        """Store a draft in place of an older one with the same id; return whether it is the newest.

        Raise InputError if it is not a draft, is too large, or cannot be written.
        """
        try:
            sent = msgspec.json.decode(data, type=KeepDraft)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise InputError(f"not a draft: {error}") from None
        if len(data) > MOST_DRAFT_BYTES:
            raise InputError(f"the draft is larger than {MOST_DRAFT_BYTES >> 20} MiB; save your work")
        file = self._file(sent.id)
        before = _head(file)
        if before is not None and before.at > sent.at:
            return False
        head = msgspec.json.encode(Draft(sent.id, sent.kind, sent.name, sent.at, sent.title))
        try:
            self._place.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise InputError(f"drafts cannot be kept in {self._place}: {error.strerror}; save your work") from None
        atomic_write(file, head + b"\n" + bytes(sent.data), follow=False)
        self._make_room(file)
        return True

    def all(self, kind: str) -> list[Draft]:
        """Return the drafts of a kind, the newest first."""
        heads = [_head(file) for file in self._files(f"{self.home}.*{_ENDING}")]
        return sorted((one for one in heads if one and one.kind == kind), key=lambda one: -one.at)

    def read(self, name: str) -> DraftData:
        """Return a draft with its `data`.

        Raise InputError if there is none with that id.
        """
        file = self._file(name)
        head = _head(file)
        try:
            data = file.read_bytes().partition(b"\n")[2]
        except OSError:
            head = None
        if head is None:
            raise InputError(f"there is no draft {name!r}; it was saved or discarded")
        return DraftData(**msgspec.structs.asdict(head), data=msgspec.Raw(data))

    def drop(self, name: str) -> None:
        """Delete a draft, if there is one."""
        with contextlib.suppress(OSError):
            self._file(name).unlink()

    def _file(self, name: str) -> Path:
        if not _ID.fullmatch(name):
            raise InputError(f"{name[:40]!r} is not a draft id; give 32 hexadecimal digits")
        return self._place / f"{self.home}.{name}{_ENDING}"

    def _files(self, pattern: str) -> list[Path]:
        try:
            return [file for file in self._place.glob(pattern) if file.is_file() and not file.is_symlink()]
        except OSError:
            return []

    def _make_room(self, newest: Path) -> None:
        """Remove the oldest drafts if there are too many or they are too large; never the newest."""
        files = []
        for file in self._files(f"*{_ENDING}"):
            with contextlib.suppress(OSError):
                known = file.stat()
                files.append((file != newest, -known.st_mtime, known.st_size, file))
        total = 0
        for number, (_, _, size, file) in enumerate(sorted(files)):
            total += size
            if number and (number >= MOST_KEPT or total > MOST_KEPT_BYTES):
                with contextlib.suppress(OSError):
                    file.unlink()


def _head(file: Path) -> Draft | None:
    """Return the header of a draft; None: there is no readable one."""
    try:
        if file.is_symlink():
            return None
        with file.open("rb") as opened:
            return msgspec.json.decode(opened.readline(_HEAD), type=Draft)
    except (OSError, msgspec.MsgspecError, UnicodeError):
        return None
