"""Import of BehaviorTree.CPP 4: XML files become a `TreeFile`; names are translated, or rejected with a reason.

Library nodes get our names (`Fallback` is `selector`), leaves become snake_case (`GoTo` is `go_to`), milliseconds
become seconds, and `{key}` is a key; a key used as a time holds seconds here. Nodes that need the scripting language or
have no counterpart are rejected by name. Two behaviours differ: `Retry` and `Repeat` begin their child at most once a
tick, and no node is skipped.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

from ....checks import file_path
from ..ports import Input
from ..registry import snake_case
from .definition import NodeSpec, TreeFault, TreeFile, TreeFileError, TreeSpec
from .read import KEY_NAME

MOST_BYTES = 1 << 20
EXPLICIT = ("Action", "Condition", "Control", "Decorator", "SubTree")


def read_btcpp(path: str | os.PathLike[str]) -> TreeFile:
    """Return the trees of an XML file; see `parse_btcpp`."""
    source = file_path(path)
    try:
        with Path(source).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise TreeFileError([TreeFault(source, 0, "", f"is larger than {MOST_BYTES} bytes; split it")])
        return parse_btcpp(data.decode("utf-8-sig"), source=source)
    except (OSError, ValueError) as error:
        if isinstance(error, TreeFileError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise TreeFileError([TreeFault(source, 0, "", f"cannot be read: {reason}")]) from None


def parse_btcpp(text: str, *, source: str = "text") -> TreeFile:
    """Return the trees of an XML text.

    Raise a TreeFileError with all faults and their lines if the XML is malformed, declares a document type or entities,
    is not of version 4, or uses something that cannot be imported.
    """
    try:
        root = _parse_xml(text)
    except _XmlFault as fault:
        raise TreeFileError([TreeFault(source, fault.line, "", fault.what)]) from None
    importer = _Importer(source)
    file = importer.file(root)
    if importer.faults or file is None:
        raise TreeFileError(importer.faults)
    return file


class _Importer:
    """Converts elements to specifications of trees, and collects every fault instead of stopping at the first."""

    def __init__(self, source: str):
        self.source = source
        self.faults: list[TreeFault] = []
        self.defaults: dict[str, dict[str, str]] = {}
        self.times: set[str] = set()

    def fault(self, element: Element, what: str) -> None:
        self.faults.append(TreeFault(self.source, element.line, "", what))

    def file(self, root: Element) -> TreeFile | None:
        if root.tag != "root":
            self.fault(root, f"the first element is <{root.tag}>; files of BehaviorTree.CPP begin with <root>")
            return None
        if root.attributes.get("BTCPP_format", "4") != "4":
            self.fault(root, f"BTCPP_format is {root.attributes['BTCPP_format']!r}; only version 4 is imported")
            return None
        for element in root.children:
            if element.tag == "TreeNodesModel":
                self.model(element)
            elif element.tag != "BehaviorTree":
                self.fault(element, f"<{element.tag}> cannot be imported; put all trees into one file")
        trees: dict[str, TreeSpec] = {}
        for element in root.children:
            if element.tag == "BehaviorTree":
                tree = self.tree(element, trees)
                if tree is not None:
                    trees[tree.name] = tree
        for tree in trees.values():
            self.check_times(tree.root)
        if not trees:
            self.fault(root, "the file has no <BehaviorTree>")
            return None
        return TreeFile(trees, self.main(root, trees), source=self.source, loose=True)

    def model(self, element: Element) -> None:
        """Store the defaults of subtree ports."""
        for subtree in element.children:
            if subtree.tag == "SubTree":
                self.defaults[subtree.attributes.get("ID", "")] = {
                    port.attributes["name"]: port.attributes["default"]
                    for port in subtree.children
                    if "name" in port.attributes and "default" in port.attributes
                }

    def tree(self, element: Element, others: Mapping[str, TreeSpec]) -> TreeSpec | None:
        name = element.attributes.get("ID", "" if others else "main")
        if not name or name in others:
            self.fault(element, f"a tree has the ID {name!r}; give each a unique one")
            return None
        if len(element.children) != 1:
            self.fault(element, f"tree {name} has {len(element.children)} roots; give one")
            return None
        root = self.node(element.children[0])
        return TreeSpec(name, root, element.line) if root else None

    def main(self, root: Element, trees: Mapping[str, TreeSpec]) -> str:
        """Return the tree to run: the one named, else the only one that no other tree uses."""
        named = root.attributes.get("main_tree_to_execute")
        if named is not None:
            if named not in trees:
                self.fault(root, f"main_tree_to_execute is {named!r}; there are {', '.join(trees)}")
            return named
        unused = [name for name in trees if not any(_uses(tree.root, name) for tree in trees.values())]
        if len(unused) != 1:
            self.fault(root, f"the tree to run is ambiguous; set main_tree_to_execute to one of {', '.join(trees)}")
            return ""
        return unused[0]

    def node(self, element: Element) -> NodeSpec | None:
        tag, attributes = element.tag, dict(element.attributes)
        if tag in EXPLICIT and tag != "SubTree":
            tag = attributes.pop("ID", "")
            if not tag:
                self.fault(element, f"<{element.tag}> has no ID")
                return None
        name = attributes.pop("name", "")
        for attribute in [key for key in attributes if key.startswith("_")]:
            if attribute in IGNORED:
                del attributes[attribute]
            elif tag != "SubTree" or attribute != "_autoremap":
                self.fault(
                    element, f"{attribute} of <{tag}> needs scripts, which are not imported; write a leaf for it"
                )
                return None
        found = [self.node(child) for child in element.children]
        children = tuple(child for child in found if child is not None)
        if tag in REFUSED:
            self.fault(element, f"<{tag}> cannot be imported: {REFUSED[tag]}")
            return None
        if tag == "SubTree":
            kind, parameters = self.subtree(element, attributes)
        elif tag in SWITCHES:
            kind, parameters = self.switch(element, attributes)
        else:
            kind, parameters = self.plain(element, tag, attributes)
        return NodeSpec(kind, name, parameters, children, element.line)

    def plain(self, element: Element, tag: str, attributes: dict[str, str]) -> tuple[str, dict[str, Any]]:
        kind, ports = NODES.get(tag, (snake_case(tag), {}))
        parameters: dict[str, Any] = {}
        for attribute, text in attributes.items():
            ours, scale = ports.get(attribute, (attribute, None))
            value = self.value(element, attribute, text)
            if scale is not None:
                value = self.seconds(element, attribute, value)
            elif kind == "set_key" and ours == "key" and isinstance(value, str):
                value = Input(key=value)
            parameters[ours] = value
        if kind == "run_once" and parameters.pop("then_skip", "true") not in ("false", "0"):
            self.fault(element, '<RunOnce> is skipped after its run, which is not supported; write then_skip="false"')
        return kind, parameters

    def seconds(self, element: Element, attribute: str, value: Any) -> float | Input[Any]:
        if isinstance(value, Input):
            self.times.add(str(value.key))
            return value
        try:
            return int(value) / 1000.0
        except (TypeError, ValueError):
            self.fault(element, f"{attribute} is {value}; give a whole number of milliseconds")
            return 0.0

    def check_times(self, node: NodeSpec) -> None:
        """Reject milliseconds written to a key that is read as a time, because keys hold seconds."""
        key, value = node.parameters.get("key"), node.parameters.get("value")
        if node.kind == "set_key" and isinstance(key, Input) and key.key in self.times and not isinstance(value, Input):
            what = f"<SetBlackboard> writes {value} milliseconds to {key.key!r}, which holds seconds here"
            advice = 'write the number in the node that waits, as msec="…"'
            self.faults.append(TreeFault(self.source, node.line, "", f"{what}; {advice}"))
        for child in node.children:
            self.check_times(child)

    def switch(self, element: Element, attributes: dict[str, str]) -> tuple[str, dict[str, Any]]:
        count = int(element.tag.removeprefix("Switch") if element.tag in SWITCHES else "0") or len(element.children) - 1
        cases = [attributes.get(f"case_{number + 1}") for number in range(count)]
        if "variable" not in attributes or None in cases:
            self.fault(element, f"<{element.tag}> needs variable and case_1 to case_{count}")
        return "switch", {"on": self.value(element, "variable", attributes.get("variable", "")), "cases": cases}

    def subtree(self, element: Element, attributes: dict[str, str]) -> tuple[str, dict[str, Any]]:
        name = attributes.pop("ID", "")
        share = attributes.pop("_autoremap", "false").lower() in ("1", "true")
        ports = {
            port: self.value(element, port, text) for port, text in (self.defaults.get(name, {}) | attributes).items()
        }
        parameters: dict[str, Any] = {"tree": name}
        if ports:
            parameters["ports"] = ports
        return "subtree", parameters | ({"share": True} if share else {})

    def value(self, element: Element, attribute: str, text: str) -> Any:
        """Return a text unchanged, or the key it names."""
        if not (text.startswith("{") and text.endswith("}")):
            return text
        key = attribute if text == "{=}" else text[1:-1].strip()
        if not KEY_NAME.fullmatch(key):
            self.fault(element, f"{attribute} is {text!r}, which is not a key; use letters, digits and _ . -")
        return Input(key=key)


def _uses(node: NodeSpec, tree: str) -> bool:
    own = node.kind == "subtree" and node.parameters.get("tree") == tree
    return own or any(_uses(child, tree) for child in node.children)


Ports = dict[str, tuple[str, str | None]]
"""Our name of a port, and "ms" where it is a time in milliseconds."""

NODES: dict[str, tuple[str, Ports]] = {
    "Sequence": ("sequence", {}),
    "AsyncSequence": ("sequence", {}),
    "ReactiveSequence": ("reactive_sequence", {}),
    "SequenceWithMemory": ("sequence_with_memory", {}),
    "Fallback": ("selector", {}),
    "AsyncFallback": ("selector", {}),
    "ReactiveFallback": ("reactive_selector", {}),
    "Parallel": ("parallel", {"success_count": ("successes", None), "failure_count": ("failures", None)}),
    "ParallelAll": ("parallel_all", {"max_failures": ("failures", None)}),
    "IfThenElse": ("if_then_else", {}),
    "WhileDoElse": ("while_do_else", {}),
    "Inverter": ("invert", {}),
    "ForceSuccess": ("force_success", {}),
    "ForceFailure": ("force_failure", {}),
    "KeepRunningUntilFailure": ("until_failure", {}),
    "RetryUntilSuccessful": ("retry", {"num_attempts": ("attempts", None)}),
    "Repeat": ("repeat", {"num_cycles": ("times", None)}),
    "RunOnce": ("run_once", {}),
    "Timeout": ("time_limit", {"msec": ("seconds", "ms")}),
    "Delay": ("delay", {"delay_msec": ("seconds", "ms")}),
    "Sleep": ("wait", {"msec": ("seconds", "ms")}),
    "SetBlackboard": ("set_key", {"output_key": ("key", None), "value": ("value", None)}),
    "AlwaysSuccess": ("always_success", {}),
    "AlwaysFailure": ("always_failure", {}),
}

SWITCHES = ("Switch2", "Switch3", "Switch4", "Switch5", "Switch6")

_SCRIPT = "scripts are not imported; write a leaf that does the same"
_SKIP = "nodes are never skipped here; put a condition before it"
_QUEUE = "queues are not imported; write a leaf that takes the next value"
REFUSED = {
    "Script": _SCRIPT,
    "ScriptCondition": _SCRIPT,
    "Precondition": _SCRIPT,
    "SkipUnlessUpdated": _SKIP,
    "WaitValueUpdate": _SKIP,
    "EntryUpdated": _SKIP,
    "UnsetBlackboard": "keys are never removed here; write a leaf that sets it to None",
    "ManualSelector": "trees are ticked without user input",
    "SubTreePlus": "it belongs to version 3; write SubTree with _autoremap",
    "SequenceStar": "it belongs to version 3; write SequenceWithMemory",
    **dict.fromkeys(("LoopInt", "LoopBool", "LoopDouble", "LoopString", "ConsumeQueue"), _QUEUE),
    "TestNode": "it serves the tests of that library",
}

IGNORED = ("_description", "_uid", "_fullpath")
"""Attributes written by editors."""


DEEPEST = 100
MOST_ELEMENTS = 20_000
NOTES = ("TreeNodesModel",)
"""Elements in which text is a comment: BehaviorTree.CPP describes a port in the text of its element."""


@dataclass
class Element:
    """One element of an XML text and the line it begins on."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)


