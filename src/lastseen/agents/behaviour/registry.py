"""Registry: the leaves trees may use, by name, with typed parameters.

There is no global list: a program creates a registry, adds its leaves, and passes it to `build_tree`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from ...checks import instance_of, shown, table_of, text_of
from ...errors import BehaviourError, did_you_mean
from .leaf import Action, Condition, Leaf
from .node import Composite, Node
from .nodes import KINDS
from .parameters import Parameter, checked_parameters, parameters_of

Function = TypeVar("Function", bound=Callable[..., Any])
LeafClass = TypeVar("LeafClass", bound=type[Leaf])
NodeClass = TypeVar("NodeClass", bound=type[Composite])

RESERVED = ("name", "child", "children", "keys", "ports", "root", "trees")
"""Words reserved in tree files."""


class LeafKind:
    """One kind of leaf: its name, its parameters, the keys it reads and writes itself, and its constructor."""

    def __init__(self, name: str, make: Callable[..., Any], form: Literal["action", "condition", "class"]):
        self.name, self.make, self.form = name, make, form
        self.parameters: tuple[Parameter, ...] = parameters_of(make, name, skip_first=form != "class")
        self.reads: Mapping[str, Any] = getattr(make, "reads", {}) if form == "class" else {}
        self.writes: Mapping[str, Any] = getattr(make, "writes", {}) if form == "class" else {}

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return ((self.make.__doc__ or "").strip().splitlines() or [""])[0]

    def build(self, parameters: Mapping[str, Any], name: str = "") -> Leaf:
        """Return a new leaf from checked parameters."""
        if self.form == "class":
            leaf: Leaf = self.make(**parameters)
            leaf.name = name or leaf.name or self.name
            return leaf
        wrapper = Action if self.form == "action" else Condition
        return wrapper(self.make, parameters, name=name or self.name, reads=self.reads, writes=self.writes)


class Registry:
    """Leaves, scores and types of keys that trees may name.

    Parameters
    ----------
    keys : mapping of str to type, optional
        Keys that the agent's blackboard provides to every tree.

    Examples
    --------
    >>> leaves = Registry()
    >>> @leaves.condition
    ... def is_dark(mind, below: float = 0.3):
    ...     return mind.light < below
    >>> leaves.build("is_dark", below=0.2).label
    'is_dark'
    """

    def __init__(self, keys: Mapping[str, Any] | None = None):
        self.keys: dict[str, Any] = table_of(keys, "keys")
        self.leaves: dict[str, LeafKind] = {}
        self.composites: dict[str, type[Composite]] = {}
        self.scores: dict[str, Callable[[Any], float]] = {}
        self.types: dict[str, Any] = {"bool": bool, "int": int, "float": float, "str": str, "any": Any}

    def action(
        self,
        function: Function | None = None,
        *,
        name: str = "",
        reads: Mapping[str, Any] | None = None,
        writes: Mapping[str, Any] | None = None,
    ) -> Any:
        """Add a function `(context, parameters…) -> Status`, or `(Status, reason)`; use as a decorator."""
        return self._function("action", function, name, reads, writes)

    def condition(
        self,
        function: Function | None = None,
        *,
        name: str = "",
        reads: Mapping[str, Any] | None = None,
        writes: Mapping[str, Any] | None = None,
    ) -> Any:
        """Add a function `(context, parameters…) -> bool`, or `(bool, reason)`; use as a decorator."""
        return self._function("condition", function, name, reads, writes)

    def _function(
        self,
        form: Literal["action", "condition"],
        function: Function | None,
        name: str,
        reads: Mapping[str, Any] | None,
        writes: Mapping[str, Any] | None,
    ) -> Any:
        def add(given: Function) -> Function:
            kind = LeafKind(_name_of(given, name), given, form)
            kind.reads, kind.writes = table_of(reads, "reads"), table_of(writes, "writes")
            self._add(kind)
            return given

        return add if function is None else add(function)

    def leaf(self, given: LeafClass | None = None, *, name: str = "") -> Any:
        """Add a subclass of `Leaf`; `__init__` defines its parameters, `kind` or the class name its name."""

        def add(cls: LeafClass) -> LeafClass:
            if not (isinstance(cls, type) and issubclass(cls, Leaf)):
                raise BehaviourError(f"{cls!r} is not a subclass of Leaf; derive it from Leaf")
            self._add(LeafKind(text_of(name, "name") or cls.kind or snake_case(cls.__name__), cls, "class"))
            return cls

        return add if given is None else add(given)

    def composite(self, given: NodeClass) -> NodeClass:
        """Add a subclass of `Composite`, a node with children; its `kind` is the name. Use as a decorator."""
        if not (isinstance(given, type) and issubclass(given, Composite)) or not given.kind:
            raise BehaviourError(f"{shown(given)} has no children or kind; give a subclass of Composite with a kind")
        self._require_free(given.kind)
        self.composites[given.kind] = given
        return given

    def score(self, function: Function | None = None, *, name: str = "") -> Any:
        """Add a function `(context) -> float` that `scored` nodes may name; use as a decorator."""

        def add(given: Function) -> Function:
            key = _name_of(given, name)
            if key in self.scores:
                raise BehaviourError(f"a score {key!r} already exists; give another name")
            self.scores[key] = given
            return given

        return add if function is None else add(function)

    def type(self, name: str, type_: Any) -> None:
        """Name a type of keys for use in files."""
        self.types[text_of(name, "name")] = type_

    def _add(self, kind: LeafKind) -> None:
        self._require_free(kind.name)
        self.leaves[kind.name] = kind

    def _require_free(self, name: str) -> None:
        if name in self.leaves or name in KINDS or name in self.composites or name in RESERVED:
            taken = "a leaf" if name in self.leaves else "a node or reserved word of tree files"
            raise BehaviourError(f"{name!r} is already {taken}; give another name")

    def include(self, other: Registry) -> Registry:
        """Add everything of another registry; return this one."""
        for kind in instance_of(other, Registry, "other", "give a Registry").leaves.values():
            self._add(kind)
        for composite in other.composites.values():
            self.composite(composite)
        self.scores |= other.scores
        self.types |= other.types
        self.keys |= other.keys
        return self

    def names(self) -> Iterable[str]:
        """Return every name a node may have in a file."""
        return (*KINDS, *self.composites, *self.leaves)

    def build(self, leaf: str, /, *, name: str = "", **parameters: Any) -> Node:
        """Return a new leaf of a kind, for trees written in code; parameters are checked."""
        kind = self.leaves.get(text_of(leaf, "leaf"))
        if kind is None:
            raise BehaviourError(
                f"no leaf {leaf!r}{did_you_mean(leaf, self.leaves)}; there are {', '.join(self.leaves) or 'none'}"
            )
        return kind.build(checked_parameters(kind.parameters, parameters, leaf), text_of(name, "name"))


def _name_of(function: Any, name: str) -> str:
    """Return the given name, else that of the function."""
    if not callable(function):
        raise BehaviourError(f"{shown(function)} is not a function; decorate a function of the context")
    return text_of(name, "name") or getattr(function, "__name__", "") or type(function).__name__


def snake_case(name: str) -> str:
    """Return `GoTo` as `go_to`."""
    parts = []
    for at, letter in enumerate(name):
        if letter.isupper() and at and (name[at - 1].islower() or name[at + 1 : at + 2].islower()):
            parts.append("_")
        parts.append(letter.lower())
    return "".join(parts)
