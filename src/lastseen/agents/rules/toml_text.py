"""Rule files as TOML text: one table per handler and per rule, one line per key."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import RuleError

__all__ = ["toml_text", "without_nothing"]

WIDTH = 110

_BARE = re.compile(r"[A-Za-z0-9_-]+")

Plain = Mapping[str, Any]


def toml_text(plain: Plain) -> str:
    """Return the contents of a rule file as TOML.

    Raises
    ------
    RuleError
        A list contains null, which TOML cannot represent.
    """
    return "\n".join("\n".join(table) + "\n" for table in _tables(plain))


def without_nothing(plain: Plain) -> dict[str, Any]:
    """Return the contents of a rule file without null keys of variables and rules, which have no effect.

    Actions are data of the game and stay unchanged.
    """
    found = dict(plain)
    if "variables" in plain:
        found["variables"] = {path: _dropped(spec) for path, spec in plain["variables"].items()}
    if "handlers" in plain:
        found["handlers"] = {
            name: handler | ({"rules": [_dropped(rule) for rule in handler["rules"]]} if "rules" in handler else {})
            for name, handler in plain["handlers"].items()
        }
    return found


def _dropped(value: Any) -> Any:
    return {key: item for key, item in value.items() if item is not None} if isinstance(value, dict) else value


def _tables(plain: Plain) -> Iterator[list[str]]:
    """Yield the lines of each table."""
    for group, held in plain.items():
        if group != "handlers":
            yield [f"[{group}]", *_pairs(held, (group,))]
            continue
        if not held:
            yield ["[handlers]"]
        for name, handler in held.items():
            home = f"handlers.{_key(name)}"
            rules = handler.get("rules", [])
            # Plain keys come before tables: a key after a rule would belong to that rule.
            head = {key: value for key, value in handler.items() if key != "rules" or not rules}
            yield [f"[{home}]", *_pairs(head, (group, name))]
            for rule in rules:
                yield [f"[[{home}.rules]]", *_pairs(rule, (group, name, str(rule.get("name", ""))))]


def _pairs(values: Plain, path: tuple[str, ...]) -> list[str]:
    return [_pair(key, value, (*path, key)) for key, value in values.items()]


def _pair(key: str, value: Any, path: tuple[str, ...]) -> str:
    """Return `key = value`; a list too long for one line gets one line per item."""
    whole = f"{_key(key)} = {_inline(value, path)}"
    if len(whole) <= WIDTH or not isinstance(value, list):
        return whole
    return f"{_key(key)} = [\n" + "".join(f"  {_inline(item, path)},\n" for item in value) + "]"


def _inline(value: Any, path: tuple[str, ...]) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_inline(item, path)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(item, path) for item in value) + "]"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return repr(value)
    if value is None:
        raise RuleError(f"{' / '.join(path)} contains null, which TOML cannot represent; write .yaml or .json")
    raise RuleError(f"{' / '.join(path)} contains {value!r}, which cannot be written; give plain values")


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quoted(key)


def _quoted(text: str) -> str:
    """Return quoted text; JSON escapes are valid in TOML, which requires one more."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
