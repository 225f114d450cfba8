"""Trees edited in the page: opened as values, checked while they change, saved atomically with their comments."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from ....agents.behaviour.files.build import check_trees, kind_parameters
from ....agents.behaviour.files.definition import TreeFault, TreeFile, TreeFileError
from ....agents.behaviour.files.read import document_trees, read_trees
from ....agents.behaviour.files.write import as_yaml
from ....agents.behaviour.nodes import KINDS
from ....agents.behaviour.parameters import Parameter, parameters_of
from ....agents.behaviour.ports import Input
from ....agents.behaviour.registry import Registry
from ....agents.brains.leaves.layers import LAYERS
from ....agents.brains.leaves.registry import brain_leaves
from ....agents.brains.shipped_brains import BRAINS, PLACE_QUERIES, brain_text, shipped_brain
from ....agents.crews.crew_trees import crew_leaves, crew_tree_text, shipped_crew_trees, shipped_crews
from ....errors import InputError
from ....reasoning.chase.predictors import PREDICTORS
from ....textfile import Document, parse
from ..protocol.news import MenuEntry
from ..protocol.tree_replies import (
    CheckedTree,
    Form,
    NodeKind,
    NodeParameter,
    OpenedTree,
    SavedTree,
    SaveTree,
    TreeChoices,
    TreeFaultAt,
    TreeValues,
    Users,
)
from ..session.folder import MOST_LISTED, UPLOADED, Folder, free_name, head_of
from .level_files import MOST_FAULTS, data_digest
from .scenario_files import save_text, written_text

MOST_TREE_BYTES = 1 << 20
"""Maximum size of a file of trees in bytes."""
_ENDINGS = (".yaml", ".yml", ".json")
_NEW = "trees:\n  main:\n    sequence: [stand_still]\n"
_KEYS = re.compile(rb"""(?m)^[\s{]*["']?(trees|root)["']?\s*:""")
_DEEPEST = 400
_CREWS_ONLY = ("roles", "role")


def tree_menu(folder: Folder) -> list[MenuEntry]:
    """Return the trees that can be opened, each with a description."""
    try:
        own = sorted(path for path in folder.root.iterdir() if path.name[0] != "." and not path.is_symlink())
    except OSError:
        own = []
    mine = [path for path in own[:MOST_LISTED] if path.is_file() and _holds_trees(path)]
    return [
        *(MenuEntry(path.name, "your file") for path in mine),
        *(MenuEntry(name, f"tree of {team}; opened as a copy") for name, team in BRAINS.items()),
        *(MenuEntry(name, "tree of crews; opened as a copy") for name in shipped_crews()),
    ]


def _holds_trees(path: Path) -> bool:
    return path.suffix.lower() in _ENDINGS and _KEYS.search(head_of(path)) is not None


def open_tree(folder: Folder, name: str) -> OpenedTree:
    """Return a file of trees of the folder or a shipped one, or without a name a new one.

    `digest` is empty if saving creates a new file: shipped trees, uploads and XML files are opened as copies.

    Raise LastSeenError if it does not exist or cannot be parsed.
    """
    is_shipped = name in BRAINS or name in shipped_crews()
    ending = Path(name).suffix.lower()
    if not name or is_shipped:
        data = (_NEW if not name else brain_text(name) if name in BRAINS else crew_tree_text(name)).encode()
    else:
        data = folder.readable(name).read_bytes()
        if len(data) > MOST_TREE_BYTES:
            raise InputError(f"{name!r} is larger than {MOST_TREE_BYTES >> 20} MiB; edit it by hand")
        if ending == ".xml":
            data = as_yaml(read_trees(folder.readable(name))).encode()
        elif ending not in _ENDINGS:
            raise InputError(f"{name!r} is not a file of trees; they end in {', '.join((*_ENDINGS, '.xml'))}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{name!r} is not text in UTF-8") from None
    value = parse(text, "json" if ending == ".json" else "yaml", source=name or "new tree").value
    if not isinstance(value, dict):
        raise InputError(f"{name!r} is not a file of trees: it has no keys")
    is_own = bool(name) and not is_shipped and not name.startswith(UPLOADED) and ending in _ENDINGS
    stem = f"{Path(name).stem[:80]} copy" if name else "tree"
    file = name if is_own else free_name(folder, stem, ".yaml")
    is_crews = name in shipped_crews() or any(one in _CREWS_ONLY for one in _kinds_in(value))
    users: Users = "crews" if is_crews else "agents"
    return OpenedTree(name, file, data_digest(data) if is_own else "", text, value, users, tree_choices(users))


def _kinds_in(value: Any) -> Iterator[str]:
    """Yield all keys and texts below a value, among them the kinds of its nodes."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            yield from one
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def trees_of(value: dict[str, Any], source: str) -> TreeFile:
    """Return the trees a page sent; raise TreeFileError."""
    return document_trees(_numbered(value, source)[0])


def _numbered(value: Any, source: str) -> tuple[Document, list[tuple[str | int, ...]]]:
    """Return values as a document in which the line of each value is its number, and the paths by number."""
    paths: list[tuple[str | int, ...]] = [()]
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while waiting:
        path, one = waiting.pop()
        if len(path) > _DEEPEST:
            raise InputError(f"nesting deeper than {_DEEPEST} levels")
        inside = one.items() if isinstance(one, dict) else enumerate(one) if isinstance(one, list) else ()
        for step, inner in inside:
            paths.append((*path, step))
            waiting.append(((*path, step), inner))
    return Document(source, value, {path: number for number, path in enumerate(paths)}), paths


def check_tree(asked: TreeValues) -> CheckedTree:
    """Return all faults of trees with their paths, as `lastseen tree check` finds them."""
    document, paths = _numbered(asked.value, asked.name)

    def told(faults: tuple[TreeFault, ...]) -> list[TreeFaultAt]:
        return [TreeFaultAt(one.what, list(paths[one.line]), one.parameter) for one in faults[:MOST_FAULTS]]

    try:
        report = check_trees(document_trees(document), leaves_for(asked.users))
    except TreeFileError as error:
        return CheckedTree(told(error.faults), [], {})
    return CheckedTree(told(report.faults), told(report.warnings), report.sizes)


def save_tree(folder: Folder, asked: SaveTree) -> SavedTree:
    """Write trees into the folder; those with faults can be saved too. See `save_text`."""
    name = asked.name if asked.name.lower().endswith(_ENDINGS) else f"{asked.name}.yaml"
    text = written_text(name, asked.text, asked.value, "trees: {}\n")
    return SavedTree(name, save_text(folder, name, text, asked.digest, MOST_TREE_BYTES), text)


def leaves_for(users: Users) -> Registry:
    """Return the leaves that trees of agents or crews may use."""
    return brain_leaves() if users == "agents" else crew_leaves()


def tree_choices(users: Users) -> TreeChoices:
    """Return what trees of agents or crews may contain."""
    registry = leaves_for(users)
    inner = KINDS | registry.composites
    kinds = [
        NodeKind(
            name,
            _group(kind.least, kind.most, name),
            _about(kind.__doc__),
            0 if name == "subtree" else kind.least,
            0 if name == "subtree" else kind.most,
            [_parameter(one) for one in _inner_parameters(name, kind)],
        )
        for name, kind in inner.items()
    ]
    for name, leaf in registry.leaves.items():
        group: Literal["condition", "action"] = "condition" if leaf.form == "condition" else "action"
        kinds.append(NodeKind(name, group, _about(leaf.summary), 0, 0, [_parameter(one) for one in leaf.parameters]))
    written = (key for leaf in registry.leaves.values() for key in leaf.writes)
    return TreeChoices(kinds, sorted({*registry.keys, *written}), _names(registry))


def _about(words: str | None) -> str:
    return (words or "").strip().partition("\n")[0].replace("`", "")


def _group(least: int, most: int | None, name: str) -> Literal["control", "decorator", "condition", "action"]:
    if most == 0:
        return "condition" if name in ("has_key", "compare", "is_hinted") else "action"
    return "decorator" if (least, most) == (1, 1) and name != "subtree" else "control"


def _inner_parameters(name: str, kind: Any) -> tuple[Parameter, ...]:
    return kind_parameters(name) if name in KINDS else parameters_of(kind, name, skip_first=False)


def _parameter(one: Parameter) -> NodeParameter:
    form, choices = ("key", ()) if one.port == "output" else _form(one.type)
    default = None if one.required else one.default
    if isinstance(default, Input):
        default = str(default)
    if not isinstance(default, bool | int | float | str) or (isinstance(default, float) and not math.isfinite(default)):
        default = None
    return NodeParameter(one.name, form, one.port == "input", one.required, default, list(choices))


_FORMS: dict[Any, Form] = {float: "number", int: "integer", bool: "flag", str: "text"}


def _form(type_: Any) -> tuple[Form, tuple[Any, ...]]:
    if get_origin(type_) is Annotated:
        type_ = get_args(type_)[0]
    if get_origin(type_) is Literal:
        return "choice", get_args(type_)
    return _FORMS.get(type_, "any"), ()


def _names(registry: Registry) -> dict[str, list[str]]:
    """Return names by parameter: those that exist, and for others those that shipped trees use."""
    known = {
        "query": PLACE_QUERIES,
        "predictor": PREDICTORS,
        "score": registry.scores,
        "objective": shipped_crews(),
        "layer": LAYERS,
    }
    return {name: sorted(found) for name, found in (_used_names() | known).items()}


@cache
def _used_names() -> dict[str, set[str]]:
    """Return by parameter the texts that shipped trees give it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for file in (*map(shipped_brain, BRAINS), *shipped_crew_trees().values()):
        for node, _ in file.nodes():
            for name, given in node.parameters.items():
                if name and isinstance(given, str):
                    found[name].add(given)
    return dict(found)
