"""Tasks run in this process, in several or on a cluster; the results are the same.

Episodes are many short steps of Python between kernels, so threads would wait for one another.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from ....errors import InputError

Plan = TypeVar("Plan")
Task = TypeVar("Task")
Result = TypeVar("Result")
Outcomes = tuple[list[tuple[Any, Exception | None]], float]
"""Result or exception of each task of a chunk, and the seconds they took together."""

TRIES = 3
"""Number of times a task may be lost with a process that ends without an answer."""
_STARTS = 3
"""Number of times in a row, per worker, that processes may be killed before they are ready."""
_SECONDS = 0.25
"""Target duration of a chunk."""
_MOST = 1000


def run_tasks(
    make: Callable[[Plan], Callable[[Task], Result]],
    plan: Plan,
    tasks: Sequence[Task],
    *,
    jobs: int = 1,
    cluster: str = "",
    given_up: Callable[[Task, str], Result] | None = None,
) -> Generator[list[tuple[Task, Result]], None, None]:
    """Run tasks and yield them with their results as these arrive, each once.

    Parameters
    ----------
    make : a class or function of a module that turns the plan into what runs a task, once in each process.
    jobs : number of processes.
    cluster : address of a scheduler of dask.distributed, or "local", instead of processes of this machine.
    given_up : returns the result of a task that was lost too often, and why. With it, tasks may end their process:
        they run in other processes only, and lost ones run again. Without it, this process is one of the workers, and
        another that ends is an error.
    """
    if not tasks:
        return
    if cluster:
        from .cluster import run_on_cluster

        yield from run_on_cluster(make, plan, tasks, cluster, jobs, given_up or _lost)
    elif jobs == 1 or len(tasks) == 1:
        run = make(plan)
        for task in tasks:
            yield [(task, run(task))]
    else:
        yield from _in_processes(make, plan, tasks, jobs, given_up)


def _lost(_task: object, why: str) -> Any:
    raise InputError(f"a process of the evaluation {why}; give fewer jobs, or make room for them")


def _in_processes(
    make: Callable[[Plan], Callable[[Task], Result]],
    plan: Plan,
    tasks: Sequence[Task],
    jobs: int,
    given_up: Callable[[Task, str], Result] | None,
) -> Iterator[list[tuple[Task, Result]]]:
    # Other processes take a second to start; meanwhile this one works, and they find ready what it compiles.
    here = make(plan) if given_up is None else None
    chunks, unborn = Chunks(len(tasks)), 0
    crew = [_Worker(make, plan) for _ in range(min(jobs, len(tasks)) - (here is not None))]
    try:
        while chunks or any(worker.chunks for worker in crew):
            for worker in crew:
                worker.fill(chunks, tasks, len(crew), ahead=here is not None)
            if here is not None and chunks:
                task = tasks[chunks.take_one()]
                yield [(task, here(task))]
            busy = {worker.pipe: worker for worker in crew if worker.chunks or not worker.ready}
            for pipe in wait(list(busy), 0.0 if here is not None and chunks else None):
                worker = busy[pipe]  # type: ignore[index]
                if worker.starts():
                    continue
                found = worker.answer() if worker.ready else None
                if found is not None:
                    unborn, chunk = 0, worker.chunks.popleft()
                    chunks.answered(len(chunk), found[1])
                    yield results_of([tasks[number] for number in chunk], found)
                    continue
                crew[crew.index(worker)] = _Worker(make, plan)
                why = worker.last_words()
                if not worker.ready:
                    unborn += 1
                    _require_killed(why, worker.killed, unborn > _STARTS * len(crew))
                    continue
                gone = chunks.lost(list(worker.chunks))
                if given_up is None:
                    _lost(None, f"ended with {why}")
                elif gone:
                    yield [(tasks[n], given_up(tasks[n], f"ended {TRIES} times: {why}")) for n in gone]
    finally:
        for worker in crew:
            worker.end()


def run_chunk(run: Callable[[Task], Result], chunk: Sequence[Task]) -> Outcomes:
    """Run tasks one after another; an exception is an outcome too."""
    began, found = time.perf_counter(), list[tuple[Any, Exception | None]]()
    for task in chunk:
        try:
            found.append((run(task), None))
        except Exception as error:  # raised again where the task came from
            found.append((None, error))
    return found, time.perf_counter() - began


def results_of(chunk: Sequence[Task], outcomes: Outcomes) -> list[tuple[Task, Any]]:
    """Return tasks with their results, or raise the exception of the first that failed."""
    for _, error in outcomes[0]:
        if error is not None:
            raise error
    return [(task, result) for task, (result, _) in zip(chunk, outcomes[0])]


def _require_killed(why: str, killed: bool, too_often: bool) -> None:
    """Raise if processes exit by themselves while starting, or are killed too often."""
    if not killed:
        raise InputError(
            f"worker processes exited while starting ({why}); a script that uses jobs > 1 must start its work under "
            "if __name__ == '__main__': - add it, or give jobs=1"
        )
    if too_often:
        raise InputError(
            f"worker processes keep ending while starting: {why}; give fewer jobs or free some memory; finished tasks "
            "are kept"
        )


class _Worker:
    """A process that runs one chunk after another. It is spawned, not forked, because kernels use threads."""

    def __init__(self, make: Callable[[Any], Any], plan: Any):
        context = get_context("spawn")
        self.pipe, other = context.Pipe()
        self.chunks: deque[list[int]] = deque()
        self.ready = False
        self._process = context.Process(target=_work, args=(other,), daemon=True)
        self._process.start()
        other.close()
        # A plan that does not fit into the pipe would keep this process until the other has started.
        self._sender = threading.Thread(target=self._send, args=((make, plan),), daemon=True)
        self._sender.start()

    def _send(self, what: Any) -> None:
        with suppress(OSError):  # The process may have ended; `answer` reports that.
            self.pipe.send(what)

    def starts(self) -> bool:
        """Return whether the process has just become ready."""
        if self.ready:
            return False
        with suppress(EOFError, OSError):
            self.ready = self.pipe.recv()
        return self.ready

    def fill(self, chunks: Chunks, tasks: Sequence[Any], workers: int, *, ahead: bool) -> None:
        """Send the process what it can do next; with `ahead`, also while it works, if enough is left for the others.

        Tasks sent ahead must be small, as the pipe is not read meanwhile.
        """
        while self.ready and chunks and (not self.chunks or (ahead and len(self.chunks) < 2 < len(chunks) / workers)):
            self.chunks.append(chunks.take(workers))
            self._send([tasks[number] for number in self.chunks[-1]])

    def answer(self) -> Outcomes | None:
        """Return the outcomes of the first chunk, or None if the process has ended."""
        try:
            found: Outcomes = self.pipe.recv()
        except (EOFError, OSError):
            return None
        return found

    @property
    def killed(self) -> bool:
        """Return whether a signal ended the process."""
        return (self._process.exitcode or 0) < 0

    def last_words(self) -> str:
        """Describe how the process ended."""
        self._process.join(5.0)
        code = self._process.exitcode
        if code is not None and code < 0:
            return f"killed by signal {-code}" + (" (out of memory?)" if code == -signal.SIGKILL else "")
        return f"exit code {code}"

    def end(self) -> None:
        """Terminate the process."""
        self._process.terminate()
        self._process.join()
        self._sender.join()
        self.pipe.close()


def _work(pipe: Connection[Any, Any]) -> None:
    # The terminal sends an interrupt to all its processes; the main process ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        make, plan = pipe.recv()
        run = make(plan)
        pipe.send(True)
        while True:
            pipe.send(run_chunk(run, pipe.recv()))
    except (EOFError, OSError):
        return  # The main process is gone.


class Chunks:
    """Numbers of tasks that wait for workers; tasks of a lost worker are retried one at a time."""

    def __init__(self, count: int):
        self._waiting = deque(range(count))
        self._again: deque[int] = deque()
        self._lost: Counter[int] = Counter()
        self._seconds, self._count = 0.0, 0

    def __len__(self) -> int:
        return len(self._waiting) + len(self._again)

    def take_one(self) -> int:
        """Return the next task."""
        return (self._again or self._waiting).popleft()

    def take(self, workers: int) -> list[int]:
        """Return the next chunk; empty if nothing waits."""
        if self._again:
            return [self._again.popleft()]
        fair = len(self._waiting) // (4 * max(workers, 1))
        by_time = int(_SECONDS * self._count / max(self._seconds, 1e-6)) if self._count else 1
        count = max(1, min(fair, by_time, _MOST))
        return [self._waiting.popleft() for _ in range(min(count, len(self._waiting)))]

    def answered(self, count: int, seconds: float) -> None:
        """Update the estimated duration of tasks, favouring recent ones, as kernels are compiled at the start."""
        self._seconds = 0.5 * self._seconds + seconds
        self._count = self._count // 2 + count

    def lost(self, taken: Sequence[list[int]]) -> list[int]:
        """Take back the chunks of a lost worker, which had begun the first; return tasks that were lost too often."""
        given_up = []
        for begun, chunk in enumerate(taken):
            for task in chunk:
                # It is unknown which task of a larger chunk ended the worker.
                self._lost[task] += not begun
                if not begun and len(chunk) == 1 and self._lost[task] >= TRIES:
                    given_up.append(task)
                else:
                    self._again.append(task)
        return given_up
