"""The one decorator of every hot loop, and where compiled code is kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event

__all__ = ["cache_folder", "jit", "when_compiling"]

Function = TypeVar("Function", bound=Callable[..., Any])


def _cache_dir() -> Path:
    """Return a cache folder named after the kernels' own text.

    numba notices an edit of the file a kernel stands in, but not of a helper in another file.
    """
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "lastseen" / "kernels" / digest.hexdigest()


if not os.environ.get("NUMBA_CACHE_DIR"):
    setattr(numba.config, "CACHE_DIR", str(_cache_dir()))  # noqa: B010 - the stubs do not know it


def cache_folder() -> Path:
    """Return where compiled kernels of this version are kept."""
    return Path(getattr(numba.config, "CACHE_DIR"))  # noqa: B009 - the stubs do not know it


@contextmanager
def when_compiling(tell: Callable[[bool], None]) -> Iterator[None]:
    """Have `tell(True)` called whenever the compiler starts meanwhile, and `tell(False)` when it is done."""
    with event.install_listener("numba:compile", _Listener(tell)):
        yield


class _Listener(event.Listener):
    """Counts compilations within compilations: a kernel compiles those it calls."""

    def __init__(self, tell: Callable[[bool], None]):
        self._tell = tell
        self._depth = 0

    def on_start(self, _: event.Event) -> None:
        self._depth += 1
        if self._depth == 1:
            self._tell(True)

    def on_end(self, _: event.Event) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._tell(False)


def jit(function: Function) -> Function:
    """Compile a kernel on first use; the result is cached on disk and runs without the GIL."""
    return cast(Function, numba.njit(cache=True, nogil=True)(function))
