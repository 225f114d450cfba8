"""Sources: where the value of a variable comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ...checks import finite_number, shown, text_of, thing_of, whole_number
from ...errors import RuleError, did_you_mean
from ...kernels.knowledge_arrays import NOTHING
from ..knowledge.knowledge import SOURCES, Knowledge

__all__ = ["RECORD_FIELDS", "Attribute", "Constant", "Entry", "Method", "Recollection", "Record", "Roots", "Source"]

Roots = Mapping[str, Any]
"""The objects an evaluation is about, by name: npc, target, level …"""


class Source(Protocol):
    """Reads the value of a variable from the objects an evaluation is about; None: not known."""

    def read(self, roots: Roots, path: str) -> Any:
        """Return the value of the variable `path`."""


def _root(roots: Roots, of: str, path: str) -> Any:
    """Return the object a source reads from: the one named, else that under the first name of the path."""
    name = of or path.partition(".")[0]
    if name not in roots:
        raise RuleError(f"{path} is read from {name!r}{did_you_mean(name, roots)}, which was not given; give {name}=…")
    return roots[name]


@dataclass(frozen=True)
class Attribute:
    """An attribute of an object, `name` with dots for an attribute of an attribute; not known where that is None."""

    name: str
    of: str = ""

    def __post_init__(self) -> None:
        _check_names(self.name, self.of)

    def read(self, roots: Roots, path: str) -> Any:
        """Look it up."""
        found = _root(roots, self.of, path)
        for name in self.name.split("."):
            if found is None:
                return None
            found = getattr(found, name)
        return _plain(found)


@dataclass(frozen=True)
class Method:
    """What a method of an object returns for these arguments; not known where there is no object."""

    name: str
    arguments: tuple[Any, ...] = ()
    of: str = ""

    def __post_init__(self) -> None:
        _check_names(self.name, self.of)
        if not isinstance(self.arguments, tuple):
            raise RuleError(f"the arguments of {self.name} are {shown(self.arguments)}; give a tuple of them")

    def read(self, roots: Roots, path: str) -> Any:
        """Call it."""
        found = _root(roots, self.of, path)
        return None if found is None else _plain(getattr(found, self.name)(*self.arguments))


@dataclass(frozen=True)
class Entry:
    """What a mapping holds under a key, by default the rest of the path; not known where there is no such key."""

    key: Any = None
    of: str = ""

    def __post_init__(self) -> None:
        _check_names("key", self.of)

    def read(self, roots: Roots, path: str) -> Any:
        """Look it up."""
        found = _root(roots, self.of, path)
        key = path.partition(".")[2] if self.key is None else self.key
        return None if found is None else _plain(found.get(key))


@dataclass(frozen=True)
class Constant:
    """A value that stays."""

    value: Any

    def read(self, roots: Roots, path: str) -> Any:  # noqa: ARG002
        """Return it."""
        return self.value


@dataclass(frozen=True, eq=False)
class Recollection:
    """What observer number i knows of target number j at a moment: the object `Record` reads from."""

    knowledge: Knowledge
    observer: int
    target: int
    now: float

    def __post_init__(self) -> None:
        shape = thing_of(self.knowledge, Knowledge, "knowledge", "give a Knowledge").arrays.source.shape
        pair = whole_number(self.observer, "observer"), whole_number(self.target, "target")
        if pair[0] >= shape[0] or pair[1] >= shape[1]:
            raise RuleError(
                f"observer {pair[0]} and target {pair[1]} are asked for; there are {shape[0]} and {shape[1]}"
            )
        finite_number(self.now, "now", unit="s")


RECORD_FIELDS = ("known", "age", "unperceived", "source", "speed", "certainty", "identified", "distance")
"""What a record of knowledge says: is there anything, seconds since it held and since it was perceived, "sight",
"sound", "told" or "touch", metres a second, 0 … 1, yes or no, metres between where they were."""


@dataclass(frozen=True)
class Record:
    """A field of a record of knowledge; not known where nothing is, but for "known" itself, which is false then."""

    field: str
    of: str = ""

    def __post_init__(self) -> None:
        _check_names("field", self.of)
        if not isinstance(self.field, str) or self.field not in RECORD_FIELDS:
            hint = did_you_mean(self.field, RECORD_FIELDS)
            raise RuleError(f"records have no {shown(self.field)}{hint}; give one of {', '.join(RECORD_FIELDS)}")

    def read(self, roots: Roots, path: str) -> Any:
        """Read it from a `Recollection`."""
        found = _root(roots, self.of, path)
        if found is None:
            return False if self.field == "known" else None
        found = thing_of(found, Recollection, path, "give Recollection(knowledge, observer, target, now)")
        know, at = found.knowledge.arrays, (found.observer, found.target)
        is_known = know.source[at] != NOTHING
        if self.field == "known" or not is_known:
            return bool(is_known) if self.field == "known" else None
        if self.field == "age":
            return found.now - float(know.time[at])
        if self.field == "unperceived":
            return found.now - float(know.perceived[at])
        if self.field == "source":
            return SOURCES[know.source[at]]
        if self.field == "identified":
            return bool(know.identified[at])
        if self.field == "distance":
            return float(np.linalg.norm(know.xyz[at] - know.from_xyz[at]))
        return float(getattr(know, self.field)[at])


def _check_names(name: Any, of: Any) -> None:
    if not text_of(name, "name"):
        raise RuleError("the name of what is read is empty; name an attribute, a method or a field")
    text_of(of, "of")


def _plain(value: Any) -> Any:
    """Return numbers of arrays as plain ones, which are looked up faster."""
    return value.item() if isinstance(value, np.generic) else value
