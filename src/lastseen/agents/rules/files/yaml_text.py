"""Plain values as YAML text: short values on one line, long ones folded at commas."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from ....errors import RuleError

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
