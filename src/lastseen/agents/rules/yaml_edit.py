"""Change one value of a YAML text and keep every other byte: comments, blank lines, order, quotes.

Every edit is checked: the new text must say exactly what the old one said with the change, or nothing is changed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any

from ...errors import RuleError
from ...textfile import TextFileError, parse
from .yaml_text import block_text, flow_text

__all__ = ["move_item", "set_value"]

Path = tuple[str | int, ...]
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


def set_value(text: str, path: Path, value: Any, *, source: str = "text") -> str:
    """Return the text with `value` at `path`; what is the same already keeps its bytes.

    Raises
    ------
    RuleError
        The text is not sound, there is no such place, or it is written so that it cannot be changed by itself (behind
        an alias): change it by hand.
    """
    old = parse(text, "yaml", source=source).value
    wanted = _with(old, path, value, source)
    return _checked(_set(text, old, wanted), wanted, source)


def move_item(text: str, path: Path, start: int, to: int, *, source: str = "text") -> str:
    """Return the text with item `start` of the list at `path` at place `to`, with its bytes and the comments above it.

    Raises
    ------
    RuleError
        As `set_value`.
    """
    old = parse(text, "yaml", source=source).value
    items = list(_at(old, path, source))
    if not (0 <= start < len(items) and 0 <= to < len(items)):
        raise RuleError(f"{source}: there is no item {start} or {to}; there are {len(items)}")
    wanted_items = items[:start] + items[start + 1 :]
    wanted_items.insert(to, items[start])
    wanted = _with(old, path, wanted_items, source)
    tree = _Tree(text)
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
    return _checked(text[:low] + "".join(parts) + text[high:], wanted, source)


def _at(value: Any, path: Path, source: str) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            raise RuleError(f"{source}: there is nothing at {'/'.join(map(str, path))}") from None
    return value


def _with(old: Any, path: Path, value: Any, source: str) -> Any:
    """Return plain values with one of them changed; the last key of the path may be new."""
    if not path:
        return value
    around = _at(old, path[:-1], source)
    if not isinstance(around, dict | list):
        raise RuleError(f"{source}: there is nothing at {'/'.join(map(str, path[:-1]))} to put a value into")
    copy: Any = around.copy()
    if isinstance(copy, list) and path[-1] == len(copy):
        copy.append(value)
    else:
        _at(around, path[-1:] if isinstance(copy, list) else (), source)
        copy[path[-1]] = value
    return _with(old, path[:-1], copy, source)


def _checked(text: str, wanted: Any, source: str) -> str:
    """Return the text if it says what is wanted."""
    try:
        said = parse(text, "yaml", source=source).value
    except TextFileError:
        said = _Tree
    if not _same(said, wanted):
        raise RuleError(f"{source}: this place is written in a way that cannot be changed alone; change it by hand")
    return text


def _set(text: str, old: Any, new: Any) -> str:
    """Bring the text from `old` to `new`, one smallest difference after another."""
    seen: set[str] = set()
    while text not in seen:
        seen.add(text)
        difference = _difference((), old, new)
        if difference is None:
            break
        place, act = difference
        try:
            text = act(_Tree(text), place)
            old = parse(text, "yaml").value
        except RuleError:
            raise
        except (LookupError, StopIteration, ValueError):
            break  # written in a way this knows nothing of: the check afterwards says so
    return text


Act = Callable[["_Tree", Path], str]


def _same(one: Any, other: Any) -> bool:
    """Are two values the same? 1, 1.0 and true are not."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other


def _difference(path: Path, old: Any, new: Any) -> tuple[Path, Act] | None:
    """Return the first place where two values differ, and what to do there."""
    if isinstance(old, dict) and isinstance(new, dict) and old and new:
        for key in old:
            if key not in new:
                if len(old) == 1:
                    return path, lambda tree, place: tree.replace(place, new)
                return (*path, key), _Tree.remove
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
    if len(old) > len(new):
        return (*path, first), _Tree.remove
    return path, lambda tree, place: tree.insert(place, first, new[first])


def _depth(value: Any) -> int:
    """Return how many levels of a new key get lines of their own: those around lists of rules, else one."""
    if isinstance(value, list | tuple):
        return 3 if value and all(isinstance(item, dict) for item in value) else 1
    deepest = max(map(_depth, value.values())) if isinstance(value, dict) and value else 1
    return 1 + deepest if deepest > 1 else 1


