"""YAML texts: plain values as text, and the position of each value in a text, the basis for edits of single values."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any

from ....errors import RuleError
from ....textfile import parse

WIDTH = 110

_PLAIN = re.compile(r"[A-Za-z_][\w .=<>!+/()-]*")
_KEY = re.compile(r"[A-Za-z_][\w.-]*")
_SPECIAL = re.compile(r"(?i)true|false|null|yes|no|on|off|y|n")
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise RuleError(f"{value} cannot be written; give a finite number")
        return repr(value)
    if isinstance(value, str):
        if _PLAIN.fullmatch(value) and value == value.rstrip() and not _SPECIAL.fullmatch(value):
            return value
        try:
            value.encode()
        except UnicodeEncodeError:
            raise RuleError(f"{value[:40]!a} has an incomplete character and cannot be written; correct it") from None
        quoted = json.dumps(value, ensure_ascii=False)
        return _ESCAPED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", quoted)
    raise RuleError(f"{value!r} cannot be written; give text, numbers, true/false, lists, or keys and values")


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise RuleError(f"the key {key!r} cannot be written; give text")
    return key if _KEY.fullmatch(key) and not _SPECIAL.fullmatch(key) else _scalar(key if key else "")


def flow_text(value: Any, column: int = 0) -> str:
    """Return a value on one line starting at `column`, folded at commas if it would be too long."""
    if isinstance(value, dict):
        parts, ends = [f"{_key(key)}: {flow_text(item)}" for key, item in value.items()], "{}"
    elif isinstance(value, list | tuple):
        parts, ends = [flow_text(item) for item in value], "[]"
    else:
        return _scalar(value)
    whole = ends[0] + ", ".join(parts) + ends[1]
    if len(whole) + column <= WIDTH or "\n" in whole or column == 0 or not parts:
        return whole
    lines = [ends[0] + parts[0]]
    for part in parts[1:]:
        lines[-1] += ","
        if column + len(lines[-1]) + len(part) + 2 > WIDTH:
            lines.append(" " * (column + 1) + part)
        else:
            lines[-1] += f" {part}"
    return "\n".join(lines) + ends[1]


def block_text(value: Any, column: int, depth: int = 1) -> str:
    """Return a value with one line per key or item, `depth` levels deep; the first line is not indented.

    `column` is the indentation of the lines after the first.
    """
    gap = "\n" + " " * column
    if not value or depth == 0 or not isinstance(value, dict | list | tuple):
        return flow_text(value, column)
    if not isinstance(value, dict):
        return gap.join(f"- {block_text(item, column + 2, depth - 1)}" for item in value)
    lines = []
    for key, item in value.items():
        name = _key(key)
        if depth > 1 and item and isinstance(item, dict | list | tuple):
            lines.append(f"{name}:{gap}  {block_text(item, column + 2, depth - 1)}")
        else:
            lines.append(f"{name}: {flow_text(item, column + len(name) + 2)}")
    return gap.join(lines)


def groups_text(groups: Mapping[str, Any]) -> str:
    """Return the groups of a rule file, such as its handlers, as YAML with one line per key of a rule."""
    pieces = []
    for group, held in groups.items():
        if not held:
            pieces.append(f"{group}: {{}}")
        elif group != "handlers":
            pieces.append(f"{group}:\n  {block_text(held, 2)}")
        else:
            pieces.append("handlers:")
            pieces += [f"  {_key(name)}:\n    {block_text(handler, 4, 3)}" for name, handler in held.items()]
    return "\n".join(pieces or ["{}"]) + "\n"


Path = tuple[str | int, ...]
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


def _depth(value: Any) -> int:
    """Return how many levels of a new key get lines of their own: those around lists of rules, else one."""
    if isinstance(value, list | tuple):
        return 3 if value and all(isinstance(item, dict) for item in value) else 1
    deepest = max(map(_depth, value.values())) if isinstance(value, dict) and value else 1
    return 1 + deepest if deepest > 1 else 1


class Tree:
    """A YAML text with the position of each value."""

    def __init__(self, text: str):
        import yaml

        self.text = text
        self.root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        self.starts = [0, *(found.end() for found in _BREAK.finditer(text))]
        self._sequence, self._mapping = yaml.SequenceNode, yaml.MappingNode

    def find(self, path: Path) -> Any:
        """Return the node of a value."""
        node = self.root
        for step in path:
            node = node.value[step] if isinstance(step, int) else self.entry(node, step)[1]
        return node

    def entry(self, node: Any, key: str) -> tuple[Any, Any]:
        """Return the nodes of a key and of its value."""
        return next(pair for pair in node.value if pair[0].value == key)

    def offset(self, mark: Any) -> int:
        """Return the character offset of a parser mark."""
        return self.starts[mark.line] + mark.column

    def start(self, node: Any) -> int:
        """Return the start of a value."""
        return self.offset(node.start_mark)

    def end(self, node: Any) -> int:
        """Return the end of a value, without the blank lines and comments after it."""
        if isinstance(node, self._sequence | self._mapping) and not node.flow_style and node.value:
            last = node.value[-1]
            return self.end(last[1] if isinstance(last, tuple) else last)
        end = self.offset(node.end_mark)
        if getattr(node, "style", None) in ("|", ">"):
            end = len(self.text[:end].rstrip())
        return end

    def line_start(self, offset: int) -> int:
        """Return the start of the line that contains an offset."""
        return self.starts[bisect_right(self.starts, offset) - 1]

    def line_end(self, offset: int) -> int:
        """Return the start of the line after an offset (or the end of the text)."""
        following = bisect_right(self.starts, offset)
        return self.starts[following] if following < len(self.starts) else len(self.text)

    def splice(self, low: int, high: int, new: str) -> str:
        """Return the text with the part between two offsets replaced."""
        return self.text[:low] + new + self.text[high:]

    def replace(self, path: Path, value: Any) -> str:
        """Replace a value, keeping its style."""
        node = self.find(path)
        is_block = isinstance(node, self._sequence) and not node.flow_style
        if is_block and not value and (emptied := self._emptied(path)):
            return emptied
        return self.splice(*self.replacement(node, value))

    def replacement(self, node: Any, value: Any) -> tuple[int, int, str]:
        """Return the extent of a value and the text that replaces it, in the same style."""
        low, high = self.start(node), self.end(node)
        column = low - self.line_start(low)
        is_block = isinstance(node, self._sequence | self._mapping) and not node.flow_style
        new = block_text(value, column) if is_block else flow_text(value, column)
        if low and self.text[low - 1] in ":-":
            new = " " + new
        elif is_block and isinstance(node, self._sequence) and not value:
            new = "  " + new  # A block list may be indented like its key, but its brackets may not.
        return low, high, new

    def _emptied(self, path: Path) -> str:
        """Return the text with a block list replaced by `[]` after its key; empty if its form does not allow it.

        Comments on the lines of items are removed, those between items stay.
        """
        node = self.find(path)
        if not path or isinstance(path[-1], int):
            return ""
        key, _ = self.entry(self.find(path[:-1]), path[-1])
        colon = self.text.index(":", self.offset(key.end_mark)) + 1
        low = self.line_start(self.dash(node.value[0]))
        beside = self.text[colon : self.line_end(colon - 1)].strip()
        if low <= colon or (beside and not beside.startswith("#")):
            return ""
        pieces, after = [self.text[:colon], " []"], colon
        for item in node.value:
            pieces.append(self.text[after : self.line_start(self.dash(item))])
            after = self.line_end(self.end(item) - 1)
        return "".join([*pieces, self.text[after:]])

    def in_block(self, path: Path, value: Any) -> str:
        """Replace a value, putting its keys on lines of their own if the surrounding mapping does."""
        node, around = self.find(path), self.find(path[:-1])
        if around.flow_style:
            return self.replace(path, value)
        column = around.start_mark.column + 2
        key, _ = self.entry(around, str(path[-1]))
        low = self.text.index(":", self.offset(key.end_mark)) + 1
        new = f"\n{' ' * column}{block_text(value, column, _depth(value))}"
        return self.splice(low, self.end(node), new)

    def plain(self, path: Path) -> Any:
        """Return a plain value."""
        value = parse(self.text, "yaml").value
        for step in path:
            value = value[step]
        return value

    def add_key(self, path: Path, key: str, value: Any) -> str:
        """Add a new key to a mapping."""
        node = self.find(path)
        if node.flow_style:
            return self.replace(path, {**self.plain(path), key: value})
        return self.splice(*self.addition(node, {key: value}))

    def addition(self, node: Any, added: Mapping[str, Any]) -> tuple[int, int, str]:
        """Return the extent and the text of new keys of a block mapping."""
        column = node.start_mark.column
        keys = [block_text({key: value}, column, _depth(value)) for key, value in added.items()]
        return self.lines_after(self.end(node), column, f"\n{' ' * column}".join(keys))

    def after(self, end: int, column: int, new: str) -> str:
        """Insert lines after the line that contains an offset."""
        return self.splice(*self.lines_after(end, column, new))

    def lines_after(self, end: int, column: int, new: str) -> tuple[int, int, str]:
        """Return the extent and the text of new lines after the line that contains an offset."""
        at = self.line_end(end - 1 if end else 0)
        if at == len(self.text) and not self.text.endswith("\n"):
            return at, at, f"\n{' ' * column}{new}"
        return at, at, f"{' ' * column}{new}\n"

    def changes(self, node: Any, old: Any, new: Any, depth: int = 0) -> Iterator[tuple[int, int, int, str]]:
        """Yield all changes that turn values into others and can be made at once: extent, depth and new text.

        They are changed scalars, added keys, and mappings on one line; removed keys and changed lists are left out.
        """
        if isinstance(old, dict) and isinstance(new, dict) and old and new and isinstance(node, self._mapping):
            added = {key: value for key, value in new.items() if key not in old}
            if node.flow_style and old.keys() != new.keys():
                if "#" not in self.text[self.start(node) : self.end(node)]:
                    low, high, text = self.replacement(node, new)
                    yield low, depth, high, text
                return
            for key, inner in node.value:
                if key.value in old and key.value in new:
                    yield from self.changes(inner, old[key.value], new[key.value], depth + 1)
            if added:
                low, high, text = self.addition(node, added)
                yield low, depth, high, text
        elif isinstance(old, list) and isinstance(new, list) and isinstance(node, self._sequence):
            if len(old) == len(new):
                for inner, one, other in zip(node.value, old, new):
                    yield from self.changes(inner, one, other, depth + 1)
        elif (
            not isinstance(old, dict | list)
            and not isinstance(new, dict | list)
            and (type(old), old) != (type(new), new)
        ):
            low, high, text = self.replacement(node, new)
            yield low, depth, high, text

    def insert(self, path: Path, number: int, value: Any) -> str:
        """Insert an item into a list."""
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
        if self.text[low - column : low].strip():
            return self.splice(low, low, f"{new}\n{' ' * column}")
        above = self.item_lines(node, 0)[0]  # Comments stay with the item they describe.
        return self.splice(above, above, f"{' ' * column}{new}\n")

    def dash(self, item: Any) -> int:
        """Return the offset of the dash of a block list item."""
        return self.text.rindex("-", 0, max(1, self.start(item)))

    def item_lines(self, parent: Any, number: int) -> tuple[int, int]:
        """Return the extent of a block list item, including the comment lines directly above it."""
        item = parent.value[number]
        low = self.line_start(self.dash(item))
        while low:
            above = self.line_start(low - 1)
            if not re.match(r"[ \t]*#", self.text[above:low]):
                break
            low = above
        return low, self.line_end(self.end(item) - 1)

    def remove(self, path: Path) -> str:
        """Remove a key with its value, or an item; removing the last item leaves an empty list."""
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
