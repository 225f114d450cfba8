"""The same rules in other engines: each answers which rule comes first for some facts, -1: none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lastseen.agents.rules.compile import CompiledHandler
from lastseen.agents.rules.rule import Condition, Database

Query = Callable[[dict[str, Any]], int]
Make = Callable[[Database, CompiledHandler], Query]


def peer_sides() -> list[tuple[str, str, Make]]:
    """Return name, module and maker of every peer."""
    return [
        ("rule-engine", "rule_engine", _rule_engine),
        ("clipspy", "clips", _clips),
        ("zen-engine", "zen", _zen),
        ("durable_rules", "durable", _durable),
    ]


def _flat(path: str) -> str:
    return path.replace(".", "_")


def _comparable(value: Any, path: str, database: Database) -> Any:
    """Enumerations are compared by their place."""
    spec = database.variables[path]
    return spec.names.index(value) if spec.type == "enum" else value


def _rule_engine(database: Database, handler: CompiledHandler) -> Query:
    import rule_engine

    def text(one: Condition) -> str:
        constant = _comparable(one.constant, one.variable, database)
        word = str(constant).lower() if isinstance(constant, bool) else repr(constant)
        return f"{_flat(one.variable)} {one.operator} {word}"

    rules = [rule_engine.Rule(" and ".join(map(text, rule.conditions)) or "true") for rule in handler.rules]

    def query(facts: dict[str, Any]) -> int:
        thing = {_flat(path): _comparable(value, path, database) for path, value in facts.items()}
        return next((number for number, rule in enumerate(rules) if rule.matches(thing)), -1)

    return query


_CLIPS = {"==": "eq", "!=": "neq", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def _clips(database: Database, handler: CompiledHandler) -> Query:
    import clips

    environment = clips.Environment()
    slots = " ".join(f"(slot {_flat(path)})" for path in database.variables)
    environment.build(f"(deftemplate facts {slots})")
    environment.build("(deftemplate found (slot number))")

    def word(value: Any, path: str) -> str:
        value = _comparable(value, path, database)
        if isinstance(value, str):
            return f'"{value}"'
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        return repr(float(value))

    for number, rule in enumerate(handler.rules):
        bound = {one.variable: f"?v{place}" for place, one in enumerate(rule.conditions)}
        pattern = " ".join(f"({_flat(path)} {name})" for path, name in bound.items())
        tests = "".join(
            f" (test ({_CLIPS[one.operator]} {bound[one.variable]} {word(one.constant, one.variable)}))"
            for one in rule.conditions
        )
        environment.build(
            f"(defrule r{number} (declare (salience {5000 - number})) (facts {pattern}){tests}"
            f" => (assert (found (number {number}))) (halt))"
        )

    def query(facts: dict[str, Any]) -> int:
        environment.reset()
        given = " ".join(f"({_flat(path)} {word(value, path)})" for path, value in facts.items())
        environment.assert_string(f"(facts {given})")
        environment.run(1)
        return next((int(one["number"]) for one in environment.facts() if one.template.name == "found"), -1)

    return query


def _zen(database: Database, handler: CompiledHandler) -> Query:
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
    decision = zen.ZenEngine().create_decision(json.dumps({"nodes": nodes, "edges": edges}))

    def query(facts: dict[str, Any]) -> int:
        thing = {_flat(path): _comparable(value, path, database) for path, value in facts.items()}
        result = decision.evaluate(thing)["result"]
        return int(result["number"]) if result else -1

    return query


def _zen_cell(one: Condition, database: Database) -> str:
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


def _durable(database: Database, handler: CompiledHandler) -> Query:
    from durable.engine import Host, MessageNotHandledException

    fired: list[int] = []

    def action(number: int) -> Callable[[Any], None]:
        return lambda _: fired.append(number)  # one argument: a second would be a callback to it

    def pattern(one: Condition) -> dict[str, Any]:
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

    def query(facts: dict[str, Any]) -> int:
        fired.clear()
        try:
            host.post("rules", {_flat(path): _comparable(value, path, database) for path, value in facts.items()})
        except MessageNotHandledException:
            return -1
        return fired[0] if fired else -1

    return query
