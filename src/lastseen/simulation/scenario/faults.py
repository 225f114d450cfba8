"""Faults of a scenario, collected entry by entry with their lines, and the files that it names."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable
from typing import Any, TypeVar

from ...errors import Fault, PathLabel, did_you_mean
from ...textfile import Document, TextFileError, convert_valid, named
from ...textforms import Path
from .scenario import AgentSpec, Incident, Scenario


def place_name(path: Path, agents: Any = ()) -> str:
    """Return the display name of a place in a scenario: agents by name, other list entries counted from 1.

    `agents` is the list of agents as in the file.
    """
    if len(path) < 2 or path[0] != "agents":
        return named(path)
    number = path[1]
    given = agents[number] if isinstance(number, int) and isinstance(agents, list) and number < len(agents) else None
    name = given.get("name") if isinstance(given, dict) else None
    called = f"agents[{name!r}]" if isinstance(name, str) and name else named(path[:2])
    return ".".join([called, named(path[2:])]).rstrip(".")


def syntax_fault(error: TextFileError) -> Fault:
    """Return the fault of a file that cannot be parsed."""
    what, _, advice = error.what.rpartition("; ")
    return Fault(what or advice, advice if what else "correct it", f"line {error.line}" if error.line else "")


class Faults:
    """Collect every fault of a document instead of stopping at the first.

    Attributes
    ----------
    ill : paths of keys whose values, or parts of these, were left out because they are invalid.
    """

    def __init__(self, document: Document):
        self.document = document
        self._found: list[tuple[int, Fault]] = []
        self.ill: set[Path] = set()
        self._agents = document.value.get("agents") if isinstance(document.value, dict) else None

    @property
    def agent_names(self) -> list[str]:
        """Names of agents as written, including unreadable ones."""
        given = self._agents if isinstance(self._agents, list) else []
        names = [one.get("name") for one in given if isinstance(one, dict)]
        return [name for name in names if isinstance(name, str)]

    @property
    def found(self) -> list[Fault]:
        """All faults, by line."""
        return [fault for _, fault in sorted(self._found, key=lambda found: found[0])]

    def add(self, path: Path, what: str, advice: str, at: tuple[float, ...] | None = None) -> None:
        """Add a fault of the value at a path; `at` is a place in metres."""
        line = self.document.line(path) if self.document.lines else 0
        name = place_name(path, self._agents)
        where = f"line {line} ({name})" if line and name else f"line {line}" if line else name
        self._found.append((line, Fault(what, advice, PathLabel(where, path), at)))

    def unknown(self, path: Path, what: str, given: str, known: Iterable[str]) -> None:
        """Add a fault about an unknown name."""
        names = list(known)
        self.add(path, f"no {what} {given!r}{did_you_mean(given, names)}", f"there are {', '.join(names) or 'none'}")

    def ill_typed(self, error: TextFileError, inner: Path) -> None:
        """Add a fault about an invalid value; `inner` is its path as named in the error."""
        what = error.what.removeprefix(f"{named(inner)}: ")
        what, _, advice = what.rpartition("; ")
        self.add(error.path, what or advice, advice if what else "change the value")


_LISTS: dict[str, type[AgentSpec] | type[Incident]] = {"agents": AgentSpec, "script": Incident}

Kind = TypeVar("Kind")


def read_entries(
    document: Document, faults: Faults
) -> tuple[Scenario | None, dict[int, AgentSpec], dict[int, Incident]]:
    """Return the readable parts of the scenario, its agents and its script; agents and incidents by number.

    Invalid values are left out and added to `faults`. A scenario that lacks a required value is None; such an agent or
    incident is missing.
    """
    top = document.value if isinstance(document.value, dict) else {}
    lists = {name: top[name] for name in _LISTS if isinstance(top.get(name), list)}
    bare = Document(document.source, _without(document.value, lists), document.lines)
    scenario = _read(bare, Scenario, (), faults)
    parts: dict[str, dict[int, Any]] = {name: {} for name in _LISTS}
    for name, given in lists.items():
        for number in range(len(given)):
            entry = _read(document, _LISTS[name], (name, number), faults)
            if entry is not None:
                parts[name][number] = entry
    return scenario, parts["agents"], parts["script"]


def _without(value: Any, lists: dict[str, Any]) -> Any:
    return {key: [] if key in lists else each for key, each in value.items()} if isinstance(value, dict) else value


def _read(document: Document, kind: type[Kind], path: Path, faults: Faults) -> Kind | None:
    """Return a part of a document without invalid values; None if required ones are missing."""
    found, errors = convert_valid(document, kind, path)
    for error in errors:
        faults.ill_typed(error, error.path[len(path) :])
        faults.ill.add(error.path[: len(path) + 1])
    return found


class NamedFiles:
    """Find the files that a scenario names: levels, trees of brains and crews, files and folders of rules.

    Attributes
    ----------
    folder : base of relative names.
    within : nothing outside this folder is read, whether through names or links; None: no restriction. Errors reveal
        nothing about what lies outside, not even whether it exists.
    """

    def __init__(self, faults: Faults, folder: pathlib.Path, within: pathlib.Path | None = None):
        self._faults, self.folder = faults, folder
        self.within = None if within is None else within.resolve()

    def exists(self, name: str) -> bool:
        """Return whether a file or folder of this name exists; call `allows` first."""
        try:
            return bool(name) and (self.folder / name).exists()
        except (OSError, ValueError):
            return False

    def place(self, name: str) -> pathlib.Path:
        """Return the path of a name."""
        return self.folder / name

    def allows(self, path: tuple[str | int, ...], name: str) -> bool:
        """Return whether the file named at `path` of the scenario may be read; if not, add a fault."""
        if self.within is None or (outside := self._outside(name, self.within)) is None:
            return True
        self._faults.add(
            path, f"{outside!r} is not in the folder that is open", "name a file in it, relative to the scenario"
        )
        return False

    def _outside(self, name: str, within: pathlib.Path) -> str | None:
        """Return the name, or a link in the folder of that name, that leads outside; None if nothing does."""
        try:
            place = self.folder / name
            if not place.resolve().is_relative_to(within):
                return name
            inner = sorted(place.rglob("*")) if place.is_dir() else []
            return next(
                (f"{name}/{one.relative_to(place).as_posix()}" for one in inner if _leads_out(one, within)), None
            )
        except (OSError, ValueError, RuntimeError):
            return name


def _leads_out(place: pathlib.Path, within: pathlib.Path) -> bool:
    return not place.resolve().is_relative_to(within)
