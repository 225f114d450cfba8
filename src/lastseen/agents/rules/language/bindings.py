"""Bindings of variables to the objects and functions that supply their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ....checks import finite_number, instance_of, shown, text_of, whole_number
from ....errors import RuleError, did_you_mean
from ....kernels.arrays.agent_arrays import NOTHING
from ...knowledge.knowledge import SOURCES, Knowledge
from .resolution import CHANCE
from .rule import Database, RuleCondition, VariableSpec, checked_condition

Roots = Mapping[str, Any]
"""The objects an evaluation is about, by name: npc, target, level …"""


class Source(Protocol):
    """Reader of a variable from the objects an evaluation is about; returns None if the value is unknown."""

    def read(self, roots: Roots, path: str) -> Any:
        """Return the value of the variable `path`."""


def _root(roots: Roots, of: str, path: str) -> Any:
    """Return the object a source reads from: the one named `of`, else the first name of the path."""
    name = of or path.partition(".")[0]
    if name not in roots:
        raise RuleError(f"{path} is read from {name!r}{did_you_mean(name, roots)}, which is missing; give {name}=…")
    return roots[name]


@dataclass(frozen=True)
class Attribute:
    """An attribute of an object; `name` may contain dots for nested attributes. Unknown if an object is None."""

    name: str
    of: str = ""

    def __post_init__(self) -> None:
        _check_names(self.name, self.of)

    def read(self, roots: Roots, path: str) -> Any:
        """Return the attribute's value."""
        found = _root(roots, self.of, path)
        for name in self.name.split("."):
            if found is None:
                return None
            found = getattr(found, name)
        return _plain(found)


@dataclass(frozen=True)
class Method:
    """The result of a method of an object with these arguments; unknown if the object is None."""

    name: str
    arguments: tuple[Any, ...] = ()
    of: str = ""

    def __post_init__(self) -> None:
        _check_names(self.name, self.of)
        if not isinstance(self.arguments, tuple):
            raise RuleError(f"the arguments of {self.name} are {shown(self.arguments)}; give a tuple")

    def read(self, roots: Roots, path: str) -> Any:
        """Return the result of the call."""
        found = _root(roots, self.of, path)
        return None if found is None else _plain(getattr(found, self.name)(*self.arguments))


@dataclass(frozen=True)
class Entry:
    """The entry of a mapping under a key, by default the rest of the path; unknown if there is no such key."""

    key: Any = None
    of: str = ""

    def __post_init__(self) -> None:
        _check_names("key", self.of)

    def read(self, roots: Roots, path: str) -> Any:
        """Return the entry."""
        found = _root(roots, self.of, path)
        key = path.partition(".")[2] if self.key is None else self.key
        return None if found is None else _plain(found.get(key))


@dataclass(frozen=True)
class Constant:
    """A constant value."""

    value: Any

    def read(self, roots: Roots, path: str) -> Any:  # noqa: ARG002
        """Return the value."""
        return self.value


@dataclass(frozen=True, eq=False)
class Recollection:
    """One observer's knowledge of one target at a given time: the object that `Record` reads from."""

    knowledge: Knowledge
    observer: int
    target: int
    now: float

    def __post_init__(self) -> None:
        shape = instance_of(self.knowledge, Knowledge, "knowledge", "give a Knowledge").arrays.source.shape
        pair = whole_number(self.observer, "observer"), whole_number(self.target, "target")
        if pair[0] >= shape[0] or pair[1] >= shape[1]:
            raise RuleError(
                f"observer {pair[0]}, target {pair[1]} out of range; there are {shape[0]} observers, {shape[1]} targets"
            )
        finite_number(self.now, "now", unit="s")


RECORD_FIELDS = ("known", "age", "unperceived", "source", "speed", "certainty", "identified", "distance")
"""Fields of a record of knowledge: whether it exists; seconds since it held and since it was perceived; "sight",
"sound", "told" or "touch"; speed in m/s; certainty 0 … 1; whether identified; metres between observer and target."""


@dataclass(frozen=True)
class Record:
    """A field of a record of knowledge; unknown if there is no record, except "known", which is then false."""

    field: str
    of: str = ""

    def __post_init__(self) -> None:
        _check_names("field", self.of)
        if not isinstance(self.field, str) or self.field not in RECORD_FIELDS:
            hint = did_you_mean(self.field, RECORD_FIELDS)
            raise RuleError(f"records have no field {shown(self.field)}{hint}; give one of {', '.join(RECORD_FIELDS)}")

    def read(self, roots: Roots, path: str) -> Any:
        """Return the field from a `Recollection`."""
        found = _root(roots, self.of, path)
        if found is None:
            return False if self.field == "known" else None
        found = instance_of(found, Recollection, path, "give Recollection(knowledge, observer, target, now)")
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
        raise RuleError("the name to read is empty; name an attribute, a method or a field")
    text_of(of, "of")


