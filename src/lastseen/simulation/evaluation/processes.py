"""Pieces of work run here or spread over processes; the result is the same.

Episodes are many short steps of Python between kernels, so threads would wait for one another.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from ...errors import InputError

__all__ = ["run_all"]

Plan = TypeVar("Plan")
Task = TypeVar("Task")
Result = TypeVar("Result")

_FEWEST_TO_SHARE = 3


def run_all(
    make: Callable[[Plan], Callable[[Task], Result]], plan: Plan, tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, Result]]:
    """Run tasks in up to so many processes; yield each as it ends.

    `make` (a class or function of a module) makes of the plan what runs a task, once in each process.
    """
    here = make(plan)
    if jobs == 1 or len(tasks) < _FEWEST_TO_SHARE:
        for task in tasks:
            yield task, here(task)
        return
    workers = min(jobs, len(tasks) - 1)
    context = get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_receive, initargs=(make, plan))
    try:
        for _ in range(workers):
            pool.submit(_begin)
        # While they start, the first task runs here: what it compiles the others find ready.
        yield tasks[0], here(tasks[0])
        futures = {pool.submit(_run, task): task for task in tasks[1:]}
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BrokenProcessPool:
        raise InputError(
            "processes of the evaluation ended at once; a script that asks for jobs > 1 must begin its work under "
            "if __name__ == '__main__': - do so, or give jobs=1"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_received: list[Callable[[Any], Any]] = []


def _receive(make: Callable[[Any], Callable[[Any], Any]], plan: Any) -> None:
    # An interrupt goes to all processes of a terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _received[:] = [make(plan)]


def _begin() -> None:
    """Make a process start."""


def _run(task: Any) -> Any:
    return _received[0](task)
