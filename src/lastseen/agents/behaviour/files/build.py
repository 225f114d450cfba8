"""Build trees from tree files: look up each node, check its parameters, and insert subtrees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ....checks import instance_of, text_of
from ....errors import BehaviourError, did_you_mean
from ..leaf import Leaf
from ..node import Node
from ..nodes import KINDS
from ..nodes.decorators import SubTree
from ..parameters import Parameter, ParameterError, checked_parameters, likely_value, parameters_of
from ..ports import Input, Output
from ..registry import Registry
from ..status import SUCCESS, Status
from ..tree import DEEPEST, MOST_NODES, Tree, node_paths
from .definition import KeySpec, NodeSpec, TreeFault, TreeFile, TreeFileError

_MOST_NAMED = 12
"""Registered leaves a fault lists; the guards' alone are ninety."""


class UnknownLeaf(Leaf):
    """Placeholder for a leaf that is not registered, to show the shape of a tree."""

    def __init__(self, kind: str, parameters: Mapping[str, Any], name: str):
        self.name, self.parameters = name or kind, dict(parameters)
        # The direction of a key is unknown; treating it as written avoids faults about missing keys.
        for attribute, value in parameters.items():
            if isinstance(value, Input):
                setattr(self, f"port_{attribute}", Output(value.key or ""))

    def details(self) -> str:
        """Return the parameters as written."""
        return ", ".join(f"{name or 'value'}: {value}" for name, value in self.parameters.items())

    def tick(self, context: Any) -> Status:  # noqa: ARG002
        """Succeed."""
        return SUCCESS


def build_tree(file: TreeFile, registry: Registry, tree: str = "", *, unknown_leaves: bool = False) -> Tree:
    """Return a tree of a file, ready to be ticked; call it once for each agent.

    Parameters
    ----------
    file : TreeFile
        The result of `read_trees`.
    registry : Registry
        Leaves the tree may use.
    tree : str, optional
        Name of the tree; default: the main tree of the file.
    unknown_leaves : bool
        Accept leaves that are not registered, to show the shape of a tree.

    Raises
    ------
    TreeFileError
        Unknown nodes or parameters, wrong types, keys that are never written, cyclic subtrees: all faults of the nodes
        at once, with file and line; similar names are suggested.
    """
    file = instance_of(file, TreeFile, "file", "read one with read_trees(path)")
    registry = instance_of(registry, Registry, "registry", "give a Registry of leaves, such as brain_leaves()")
    name = text_of(tree, "tree") or file.main
    if name not in file.trees:
        raise BehaviourError(f"{file.source} has no tree {name!r}{did_you_mean(name, file.trees)}")
    builder = _Builder(file, registry, unknown_leaves)
    declared, start = builder.declared()
    root = builder.tree(name, (name,), "")
    if builder.faults or root is None:
        raise TreeFileError(builder.faults)
    lines = {path: builder.lines.get(node, (file.source, 0)) for node, path in node_paths(root).items()}

    def fault(path: str, what: str) -> TreeFault:
        return TreeFault(*lines.get(path, (file.source, 0)), path, what)

    try:
        built = Tree(root, name=name, outside=registry.keys | declared, start=start)
    except BehaviourError as error:
        raise TreeFileError([fault(error.path, str(error).removeprefix(f"{error.path}: "))]) from None
    built.warnings = tuple(fault(path, what) for path, what in built.unused_ports)
    return built


@cache
def kind_parameters(kind: str) -> tuple[Parameter, ...]:
    """Return the parameters of a built-in kind."""
    return parameters_of(KINDS[kind], kind, skip_first=False)