class _XmlFault(Exception):
    """A fault of an XML text and its line."""

    def __init__(self, line: int, what: str):
        self.line, self.what = line, what
        super().__init__(what)


def _parse_xml(text: str) -> Element:
    """Return the root element of a text, or raise an _XmlFault; depth and number of elements are limited.

    Document types are rejected: entities declared there can make a small file fill the memory or read other files.
    """
    top: list[Element] = []
    open_: list[Element] = []
    parser = expat.ParserCreate("utf-8")
    count = 0

    def refuse(what: str) -> NoReturn:
        raise _XmlFault(parser.CurrentLineNumber, what)

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(open_) >= DEEPEST or count > MOST_ELEMENTS:
            refuse(f"too many elements; at most {MOST_ELEMENTS}, {DEEPEST} deep, are allowed")
        element = Element(tag, attributes, parser.CurrentLineNumber)
        (open_[-1].children if open_ else top).append(element)
        open_.append(element)

    def end(tag: str) -> None:  # noqa: ARG001
        open_.pop()

    def characters(data: str) -> None:
        if data.strip() and not any(element.tag in NOTES for element in open_):
            refuse(f"text {data.strip()[:30]!r} between elements; a tree has only elements and attributes")

    def forbidden(*given: Any) -> None:  # noqa: ARG001
        refuse("a document type or entity is declared; remove it")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = forbidden
    parser.EntityDeclHandler = forbidden
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise _XmlFault(error.lineno, f"malformed XML: {expat.ErrorString(error.code)}") from None
    except UnicodeEncodeError:
        raise _XmlFault(0, "incomplete character; save as UTF-8") from None
    return top[0]
