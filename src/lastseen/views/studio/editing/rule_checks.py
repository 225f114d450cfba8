"""Answer questions about rules being edited: their faults, their order, and which one fires."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ....agents.rules.engine.check import check_rules
from ....agents.rules.engine.compile import CompiledHandler, compile_handler
from ....agents.rules.engine.explanation import Explanation, Verdict, explain
from ....agents.rules.files.read import combined_rules
from ....agents.rules.language.faults import RuleFault, RuleFileError
from ....agents.rules.language.rule import Database, Rule
from ....agents.rules.speech.game_checks import game_faults
from ....errors import InputError, RuleError
from ....simulation.world.speech_setup import shipped_game
from ....textfile import Document
from ..protocol import replies
from ..protocol.replies import AskRules, RuleValues

TRIGGER = "bark.trigger"
"""The variable that holds the trigger."""
MOST_FAULTS = 500
"""Maximum number of faults reported at once."""
Steps = tuple[str | int, ...]


class _NumberedFiles:
    """Files whose "lines" are places: every value has a number, by which faults name it exactly."""

    def __init__(self, files: Sequence[RuleValues]):
        if len({file.name for file in files}) < len(files):
            raise InputError("a file is given twice; give each once")
        self._paths = {file.name: list(_paths(file.value)) for file in files}
        self.documents = [
            Document(file.name, file.value, {path: number for number, path in enumerate(self._paths[file.name], 1)})
            for file in files
        ]

    def place(self, source: str, line: int) -> Steps | None:
        """Return the path of the value that a fault or a rule refers to."""
        paths = self._paths.get(source, [])
        return paths[line - 1] if 0 < line <= len(paths) else None

    def of_rule(self, rule: Rule) -> dict[str, Any]:
        """Return where a rule is: file, handler, index among the rules."""
        path = self.place(rule.source, rule.line) or ("handlers", "", "rules", 0)
        return {"file": rule.source, "handler": path[1], "number": path[3]}


def _paths(value: Any, path: Steps = ()) -> Iterator[Steps]:
    """Yield the places of all values, outer ones first."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, one in inner:
        yield from _paths(one, (*path, step))


def _database(files: _NumberedFiles) -> Database:
    if not files.documents:
        raise InputError("there are no rules; add some")
    return combined_rules(files.documents)


def check_answer(asked: AskRules) -> replies.CheckedRules:
    """Return the faults, errors first: those of `lastseen rules check`, each with file, rule and key.

    The facts asked with are those that the scenario of the game sets.
    """
    files = _NumberedFiles(asked.files)
    known: tuple[RuleFault, ...] = ()
    try:
        database = _database(files)
    except RuleFileError as error:
        if error.database is None:
            raise
        database, known = error.database, error.faults
    faults = check_rules(database, known=known) + game_faults(database, shipped_game(asked.facts), known=known)
    faults.sort(key=lambda fault: fault.severity != "error")
    count = 0 if known else sum(len(handler.rules) for handler in database.handlers.values())
    return replies.CheckedRules(rules=count, faults=[_plain(one, files) for one in faults[:MOST_FAULTS]])


def _plain(fault: RuleFault, files: _NumberedFiles) -> replies.RuleFault:
    path, what = files.place(fault.source, fault.line), fault.bare or fault.what
    return replies.RuleFault(fault.severity, fault.kind, what, fault.source, fault.handler, fault.rule, path)


def _compiled(database: Database, handlers: Sequence[str]) -> CompiledHandler:
    names = list(handlers) or list(database.handlers)[:1]
    if not names:
        raise InputError("these rules have no handlers; add one")
    return compile_handler(database, *names)


def sorted_answer(asked: AskRules) -> replies.SortedRules | replies.FaultyRules:
    """Return the rules of some handlers, combined, in the order they are tried; or a fault that prevents it."""
    files = _NumberedFiles(asked.files)
    try:
        compiled = _compiled(_database(files), asked.handlers)
    except RuleError as error:
        return _faulty(error)
    lists = compiled.list_of.tolist()
    sharing: dict[int, list[str]] = {}
    for number, rule in enumerate(compiled.rules):
        sharing.setdefault(lists[number], []).append(rule.name)
    rows = [
        replies.RuleRow(
            **files.of_rule(rule),
            name=rule.name,
            priority=rule.priority,
            tier=rule.tier,
            when=[str(one) for one in rule.conditions],
            actions=len(rule.actions),
            policy=compiled.lists[lists[number]].policy,
            shares=[name for name in sharing[lists[number]] if name != rule.name][:5] if rule.actions else [],
        )
        for number, rule in enumerate(compiled.rules)
    ]
    return replies.SortedRules(handlers=compiled.name, lists=len(compiled.lists), rules=rows)


def why_answer(asked: AskRules) -> replies.WhyRules | replies.FaultyRules:
    """Return which rule fires for some facts, and for every other one the first condition that failed."""
    files = _NumberedFiles(asked.files)
    try:
        explanation = explain(_compiled(_database(files), asked.handlers), asked.facts)
    except RuleError as error:
        return _faulty(error)
    fired = explanation.fired
    near = [one.number for one in near_verdicts(explanation)]
    rows = [
        replies.RuleOutcome(
            **files.of_rule(one.rule),
            name=one.rule.name,
            state="fires" if one is fired else "holds" if one.holds else "fails",
            reason=explanation.reason(one),
            near=near.index(one.number) if one.number in near else None,
        )
        for one in explanation.verdicts
    ]
    return replies.WhyRules(fired=fired.rule.name if fired else None, rules=rows)


def near_verdicts(explanation: Explanation, most: int = 8) -> list[Verdict]:
    """Return the rules that were closest to firing; rules for another trigger do not count."""
    return [
        one
        for one in explanation.near_misses(len(explanation.verdicts))
        if not any(failure.condition.variable == TRIGGER for failure in one.failures)
    ][:most]


def _faulty(error: RuleError) -> replies.FaultyRules:
    first = error.faults[0] if isinstance(error, RuleFileError) else error
    words = f"rule {first.rule!r}: {first.what}" if isinstance(first, RuleFault) and first.rule else str(first)
    return replies.FaultyRules(message=f"Fix the faults first. {words}")
