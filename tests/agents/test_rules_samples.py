"""The sample database of guards' lines: enough lines, valid, reachable and fitting, and no agent is ever mute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.agents.brains.surroundings import STATES
from lastseen.agents.rules.engine.check import check_rules
from lastseen.agents.rules.engine.compile import CompiledHandler, compile_handler
from lastseen.agents.rules.engine.engine import Engine
from lastseen.agents.rules.files.read import read_rules
from lastseen.agents.rules.language.lines import placeholders, spoken
from lastseen.agents.rules.language.rule import Rule, RuleCondition, Value, VariableSpec, holds
from lastseen.agents.rules.speech.memory import RuleMemory
from lastseen.agents.rules.speech.speakers import Speaker, Speakers
from lastseen.agents.rules.speech.speech import Speech
from lastseen.agents.rules.speech.utterance import Bark, SpeechSettings
from lastseen.agents.senses.hearing.sounds import SOUNDS
from lastseen.textfile import parse
from lastseen.views.figures.drawing.text import printable

FOLDER = Path(str(resources.files("lastseen.agents.rules"))) / "samples" / "guards"
DATABASE = read_rules(FOLDER)
BARKS = tuple(name for name in DATABASE.handlers if name.startswith("guard.barks."))
HANDLERS: dict[str, CompiledHandler] = {
    "guard.barks": compile_handler(DATABASE, *BARKS),
    **{name: compile_handler(DATABASE, name) for name in ("guard.answers", "civilian.barks", "civilian.answers")},
}
ALL_RULES = [rule for handler in DATABASE.handlers.values() for rule in handler.rules]
RULES = [rule for rule in ALL_RULES if rule.says]
OF_INTRUDERS = {"SPOTTED", "SHOOK_OFF", "HURT", "HIDES"}
TRIGGERS = [one for one in DATABASE.variables["bark.trigger"].names if one not in OF_INTRUDERS]
FILLS = {"name": "ask.name", "place": "place.name", "me": "npc.name"}
Facts = dict[str, Any]
CALM: Facts = {"level.body_found": False, "memory.missed_somebody": False}
LIGHT = {
    rule["name"]
    for file in FOLDER.glob("*.yaml")
    for handler in parse(file.read_text(encoding="utf-8"), "yaml").value.get("handlers", {}).values()
    for rule in handler["rules"]
    if rule.get("about") == "light"
}
"""Rules that joke, or take what happens lightly: they say so in their files."""


def text_of(action: str, language: str = "en") -> str:
    return DATABASE.lines.get(action, {}).get(language, action)


def is_fall_back(rule: Rule) -> bool:
    return rule.priority < 0


def facts_of(conditions: tuple[RuleCondition, ...]) -> Facts:
    """Return values that make conditions hold."""
    found: Facts = {}
    for name in dict.fromkeys(condition.variable for condition in conditions):
        spec = DATABASE.variables[name]
        asked = [condition for condition in conditions if condition.variable == name]
        found[name] = next(value for value in values_of(spec) if all(holds(one, value, spec) for one in asked))
    return found


def values_of(spec: VariableSpec) -> list[Value]:
    """Return one value for each case that conditions distinguish."""
    if spec.type == "enum":
        return list(spec.names)
    if spec.type == "bool":
        return [False, True]
    constants = {one.constant for rule in ALL_RULES for one in rule.conditions if one.variable == spec.path}
    if spec.type == "str":
        return ["", "Ada", *sorted(one for one in constants if isinstance(one, str) and one)]
    whole = spec.type == "int"
    steps = (-1, 0, 1) if whole else (-0.01, 0.0, 0.01)
    return sorted({type(step)(one + step) for one in constants for step in steps if isinstance(one, int | float)})


def test_there_are_enough_rules_and_lines() -> None:
    lines = {text_of(action) for rule in RULES for action in rule.actions}
    assert len(RULES) >= 580
    assert len(lines) >= 1000
    assert {rule.tier for rule in RULES} == {0, 1, 2, 3}
    assert sum(rule.then is not None for rule in RULES) >= 95
    assert len(list(FOLDER.glob("*.yaml"))) >= 16


def test_no_faults_alone_and_combined() -> None:
    assert [str(fault) for fault in check_rules(DATABASE, combined=[BARKS])] == []


def test_names_of_states_and_sounds_are_those_of_the_game() -> None:
    assert DATABASE.variables["npc.state"].names == STATES
    assert DATABASE.variables["sound.type"].names == tuple(SOUNDS)


def test_every_variable_is_asked_and_every_fact_remembered() -> None:
    asked = {condition.variable for rule in ALL_RULES for condition in rule.conditions}
    kept = {one.variable for rule in RULES for one in rule.remember}
    assert {path for path in DATABASE.variables if path not in asked} == {"npc.role"}
    assert {path for path in DATABASE.variables if path.startswith("memory.")} == kept


def test_no_name_of_a_rule_and_no_line_is_there_twice() -> None:
    for language in ("en", "de"):
        said = Counter(text_of(action, language) for rule in RULES for action in rule.actions)
        assert [line for line, count in said.items() if count > 1] == []
    assert max(Counter(rule.name for rule in RULES).values()) == 1


def test_lines_are_short_and_can_be_drawn() -> None:
    for rule in RULES:
        for action in rule.actions:
            line = spoken(action, DATABASE.lines, dict.fromkeys(FILLS, "Bartholomew"))
            assert 2 <= len(line) <= 70, line
            assert printable(line, 100) == line
            assert line[-1] in ".!?", line
    letters = {letter for texts in DATABASE.lines.values() for letter in texts["de"]}
    assert {letter for letter in letters if ord(letter) > 126} <= set("äöüÄÖÜß")


def test_every_line_has_an_id_and_two_languages() -> None:
    assert all(list(texts) == ["en", "de"] for texts in DATABASE.lines.values())
    alike = [texts["en"] for texts in DATABASE.lines.values() if texts["en"] == texts["de"]]
    assert len(alike) <= 6, alike
    assert {action for rule in RULES for action in rule.actions} == DATABASE.lines.keys()
    assert all(len(texts["de"]) <= 70 and texts["de"][-1] in ".!?" for texts in DATABASE.lines.values())
    assert all(len(rule.actions) >= 3 for rule in RULES if is_fall_back(rule))


def test_rules_ask_for_what_fills_the_places_of_their_lines() -> None:
    filled = Counter[str]()
    for rule in RULES:
        places = {place for action in rule.actions for place in placeholders(text_of(action))}
        wanted = {RuleCondition(FILLS[place], "!=", "") for place in places}
        assert wanted <= set(rule.conditions), rule.name
        filled.update(places)
    assert set(filled) == set(FILLS)


def test_tiers_are_said_once_but_for_exchanges() -> None:
    for name, handler in HANDLERS.items():
        for rule, number in zip(handler.rules, handler.list_of, strict=True):
            once = handler.lists[number].policy.endswith("once")
            assert once == (rule.tier == 1 or (rule.tier == 2 and rule.then is None)), (name, rule.name)


@pytest.mark.parametrize("name", HANDLERS)
def test_every_rule_fires_for_its_own_facts_when_those_before_it_have_had_their_say(name: str) -> None:
    for number, rule in enumerate(HANDLERS[name].rules):
        facts = facts_of(tuple(one for one in rule.conditions if not one.variable.startswith("random.")))
        assert rule.name in said_at_one_moment(name, facts, number), rule.name


def said_at_one_moment(name: str, facts: Facts, number: int) -> Iterator[str]:
    """Yield the rules that fire while no time passes: what was said waits, so that others get their turn."""
    engine = Engine(HANDLERS[name], seed=number)
    for _ in range(200):
        fired = engine.evaluate(facts)
        assert fired is not None
        yield fired.rule.name


VALUES = {path: values_of(spec) for path, spec in DATABASE.variables.items() if not path.startswith("random.")}
MOMENTS = st.fixed_dictionaries({}, optional={path: st.sampled_from(values) for path, values in VALUES.items()})


@settings(max_examples=40, deadline=None)
@given(facts=MOMENTS, seed=st.integers(0, 99))
def test_nobody_is_mute_whatever_happens_and_whatever_is_known(facts: Facts, seed: int) -> None:
    values = dict.fromkeys(FILLS, "Ada")
    for name, handler in HANDLERS.items():
        engine = Engine(handler, seed=seed)
        for trigger in TRIGGERS if name.endswith("barks") else ("ANSWER",):
            for _ in range(4):
                fired = engine.evaluate({**facts, "bark.trigger": trigger})
                assert fired is not None, (name, trigger)
                assert spoken(fired.action, DATABASE.lines, values, language="de")
        assert engine.complaints == {}


@pytest.mark.parametrize("side", ["guard", "civilian"])
def test_every_trigger_of_a_side_has_a_fall_back_of_its_own(side: str) -> None:
    own = {
        rule.conditions[0].constant
        for name in (f"{side}.barks", f"{side}.answers")
        for rule in HANDLERS[name].rules
        if is_fall_back(rule) and len(rule.conditions) == 1
    }
    # Civilians neither chase nor search; should they be asked to, the rule without conditions answers.
    without = {"LOSE", "CHASE", "REACH_LAST_SEEN", "SEARCH", "SEARCH_SPOT", "MISSING", "DOOR_CHANGED", "CAUGHT"}
    crews = {"ORDER_SEARCH", "ORDER_SPLIT", "DEBRIEF", "ANNOUNCE", "CLEAR", "RADIO", "TAKE_POST"}
    without |= {"THEFT", "LIGHT_OFF"}
    crews |= {"ORDER_ATTACK", "ORDER_FLANK", "ORDER_HOLD", "TAUNT"}
    crews |= {"ASK_STATUS", "MAN_DOWN", "LAST_ONE", "ORDER_MOVE", "ORDER_ADVANCE"}
    without |= crews | {"TALK", "TALK_REMARK", "TALK_RESUME"}
    assert own == set(TRIGGERS) - (without if side == "civilian" else set())
    last = HANDLERS[f"{side}.barks"].rules[-1]
    assert not last.conditions
    assert is_fall_back(last)


def test_follow_ups_find_an_answer_of_their_own_and_end_after_two_to_four_lines() -> None:
    lengths = Counter[int]()
    for start in RULES:
        if start.then is None or any(one.variable == "ask.topic" for one in start.conditions):
            continue
        rule, count = start, 1
        while rule.then is not None:
            fired = Engine(HANDLERS[rule.then.handler]).evaluate(rule.then.facts)
            assert fired is not None
            assert not is_fall_back(fired.rule), f"nothing is replied to {rule.name}"
            rule, count = fired.rule, count + 1
        assert 2 <= count <= 4, start.name
        lengths[count] += 1
    assert lengths[2] >= 25
    assert lengths[3] >= 10
    assert lengths[4] >= 10


def test_every_answer_is_asked_for() -> None:
    asked = [rule.then for rule in RULES if rule.then is not None]
    for name in ("guard.answers", "civilian.answers"):
        for rule in HANDLERS[name].rules:
            about = [one for one in rule.conditions if one.variable in ("ask.topic", "ask.turn")]
            assert about or is_fall_back(rule)
            assert any(
                then.handler == name
                and all(holds(one, then.facts.get(one.variable), DATABASE.variables[one.variable]) for one in about)
                for then in asked
            ), rule.name


@pytest.mark.parametrize(("most_lines", "last"), [(2, ""), (3, "report, last word"), (4, "report, turn four")])
def test_conversations_end_well_however_many_lines_they_may_have(most_lines: int, last: str) -> None:
    quiet = {"npc.colleagues_near": 1, **CALM}
    watch = Speakers({"Ada": Speaker(facts=quiet), "Ben": Speaker((2.0, 0.0, 0.0)), "Cleo": Speaker(side="civilian")})
    speech = Speech(DATABASE, watch, settings=SpeechSettings(most_lines=most_lines))
    speech.memory.write("Ada", "memory.gave_up", True, now=0.0)
    first = speech.bark(Bark("Ada", {"bark.trigger": "CHATTER"}), now=0.0)
    assert first is not None
    assert first.rule == "talk of the report"
    said = [first, *(one for now in np.arange(0.0, 30.0, 0.5) for one in speech.advance(float(now)))]
    assert [one.speaker for one in said] == ["Ada", "Ben", "Ada", "Ben"][:most_lines]
    assert not last or said[-1].rule == last
    assert all(one.text for one in said)


class Night:
    """Plays moments drawn by chance, one after another, with memory and answers; counts what fires."""

    def __init__(self, seed: int):
        self.random = np.random.default_rng(seed)
        self.engines = {name: Engine(handler, seed=seed) for name, handler in HANDLERS.items()}
        self.memory = RuleMemory(DATABASE)
        self.forgotten = {path: False for path in DATABASE.variables if path.startswith("memory.")}
        self.fired = Counter[tuple[str, str]]()
        self.lines = Counter[tuple[int, str]]()
        self.values = {
            path: values for path, values in VALUES.items() if not path.startswith(("memory.", "ask.", "bark."))
        }

    def live(self, count: int) -> None:
        for number in range(count):
            side = "civilian" if number % 5 == 0 else "guard"
            known = [rule for rule in HANDLERS[f"{side}.barks"].rules if rule.conditions]
            chosen = known[self.random.integers(len(known))].conditions[0].constant
            self.speak(f"{side}.barks", f"{side} {self.random.integers(4)}", {"bark.trigger": chosen}, 10.0 * number)

    def speak(self, name: str, speaker: str, given: Facts, now: float) -> None:
        facts = {path: values[self.random.integers(len(values))] for path, values in self.values.items()}
        if given["bark.trigger"] in ("MISSING", "FIND_BODY", "ANSWER"):
            facts["ask.name"] = "Ada"
        fired = self.engines[name].evaluate(
            {**facts, **self.forgotten, **self.memory.holds(speaker, now), **given}, now=now
        )
        assert fired is not None
        self.fired[name, fired.rule.name] += 1
        self.lines[fired.rule.tier if fired.rule.then is None else 0, fired.action] += 1
        for one in fired.rule.remember:
            self.memory.write(speaker, one.variable, one.value, now=now, seconds=one.seconds)
        then = fired.rule.then
        if then is not None:
            other = f"{then.handler.partition('.')[0]} {self.random.integers(4)}"
            self.speak(then.handler, other, dict(then.facts), now + then.after)


def test_three_thousand_moments_let_most_rules_speak_and_no_memorable_line_twice() -> None:
    night = Night(seed=5)
    night.live(3000)
    share = len(night.fired) / sum(len(handler.rules) for handler in HANDLERS.values())
    assert share >= 0.85, f"{share:.1%} of rules fired"
    assert max(count for (tier, _), count in night.lines.items() if tier in (1, 2)) == 1


def names_fired(name: str, facts: Facts) -> set[str]:
    """Return the rules that may answer these facts, whatever was said before."""
    return {rule for seed in range(3) for rule in said_at_one_moment(name, facts, seed)}


def test_who_lost_sight_long_ago_does_not_claim_to_see_nor_names_a_place() -> None:
    asked = {"bark.trigger": "ANSWER", "ask.topic": "lost", "target.source": "seen", "place.name": "the yard"}
    claims = {"lost, I know the place", "lost, I see him"}
    assert claims <= names_fired("guard.answers", {**asked, "target.seconds_since_seen": 1.0})
    assert not claims & names_fired("guard.answers", {**asked, "target.seconds_since_seen": 60.0})
    heard = {**asked, "target.source": "heard"}
    assert "lost, I heard him" in names_fired("guard.answers", {**heard, "target.age": 1.0})
    assert "lost, I heard him" not in names_fired("guard.answers", {**heard, "target.age": 30.0})


@pytest.mark.parametrize(
    ("first", "begin"),
    [
        ("order to fetch rope", "rope,"),
        ("caught with a colleague", "caught,"),
        ("noticed with one colleague", "seen,"),
        ("seen when nobody believed it", "seen,"),
        ("door changed with a colleague", "opened,"),
        ("lost at a door with a colleague", "door,"),
        ("heard with a colleague", "heard,"),
        ("give up with a colleague", "over,"),
        ("help, which way", "civilian"),
    ],
)
def test_replies_are_about_what_was_said(first: str, begin: str) -> None:
    then = next(rule.then for rule in RULES if rule.name == first)
    assert then is not None
    names = {name for name in names_fired(then.handler, dict(then.facts)) if not name.endswith("whatever")}
    assert names
    assert all(name.startswith(begin) for name in names), names
    if first == "help, which way":
        assert names == {"civilian asked which way"}


def test_who_raised_the_alarm_or_saw_why_does_not_ask_whether_it_is_a_drill() -> None:
    alarm = {"bark.trigger": "CHATTER", "npc.colleagues_near": 1, "level.alarm": True}
    unaware = {**CALM, **alarm, "npc.raised_alarm": False, "npc.has_seen": False, "level.caught": False}
    assert "talk of the drill" in names_fired("guard.barks", unaware)
    for path in ("npc.raised_alarm", "npc.has_seen", "level.caught"):
        assert "talk of the drill" not in names_fired("guard.barks", {**unaware, path: True})


def test_nobody_calls_a_runner_or_one_out_of_sight_a_walker() -> None:
    walker = {"bark.trigger": "CHASE", "target.speed": "walking", "target.source": "seen"}
    seen = {**CALM, **walker, "target.seconds_since_seen": 0.1}
    assert "chase a walker" in names_fired("guard.barks", seen)
    others = ({"target.speed": "running"}, {"target.source": "told"}, {"target.seconds_since_seen": 3.0})
    for other in others:
        assert "chase a walker" not in names_fired("guard.barks", {**seen, **other})


def test_whoever_speaks_lightly_asks_whether_the_night_is_calm() -> None:
    assert len(LIGHT) >= 200
    calm = {RuleCondition(path, "==", value) for path, value in CALM.items()}
    for rule in RULES:
        assert (rule.name not in LIGHT) or calm <= set(rule.conditions), rule.name
    jokes = {
        "How kind. Somebody aired the place.", "Another one. Somebody was raised in a barn.",
        "One goes, and I do two rounds. As usual.", "Hey! Say something! Anything! A joke!",
        "Third time. I should charge rent.", "Strolling about, are we? Halt!", "Tag. You are under arrest.",
        "Gone again. It's the shoes. It must be the shoes.", "Brooms. As I live and breathe. Brooms.",
        "Alarm! Finally! I mean, alarm!", "If anyone asks, we scared them off.", "What was in that soup today?",
        "Somebody keeps watering the plastic plant.", "First night on this post, a goose looked at me.",
    }  # fmt: skip
    assert jokes <= {text_of(action) for rule in RULES if rule.name in LIGHT for action in rule.actions}
    # Words that play down what happened.
    little = (
        "false alarm",
        "just the wind",
        "rats",
        "asleep on duty",
        "headache",
        "after three",
        "ring all night",
        "bow on top",
    )
    for rule in RULES:
        if any(word in text_of(action).lower() for action in rule.actions for word in little):
            assert rule.name in LIGHT, rule.name


@pytest.mark.parametrize("grave", [{"level.body_found": True}, {"memory.missed_somebody": True}], ids=str)
@pytest.mark.parametrize("name", HANDLERS)
def test_nobody_jokes_on_a_grave_night_whatever_happens(name: str, grave: Facts) -> None:
    random = np.random.default_rng(3)
    engine, calm_engine = (Engine(HANDLERS[name], seed=seed) for seed in (1, 2))
    joked = 0
    for trigger in TRIGGERS if name.endswith("barks") else ("ANSWER",):
        for number in range(150):
            facts = {path: values[random.integers(len(values))] for path, values in VALUES.items()}
            facts |= {**CALM, "bark.trigger": trigger}
            for _ in range(3):
                fired = engine.evaluate({**facts, **grave}, now=1000.0 * number)
                assert fired is not None
                assert fired.rule.name not in LIGHT, (trigger, fired.rule.name)
            calm = calm_engine.evaluate(facts, now=1000.0 * number)
            joked += calm is not None and calm.rule.name in LIGHT
    assert joked > 50 or not name.endswith("barks")


def test_after_a_body_and_while_one_is_missing_there_is_more_to_say_than_what_always_fits() -> None:
    usual = "NOTICE SUSPECT SEE LOSE CHASE REACH_LAST_SEEN SEARCH SEARCH_SPOT HEAR ALARM CAUGHT DOOR_CHANGED CHATTER"
    for trigger in (*usual.split(), "GIVE_UP", "RETURN"):
        sober = names_fired("guard.barks", {"bark.trigger": trigger, "level.body_found": True})
        assert any(not name.endswith(("whatever", "at all")) for name in sober), trigger
    assert "low voices while one is missing" in names_fired(
        "guard.barks", {"bark.trigger": "CHATTER", "memory.missed_somebody": True}
    )


@pytest.mark.parametrize(
    ("trigger", "sober"),
    [("CLEAR", "clear while one is missing"), ("TALK_REMARK", "talk broken off while one is missing")],
)
def test_while_one_is_missing_there_is_a_line_for_it(trigger: str, sober: str) -> None:
    facts = {"bark.trigger": trigger, "talk.topic": "lights", "npc.has_seen": False, "level.body_found": False}
    missing = names_fired("guard.barks", {**facts, "memory.missed_somebody": True})
    assert sober in missing
    assert not missing & LIGHT
    assert names_fired("guard.barks", {**facts, "memory.missed_somebody": False}) & LIGHT


def test_whoever_is_asked_about_one_who_is_missing_knows_of_it_from_then_on() -> None:
    asked = [
        rule
        for rule in HANDLERS["guard.answers"].rules
        if any(one.variable == "ask.topic" and one.constant in ("missing", "count") for one in rule.conditions)
    ]
    assert len(asked) >= 5
    for rule in asked:
        assert [one.variable for one in rule.remember] == ["memory.missed_somebody"], rule.name


ROLES_OF_ORDERS = {
    "ORDER_SEARCH": ("search", "comb", "hold", "observe"),
    "ORDER_ATTACK": ("melee", "ranged", "wait", "come"),
    "ORDER_FLANK": ("flank", "shoot across", "taunt"),
}
"""By the order of a crew, the roles its ready tree has when it is given."""


@pytest.mark.parametrize("trigger", ROLES_OF_ORDERS)
def test_orders_of_crews_are_answered_by_what_the_one_who_answers_does(trigger: str) -> None:
    orders = [rule for rule in RULES if RuleCondition("bark.trigger", "==", trigger) in rule.conditions and rule.then]
    assert orders
    for order in orders:
        assert order.then is not None
        answers: dict[str, set[str]] = {}
        for role in ROLES_OF_ORDERS[trigger]:
            facts = {**order.then.facts, "crew.role": role, "npc.voice": "weary", "ask.name": "Ada", **CALM}
            engine = Engine(HANDLERS[order.then.handler])
            fired = [engine.evaluate(facts, now=100.0 * number) for number in range(6)]
            answers[role] = {one.action for one in fired if one is not None and not is_fall_back(one.rule)}
            assert answers[role], (order.name, role)
        said = Counter(line for lines in answers.values() for line in lines)
        assert max(said.values()) == 1, (order.name, answers)


def test_who_searches_does_not_say_that_it_is_at_the_door() -> None:
    facts = {"bark.trigger": "ANSWER", "ask.topic": "door"}
    assert "door, on it" in names_fired("guard.answers", facts)
    for role in ("search", "comb", "follow"):
        assert "door, on it" not in names_fired("guard.answers", {**facts, "crew.role": role})


def test_whoever_finds_another_one_does_not_take_them_for_asleep() -> None:
    facts = {"bark.trigger": "FIND_BODY", "npc.alertness": 0.1, "level.body_found": True}
    first = "found one asleep at first sight"
    assert first in names_fired("guard.barks", {**facts, "memory.found_body": False})
    assert first not in names_fired("guard.barks", {**facts, "memory.found_body": True})


def test_who_has_seen_somebody_does_not_deny_it() -> None:
    denying = ("all quiet", "quiet tonight", "nothing to report", "nothing further", "nothing new", "nothing happened",
               "like. there's nobody.", "nobody came", "somebody i never saw", "call it wind", "false alarm",
               "just the wind")  # fmt: skip
    rules = [rule for rule in RULES if any(word in text_of(one).lower() for one in rule.actions for word in denying)]
    assert len(rules) >= 9
    for rule in rules:
        assert RuleCondition("npc.has_seen", "==", False) in rule.conditions, rule.name
    # Nor does a guard that searched for it, whatever else is known.
    gave_up = {"bark.trigger": "GIVE_UP", "level.alarm": True, "npc.alone": True, "npc.voice": "dry", **CALM}
    deny = {rule.name for rule in rules}
    for source in ("seen", "heard", "told"):
        facts = {**gave_up, "target.source": source}
        assert not deny & names_fired("guard.barks", {**facts, "npc.has_seen": True, "memory.saw_somebody": True})
        assert deny & names_fired("guard.barks", {**facts, "npc.has_seen": False})
    german = [texts["de"] for name, texts in DATABASE.lines.items() if name.startswith(("chatter.", "return."))]
    assert not any(word in text.lower() for word in ("ruhig", "vorkommnisse") for text in german)
    # Only a guard that chased a target can be quicker next time.
    (rule,) = [rule for rule in RULES if any("quicker" in text_of(one) for one in rule.actions)]
    assert RuleCondition("npc.has_seen", "==", True) in rule.conditions


def test_the_first_line_over_one_who_is_caught_differs_from_game_to_game() -> None:
    facts = {"bark.trigger": "CAUGHT", "npc.colleagues_near": 1, "level.alarm": True, **CALM}
    first = {Engine(HANDLERS["guard.barks"], seed=seed).evaluate(facts).action for seed in range(12)}  # type: ignore[union-attr]
    assert len(first) >= 3


def test_german_speaks_of_them_as_english_does() -> None:
    for texts in DATABASE.lines.values():
        if {"they", "them"} & set(texts["en"].lower().rstrip(".!?").split()):
            assert not {"er", "ihn", "ihm"} & set(texts["de"].lower().rstrip(".!?").split()), texts


def test_only_outdoors_there_is_weather_and_what_grows() -> None:
    words = {"rain", "stars", "fence", "hedges", "grass", "bushes", "yard", "wet"}
    speaking = [
        rule
        for rule in RULES
        if any(words & set(text_of(action).lower().replace(".", " ").split()) for action in rule.actions)
    ]
    topics = {rule.then.facts.get("ask.topic") for rule in speaking if rule.then is not None}
    assert len(speaking) >= 2
    for rule in speaking:
        follows = any(one.variable == "ask.topic" and one.constant in topics for one in rule.conditions)
        assert follows or any(one.variable == "place.outdoors" for one in rule.conditions), rule.name
