"""Checks of rules against a game: what it provides to conditions and placeholders, and who can answer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ....errors import did_you_mean
from ....textfile import Document, convert, read
from ..files.read import combined_rules
from ..language.faults import RuleFault, RuleFileError, handlers_named, has_gaps
from ..language.resolution import CHANCE
from ..language.rule import Database, Rule, RuleCondition, VariableSpec
from .answers import checked_roles
from .memory import FILLS, Placeholders

KINDS = ("barks", "moves", "achievements")
"""Second words of the handlers that games evaluate."""


@dataclass(frozen=True)
class GameOffer:
    """What a game provides to rules.

    Attributes
    ----------
    variables : by path, with its specification; None if rules may declare it as they like. A path that ends in a dot
        stands for all that begin with it. A text with names has these values, and others that a user's trees give it.
    placeholders : variables that fill placeholders.
    sides : sides of the speakers; those named here ask the handlers `<side>.barks`.
    """

    variables: Mapping[str, VariableSpec | None]
    placeholders: Mapping[str, str] = field(default_factory=lambda: FILLS)
    sides: Sequence[str] = ("guard",)


class GameText(msgspec.Struct, forbid_unknown_fields=True):
    """A file that says what a game provides: variables as in a rule file, variables by placeholder, and sides."""

    variables: dict[str, Any] = {}
    placeholders: dict[str, str] = {}
    sides: tuple[str, ...] = ("guard",)


def read_game(path: str | os.PathLike[str]) -> GameOffer:
    """Return what a game provides, as described in a .yaml, .json or .toml file.

    Raises
    ------
    InputError
        The file cannot be read, or has unknown keys or faulty variables: RuleFileError.
    """
    document = read(path)
    given = convert(document, GameText)
    written = Document(document.source, {"variables": given.variables}, document.lines)
    return GameOffer(dict(combined_rules([written]).variables), given.placeholders, given.sides)


def game_faults(database: Database, game: GameOffer, *, known: Sequence[RuleFault] = ()) -> list[RuleFault]:
    """Return what a game cannot use.

    Errors are roles that nobody can have and placeholders that nothing fills: a game refuses such rules. Warnings are
    rules that never fire because the game does not provide what they ask for, or because their side is misspelt.
    `known` are errors found while reading: while parts are missing, it is not certain what rules provide themselves.
    """
    if has_gaps(known):
        fills = {path: VariableSpec(path, "str") for path in game.placeholders.values()}  # may be declared there
        database = msgspec.structs.replace(database, variables=fills | database.variables)
    faults = [*refused_rules(database, game), *_misspelt_sides(database, game.sides)]
    faulty = {(fault.handler, fault.rule) for fault in known}
    unmet = () if has_gaps(known) else _unmet_rules(database, game)
    return faults + [fault for fault in unmet if (fault.handler, fault.rule) not in faulty]


def refused_rules(database: Database, game: GameOffer) -> list[RuleFault]:
    """Return why a game refuses rules that are valid otherwise."""
    faults: list[RuleFault] = []
    try:
        checked_roles(database, game.sides)
    except RuleFileError as error:
        faults += error.faults
    try:
        Placeholders(database, game.placeholders)
    except RuleFileError as error:
        faults += error.faults
    return faults


def _misspelt_sides(database: Database, sides: Sequence[str]) -> Iterator[RuleFault]:
    for name, handler in database.handlers.items():
        side, _, rest = name.partition(".")
        hint = did_you_mean(side, sides)
        if hint and side not in sides and rest.split(".")[0] in KINDS and handler.rules:
            rule = handler.rules[0]
            what = f"no side is called {side!r}{hint}; only agents that name this group under rules: use it"
            yield RuleFault(rule.source, rule.line, name, rule.name, what, "not provided", "warning")


def _unmet_rules(database: Database, game: GameOffer) -> Iterator[RuleFault]:
    rules = [(name, rule) for name in _asked_handlers(database, game.sides) for rule in database.handlers[name].rules]
    kept = {one.variable for handler in database.handlers.values() for rule in handler.rules for one in rule.remember}
    passed = {path for handler in database.handlers.values() for rule in handler.rules for path in _passed(rule)}
    own = kept | passed
    for name, rule in rules:
        for condition in rule.conditions:
            what = "" if condition.variable in own else _unmet(condition, database, game)
            if what:
                what = f"never fires in this game: {what}"
                yield RuleFault(rule.source, rule.line, name, rule.name, what, "not provided", "warning")
                break


def _listed(names: Sequence[str], most: int = 12) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def _passed(rule: Rule) -> Iterable[str]:
    return () if rule.then is None else rule.then.facts


def _unmet(condition: RuleCondition, database: Database, game: GameOffer) -> str:
    """Return why the game never lets a condition hold; empty if it may."""
    path = condition.variable
    if path not in database.variables:
        return ""  # an error of its own
    if path.startswith(CHANCE) or any(one.endswith(".") and path.startswith(one) for one in game.variables):
        return ""
    if path not in game.variables:
        known = [one for one in game.variables if not one.endswith(".")]
        return f"nothing provides {path}{did_you_mean(path, known)}; remember it in a rule, or let the game set it"
    spec, declared = game.variables[path], database.variables[path]
    if spec is None:
        return ""
    kinds = {spec.type, declared.type}
    if len(kinds) > 1 and not kinds <= {"enum", "str"} and not kinds <= {"int", "float"}:
        return f"{path} is declared as {declared.type}, but given as {spec.type}; declare it as {spec.type}"
    if spec.names and condition.operator == "==" and condition.constant not in spec.names:
        hint = did_you_mean(str(condition.constant), spec.names)
        own = "" if spec.type == "enum" else " unless your own trees or code say so"
        return f"{path} is never {condition.constant!r}{own}{hint}; it is one of {_listed(spec.names)}"
    return ""


def _asked_handlers(database: Database, sides: Sequence[str]) -> list[str]:
    """Return the handlers that a game evaluates: barks, moves and achievements, and those that follow-ups ask."""
    waiting = [name for side in sides for kind in KINDS for name in handlers_named(f"{side}.{kind}", database)]
    found: dict[str, None] = {}
    while waiting:
        name = waiting.pop(0)
        if name in found:
            continue
        found[name] = None
        for rule in database.handlers[name].rules:
            if rule.then is not None:
                waiting += handlers_named(rule.then.handler, database)
    return list(found)
