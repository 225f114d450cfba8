"""Rules that can never fire or are never reached, the other faults a check finds, and explanations."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.rules.engine.check import check_rules
from lastseen.agents.rules.engine.compile import compile_handler
from lastseen.agents.rules.engine.engine import Engine
from lastseen.agents.rules.engine.explanation import explain
from lastseen.agents.rules.engine.reachability import Reach
from lastseen.agents.rules.files.read import parse_rules
from lastseen.agents.rules.language import faults
from lastseen.agents.rules.language.rule import (
    OPERATORS,
    Database,
    FollowUp,
    Handler,
    Rule,
    RuleCondition,
    VariableSpec,
    holds,
    parse_condition,
)
from lastseen.agents.rules.speech.game_checks import game_faults
from lastseen.simulation.world.speech_setup import shipped_game

VARIABLES = {
    "kind": VariableSpec("kind", "enum", ("A", "B", "C")),
    "health": VariableSpec("health", "float"),
    "friends": VariableSpec("friends", "int"),
    "armed": VariableSpec("armed", "bool"),
    "gang": VariableSpec("gang", "str"),
    "random.d6": VariableSpec("random.d6", "int"),
}


def rule(name: str, *when: str, say: tuple[Any, ...] = ("x",), **more: Any) -> Rule:
    return Rule(name, tuple(map(parse_condition, when)), say, **more)


def database(*rules: Rule, **more: Any) -> Database:
    return Database(VARIABLES, {"h": Handler("h", rules, **more)})


def kinds(given: Database, **more: Any) -> list[tuple[str, str]]:
    return [(fault.rule, fault.kind) for fault in check_rules(given, **more)]


@pytest.mark.parametrize(
    "when",
    [
        ("health < 0.5", "health > 0.5"),
        ("kind == A", "kind == B"),
        ("kind < A",),
        ("kind != A", "kind != B", "kind != C"),
        ("friends > 2", "friends < 3"),
        ("armed", "not armed"),
        ("gang == crows", "gang == rooks"),
        ("random.d6 > 6",),
        ("random.d6 < 1",),
    ],
)
def test_conditions_that_contradict_are_found(when: tuple[str, ...]) -> None:
    given = database(rule("never", *when))
    assert kinds(given) == [("never", "never fires")]
    assert str(parse_condition(when[0])) in check_rules(given)[0].what


@pytest.mark.parametrize(
    "when", [("health < 0.5", "health > 0.4"), ("friends > 1", "friends < 3"), ("gang != a", "gang != b")]
)
def test_conditions_that_go_together_are_not_reported(when: tuple[str, ...]) -> None:
    assert kinds(database(rule("may", *when))) == []


def test_a_rule_behind_wider_ones_is_found() -> None:
    assert kinds(database(rule("wide", "health < 0.5"), rule("narrow", "health < 0.2", "armed"))) == [
        ("narrow", "shadowed")
    ]
    halves = database(rule("low", "health < 0.5"), rule("high", "health >= 0.5"), rule("any", "health != 7"))
    assert kinds(halves) == [("any", "shadowed")]
    assert "'low' or 'high'" in check_rules(halves)[0].what


@pytest.mark.parametrize("more", [{"cooldown": 5.0}, {"policy": "shuffle once"}])
def test_rules_that_rest_or_are_used_up_leave_others_their_turn(more: dict[str, Any]) -> None:
    assert kinds(database(rule("first", "armed", **more), rule("then", "armed"))) == []


def test_a_rule_without_conditions_is_not_hidden_by_rules_that_need_to_know() -> None:
    assert kinds(database(rule("yes", "armed"), rule("no", "not armed"), rule("unknown"))) == []


SIDES = """
variables: {hurt: bool, ask.name: str}
handlers:
  a.barks:
    rules:
      - {name: first, when: hurt, FIRST}
      - {name: second, when: hurt, say: Alone.}
  a.answers: {rules: [{name: yes, say: Yes.}]}
lines: {who.1: {en: "{name}!", de: "He {name}!"}}
"""


@pytest.mark.parametrize(
    ("first", "covers"),
    [
        ("say: Here?", True),
        ("say: Here?, then: {handler: a.answers}", False),  # nobody may be there
        ('say: ["You, {name}?"]', False),  # nobody may know the name
        ("say: who.1", False),
        ('say: [who.1, "Here?"]', True),
        ("do: {wave: 1}", True),
        ("remember: {hurt: false}", True),
        ("remember: {hurt: false}, cooldown: 3", True),  # nothing that could rest
        ("remember: {hurt: false}, then: {handler: a.answers}", False),
    ],
)
def test_only_rules_that_fire_each_time_they_hold_cover_others(first: str, covers: bool) -> None:
    found = check_rules(parse_rules(SIDES.replace("FIRST", first)))
    assert [fault.rule for fault in found if fault.kind == "shadowed"] == ["second"] * covers


def test_handlers_that_begin_alike_are_checked_as_one() -> None:
    text = """
