"""List items of a YAML text, with their bytes and the comments above them: moved, extracted and inserted."""

from __future__ import annotations

import re

from ...errors import RuleError
from ...textfile import parse
from .yaml_edit import checked_text, set_value, value_at, value_with
from .yaml_tree import Path, Tree

__all__ = ["bare_item", "has_comments", "item_text", "move_item", "put_item"]

_QUOTED = re.compile(r"""(?<!\w)(?:"(?:[^"\\]|\\.)*"|'[^']*')""")


def move_item(text: str, path: Path, start: int, to: int, *, source: str = "text") -> str:
    """Move item `start` of the list at `path` to index `to`, with its bytes and the comments above it.

    Raises
    ------
    RuleError
        As `set_value`.
    """
    old = parse(text, "yaml", source=source).value
    items = list(value_at(old, path, source))
    if not (0 <= start < len(items) and 0 <= to < len(items)):
        raise RuleError(f"{source}: there is no item {start} or {to}; there are {len(items)}")
    wanted_items = items[:start] + items[start + 1 :]
    wanted_items.insert(to, items[start])
    wanted = value_with(old, path, wanted_items, source)
    tree = Tree(text)
    parent = tree.find(path)
    if parent.flow_style:
        return set_value(text, path, wanted_items, source=source)
    pieces = [tree.item_lines(parent, number) for number in range(len(items))]
    low, high = pieces[0][0], pieces[-1][1]
    parts = [text[one : pieces[number + 1][0] if number + 1 < len(pieces) else two]
             for number, (one, two) in enumerate(pieces)]  # fmt: skip
    if not parts[-1].endswith("\n"):
        parts[-1] += "\n"
    moved = parts.pop(start)
    parts.insert(to, moved)
    return checked_text(text[:low] + "".join(parts) + text[high:], wanted, source)


def item_text(text: str, path: Path, number: int) -> str | None:
    """Return the lines of an item with the comments above it, shifted so that the dash is in the first column.

    Return None if it has no lines of its own because the list is written in brackets.
    """
    tree = Tree(text)
    parent = tree.find(path)
    if parent.flow_style:
        return None
    low, high = tree.item_lines(parent, number)
    dash = tree.dash(parent.value[number])
    column = dash - tree.line_start(dash)
    if text[dash - column : dash].strip():
        return None
    return _shifted(text[low:high], -column)


def has_comments(text: str, path: Path, number: int) -> bool:
    """Return whether there are comments above or inside an item; False if there is no such item."""
    try:
        piece = item_text(text, path, number)
    except (LookupError, StopIteration, TypeError, AttributeError):
        return False
    return piece is not None and re.search(r"(?m)(^|\s)#", _QUOTED.sub("", piece)) is not None


def put_item(text: str, path: Path, number: int, piece: str, *, source: str = "text") -> str:
    """Replace the lines of an item with a piece from `item_text` that has the same value.

    If the values differ, return the text unchanged.
    """
    tree = Tree(text)
    parent = tree.find(path)
    if parent.flow_style:
        return text
    dash = tree.dash(parent.value[number])
    low, high = tree.line_start(dash), tree.item_lines(parent, number)[1]
    new = _shifted(piece if piece.endswith("\n") else piece + "\n", dash - low)
    try:
        return checked_text(text[:low] + new + text[high:], parse(text, "yaml", source=source).value, source)
    except RuleError:
        return text


def bare_item(text: str, path: Path, number: int) -> str:
    """Return the text without the comments above an item."""
    tree = Tree(text)
    parent = tree.find(path)
    if parent.flow_style:
        return text
    return tree.splice(tree.item_lines(parent, number)[0], tree.line_start(tree.dash(parent.value[number])), "")


def _shifted(lines: str, by: int) -> str:
    """Shift lines to the right, or to the left as far as they have room; blank lines stay."""
    if by >= 0:
        return re.sub(r"(?m)^(?=[^\r\n])", " " * by, lines)
    return re.sub(rf"(?m)^ {{1,{-by}}}", "", lines)
