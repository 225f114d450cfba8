"""Editing of single rules in a YAML text; every other byte is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....errors import RuleError, did_you_mean
from ....textfile import Document, TextFileError, convert, parse
from ..language.rule import Rule, RuleCondition, parse_condition
from .file_format import RuleText
from .yaml_edit import move_item, set_value

Plain = Mapping[str, Any]


def replace_rule(text: str, handler: str, name: str, new: Rule | Plain) -> str:
    """Return a YAML text with one rule replaced; unchanged keys of the rule keep their bytes.

    Raises
    ------
    RuleError
        There is no such rule, the new one is invalid or has the name of another, or the form of the text does not allow
        a local change.
    """
    place, rules = _place(text, handler, name), _rules(text, handler)
    plain = _checked(new, handler, rules[:place] + rules[place + 1 :])
    return set_value(text, ("handlers", handler, "rules", place), plain)


def move_rule(text: str, handler: str, name: str, to: int) -> str:
    """Return a YAML text with a rule moved, including the comments above and inside it."""
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


def _checked(rule: Rule | Plain, handler: str, others: list[Any]) -> dict[str, Any]:
    """Return a rule as plain values if it is valid and its name is unique."""
    new = rule_as_plain(rule) if isinstance(rule, Rule) else dict(rule)
    try:
        convert(Document(f"rule {new.get('name', '')!r}", new, {}), RuleText)
    except TextFileError as error:
        raise RuleError(f"{error.source}: {error.what}") from None
    if any(isinstance(rule, dict) and rule.get("name") == new["name"] for rule in others):
        raise RuleError(f"{handler!r} already has a rule {new['name']!r}; choose another name")
    return new


def rule_as_plain(rule: Rule) -> dict[str, Any]:
    """Return a rule in the form used in files, without defaults."""
    plain: dict[str, Any] = {"name": rule.name}
    if rule.conditions:
        plain["when"] = [condition_text(one) for one in rule.conditions]
    if rule.actions:
        said = rule.says and all(isinstance(action, str) for action in rule.actions)
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
        then = rule.then
        plain["then"] = {"handler": then.handler, "who": then.who, "after": then.after}
        plain["then"] |= {"facts": dict(then.facts)} if then.facts else {}
    return plain


def condition_text(condition: RuleCondition) -> str:
    """Return a condition in the form that `parse_condition` reads.

    Raise a RuleError if its text contains both kinds of quotes and something like an operator.
    """
    constant = condition.constant
    if isinstance(constant, bool):
        word = "true" if constant else "false"
    elif isinstance(constant, str):
        bare = constant.replace("_", "").replace(".", "").replace("-", "").isalpha() and constant[0].isalpha()
        quote = '"' if "'" in constant else "'"
        word = constant if bare and constant not in ("true", "false") else f"{quote}{constant}{quote}"
    else:
        word = repr(constant)
    text = f"{condition.variable} {condition.operator} {word}"
    if isinstance(constant, str) and word != constant and not _is_read(text, condition):
        raise RuleError(
            f"{constant[:60]!r} cannot be written as a condition; leave out one kind of quotes, or the operators"
        )
    return text


def _is_read(text: str, condition: RuleCondition) -> bool:
    try:
        return parse_condition(text) == condition
    except RuleError:
        return False
