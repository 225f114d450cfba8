"""Load or compile the kernels of an object when it is created, so that no frame of a game waits for the compiler."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

MOST_SMALL = 65_535
"""Largest number of cells of a layout with narrow ids."""
_demands = 0
"""Number of open `kernels_on_demand` blocks in this process."""
_done: set[int] = set()
"""Numbers of the manifest's entries that this process has prepared."""


@contextmanager
def kernels_on_demand() -> Iterator[None]:
    """Leave kernels to their first call within the block, in all threads.

    For commands and batches, which compile ahead in worker processes or need few kernels of each object.
    """
    global _demands
    _demands += 1
    try:
        yield
    finally:
        _demands -= 1


def prepare(*names: str, cells: int = 0) -> None:
    """Load or compile kernels in this process, for the argument types listed in the manifest.

    Unlike `warmup`, this starts no worker processes: in an embedded interpreter, that might start the game again.

    Parameters
    ----------
    *names : kernels, as in "walk.raycast.cast_rays", or purposes, as in "play".
    cells : number of cells of the object's layout; with more than 65,535, ids are wider.
    """
    if _demands:
        return
    from ..kernels.jit import is_compiled

    if not is_compiled():
        return
    from ..kernels.signatures import argument_types, compile_kernel, kernel_named
    from .manifest import manifest

    given = manifest()
    for number in given.entries_of(names, cells > MOST_SMALL):
        if number not in _done:
            _done.add(number)
            entry = given.kernels[number]
            with suppress(Exception):  # edited since it was recorded: compiled on its first call
                compile_kernel(kernel_named(entry.kernel), argument_types(given.arguments(entry)))
