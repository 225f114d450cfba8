"""Greedy within a cap, shuffled, recorded, trained: the acceptance checks of chapter 9."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.rules.engine.compile import CompiledHandler, compile_handler
from lastseen.agents.rules.engine.engine import Engine
from lastseen.agents.rules.engine.greedy import Greedy
from lastseen.agents.rules.engine.recorded_rules import RecordedRule, Recorder, matching
from lastseen.agents.rules.language.rule import Database, Handler, Rule, RuleCondition, VariableSpec
from lastseen.errors import LastSeenError


def handler(count: int = 500, matches: tuple[int, ...] = (4, 87)) -> CompiledHandler:
    rules = tuple(
        Rule(str(n), (RuleCondition("x", "<" if n in matches else ">", 1),), (n,)) for n in range(1, count + 1)
    )
    return compile_handler(Database({"x": VariableSpec("x", "float")}, {"h": Handler("h", rules)}), "h")


def test_9_1_the_first_that_matches_in_this_order_fires() -> None:
    greedy = Greedy(handler(), shuffle=False)
    found = greedy.update({"x": 0})
    assert found.rule is not None
    assert (found.rule.name, found.tests, found.stopped) == ("4", 4, "match")
    greedy.order = [*range(299, 500), *reversed(range(299))]
    found = greedy.update({"x": 0})
    assert found.rule is not None
    assert found.rule.name == "87"


def test_9_2_shuffled_both_fire_about_equally_often_and_else_only_one() -> None:
    shuffled, fixed = Greedy(handler(), seed=5), Greedy(handler(), shuffle=False)
    for _ in range(300):
        shuffled.update({"x": 0})
        fixed.update({"x": 0})
    assert fixed.executions == {"4": 300}
    assert shuffled.executions.keys() == {"4", "87"}
    assert 100 <= shuffled.executions["4"] <= 200


def test_9_3_the_search_ends_with_its_budget() -> None:
    greedy = Greedy(handler(), most_rules=50)
    found = greedy.update({"x": 5} | {"x": None})
    assert (found.rule, found.tests, found.stopped) == (None, 50, "rules")
    ticks = itertools.count()
    timed = Greedy(handler(matches=()), most_seconds=0.001, clock=lambda: next(ticks) * 0.0001)
    found = timed.update({"x": 0})
    assert (found.rule, found.stopped) == (None, "seconds")
    assert found.tests == 10
    assert Greedy(handler(7, ())).update({"x": 0}).stopped == "end"


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0, 2.0]), min_size=1, max_size=30), st.sampled_from([0.0, 1.5, None]))
def test_without_a_budget_and_unshuffled_the_engine_says_the_same(cuts: list[float], x: float | None) -> None:
    rules = tuple(Rule(str(n), (RuleCondition("x", "<=", cut),), (n,)) for n, cut in enumerate(cuts))
    compiled = compile_handler(Database({"x": VariableSpec("x", "float")}, {"h": Handler("h", rules)}), "h")
    fired = Engine(compiled).evaluate({"x": x})
    found = Greedy(compiled, shuffle=False).update({"x": x}).rule
    assert (fired and fired.rule) == found


MORE = {"x": VariableSpec("x", "float"), "y": VariableSpec("y", "float"), "random.d6": VariableSpec("random.d6", "int")}


def pair(*rules: Rule) -> tuple[Greedy, Engine]:
    compiled = compile_handler(Database(MORE, {"h": Handler("h", rules)}), "h")
    return Greedy(compiled, shuffle=False), Engine(compiled)


def test_what_the_game_raises_or_returns_amiss_is_complained_of_as_by_the_engine() -> None:
    greedy, engine = pair(
        Rule("x", (RuleCondition("x", "!=", 3),)), Rule("y", (RuleCondition("y", "!=", 3),)), Rule("any")
    )

    def facts(path: str) -> object:
        return {"y": [1.0]}[path]

    fired, found = engine.evaluate(facts), greedy.update(facts).rule
    assert fired is not None
    assert fired.rule == found == Rule("any")
    assert greedy.complaints == engine.complaints
    assert list(greedy.complaints) == ["x", "y"]
    assert greedy.update({"x": float("nan")}).rule == Rule("any")


def test_each_variable_is_asked_for_once_an_update() -> None:
    greedy, _ = pair(*(Rule(str(n), (RuleCondition("x", ">", n), RuleCondition("y", ">", n))) for n in (5, 3, 1)))
    asked: list[str] = []

    def facts(path: str) -> float:
        asked.append(path)
        return 4.0

    found = greedy.update(facts)
    assert found.rule is not None
    assert (found.rule.name, asked) == ("3", ["x", "y"])


def test_dice_are_cast_once_an_update() -> None:
    greedy, _ = pair(*(Rule(str(n), (RuleCondition("random.d6", "==", n),)) for n in range(1, 7)))
    found = [greedy.update({}).rule for _ in range(60)]
    assert {rule and rule.name for rule in found} == set("123456")


STATE = {"speed": 10.0, "distance": 4.0}
RECORDED = RecordedRule("swerve", STATE, "swerve", {"speed": 2.0, "distance": 1.0}, {"speed": 1.0, "distance": 9.0})


def test_9_4_within_all_tolerances_the_score_is_full_and_a_light_miss_is_forgiven() -> None:
    assert RECORDED.score({"speed": 12.0, "distance": 3.0}) == 1.0
    assert [rule.name for _, rule in matching([RECORDED], {"speed": 99.0, "distance": 4.0}, above=0.8)] == ["swerve"]
    assert matching([RECORDED], {"speed": 10.0, "distance": 99.0}, above=0.8) == []
    assert RECORDED.closeness({"speed": 13.0, "distance": None}) == {"speed": 0.5, "distance": 0.0}


def test_9_5_exactly_at_the_threshold_is_no_match() -> None:
    half = RecordedRule("half", STATE, tolerance={"speed": 1.0, "distance": 1.0})
    facts = {"speed": 10.0, "distance": 99.0}
    assert half.score(facts) == 0.5
    assert matching([half], facts, above=0.5) == []
    assert len(matching([half], facts, above=0.4999)) == 1


@given(st.floats(-5, 25), st.floats(0, 8))
def test_a_recorded_rule_is_a_plain_one_where_all_must_fit(speed: float, distance: float) -> None:
    variables = {path: VariableSpec(path, "float") for path in STATE}
    compiled = compile_handler(Database(variables, {"h": Handler("h", (RECORDED.as_rule(),))}), "h")
    facts = {"speed": speed, "distance": distance}
    assert (Engine(compiled).evaluate(facts) is not None) == (RECORDED.score(facts) == 1.0)


def test_a_recorder_makes_rules_of_a_moment_or_of_a_stretch() -> None:
    recorder = Recorder({"speed": 1.0, "distance": 0.5}, weight={"distance": 3.0}, seconds=2.0)
    for tenth in range(50):
        recorder.watch({"speed": 10.0 + tenth, "distance": 4.0}, tenth / 10.0)
    moment, stretch = recorder.did("brake", "brake"), recorder.did("brake", "brake", seconds=1.0)
    assert (moment.state, moment.tolerance) == ({"speed": 59.0, "distance": 4.0}, {"speed": 1.0, "distance": 0.5})
    assert stretch.state["speed"] == pytest.approx(54.0)
    assert stretch.tolerance["speed"] == pytest.approx(5.0)
    assert all(stretch.score({"speed": speed, "distance": 4.0}) == 1.0 for speed in (49.0, 59.0))


def test_9_8_the_report_counts_executions_successes_and_what_never_fired() -> None:
    greedy = Greedy(handler(4, (2,)), shuffle=False)
    for success in (True, True, False, True):
        found = greedy.update({"x": 0})
        assert found.rule is not None
        greedy.report(found.rule, success)
    greedy.update({})
    assert greedy.statistics() == {
        "executions": {"2": 4}, "success": {"2": 0.75}, "never": ["1", "3", "4"], "unmatched": 1
    }  # fmt: skip


@pytest.mark.parametrize(
    "make",
    [
        lambda: Greedy(handler(3), most_rules=0),
        lambda: Greedy("h"),  # type: ignore[arg-type]
        lambda: Greedy(handler(3)).update(3),  # type: ignore[arg-type]
        lambda: RecordedRule("a", {}),
        lambda: RecordedRule("a", {"x": 1.0}, weight={"x": 0.0}),
        lambda: RecordedRule("a", {"x": 1.0}, tolerance={"y": 1.0}),
        lambda: Recorder({"x": 1.0}).did("a", "b"),
        lambda: Greedy(handler(3)).report("nope", True),
        lambda: Greedy(handler(3)).report("1", True),  # never executed
    ],
)
def test_what_makes_no_sense_is_refused(make: object) -> None:
    with pytest.raises(LastSeenError):
        make()  # type: ignore[operator]
