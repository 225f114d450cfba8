"""Chunks of tasks: long enough that distribution costs little, short enough to finish together."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from .task import Answer, Task

__all__ = ["Chunks"]

_SECONDS = 0.25
"""Target duration of a chunk."""
_MOST = 1000
_TRIES = 3
"""Number of times a task may be lost with a process that ends without an answer."""


class Chunks:
    """Tasks waiting for workers; tasks of a lost worker are retried one at a time."""

    def __init__(self, tasks: Iterable[Task]):
        self._waiting = deque(tasks)
        self._again: deque[Task] = deque()
        self._lost: Counter[str] = Counter()
        self._seconds, self._count = 0.0, 0

    def __len__(self) -> int:
        return len(self._waiting) + len(self._again)

    def take(self, workers: int) -> list[Task]:
        """Return the next chunk; empty if nothing waits."""
        if self._again:
            return [self._again.popleft()]
        fair = len(self._waiting) // (4 * max(workers, 1))
        by_time = int(_SECONDS * self._count / max(self._seconds, 1e-6)) if self._count else 1
        count = max(1, min(fair, by_time, _MOST))
        return [self._waiting.popleft() for _ in range(min(count, len(self._waiting)))]

    def answered(self, answers: list[Answer]) -> None:
        """Update the estimated duration of tasks, favouring recent ones, as kernels are compiled at the start."""
        self._seconds = 0.5 * self._seconds + sum(answer.seconds for answer in answers)
        self._count = self._count // 2 + len(answers)

    def lost(self, chunk: list[Task], why: str) -> list[Answer]:
        """Take back the chunk of a lost worker; return failures of tasks that were lost too often."""
        given_up = []
        for task in chunk:
            # It is unknown which task of a larger chunk ended the worker.
            self._lost[task.key] += 1
            if len(chunk) == 1 and self._lost[task.key] >= _TRIES:
                given_up.append(Answer(task.key, [], f"its worker process ended {_TRIES} times: {why}", 0.0))
            else:
                self._again.append(task)
        return given_up
