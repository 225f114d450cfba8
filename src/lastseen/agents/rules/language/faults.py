"""Faults of a rule database: types, names and follow-ups, each with its position in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from ....errors import RuleError, did_you_mean
from .lines import LINE_ID, line_of, placeholders
from .rule import Database, Rule, RuleCondition, checked_condition, holds


@dataclass(frozen=True)
class RuleFault:
    """One fault of a rule database: its file, line and rule, and what is wrong.

    Attributes
    ----------
    source, line : file and line, 0 if none.
    handler, rule : names; empty if the fault concerns neither.
    kind : a stable word for programs: "type", "unknown variable", "never fires" …
    severity : "error" if the rules cannot be used; "warning" if they can but probably not as intended.
    bare : `what` without lines of files, for an editor that shows none; empty: the same.
    """

    source: str
    line: int
    handler: str
    rule: str
    what: str
    kind: str = "form"
    severity: str = "error"
    bare: str = ""

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}" if self.line else self.source
        rule = f"rule {self.rule!r} of {self.handler}" if self.rule else self.handler
        return ": ".join(part for part in (place, rule, self.what) if part)


class RuleFileError(RuleError):
    """Error for unusable rules; `faults` holds every fault found, not only the first.

    `database` holds all that could be read, for further checks; None if nothing was read.
    """

    def __init__(self, faults: Sequence[RuleFault], database: Database | None = None):
        self.faults, self.database = tuple(faults), database
        lines = [str(fault) for fault in self.faults]
        super().__init__(lines[0] if len(lines) == 1 else "\n  ".join([f"{len(lines)} faults in rules:", *lines]))


LineOf = Callable[[str, int, tuple[str | int, ...]], int]
"""Returns the line number of a part of a rule: handler, index of the rule as written, path inside the rule."""

Node = tuple[str, int]


def has_gaps(faults: Iterable[RuleFault]) -> bool:
    """Return whether rules with these faults may lack parts that say, remember or declare something."""
    return any(fault.kind == "form" for fault in faults)


def faults_of(database: Database, line_of_part: LineOf | None = None) -> list[RuleFault]:
    """Return every fault that makes a database unusable.

    Faults are conditions and facts that do not fit their variables, missing handlers and lines, and follow-ups that
    would repeat for ever.
    """
    faults: list[RuleFault] = []
    for handler in database.handlers.values():
        for number, rule in enumerate(handler.rules):
            for path, kind, what in _of_rule(rule, database):
                line = line_of_part(handler.name, number, path) if line_of_part else rule.line
                faults.append(RuleFault(rule.source, line, handler.name, rule.name, what, kind))
    return faults + _rounds(database)


Found = Iterator[tuple[tuple[str | int, ...], str, str]]
"""Path inside a rule, kind of fault, description."""


def _of_rule(rule: Rule, database: Database) -> Found:
    for place, condition in enumerate(rule.conditions):
        yield from _misfit(("when", place), condition, database)
    for memory in rule.remember:
        yield from _misfit(("remember", memory.variable), RuleCondition(memory.variable, "==", memory.value), database)
    if rule.then is not None:
        if rule.then.handler not in database.handlers:
            hint = did_you_mean(rule.then.handler, database.handlers)
            known = ", ".join(list(database.handlers)[:20])
            yield ("then", "handler"), "unknown handler", f"no handler {rule.then.handler!r}{hint}; there are {known}"
        for variable, value in rule.then.facts.items():
            yield from _misfit(("then", "facts", variable), RuleCondition(variable, "==", value), database)
    try:
        msgspec.msgpack.encode(rule)
    except (OverflowError, UnicodeEncodeError, TypeError, RecursionError) as error:
        yield ("say",), "type", f"has actions that cannot be stored: {error}; write plain text and numbers"
    for place, action in enumerate(rule.actions if rule.says else ()):
        yield from _misspoken(("say", place), action, database)


def _misfit(path: tuple[str | int, ...], condition: RuleCondition, database: Database) -> Found:
    try:
        checked_condition(condition, database.variables)
    except RuleError as error:
        yield path, "type" if condition.variable in database.variables else "unknown variable", str(error)


def _misspoken(path: tuple[str | int, ...], action: Any, database: Database) -> Found:
    """Check that a text in the form of a line id names an existing line, if there are lines at all."""
    if not isinstance(action, str) or line_of(database.lines, action) is not None:
        return
    if database.lines and LINE_ID.fullmatch(action):
        yield path, "unknown line", f"no line {action!r}{did_you_mean(action, database.lines)}; add it under `lines`"
        return
    try:
        placeholders(action)
    except RuleError as error:
        yield path, "line", str(error)


def _rounds(database: Database) -> list[RuleFault]:
    """Find rules whose follow-ups can lead back to themselves."""
    nodes = {
        (handler.name, number): rule
        for handler in database.handlers.values()
        for number, rule in enumerate(handler.rules)
        if rule.then is not None
    }
    answers = {node: _answers(rule, database) for node, rule in nodes.items()}
    faults: list[RuleFault] = []
    done: set[Node] = set()
    for start in nodes:
        trail = _round_from(start, answers, done)
        if trail:
            rule = nodes[trail[0]]
            names = " → ".join(repr(nodes[node].name) for node in (*trail, trail[0]))
            what = f"follow-ups form a cycle: {names}; let one of them end in a rule without `then`"
            faults.append(RuleFault(rule.source, rule.line, trail[0][0], rule.name, what, "cyclic follow-ups"))
    return faults


def _answers(rule: Rule, database: Database) -> list[Node]:
    """Return the rules that may answer a rule and have follow-ups of their own, from all handlers under its name."""
    assert rule.then is not None
    facts = rule.then.facts

    def may_hold(condition: RuleCondition) -> bool:
        spec = database.variables.get(condition.variable)
        return spec is None or condition.variable not in facts or holds(condition, facts[condition.variable], spec)

    return [
        (name, number)
        for name in handlers_named(rule.then.handler, database)
        for number, other in enumerate(database.handlers[name].rules)
        if other.then is not None and all(map(may_hold, other.conditions))
    ]


def handlers_named(name: str, database: Database) -> list[str]:
    """Return the handlers that speech combines under a name: that handler, and all that begin with `name.`."""
    return [each for each in database.handlers if each == name or each.startswith(f"{name}.")]


def groups_of(database: Database) -> dict[str, tuple[str, ...]]:
    """Return the handlers that speech combines, by their common prefix.

    Prefixes are the first two words of each name, as in `guard.barks`, and the handlers of follow-ups.
    """
    asked = [rule.then.handler for handler in database.handlers.values() for rule in handler.rules if rule.then]
    beginnings = [".".join(name.split(".")[:2]) for name in database.handlers]
    found = {name: tuple(handlers_named(name, database)) for name in dict.fromkeys(beginnings + asked)}
    return {name: names for name, names in found.items() if len(names) > 1}


def _round_from(start: Node, answers: dict[Node, list[Node]], done: set[Node]) -> list[Node]:
    """Return a cycle reachable from a rule, empty if there is none; add visited rules to `done`."""
    if start in done:
        return []
    trail, waiting = [start], [iter(answers[start])]
    found: list[Node] = []
    while trail:
        following = next(waiting[-1], None)
        if following is None:
            done.add(trail.pop())
            waiting.pop()
        elif following in trail:
            found = found or trail[trail.index(following) :]
        elif following not in done:
            trail.append(following)
            waiting.append(iter(answers[following]))
    return found
