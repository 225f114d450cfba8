"""What a tree file says, before it becomes a tree: frozen, without state, good for any number of agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....errors import BehaviourError


@dataclass(frozen=True)
class NodeSpec:
    """One node as it is written: a kind, an optional name, parameters, children.

    A parameter that names a key is an `Input` with that key. `line` is where it stands, 0 if nowhere.
    """

    kind: str
    name: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    children: tuple[NodeSpec, ...] = ()
    line: int = 0


@dataclass(frozen=True)
class TreeSpec:
    """One tree of a file."""

    name: str
    root: NodeSpec
    line: int = 0


@dataclass(frozen=True)
class KeySpec:
    """A key a file declares: the name of its type, and the value it begins with, if it has one."""

    type: str = "any"
    start: Any = None
    has_start: bool = False
    line: int = 0


@dataclass(frozen=True)
class TreeFile:
    """All trees of a file, the one to run, and the keys declared there.

    `loose` files, those from XML, write numbers and truth values as text.
    """

    trees: Mapping[str, TreeSpec]
    main: str
    keys: Mapping[str, KeySpec] = field(default_factory=dict)
    source: str = "tree"
    loose: bool = False


@dataclass(frozen=True)
class TreeFault:
    """One thing wrong with a tree file: where in the file, where in the tree, and what."""

    source: str
    line: int
    path: str
    what: str

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}" if self.line else self.source
        return f"{place}: {self.path + ': ' if self.path else ''}{self.what}"


class TreeFileError(BehaviourError):
    """A tree file cannot be used; `faults` holds every fault found, `path` the place of the first."""

    def __init__(self, faults: Sequence[TreeFault]):
        self.faults = tuple(faults)
        first = self.faults[0]
        lines = [str(fault) for fault in self.faults]
        super().__init__(
            lines[0] if len(lines) == 1 else "\n  ".join([f"{first.source}: {len(lines)} faults:", *lines])
        )
        self.path = first.path
