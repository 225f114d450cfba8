"""Tree: the behaviour of one agent, ready to tick, and its text form."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from ...checks import read_only, shown, table_of, text_of
from ...errors import BehaviourError, did_you_mean
from .hints import Hints, TakesHints
from .keys import check_keys, resolve_keys
from .leaf import leaf_place
from .node import Node, Observer, TickState
from .resting import LeafShortcut
from .status import FAILURE, IDLE, RUNNING, SUCCESS, Status

DEEPEST = 100
"""Maximum depth of a tree: each level takes several calls on Python's stack."""
MOST_NODES = 10_000
"""Maximum number of nodes of a tree, with subtrees counted at each use."""


class Tree:
    """A checked tree of nodes with their state: build one for each agent.

    Parameters
    ----------
    root : Node
        Root of the tree; each node belongs to one place of one tree.
    name : str
        Name for messages.
    outside : mapping of str to type
        Keys that the agent's blackboard provides.
    start : mapping of str to value
        Keys with their initial values; see `blackboard`.

    Attributes
    ----------
    hints : Hints
        Hints to its branches.
    unused_ports : tuple of (str, str)
        Path of each subtree with a port that nothing in it uses, and words about it.
    warnings : tuple of TreeFault
        The same with file and line, if it was built from a file.

    Raises
    ------
    BehaviourError
        A node has too few or too many children, occurs twice, has parameters out of range, or reads a key that is
        never written or has another type; `path` names the node.
    """

    def __init__(
        self,
        root: Node,
        *,
        name: str = "",
        outside: Mapping[str, Any] | None = None,
        start: Mapping[str, Any] | None = None,
    ):
        self.root, self.name = root, name
        self.nodes = tuple(_numbered(root))
        self.leaves = tuple(node for node in self.nodes if not node.children)
        self._paths = node_paths(root)
        self._seen = bytearray(len(self.nodes))
        self._unseen = bytes(len(self.nodes))
        self._statuses = bytearray(len(self.nodes))
        self._observers: list[Observer] = []
        self._broken: BehaviourError | None = None
        self._start = table_of(start, "start")
        shared = TickState()
        for index, node in enumerate(self.nodes):
            try:
                node.check()
                node.attach(index, self._seen, self._statuses, self._observers, shared)
            except BehaviourError as error:
                raise BehaviourError(str(error), self._paths[id(node)]) from None
        self.warnings: tuple[Any, ...] = ()
        self.keys = self._settle_keys(table_of(outside, "outside"))
        takers = [node for node in self.nodes if isinstance(node, TakesHints)]
        self.hints = Hints(branch for taker in takers for branch in taker.hint_branches())
        for taker in takers:
            taker.hints = self.hints
        self._shortcut = LeafShortcut(root, self.hints, shared)

    def _settle_keys(self, outside: dict[str, Any]) -> dict[str, Any]:
        """Resolve and check the keys; return the type of each."""
        given = outside | {key: type(value) for key, value in self._start.items()}
        named = {key for node in self.nodes for key in (*node.reads, *node.writes)}
        found = resolve_keys(self.root, self._paths, frozenset(named | set(given)))
        uses, values = found.uses, found.values
        self._start |= values
        given |= {key: type(value) for key, value in values.items()}
        self.unused_ports = tuple(found.unused)
        try:
            check_keys(uses, given)
        except BehaviourError as error:
            for path, what in self.unused_ports:
                # The wrong name of a port is a likely cause of a key that is never written in its subtree.
                if error.path.startswith(f"{path}/"):
                    raise BehaviourError(what, path) from None
            raise
        types = {use.key: use.type for use in uses} | {use.key: use.type for use in uses if use.writes}
        return dict(sorted((types | given).items()))

    def tick(self, context: Any) -> Status:
        """Run the tree once and return the root's status.

        Raises
        ------
        BehaviourError
            A node raised: `path` names it, `__cause__` is the exception. The tree keeps its state for inspection and
            has to be `reset` before it is ticked again.
        """
        if self._broken is not None:
            raise BehaviourError(f"the tree stopped when a node raised ({self._broken}); reset it first")
        seen = self._seen
        try:
            if self._shortcut.run(context):
                return RUNNING
            seen[:] = self._unseen
            status = self.root.run(context)
        except (Exception, SystemExit) as error:  # a leaf of the user may raise anything
            raise self._blame(error) from error
        if seen != self._statuses:
            self._settle()
        self._shortcut.look(context, seen)
        return status

    def _settle(self) -> None:
        nodes = self.nodes
        # Statuses are bytes, IDLE is 0, and few nodes change in a tick.
        for index, (seen, status) in enumerate(zip(self._seen, self._statuses)):
            if status and not seen and status != RUNNING:
                nodes[index].settle()

    def _blame(self, error: BaseException) -> BehaviourError:
        """Return an error that names the node that raised, the deepest one on the stack."""
        guilty = self.root
        step: TracebackType | None = error.__traceback__
        while step is not None:
            found = step.tb_frame.f_locals.get("self")
            if isinstance(found, Node) and id(found) in self._paths:
                guilty = found
            step = step.tb_next
        words = str(error) if isinstance(error, BehaviourError) else f"raised {type(error).__name__}: {error}"
        self._broken = BehaviourError(words + leaf_place(error, guilty), self._paths[id(guilty)])
        return self._broken

    def interrupt(self, context: Any) -> None:
        """End all running nodes, leaves first."""
        self.root.interrupt(context)
        self._settle_all()

    def reset(self, context: Any) -> None:
        """End all running nodes and restore the state the tree was built in."""
        self._broken = None
        for node in reversed(self.nodes):
            node.interrupt(context)
        self._settle_all()
        for node in self.nodes:
            node.forget()
        self.hints.clear()

    def _settle_all(self) -> None:
        self._seen[:] = self._unseen
        self._settle()

    def blackboard(self) -> dict[str, Any]:
        """Return a new blackboard with the initial values of the tree's own keys."""
        return dict(self._start)

    def observe(self, observer: Observer) -> Callable[[], None]:
        """Call `observer(node, old, new, reason)` at every change of a status until the returned function is called."""
        self._observers.append(observer)

        def end() -> None:
            with contextlib.suppress(ValueError):  # It was ended before.
                self._observers.remove(observer)

        return end

    def follow_reasons(self, changed_reasons: set[int]) -> None:
        """Add the index of every node whose reason changes to a set, from now on.

        Reasons that change together with a status may be missing: observers receive those.
        """
        for node in self.nodes:
            node.changed_reasons = changed_reasons

    @property
    def status(self) -> Status:
        """The root's status."""
        return self.root.status

    @property
    def statuses(self) -> npt.NDArray[np.uint8]:
        """The status of every node after the last tick, (n,) uint8, a copy; IDLE if it was not reached."""
        return np.frombuffer(self.status_bytes, np.uint8)

    @property
    def live_statuses(self) -> npt.NDArray[np.uint8]:
        """`statuses` as a view that later ticks change."""
        return read_only(np.frombuffer(self._statuses, np.uint8))

    @property
    def status_bytes(self) -> bytes:
        """`statuses` as bytes, which are cheap to join for many trees."""
        return bytes(self._statuses)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reason for the status of every node; empty if there is none."""
        return tuple(node.why() if node.status is not IDLE else "" for node in self.nodes)

    @property
    def running(self) -> tuple[Node, ...]:
        """The running leaves: what the agent is doing."""
        return tuple(node for node in self.nodes if node.status is RUNNING and not node.children)

    def path(self, node: Node) -> str:
        """Return the names from the root down to a node, joined by slashes; equal siblings are numbered."""
        if id(node) not in self._paths:
            raise BehaviourError(f"{shown(node)} is not a node of this tree; see `nodes`", self.name)
        return self._paths[id(node)]

    def find(self, name: str) -> Node:
        """Return the first node with a name."""
        for node in self.nodes:
            if node.label == text_of(name, "name"):
                return node
        labels = sorted({node.label for node in self.nodes})
        raise BehaviourError(f"no node {name!r}{did_you_mean(name, labels)}; there are {', '.join(labels)}", self.name)

    def as_text(self, *, live: bool = True) -> str:
        """Return the tree as lines of text, with the status of each node and its reason if `live`."""
        lines: list[str] = []

        def add(node: Node, first: str, rest: str) -> None:
            mark = f"{MARKS[node.status]} " if live else ""
            lines.append((first + mark + _words(node, live)).rstrip())
            for number, child in enumerate(node.children):
                last = number == len(node.children) - 1
                add(child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))

        add(self.root, "", "")
        return "\n".join(lines)

    def __len__(self) -> int:
        return len(self.nodes)


def _numbered(root: Node) -> list[Node]:
    """Return the nodes depth first, children in order; raise a BehaviourError if there are too many or one repeats."""
    nodes: list[Node] = []
    found: set[int] = set()
    waiting = [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        if not isinstance(node, Node):
            raise BehaviourError(f"the root is {node!r}; give a node")
        if id(node) in found:
            raise BehaviourError(f"{node.label} occurs in the tree twice; create a new node for each place")
        if depth > DEEPEST or len(nodes) >= MOST_NODES:
            raise BehaviourError(f"the tree is too large; at most {DEEPEST} levels and {MOST_NODES} nodes are allowed")
        found.add(id(node))
        nodes.append(node)
        waiting.extend((child, depth + 1) for child in reversed(node.children))
    return nodes


def node_paths(root: Node) -> dict[int, str]:
    """Return the path of each node by its id, because a leaf may be a dataclass without a hash."""
    paths = {id(root): root.label}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        counts: dict[str, int] = {}
        for child in node.children:
            counts[child.label] = counts.get(child.label, 0) + 1
            number = f"#{counts[child.label]}" if counts[child.label] > 1 else ""
            paths[id(child)] = f"{paths[id(node)]}/{child.label}{number}"
        waiting.extend(node.children)
    return paths


MARKS = {IDLE: "·", RUNNING: "▶", SUCCESS: "✓", FAILURE: "✗"}


def _words(node: Node, live: bool) -> str:
    words = node.label
    if node.kind and node.name and node.kind != node.name:
        words += f" [{node.kind}]"
    details = node.details()
    if details:
        words += f" ({details})"
    if live and node.reason and node.status is not IDLE:
        words += f": {node.reason}"
    return words
