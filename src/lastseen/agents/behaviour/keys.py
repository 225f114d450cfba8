"""Keys: check that every key a tree reads is written, with a compatible type.

The check is made when a tree is built, so that a wrong name or type is found before the first tick. Whether a key is
written *before* it is read is known only when the tree runs; reading a missing key is an error then.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any

from ...errors import BehaviourError, did_you_mean
from .node import Node
from .nodes.decorators import SubTree
from .ports import Input, Output


@dataclass(frozen=True)
class KeyUse:
    """A read or a write of one key by one node."""

    key: str
    type: Any
    writes: bool
    path: str


class _Scope:
    """Resolves the names of keys in one tree or subtree."""

    def __init__(self, own: frozenset[str], prefix: str = "", subtree: SubTree | None = None, outer: Any = None):
        self.own, self.prefix, self.subtree, self.outer = own, prefix, subtree, outer
        self.used: set[str] = set()

    def key(self, name: str) -> str:
        if self.subtree is None or name in self.own:
            return name
        if name in self.subtree.mapping:
            self.used.add(name)
            port = self.subtree.mapping[name]
            return f"{self.prefix}{name}" if port.key is None else self.outer.key(port.key)
        return self.outer.key(name) if self.subtree.share else f"{self.prefix}{name}"


@dataclass(frozen=True)
class ResolvedKeys:
    """All uses of keys; by key the values given to ports of subtrees; path and name of ports that no node uses."""

    uses: list[KeyUse]
    values: dict[str, Any]
    unused: list[tuple[str, str]]


def resolve_keys(root: Node, paths: Mapping[int, str], own: frozenset[str]) -> ResolvedKeys:
    """Resolve the keys of all ports.

    `own` are the keys that the agent provides or that nodes name themselves: they mean the same everywhere.
    """
    uses: list[KeyUse] = []
    values: dict[str, Any] = {}
    unused: list[tuple[str, str]] = []

    def walk(node: Node, scope: _Scope) -> None:
        path = paths[id(node)]
        for writes, named in ((False, node.reads), (True, node.writes)):
            uses.extend(KeyUse(key, type_, writes, path) for key, type_ in named.items())
        renamed: dict[str, Input[Any] | Output[Any]] = {}
        for attribute, port in node.ports().items():
            if port.key is not None:
                renamed[attribute] = port.renamed(scope.key(port.key))
                key = renamed[attribute].key or ""
                uses.append(KeyUse(key, port.type, isinstance(port, Output), path))
        if renamed:
            node.rename(renamed)
        inner = scope
        if isinstance(node, SubTree):
            inner = _Scope(own, f"{path}/", node, scope)
            for name, port in node.mapping.items():
                if port.key is None:
                    values[f"{path}/{name}"] = port.value
        for child in node.children:
            walk(child, inner)
        if inner is not scope:
            unused.extend((path, what) for what in _unused_ports(inner, path))

    walk(root, _Scope(own))
    return ResolvedKeys(uses, values, unused)


def _unused_ports(scope: _Scope, path: str) -> list[str]:
    """Return words about each port that nothing in a subtree uses; raise if a port renames a key of the agent."""
    assert scope.subtree is not None
    for name in scope.subtree.mapping:
        if name in scope.own:
            raise BehaviourError(f"port {name!r} is a key of the agent, which cannot be renamed", path)
    tree = scope.subtree.tree or "the subtree"
    return [f"port {name!r} is not used in {tree}" for name in scope.subtree.mapping if name not in scope.used]


def check_keys(uses: list[KeyUse], given: Mapping[str, Any]) -> None:
    """Raise a BehaviourError if a key is read but never written, or read as another type than it is written.

    Parameters
    ----------
    uses : list of KeyUse
        All reads and writes of the nodes of a tree.
    given : mapping of str to type
        Keys that exist before the first tick.
    """
    written: dict[str, list[tuple[Any, str]]] = {key: [(type_, "the agent")] for key, type_ in given.items()}
    for use in uses:
        if use.writes:
            written.setdefault(use.key, []).append((use.type, use.path))
    for use in uses:
        sources = written.get(use.key)
        if sources is None:
            raise BehaviourError(
                f"reads key {use.key!r}, which is never written{did_you_mean(use.key, written)}; "
                f"there are {', '.join(sorted(written)) or 'no keys'}",
                use.path,
            )
        for type_, source in sources:
            if not use.writes and not fits(type_, use.type):
                raise BehaviourError(
                    f"reads key {use.key!r} as {type_name(use.type)}, but {source} writes {type_name(type_)}", use.path
                )
            if use.writes and not (fits(type_, use.type) or fits(use.type, type_)):
                raise BehaviourError(
                    f"writes {type_name(use.type)} to key {use.key!r}, but {source} writes {type_name(type_)}", use.path
                )


def fits(given: Any, wanted: Any) -> bool:
    """Return whether values of one type may be used where another is expected.

    Integers are accepted as floats, subclasses as their bases, and a type as a union that contains it.
    """
    given, wanted = _bare(given), _bare(wanted)
    if given == wanted or wanted in (Any, object) or given is Any:
        return True
    if members := _union_members(given):
        return all(fits(one, wanted) for one in members)
    if members := _union_members(wanted):
        return any(fits(given, one) for one in members)
    given_origin, wanted_origin = typing.get_origin(given), typing.get_origin(wanted)
    if given_origin is typing.Literal:
        return all(fits(type(value), wanted) for value in typing.get_args(given))
    if wanted is float and given is int:
        return True
    if wanted_origin is not None and given_origin is not None:
        return _is_subclass(given_origin, wanted_origin) and _arguments_fit(given, wanted)
    return _is_subclass(given_origin or given, wanted_origin or wanted)


def _bare(type_: Any) -> Any:
    """Return a type without its annotations."""
    return typing.get_args(type_)[0] if typing.get_origin(type_) is typing.Annotated else type_


def _union_members(type_: Any) -> tuple[Any, ...]:
    return typing.get_args(type_) if typing.get_origin(type_) in (typing.Union, UnionType) else ()


def _arguments_fit(given: Any, wanted: Any) -> bool:
    ours, theirs = typing.get_args(given), typing.get_args(wanted)
    return len(ours) == len(theirs) and all(fits(one, other) for one, other in zip(ours, theirs))


def _is_subclass(given: Any, wanted: Any) -> bool:
    if given is bool and wanted is int:
        return False
    return isinstance(given, type) and isinstance(wanted, type) and issubclass(given, wanted)


def type_name(type_: Any) -> str:
    """Return a type as written in code."""
    type_ = _bare(type_)
    return (
        type_.__name__ if isinstance(type_, type) and not typing.get_args(type_) else str(type_).replace("typing.", "")
    )
