"""Scripts of BehaviorTree.CPP: assignments become `set_key`, comparisons become `compare`.

An assignment is `key := value` or `key = value`; several are separated by `;`. A condition compares keys, numbers,
'texts', true and false with == != < <= > >=, and joins comparisons with && || ! and parentheses. A value is a key or a
constant: there is no arithmetic.
"""

from __future__ import annotations

import re
from typing import Any

from ..ports import Input
from .definition import NodeSpec
from .read import KEY_NAME

_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))|(?P<text>'[^']*')"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_.]*)|(?P<sign>:=|==|!=|<=|>=|&&|\|\||[-+*/&|^~?@:=<>!();]))"
)
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_DEEPEST = 50


class ScriptError(Exception):
    """A script that is not a list of assignments, or not a condition; its words say why."""


def assignments(code: str, line: int) -> NodeSpec:
    """Return a node that carries out the assignments of a script; raise ScriptError."""
    parser, nodes = _Parser(code, line), list[NodeSpec]()
    while not parser.at_end:
        if not parser.takes(";"):
            nodes.append(parser.assignment())
    if not nodes:
        raise ScriptError("it is empty")
    return nodes[0] if len(nodes) == 1 else NodeSpec("sequence", children=tuple(nodes), line=line)


def condition(code: str, line: int) -> NodeSpec:
    """Return a node that succeeds if the condition of a script holds; raise ScriptError."""
    parser = _Parser(code, line)
    found = parser.either()
    if not parser.at_end:
        raise ScriptError(f"{parser.next[1]!r} follows a whole condition")
    return found


class _Parser:
    """Reads a script from left to right."""

    def __init__(self, code: str, line: int):
        self.line, self.tokens, self.depth, at = line, list[tuple[str, str]](), 0, 0
        while code[at:].strip():
            found = _TOKEN.match(code, at)
            if found is None:
                raise ScriptError(f"{code[at:].strip()[:10]!r} is no part of a simple script")
            self.tokens.append((str(found.lastgroup), found.group().strip()))
            at = found.end()
        self.tokens.reverse()

    @property
    def at_end(self) -> bool:
        return not self.tokens

    @property
    def next(self) -> tuple[str, str]:
        return self.tokens[-1] if self.tokens else ("end", "")

    def takes(self, *signs: str) -> str:
        """Return the next token if it is one of some signs, and go past it; else ""."""
        return self.tokens.pop()[1] if self.next[0] == "sign" and self.next[1] in signs else ""

    def node(self, kind: str, *children: NodeSpec, **parameters: Any) -> NodeSpec:
        return NodeSpec(kind, parameters=parameters, children=children, line=self.line)

    def assignment(self) -> NodeSpec:
        kind, name = self.next
        if kind != "name" or not KEY_NAME.fullmatch(name) or name in ("true", "false"):
            raise ScriptError(f"{name!r} is not a key to assign to")
        self.tokens.pop()
        if not self.takes(":=", "="):
            raise ScriptError(f"{name!r} is not followed by := and a value")
        node = self.node("set_key", key=Input(key=name), value=self.value())
        if not self.at_end and self.next[1] != ";":
            raise ScriptError(f"{self.next[1]!r} follows the value of {name!r}; only keys and constants are assigned")
        return node

    def either(self) -> NodeSpec:
        found = [self.both()]
        while self.takes("||"):
            found.append(self.both())
        return found[0] if len(found) == 1 else self.node("selector", *found)

    def both(self) -> NodeSpec:
        found = [self.single()]
        while self.takes("&&"):
            found.append(self.single())
        return found[0] if len(found) == 1 else self.node("sequence", *found)

    def single(self) -> NodeSpec:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ScriptError(f"it is more than {_DEEPEST} deep")
        try:
            if self.takes("!"):
                return self.node("invert", self.single())
            if self.takes("("):
                inside = self.either()
                if not self.takes(")"):
                    raise ScriptError("a parenthesis is not closed")
                return inside
            value = self.value()
            operator = self.takes(*_COMPARISONS)
            if operator:
                return self.node("compare", value=value, operator=operator, to=self.value())
            return self.node("compare", value=value)
        finally:
            self.depth -= 1

    def value(self) -> Any:
        """Return a constant, or the key that is named."""
        kind, text = self.next
        if kind not in ("number", "text", "name"):
            raise ScriptError(f"{text!r} stands where a key or a constant belongs" if text else "a value is missing")
        self.tokens.pop()
        if kind == "text":
            return text[1:-1]
        if kind == "name":
            return text == "true" if text in ("true", "false") else Input(key=text)
        if "x" in text.lower():
            return int(text, 16)
        return int(text) if re.fullmatch(r"-?\d+", text) else float(text)
