"""Revision of rule files: move, add and remove rules in a YAML text and keep every other byte."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ....checks import table_of
from ....errors import RuleError
from ....textfile import parse
from .yaml_edit import bare_item, item_text, move_item, put_item, set_value
from .yaml_text import Tree, groups_text

Elsewhere = tuple[str, str, int]
"""Origin of a rule from another handler: file name (empty for the same file), handler, index among its rules."""
Origins = Mapping[str, Sequence[int | Elsewhere | None]]
"""By handler, for each new rule: its old index in this handler, its origin elsewhere, or None if it is new."""

_PARTS = ("variables", "handlers", "lines")


def revise_rules(
    text: str,
    new: Mapping[str, Any],
    origins: Origins,
    *,
    source: str = "text",
    others: Mapping[str, str] | None = None,
    left: Iterable[tuple[str, int]] = (),
) -> str:
    """Return a YAML text with the values of `new`; rules keep their comments wherever they move.

    Equal numbers keep their spelling: 1.0 does not become 1.

    Parameters
    ----------
    others : texts of other files that rules come from, by name.
    left : rules, by handler and index, that moved to other files; the comments above them are removed here.

    Raises
    ------
    RuleError
        The text is invalid, `origins` do not match it, or its form does not allow a local change.
    """
    old = parse(text, "yaml", source=source).value
    if not isinstance(old, dict) or not isinstance(old.get("handlers", {}), dict):
        raise RuleError(f"{source}: has no rules in an editable form; edit it by hand")
    wanted = _wanted(old, dict(table_of(new, "new")), origins, source)
    pieces = _pieces(text, origins, others or {}, source)
    here = [one[1:] for places in origins.values() for one in places if isinstance(one, tuple) and not one[0]]
    text = _without_comments(text, old, origins, {*left, *here})
    for handler, places in origins.items():
        if handler in old.get("handlers", {}):
            path = ("handlers", handler)
            known = [place if isinstance(place, int) else None for place in places]
            rules = [*_rules(wanted, handler)]
            carried = {number: pieces[place] for number, place in enumerate(places) if place in pieces}
            rules = [carried[number][1] if number in carried else rule for number, rule in enumerate(rules)]
            text = _arranged(text, path, _rules(old, handler), known, rules, source)
            for number, (piece, _) in carried.items():
                text = put_item(text, (*path, "rules"), number, piece, source=source)
    root = Tree(text).root
    for part in () if root is not None and root.flow_style else _PARTS:
        if part in wanted and part not in old:
            gap = "" if not text or text.endswith("\n") else "\n"
            text = f"{text}{gap}{groups_text({part: wanted[part]})}"
        elif wanted.get(part) and not old[part]:
            text = Tree(text).in_block((part,), wanted[part])
    text = set_value(text, (), wanted, source=source)
    for handler in wanted.get("handlers", {}).keys() - old.get("handlers", {}).keys():
        for number, place in enumerate(origins.get(handler, ())):
            if place in pieces:
                text = put_item(text, ("handlers", handler, "rules"), number, pieces[place][0], source=source)
    return text


def _pieces(
    text: str, origins: Origins, others: Mapping[str, str], source: str
) -> dict[int | Elsewhere | None, tuple[str, Any]]:
    """Return the lines and values of rules from elsewhere, except those written on one line."""
    found: dict[int | Elsewhere | None, tuple[str, Any]] = {}
    for one in (place for places in origins.values() for place in places if isinstance(place, tuple)):
        file, handler, number = one
        if file and file not in others:
            continue
        from_text = others[file] if file else text
        path = ("handlers", handler, "rules")
        try:
            value = parse(from_text, "yaml", source=file or source).value["handlers"][handler]["rules"][number]
        except (LookupError, TypeError):
            raise RuleError(f"{source}: a rule refers to a missing place in {handler!r}; reopen the file") from None
        piece = item_text(from_text, path, number)
        if piece is not None:
            found[one] = (piece, value)
    return found


def _without_comments(text: str, old: Mapping[str, Any], origins: Origins, left: set[tuple[str, int]]) -> str:
    """Remove the comments above rules that left; rules that stay in their handler keep theirs."""
    for handler, number in left:
        is_there = handler in old.get("handlers", {}) and 0 <= number < len(_rules(old, handler))
        if is_there and number not in origins.get(handler, ()):
            text = bare_item(text, ("handlers", handler, "rules"), number)
    return text


def _rules(value: Mapping[str, Any], handler: str) -> list[Any]:
    found = value["handlers"][handler]
    rules = found.get("rules") if isinstance(found, dict) else None
    return rules if isinstance(rules, list) else []


def _wanted(old: dict[str, Any], new: dict[str, Any], origins: Origins, source: str) -> dict[str, Any]:
    """Return the new values with numbers as originally written, without new parts that are empty."""
    wanted = {key: as_written(old.get(key), value) for key, value in new.items() if value or key in old}
    for handler, places in origins.items():
        before = _rules(old, handler) if handler in old.get("handlers", {}) else []
        if handler not in wanted.get("handlers", {}):
            continue
        rules = new["handlers"][handler].get("rules", [])
        known = [place for place in places if isinstance(place, int)]
        if len(places) != len(rules) or len(set(known)) < len(known) or not all(0 <= p < len(before) for p in known):
            raise RuleError(f"{source}: the rules of {handler!r} do not come from this text; reopen the file")
        merged = [as_written(before[at], rule) if isinstance(at, int) else rule for at, rule in zip(places, rules)]
        if merged or "rules" in new["handlers"][handler]:
            wanted["handlers"][handler] = {**wanted["handlers"][handler], "rules": merged}
    return wanted


def as_written(old: Any, new: Any) -> Any:
    """Return a value with its numbers as originally written: 1.0 if 1 is given and the old value was 1.0."""
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
    """Move, add and remove rules of a handler; their contents are changed later."""
    path = (*handler, "rules")
    if not old:
        return text if not rules else _first_rules(text, handler, rules, source)
    now: list[int] = list(range(len(old)))  # Old indices; new rules are numbered after them.
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
    """Write the first rules of a handler, one key per line, in place of `rules: []`, which is one line."""
    value = parse(text, "yaml", source=source).value["handlers"][handler[1]]
    bare = {key: one for key, one in value.items() if key != "rules"} if isinstance(value, dict) else {}
    if not bare:
        return Tree(text).in_block(handler, {"rules": rules})
    text = set_value(text, handler, bare, source=source)
    return set_value(text, handler, {**bare, "rules": rules}, source=source)


def _longest_rising(places: list[int]) -> set[int]:
    """Return a longest increasing subsequence: these rules stay, all others move."""
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
