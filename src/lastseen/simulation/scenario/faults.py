"""Faults of a scenario, collected with their lines and places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...errors import Fault, did_you_mean
from ...textfile import Document, TextFileError, named
from ...textforms import Path

__all__ = ["Faults", "place_name", "syntax_fault"]


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
    return Fault(what or advice, advice if what else "fix it", f"line {error.line}" if error.line else "")


class Faults:
    """Collect every fault of a document instead of stopping at the first.

    Attributes
    ----------
    ill : paths of values that were left out because they are invalid.
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

    def add(self, path: Path, what: str, advice: str) -> None:
        """Add a fault of the value at a path."""
        line = self.document.line(path) if self.document.lines else 0
        name = place_name(path, self._agents)
        where = f"line {line} ({name})" if line and name else f"line {line}" if line else name
        self._found.append((line, Fault(what, advice, where)))

    def unknown(self, path: Path, what: str, given: str, known: Iterable[str]) -> None:
        """Add a fault about an unknown name."""
        names = list(known)
        self.add(path, f"no {what} {given!r}{did_you_mean(given, names)}", f"there are {', '.join(names) or 'none'}")

    def ill_typed(self, error: TextFileError, inner: Path) -> None:
        """Add a fault about an invalid value; `inner` is its path as named in the error."""
        what = error.what.removeprefix(f"{named(inner)}: ")
        what, _, advice = what.rpartition("; ")
        self.add(error.path, what or advice, advice if what else "fix it")
