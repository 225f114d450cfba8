"""Run kernels that are not compiled in the interpreter, as long as that takes less time than compiling them.

A command that runs once on a small level calls most kernels once, for milliseconds; compiling one takes a second. It
is the old question of renting or buying skis: interpret a kernel until the time that took reaches its compile time,
then compile it. At worst that takes twice as long as the better choice.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

__all__ = ["INEXACT", "Interpreter", "kernels_interpreted"]

INEXACT: dict[str, str] = {}
"""Kernels whose results differ in the interpreter, and why; see also `kernels.plain.UNLIKE`."""

_PACE = 5e-6
"""Seconds that the first call of a kernel may take per element of its arrays."""
_LOADING = 0.01
"""Seconds that loading a compiled kernel takes: what interpreting it may cost every time at no loss."""


@dataclass
class _Account:
    """What interpreting one kernel has cost.

    Attributes
    ----------
    price : seconds that compiling it takes, with its callees.
    before : seconds lost to interpreting it by earlier processes.
    seconds : seconds spent interpreting it in this process.
    pace : seconds per element of its arrays, at most, of the calls so far.
    """

    price: float
    before: float
    seconds: float = 0.0
    pace: float = _PACE
    calls: int = 0

    def affords(self, elements: int) -> bool:
        """Return whether a call with arrays of so many elements likely costs less than compiling."""
        return self.before + self.seconds + elements * self.pace <= self.price


class Interpreter:
    """Decides for each call of a kernel without code whether to interpret it, and keeps account.

    Parameters
    ----------
    when_compiling : called once, before the first kernel that is compiled after all.
    """

    def __init__(self, when_compiling: Callable[[], None] = lambda: None):
        self._when_compiling: Callable[[], None] | None = when_compiling
        self._accounts: dict[Any, _Account | None] = {}
        self._names: dict[Any, str] = {}

    @property
    def kernels(self) -> set[str]:
        """Names of the kernels that were interpreted."""
        return {self._names[kernel] for kernel, one in self._accounts.items() if one is not None and one.calls}

    def take(self, kernel: Any, given: tuple[Any, ...]) -> Callable[..., Any] | None:
        """Return the function to call instead of compiling a kernel; None if it should be compiled or loaded."""
        if kernel not in self._accounts:
            self._accounts[kernel] = self._opened(kernel, given)
        account = self._accounts[kernel]
        if account is None:
            return None
        elements = _elements(given)
        if not account.affords(elements):
            self._accounts[kernel] = None
            self._announce()
            return None
        return self._counted(kernel, account, max(elements, 1))

    def _opened(self, kernel: Any, given: tuple[Any, ...]) -> _Account | None:
        """Return the account of a kernel; None if it is compiled already, or cannot be interpreted."""
        from ..kernels.compile_events import kernel_name
        from ..kernels.jit import types_of
        from ..kernels.plain import unlike
        from ..kernels.signatures import is_kept

        name = self._names[kernel] = kernel_name({"dispatcher": kernel})
        price = _prices().get(name, 0.0)
        if kernel.signatures or is_kept(kernel, types_of(kernel, given)):
            return None
        if not price or name in INEXACT or unlike(kernel):
            self._announce()
            return None
        return _Account(price, _losses().get(name, 0.0))

    def _announce(self) -> None:
        tell, self._when_compiling = self._when_compiling, None
        if tell is not None:
            tell()

    def _counted(self, kernel: Any, account: _Account, elements: int) -> Callable[..., Any]:
        import numpy as np

        from ..kernels.plain import plain_function

        function = plain_function(kernel)

        def interpret(*given: Any) -> Any:
            start = time.perf_counter()
            with np.errstate(all="ignore"):  # compiled integers wrap around silently
                result = function(*given)
            spent = time.perf_counter() - start
            account.pace = spent / elements if account.calls == 0 else max(account.pace, spent / elements)
            account.seconds += spent
            account.calls += 1
            return result

        return interpret

    def close(self) -> None:
        """Note what interpreting cost more than loading compiled kernels would, for processes to come."""
        losses = {
            self._names[kernel]: account.seconds - _LOADING
            for kernel, account in self._accounts.items()
            if account is not None and account.seconds > _LOADING
        }
        if losses:
            _note(losses)


@contextmanager
def kernels_interpreted(when_compiling: Callable[[], None] = lambda: None) -> Iterator[Interpreter]:
    """Interpret kernels that are not compiled within the block, in all threads, while that is quicker.

    For commands that run once and for setting up; not for loops, whose kernels should be compiled before.
    """
    from ..kernels.jit import is_compiled, offered_calls

    interpreter = Interpreter(when_compiling)
    if not is_compiled():
        yield interpreter
        return
    with offered_calls(interpreter.take):
        try:
            yield interpreter
        finally:
            interpreter.close()


def _elements(given: tuple[Any, ...]) -> int:
    return sum(_elements(one) if isinstance(one, tuple) else getattr(one, "size", 1) for one in given)


def _prices() -> dict[str, float]:
    """Return the seconds that compiling each kernel takes with its callees, by name."""
    from .manifest import manifest

    given = manifest()
    return {
        entry.kernel: sum(given.kernels[one].seconds for one in given.with_callees(number))
        for number, entry in enumerate(given.kernels)
        if entry.purposes
    }


def _file() -> Path:
    from .manifest import ready_file

    return ready_file().with_suffix(".interpreted")


def _losses() -> dict[str, float]:
    """Return the seconds that processes before this one lost to interpreting, by kernel."""
    try:
        return msgspec.json.decode(_file().read_bytes(), type=dict[str, float])
    except (OSError, msgspec.MsgspecError):
        return {}


def _note(losses: dict[str, float]) -> None:
    from ..errors import InputError
    from ..files import atomic_write
    from ..kernels.store import locked

    place = _file()
    with contextlib.suppress(OSError, InputError), locked(place.with_suffix(".lock")):
        known = _losses()
        total = known | {name: round(known.get(name, 0.0) + seconds, 4) for name, seconds in losses.items()}
        atomic_write(place, msgspec.json.encode(total))
