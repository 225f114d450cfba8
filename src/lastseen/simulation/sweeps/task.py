"""Tasks of a sweep, each known by a digest of all it depends on, and what all of them need."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import LastSeenError
from ...level.level import Level
from ...textfile import digest_of
from .experiment import Experiment, Job, Kept, Row
from .parameters import Values

__all__ = ["Answer", "Plan", "Runner", "Task", "task_key"]


class Task(NamedTuple):
    """One evaluation: of which level, with which seed and values; `key` is the digest of all of it."""

    key: str
    level: str
    seed: int
    values: Values


class Answer(NamedTuple):
    """What came of a task: rows, or an error in words; `seconds` it took."""

    key: str
    rows: list[Row]
    error: str
    seconds: float


@dataclass(frozen=True, eq=False)
class Plan:
    """All a process needs to do any task: levels by name, and what files named by parameters hold.

    What the experiment calls must be functions of a module: other processes find them by name.
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
    """Does tasks of a plan in this process."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._experiment = plan.experiment
        self._kept = Kept()

    def __call__(self, task: Task) -> Answer:
        """Do one task; an error is an answer too."""
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
