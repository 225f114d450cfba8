"""A tree as text: one line a node, with its status and why."""

from __future__ import annotations

from .node import Node
from .status import FAILURE, IDLE, RUNNING, SUCCESS

__all__ = ["MARKS", "tree_text"]

MARKS = {IDLE: "·", RUNNING: "▶", SUCCESS: "✓", FAILURE: "✗"}


def tree_text(root: Node, *, live: bool = True) -> str:
    """Return the lines of a tree; with `live`, a mark for each status and the reasons of leaves and decorators."""
    lines: list[str] = []

    def add(node: Node, first: str, rest: str) -> None:
        mark = f"{MARKS[node.status]} " if live else ""
        lines.append((first + mark + _words(node, live)).rstrip())
        for number, child in enumerate(node.children):
            last = number == len(node.children) - 1
            add(child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))

    add(root, "", "")
    return "\n".join(lines)


def _words(node: Node, live: bool) -> str:
    words = node.label
    if node.kind and node.name and node.kind != node.name:
        words += f" [{node.kind}]"
    details = node.details()
    if details:
        words += f" ({details})"
    if live and node.reason and node.status is not IDLE:
        words += f": {node.reason}"
    return words
