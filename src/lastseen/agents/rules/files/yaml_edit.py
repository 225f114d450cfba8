"""Edits of values and list items in a YAML text that keep every other byte: comments, blank lines, order, quotes.

Every edit is verified: the new text must parse to exactly the wanted values, or nothing is changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ....errors import RuleError
from ....textfile import TextFileError, parse
from .yaml_text import Path, Tree


def set_value(text: str, path: Path, value: Any, *, source: str = "text") -> str:
    """Return the text with `value` at `path`; unchanged parts keep their bytes.

    Raise a RuleError if the text is invalid, there is no such place, or its form (such as an alias) does not allow a
    local change.
    """
    old = parse(text, "yaml", source=source).value
    wanted = value_with(old, path, value, source)
    return checked_text(_set(text, old, wanted), wanted, source)


def value_at(value: Any, path: Path, source: str) -> Any:
    """Return the value at a path of plain values."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            raise RuleError(f"{source}: there is nothing at {'/'.join(map(str, path))}") from None
    return value


def value_with(old: Any, path: Path, value: Any, source: str) -> Any:
    """Return plain values with one value replaced; the last key of the path may be new."""
    if not path:
        return value
    around = value_at(old, path[:-1], source)
    if not isinstance(around, dict | list):
        raise RuleError(f"{source}: {'/'.join(map(str, path[:-1]))} cannot contain values")
    copy: Any = around.copy()
    if isinstance(copy, list) and path[-1] == len(copy):
        copy.append(value)
    else:
        value_at(around, path[-1:] if isinstance(copy, list) else (), source)
        copy[path[-1]] = value
    return value_with(old, path[:-1], copy, source)


def checked_text(text: str, wanted: Any, source: str) -> str:
    """Return the text if it parses to the wanted values."""
    try:
        said = parse(text, "yaml", source=source).value
    except TextFileError:
        said = Tree
    if not _same(said, wanted):
        raise RuleError(f"{source}: this place cannot be changed on its own; edit it by hand")
    return text


def _set(text: str, old: Any, new: Any) -> str:
    """Turn `old` into `new` in the text: what is independent at once, then one smallest difference at a time."""
    with suppress(TextFileError, LookupError, ValueError, AttributeError):
        batch = _set_at_once(text, old, new)
        text, old = batch, parse(batch, "yaml").value
    seen: set[str] = set()
    while text not in seen:
        seen.add(text)
        difference = _difference((), old, new)
        if difference is None:
            break
        place, act = difference
        try:
            text = act(Tree(text), place)
            old = parse(text, "yaml").value
        except RuleError:
            raise
        except (LookupError, StopIteration, ValueError):
            break  # The form is not supported; the final check reports it.
    return text


def _set_at_once(text: str, old: Any, new: Any) -> str:
    tree = Tree(text)
    # From the end, so that offsets stay right; where two begin alike, the outer one first, so that it comes last.
    for low, _, high, piece in sorted(tree.changes(tree.root, old, new), key=lambda one: (-one[0], one[1])):
        text = text[:low] + piece + text[high:]
    return text


Act = Callable[["Tree", Path], str]


def _same(one: Any, other: Any) -> bool:
    """Return whether two values are equal in type and value: 1, 1.0 and true differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other


def _difference(path: Path, old: Any, new: Any) -> tuple[Path, Act] | None:
    """Return the first path at which two values differ, and the edit to apply there."""
    if isinstance(old, dict) and isinstance(new, dict) and old and new:
        for key in old:
            if key not in new:
                if len(old) == 1:
                    return path, lambda tree, place: tree.replace(place, new)
                return (*path, key), Tree.remove
            found = _difference((*path, key), old[key], new[key])
            if found:
                return found
        for key, value in new.items():
            if key not in old:
                return path, lambda tree, place, key=key, value=value: tree.add_key(place, key, value)
        return None
    if isinstance(old, list) and isinstance(new, list) and old and new:
        return _list_difference(path, old, new)
    return None if _same(old, new) else (path, lambda tree, place: tree.replace(place, new))


def _list_difference(path: Path, old: list[Any], new: list[Any]) -> tuple[Path, Act] | None:
    first = 0
    while first < min(len(old), len(new)) and _same(old[first], new[first]):
        first += 1
    if len(old) == len(new):
        return None if first == len(old) else _difference((*path, first), old[first], new[first])
    same = 0
    while same < min(len(old), len(new)) - first and _same(old[-1 - same], new[-1 - same]):
        same += 1
    before, after = old[first : len(old) - same], new[first : len(new) - same]
    if before and after and not _is_in(before[0], after) and not _is_in(after[0], before):
        return _difference((*path, first), before[0], after[0])  # changed, while others were added or removed
    if len(old) > len(new):
        return (*path, first), Tree.remove
    return path, lambda tree, place: tree.insert(place, first, new[first])


def _is_in(item: Any, items: list[Any]) -> bool:
    return any(_same(item, one) for one in items)


_QUOTED = re.compile(r"""(?<!\w)(?:"(?:[^"\\]|\\.)*"|'[^']*')""")


def move_item(text: str, path: Path, start: int, to: int, *, source: str = "text") -> str:
    """Move item `start` of the list at `path` to index `to`, with its bytes and the comments above it.

    Raise a RuleError as `set_value` does.
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
