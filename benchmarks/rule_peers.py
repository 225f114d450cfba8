"""The same rules in other engines: each answers which rule comes first for some facts, -1: none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lastseen.agents.rules.engine.compile import CompiledHandler
from lastseen.agents.rules.language.rule import Database, RuleCondition

Facts = dict[str, Any]


class Peer(NamedTuple):
    """An engine that holds the rules of a handler."""

    prepare: Callable[[Facts], Any]
    """Return facts as the engine takes them: done beforehand, not timed."""
    ask: Callable[[Any], int]
    """Return the number of the first rule that holds for prepared facts, or -1."""


Make = Callable[[Database, CompiledHandler], Peer]


def makers() -> dict[str, Make]:
    """Return who hands rules to which engine, by the name of its package."""
    return {"rule-engine": _rule_engine, "clipspy": _clips, "zen-engine": _zen, "durable_rules": _durable}


def _flat(path: str) -> str:
    return path.replace(".", "_")


def _comparable(value: Any, path: str, database: Database) -> Any:
    """Enumerations are compared by their place."""
    spec = database.variables[path]
    return spec.names.index(value) if spec.type == "enum" else value


def _flat_facts(database: Database) -> Callable[[Facts], Facts]:
    return lambda facts: {_flat(path): _comparable(value, path, database) for path, value in facts.items()}


def _rule_engine(database: Database, handler: CompiledHandler) -> Peer:
    import rule_engine

    def text(one: RuleCondition) -> str:
        constant = _comparable(one.constant, one.variable, database)
        word = str(constant).lower() if isinstance(constant, bool) else repr(constant)
        return f"{_flat(one.variable)} {one.operator} {word}"

    rules = [rule_engine.Rule(" and ".join(map(text, rule.conditions)) or "true") for rule in handler.rules]

    def ask(thing: Facts) -> int:
        return next((number for number, rule in enumerate(rules) if rule.matches(thing)), -1)

    return Peer(_flat_facts(database), ask)


def _clips(database: Database, handler: CompiledHandler) -> Peer:
    import clips

    environment = clips.Environment()
    slots = " ".join(f"(slot {_flat(path)})" for path in database.variables)
    environment.build(f"(deftemplate facts {slots})")
    environment.build("(defglobal ?*found* = -1)")

    def plain(value: Any, path: str) -> Any:
        value = _comparable(value, path, database)
        return value if isinstance(value, str | bool) else float(value)

    def constraint(one: RuleCondition) -> str:
        constant = plain(one.constant, one.variable)
        if isinstance(constant, bool):
            word = "TRUE" if constant else "FALSE"
        else:
            word = f'"{constant}"' if isinstance(constant, str) else repr(constant)
        if one.operator in ("==", "!="):
            return word if one.operator == "==" else f"~{word}"
        return f"?{_flat(one.variable)}&:({one.operator} ?{_flat(one.variable)} {word})"

    for number, rule in enumerate(handler.rules):
        asked: dict[str, list[str]] = {}
        for one in rule.conditions:
            asked.setdefault(one.variable, []).append(constraint(one))
        pattern = " ".join(f"({_flat(path)} {'&'.join(parts)})" for path, parts in asked.items())
        environment.build(
            f"(defrule r{number} (declare (salience {5000 - number})) (facts {pattern})"
            f" => (bind ?*found* {number}) (halt))"
        )
    template, found = environment.find_template("facts"), environment.find_global("found")

    def prepare(facts: Facts) -> Facts:
        return {_flat(path): plain(value, path) for path, value in facts.items()}

    def ask(thing: Facts) -> int:
        environment.reset()
        template.assert_fact(**thing)
        environment.run(1)
        return int(found.value)

    return Peer(prepare, ask)


def _zen(database: Database, handler: CompiledHandler) -> Peer:
    import json

    import zen

    paths = list(database.variables)
    inputs = [{"id": _flat(path), "name": path, "type": "expression", "field": _flat(path)} for path in paths]
    rows = []
    for number, rule in enumerate(handler.rules):
        row = {"_id": str(number), "out": str(number)}
        for path in paths:
            asked = [one for one in rule.conditions if one.variable == path]
            row[_flat(path)] = " and ".join(_zen_cell(one, database) for one in asked)
        rows.append(row)
    table = {
        "hitPolicy": "first",
        "inputs": inputs,
        "outputs": [{"id": "out", "name": "number", "type": "expression", "field": "number"}],
        "rules": rows,
    }
    nodes = [
        {"id": "in", "type": "inputNode", "name": "in"},
        {"id": "table", "type": "decisionTableNode", "name": "table", "content": table},
        {"id": "out", "type": "outputNode", "name": "out"},
    ]
    edges = [
        {"id": "1", "type": "edge", "sourceId": "in", "targetId": "table"},
        {"id": "2", "type": "edge", "sourceId": "table", "targetId": "out"},
    ]
    decision = zen.ZenEngine().create_decision(zen.ZenDecisionContent(json.dumps({"nodes": nodes, "edges": edges})))

    def ask(thing: Facts) -> int:
        result = decision.evaluate(thing)["result"]
        return int(result["number"]) if result else -1

    return Peer(_flat_facts(database), ask)


def _zen_cell(one: RuleCondition, database: Database) -> str:
    constant = _comparable(one.constant, one.variable, database)
    word = (
        str(constant).lower()
        if isinstance(constant, bool)
        else f"'{constant}'"
        if isinstance(constant, str)
        else constant
    )
    return f"$ {one.operator} {word}"


_DURABLE = {"!=": "$neq", "<": "$lt", "<=": "$lte", ">": "$gt", ">=": "$gte"}


def _durable(database: Database, handler: CompiledHandler) -> Peer:
    from durable.engine import Host, MessageNotHandledException

    fired: list[int] = []

    def action(number: int) -> Callable[[Any], None]:
        return lambda _: fired.append(number)  # one argument: a second would be a callback to it

    def pattern(one: RuleCondition) -> dict[str, Any]:
        pair = {_flat(one.variable): _comparable(one.constant, one.variable, database)}
        return pair if one.operator == "==" else {_DURABLE[one.operator]: pair}

    rules = {
        f"r{number}": {
            "all": [{"m": {"$and": [pattern(one) for one in rule.conditions]}}],
            "pri": number,
            "run": action(number),
        }
        for number, rule in enumerate(handler.rules)
    }
    host = Host()
    host.set_rulesets({"rules": rules})

    def ask(thing: Facts) -> int:
        fired.clear()
        try:
            host.post("rules", dict(thing))  # it writes into what it is given
        except MessageNotHandledException:
            return -1
        return fired[0] if fired else -1

    return Peer(_flat_facts(database), ask)
