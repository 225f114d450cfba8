"""Compile the kernels of a purpose ahead of their first use, in worker processes."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..checks import job_count, shown, whole_number
from ..errors import InputError, did_you_mean
from ..files import atomic_write
from ..kernels.jit import is_compiled
from ..kernels.store import locked
from .manifest import Manifest, manifest, ready_file
from .progress import CompileProgress

_MOST_MEGABYTES = 400.0
"""Memory beyond which a worker is replaced: the compiler keeps everything it compiled."""
_PRIOR = 5.0
"""Seconds of recorded compile time that count as compiled on schedule, so that the first kernels do not dominate."""
_FOLDER = "folder "
_WORKER = "import sys; sys.path.append(sys.argv[1]); from lastseen.compilation.worker import main; main()"


@dataclass(frozen=True)
class WarmupReport:
    """Kernels compiled by a warmup.

    Attributes
    ----------
    compiled : seconds of CPU time by kernel and number of its entry, in order of compilation.
    failed : error messages by kernel; these kernels will be compiled on first use instead.
    seconds : wall-clock seconds in total.
    most_megabytes : peak memory of the largest process.
    can_keep : whether compiled code can be kept; if not, nothing was compiled.
    """

    compiled: dict[tuple[str, int], float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    most_megabytes: float = 0.0
    can_keep: bool = True


def purposes() -> dict[str, str]:
    """Return the purposes for which kernels can be compiled, with a one-line description each."""
    return dict(manifest().purposes)


def checked_purposes(names: Iterable[str]) -> tuple[str, ...]:
    """Return the named purposes, or all if none is named; raise InputError for an unknown one."""
    known = manifest().purposes
    for name in names:
        if not isinstance(name, str) or name not in known:
            hint = did_you_mean(name, known)
            raise InputError(f"unknown purpose {shown(name)}{hint}; choose from {', '.join(known)}")
    return tuple(names) or tuple(known)


def is_ready(*names: str) -> bool:
    """Return whether all kernels for these purposes (all purposes if none is named) are known to be compiled."""
    ready = _ready()
    if not ready.issuperset(names or manifest().purposes):
        return False
    # The marker may outlive the code if the cache is cleared in part.
    folder = ready_file().parent.parent
    return all((folder / one.removeprefix(_FOLDER)).is_dir() for one in ready if one.startswith(_FOLDER))


def _ready() -> set[str]:
    """Return the recorded names of purposes and of folders that hold their code."""
    try:
        return set(ready_file().read_text().split("\n")) - {""}
    except (OSError, UnicodeError):
        return set()


def missing_kernels(names: Iterable[str], skipped: Collection[str] = ()) -> list[int]:
    """Return the numbers of the manifest's kernels that must be compiled for these purposes, callees first.

    Kernels named in `skipped` are left out unless others call them. A kernel that is kept does not need its callees,
    because its code contains them.
    """
    from ..kernels.signatures import argument_types, is_kept, kernel_named

    given = manifest()

    def kept(number: int) -> bool:
        entry = given.kernels[number]
        return is_kept(kernel_named(entry.kernel), argument_types(given.arguments(entry)))

    found = dict[int, None]()
    for number in given.entries_for(tuple(names)):
        if number not in found and given.kernels[number].kernel not in skipped and not kept(number):
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
    jobs : number of processes; the number of cores by default.
    progress : called after every kernel, from threads.
    nice : niceness added to the processes, 0 … 19 (ignored on Windows).

    Returns
    -------
    What was compiled. Kernels that are kept from an earlier run, or were shipped, are not compiled again; with
    NUMBA_DISABLE_JIT=1 none is.
    """
    wanted = checked_purposes(names)
    jobs, nice = job_count(jobs, "jobs"), whole_number(nice, "nice")
    if nice > 19:
        raise InputError(f"nice is {nice}; it must be at most 19")
    if not (progress is None or callable(progress)):
        raise InputError(f"progress is {shown(progress)}; give a function of one CompileProgress, or None")
    return compile_purposes(wanted, jobs, progress or (lambda _: None), nice)