class _Builder:
    """Makes nodes, and collects their lines and each fault once."""

    def __init__(self, file: TreeFile, registry: Registry, unknown_leaves: bool):
        self.file, self.registry, self.unknown_leaves = file, registry, unknown_leaves
        self.faults: list[TreeFault] = []
        self.lines: dict[int, tuple[str, int]] = {}
        self.source = file.source
        self.count = self.depth = 0

    def fault(self, line: int, path: str, what: str, parameter: str = "") -> None:
        fault = TreeFault(self.source, line, path, what, parameter)
        if not any((other.line, other.what) == (line, what) for other in self.faults):
            self.faults.append(fault)

    def declared(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the types of the declared keys, and their initial values."""
        types, start = {}, {}
        for name, key in self.file.keys.items():
            type_ = self.type_of(name, key)
            types[name] = type_
            if key.has_start:
                parameter = Parameter(name, type_)
                try:
                    start[name] = checked_parameters((parameter,), {name: key.start}, "keys")[name]
                except BehaviourError as error:
                    self.fault(key.line, "", str(error))
        return types, start

    def type_of(self, name: str, key: KeySpec) -> Any:
        if key.type not in self.registry.types and not self.unknown_leaves:
            close = did_you_mean(key.type, self.registry.types)
            types = ", ".join(self.registry.types)
            self.fault(key.line, "", f"key {name!r} has the unknown type {key.type!r}{close}; there are {types}")
        return self.registry.types.get(key.type, Any)

    def node(self, spec: NodeSpec, trees: tuple[str, ...], above: str) -> Node | None:
        self.count += 1
        if self.count > MOST_NODES or self.depth == DEEPEST:
            if self.count <= MOST_NODES + 1:
                limits = f"{MOST_NODES} nodes or {DEEPEST} levels"
                self.fault(spec.line, "", f"more than {limits} including subtrees; use fewer of them")
            self.count = MOST_NODES + 1
            return None
        tree = spec.parameters.get("tree", spec.parameters.get("")) if spec.kind == "subtree" else ""
        path = f"{above}/{spec.name or tree or spec.kind}".lstrip("/")
        self.depth += 1
        try:
            node = self.make(spec, trees, path)
        except ParameterError as error:
            for parameter, what in error.wrong.items():
                self.fault(spec.line, path, what, parameter)
            return None
        except BehaviourError as error:
            self.fault(spec.line, path, str(error), _blamed(spec, str(error)))
            return None
        finally:
            self.depth -= 1
        if node is not None:
            self.lines[id(node)] = self.source, spec.line
            node.file_line = node.file_line or spec.line
        return node

    def tree(self, name: str, trees: tuple[str, ...], above: str) -> Node | None:
        """Return the root of a tree; its faults are those of the file it is from."""
        tree, outer = self.file.trees[name], self.source
        self.source = tree.source or self.file.source
        try:
            return self.node(tree.root, trees, above)
        finally:
            self.source = outer

    def make(self, spec: NodeSpec, trees: tuple[str, ...], path: str) -> Node | None:
        if spec.kind == "subtree":
            return self.subtree(spec, trees, path)
        inner = KINDS.get(spec.kind) or self.registry.composites.get(spec.kind)
        if inner is not None:
            return self.inner(inner, spec, trees, path)
        if spec.children:
            what = (
                "a leaf and cannot have children" if spec.kind in self.registry.leaves else "not a node with children"
            )
            raise BehaviourError(f"{spec.kind!r} is {what}{did_you_mean(spec.kind, KINDS)}")
        kind = self.registry.leaves.get(spec.kind)
        if kind is None:
            if self.unknown_leaves:
                return UnknownLeaf(spec.kind, spec.parameters, spec.name)
            raise BehaviourError(self.no_node(spec.kind))
        return kind.build(self.parameters(kind.parameters, spec), spec.name)

    def no_node(self, kind: str) -> str:
        """Return what is wrong with a leaf that is not registered, and where to find those that are."""
        leaves = sorted(self.registry.leaves)
        words = f"registered leaves: {', '.join(leaves) or 'none'}"
        if len(leaves) > _MOST_NAMED:
            words = "see `lastseen tree list`; give leaves of your own with --leaves MODULE:NAME"
        return f"no node {kind!r}{did_you_mean(kind, tuple(self.registry.names()))}; {words}"

    def inner(self, kind: type[Node], spec: NodeSpec, trees: tuple[str, ...], path: str) -> Node | None:
        children = [self.node(child, trees, path) for child in spec.children]
        fits = True
        try:
            kind.check_count(len(children), spec.kind)
        except BehaviourError as error:
            self.fault(spec.line, path, str(error))
            fits = False
        parameters = self.kind_parameters(kind, spec)
        if not fits or None in children:
            return None
        make: Any = kind
        if kind.most == 0:
            return make(**parameters, name=spec.name)
        if kind.least == kind.most:
            return make(*children, **parameters, name=spec.name)
        return make(children, **parameters, name=spec.name)

    def kind_parameters(self, kind: type[Node], spec: NodeSpec) -> dict[str, Any]:
        if spec.kind not in KINDS:
            return self.parameters(parameters_of(kind, spec.kind, skip_first=False), spec)
        score = spec.parameters.get("score") if spec.kind == "scored" else None
        if not isinstance(score, str) or self.file.loose:
            return self.parameters(kind_parameters(spec.kind), spec)
        others = NodeSpec(spec.kind, parameters={**spec.parameters, "score": 0.0})
        return self.parameters(kind_parameters(spec.kind), others) | {"score": self.score(score)}

    def score(self, name: str) -> Any:
        if name in self.registry.scores:
            return self.registry.scores[name]
        if self.unknown_leaves:
            return 1.0
        scores = self.registry.scores
        allowed = f"a number, a $key or one of {', '.join(scores)}" if scores else "a number or a $key"
        raise BehaviourError(f"no score {name!r}{did_you_mean(name, scores)}; give {allowed}")

    def subtree(self, spec: NodeSpec, trees: tuple[str, ...], path: str) -> Node | None:
        given = {("tree" if key == "" else key): value for key, value in spec.parameters.items()}
        if spec.children:
            raise BehaviourError("a subtree cannot have children; name a tree of the file")
        values = checked_parameters(kind_parameters("subtree"), given | {"ports": {}}, "subtree", loose=self.file.loose)
        ports = given.get("ports", {})
        if not isinstance(ports, dict):
            raise BehaviourError(f"ports is {ports!r}; give keys of the subtree, each with a value or $key")
        if self.file.loose:
            ports = {key: likely_value(value) if isinstance(value, str) else value for key, value in ports.items()}
        name = values.get("tree", "")
        if name not in self.file.trees:
            raise BehaviourError(f"no tree {name!r}{did_you_mean(name, self.file.trees)} in {self.file.source}")
        if name in trees:
            cycle = " → ".join((*trees[trees.index(name) :], name))
            raise BehaviourError(f"the subtrees form a cycle: {cycle}; a tree may not use itself")
        child = self.tree(name, (*trees, name), path)
        if child is None:
            return None
        return SubTree(child, tree=name, ports=ports, share=values.get("share", False), name=spec.name)

    def parameters(self, known: tuple[Parameter, ...], spec: NodeSpec) -> dict[str, Any]:
        given = dict(spec.parameters)
        if "" in given:
            if not known:
                raise BehaviourError(f"{spec.kind} takes no parameters, but is given {given['']}")
            given = {known[0].name: given[""]}
        return checked_parameters(known, given, spec.kind, loose=self.file.loose)


def _blamed(spec: NodeSpec, what: str) -> str:
    """Return the parameter whose value a message quotes; empty if there is none."""
    return next((name for name, value in spec.parameters.items() if repr(value) in what), "")


@dataclass(frozen=True)
class TreeReport:
    """All trees of a file checked: the number of nodes of each sound one, the faults of the others, and warnings."""

    sizes: dict[str, int]
    faults: tuple[TreeFault, ...]
    warnings: tuple[TreeFault, ...]


def check_trees(file: TreeFile, registry: Registry, *, unknown_leaves: bool = False) -> TreeReport:
    """Build every tree of a file; return each fault and each warning once."""
    sizes: dict[str, int] = {}
    faults: dict[tuple[int, str], TreeFault] = {}
    warnings: dict[tuple[int, str], TreeFault] = {}
    for name in _outermost(file):
        try:
            built = build_tree(file, registry, name, unknown_leaves=unknown_leaves)
            sizes[name] = len(built)
            warnings |= {(warning.line, warning.what): warning for warning in built.warnings}
        except TreeFileError as error:
            faults |= {(fault.line, fault.what): fault for fault in error.faults}
    return TreeReport(sizes, tuple(faults.values()), tuple(warnings.values()))


def _outermost(file: TreeFile) -> list[str]:
    """Return the trees that no other tree uses, the main one first; the others are built where they are used."""
    uses = {name: _used(tree.root) for name, tree in file.trees.items()}
    chosen: list[str] = []
    reached: set[str] = set()
    inner = set().union(*uses.values())
    for name in (file.main, *(name for name in uses if name not in inner), *uses):
        if name not in reached:
            chosen.append(name)
            waiting = [name]
            while waiting:
                found = waiting.pop()
                if found not in reached and found in uses:
                    reached.add(found)
                    waiting.extend(uses[found])
    return chosen


def _used(root: NodeSpec) -> set[str]:
    waiting, used = [root], set()
    while waiting:
        node = waiting.pop()
        if node.kind == "subtree":
            used.add(str(node.parameters.get("tree", node.parameters.get("", ""))))
        waiting.extend(node.children)
    return used
