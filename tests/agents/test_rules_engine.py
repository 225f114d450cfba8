"""Rules: conditions, order, policies, cooldowns and laziness, by hand and against a plain version."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.bench_rules import facts_of
from benchmarks.rule_sets import TRIGGERS, write_database
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.rules.engine.action_lists import ActionQueue
from lastseen.agents.rules.engine.compile import ActionList, compile_handler
from lastseen.agents.rules.engine.engine import Cooldowns, Engine
from lastseen.agents.rules.engine.explanation import explain
from lastseen.agents.rules.files.read import read_rules
from lastseen.agents.rules.files.rule_edits import condition_text
from lastseen.agents.rules.language.rule import (
    OPERATORS,
    POLICIES,
    Database,
    Handler,
    Rule,
    RuleCondition,
    VariableSpec,
    number_of,
    parse_condition,
)
from lastseen.errors import InputError, RuleError

VARIABLES = {
    "bark.trigger": VariableSpec("bark.trigger", "enum", ("NOTICE", "LOSE", "BUSTED")),
    "npc.health": VariableSpec("npc.health", "float"),
    "npc.friends": VariableSpec("npc.friends", "int"),
    "npc.armed": VariableSpec("npc.armed", "bool"),
    "npc.gang": VariableSpec("npc.gang", "str"),
    "random.d6": VariableSpec("random.d6", "int"),
}


def rule(name: str, *when: str, say: tuple[Any, ...] = (), **more: Any) -> Rule:
    return Rule(name, tuple(map(parse_condition, when)), say, **more)


def engine(*rules: Rule, cooldowns: Cooldowns | None = None, **more: Any) -> Engine:
    database = Database(VARIABLES, {"barks": Handler("barks", rules, **more)})
    return Engine(compile_handler(database, "barks"), cooldowns=cooldowns)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("npc.health < 0.5", RuleCondition("npc.health", "<", 0.5)),
        ("npc.friends>=2", RuleCondition("npc.friends", ">=", 2)),
        ("bark.trigger == LOSE", RuleCondition("bark.trigger", "==", "LOSE")),
        ("npc.gang != 'the crows'", RuleCondition("npc.gang", "!=", "the crows")),
        ("npc.armed", RuleCondition("npc.armed", "==", True)),
        ("not npc.armed", RuleCondition("npc.armed", "==", False)),
    ],
)
def test_conditions_are_read_as_they_are_written(text: str, condition: RuleCondition) -> None:
    assert parse_condition(text) == condition


@pytest.mark.parametrize("text", ["", "npc.health =< 0.5", "3 < npc.health", "a b c", "npc.health <"])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(RuleError, match="not a condition"):
        parse_condition(text)


def test_the_first_rule_whose_conditions_all_hold_fires() -> None:
    guard = engine(
        rule("hurt", "bark.trigger == LOSE", "npc.health < 0.5", say=("Where… did he go?",)),
        rule("lost", "bark.trigger == LOSE", say=("Where did he go?",)),
        rule("any", say=("Hm.",)),
    )
    names = [
        guard.evaluate({"bark.trigger": trigger, "npc.health": health}).rule.name  # type: ignore[union-attr]
        for trigger, health in (("LOSE", 0.2), ("LOSE", 0.5), ("NOTICE", 0.1))
    ]
    assert names == ["hurt", "lost", "any"]


def test_no_rule_no_action() -> None:
    assert engine(rule("hurt", "npc.health < 0.5")).evaluate({"npc.health": 0.7}) is None


@pytest.mark.parametrize(
    ("order", "expected"),
    [("original", "first"), ("conditions", "most"), ("priority", "urgent")],
)
def test_three_order_policies(order: str, expected: str) -> None:
    guard = engine(
        rule("first", "npc.armed"),
        rule("most", "npc.armed", "npc.health > 0", "npc.friends > 0"),
        rule("urgent", "npc.armed", priority=5),
        order=order,
    )
    fired = guard.evaluate({"npc.armed": True, "npc.health": 1, "npc.friends": 2})
    assert fired is not None
    assert fired.rule.name == expected


def test_variables_are_resolved_on_demand_and_once() -> None:
    guard = engine(
        rule("a", "bark.trigger == LOSE", "npc.health < 0.5"),
        rule("b", "bark.trigger == LOSE", "npc.health > 0.9"),
        rule("c", "bark.trigger == NOTICE", "npc.friends > 3"),
        rule("d", "bark.trigger == NOTICE"),
    )
    calls: list[str] = []

    def resolver(path: str) -> Any:
        calls.append(path)
        return {"bark.trigger": "LOSE", "npc.health": 0.95, "npc.friends": 9}[path]

    fired = guard.evaluate(resolver)
    assert fired is not None
    assert fired.rule.name == "b"
    assert calls == ["bark.trigger", "npc.health"]
    assert dict(fired.facts) == {"bark.trigger": "LOSE", "npc.health": 0.95}


def test_a_resolver_that_raises_makes_rules_not_match_and_is_reported_once() -> None:
    guard = engine(rule("a", "npc.health < 0.5"), rule("b"))

    def resolver(path: str) -> Any:
        raise KeyError(path)

    for _ in range(3):
        fired = guard.evaluate(resolver)
        assert fired is not None
        assert fired.rule.name == "b"
    assert list(guard.complaints) == ["npc.health"]


def test_a_value_of_another_type_makes_rules_not_match_and_is_reported() -> None:
    guard = engine(rule("a", "bark.trigger == LOSE"), rule("b"))
    fired = guard.evaluate({"bark.trigger": "LOOSE"})
    assert fired is not None
    assert fired.rule.name == "b"
    assert "one of NOTICE, LOSE, BUSTED" in guard.complaints["bark.trigger"]


def said(guard: Engine, times: int, now: float = 0.0) -> list[Any]:
    fired = [guard.evaluate({}, now=now) for _ in range(times)]
    return [None if one is None else one.action for one in fired]


def test_sequence_repeat_goes_round() -> None:
    assert said(engine(rule("a", say=(1, 2, 3))), 7) == [1, 2, 3, 1, 2, 3, 1]


def test_sequence_once_is_depleted_and_the_next_rule_takes_over() -> None:
    guard = engine(rule("a", say=(1, 2), policy="sequence once"), rule("b", say=(9,)))
    assert said(guard, 4) == [1, 2, 9, 9]


def test_shuffle_once_says_each_once() -> None:
    found = said(engine(rule("a", say=(1, 2, 3, 4), policy="shuffle once")), 6)
    assert sorted(found[:4]) == [1, 2, 3, 4]
    assert found[4:] == [None, None]


@given(st.integers(1, 6), st.integers(0, 2**32))
def test_a_shuffle_bag_gives_each_once_a_round_and_never_the_last_again_first(count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    bag = ActionQueue(ActionList(tuple(range(count)), "shuffle repeat"), lambda n: int(random.integers(n)))
    found = []
    for _ in range(5 * count):
        place = bag.upcoming()[0]
        bag.take(place)
        found.append(place)
    rounds = [found[at : at + count] for at in range(0, len(found), count)]
    assert all(sorted(each) == list(range(count)) for each in rounds)
    if count > 1:
        assert all(one[-1] != two[0] for one, two in pairwise(rounds))


@given(st.integers(2, 6), st.integers(0, 2**32))
def test_a_shuffle_never_repeats_the_last_line_across_rounds_while_others_rest(count: int, seed: int) -> None:
    random, resting = np.random.default_rng(seed), Cooldowns()
    guard = engine(rule("a", say=tuple(range(count)), policy="shuffle repeat"), cooldowns=resting)
    found = []
    for now in range(12 * count):
        # Another speaker has just said one or two of them, whichever they are: also the first of a new round.
        for action in random.choice(count, size=int(random.integers(1, 3)), replace=False).tolist():
            resting.start(action, now + float(random.uniform(0.0, 2.0)))
        found += said(guard, 1, now=float(now))
    spoken = [action for action in found if action is not None]
    assert [one for one, two in pairwise(spoken) if one == two] == []
    assert None not in said(guard, 1, now=1e6), "nobody falls silent for good"


def test_what_can_never_be_said_does_not_silence_the_only_other_line() -> None:
    guard = engine(rule("a", say=("Hello, {name}.", "Hm."), policy="shuffle repeat"))
    found = [guard.evaluate({}, allows_action=lambda _, action: "unknown" if "{" in action else "") for _ in range(5)]
    assert [one.action for one in found if one is not None] == ["Hm."] * 5


def test_rules_with_the_same_actions_share_one_list() -> None:
    guard = engine(rule("armed", "npc.armed", say=("one", "two")), rule("many", "npc.friends > 3", say=("one", "two")))
    assert len(guard.handler.lists) == 1
    first = guard.evaluate({"npc.armed": True})
    second = guard.evaluate({"npc.armed": False, "npc.friends": 4})
    assert (first.action, second.action) == ("one", "two")  # type: ignore[union-attr]


def test_what_somebody_said_nobody_else_says_until_its_time_is_over() -> None:
    shared = Cooldowns()
    rules = (rule("a", say=("There!", "Stop!"), cooldown=10.0), rule("b", say=("…",)))
    one, other = engine(*rules, cooldowns=shared), engine(*rules, cooldowns=shared)
    assert said(one, 1, now=0.0) == ["There!"]
    assert said(other, 1, now=1.0) == ["Stop!"]
    assert said(other, 1, now=2.0) == ["…"]
    assert said(one, 1, now=10.5) == ["…"], "its round has only what the other said left"
    assert said(one, 2, now=11.5) == ["Stop!", "There!"]


def test_handlers_are_combined_in_order() -> None:
    database = Database(
        VARIABLES,
        {"all": Handler("all", (rule("generic", say=(1,)),)), "gang": Handler("gang", (rule("own", say=(2,)),))},
    )
    both = Engine(compile_handler(database, "gang", "all"))
    assert said(both, 1) == [2]
    with pytest.raises(RuleError, match="did you mean 'gang'"):
        compile_handler(database, "gan")


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("npc.helth < 1", "did you mean 'npc.health'"),
        ("bark.trigger == LOOSE", "did you mean 'LOSE'"),
        ("npc.armed < true", "true or false"),
        ("npc.health == high", "is a number"),
        ("npc.gang > crows", "is text"),
        ("npc.friends == 2.5", "never 2.5"),
    ],
)
def test_conditions_that_do_not_fit_their_variable_are_refused(when: str, words: str) -> None:
    with pytest.raises(RuleError, match=f"rule 'x'.*{words}"):
        engine(rule("x", when))


TRIGGER_NAMES = VARIABLES["bark.trigger"].names


def plain(rules: Sequence[Rule], facts: dict[str, Any], names: Sequence[str] = TRIGGER_NAMES) -> int:
    """Return the first rule whose conditions all hold, tested one by one."""
    for number, one in enumerate(rules):
        for condition in one.conditions:
            value, constant = facts.get(condition.variable), condition.constant
            if value is None:
                break
            if condition.variable == "bark.trigger":
                value, constant = names.index(value), names.index(str(constant))
            if not eval("value " + condition.operator + " constant", {"value": value, "constant": constant}):
                break
        else:
            return number
    return -1


NUMBERS = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 3.0])
CONDITIONS = st.one_of(
    st.builds(RuleCondition, st.just("npc.health"), st.sampled_from(OPERATORS), NUMBERS),
    st.builds(RuleCondition, st.just("npc.friends"), st.sampled_from(OPERATORS), st.integers(0, 4)),
    st.builds(RuleCondition, st.just("npc.armed"), st.sampled_from(["==", "!="]), st.booleans()),
    st.builds(RuleCondition, st.just("npc.gang"), st.sampled_from(["==", "!="]), st.sampled_from(["a", "b"])),
    st.builds(
        RuleCondition,
        st.just("bark.trigger"),
        st.sampled_from(OPERATORS),
        st.sampled_from(["NOTICE", "LOSE", "BUSTED"]),
    ),
)
FACTS = st.fixed_dictionaries(
    {},
    optional={
        "npc.health": NUMBERS,
        "npc.friends": st.integers(0, 4),
        "npc.armed": st.booleans(),
        "npc.gang": st.sampled_from(["a", "b", "c"]),
        "bark.trigger": st.sampled_from(["NOTICE", "LOSE", "BUSTED"]),
    },
)


@given(st.lists(st.lists(CONDITIONS, max_size=4), max_size=80), st.lists(FACTS, min_size=1, max_size=8))
def test_the_engine_answers_as_a_plain_reading_of_the_rules(
    conditions: list[list[RuleCondition]], facts: list[dict[str, Any]]
) -> None:
    rules = [Rule(str(number), tuple(each)) for number, each in enumerate(conditions)]
    guard = engine(*rules)
    expected = [plain(rules, one) for one in facts]
    assert guard.match_many(guard.encode_many(facts)).tolist() == expected
    fired = [guard.evaluate(one) for one in facts]
    assert [-1 if one is None else one.number for one in fired] == expected


def test_six_thousand_rules_answer_as_a_plain_reading_of_them(tmp_path: Path) -> None:
    write_database(tmp_path)
    database = read_rules(tmp_path)
    assert sum(len(handler.rules) for handler in database.handlers.values()) == 6028
    facts, fired = facts_of(4, 5), 0
    for name in database.handlers:
        guard = Engine(compile_handler(database, name))
        expected = [plain(guard.handler.rules, one, TRIGGERS) for one in facts]
        assert guard.match_many(guard.encode_many(facts)).tolist() == expected
        fired += sum(number >= 0 for number in expected)
    assert fired > 50


def test_random_variables_are_dice() -> None:
    guard = engine(rule("six", "random.d6 == 6", say=("six",)), rule("other", say=("other",)))
    found = said(guard, 600)
    assert 60 < found.count("six") < 140
    assert found == said(engine(rule("six", "random.d6 == 6", say=("six",)), rule("other", say=("other",))), 600)


def test_policies_are_those_of_the_source() -> None:
    assert set(POLICIES) == {"sequence repeat", "sequence once", "shuffle repeat", "shuffle once"}


def pick(guard: Engine, refused: set[Any], times: int) -> list[Any]:
    fired = [
        guard.evaluate({}, allows_action=lambda _, action: "no" if action in refused else "") for _ in range(times)
    ]
    return [None if one is None else one.action for one in fired]


def test_an_action_that_is_always_refused_does_not_silence_the_others_of_its_rule() -> None:
    assert pick(engine(rule("a", say=(1, 2, 3))), {2}, 6) == [1, 3, 1, 3, 1, 3]
    assert pick(engine(rule("a", say=(1, 2))), {2}, 3) == [1, 1, 1], "the only one that is left is all there is"
    assert pick(engine(rule("a", say=(1, 2, 3), policy="sequence once")), {2}, 4) == [1, 3, None, None]
    for count in (3, 4, 6):
        shuffled = engine(rule("a", say=tuple(range(count)), policy="shuffle repeat"))
        found = pick(shuffled, {0}, 60)
        assert set(found) == set(range(1, count))
        assert all(one != two for one, two in pairwise(found))
        assert 0 in pick(shuffled, set(), count), "it keeps its turn"


def test_a_sequence_begins_anew_as_it_is_written_after_turns_were_changed() -> None:
    guard = engine(rule("a", say=(1, 2, 3)))
    assert pick(guard, {1}, 1) == [2]
    assert pick(guard, set(), 5) == [1, 3, 1, 2, 3]


def test_at_the_end_of_its_cooldown_an_action_may_be_executed_again() -> None:
    guard = engine(rule("a", say=("There!",), cooldown=10.0))
    assert said(guard, 1, now=0.0) == ["There!"]
    assert said(guard, 1, now=9.999) == [None]
    assert said(guard, 1, now=10.0) == ["There!"]


def test_a_moment_that_is_none_is_refused() -> None:
    for now in (math.nan, math.inf, -math.inf):
        with pytest.raises(InputError, match="now"):
            engine(rule("a")).evaluate({}, now=now)


class Odd:
    """An object that raises on every use."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("compared")

    def __float__(self) -> float:
        raise RuntimeError("counted")

    def __repr__(self) -> str:
        raise RuntimeError("shown")

    __hash__ = object.__hash__


