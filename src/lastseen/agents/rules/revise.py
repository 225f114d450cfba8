"""Bring the text of a rule file to new values: rules moved, added and taken out, every other byte kept."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from ...checks import table_of
from ...errors import RuleError
from ...textfile import parse
from .yaml_edit import move_item, set_value
from .yaml_text import block_text, flow_text

__all__ = ["Origins", "as_written", "revise_rules"]

Origins = Mapping[str, Sequence[int | None]]
"""By handler: for each of its new rules the place it had among the old ones; None: it is new."""

_PARTS = ("variables", "handlers", "lines")


def revise_rules(text: str, new: Mapping[str, Any], origins: Origins, *, source: str = "text") -> str:
    """Return a YAML text that says what `new` says; rules keep their comments wherever they go.

    Numbers that are the same stay as they are written: 1.0 does not become 1.

    Raises
    ------
    RuleError
        The text is not sound, `origins` do not fit it, or it is written so that it cannot be changed by itself.
    """
    old = parse(text, "yaml", source=source).value
    if not isinstance(old, dict) or not isinstance(old.get("handlers", {}), dict):
        raise RuleError(f"{source}: holds no rules in a form that can be changed; write it by hand")
    wanted = _wanted(old, dict(table_of(new, "new")), origins, source)
    for handler, places in origins.items():
        if handler in old.get("handlers", {}):
            path = ("handlers", handler)
            text = _arranged(text, path, _rules(old, handler), list(places), _rules(wanted, handler), source)
    for part in _PARTS:
        if part in wanted and part not in old:
            text = _with_part(text, part, wanted[part])
    return set_value(text, (), wanted, source=source)


def _rules(value: Mapping[str, Any], handler: str) -> list[Any]:
    found = value["handlers"][handler]
    rules = found.get("rules") if isinstance(found, dict) else None
    return rules if isinstance(rules, list) else []


def _wanted(old: dict[str, Any], new: dict[str, Any], origins: Origins, source: str) -> dict[str, Any]:
    """Return the new values with numbers as they are written; parts that are empty and were not there are left out."""
    wanted = {key: as_written(old.get(key), value) for key, value in new.items() if value or key in old}
    for handler, places in origins.items():
        before = _rules(old, handler) if handler in old.get("handlers", {}) else []
        if handler not in wanted.get("handlers", {}):
            continue
        rules = new["handlers"][handler].get("rules", [])
        known = [place for place in places if place is not None]
        if len(places) != len(rules) or len(set(known)) < len(known) or not all(0 <= p < len(before) for p in known):
            raise RuleError(f"{source}: the rules of {handler!r} do not come from this text; open it again")
        merged = [rule if place is None else as_written(before[place], rule) for place, rule in zip(places, rules)]
        if merged or "rules" in new["handlers"][handler]:
            wanted["handlers"][handler] = {**wanted["handlers"][handler], "rules": merged}
    return wanted


def as_written(old: Any, new: Any) -> Any:
    """Return a value with its numbers in the form they had: 1.0 where 1 is given and 1.0 was."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {key: as_written(old.get(key), value) for key, value in new.items()}
    if isinstance(old, list) and isinstance(new, list):
        return [as_written(old[at] if at < len(old) else None, value) for at, value in enumerate(new)]
    plain = (int, float)
    if isinstance(old, plain) and isinstance(new, plain) and not isinstance(old, bool) and not isinstance(new, bool):
        return old if float(old) == float(new) else new
    return new


def _arranged(
    text: str, handler: tuple[str, ...], old: list[Any], places: list[int | None], rules: list[Any], source: str
) -> str:
    """Move, add and take out rules of a handler; what is inside them is changed later."""
    path = (*handler, "rules")
    if not old:
        return text if not rules else _first_rules(text, handler, rules, source)
    now: list[int] = list(range(len(old)))  # places of old rules; new ones are numbered from there on
    items = dict(enumerate(old))
    staying = _longest_rising([place for place in places if place is not None])
    before: int | None = None
    for number, place in enumerate(places):
        to = 0 if before is None else now.index(before) + 1
        if place is None:
            place = len(old) + number
            items[place] = rules[number]
            now.insert(to, place)
            text = set_value(text, path, [items[one] for one in now], source=source)
        elif place not in staying:
            start = now.index(place)
            to -= start < to
            text = move_item(text, path, start, to, source=source) if start != to else text
            now.insert(to, now.pop(start))
        before = place
    kept = {place for place in places if place is not None}
    for place in [one for one in reversed(now) if one < len(old) and one not in kept]:
        now.remove(place)
        text = set_value(text, path, [items[one] for one in now], source=source)
    return text


def _first_rules(text: str, handler: tuple[str, ...], rules: list[Any], source: str) -> str:
    """Write rules where there were none, one key a line: in place of `rules: []`, which would hold them on one line."""
    value = parse(text, "yaml", source=source).value["handlers"][handler[1]]
    bare = {key: one for key, one in value.items() if key != "rules"} if isinstance(value, dict) else {}
    if bare:
        text = set_value(text, handler, bare, source=source)
    return set_value(text, handler, {**bare, "rules": rules}, source=source)


def _with_part(text: str, part: str, value: Any) -> str:
    """Add a part of a file that was not there, at its end."""
    gap = "" if not text or text.endswith("\n") else "\n"
    if part != "handlers":
        return f"{text}{gap}{part}:\n  {block_text(value, 2)}\n"
    pieces = [f"{text}{gap}handlers:"]
    for name, handler in value.items():
        pieces.append(f"  {flow_text({name: 0})[1:-1].removesuffix(' 0')}\n    {block_text(handler, 4, 3)}")
    return "\n".join(pieces) + "\n"


def _longest_rising(places: list[int]) -> set[int]:
    """Return the most places that stand in rising order already: all others have to be moved."""
    ends: list[int] = []
    holders: list[int] = []
    before: dict[int, int | None] = {}
    for place in places:
        at = bisect_left(ends, place)
        before[place] = holders[at - 1] if at else None
        ends[at : at + 1], holders[at : at + 1] = [place], [place]
    found: set[int] = set()
    place_or_none = holders[-1] if holders else None
    while place_or_none is not None:
        found.add(place_or_none)
        place_or_none = before[place_or_none]
    return found