def _plain(value: Any) -> Any:
    """Return NumPy scalars as Python numbers, which are faster to look up."""
    return value.item() if isinstance(value, np.generic) else value


Function = Callable[[Roots], Any]


class Bindings:
    """Sources of variables, by path.

    Parameters
    ----------
    variables : a database or its variables; only these can be bound.

    Examples
    --------
    >>> bindings.bind("npc.health", Attribute("health"))
    >>> bindings.bind("npc.alone", lambda roots: not roots["npc"].friends)
    >>> bindings.set("level.chaos", "HIGH")
    >>> engine.evaluate(bindings.facts(npc=guard))
    """

    def __init__(self, variables: Database | Mapping[str, VariableSpec]):
        given = variables.variables if isinstance(variables, Database) else variables
        if not isinstance(given, Mapping) or not all(isinstance(spec, VariableSpec) for spec in given.values()):
            raise RuleError(f"variables are {shown(variables)}; give a database or its variables")
        self._variables = given
        self._readers: dict[str, Callable[[Roots], Any]] = {}
        self._root_of: dict[str, str] = {}

    def bind(self, path: str, source: Source | Function, *, again: bool = False) -> None:
        """Bind a variable to a source or to a function of the objects that an evaluation is about.

        Parameters
        ----------
        again : replace an existing binding; otherwise a second source is an error.

        Raises
        ------
        RuleError
            There is no such variable, it is already bound, or a constant has the wrong type.
        """
        if not isinstance(path, str) or path not in self._variables:
            hint = did_you_mean(path, self._variables)
            raise RuleError(f"no variable {shown(path)}{hint}; declare it under `variables`")
        if path in self._readers and not again:
            raise RuleError(f"{path} is already bound; bind it once, or give again=True")
        if isinstance(source, Constant):
            if not isinstance(source.value, bool | int | float | str):
                raise RuleError(f"{path} is set to {shown(source.value)}; give a boolean, a number or text")
            checked_condition(RuleCondition(path, "==", source.value), self._variables)
        self._root_of.pop(path, None)
        if hasattr(source, "read"):
            read = source.read
            self._readers[path] = lambda roots: read(roots, path)
            if hasattr(source, "of"):
                self._root_of[path] = source.of or path.partition(".")[0]
        elif callable(source):
            self._readers[path] = source
        else:
            raise RuleError(f"{path} is bound to {shown(source)}; give Attribute(…), Method(…), … or a function")

    def set(self, path: str, value: Any) -> None:
        """Set a variable to a constant, whatever it was bound to before.

        Raises
        ------
        RuleError
            There is no such variable, or the value has the wrong type.
        """
        self.bind(path, Constant(value), again=True)

    @property
    def unbound(self) -> tuple[str, ...]:
        """Variables without a source, except `random.*`; rules that use them never fire."""
        return tuple(path for path in self._variables if path not in self._readers and not path.startswith(CHANCE))

    def facts(self, given: Mapping[str, Any] | None = None, /, **roots: Any) -> Facts:
        """Return facts that are read on demand; `given` holds values that are already known.

        Raises
        ------
        RuleError
            An object's name nearly matches one that sources read from and that is missing.
        """
        wanted = set(self._root_of.values())
        missing = wanted - roots.keys()
        for name in roots.keys() - wanted if missing else ():
            hint = did_you_mean(name, missing)
            if hint:
                raise RuleError(
                    f"nothing is read from {name!r}{hint}; give {', '.join(f'{one}=…' for one in sorted(wanted))}"
                )
        if given is not None and not isinstance(given, Mapping):
            raise RuleError(f"facts given are {shown(given)}; give values by path")
        return Facts(self._readers, dict(given or {}), roots)


class Facts:
    """Values of variables at one moment, each read from its source on first use and then kept.

    `read` holds the values read so far, by path. Exceptions of a source propagate: the engine treats rules that need
    the value as not matching and reports the exception once.
    """

    __slots__ = ("_readers", "_roots", "read")

    def __init__(self, readers: Mapping[str, Callable[[Roots], Any]], read: dict[str, Any], roots: Roots):
        self._readers, self.read, self._roots = readers, read, roots

    def __call__(self, path: str) -> Any:
        """Return the value of a variable, or None if it is unknown."""
        if path in self.read:
            return self.read[path]
        reader = self._readers.get(path)
        value = self.read[path] = None if reader is None else reader(self._roots)
        return value
