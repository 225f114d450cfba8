"""Import of BehaviorTree.CPP 4: XML files become a `TreeFile`; names are translated, or rejected with a reason.

Library nodes get our names (`Fallback` is `selector`), leaves become snake_case (`GoTo` is `go_to`), milliseconds
become seconds, and `{key}` is a key; a key used as a time holds seconds here. Simple scripts become nodes, see
`btcpp_scripts.py`; other scripts and nodes without a counterpart are rejected by name. Two behaviours differ: `Retry`
and `Repeat` begin their child at most once a tick, and a node that is skipped counts as success in a sequence and as
failure in a fallback, also if it is the only one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ....checks import file_path
from ....errors import did_you_mean
from ..ports import Input
from ..registry import snake_case
from .btcpp_scripts import ScriptError, assignments, condition
from .definition import NodeSpec, TreeFault, TreeFile, TreeFileError, TreeSpec
from .read import KEY_NAME
from .xml_elements import Element, included_files, read_text, root_of

TOP = ("BehaviorTree", "TreeNodesModel", "include")
"""Elements of <root>."""
EXPLICIT = ("Action", "Condition", "Control", "Decorator", "SubTree")


def read_btcpp(path: str | os.PathLike[str]) -> TreeFile:
    """Return the trees of an XML file; see `parse_btcpp`."""
    source = file_path(path)
    return _parsed(read_text(source), source, Path(source).parent)


def parse_btcpp(text: str, *, source: str = "text") -> TreeFile:
    """Return the trees of an XML text.

    Raise a TreeFileError with all faults and their lines if the XML is malformed, declares a document type or entities,
    is not of version 4, or uses something that cannot be imported. A text cannot include files: see `read_btcpp`.
    """
    return _parsed(text, source, None)


def _parsed(text: str, source: str, folder: Path | None) -> TreeFile:
    importer = _Importer(source, folder)
    file = importer.file(root_of(text, source))
    if importer.faults or file is None:
        raise TreeFileError(importer.faults, file)
    return file


def _stand_in(element: Element) -> NodeSpec:
    """Return a node for one that cannot be imported, so that the others of its tree can be checked."""
    return NodeSpec("always_success", line=element.line)


class _Importer:
    """Converts elements to specifications of trees, and collects every fault instead of stopping at the first.

    `source` is the file being converted, `folder` the place of the main file, None for a text.
    """

    def __init__(self, source: str, folder: Path | None):
        self.source, self.folder = source, folder
        self.faults: list[TreeFault] = []
        self.defaults: dict[str, dict[str, str]] = {}
        self.times: set[str] = set()

    def fault(self, element: Element, what: str) -> None:
        self.faults.append(TreeFault(self.source, element.line, "", what))

    def file(self, root: Element) -> TreeFile | None:
        if root.tag != "root":
            what = f"the first element is <{root.tag}>; files of BehaviorTree.CPP begin with <root>"
            self.fault(root, f"{what}: put all into it")
            return None
        if root.attributes.get("BTCPP_format", "4") != "4":
            given = root.attributes["BTCPP_format"]
            advice = "convert it with convert_v3_to_v4.py, which comes with BehaviorTree.CPP"
            self.fault(root, f"BTCPP_format is {given!r}; only version 4 is imported: {advice}")
            return None
        files = {self.source: root} | included_files(root, self.source, self.folder, self.faults)
        main = self.source
        for self.source, top in files.items():
            for element in top.children:
                if element.tag == "TreeNodesModel":
                    self.model(element)
                elif element.tag not in TOP:
                    hint = did_you_mean(element.tag, TOP)
                    what = f"<{element.tag}> cannot be imported{hint}; <root> contains {', '.join(TOP)}"
                    self.fault(element, f"{what}: put nodes into a <BehaviorTree>")
        trees: dict[str, TreeSpec] = {}
        for self.source, top in files.items():
            for element in top.children:
                if element.tag == "BehaviorTree":
                    tree = self.tree(element, trees)
                    if tree is not None:
                        trees[tree.name] = tree if self.source == main else replace(tree, source=self.source)
        self.source = main
        for tree in trees.values():
            self.check_times(tree.root)
        if not trees:
            self.fault(root, 'the file has no <BehaviorTree>; add <BehaviorTree ID="Main"> with one node inside')
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
        root = self.node(element.children[0], "") or _stand_in(element)
        return TreeSpec(name, root, element.line)

    def main(self, root: Element, trees: Mapping[str, TreeSpec]) -> str:
        """Return the tree to run: the one named, else the only one that no other tree uses."""
        named = root.attributes.get("main_tree_to_execute")
        if named is not None:
            if named not in trees:
                known = f"{did_you_mean(named, trees)}; name one of {', '.join(trees)}"
                self.fault(root, f"main_tree_to_execute is {named!r}, which is no tree{known}")
            return named
        unused = [name for name in trees if not any(_uses(tree.root, name) for tree in trees.values())]
        if len(unused) != 1:
            self.fault(root, f"the tree to run is ambiguous; set main_tree_to_execute to one of {', '.join(trees)}")
            return ""
        return unused[0]

    def node(self, element: Element, parent: str) -> NodeSpec | None:
        """Return a node with the scripts before and after it; `parent` is the kind of node it is a child of."""
        tag, attributes = element.tag, dict(element.attributes)
        if tag in EXPLICIT and tag != "SubTree":
            tag = attributes.pop("ID", "")
            if not tag:
                self.fault(element, f'<{element.tag}> has no ID; name its node, such as ID="GoTo"')
                return None
        name = attributes.pop("name", "")
        around: dict[str, str] = {}
        for attribute in [key for key in attributes if key.startswith("_")]:
            if attribute in (*BEFORE, *AFTER):
                around[attribute] = attributes.pop(attribute)
            elif attribute in IGNORED:
                del attributes[attribute]
            elif tag != "SubTree" or attribute != "_autoremap":
                known = (*BEFORE, *AFTER)
                what = f"{attribute} of <{tag}> cannot be imported{did_you_mean(attribute, known)}"
                self.fault(element, f"{what}; only {', '.join(known)} are: write a leaf for others")
                return None
        kind = NODES.get(tag, (tag, {}))[0]
        children = tuple(self.node(child, kind) or _stand_in(child) for child in element.children)
        if tag in REFUSED:
            self.fault(element, f"<{tag}> cannot be imported: {REFUSED[tag]}")
            return None
        if tag in ("Script", "ScriptCondition"):
            node = self.script(element, f"<{tag}>", attributes.get("code", ""), assigns=tag == "Script")
            node = node and replace(node, name=name)
        else:
            node = self.library(element, tag, name, attributes, children)
        # Assignments follow the results of conditions, but not a skip.
        order = ("_successIf", "_failureIf", *AFTER, "_while", "_skipIf") if set(AFTER) & set(around) else BEFORE
        for attribute in order:
            if attribute in around and node is not None:
                node = self.wrapped(element, tag, attribute, around[attribute], node, parent)
        return node

    def script(self, element: Element, what: str, code: str, *, assigns: bool) -> NodeSpec | None:
        """Return the node of a script, or None after recording what is not simple about it."""
        try:
            return (assignments if assigns else condition)(code, element.line)
        except ScriptError as error:
            simple = "assignments of keys and constants" if assigns else "comparisons of keys and constants"
            self.fault(element, f"{what}: {error}; only {simple} are imported: write a leaf for others")
            return None

    def wrapped(
        self, element: Element, tag: str, attribute: str, code: str, node: NodeSpec, parent: str
    ) -> NodeSpec | None:
        """Return a node with a condition before it, or assignments after it."""
        test = self.script(element, f"{attribute} of <{tag}>", code, assigns=attribute in AFTER)
        if test is None:
            return None
        line = element.line
        if attribute in AFTER:
            failed = NodeSpec("force_failure", children=(test,), line=line)
            if attribute != "_onFailure":
                node = NodeSpec("sequence", children=(node, test), line=line)
            if attribute != "_onSuccess":
                node = NodeSpec("selector", children=(node, failed), line=line)
            return node
        result = BEFORE[attribute]
        if not result:
            result = "success" if "sequence" in parent else "failure" if "selector" in parent else ""
        if not result:
            where = f"under <{parent}>" if parent else "at the root of a tree"
            what = f"{attribute} of <{tag}> {where}: nodes are skipped in sequences and fallbacks only"
            self.fault(element, f"{what}; put a <Fallback> around it")
            return None
        if attribute == "_while":
            return NodeSpec("guard", parameters={"otherwise": result}, children=(test, node), line=line)
        return NodeSpec("if_then_else", children=(test, NodeSpec(f"always_{result}", line=line), node), line=line)

    def library(
        self, element: Element, tag: str, name: str, attributes: dict[str, str], children: tuple[NodeSpec, ...]
    ) -> NodeSpec:
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
        known = (*ports, "then_skip") if tag == "RunOnce" else tuple(ports)
        for attribute, text in attributes.items():
            if tag in NODES and attribute not in known:
                what = f"<{tag}> has no port {attribute!r}{did_you_mean(attribute, known)}"
                self.fault(element, f"{what}; {'its ports are ' + ', '.join(known) if known else 'it has none'}")
                continue
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
            lacking = [f"case_{number + 1}" for number, case in enumerate(cases) if case is None]
            lacking = lacking if "variable" in attributes else ["variable", *lacking]
            what = f"<{element.tag}> has no {', '.join(lacking)}"
            self.fault(element, f"{what}; it needs variable and case_1 to case_{count}: add them")
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

_SKIP = "updates of keys are not followed; put a condition before it"
_QUEUE = "queues are not imported; write a leaf that takes the next value"
REFUSED = {
    "Precondition": "write its condition as _failureIf, _successIf, _skipIf or _while of its child",
    "SkipUnlessUpdated": _SKIP,
    "WaitValueUpdate": _SKIP,
    "EntryUpdated": _SKIP,
    "UnsetBlackboard": "keys are never removed here; write a leaf that sets it to None",
    "ManualSelector": "trees are ticked without user input; write Fallback, or a leaf that chooses",
    "SubTreePlus": "it belongs to version 3; write SubTree with _autoremap",
    "SequenceStar": "it belongs to version 3; write SequenceWithMemory",
    **dict.fromkeys(("LoopInt", "LoopBool", "LoopDouble", "LoopString", "ConsumeQueue"), _QUEUE),
    "TestNode": "it serves the tests of that library; write AlwaysSuccess, AlwaysFailure or a leaf",
}

BEFORE = {"_while": "", "_skipIf": "", "_successIf": "success", "_failureIf": "failure"}
"""Conditions before a node, the first to be evaluated last, and the result they lead to; "": it is skipped."""
AFTER = ("_onSuccess", "_onFailure", "_post")
"""Assignments after a node."""

IGNORED = ("_description", "_uid", "_fullpath")
"""Attributes written by editors."""
