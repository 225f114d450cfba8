"""Write rules: single rules of a YAML text, every other byte kept, or a whole database anew."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...checks import file_path
from ...errors import RuleError, did_you_mean
from ...files import atomic_write
from ...textfile import Document, TextFileError, convert, parse
from .file_form import RuleText
from .rule import Condition, Database, FollowUp, Handler, Rule, VariableSpec
from .yaml_edit import set_value
from .yaml_items import move_item
from .yaml_text import block_text, flow_text

__all__ = [
    "as_plain",
    "as_yaml",
    "insert_rule",
    "move_rule",
    "remove_rule",
    "replace_rule",
    "rule_as_plain",
    "write_rules",
]

Plain = Mapping[str, Any]


def replace_rule(text: str, handler: str, name: str, new: Rule | Plain) -> str:
    """Return a YAML text with one rule changed; keys of the rule that stay as they are keep their bytes.

    Raises
    ------
    RuleError
        There is no such rule, the new one has the name of another or is none, or the text is written so that a rule
        cannot be changed by itself.
    """
    place, rules = _place(text, handler, name), _rules(text, handler)
    plain = _checked(_plain(new), handler, rules[:place] + rules[place + 1 :])
    return set_value(text, ("handlers", handler, "rules", place), plain)


def insert_rule(text: str, handler: str, place: int, new: Rule | Plain) -> str:
    """Return a YAML text with a rule more, at this place among those of a handler."""
    rules = _rules(text, handler)
    if not 0 <= place <= len(rules):
        raise RuleError(f"there is no place {place} in {handler!r}; it has {len(rules)} rules")
    return set_value(
        text, ("handlers", handler, "rules"), [*rules[:place], _checked(_plain(new), handler, rules), *rules[place:]]
    )


def remove_rule(text: str, handler: str, name: str) -> str:
    """Return a YAML text without a rule."""
    place, rules = _place(text, handler, name), _rules(text, handler)
    return set_value(text, ("handlers", handler, "rules"), rules[:place] + rules[place + 1 :])


def move_rule(text: str, handler: str, name: str, to: int) -> str:
    """Return a YAML text with a rule at another place, comments above and inside it included."""
    return move_item(text, ("handlers", handler, "rules"), _place(text, handler, name), to)


def _rules(text: str, handler: str) -> list[Any]:
    value = parse(text, "yaml").value
    handlers = value.get("handlers") if isinstance(value, dict) else None
    found = handlers.get(handler) if isinstance(handlers, dict) else None
    if not isinstance(found, dict):
        hint = did_you_mean(handler, handlers or ())
        raise RuleError(f"no handler {handler!r}{hint} in this text")
    rules = found.get("rules", [])
    return rules if isinstance(rules, list) else []


def _place(text: str, handler: str, name: str) -> int:
    names = [str(rule.get("name", "")) if isinstance(rule, dict) else "" for rule in _rules(text, handler)]
    if name not in names:
        raise RuleError(f"no rule {name!r}{did_you_mean(name, names)} in {handler!r}")
    return names.index(name)


def _checked(new: dict[str, Any], handler: str, others: list[Any]) -> dict[str, Any]:
    """Return a rule as it is, if it has the form of one and a name of its own."""
    try:
        convert(Document(f"rule {new.get('name', '')!r}", new, {}), RuleText)
    except TextFileError as error:
        raise RuleError(f"{error.source}: {error.what}") from None
    if any(isinstance(rule, dict) and rule.get("name") == new["name"] for rule in others):
        raise RuleError(f"a rule {new['name']!r} is there already in {handler!r}; give it another name")
    return new


def _plain(rule: Rule | Plain) -> dict[str, Any]:
    return rule_as_plain(rule) if isinstance(rule, Rule) else dict(rule)


def rule_as_plain(rule: Rule) -> dict[str, Any]:
    """Return a rule as it stands in files; what is as usual is left out."""
    plain: dict[str, Any] = {"name": rule.name}
    if rule.conditions:
        plain["when"] = [condition_text(one) for one in rule.conditions]
    if rule.actions:
        said = all(isinstance(action, str) for action in rule.actions)
        plain["say" if said else "do"] = list(rule.actions)
    if rule.policy is not None:
        plain["policy"] = rule.policy
    if rule.priority:
        plain["priority"] = rule.priority
    if rule.cooldown is not None:
        plain["cooldown"] = rule.cooldown
    if rule.tier:
        plain["tier"] = rule.tier
    if rule.remember:
        plain["remember"] = {one.variable: {"value": one.value, "seconds": one.seconds} for one in rule.remember}
    if rule.then is not None:
        plain["then"] = _follow_up(rule.then)
    return plain


def condition_text(condition: Condition) -> str:
    """Return a condition as `parse_condition` reads it."""
    constant = condition.constant
    if isinstance(constant, bool):
        word = "true" if constant else "false"
    elif isinstance(constant, str):
        bare = constant.replace("_", "").replace(".", "").replace("-", "").isalpha() and constant[0].isalpha()
        quote = '"' if "'" in constant else "'"
        word = constant if bare and constant not in ("true", "false") else f"{quote}{constant}{quote}"
    else:
        word = repr(constant)
    return f"{condition.variable} {condition.operator} {word}"


def _follow_up(then: FollowUp) -> dict[str, Any]:
    plain: dict[str, Any] = {"handler": then.handler, "who": then.who, "after": then.after}
    return plain | ({"facts": dict(then.facts)} if then.facts else {})


def as_plain(database: Database) -> dict[str, Any]:
    """Return a database as plain values in the form of rule files."""
    plain: dict[str, Any] = {
        "variables": {path: _variable(spec) for path, spec in database.variables.items()},
        "handlers": {name: _handler(handler) for name, handler in database.handlers.items()},
    }
    if database.lines:
        plain["lines"] = {name: dict(texts) for name, texts in database.lines.items()}
    return plain


def _variable(spec: VariableSpec) -> Any:
    if spec.type != "enum" and not spec.about:
        return spec.type
    plain: dict[str, Any] = {"enum": list(spec.names)} if spec.type == "enum" else {"type": spec.type}
    return plain | ({"about": spec.about} if spec.about else {})


def _handler(handler: Handler) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    if handler.order != "original":
        plain["order"] = handler.order
    if handler.policy != "sequence repeat":
        plain["policy"] = handler.policy
    if handler.cooldown:
        plain["cooldown"] = handler.cooldown
    return plain | {"rules": [rule_as_plain(rule) for rule in handler.rules]}


def as_yaml(database: Database) -> str:
    """Return a database as YAML, one key of a rule a line."""
    plain = as_plain(database)
    pieces = [f"variables:\n  {block_text(plain['variables'], 2)}" if plain["variables"] else "variables: {}"]
    pieces.append("handlers:" if plain["handlers"] else "handlers: {}")
    for name, handler in plain["handlers"].items():
        # The key is quoted where it must be by writing it with an empty value.
        pieces.append(f"  {flow_text({name: 0})[1:-1].removesuffix(' 0')}\n    {block_text(handler, 4, 3)}")
    if "lines" in plain:
        pieces.append(f"lines:\n  {block_text(plain['lines'], 2)}")
    return "\n".join(pieces) + "\n"


def write_rules(database: Database, path: str | os.PathLike[str]) -> None:
    """Write a database to one .yaml, .yml or .json file, whole or not at all.

    Raises
    ------
    RuleError
        The ending of the name tells no form that can be written.
    """
    name = file_path(path)
    suffix = Path(name).suffix.lower()
    if suffix not in (".yaml", ".yml", ".json"):
        raise RuleError(f"{name} has no ending that says how to write; name it .yaml or .json")
    if suffix == ".json":
        text = json.dumps(as_plain(database), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    else:
        text = as_yaml(database)
    atomic_write(name, text.encode())
