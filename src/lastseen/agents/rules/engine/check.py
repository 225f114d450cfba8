"""Checks of a rule database: errors, and warnings about rules that probably do not do what they should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from ....checks import instance_of, shown
from ....errors import InputError, RuleError
from ..language.faults import RuleFault, faults_of, groups_of, has_gaps
from ..language.rule import Database, Handler, Rule
from .compile import compile_handler
from .line_checks import line_errors, line_warnings
from .reachability import Reach, resting_actions


def check_rules(
    database: Database, *, combined: Iterable[Sequence[str]] = (), known: Sequence[RuleFault] = ()
) -> list[RuleFault]:
    """Return all faults of a database: errors first, then warnings, each ordered by file and line.

    Warnings cover rules that can never fire or are always pre-empted, rules that do nothing, contradicting priorities
    and orders, duplicate actions, lines that are never said or missing in a language, and those that YAML took for
    something else.

    Parameters
    ----------
    combined : groups of handler names to check as one handler. Handlers with a common prefix, such as
        `guard.barks.lose` and `guard.barks.hear`, always form a group.
    known : errors found while reading, if this is the database of a RuleFileError. They are part of the result; rules
        that lack something because of them cause no warnings.
    """
    database = instance_of(database, Database, "database", "give the result of read_rules")
    combined = list(combined) if isinstance(combined, Iterable) else [combined]
    if not all(isinstance(names, list | tuple) and all(isinstance(one, str) for one in names) for names in combined):
        raise InputError(f"combined is {shown(combined)}; give lists of handler names")
    known = list(known) if isinstance(known, Iterable) else [known]
    if not all(isinstance(fault, RuleFault) for fault in known):
        raise InputError(f"known is {shown(known)}; give the faults of a RuleFileError")
    errors = known or faults_of(database) + line_errors(database)
    warnings: list[RuleFault] = []
    unusable = {fault.handler for fault in errors if known or fault.kind in ("type", "unknown variable")}
    unusable |= {name for name, handler in database.handlers.items() if known and not _is_declared(handler, database)}
    # Cooldowns are shared by all speakers, so actions of handlers evaluated separately count too.
    sound = [handler for name, handler in database.handlers.items() if name not in unusable]
    resting = resting_actions((rule for handler in sound for rule in handler.rules), database.line_settings)
    for name, handler in database.handlers.items():
        warnings += _of_rules(handler)
        if name not in unusable:
            warnings += _of_reach(Reach(compile_handler(database, name), database.lines, resting), name)
    together = {" + ".join(names): tuple(names) for names in combined}
    for title, names in (together | groups_of(database)).items():
        if not unusable & set(names):
            warnings += _of_combination(database, names, title, set(warnings), resting)
    warnings += line_warnings(database)
    faults = dict.fromkeys([*errors, *(_certain(warnings, known) if known else warnings)])
    return sorted(faults, key=lambda fault: (fault.severity != "error", fault.source, fault.line))


def _is_declared(handler: Handler, database: Database) -> bool:
    return all(one.variable in database.variables for rule in handler.rules for one in rule.conditions)


def _certain(warnings: Iterable[RuleFault], known: Sequence[RuleFault]) -> Iterator[RuleFault]:
    """Yield the warnings that do not follow from parts left out because of errors."""
    faulty = {(fault.handler, fault.rule) for fault in known if fault.rule}
    doubtful = {"unused line"} if has_gaps(known) else set()
    doubtful |= {"missing language"} if any(fault.kind == "line" for fault in known) else set()
    for one in warnings:
        is_repeated = one.severity == "error"  # reading found it too
        if one.kind == "misread line" or not (one.kind in doubtful or is_repeated or (one.handler, one.rule) in faulty):
            yield one


def _warning(rule: Rule, handler: str, kind: str, what: str, bare: str = "") -> RuleFault:
    return RuleFault(rule.source, rule.line, handler, rule.name, what, kind, "warning", bare)


def _of_rules(handler: Handler) -> Iterator[RuleFault]:
    seen: dict[str, Rule] = {}
    alike: dict[tuple[int, int, tuple[str, ...]], Rule] = {}  # by priority, tier and conditions
    for rule in handler.rules:
        if rule.name in seen:
            what, bare = (f"has the same name as {at(seen[rule.name])}; rename one" for at in (_at, _name))
            yield RuleFault(rule.source, rule.line, handler.name, rule.name, what, "duplicate", bare=bare)
        seen.setdefault(rule.name, rule)
        if not (rule.actions or rule.remember or rule.then):
            yield _warning(rule, handler.name, "does nothing", "has no action, fact or follow-up; add one")
        if rule.priority and handler.order != "priority":
            what = f"has a priority, but the order of {handler.name} is {handler.order!r}; write `order: priority`"
            yield _warning(rule, handler.name, "order", what)
        for text, count in Counter(msgspec.json.encode(action) for action in rule.actions).items():
            if count > 1:
                what = f"{text.decode()[:60]} occurs {count} times among its actions; keep one"
                yield _warning(rule, handler.name, "duplicate action", what)
        rank = (rule.priority, rule.tier, tuple(sorted(map(str, rule.conditions))))
        if handler.order != "original" and rank in alike:
            other = alike[rank]
            what = f"has the same rank and conditions as {other.name!r}, so only file order decides; "
            yield _warning(rule, handler.name, "order", what + "give one a priority, or merge their actions")
        alike.setdefault(rank, rule)


def _of_reach(reach: Reach, name: str) -> Iterator[RuleFault]:
    handler = reach.handler
    for number, variable in reach.contradicting.items():
        rule = handler.rules[number]
        asked = [str(one) for one in rule.conditions if one.variable == handler.variables[variable]]
        cannot = "cannot hold together" if len(asked) > 1 else "cannot ever hold"
        what = f"can never fire: {' and '.join(asked)} {cannot}{_unused(rule)}"
        yield _warning(rule, name, "never fires", what)
    for number, others in reach.covered.items():
        rule = handler.rules[number]
        named = (" or ".join(at(handler.rules[other]) for other in others) for at in (_at, _name))
        what = "is never reached: whenever it could fire, {} fires first" + _unused(rule)
        yield _warning(rule, name, "shadowed", *map(what.format, named))


def _unused(rule: Rule) -> str:
    count = len(rule.actions)
    return f"; its {count} action{'s are' if count > 1 else ' is'} never executed" if count else ""


def _at(rule: Rule) -> str:
    return f"{rule.name!r} ({rule.source}:{rule.line})" if rule.line else _name(rule)


def _name(rule: Rule) -> str:
    return repr(rule.name)


def _of_combination(
    database: Database, names: tuple[str, ...], title: str, known: set[RuleFault], resting: frozenset[bytes]
) -> Iterator[RuleFault]:
    try:
        compiled = compile_handler(database, *names)
    except RuleError as error:
        yield RuleFault(database.source, 0, title, "", str(error), "unknown handler")
        return
    orders = {name: database.handlers[name].order for name in names}
    if len(set(orders.values())) > 1:
        words = ", ".join(f"{name} wants {order!r}" for name, order in orders.items())
        what = f"orders contradict: {words}; the order of {names[0]} applies to all"
        yield RuleFault(database.source, 0, title, "", what, "order", "warning")
    alone = {(fault.source, fault.line, fault.rule, fault.kind) for fault in known}
    for fault in _of_reach(Reach(compiled, database.lines, resting), title):
        if (fault.source, fault.line, fault.rule, fault.kind) not in alone:
            yield fault
