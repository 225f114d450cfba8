"""Node: the lifecycle shared by all kinds of nodes.

A node that is not running is *entered*, then ticked; it is ticked again each time its parent reaches it while it runs,
and *exited* with the status it ended with, or with IDLE if it was interrupted. Exits therefore never outnumber
entries, and both are equal in number while no node of the tree runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from gc import get_referents
from types import FunctionType
from typing import Any, ClassVar

from ...errors import BehaviourError
from .ports import Input, Output, ports_of
from .status import FAILURE, IDLE, RUNNING, SUCCESS, Status

INTERRUPTED = "interrupted"
UNREACHED = "not reached"
ALWAYS = 1
"""Bit of the fact that holds in every context: nodes it wakes are run at every tick."""
LASTING = -1 << 18
"""Bits of the facts from bit 16 on. A node they wake has one constant result while such a fact holds and another while
it does not; while `LeafShortcut` is active, it is run again only when such a fact begins or ends."""


class TickState:
    """State shared by all nodes of a tree: whether a status has changed, and facts that replace `context.facts`."""

    __slots__ = ("changed", "facts")

    def __init__(self) -> None:
        self.changed = True
        self.facts: int | None = None


class Node:
    """One node of a tree; subclasses write `tick` and, if needed, `enter` and `exit`.

    `reads` and `writes` name the blackboard keys of a kind with their types; a node may add its own as attributes.
    `reason` is a short text that a leaf sets in its tick to explain its status.
    """

    kind: ClassVar[str] = ""
    """Name of the node in files."""
    least: ClassVar[int] = 0
    most: ClassVar[int | None] = 0
    """Number of children it takes; None for no limit."""
    shown_parameters: ClassVar[tuple[str, ...]] = ()
    """Attributes that `details` returns."""
    reads: Mapping[str, Any] = {}
    writes: Mapping[str, Any] = {}
    woken_by: int = ALWAYS
    """Bits of `context.facts`. While none of them is set, every run has the same result and no effect, so reactive
    parents skip it. A subclass that overrides the lifecycle has to name its facts again."""

    name: str = ""
    children: tuple[Node, ...] = ()
    status: Status = IDLE
    reason: str = ""
    index: int = 0
    """Number in the tree, depth first, children in order."""
    file_line: int = 0
    """Line in the file it was read from; 0 if there is none."""
    _seen: bytearray = bytearray(1)
    _statuses: bytearray = bytearray(1)
    _observers: Sequence[Observer] = ()
    _shared: TickState = TickState()
    _result: Status | None = None
    """Result of a run in this tick that its parents have not collected yet."""
    changed_reasons: set[int] | None = None
    """Set that collects the indices of nodes whose reason changed; None if not followed. See `Tree.follow_reasons`."""
    _enters: ClassVar[bool] = False
    _exits: ClassVar[bool] = False
    """Whether a class overrides `enter` and `exit`: not calling empty ones saves a tenth of a tick."""
    _gives_reasons: ClassVar[bool] = False
    """Whether its ticks set a reason; the last one is cleared before each tick."""

    _is_pure: ClassVar[bool] = False
    """Whether a run depends only on the results of its children; not inherited."""
    _follows_hints: ClassVar[bool] = False
    """Whether a run depends only on the results of its children while hints do not change; not inherited."""
    _can_idle: ClassVar[bool] = False
    """Whether a class overrides `idles`."""
    _has_default_run: ClassVar[bool] = True
    """Whether no class overrides `run`."""

    def __init_subclass__(cls) -> None:
        """Record which methods a class overrides, and give it its own copies of `run` and `tick`.

        Python's adaptive interpreter caches attribute locations per line of code, and discards them when the next
        object is of another class; with a copy of the code for each class the cache stays valid.
        """
        if "woken_by" not in vars(cls) and not vars(cls).keys().isdisjoint(("run", "enter", "tick", "exit")):
            cls.woken_by = ALWAYS
        cls._is_pure = vars(cls).get("_is_pure", False)
        cls._follows_hints = vars(cls).get("_follows_hints", False)
        cls._has_default_run = cls._has_default_run and "run" not in vars(cls)
        cls._enters, cls._exits = cls.enter is not Node.enter, cls.exit is not Node.exit
        cls._can_idle = cls.idles is not Node.idles
        for name in ("run", "tick"):
            code = getattr(cls, name)
            if name not in vars(cls) and code.__class__ is FunctionType:
                own = FunctionType(code.__code__.replace(), code.__globals__, name, code.__defaults__, code.__closure__)
                own.__doc__ = code.__doc__
                setattr(cls, name, own)

    def enter(self, context: Any) -> None:
        """Begin a run; called once before its first tick."""

    def tick(self, context: Any) -> Status:  # noqa: ARG002
        """Do one tick of work; return SUCCESS, FAILURE or RUNNING."""
        raise BehaviourError(f"{type(self).__name__} has no tick; write one that returns a Status")

    def exit(self, context: Any, status: Status) -> None:
        """End a run; `status` is the status it ended with, IDLE if it was interrupted."""

    def check(self) -> None:
        """Raise a BehaviourError if the node is misconfigured; called when a tree is built."""
        self.check_count(len(self.children), self.label)

    @classmethod
    def check_count(cls, count: int, label: str) -> None:
        """Raise a BehaviourError unless nodes of this kind take this number of children."""
        if count < cls.least or (cls.most is not None and count > cls.most):
            if cls.most is None:
                allowed = f"at least {cls.least}"
            else:
                allowed = str(cls.least) if cls.least == cls.most else f"{cls.least} to {cls.most}"
            raise BehaviourError(f"{label} has {count} children; it takes {allowed}")

    def forget(self) -> None:
        """Drop state that outlives a run; called when a tree is reset."""

    @property
    def label(self) -> str:
        """Its name if it has one, else its kind."""
        return self.name or self.kind or type(self).__name__

    def details(self) -> str:
        """Return the parameters to show with its name in a text."""
        return ", ".join(f"{name}: {getattr(self, name)}" for name in self.shown_parameters)

    def ports(self) -> Mapping[str, Input[Any] | Output[Any]]:
        """Return the ports that have a key, by attribute."""
        # vars() makes Python create a dictionary of the attributes, which then take two to three times as long to read.
        # A node that already has one refers to it instead of to its attributes.
        if not any(isinstance(value, Input | Output | dict) for value in get_referents(self)):
            return {}
        return dict(ports_of(vars(self)))

    def rename(self, ports: Mapping[str, Input[Any] | Output[Any]]) -> None:
        """Replace ports by ports with other keys, as subtrees do for the nodes in them."""
        for name, port in ports.items():
            setattr(self, name, port)

    @property
    def last(self) -> Node:
        """The node below it with the highest index; itself if it has no children."""
        return self.children[-1].last if self.children else self

    def repeat(self) -> Status:
        """Mark the node and all nodes below it as reached with their current statuses."""
        start, stop = self.index, self.last.index + 1
        self._seen[start:stop] = self._statuses[start:stop]
        return self.status

    def can_rest(self) -> bool:
        """Return whether runs may be skipped while certain facts do not hold."""
        return self.children[0].can_rest() if self._is_pure else self.woken_by != ALWAYS

    def rest(self) -> int:
        """Return the facts without which the next run repeats the last one, which began and ended in one tick."""
        if not self._is_pure:
            return self.woken_by
        wakes, seen = 0, self._seen
        for child in self.children:
            if seen[child.index]:
                wakes |= child.rest()
        return wakes

    def why(self) -> str:
        """Explain its status: a leaf by its own reason, other nodes by that of the child that decided."""
        return self.reason

    def run(self, context: Any) -> Status:
        """Tick the node within its lifecycle; parents call this."""
        if self._result is not None:
            return self._collect()
        before = self.reason
        if self._gives_reasons:
            self.reason = ""
        old = self.status
        if old is not RUNNING:
            if self._enters:
                self.enter(context)
            # From here on the node can be interrupted, even if a child raises.
            self.status = RUNNING
        status = self.tick(context)
        if status is not RUNNING:
            if status is not SUCCESS and status is not FAILURE:
                raise BehaviourError(f"tick returned {status!r}; return Status.SUCCESS, FAILURE or RUNNING")
            if self._exits:
                self.exit(context, status)
            self.status = status
        self._seen[self.index] = status
        if status is not old:
            self._changed(old, status)
        elif self.changed_reasons is not None and self.reason != before:
            self.changed_reasons.add(self.index)
        return status

    def _collect(self) -> Status:
        """Return the result of the run made earlier in this tick; from here on `context.facts` is read again."""
        status, self._result, self._shared.facts = self._result, None, None
        assert status is not None
        self._seen[self.index] = status
        return status

    def idles(self, context: Any) -> bool:  # noqa: ARG002
        """Return whether a running leaf would only repeat its last tick; asked while no fact has changed since."""
        return False

    def interrupt(self, context: Any, reason: str = INTERRUPTED) -> None:
        """End the node from outside, its running children first; has no effect if it is not running."""
        if self.status is not RUNNING:
            return
        for child in self.children:
            child.interrupt(context, reason)
        self.status = IDLE
        self.reason = ""
        self._seen[self.index] = IDLE
        self.exit(context, IDLE)
        self._changed(RUNNING, IDLE, reason)

    def _changed(self, old: Status, new: Status, reason: str | None = None) -> None:
        self._statuses[self.index] = new
        self._shared.changed = True
        if self._observers:
            words = self.why() if reason is None else reason
            for observer in tuple(self._observers):
                observer(self, old, new, words)

    def settle(self) -> None:
        """Return to IDLE after having ended in an earlier tick and not been reached in this one."""
        old, self.status, self.reason = self.status, IDLE, ""
        self._changed(old, IDLE, UNREACHED)

    def attach(
        self, index: int, seen: bytearray, statuses: bytearray, observers: Sequence[Observer], shared: TickState
    ) -> None:
        """Join a tree: take an index, and the tables shared by all its nodes."""
        if self._seen is not Node._seen:
            raise BehaviourError(f"{self.label} is already part of a tree; create a new node for each place")
        self.index, self._seen, self._statuses, self._observers = index, seen, statuses, observers
        self._shared = shared


Observer = Callable[[Node, Status, Status, str], None]
"""Called with a node, its old status, its new one, and the reason."""


class Composite(Node):
    """A node with children, ordered by priority or by turn."""

    least: ClassVar[int] = 1
    most: ClassVar[int | None] = None

    def __init__(self, children: Sequence[Node], *, name: str = ""):
        for child in children:
            if not isinstance(child, Node):
                raise BehaviourError(f"a child of {name or self.kind} is {child!r}; give nodes")
        self.children = tuple(children)
        self.name = name

    def why(self) -> str:
        """Return the child that decided and its reason: the last one that returned this status in this tick."""
        seen, status = self._seen, self.status
        for child in reversed(self.children):
            if seen[child.index] == status:
                reason = child.why()
                return f"{child.label}: {reason}" if reason else child.label
        return self.reason


class Decorator(Composite):
    """A node with one child, which it may skip and whose status it may change."""

    most = 1

    def __init__(self, child: Node, *, name: str = ""):
        super().__init__([child], name=name)
        self.child = child

    def why(self) -> str:
        """Return the decorator's own reason, else its child's."""
        return self.reason or super().why() or self.child.why()
