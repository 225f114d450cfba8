"""Variables bound to attributes, methods, records of knowledge, mappings, constants and what designers set."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.knowledge.knowledge import Knowledge
from lastseen.agents.rules.engine.compile import compile_handler
from lastseen.agents.rules.engine.engine import Engine
from lastseen.agents.rules.files.read import parse_rules
from lastseen.agents.rules.language.bindings import Attribute, Bindings, Constant, Entry, Method, Recollection, Record
from lastseen.agents.rules.language.rule import VariableSpec
from lastseen.errors import LastSeenError, RuleError

DATABASE = parse_rules("""
variables:
  npc.health: float
  npc.alone: bool
  npc.strength: int
  target.age: float
  target.how: {enum: [sight, sound, told, touch]}
  target.known: bool
  place.kind: str
  world.gravity: float
  level.chaos: {enum: [LOW, HIGH]}
handlers:
  barks:
    rules:
      - {name: hurt, when: [npc.health < 0.5, npc.alone], say: Help!}
      - {name: hurt among friends, when: [npc.health < 0.5, target.known], say: Cover me!}
      - {name: chaos, when: [level.chaos == HIGH, place.kind == yard, target.age < 3], say: There!}
      - {name: fine, when: npc.health >= 0.5, say: All quiet.}
""")


class Guard:
    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.body = self
        self.arms = {"sword": 3}

    @property
    def health(self) -> float:
        self.calls["health"] += 1
        return 0.3

    def is_alone(self) -> bool:
        self.calls["is_alone"] += 1
        return False

    def strength(self, weapon: str) -> int:
        return self.arms[weapon]


def recollection(*, seen: bool) -> Recollection:
    knowledge = Knowledge(bodies([(0, 0), (3, 4)], team=[0, 1]), [0], [1])
    if seen:
        knowledge.touch(0, 0, bodies([(0, 0), (3, 4)], team=[0, 1]), 2.0)
    return Recollection(knowledge, 0, 0, 5.5)


def bound() -> Bindings:
    bindings = Bindings(DATABASE)
    bindings.bind("npc.health", Attribute("body.health"))
    bindings.bind("npc.alone", Method("is_alone"))
    bindings.bind("npc.strength", Method("strength", ("sword",)))
    bindings.bind("target.age", Record("age"))
    bindings.bind("target.how", Record("source"))
    bindings.bind("target.known", Record("known"))
    bindings.bind("place.kind", Entry())
    bindings.bind("world.gravity", Constant(9.81))
    bindings.set("level.chaos", "LOW")
    return bindings


def test_each_source_is_read() -> None:
    guard = Guard()
    facts = bound().facts(npc=guard, target=recollection(seen=True), place={"kind": "yard"})
    paths = ("npc.health", "npc.alone", "npc.strength", "target.age", "target.how", "target.known", "place.kind")
    assert [facts(path) for path in paths] == [0.3, False, 3, 3.5, "touch", True, "yard"]
    assert (facts("world.gravity"), facts("level.chaos")) == (9.81, "LOW")


def test_what_is_not_there_is_not_known() -> None:
    facts = bound().facts(npc=None, target=recollection(seen=False), place={})
    assert [facts(path) for path in ("npc.health", "npc.alone", "target.age", "place.kind", "random.d6")] == [None] * 5
    assert facts("target.known") is False
    assert bound().facts(target=None)("target.known") is False


def test_records_know_the_distance_between_both_when_it_was_known() -> None:
    bindings = Bindings(DATABASE)
    bindings.bind("target.age", Record("distance"))
    bindings.bind("npc.health", Record("certainty", of="target"))
    facts = bindings.facts(target=recollection(seen=True))
    assert (facts("target.age"), facts("npc.health")) == (5.0, 1.0)


def test_variables_are_read_only_if_a_rule_that_could_fire_needs_them_and_once() -> None:
    engine, guard = Engine(compile_handler(DATABASE, "barks")), Guard()
    fired = engine.evaluate(bound().facts(npc=guard, target=recollection(seen=True), place={}))
    assert fired is not None
    assert fired.rule.name == "hurt among friends"
    assert guard.calls == {"health": 1, "is_alone": 1}
    assert list(fired.facts) == ["npc.health", "npc.alone", "target.known"]


def test_facts_of_the_occasion_go_before_all_sources() -> None:
    guard = Guard()
    facts = bound().facts({"npc.health": 0.9}, npc=guard)
    assert facts("npc.health") == 0.9
    assert not guard.calls


def test_a_source_that_raises_makes_its_rules_not_match_and_is_reported_once_with_its_path() -> None:
    bindings, calls = bound(), Counter[str]()

    def broken(roots: Any) -> float:
        calls["broken"] += 1
        raise ZeroDivisionError("no health")

    bindings.bind("npc.health", broken, again=True)
    bindings.set("level.chaos", "HIGH")
    engine = Engine(compile_handler(DATABASE, "barks"))
    for _ in range(3):
        fired = engine.evaluate(bindings.facts(npc=Guard(), target=recollection(seen=True), place={"kind": "yard"}))
        assert fired is None  # known for 3.5 s: no rule is left
    assert engine.complaints == {"npc.health": "ZeroDivisionError: no health"}
    assert calls["broken"] == 3


def test_an_object_that_was_not_given_is_named() -> None:
    with pytest.raises(RuleError, match=r"npc\.health is read from 'npc', which is missing; give npc="):
        bound().facts(place={})("npc.health")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda it: it.bind("npc.helth", Constant(1.0)), "no variable 'npc.helth' (did you mean 'npc.health'?)"),
        (lambda it: it.bind("npc.health", Constant(1.0)), "npc.health is already bound"),
        (lambda it: it.set("npc.health", "high"), "npc.health is a number"),
        (lambda it: it.set("level.chaos", "HIHG"), "is never 'HIHG' (did you mean 'HIGH'?)"),
        (lambda it: it.set("npc.health", None), "give a boolean, a number or text"),
        (lambda it: it.bind("npc.health", 3, again=True), "give Attribute(…)"),
        (lambda it: it.facts([]), "give values by path"),
        (lambda it: Record("agee"), "records have no field 'agee' (did you mean 'age'?)"),
        (lambda it: Attribute(""), "is empty"),
        (lambda it: Attribute("health", of=3), "of is 3; give text"),
        (lambda it: Method("health", of=3), "of is 3; give text"),
        (lambda it: Entry(of=3), "of is 3; give text"),
        (lambda it: Record("x", of=3), "of is 3; give text"),
        (lambda it: Bindings({"a": 1}), "give a database"),
        (lambda it: Recollection(recollection(seen=True).knowledge, 1, 0, 0.0), "there are 1 observers, 1 targets"),
    ],
)
def test_what_cannot_be_bound_is_said(call: Any, words: str) -> None:
    with pytest.raises(LastSeenError) as caught:
        call(bound())
    assert words in str(caught.value)


def test_variables_without_a_source_are_listed() -> None:
    bindings = Bindings(DATABASE.variables)
    bindings.bind("npc.health", Constant(1))
    assert "npc.health" not in bindings.unbound
    assert "npc.alone" in bindings.unbound
    assert bound().unbound == ()


def test_an_object_with_nearly_the_name_of_one_that_is_read_from_is_refused() -> None:
    bindings = Bindings({"npc.health": VariableSpec("npc.health", "float"), "chaos": VariableSpec("chaos", "float")})
    bindings.bind("npc.health", Attribute("health"))
    bindings.bind("chaos", Attribute("chaos", of="level"))
    with pytest.raises(RuleError, match=r"nothing is read from 'ncp' \(did you mean 'npc'\?\); give level=…, npc=…"):
        bindings.facts(ncp=object())
    assert bindings.facts(npc=object(), ncp=object(), target=object())
    bindings.set("npc.health", 1.0)
    assert bindings.facts(ncp=object())("npc.health") == 1.0
