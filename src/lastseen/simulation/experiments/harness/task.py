"""Tasks of a sweep, identified by a digest of everything they depend on."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ....errors import LastSeenError
from ....level.level import Level
from ....textfile import digest_of
from .experiment import Experiment, Job, Kept
from .measures import Row
from .parameters import Values


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
