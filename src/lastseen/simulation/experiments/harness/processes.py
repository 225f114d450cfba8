"""Pieces of work run here and in other processes; the result is the same.

Episodes are many short steps of Python between kernels, so threads would wait for one another.
"""

from __future__ import annotations

import queue
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ....errors import InputError

__all__ = ["run_all"]

Plan = TypeVar("Plan")
Task = TypeVar("Task")
Result = TypeVar("Result")


def run_all(
    make: Callable[[Plan], Callable[[Task], Result]], plan: Plan, tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, Result]]:
    """Run tasks in up to so many processes, of which this is one; yield each as it ends.

    `make` (a class or function of a module) makes of the plan what runs a task, once in each process. Others take a
    second to start; meanwhile this one works, and what it compiles they find ready.
    """
    here, waiting = make(plan), deque(tasks)
    found: queue.SimpleQueue[tuple[Task, Result] | Exception] = queue.SimpleQueue()
    helpers: list[_Helper] = []
    try:
        helpers.extend(_Helper(waiting, found) for _ in range(min(jobs, len(tasks)) - 1))
        for helper in helpers:
            helper.begin(make, plan)
        for _ in tasks:
            task = _next(waiting) if found.empty() else None
            yield _answer(found) if task is None else (task[0], here(task[0]))
        for helper in helpers:
            helper.join()
        if not found.empty():
            _answer(found)
    finally:
        for helper in helpers:
            helper.end()


def _next(waiting: deque[Task]) -> tuple[Task] | None:
    """Take a task; None: others have taken the last."""
    try:
        return (waiting.popleft(),)
    except IndexError:
        return None


def _answer(found: queue.SimpleQueue[Any]) -> Any:
    """Return what a helper found, or raise what went wrong."""
    answer = found.get()
    if isinstance(answer, Exception):
        raise answer
    return answer


class _Helper:
    """A spawned process (kernels have threads, so it is not forked) and the thread that hands it its tasks."""

    def __init__(self, waiting: deque[Any], found: queue.SimpleQueue[Any]):
        self._waiting, self._found = waiting, found
        context = get_context("spawn")
        self._pipe, other = context.Pipe()
        # The plan follows by the pipe: what does not fit into one at once would keep this process until it is read.
        self._process = context.Process(target=_work, args=(other,), daemon=True)
        self._process.start()
        other.close()
        self._thread: threading.Thread | None = None

    def begin(self, make: Callable[[Any], Any], plan: Any) -> None:
        """Have it do tasks until none waits."""
        self._thread = threading.Thread(target=self._hand_out, args=(make, plan), daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait until it has done its last task."""
        if self._thread is not None:
            self._thread.join()

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.terminate()
        self._process.join()
        self.join()
        self._pipe.close()

    def _hand_out(self, make: Callable[[Any], Any], plan: Any) -> None:
        ready = False
        try:
            self._pipe.send((make, plan))
            ready = self._pipe.recv()
            while (task := _next(self._waiting)) is not None:
                self._pipe.send(task[0])
                result, error = self._pipe.recv()
                self._found.put((task[0], result) if error is None else error)
        except (EOFError, OSError):
            self._found.put(self._fault(ready))
        except Exception as error:  # an answer that cannot be read: nobody else would report it
            self._found.put(InputError(f"a process of the evaluation gave an unreadable answer: {error!r}"))

    def _fault(self, ready: bool) -> InputError:
        self._process.join(5.0)
        if ready or (self._process.exitcode or 0) < 0:
            return InputError(
                f"a process of the evaluation ended with exit code {self._process.exitcode} (-9: out of memory?); "
                "give fewer jobs, or make room for them"
            )
        return InputError(
            "processes of the evaluation ended at once; a script that asks for jobs > 1 must begin its work under "
            "if __name__ == '__main__': - do so, or give jobs=1"
        )


def _work(pipe: Connection[Any, Any]) -> None:
    # An interrupt goes to all processes of a terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        make, plan = pipe.recv()
        run = make(plan)
        pipe.send(True)
        while True:
            task = pipe.recv()
            answer: tuple[Any, Exception | None]
            try:
                answer = run(task), None
            except Exception as error:  # raised again where the task came from
                answer = None, error
            pipe.send(answer)
    except (EOFError, OSError):
        return  # The parent process has ended.
