"""Read tree files: YAML or JSON, one notation.

::

    keys:                                   # optional: declared keys, with a type, an initial value or both
      rounds: {type: int, start: 0}
    trees:                                  # the first is run, unless `main` names another
      guard:
        reactive_selector:                  # a list: the children
          - sequence:
              name: fight                   # a mapping: parameters, `name`, `child`, `children`
              children: [sees_target, shoot]
          - invert: is_calm                 # a word under a decorator: its child
          - cooldown: {seconds: 5, child: shout}
          - go_to: {place: $noise}          # $: the value of a key
          - subtree: {tree: investigate, ports: {place: $noise}}
          - wait: 2.5                       # one value under a leaf: its first parameter
          - patrol                          # a word: a node without parameters
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

from ....checks import file_path
from ....errors import did_you_mean
from ....textfile import Document, TextFileError, parse, read
from ..nodes import KINDS
from ..ports import Input
from .definition import KeySpec, NodeSpec, TreeFault, TreeFile, TreeFileError, TreeSpec

MOST_SPECS = 10_000
"""Maximum number of nodes in a file."""
DEEPEST_SPECS = 100
KEY_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
TOP = ("main", "keys", "trees", "root")

Path = tuple[str | int, ...]


def read_trees(path: str | os.PathLike[str]) -> TreeFile:
    """Return the contents of a tree file (.yaml, .yml, .json, or .xml of BehaviorTree.CPP).

    Raises
    ------
    TreeFileError
        It cannot be read or is not a tree file; `faults` have file and line. `build_tree` checks whether its nodes
        exist.
    """
    source = file_path(path)
    if source.lower().endswith(".xml"):
        from .btcpp import read_btcpp

        return read_btcpp(source)
    return _file(lambda: read(source))


def parse_trees(text: str, form: str = "yaml", *, source: str = "text") -> TreeFile:
    """Return the trees of a text; `form` is "yaml", "json" or "xml". See `read_trees`."""
    if isinstance(form, str) and form == "xml":
        from .btcpp import parse_btcpp

        return parse_btcpp(text, source=source)
    return _file(lambda: parse(text, form, source=source))


def _file(load: Callable[[], Document]) -> TreeFile:
    try:
        document = load()
    except TextFileError as error:
        raise TreeFileError([TreeFault(error.source, error.line, "", error.what)]) from None
    return document_trees(document)


def document_trees(document: Document) -> TreeFile:
    """Return the trees of a document that was parsed already. See `read_trees`."""
    reader = _Reader(document)
    file = reader.file()
    if reader.faults:
        raise TreeFileError(reader.faults)
    assert file is not None
    return file


class _Reader:
    """Converts a document, and collects every fault instead of stopping at the first."""

    def __init__(self, document: Document):
        self.document = document
        self.faults: list[TreeFault] = []
        self.count = 0

    def fault(self, path: Path, what: str) -> None:
        self.faults.append(TreeFault(self.document.source, self.document.line(path), "", what))

    def file(self) -> TreeFile | None:
        top = self.document.value
        if not isinstance(top, dict):
            self.fault((), f"a tree file has the keys 'trees' or 'root', not {_kind_of(top)}")
            return None
        for key in top:
            if key not in TOP:
                self.fault((key,), f"unknown key {_short(key)}{did_you_mean(key, TOP)}; use {', '.join(TOP)}")
        if ("trees" in top) == ("root" in top):
            self.fault((), "give either 'trees' (several, by name) or 'root' (one tree)")
            return None
        trees = self.trees(top)
        main = top.get("main", next(iter(trees), ""))
        if trees and (not isinstance(main, str) or main not in trees):
            self.fault(("main",), f"main is {_short(main)}{did_you_mean(main, trees)}; there are {', '.join(trees)}")
        return TreeFile(trees, str(main), self.keys(top.get("keys")), self.document.source)

    def trees(self, top: dict[str, Any]) -> dict[str, TreeSpec]:
        if "root" in top:
            root = self.node(top["root"], ("root",), 1)
            return {"main": TreeSpec("main", root, root.line)} if root else {}
        given = top["trees"]
        if not isinstance(given, dict) or not given:
            self.fault(("trees",), f"'trees' holds trees by name, not {_kind_of(given)}")
            return {}
        found = {}
        for name, value in given.items():
            root = self.node(value, ("trees", name), 1)
            if root:
                found[name] = TreeSpec(name, root, self.document.line(("trees", name)))
        return found

    def keys(self, given: Any) -> dict[str, KeySpec]:
        if given is None:
            return {}
        if not isinstance(given, dict):
            self.fault(("keys",), f"'keys' holds names with a type, not {_kind_of(given)}")
            return {}
        found = {}
        for name, value in given.items():
            path: Path = ("keys", name)
            if not KEY_NAME.fullmatch(name):
                self.fault(path, f"{_short(name)} is not a key; use letters, digits and _ . -")
            body = {"type": value} if isinstance(value, str) else value
            if not isinstance(body, dict) or set(body) - {"type", "start"} or not isinstance(body.get("type", ""), str):
                self.fault(path, f"key {name} has no type or start value; write {{type: float, start: 0.5}}")
                continue
            found[name] = KeySpec(body.get("type", "any"), body.get("start"), "start" in body, self.document.line(path))
        return found

    def node(self, value: Any, path: Path, depth: int) -> NodeSpec | None:
        self.count += 1
        if self.count > MOST_SPECS or depth > DEEPEST_SPECS:
            if self.count <= MOST_SPECS + 1:
                self.fault(path, f"too many nodes; at most {MOST_SPECS}, {DEEPEST_SPECS} deep, are allowed")
            self.count = MOST_SPECS + 2
            return None
        if isinstance(value, str):
            return NodeSpec(value, line=self.document.line(path))
        if not isinstance(value, dict) or len(value) != 1:
            what = (
                f"{len(value)} ({', '.join(map(str, list(value)[:4]))})" if isinstance(value, dict) else _kind_of(value)
            )
            self.fault(path, f"a node is one word, or a mapping with one key, not {what}")
            return None
        kind, body = next(iter(value.items()))
        return self.body(kind, body, (*path, kind), depth, self.document.line(path))

    def body(self, kind: str, body: Any, path: Path, depth: int, line: int) -> NodeSpec | None:
        if body is None:
            return NodeSpec(kind, line=line)
        if isinstance(body, list):
            return NodeSpec(kind, children=self.children(body, path, depth), line=line)
        if isinstance(body, dict):
            return self.long_form(kind, body, path, depth, line)
        if kind in KINDS and KINDS[kind].most != 0 and kind != "subtree":
            child = self.node(body, path, depth + 1)
            return NodeSpec(kind, children=(child,), line=line) if child else None
        return NodeSpec(kind, parameters={"": self.parameter(body, path)}, line=line)

    def long_form(self, kind: str, body: dict[str, Any], path: Path, depth: int, line: int) -> NodeSpec | None:
        name = body.get("name", "")
        if not isinstance(name, str):
            self.fault((*path, "name"), f"name is {_short(name)}; give text")
            name = ""
        children: tuple[NodeSpec, ...] = ()
        if "children" in body and "child" in body:
            self.fault(path, f"{kind} has 'child' and 'children'; give one of them")
        elif "children" in body:
            if isinstance(body["children"], list):
                children = self.children(body["children"], (*path, "children"), depth)
            else:
                self.fault((*path, "children"), "children is a list of nodes; for one node write 'child'")
        elif "child" in body:
            child = self.node(body["child"], (*path, "child"), depth + 1)
            children = (child,) if child else ()
        parameters = {
            key: self.parameter(value, (*path, key))
            for key, value in body.items()
            if key not in ("name", "child", "children")
        }
        return NodeSpec(kind, name, parameters, children, line)

    def children(self, values: list[Any], path: Path, depth: int) -> tuple[NodeSpec, ...]:
        found = [self.node(value, (*path, at), depth + 1) for at, value in enumerate(values)]
        return tuple(node for node in found if node is not None)

    def parameter(self, value: Any, path: Path) -> Any:
        """Return a value, with keys as `Input`, also inside mappings such as `ports`."""
        if isinstance(value, dict):
            return {key: self.parameter(inner, (*path, key)) for key, inner in value.items()}
        if not isinstance(value, str) or not value.startswith("$"):
            return value
        if value.startswith("$$"):
            return value[1:]
        if not KEY_NAME.fullmatch(value[1:]):
            self.fault(
                path, f"{_short(value)} is not a key; write $ and letters, digits and _ . - ($$ for a dollar sign)"
            )
        return Input(key=value[1:])


def _kind_of(value: Any) -> str:
    words = {dict: "a mapping", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return words.get(type(value), "a number")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 42 else text[:39] + "..."
