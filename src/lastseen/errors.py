"""Every exception lastseen raises on purpose.

    LastSeenError
    ├── InputError (ValueError)         an argument of a call is out of range or of the wrong shape
    ├── LevelError (ValueError)         a level file or a drawn level is faulty; `.faults` lists all faults
    ├── BakeError (ValueError)          no navmesh or cells can be made from a sound level
    ├── QueryError (ValueError)         a query does not fit this mesh or layout
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
from typing import Any, Self

__all__ = [
    "BakeError",
    "BehaviourError",
    "CellFileError",
    "Fault",
    "InputError",
    "LastSeenError",
    "LevelError",
    "PartLabel",
    "QueryError",
    "RecordingError",
    "RuleError",
    "ScenarioError",
    "did_you_mean",
]


class LastSeenError(Exception):
    """Base class of every exception lastseen raises on purpose."""


class InputError(LastSeenError, ValueError):
    """An argument is out of range, of the wrong shape or not finite."""


class FrozenError(InputError, AttributeError):
    """An object that never changes was to be changed; also an `AttributeError`, so that `hasattr` answers."""


class PartLabel(str):
    """A label such as `doors[2] (front)` that also knows the part of the level: `group` and `number`."""

    __slots__ = ("group", "number")
    group: str
    number: int

    def __new__(cls, text: str, group: str, number: int) -> Self:
        """Return the label of a part."""
        label = super().__new__(cls, text)
        label.group, label.number = group, number
        return label

    def __add__(self, more: str) -> PartLabel:
        """Return the label with more text, of the same part."""
        return PartLabel(str(self) + more, self.group, self.number)

    def __reduce__(self) -> tuple[Any, ...]:
        return PartLabel, (str(self), self.group, self.number)


class PathLabel(str):
    """A label such as `line 4 (agents['Cole'].brain)` that also knows the `path` of the value in its file."""

    __slots__ = ("path",)
    path: tuple[str | int, ...]

    def __new__(cls, text: str, path: tuple[str | int, ...]) -> Self:
        """Return the label of a value."""
        label = super().__new__(cls, text)
        label.path = path
        return label

    def __reduce__(self) -> tuple[Any, ...]:
        return PathLabel, (str(self), self.path)


@dataclass(frozen=True)
class Fault:
    """One fault of a level or scenario, and how to fix it.

    `where` names the location in words ("line 4, column 9", "feature 3 (crate)"), as a `PartLabel` if it is a part of a
    level, as a `PathLabel` if it is a value of a scenario; `at` is a world position
    in metres, `(x, y)` or `(x, y, z)`, if there is one. A *warning* does not stop a bake.
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
    """A file that was read cannot be used; `faults` holds every fault found; the message leaves out warnings."""

    kind = "file"

    def __init__(self, source: str, faults: Sequence[Fault]):
        self.source = source
        self.faults = tuple(faults)
        lines = [str(fault) for fault in self.faults if fault.severity == "error"] or [str(one) for one in self.faults]
        head = source or self.kind
        super().__init__(f"{head}: {lines[0]}" if len(lines) == 1 else "\n  ".join([f"{head}:", *lines]))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments instead of the message, so that errors can pass between processes."""
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
    """A recording is damaged, not a lastseen file, or from another version."""


class BakeError(LastSeenError, ValueError):
    """A sound level yields no navmesh or no cells with these parameters."""


class QueryError(LastSeenError, ValueError):
    """A query does not fit the mesh or layout it was made on."""


class CellFileError(LastSeenError, ValueError):
    """A cell file is damaged, not a lastseen file, or from another version."""


def did_you_mean(given: object, allowed: Iterable[str]) -> str:
    """Return `" (did you mean 'x'?)"` for a close name, else an empty string (also if `given` is not text)."""
    close = difflib.get_close_matches(given, list(allowed), n=1) if isinstance(given, str) else []
    return f" (did you mean {close[0]!r}?)" if close else ""
