"""Distribution of tasks over local processes; a killed process is replaced and its tasks are run again."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from ....errors import InputError
from .task import Answer, Chunks, Plan, Runner, Task

__all__ = ["run_here", "run_in_processes"]

_STARTS = 3
"""Number of times in a row, per worker, that processes may be killed before they are ready."""


def run_here(plan: Plan, tasks: Sequence[Task]) -> Iterator[list[Answer]]:
    """Run tasks in this process; yield each answer as it finishes."""
    runner = Runner(plan)
    for task in tasks:
        yield [runner(task)]


def run_in_processes(plan: Plan, tasks: Sequence[Task], jobs: int) -> Iterator[list[Answer]]:
    """Run tasks in several processes; yield answers as they arrive, each once."""
    chunks = Chunks(tasks)
    crew = [_Worker(plan) for _ in range(min(jobs, len(tasks)))]
    unborn = 0
    try:
        while chunks or any(worker.chunk for worker in crew):
            for worker in crew:
                if not worker.chunk:
                    worker.give(chunks.take(len(crew)))
            busy = {worker.pipe: worker for worker in crew if worker.chunk}
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                answers = worker.answers()
                if answers is not None:
                    unborn = 0
                    chunks.answered(answers)
                    yield answers
                elif worker.ready:
                    crew[crew.index(worker)] = _Worker(plan)
                    given_up = chunks.lost(worker.chunk, worker.last_words())
                    if given_up:
                        yield given_up
                else:
                    unborn += 1
                    _require_killed(worker, unborn > _STARTS * len(crew))
                    # Its tasks were not started; the replacement takes them over.
                    crew[crew.index(worker)] = replacement = _Worker(plan)
                    replacement.give(worker.chunk)
    finally:
        for worker in crew:
            worker.end()


def _require_killed(worker: _Worker, too_often: bool) -> None:
    """Raise if processes exit by themselves while starting, or are killed too often."""
    why = worker.last_words()
    if not worker.killed:
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

    def __init__(self, plan: Plan):
        context = get_context("spawn")
        self.pipe, other = context.Pipe()
        self.chunk: list[Task] = []
        self.ready = False
        self._process = context.Process(target=_work, args=(plan, other), daemon=True)
        self._process.start()
        other.close()

    def give(self, chunk: list[Task]) -> None:
        """Send a chunk to the waiting process."""
        self.chunk = chunk
        if chunk:
            with suppress(OSError):  # The process may have ended; `answers` reports that.
                self.pipe.send(chunk)

    def answers(self) -> list[Answer] | None:
        """Return the answers to the chunk, or None if the process has ended."""
        try:
            if not self.ready:
                self.pipe.recv()
                self.ready = True
                if not self.pipe.poll():
                    return []
            found: list[Answer] = self.pipe.recv()
        except (EOFError, OSError):
            return None
        self.chunk = []
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
        self.pipe.close()
        self._process.terminate()
        self._process.join()


def _work(plan: Plan, pipe: Connection[Any, Any]) -> None:
    # The terminal sends an interrupt to all its processes; the main process ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    runner = Runner(plan)
    try:
        pipe.send(True)
        while True:
            pipe.send([runner(task) for task in pipe.recv()])
    except (EOFError, OSError):
        return  # The main process is gone.
