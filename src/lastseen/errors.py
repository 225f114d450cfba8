"""Everything lastseen raises on purpose.

::

    LastSeenError
    ├── InputError (ValueError)         an argument of a call is out of range or of the wrong shape
    ├── LevelError (ValueError)         a level file or a drawn level is faulty; `.faults` lists all faults
    ├── BakeError (ValueError)          no navmesh or cells can be made from a sound level
    ├── QueryError (ValueError)         a question that cannot be asked of this mesh or layout
    ├── CellFileError (ValueError)      a cell file is damaged, foreign or from another version
    ├── BehaviourError (ValueError)     a behaviour tree is faulty, or a node raised; `.path` says where in the tree
    ├── RuleError (ValueError)          a rule, its variables or a compiled pack are faulty
    ├── ScenarioError (ValueError)      a scenario file is faulty; `.faults` lists all faults
    └── RecordingError (ValueError)     a recording is damaged, foreign or from another version

A message says what was given, what is allowed, where, and what to do next.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "BakeError",
    "BehaviourError",
    "CellFileError",
    "Fault",
    "InputError",
    "LastSeenError",
    "LevelError",
    "QueryError",
    "RecordingError",
    "RuleError",
    "ScenarioError",
    "did_you_mean",
]


class LastSeenError(Exception):
    """Root of every error lastseen raises on purpose."""


class InputError(LastSeenError, ValueError):
    """An argument is out of range, of the wrong shape or not finite."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a level, and what to do about it.

    `where` names the place in words ("line 4, column 9", "feature 3 (crate)"); `at` is a world position
    in metres, `(x, y)` or `(x, y, z)`, where there is one. A *warning* does not stop a bake.
    """

    what: str
    advice: str
    where: str = ""
    at: tuple[float, ...] | None = None
    severity: str = "error"

    def __str__(self) -> str:
        place = self.where
        if self.at is not None:
            place += (" at " if place else "at ") + "(" + ", ".join(f"{v:g}" for v in self.at) + ")"
        return f"{place + ': ' if place else ''}{self.what}; {self.advice}"


class _Faulty(LastSeenError, ValueError):
    """Something was read that cannot be used; `faults` holds every fault found, not only the first."""

    kind = "file"

    def __init__(self, source: str, faults: Sequence[Fault]):
        self.source = source
        self.faults = tuple(faults)
        lines = [str(fault) for fault in self.faults]
        head = source or self.kind
        super().__init__(f"{head}: {lines[0]}" if len(lines) == 1 else "\n  ".join([f"{head}:", *lines]))

    def __reduce__(self) -> tuple[Any, ...]:
        """Let errors pass between processes: an exception is rebuilt from its message otherwise."""
        return type(self), (self.source, self.faults)


class LevelError(_Faulty):
    """A level cannot be used; `faults` holds every fault found, not only the first."""

    kind = "level"


class ScenarioError(_Faulty):
    """A scenario cannot be run; `faults` holds every fault found, not only the first."""

    kind = "scenario"


class BehaviourError(LastSeenError, ValueError):
    """A behaviour tree is faulty, or one of its nodes raised; `path` names the node from the root."""

    def __init__(self, message: str, path: str = ""):
        self.path = path
        super().__init__(f"{path}: {message}" if path else message)


class RuleError(LastSeenError, ValueError):
    """A rule, a variable or a compiled pack of rules is faulty."""


class RecordingError(LastSeenError, ValueError):
    """A recording is damaged, not one of ours, or from another version."""


class BakeError(LastSeenError, ValueError):
    """A sound level gives no navmesh or no cells with these parameters."""


class QueryError(LastSeenError, ValueError):
    """The question does not fit the mesh or layout it was put to."""


class CellFileError(LastSeenError, ValueError):
    """A cell file is damaged, not one of ours, or from another version."""


def did_you_mean(given: object, allowed: Iterable[str]) -> str:
    """Return `" (did you mean 'x'?)"` for a close name, else (also for what is no text) an empty string."""
    close = difflib.get_close_matches(given, list(allowed), n=1) if isinstance(given, str) else []
    return f" (did you mean {close[0]!r}?)" if close else ""
