"""Compile the kernels of a purpose ahead of their first use, in processes of their own."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ..checks import job_count, shown, whole_number
from ..errors import InputError, did_you_mean
from ..files import atomic_write
from .manifest import Manifest, manifest, ready_file

__all__ = ["CompileProgress", "WarmupReport", "is_ready", "missing_kernels", "purposes", "warmup"]

_MOST_MEGABYTES = 400.0
"""A worker beyond this is replaced: the compiler keeps what it compiled in memory."""


@dataclass(frozen=True)
class CompileProgress:
    """How far compiling is.

    Attributes
    ----------
    kernel : the kernel that was compiled last; empty before the first.
    done, total : how many kernels are compiled, of how many that were missing.
    seconds_left : estimate of the time left; None before the first is compiled.
    """

    kernel: str
    done: int
    total: int
    seconds_left: float | None

    def __str__(self) -> str:
        left = f", about {self.seconds_left:.0f} s left" if self.seconds_left is not None else ""
        return f"kernel {self.done} of {self.total}{left}"


@dataclass(frozen=True)
class WarmupReport:
    """What warming up compiled.

    Attributes
    ----------
    compiled : seconds by kernel and number of its entry, in the order in which they were compiled.
    failed : messages by kernel, for kernels that will be compiled when they are first used instead.
    seconds : wall-clock seconds in all.
    most_megabytes : the largest memory of a process.
    """

    compiled: dict[tuple[str, int], float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    most_megabytes: float = 0.0


def purposes() -> dict[str, str]:
    """Return the purposes kernels can be compiled for, with one line each."""
    return dict(manifest().purposes)


def is_ready(*names: str) -> bool:
    """Return whether all kernels for these purposes (all purposes if none is named) are known to be compiled."""
    try:
        ready = set(ready_file().read_text().split("\n"))
    except (OSError, UnicodeError):
        return False
    return ready.issuperset(names or manifest().purposes)


def missing_kernels(names: Iterable[str]) -> list[int]:
    """Return the numbers of the manifest's kernels that must be compiled for these purposes, callees first.

    A kernel that is kept needs none of its callees: its code contains them.
    """
    from ..kernels.signatures import argument_types, is_kept, kernel_named

    given = manifest()

    def kept(number: int) -> bool:
        entry = given.kernels[number]
        return is_kept(kernel_named(entry.kernel), argument_types(given.arguments(entry)))

    found = dict[int, None]()
    for number in given.entries_for(tuple(names)):
        if number not in found and not kept(number):
            found |= dict.fromkeys(one for one in given.with_callees(number) if one == number or not kept(one))
    return list(found)


def warmup(
    *names: str,
    jobs: int | None = None,
    progress: Callable[[CompileProgress], None] | None = None,
    nice: int = 0,
) -> WarmupReport:
    """Compile the kernels of some purposes now, so that nothing waits for the compiler later.

    Parameters
    ----------
    *names : purposes, see `purposes()`; all of them if none is named. Earlier ones are compiled first.
    jobs : processes; as many as there are cores by default.
    progress : called after every kernel, from threads.
    nice : how much the processes give way to others, 0 … 19 (not on Windows).

    Returns
    -------
    What was compiled. Kernels that are kept from an earlier run, or were shipped, are not compiled again.
    """
    given = manifest()
    for name in names:
        if name not in given.purposes:
            known = ", ".join(given.purposes)
            raise InputError(f"unknown purpose {name!r}{did_you_mean(name, given.purposes)}; choose from {known}")
    jobs, nice = job_count(jobs, "jobs"), whole_number(nice, "nice")
    if not (progress is None or callable(progress)):
        raise InputError(f"progress is {shown(progress)}; give a function of one CompileProgress, or None")
    wanted = names or tuple(given.purposes)
    start = time.perf_counter()
    if is_ready(*wanted):
        return WarmupReport()
    todo = missing_kernels(wanted)
    pool = _Pool(given, todo, progress or (lambda _: None))
    if todo:
        pool.run(min(jobs, len(todo)), nice)
    if not pool.failed:
        _note_ready(wanted)
    return WarmupReport(pool.compiled, pool.failed, time.perf_counter() - start, pool.most_megabytes)


def _note_ready(names: Iterable[str]) -> None:
    """Note that all kernels for these purposes are compiled; where nothing can be written, nothing is noted."""
    place = ready_file()
    with contextlib.suppress(OSError, InputError):
        place.parent.mkdir(parents=True, exist_ok=True)
        known = place.read_text().split("\n") if place.exists() else []
        atomic_write(place, "\n".join(sorted({*known, *names} - {""})).encode())


class _Pool:
    """Hands kernels to processes as soon as their callees are compiled."""

    def __init__(self, given: Manifest, todo: list[int], progress: Callable[[CompileProgress], None]):
        self._manifest = given
        self._waiting = dict.fromkeys(todo)
        self._pending = set(todo)
        self._total = len(todo)
        self._weight_left = sum(given.kernels[one].seconds for one in todo)
        self._weight_done = 0.0
        self._progress = progress
        self._change = threading.Condition()
        self._stopped = False
        self._start = time.perf_counter()
        self.compiled: dict[tuple[str, int], float] = {}
        self.failed: dict[str, str] = {}
        self.most_megabytes = 0.0

    def run(self, jobs: int, nice: int) -> None:
        """Compile everything with so many processes."""
        self._progress(CompileProgress("", 0, self._total, None))
        threads = [threading.Thread(target=self._serve, args=(nice,), daemon=True) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.2)  # leaves room for Ctrl-C
        finally:
            with self._change:
                self._stopped = True
                self._change.notify_all()
            for thread in threads:
                thread.join()

    def _serve(self, nice: int) -> None:
        """Feed one process after another: one that has grown too large is replaced."""
        number = self._next()
        while number is not None:
            with _worker(nice) as process:
                megabytes = 0.0
                while number is not None and megabytes < _MOST_MEGABYTES:
                    answer = _asked(process, number)
                    megabytes = float(answer.get("megabytes", 0.0))
                    self._finish(number, answer)
                    number = self._next()

    def _next(self) -> int | None:
        """Take the next kernel whose callees are compiled; wait for one if need be."""
        with self._change:
            while self._waiting and not self._stopped:
                for number in self._waiting:
                    if self._pending.isdisjoint(self._manifest.kernels[number].callees):
                        del self._waiting[number]
                        return number
                self._change.wait()
        return None

    def _finish(self, number: int, answer: dict[str, float | str]) -> None:
        entry = self._manifest.kernels[number]
        with self._change:
            self._pending.discard(number)
            self._weight_left -= entry.seconds
            self._weight_done += entry.seconds
            self.most_megabytes = max(self.most_megabytes, float(answer.get("megabytes", 0.0)))
            if "error" in answer:
                self.failed[entry.kernel] = str(answer["error"])
            else:
                self.compiled[entry.kernel, number] = float(answer["seconds"])
            pace = (time.perf_counter() - self._start) / max(self._weight_done, 1e-9)
            left = max(self._weight_left, 0.0) * pace
            self._progress(CompileProgress(entry.kernel, self._total - len(self._pending), self._total, left))
            self._change.notify_all()


@contextlib.contextmanager
def _worker(nice: int) -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-m", "lastseen.compilation.worker", str(nice)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _asked(process: subprocess.Popen[str], number: int) -> dict[str, float | str]:
    """Have a process compile a kernel and return its answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(f"{number}\n")
        process.stdin.flush()
        answer: dict[str, float | str] = json.loads(process.stdout.readline())
    except (OSError, ValueError):
        return {"error": "the compiling process ended", "megabytes": _MOST_MEGABYTES}
    return answer
