"""Three tiers of lines (28 D), filters at run time, and what failed last."""

from __future__ import annotations

from typing import Any

import pytest

from lastseen.agents.rules.engine.check import check_rules
from lastseen.agents.rules.engine.compile import compile_handler
from lastseen.agents.rules.engine.engine import Engine, Fired
from lastseen.agents.rules.engine.explanation import explain
from lastseen.agents.rules.files.read import parse_rules
from lastseen.agents.rules.language.rule import Rule

TIERS = """
variables: {trigger: {enum: [DOOR, WINDOW]}, dark: bool, steps: float}
handlers:
  barks:
    order: %s
    policy: shuffle repeat
    rules:
      - {name: any, when: trigger != WINDOW, say: [Odd., Hm., Well., Strange.], tier: 3}
      - {name: opening, when: trigger == DOOR, say: [Open., Ajar.], tier: 2}
      - {name: door, when: [trigger == DOOR], say: [Who left the door open?, That door was shut.], tier: 1}
"""


def engine(text: str) -> Engine:
    return Engine(compile_handler(parse_rules(text), "barks"))


def fired(one: Fired | None) -> Fired:
    assert one is not None
    return one


@pytest.mark.parametrize("order", ["priority", "conditions"])
def test_28_9_tier_one_is_used_up_first_then_two_then_three(order: str) -> None:
    guard = engine(TIERS % order)
    said = [fired(guard.evaluate({"trigger": "DOOR"})) for _ in range(12)]
    assert [one.rule.tier for one in said] == [1, 1, 2, 2] + [3] * 8
    assert len({one.action for one in said[:4]}) == 4
    assert {one.action for one in said[4:8]} == {one.action for one in said[8:]} == {"Odd.", "Hm.", "Well.", "Strange."}


@pytest.mark.parametrize("order", ["priority", "conditions"])
def test_rules_without_a_tier_rank_with_those_of_the_last_one(order: str) -> None:
    plain = "{name: plain, when: [trigger == DOOR, steps > 1], say: Plain.}"
    text = (TIERS % order).replace("    rules:\n", f"    rules:\n      - {plain}\n")
    handler = compile_handler(parse_rules(text), "barks")
    # Of "plain" and "any", the one with more conditions comes first, although only "any" has a tier.
    assert [rule.name for rule in handler.rules] == ["door", "opening", "plain", "any"]


def test_tiers_rank_below_priorities_and_a_policy_of_its_own_holds() -> None:
    text = TIERS % "priority"
    urgent = text.replace("Strange.], tier: 3", "Strange.], tier: 3, priority: 1")
    assert fired(engine(urgent).evaluate({"trigger": "DOOR"})).rule.name == "any"
    again = engine(text.replace("shut.], tier: 1", "shut.], tier: 1, policy: sequence repeat"))
    assert [fired(again.evaluate({"trigger": "DOOR"})).rule.tier for _ in range(5)] == [1] * 5


def test_tiers_with_the_same_conditions_do_not_contradict() -> None:
    assert check_rules(parse_rules(TIERS % "priority")) == []
    same = check_rules(parse_rules((TIERS % "priority").replace("tier: 2", "tier: 1")))
    assert [fault.kind for fault in same] == ["order"]


def test_filters_pass_over_rules_and_actions_which_keep_their_turn() -> None:
    guard = engine(
        "variables: {trigger: {enum: [DOOR, WINDOW]}}\n"
        "handlers: {barks: {rules: [{name: a, say: [one, two]}, {name: b, say: three}]}}"
    )

    def no_a(rule: Rule) -> str:
        return "not now" if rule.name == "a" else ""

    def not_one(rule: Rule, action: Any) -> str:
        return "heard already" if action == "one" else ""

    found = fired(guard.evaluate({}, allows=no_a))
    assert (found.action, dict(found.passed)) == ("three", {0: "not now"})
    assert fired(guard.evaluate({}, allows_action=not_one)).action == "two"
    assert fired(guard.evaluate({})).action == "one"
    assert guard.evaluate({}, allows=lambda rule: "silence") is None
    assert guard.evaluate({}, allows_action=lambda rule, action: "silence") is None


def test_what_failed_last_agrees_with_reading_the_conditions() -> None:
    guard = engine("""
variables: {trigger: {enum: [DOOR, WINDOW]}, dark: bool, steps: float}
handlers:
  barks:
    rules:
      - {name: far, when: [trigger == DOOR, dark, steps > 9], say: a}
      - {name: near, when: [trigger == DOOR, dark, steps < 2], say: b}
      - {name: lit, when: [trigger == DOOR, not dark], say: c}
      - {name: glass, when: trigger == WINDOW, say: d}
      - {name: other, when: trigger == DOOR, say: e}
""")
    found = fired(guard.evaluate({"trigger": "DOOR", "dark": True, "steps": 5.0}))
    missed = guard.failed_last(found, 3)
    assert [one.rule.name for one in missed] == ["far", "near", "lit"]
    told = {verdict.number: verdict for verdict in explain(guard.handler, found.facts).verdicts}
    assert [one.failures for one in missed] == [told[one.number].failures for one in missed]
    assert str(missed[0].failures[0]) == "steps > 9: steps is 5.0"
