"""Variants: names with settings behind them, such as `belief:lead=1:weights=front`."""

from __future__ import annotations

from typing import Any

from ....errors import InputError

__all__ = ["changes_of"]


def changes_of(name: str, what: str, example: str) -> dict[str, Any]:
    """Return the settings behind a name: whole numbers, numbers, True and False, or words."""
    changes: dict[str, Any] = {}
    for change in name.split(":")[1:]:
        key, equals, value = change.partition("=")
        if not equals:
            raise InputError(f"{change!r} in {what} {name!r} is no setting; write it as {example}")
        changes[key] = _value(value)
    return changes


def _value(words: str) -> Any:
    if words in ("True", "False"):
        return words == "True"
    for kind in (int, float):
        try:
            return kind(words)
        except ValueError:
            continue
    return words
