"""Write trees as YAML or JSON, in the shortest notation that `read.py` accepts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ....checks import file_path
from ....errors import BehaviourError
from ....files import atomic_write
from ..nodes import KINDS
from ..parameters import likely_value
from ..ports import Input
from .definition import NodeSpec, TreeFile


def write_trees(file: TreeFile, path: str | os.PathLike[str]) -> None:
    """Write trees to a .yaml, .yml or .json file, atomically."""
    name = file_path(path)
    suffix = Path(name).suffix.lower()
    if suffix not in (".yaml", ".yml", ".json"):
        raise BehaviourError(f"{name} has an unknown file extension; use .yaml or .json")
    text = as_json(file) if suffix == ".json" else as_yaml(file)
    atomic_write(name, text.encode())


def as_plain(file: TreeFile) -> dict[str, Any]:
    """Return trees as plain values in the notation of tree files."""
    plain: dict[str, Any] = {}
    if file.main != next(iter(file.trees)):
        plain["main"] = file.main
    if file.keys:
        plain["keys"] = {
            name: {"type": key.type} | ({"start": key.start} if key.has_start else {})
            for name, key in file.keys.items()
        }
    plain["trees"] = {name: _node(tree.root, file.loose) for name, tree in file.trees.items()}
    return plain


def as_json(file: TreeFile) -> str:
    """Return trees as JSON."""
    return json.dumps(as_plain(file), indent=2, ensure_ascii=False) + "\n"


def as_yaml(file: TreeFile) -> str:
    """Return trees as YAML."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes parameters on one line."""

        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
            return True

    def short(dumper: yaml.SafeDumper, value: _Short) -> yaml.Node:
        return dumper.represent_mapping("tag:yaml.org,2002:map", dict(value), flow_style=True)

    Dumper.add_representer(_Short, short)
    text: str = yaml.dump(
        as_plain(file), Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100, default_flow_style=False
    )
    return text


class _Short(dict[str, Any]):
    """A mapping written on one line."""


def _node(node: NodeSpec, loose: bool) -> Any:
    if "" in node.parameters:
        return {node.kind: _value(node.parameters[""], loose)}
    body: dict[str, Any] = {"name": node.name} if node.name else {}
    body |= {key: _value(value, loose) for key, value in node.parameters.items()}
    children = [_node(child, loose) for child in node.children]
    if not body and not children:
        return node.kind
    is_decorator = node.kind in KINDS and KINDS[node.kind].most == 1
    if not body:
        if is_decorator and len(children) == 1 and isinstance(children[0], str):
            return {node.kind: children[0]}
        return {node.kind: children}
    if not children:
        return {node.kind: _Short(body)}
    if is_decorator and len(children) == 1:
        return {node.kind: body | {"child": children[0]}}
    return {node.kind: body | {"children": children}}


def _value(value: Any, loose: bool) -> Any:
    if isinstance(value, Input):
        return f"${value.key}"
    if isinstance(value, dict):
        return _Short({key: _value(inner, loose) for key, inner in value.items()})
    if isinstance(value, str):
        return f"${value}" if value.startswith("$") else likely_value(value) if loose else value
    return value