class _Tree:
    """A YAML text with the place of each of its values."""

    def __init__(self, text: str):
        import yaml

        self.text = text
        self.root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        self.starts = [0, *(found.end() for found in _BREAK.finditer(text))]
        self._sequence, self._mapping = yaml.SequenceNode, yaml.MappingNode

    def find(self, path: Path) -> Any:
        node = self.root
        for step in path:
            node = node.value[step] if isinstance(step, int) else self.entry(node, step)[1]
        return node

    def entry(self, node: Any, key: str) -> tuple[Any, Any]:
        """Return the nodes of a key and of its value."""
        return next(pair for pair in node.value if pair[0].value == key)

    def offset(self, mark: Any) -> int:
        return self.starts[mark.line] + mark.column

    def start(self, node: Any) -> int:
        return self.offset(node.start_mark)

    def end(self, node: Any) -> int:
        """Return where a value ends, without the blank lines and comments after it."""
        if isinstance(node, self._sequence | self._mapping) and not node.flow_style and node.value:
            last = node.value[-1]
            return self.end(last[1] if isinstance(last, tuple) else last)
        end = self.offset(node.end_mark)
        if getattr(node, "style", None) in ("|", ">"):
            end = len(self.text[:end].rstrip())
        return end

    def line_start(self, offset: int) -> int:
        return self.starts[bisect_right(self.starts, offset) - 1]

    def line_end(self, offset: int) -> int:
        """Return where the line after this place begins (or the text ends)."""
        following = bisect_right(self.starts, offset)
        return self.starts[following] if following < len(self.starts) else len(self.text)

    def splice(self, low: int, high: int, new: str) -> str:
        return self.text[:low] + new + self.text[high:]

    def replace(self, path: Path, value: Any) -> str:
        """Put another value where one is, in the same style."""
        node = self.find(path)
        low, high = self.start(node), self.end(node)
        column = low - self.line_start(low)
        is_block = isinstance(node, self._sequence | self._mapping) and not node.flow_style
        new = block_text(value, column) if is_block else flow_text(value, column)
        if low and self.text[low - 1] in ":-":
            new = " " + new
        return self.splice(low, high, new)

    def plain(self, path: Path) -> Any:
        value = parse(self.text, "yaml").value
        for step in path:
            value = value[step]
        return value

    def add_key(self, path: Path, key: str, value: Any) -> str:
        node = self.find(path)
        if node.flow_style:
            return self.replace(path, {**self.plain(path), key: value})
        column = node.start_mark.column
        return self.after(self.end(node), column, block_text({key: value}, column, _depth(value)))

    def after(self, end: int, column: int, new: str) -> str:
        """Put lines after the line on which something ends."""
        at = self.line_end(end - 1 if end else 0)
        if at == len(self.text) and not self.text.endswith("\n"):
            return f"{self.text}\n{' ' * column}{new}"
        return self.splice(at, at, f"{' ' * column}{new}\n")

    def insert(self, path: Path, number: int, value: Any) -> str:
        """Put an item into a list."""
        node = self.find(path)
        if node.flow_style:
            items = list(self.plain(path))
            items.insert(number, value)
            return self.replace(path, items)
        column = self.dash(node.value[0]) - self.line_start(self.dash(node.value[0]))
        new = f"- {block_text(value, column + 2)}"
        if number:
            return self.after(self.end(node.value[number - 1]), column, new)
        low = self.dash(node.value[0])
        return self.splice(low, low, f"{new}\n{' ' * column}")

    def dash(self, item: Any) -> int:
        """Return where the dash of an item of a block list stands."""
        return self.text.rindex("-", 0, max(1, self.start(item)))

    def item_lines(self, parent: Any, number: int) -> tuple[int, int]:
        """Return the lines of an item of a block list, with the comment lines above it that stand as deep."""
        item = parent.value[number]
        low = self.line_start(self.dash(item))
        while low:
            above = self.line_start(low - 1)
            if not re.match(r"[ \t]*#", self.text[above:low]):
                break
            low = above
        return low, self.line_end(self.end(item) - 1)

    def remove(self, path: Path) -> str:
        """Take out a key with its value, or an item; the last one leaves an empty list."""
        node, step = self.find(path[:-1]), path[-1]
        if node.flow_style or len(node.value) == 1:
            left: Any = self.plain(path[:-1]).copy()
            left.pop(step)
            return self.replace(path[:-1], left)
        if isinstance(step, int):
            item = node.value[step]
            low = self.line_start(self.dash(item))
            if not self.text[low : self.dash(item)].strip():
                return self.splice(low, self.line_end(self.end(item) - 1), "")
            following = node.value[step + 1]
            return self.splice(self.start(item), self.start(following), "")
        key, value = self.entry(node, step)
        low = self.line_start(self.start(key))
        if not self.text[low : self.start(key)].strip():
            return self.splice(low, self.line_end(max(self.end(value), self.start(key) + 1) - 1), "")
        place = next(number for number, pair in enumerate(node.value) if pair[0] is key)
        return self.splice(self.start(key), self.start(node.value[place + 1][0]), "")
