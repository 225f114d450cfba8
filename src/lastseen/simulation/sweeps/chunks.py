"""Tasks cut into chunks: long enough that handing them out costs nothing, short enough to end together."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from .task import Answer, Task

__all__ = ["Chunks"]

_SECONDS = 0.25
"""How long a chunk should take."""
_MOST = 1000
_TRIES = 3
"""How often a task may be with a process that ends without an answer."""


class Chunks:
    """Tasks waiting to be done, by so many workers; those whose worker was lost come again, each alone."""

    def __init__(self, tasks: Iterable[Task]):
        self._waiting = deque(tasks)
        self._again: deque[Task] = deque()
        self._lost: Counter[str] = Counter()
        self._seconds, self._count = 0.0, 0

    def __len__(self) -> int:
        return len(self._waiting) + len(self._again)

    def take(self, workers: int) -> list[Task]:
        """Return the next chunk; none where nothing waits."""
        if self._again:
            return [self._again.popleft()]
        fair = len(self._waiting) // (4 * max(workers, 1))
        by_time = int(_SECONDS * self._count / max(self._seconds, 1e-6)) if self._count else 1
        count = max(1, min(fair, by_time, _MOST))
        return [self._waiting.popleft() for _ in range(min(count, len(self._waiting)))]

    def answered(self, answers: list[Answer]) -> None:
        """Learn how long tasks take; of late, not at the start, when kernels are compiled."""
        self._seconds = 0.5 * self._seconds + sum(answer.seconds for answer in answers)
        self._count = self._count // 2 + len(answers)

    def lost(self, chunk: list[Task], why: str) -> list[Answer]:
        """Take back the chunk of a worker that ended; return answers for tasks that were lost too often."""
        given_up = []
        for task in chunk:
            # In a chunk of several it is not known which of them ended the worker.
            self._lost[task.key] += 1
            if len(chunk) == 1 and self._lost[task.key] >= _TRIES:
                given_up.append(Answer(task.key, [], f"the process doing it ended {_TRIES} times: {why}", 0.0))
            else:
                self._again.append(task)
        return given_up
