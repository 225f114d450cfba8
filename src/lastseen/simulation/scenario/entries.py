"""Reading of scenarios entry by entry, so that a fault in one does not hide faults in others."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, TypeVar

import msgspec

from ...textfile import Document, TextFileError, convert
from ...textforms import Path
from .faults import Faults
from .scenario import AgentSpec, Incident, Scenario

__all__ = ["read_entries"]

_LISTS: dict[str, type[AgentSpec] | type[Incident]] = {"agents": AgentSpec, "script": Incident}

Kind = TypeVar("Kind")


def read_entries(
    document: Document, faults: Faults
) -> tuple[Scenario | None, dict[int, AgentSpec], dict[int, Incident]]:
    """Return the scenario, agents and script as far as they can be read; agents and incidents by number.

    Invalid values are left out and added to `faults`. A scenario that lacks a required value is None; such an agent or
    incident is missing.
    """
    copy = Document(document.source, deepcopy(document.value), document.lines)
    top = copy.value if isinstance(copy.value, dict) else {}
    lists = {name: top[name] for name in _LISTS if isinstance(top.get(name), list)}
    scenario = _read(Document(copy.source, _without(copy.value, lists), copy.lines), Scenario, (), faults)
    parts: dict[str, dict[int, Any]] = {name: {} for name in _LISTS}
    for name, given in lists.items():
        for number in range(len(given)):
            entry = _read(copy, _LISTS[name], (name, number), faults)
            if entry is not None:
                parts[name][number] = entry
    return scenario, parts["agents"], parts["script"]


def _without(value: Any, lists: dict[str, Any]) -> Any:
    return {key: [] if key in lists else each for key, each in value.items()} if isinstance(value, dict) else value


def _read(document: Document, kind: type[Kind], path: Path, faults: Faults) -> Kind | None:
    """Return a part of a document after removing invalid values; None if required ones are missing."""
    while True:
        try:
            return convert(document, kind, path)
        except TextFileError as error:
            inner = error.path[len(path) :]
            depth = _table_depth(document, path, inner)
            if depth == 0:
                if not _is_gone(path, kind, faults):
                    faults.ill_typed(error, inner)
                return None
            faults.ill_typed(error, inner)
            ill = error.path[: len(path) + depth]
            faults.ill.add(ill)
            del _value(document, ill[:-1])[ill[-1]]


def _is_gone(path: Path, kind: Any, faults: Faults) -> bool:
    """Return whether a required value is missing only because it was invalid and removed."""
    needed = [field.encode_name for field in msgspec.structs.fields(kind) if field.required]
    return any((*path, name) in faults.ill for name in needed)


def _table_depth(document: Document, path: Path, inner: Path) -> int:
    """Return the depth inside a part of the last table key on the path to a value; 0 if there is none."""
    value, depth = _value(document, path), 0
    for number, step in enumerate(inner):
        if isinstance(value, dict) and step in value:
            depth, value = number + 1, value[step]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            break
    return depth


def _value(document: Document, path: Path) -> Any:
    value = document.value
    for step in path:
        value = value[step]
    return value
