"""Monitor the compiler, in this process or in worker processes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter

from .progress import CompileProgress

_PRIOR = 5.0
"""Seconds of expected compile time that count as compiled on schedule, so that the first kernels do not dominate."""


class CompileCounter:
    """Counts kernels as they are compiled in any thread of this process, and reports progress.

    Parameters
    ----------
    tell : called when compiling a kernel begins or ends, in the compiling thread.
    expected : kernels that will be compiled, by name as in "walk.raycast.cast_rays", and the seconds each takes without
        its callees; a kernel compiled for several types is repeated. If empty, the total is unknown.

    Notes
    -----
    Kernels are compiled one at a time, each after its callees; kernels loaded from the cache do not count. The seconds
    left are those expected for the remaining kernels, corrected by the pace so far.
    """

    def __init__(
        self,
        tell: Callable[[CompileProgress], None] = lambda _: None,
        expected: Iterable[tuple[str, float]] = (),
        clock: Callable[[], float] = perf_counter,
    ):
        self._tell, self._clock = tell, clock
        self._coming: dict[str, list[float]] = {}
        self._done = self._depth = self._total = 0
        self._seconds = self._begun = self._expected = self._left = 0.0
        self.expect(expected)

    def expect(self, kernels: Iterable[tuple[str, float]]) -> None:
        """Add kernels that will be compiled."""
        for name, seconds in kernels:
            self._coming.setdefault(name, []).append(seconds)
            self._total += 1
            self._expected += seconds
            self._left += seconds

    @contextmanager
    def counting(self) -> Iterator[CompileCounter]:
        """Count all kernels that are compiled within the block."""
        from ..kernels.jit import when_kernels_compile  # loads numba, which commands may not need

        with when_kernels_compile(self.begin, self.end):
            yield self

    def begin(self) -> None:
        """Record that compiling a kernel begins."""
        if self._depth == 0:
            self._begun = self._clock()
        self._depth += 1
        self._tell(self.now())

    def end(self, name: str) -> None:
        """Record that a kernel has been compiled."""
        self._depth -= 1
        self._done += 1
        if self._coming.get(name):
            self._left -= self._coming[name].pop()
        if self._depth == 0:
            self._seconds += self._clock() - self._begun
        self._tell(self.now())

    def now(self) -> CompileProgress:
        """Return the present progress."""
        seconds, is_busy = self.seconds, self._depth > 0
        if not self._total:
            return CompileProgress(self._done, seconds, is_busy=is_busy)
        total = max(self._total, self._done + self._depth)
        return CompileProgress(self._done, seconds, total, self._seconds_left(seconds), is_busy)

    @property
    def seconds(self) -> float:
        """Seconds the compiler has been at work, including the present kernel."""
        return self._seconds + (self._clock() - self._begun if self._depth else 0.0)

    @property
    def done(self) -> int:
        """Kernels compiled so far."""
        return self._done

    def _seconds_left(self, seconds: float) -> float:
        left = max(self._left, 0.0)
        return left * (seconds + _PRIOR) / (self._expected - left + _PRIOR)


def expected_kernels(purposes: tuple[str, ...], skipped: Collection[str] = ()) -> list[tuple[str, float]]:
    """Return the kernels still to be compiled for some purposes, and the seconds each is expected to take.

    Kernels named in `skipped` are left out unless others call them.
    """
    from .manifest import manifest
    from .warmup import is_ready, missing_kernels

    if is_ready(*purposes):
        return []
    missing = [manifest().kernels[number] for number in missing_kernels(purposes, skipped)]
    return [(entry.kernel, entry.seconds) for entry in missing]


def compile_ahead(
    purposes: tuple[str, ...],
    tell: Callable[[CompileProgress], None] = lambda _: None,
    nice: int = 0,
    skipped: Collection[str] = (),
) -> CompileProgress:
    """Compile the kernels of some purposes in worker processes, report progress, and return the final progress.

    Kernels named in `skipped` are left out.
    """
    from ..checks import job_count
    from .warmup import compile_purposes

    last = CompileProgress()

    def take(now: CompileProgress) -> None:
        nonlocal last
        last = now
        tell(now)

    compile_purposes(purposes, job_count(None, "jobs"), take, nice, skipped)
    return last
