"""Which rehearsals were run on this machine with these very kernels? Those need not be run again."""

from __future__ import annotations

import contextlib
import hashlib
import platform
from collections.abc import Callable, Iterable
from pathlib import Path

from ... import kernels
from ...errors import InputError
from ...files import atomic_write
from ...kernels.jit import cache_folder, compiler_words

__all__ = ["note_rehearsed", "rehearse_missing", "rehearsed_names"]


def rehearse_missing(names: Iterable[str], tell: Callable[[str], None]) -> None:
    """Run those rehearsals whose kernels were not all compiled and kept already; tell of each before."""
    missing = [name for name in names if name not in rehearsed_names()]
    if not missing:
        return
    from .rehearsals import REHEARSALS  # imports nearly everything

    for number, name in enumerate(missing):
        tell(f"getting ready: compiling {name}, {number + 1} of {len(missing)}, first time only")
        REHEARSALS[name]()
        note_rehearsed(name)


def note_rehearsed(name: str) -> None:
    """Note that a rehearsal was run; where nothing can be kept, nothing is noted either."""
    place = _place()
    with contextlib.suppress(OSError, InputError):
        place.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(place, "\n".join(sorted({*rehearsed_names(), name})).encode())


def rehearsed_names() -> set[str]:
    """Return which rehearsals were run on this machine with these very kernels."""
    try:
        return set(_place().read_text().splitlines())
    except (OSError, UnicodeError):
        return set()


def _place() -> Path:
    """Return the file of what was rehearsed: beside the compiled kernels, so that it goes when they go.

    Its name says all that numba goes by when it looks for a kept kernel (path, time and size of its file, versions,
    processor), and the same of the rehearsals.
    """
    files = [*sorted(Path(kernels.__path__[0]).glob("*.py")), *sorted(Path(__file__).parent.glob("rehearsal*.py"))]
    parts = [compiler_words(), platform.python_version()]
    for file in files:
        found = file.stat()
        parts.append(f"{file} {found.st_mtime_ns} {found.st_size}")
    digest = hashlib.blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()
    return cache_folder() / "rehearsed" / digest