@pytest.mark.parametrize("value", [np.array([1, 0]), np.array(["LOSE"]), [1], Odd(), 10**400, "5", 1j])
@pytest.mark.parametrize("when", ["bark.trigger == LOSE", "npc.armed", "npc.health != 3", "npc.friends > 2"])
def test_odd_values_are_complained_of_and_never_raise(when: str, value: Any) -> None:
    guard = engine(rule("a", when), rule("b"))
    facts = {parse_condition(when).variable: value}
    fired, told = guard.evaluate(facts), explain(guard.handler, facts)
    assert fired is not None
    assert fired.rule.name == "b"
    assert told.fired is not None
    assert told.fired.rule.name == "b"
    assert told.reason(told.verdicts[0])
    assert list(guard.complaints) == list(facts)
    assert guard.match_many(guard.encode_many([facts])).tolist() == [1]


@pytest.mark.parametrize(
    ("when", "value", "holds"),
    [
        ("npc.health != 3", math.nan, False),
        ("npc.friends > 9007199254740992", 2**53 + 1, False),  # the same float
        ("npc.friends >= 9007199254740993", 2**53, True),
        ("npc.friends > 9007199254740992", 2**53 + 2, True),
        ("npc.health < 3", -math.inf, True),
        ("npc.armed", 1.0, True),
        ("npc.armed", np.True_, True),
        ("npc.health < 3", np.float32(2.5), True),
    ],
)
def test_engine_table_and_reading_agree_on_numbers_at_the_edge(when: str, value: Any, holds: bool) -> None:
    guard, facts = engine(rule("a", when)), {parse_condition(when).variable: value}
    assert (guard.evaluate(facts) is not None) == holds
    assert (explain(guard.handler, facts).fired is not None) == holds
    assert guard.match_many(guard.encode_many([facts])).tolist() == [0 if holds else -1]


