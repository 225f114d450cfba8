"""Follow the compiler kernel by kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

__all__ = ["kernel_name", "when_kernels_compile"]


@contextmanager
def when_kernels_compile(begin: Callable[[], None], end: Callable[[str], None]) -> Iterator[None]:
    """Call `begin()` when a kernel is compiled within the block, and `end(name)` when it is done.

    A kernel is begun before those it calls, and done after them. What is loaded from the cache is not compiled, and
    numba's own functions are parts of the kernels that call them.
    """
    with event.install_listener("numba:compile", _Listener(begin, end)):
        yield


def kernel_name(data: Any) -> str:
    """Return the name of the kernel an event is about: its module and function, as in "raycast.cast_rays"."""
    function = _function(data)
    return "" if function is None else f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"


def _function(data: Any) -> Any:
    return getattr((data or {}).get("dispatcher"), "py_func", None)


def _is_ours(data: Any) -> bool:
    return not getattr(_function(data), "__module__", "").startswith("numba.")


class _Listener(event.Listener):
    def __init__(self, begin: Callable[[], None], end: Callable[[str], None]):
        self._begin, self._end = begin, end

    def on_start(self, about: event.Event) -> None:
        if _is_ours(about.data):
            self._begin()

    def on_end(self, about: event.Event) -> None:
        if _is_ours(about.data):
            self._end(kernel_name(about.data))