variables: {hurt: bool}
handlers:
  guard.barks.one: {order: priority, rules: [{name: wide, say: Hm.}]}
  guard.barks.two: {rules: [{name: narrow, when: hurt, say: Ow.}]}
  other.two: {rules: [{name: alone, say: No.}]}
"""
    found = [(fault.handler, fault.rule, fault.kind) for fault in check_rules(parse_rules(text))]
    assert found == [("guard.barks", "", "order")]
    found = check_rules(parse_rules(text.replace("name: wide", "name: wide, priority: 3")))
    assert ("guard.barks", "narrow", "shadowed") in [(fault.handler, fault.rule, fault.kind) for fault in found]


def test_a_rule_whose_action_may_rest_by_another_rules_cooldown_hides_nothing() -> None:
    front, last = rule("front", say=("x", "y")), rule("last", say=("z",))
    resting = rule("resting", "armed", say=("y",), cooldown=5.0)
    assert kinds(database(resting, front, last)) == []
    guard = Engine(compile_handler(database(resting, front, last), "h"))
    told = [guard.evaluate({"armed": armed}, now=0.0) for armed in (True, False, False)]
    assert [one.rule.name for one in told if one] == ["resting", "front", "last"]
    # Also by that of a rule in another handler, as cooldowns are shared; not by one with other actions.
    both = {"h": Handler("h", (front, last)), "other": Handler("other", (resting,))}
    assert kinds(Database(VARIABLES, both)) == []
    other = rule("other", "armed", say=("w",), cooldown=5.0)
    assert kinds(database(other, front, last)) == [("last", "shadowed")]


def test_orders_that_contradict_are_found() -> None:
    assert kinds(database(rule("a", "armed", priority=3))) == [("a", "order")]
    tie = database(rule("a", "armed", cooldown=3.0), rule("b", "armed", say=("y",)), order="conditions")
    assert kinds(tie) == [("b", "order")]
    two = Database(VARIABLES, {"a": Handler("a", (rule("x", "armed"),), "priority"), "b": Handler("b", (rule("y"),))})
    assert kinds(two) == []
    assert kinds(two, combined=[("a", "b")]) == [("", "order")]


def test_combined_handlers_hide_each_others_rules() -> None:
    two = Database(VARIABLES, {"a": Handler("a", (rule("x"),)), "b": Handler("b", (rule("y"),))})
    assert kinds(two, combined=[("a", "b")]) == [("y", "shadowed")]


def test_actions_and_lines_nobody_uses_are_found() -> None:
    found = parse_rules(
        "handlers: {h: {rules: [{name: a, say: [hi.1, hi.1]}, {name: b, do: []}]}}\n"
        "lines: {hi.1: {en: Hi, de: Hallo}, ho.1: {en: Ho}}"
    )
    assert kinds(found) == [
        ("a", "duplicate action"),
        ("b", "does nothing"),
        ("b", "shadowed"),
        ("", "unused line"),
        ("", "missing language"),
    ]


def test_faults_of_lines_name_their_file_and_line() -> None:
    text = "handlers: {h: {rules: [{name: r, say: a.b}]}}\nlines:\n  a.b: {en: Hm., de: Hm.}\n  a.c: {en: Never.}\n"
    found = check_rules(parse_rules(text, source="lines.yaml"))
    assert [(fault.source, fault.line, fault.kind) for fault in found] == [
        ("lines.yaml", 4, "unused line"),
        ("lines.yaml", 4, "missing language"),
    ]


def test_errors_come_before_warnings() -> None:
    faults = check_rules(database(rule("a", "armd"), rule("b", "health < 1", "health > 1", priority=1)))
    assert [(fault.severity, fault.kind) for fault in faults] == [("error", "unknown variable"), ("warning", "order")]


CONDITIONS = st.one_of(
    st.builds(RuleCondition, st.just("health"), st.sampled_from(OPERATORS), st.sampled_from([0.0, 0.5])),
    st.builds(RuleCondition, st.just("friends"), st.sampled_from(OPERATORS), st.integers(0, 2)),
    st.builds(RuleCondition, st.just("armed"), st.sampled_from(["==", "!="]), st.booleans()),
    st.builds(RuleCondition, st.just("gang"), st.sampled_from(["==", "!="]), st.sampled_from(["a", "b"])),
    st.builds(RuleCondition, st.just("kind"), st.sampled_from(OPERATORS), st.sampled_from(["A", "B", "C"])),
)
WORLD = {
    "health": [None, -1.0, 0.0, 0.2, 0.5, 1.0],
    "friends": [None, -1, 0, 1, 2, 3],
    "armed": [None, True, False],
    "gang": [None, "a", "b", "c"],
    "kind": [None, "A", "B", "C"],
}


@given(st.lists(st.lists(CONDITIONS, max_size=3), min_size=1, max_size=6))
def test_reach_agrees_with_a_trial_of_all_facts(conditions: list[list[RuleCondition]]) -> None:
    rules = [Rule(str(number), tuple(each), ("x",)) for number, each in enumerate(conditions)]
    reach = Reach(compile_handler(database(*rules), "h"))
    asked = sorted({one.variable for each in conditions for one in each})
    holding, first = set(), set()
    for values in product(*(WORLD[name] for name in asked)):
        facts = dict(zip(asked, values))
        true = [
            number
            for number, each in enumerate(conditions)
            if all(holds(one, facts[one.variable], VARIABLES[one.variable]) for one in each)
        ]
        holding.update(true)
        first.update(true[:1])
    everyone = set(range(len(rules)))
    assert set(reach.contradicting) == everyone - holding
    assert set(reach.covered) == holding - first


def test_why_names_the_first_condition_that_failed_and_near_misses() -> None:
    given = database(
        rule("hurt", "kind == A", "health < 0.5", "armed"),
        rule("far", "kind == B", "health < 0.2"),
        rule("lost", "kind == A"),
        rule("any"),
    )
    found = explain(compile_handler(given, "h"), {"kind": "A", "health": 0.7, "armed": True})
    assert found.fired is not None
    assert [found.reason(verdict) for verdict in found.verdicts] == [
        "health < 0.5: health is 0.7",
        "kind == B: kind is A",
        "fires",
        "holds, but 'lost' comes first",
    ]
    assert [verdict.rule.name for verdict in found.near_misses()] == ["hurt"]
    assert explain(compile_handler(given, "h"), {}).verdicts[0].failures[0].value is None


def test_why_knows_what_is_used_up_or_rests() -> None:
    once, resting = rule("once", policy="sequence once"), rule("resting", say=("z",), cooldown=5.0)
    guard = Engine(compile_handler(database(once, resting, rule("last", say=("y",))), "h"))
    guard.evaluate({}, now=0.0)
    guard.evaluate({}, now=0.0)
    found = explain(guard.handler, {}, blocked=guard.blocked(1.0))
    assert [found.reason(verdict) for verdict in found.verdicts] == [
        "its actions are used up",
        "all its actions are on cooldown",
        "fires",
    ]


@given(st.lists(st.lists(CONDITIONS, max_size=3), max_size=6), st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values[1:]) for name, values in WORLD.items()}))  # fmt: skip
def test_why_and_the_engine_agree(conditions: list[list[RuleCondition]], facts: dict[str, Any]) -> None:
    rules = [Rule(str(number), tuple(each), (number,)) for number, each in enumerate(conditions)]
    handler = compile_handler(database(*rules), "h")
    fired, told = Engine(handler).evaluate(facts), explain(handler, facts).fired
    assert (fired is None) == (told is None)
    assert fired is None or told is None or fired.number == told.number


def follow_ups(handlers: dict[str, list[tuple[str, str]]]) -> Database:
    """Handlers of rules by name, each with the handler that is asked afterwards."""
    return Database(
        {},
        {
            name: Handler(name, tuple(Rule(rule, (), ("x",), then=FollowUp(asked)) for rule, asked in rules))
            for name, rules in handlers.items()
        },
    )


def test_follow_ups_that_go_round_by_the_beginning_of_a_name_are_found() -> None:
    given = follow_ups({"guard.ans": [], "guard.ans.more": [("round", "guard.ans")], "guard.answer": []})
    assert ("round", "cyclic follow-ups") in kinds(given)
    assert kinds(follow_ups({"guard.ans": [], "guard.answer": [("on", "guard.ans")]})) == []


def test_follow_ups_that_meet_again_are_looked_at_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    layers = {f"h{at}": [(f"{at} {number}", f"h{at + 1}") for number in range(2)] for at in range(16)}
    looked: list[int] = []

    class Counted(list):  # type: ignore[type-arg]
        def __iter__(self) -> Any:
            looked.append(1)
            return super().__iter__()

    answering = faults._answers
    monkeypatch.setattr(faults, "_answers", lambda *given: Counted(answering(*given)))
    assert faults.faults_of(follow_ups({**layers, "h16": []})) == []
    assert len(looked) == 2 * 16


def test_a_misspelt_side_and_a_trigger_that_is_a_number_are_warned_about() -> None:
    text = """\
variables: {bark.trigger: %s}
handlers: {%s.barks: {rules: [{name: a, when: bark.trigger == %s, say: Halt!}]}}
"""
    found = [
        (fault.severity, fault.what)
        for words in (("int", "guard", "1"), ("str", "gaurd", "SEE"), ("str", "guard", "SEE"), ("str", "chorus", "SEE"))
        for fault in game_faults(parse_rules(text % words), shipped_game())
    ]
    number, side = found
    assert number[0] == side[0] == "warning"
    assert number[1].endswith("bark.trigger is declared as int, but given as str; declare it as str")
    assert side[1].startswith("no side is called 'gaurd' (did you mean 'guard'?)")
