"""How far the compiler is: which kernel of how many, and the seconds left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..compilation.warmup import CompileProgress

__all__ = ["Compilation", "CompileCounter", "as_compilation", "compile_ahead"]

_PRIOR = 5.0
"""Expected seconds that count as compiled as fast as expected, so that the first kernels do not decide alone."""


@dataclass(frozen=True)
class Compilation:
    """How far the compiler is.

    Attributes
    ----------
    done : kernels compiled so far; `total`: so many will be, None: not known.
    seconds : the compiler has been at work; `seconds_left`: and will be, None: not known.
    is_busy : a kernel is being compiled now.
    """

    done: int = 0
    seconds: float = 0.0
    total: int | None = None
    seconds_left: float | None = None
    is_busy: bool = False

    @property
    def share(self) -> float | None:
        """The part that is done, 0 … 1, by time; None: not known."""
        if self.seconds_left is None:
            return None
        whole = self.seconds + self.seconds_left
        return self.seconds / whole if whole > 0.0 else 1.0

    def words(self) -> str:
        """Return how far it is, as people read it: compiling kernel 12 of 68, about 9 seconds left."""
        number = self.done + 1 if self.is_busy or not self.done else self.done
        words = f"compiling kernel {number}" + (f" of {self.total}" if self.total is not None else "")
        return words if self.seconds_left is None else f"{words}, about {_duration(self.seconds_left)} left"

    def as_object(self) -> dict[str, Any]:
        """Return it for JSON."""
        left = self.seconds_left
        return {
            "kernels": self.done,
            "of": self.total,
            "seconds": round(self.seconds, 3),
            "seconds_left": None if left is None else round(left, 1),
        }


class CompileCounter:
    """Counts kernels as they are compiled in this process, in whatever thread, and tells how far that is.

    Parameters
    ----------
    tell : called when a kernel is begun or done, in the thread that compiles.
    expected : kernels that will be compiled, by name as in "raycast.cast_rays", and the seconds each takes without
        those it calls; one that is compiled for several types comes as often. Nothing: how many is not known.

    Notes
    -----
    Kernels are compiled one at a time, each after those it calls; what is loaded from the cache does not count. The
    seconds left are what is expected of the kernels still to come, corrected by how fast those before them were.
    """

    def __init__(
        self,
        tell: Callable[[Compilation], None] = lambda _: None,
        expected: Iterable[tuple[str, float]] = (),
        clock: Callable[[], float] = perf_counter,
    ):
        self._tell, self._clock = tell, clock
        self._coming: dict[str, list[float]] = {}
        for name, seconds in expected:
            self._coming.setdefault(name, []).append(seconds)
        self._total = sum(map(len, self._coming.values()))
        self._expected = self._left = sum(map(sum, self._coming.values()))
        self._done = self._depth = 0
        self._seconds = self._begun = 0.0

    @contextmanager
    def counting(self) -> Iterator[CompileCounter]:
        """Count all that is compiled meanwhile."""
        from ..kernels.compile_events import when_kernels_compile  # loads numba, which commands may not need

        with when_kernels_compile(self.begin, self.end):
            yield self

    def begin(self) -> None:
        """Take word that a kernel is being compiled."""
        if self._depth == 0:
            self._begun = self._clock()
        self._depth += 1
        self._tell(self.now())

    def end(self, name: str) -> None:
        """Take word that a kernel is compiled."""
        self._depth -= 1
        self._done += 1
        if self._coming.get(name):
            self._left -= self._coming[name].pop()
        if self._depth == 0:
            self._seconds += self._clock() - self._begun
        self._tell(self.now())

    def now(self) -> Compilation:
        """Return how far it is."""
        seconds, is_busy = self.seconds, self._depth > 0
        if not self._total:
            return Compilation(self._done, seconds, is_busy=is_busy)
        total = max(self._total, self._done + self._depth)
        return Compilation(self._done, seconds, total, self._seconds_left(seconds), is_busy)

    @property
    def seconds(self) -> float:
        """Seconds the compiler has been at work, the kernel of this moment included."""
        return self._seconds + (self._clock() - self._begun if self._depth else 0.0)

    @property
    def done(self) -> int:
        """Kernels compiled so far."""
        return self._done

    def _seconds_left(self, seconds: float) -> float:
        left = max(self._left, 0.0)
        return left * (seconds + _PRIOR) / (self._expected - left + _PRIOR)


def compile_ahead(
    purposes: tuple[str, ...], tell: Callable[[Compilation], None] = lambda _: None, nice: int = 0
) -> Compilation:
    """Compile what some purposes need in processes of their own, report progress, and return how far it came."""
    from ..compilation.warmup import warmup

    last = Compilation()

    def take(now: Compilation) -> None:
        nonlocal last
        last = now
        tell(now)

    warmup(*purposes, progress=as_compilation(take), nice=nice)
    return last


def as_compilation(tell: Callable[[Compilation], None]) -> Callable[[CompileProgress], None]:
    """Return a progress function for `warmup` that tells how far it is, with the seconds since now."""
    start = perf_counter()

    def take(now: CompileProgress) -> None:
        seconds = perf_counter() - start
        tell(Compilation(now.done, seconds, now.total, now.seconds_left, is_busy=now.done < now.total))

    return take


def _duration(seconds: float) -> str:
    if seconds < 90.0:
        whole = max(1, round(seconds))
        return f"{whole} second{'' if whole == 1 else 's'}"
    return f"{round(seconds / 60.0)} minutes"
