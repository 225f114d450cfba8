"""HTTP: trees that pages edit: what they send, and what the studio answers."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from .news import MenuEntry, Part, Sent
from .replies import Short

Users = Literal["agents", "crews"]
"""Who uses a tree: agents as their brain, or crews for an objective."""
Form = Literal["number", "integer", "flag", "text", "choice", "key", "any"]
"""How a parameter is entered; "key": a key that the node writes; "any": JSON."""


class NodeParameter(Part, frozen=True):
    """A parameter of a kind of node; `takes_key`: it may name a key to read instead of a value."""

    name: str
    form: Form
    takes_key: bool
    required: bool
    default: Any
    choices: list[Any]


class NodeKind(Part, frozen=True):
    """A kind of node, with its number of children; `most` None: any number."""

    name: str
    group: Literal["control", "decorator", "condition", "action"]
    about: str
    least: int
    most: int | None
    parameters: list[NodeParameter]


class TreeChoices(Part, frozen=True):
    """What trees may contain: kinds of nodes, keys of the blackboard, and names by parameter."""

    kinds: list[NodeKind]
    keys: list[str]
    names: dict[str, list[str]]


class TreeMenu(Sent, frozen=True, tag="tree menu"):
    """The trees that can be opened."""

    trees: list[MenuEntry]


class OpenedTree(Sent, frozen=True, tag="tree"):
    """A file of trees to edit: the file it is saved as, its text and values; an empty digest: the file is new."""

    name: str
    file: str
    digest: str
    text: str
    value: dict[str, Any]
    users: Users
    choices: TreeChoices


class TreeFaultAt(Part, frozen=True):
    """A fault of the value at a path, or of a parameter of the node there."""

    what: str
    path: list[str | int]
    parameter: str


class CheckedTree(Sent, frozen=True, tag="checked tree"):
    """The faults and warnings of trees, and the number of nodes of the sound ones."""

    faults: list[TreeFaultAt]
    warnings: list[TreeFaultAt]
    sizes: dict[str, int]


class SavedTree(Sent, frozen=True, tag="saved tree"):
    """A file of trees that was written."""

    name: str
    digest: str
    text: str


class TreeValues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Trees as edited in the page: the file they belong to, who uses them, and the values."""

    name: Short
    users: Users
    value: dict[str, Any]


class SaveTree(TreeValues, frozen=True):
    """Trees to write: `text` as opened, and the digest of the file that may be replaced; empty: none may."""

    text: str = ""
    digest: Short = ""