def compile_purposes(
    wanted: tuple[str, ...],
    jobs: int,
    progress: Callable[[CompileProgress], None],
    nice: int = 0,
    skipped: Collection[str] = (),
) -> WarmupReport:
    """Compile as `warmup` does, without the kernels named in `skipped`; arguments have been checked."""
    start = time.perf_counter()
    if not is_compiled() or is_ready(*wanted):
        return WarmupReport()
    if not _can_keep():
        return WarmupReport(can_keep=False)
    todo = missing_kernels(wanted, skipped)
    pool = _Pool(manifest(), todo, progress)
    if todo:
        pool.run(min(jobs, len(todo)), nice)
    if pool.is_complete and not skipped:
        _note_ready(wanted)
    return WarmupReport(pool.compiled, pool.failed, time.perf_counter() - start, pool.most_megabytes)


def _note_ready(names: Iterable[str]) -> None:
    """Record that all kernels for these purposes are compiled, if the cache is writable."""
    place = ready_file()
    # The lock keeps two processes that read, add and write from losing each other's entries.
    with contextlib.suppress(OSError, InputError), locked(place.with_suffix(".lock")):
        folders = {f"{_FOLDER}{one.name}" for one in place.parent.parent.iterdir() if one.is_dir()}
        atomic_write(place, "\n".join(sorted({*_ready(), *folders, *names})).encode())


def _can_keep() -> bool:
    """Return whether compiled code can be written to the cache."""
    try:
        ready_file().parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=ready_file().parent):
            return True
    except OSError:
        return False


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
        self._error: Exception | None = None
        self._jobs = 1
        self._start = time.perf_counter()
        self.compiled: dict[tuple[str, int], float] = {}
        self.failed: dict[str, str] = {}
        self.most_megabytes = 0.0

    def run(self, jobs: int, nice: int) -> None:
        """Compile everything with `jobs` processes."""
        self._jobs = jobs
        self._progress(CompileProgress(total=self._total, is_busy=True))
        threads = [threading.Thread(target=self._serve, args=(nice,), daemon=True) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.2)  # lets Ctrl-C through
        finally:
            self._stop()
            for thread in threads:
                thread.join()
        if self._error is not None:
            raise self._error

    @property
    def is_complete(self) -> bool:
        """Whether every kernel was compiled."""
        return not self._pending and not self.failed

    def _serve(self, nice: int) -> None:
        """Feed kernels to one process at a time, replacing it when it has grown too large."""
        number = self._next()
        try:
            while number is not None:
                with _worker(nice) as process:
                    megabytes = 0.0
                    while number is not None and megabytes < _MOST_MEGABYTES:
                        answer = _asked(process, number)
                        megabytes = float(answer.get("megabytes", 0.0))
                        self._finish(number, answer)
                        number = self._next()
        except OSError as error:  # no process can be started: kernels are compiled on first use
            self._stop()
            self.failed["(processes)"] = f"cannot start a compiling process: {error}"
        except Exception as error:  # raised by the caller's progress function
            self._stop()
            self._error = error

    def _stop(self) -> None:
        """Hand out no more kernels."""
        with self._change:
            self._stopped = True
            self._change.notify_all()

    def _next(self) -> int | None:
        """Take the next kernel whose callees are compiled; wait for one if necessary."""
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
            elapsed = time.perf_counter() - self._start
            pace = (elapsed + _PRIOR / self._jobs) / (self._weight_done + _PRIOR)
            left = max(self._weight_left, 0.0) * pace
            done = self._total - len(self._pending)
            self._progress(CompileProgress(done, elapsed, self._total, left, done < self._total, entry.kernel))
            self._change.notify_all()


@contextlib.contextmanager
def _worker(nice: int) -> Iterator[subprocess.Popen[str]]:
    # Isolated from the current folder, where a game may have its own json.py.
    root = str(Path(__file__).resolve().parents[2])
    words = [sys.executable, "-P", "-c", _WORKER, root, str(nice)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _asked(process: subprocess.Popen[str], number: int) -> dict[str, float | str]:
    """Ask a process to compile a kernel and return its answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(f"{number}\n")
        process.stdin.flush()
        answer: dict[str, float | str] = json.loads(process.stdout.readline())
    except (OSError, ValueError):
        return {"error": "the compiling process ended", "megabytes": _MOST_MEGABYTES}
    return answer
