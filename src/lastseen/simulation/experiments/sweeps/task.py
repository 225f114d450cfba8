"""Tasks of a sweep, identified by a digest of everything they depend on, and their chunks."""

from __future__ import annotations

import json
import time
import traceback
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ....errors import LastSeenError
from ....level.level import Level
from ....textfile import digest_of
from .experiment import Experiment, Job, Kept, Row
from .parameters import Values

__all__ = ["Answer", "Chunks", "Plan", "Runner", "Task", "task_key"]


class Task(NamedTuple):
    """One evaluation: its level, seed and values; `key` is the digest of all of them."""

    key: str
    level: str
    seed: int
    values: Values


class Answer(NamedTuple):
    """Result of a task: rows, or an error message; `seconds` is the time it took."""

    key: str
    rows: list[Row]
    error: str
    seconds: float


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything a process needs to run any task: levels by name, and the contents of files named by parameters.

    The experiment's functions must be module-level, so that other processes can import them.
    """

    experiment: Experiment
    levels: Mapping[str, Level]
    files: Mapping[str, Any]


def task_key(evaluate: str, level: str, level_digest: str, seed: int, values: Values, files: Mapping[str, str]) -> str:
    """Return the digest of a task, 32 hexadecimal digits; `files`: digests of files by name."""
    used = {value: files[value] for value in values.values() if isinstance(value, str) and value in files}
    told = [evaluate, level, level_digest, seed, sorted(values.items()), sorted(used.items())]
    return digest_of(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode())[:32]


class Runner:
    """Run tasks of a plan in this process."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._experiment = plan.experiment
        self._kept = Kept()

    def __call__(self, task: Task) -> Answer:
        """Run one task; an error is an answer too."""
        began = time.perf_counter()
        rows: list[Row] = []
        error = ""
        try:
            level = self._plan.levels[task.level]
            rows = self._experiment.run(Job(task.level, level, task.seed, task.values, self._plan.files, self._kept))
        except LastSeenError as fault:
            error = str(fault)
        except Exception as fault:
            where = traceback.extract_tb(fault.__traceback__)[-1]
            error = f"{type(fault).__name__}: {fault} ({Path(where.filename).name}, line {where.lineno})"
        return Answer(task.key, rows, error, time.perf_counter() - began)


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
