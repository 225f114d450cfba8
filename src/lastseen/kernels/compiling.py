"""One process compiles a kernel, others that need it wait for what it keeps: compiling twice helps nobody."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock

try:
    import fcntl
except ImportError:  # no such locks here: every process compiles for itself
    fcntl = None  # type: ignore[assignment]

__all__ = ["compile_once"]

_held: set[Path] = set()
"""Locks this process holds; read and written under the compiler's own lock only."""


def compile_once(kernel: Any, folder: Path) -> None:
    """Have a kernel compiled by one process at a time; `folder` is where what was compiled is kept.

    Kernels take locks in the order in which they call one another, which never leads back, so none waits for ever.
    """
    compile_it: Callable[[Any], Any] = kernel.compile
    name = f"{kernel.py_func.__qualname__} {kernel.py_func.__code__.co_firstlineno}"
    place = folder / f"{hashlib.blake2b(name.encode(), digest_size=8).hexdigest()}.lock"

    def compile_alone(types: Any) -> Any:
        # The compiler's lock comes first: else a thread could hold a file that the one who compiles waits for.
        with global_compiler_lock, _locked(place):
            return compile_it(types)

    kernel.compile = compile_alone


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    if fcntl is None or place in _held:
        yield
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        file = place.open("wb")
    except OSError:  # nothing can be kept there, so there is nothing to wait for
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _held.add(place)
        try:
            yield
        finally:
            _held.discard(place)