def test_what_a_game_raises_is_told_in_short() -> None:
    guard = engine(rule("a", "npc.health < 0.5"))

    def resolver(path: str) -> Any:
        raise ValueError("x" * 10**6)

    assert guard.evaluate(resolver) is None
    assert guard.complaints["npc.health"].startswith("ValueError: xxx")
    assert len(guard.complaints["npc.health"]) < 300


@pytest.mark.parametrize("name", ["foo", "d0", "D6", "unti", "d06", "d-1", "d99999999999999999999"])
def test_dice_that_are_none_are_refused(name: str) -> None:
    given = {f"random.{name}": VariableSpec(f"random.{name}", "int")}
    with pytest.raises(RuleError, match=r"random variables are random\.d1"):
        compile_handler(
            Database(given, {"h": Handler("h", (Rule("x", (RuleCondition(f"random.{name}", ">", 2),)),))}), "h"
        )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("npc.gang === crows", "'===' is not an operator; use one of == !="),
        ("npc.gang ==! crows", "'==!' is not an operator"),
        ("npc.health =< 3", "not a condition"),
        ("npc.health <> 3", "'<>' is not an operator"),
        ("npc.health === 3", "'===' is not an operator"),
        ("npc.gang == a or npc.gang == b", "has 'or'.*a second rule"),
        ("npc.gang == 'a' or npc.gang == 'b'", "has 'or'"),
        ("npc.gang == a && npc.gang == b", "has '&&'"),
        ("npc.gang == a || npc.armed", "has '||'"),
        ("npc.gang == a and npc.gang != b", "has 'and'"),
        ("npc.gang == 'a' and npc.armed", "continues after"),
    ],
)
def test_operators_that_are_none_and_conditions_in_one_are_refused(text: str, words: str) -> None:
    with pytest.raises(RuleError, match=words.replace("|", r"\|")):
        parse_condition(text)


@pytest.mark.parametrize("text", ["a or b", "a == b", "=", "< 3", "it's", "a && b", 'say "no"', "horse or cow's", ""])
def test_any_text_may_be_compared_with_in_quotes(text: str) -> None:
    condition = RuleCondition("npc.gang", "==", text)
    assert parse_condition(condition_text(condition)) == condition


def test_text_that_could_not_be_read_again_is_not_written() -> None:
    with pytest.raises(RuleError, match="cannot be written as a condition"):
        condition_text(RuleCondition("npc.gang", "==", """it's "a" == b"""))


def test_truth_of_any_kind_is_no_number() -> None:
    for value in (True, np.True_):
        with pytest.raises(RuleError, match="it is a number"):
            number_of(value, VariableSpec("n", "int"))
