"""Node: the lifecycle every kind of node has.

A node that is not running is *entered*, then ticked; ticked again each time its parent reaches it while it runs; and
*exited* with the status it ended with, or with IDLE if it was interrupted. So exits never outnumber entries, and a node
whose tree is at rest has as many of the one as of the other.
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
"""The fact that holds in every context, as a bit: what it wakes is run at every tick."""
LASTING = -1 << 16
"""The facts from bit 16 on, as bits: what they wake gives one answer while such a fact holds, another
while it does not. Above the one leaf at work (see `Tail`) it is run again only when such a fact begins or ends."""


class Pulse:
    """State shared by all nodes of a tree: whether a status has changed, and facts to use instead of those of now."""

    __slots__ = ("changed", "facts")

    def __init__(self) -> None:
        self.changed = True
        self.facts: int | None = None


class Node:
    """One node of a tree; subclasses write `tick` and, where they need them, `enter` and `exit`.

    `reads` and `writes` name the blackboard keys of a kind with their types; a node may add its own as attributes.
    `reason` is a short text a leaf sets in its tick: why this status.
    """

    kind: ClassVar[str] = ""
    """What the node is called in files."""
    least: ClassVar[int] = 0
    most: ClassVar[int | None] = 0
    """How many children it takes; None for any number."""
    reads: Mapping[str, Any] = {}
    writes: Mapping[str, Any] = {}
    woken_by: int = ALWAYS
    """Facts of `context.facts`, as bits. While none of them holds, a run always gives the same answer and has no other
    effect, so reactive parents skip it. A subclass with work of its own has to name its facts again."""

    name: str = ""
    children: tuple[Node, ...] = ()
    status: Status = IDLE
    reason: str = ""
    index: int = 0
    """Its number in the tree, from the root down, children in order."""
    file_line: int = 0
    """Where it stands in the file it was read from; 0: it was not."""
    _seen: bytearray = bytearray(1)
    _statuses: bytearray = bytearray(1)
    _observers: Sequence[Observer] = ()
    _pulse: Pulse = Pulse()
    _answered: Status | None = None
    """The result of a run in this tick that its parents have not taken yet."""
    reworded: set[int] | None = None
    """Where it enters its number when its reason is another than before; None: nobody asks. See `follow_reasons`."""
    _enters: ClassVar[bool] = False
    _exits: ClassVar[bool] = False
    """Whether a class has an `enter` and an `exit` of its own: not calling empty ones saves a tenth of a tick."""
    _explains: ClassVar[bool] = False
    """Whether its ticks say why: what the last one said is dropped before each."""

    _is_plain: ClassVar[bool] = False
    """Whether a run depends on what its children answer, and on nothing else; not inherited."""
    _follows_hints: ClassVar[bool] = False
    """Whether it is so as long as hints stay as they are; not inherited."""
    _is_run_as_usual: ClassVar[bool] = True
    """Whether its `run` is that of all nodes."""

    def __init_subclass__(cls) -> None:
        """Note what a class writes itself, and give it a `run` and a `tick` of its own.

        Python learns for each line of code where the attributes of an object are, and forgets it when the next object
        is of another class; a copy of the code for each class keeps what it has learned.
        """
        if "woken_by" not in vars(cls) and not vars(cls).keys().isdisjoint(("run", "enter", "tick", "exit")):
            cls.woken_by = ALWAYS
        cls._is_plain = vars(cls).get("_is_plain", False)
        cls._follows_hints = vars(cls).get("_follows_hints", False)
        cls._is_run_as_usual = cls._is_run_as_usual and "run" not in vars(cls)
        cls._enters, cls._exits = cls.enter is not Node.enter, cls.exit is not Node.exit
        for name in ("run", "tick"):
            code = getattr(cls, name)
            if name not in vars(cls) and code.__class__ is FunctionType:
                own = FunctionType(code.__code__.replace(), code.__globals__, name, code.__defaults__, code.__closure__)
                own.__doc__ = code.__doc__
                setattr(cls, name, own)

    def enter(self, context: Any) -> None:
        """Begin: called once before the first tick of a run."""

    def tick(self, context: Any) -> Status:  # noqa: ARG002
        """Do a piece of work; return SUCCESS, FAILURE or RUNNING."""
        raise BehaviourError(f"{type(self).__name__} has no tick; write one that returns a Status")

    def exit(self, context: Any, status: Status) -> None:
        """End: `status` is what the node ended with, IDLE if it was interrupted."""

    def check(self) -> None:
        """Raise a BehaviourError if the node cannot work as it is; called when a tree is built."""
        count = len(self.children)
        if count < self.least or (self.most is not None and count > self.most):
            if self.most is None:
                allowed = f"at least {self.least}"
            else:
                allowed = str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
            raise BehaviourError(f"{self.label} has {count} children; it takes {allowed}")

    def forget(self) -> None:
        """Drop what outlives a run; called when a tree is reset."""

    @property
    def label(self) -> str:
        """Its name where it has one, else its kind."""
        return self.name or self.kind or type(self).__name__

    def details(self) -> str:
        """Return its parameters in words, for texts."""
        return ""

    def ports(self) -> Mapping[str, Input[Any] | Output[Any]]:
        """Return the ports that have a key, by attribute."""
        # Asking for its table of attributes makes Python keep one, and each attribute take two to three times as long.
        # A node that has one already refers to that instead of what is in it.
        if not any(isinstance(value, Input | Output | dict) for value in get_referents(self)):
            return {}
        return dict(ports_of(vars(self)))

    def rename(self, ports: Mapping[str, Input[Any] | Output[Any]]) -> None:
        """Take ports under other keys: what a subtree does to the nodes in it."""
        for name, port in ports.items():
            setattr(self, name, port)

    @property
    def last(self) -> Node:
        """The node below it with the highest number; itself where there is none."""
        return self.children[-1].last if self.children else self

    def repeat(self) -> Status:
        """Mark the node and all below it as reached with the statuses they have."""
        start, stop = self.index, self.last.index + 1
        self._seen[start:stop] = self._statuses[start:stop]
        return self.status

    def can_rest(self) -> bool:
        """Return whether a run may be skipped while certain facts do not hold."""
        return self.children[0].can_rest() if self._is_plain else self.woken_by != ALWAYS

    def rest(self) -> int:
        """Return the facts without which the next run repeats the last, which began and ended in one tick."""
        if not self._is_plain:
            return self.woken_by
        wakes, seen = 0, self._seen
        for child in self.children:
            if seen[child.index]:
                wakes |= child.rest()
        return wakes

    def why(self) -> str:
        """Return why it has its status: for a leaf its own reason, for others that of the child that decided."""
        return self.reason

    def run(self, context: Any) -> Status:
        """Tick the node with its lifecycle around it: what parents call."""
        if self._answered is not None:
            return self._answer()
        before = self.reason
        if self._explains:
            self.reason = ""
        old = self.status
        if old is not RUNNING:
            if self._enters:
                self.enter(context)
            # From here on an interrupt reaches the node, also if a child raises.
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
        elif self.reworded is not None and self.reason != before:
            self.reworded.add(self.index)
        return status

    def _answer(self) -> Status:
        """Return the result of the run made before; from here on the facts of now count."""
        status, self._answered, self._pulse.facts = self._answered, None, None
        assert status is not None
        self._seen[self.index] = status
        return status

    def interrupt(self, context: Any, reason: str = INTERRUPTED) -> None:
        """End a running node from outside, its running children first; nothing happens to one that is not running."""
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
        self._pulse.changed = True
        if self._observers:
            words = self.why() if reason is None else reason
            for observer in tuple(self._observers):
                observer(self, old, new, words)

    def settle(self) -> None:
        """Return to IDLE what ended in an earlier tick and was not reached in this one."""
        old, self.status, self.reason = self.status, IDLE, ""
        self._changed(old, IDLE, UNREACHED)

    def attach(
        self, index: int, seen: bytearray, statuses: bytearray, observers: Sequence[Observer], pulse: Pulse
    ) -> None:
        """Take a place in a tree: a number, and the tables shared by all its nodes."""
        if self._seen is not Node._seen:
            raise BehaviourError(f"{self.label} stands in a tree already; build each node anew for each place")
        self.index, self._seen, self._statuses, self._observers = index, seen, statuses, observers
        self._pulse = pulse


Observer = Callable[[Node, Status, Status, str], None]
"""Called with a node, its old status, its new one, and why."""


class Composite(Node):
    """A node with children, in the order of their importance or of their turn."""

    least: ClassVar[int] = 1
    most: ClassVar[int | None] = None

    def __init__(self, children: Sequence[Node], *, name: str = ""):
        for child in children:
            if not isinstance(child, Node):
                raise BehaviourError(f"a child of {name or self.kind} is {child!r}; give nodes")
        self.children = tuple(children)
        self.name = name

    def why(self) -> str:
        """Return the child that decided and its reason: the last one that gave this status in this tick."""
        seen, status = self._seen, self.status
        for child in reversed(self.children):
            if seen[child.index] == status:
                reason = child.why()
                return f"{child.label}: {reason}" if reason else child.label
        return self.reason


class Decorator(Composite):
    """A node with one child, which it ticks or not and whose status it may change."""

    most = 1

    def __init__(self, child: Node, *, name: str = ""):
        super().__init__([child], name=name)
        self.child = child

    def why(self) -> str:
        """Return the decorator's own reason, else its child's."""
        return self.reason or super().why() or self.child.why()
