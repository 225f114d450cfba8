"""Contents of tree files, before they become trees: frozen and without state, for any number of agents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....errors import BehaviourError


@dataclass(frozen=True)
class NodeSpec:
    """One node as written: a kind, an optional name, parameters, children.

    A parameter that names a key is an `Input` with that key. `line` is its line in the file, 0 if there is none.
    """

    kind: str
    name: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    children: tuple[NodeSpec, ...] = ()
    line: int = 0


@dataclass(frozen=True)
class TreeSpec:
    """One tree of a file; `source` is the file it was included from, "" if from none."""

    name: str
    root: NodeSpec
    line: int = 0
    source: str = ""


@dataclass(frozen=True)
class KeySpec:
    """A key declared in a file: the name of its type, and its initial value, if it has one."""

    type: str = "any"
    start: Any = None
    has_start: bool = False
    line: int = 0


@dataclass(frozen=True)
class TreeFile:
    """All trees of a file, the one to run, and the declared keys.

    `loose` files, those from XML, write numbers and booleans as text.
    """

    trees: Mapping[str, TreeSpec]
    main: str
    keys: Mapping[str, KeySpec] = field(default_factory=dict)
    source: str = "tree"
    loose: bool = False

    def nodes(self) -> Iterator[tuple[NodeSpec, str]]:
        """Yield every node of every tree, with the file it is from."""
        for tree in self.trees.values():
            left = [tree.root]
            while left:
                node = left.pop()
                left += reversed(node.children)
                yield node, tree.source or self.source


@dataclass(frozen=True)
class TreeFault:
    """One fault of a tree file: its file and line, its path in the tree, what is wrong, and with which parameter."""

    source: str
    line: int
    path: str
    what: str
    parameter: str = ""

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}" if self.line else self.source
        return f"{place}: {self.path + ': ' if self.path else ''}{self.what}"


class TreeFileError(BehaviourError):
    """Error for unusable tree files; `faults` holds every fault found, `path` the path of the first.

    `rest` is what could be read of the file, to look for more faults in it; None: nothing.
    """

    def __init__(self, faults: Sequence[TreeFault], rest: TreeFile | None = None):
        self.faults = tuple(faults)
        self.rest = rest
        first = self.faults[0]
        lines = [str(fault) for fault in self.faults]
        super().__init__(
            lines[0] if len(lines) == 1 else "\n  ".join([f"{first.source}: {len(lines)} faults:", *lines])
        )
        self.path = first.path
