"""Speech, answers and silence: the squad dialogue of chapter 2, memory, turns, languages."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lastseen.agents.rules.files.read import parse_rules
from lastseen.agents.rules.speech.speakers import Speaker, Speakers
from lastseen.agents.rules.speech.speech import Speech
from lastseen.agents.rules.speech.utterance import Bark, SpeechSettings, Utterance
from lastseen.errors import LastSeenError, RuleError

SQUAD = """
variables:
  event: {enum: [HIT, LOST, PINNED, ADVANCE, DIED, LAST, NONE]}
  npc.health: float
  region: str
  place.name: str
  squad.dead: int
  squad.dead_words: str
  order.danger: bool
  ask.name: str
  ask.where: str
handlers:
  squad.barks:
    order: priority
    rules:
      - name: ask the wounded
        when: event == HIT
        say: Are you hit, {name}?
        then: {handler: squad.answers, who: subject, facts: {event: HIT}}
      - {name: talk to oneself, when: event == HIT, say: Incoming!, priority: -1}
      - name: who sees him
        when: event == LOST
        say: Does anybody see him?
        then: {handler: squad.answers, who: nearest, facts: {event: LOST}}
      - name: move
        when: event == PINNED
        say: Get out of there!
        then: {handler: squad.answers, who: subject, facts: {event: PINNED}}
      - name: go on
        when: event == ADVANCE
        say: Go, go!
        then: {handler: squad.answers, who: subject, facts: {event: ADVANCE}}
      - {name: one down, when: [event == DIED, squad.dead == 1], say: "{name} is down!"}
      - {name: many down, when: [event == DIED, squad.dead >= 2], say: "{count} men down!"}
      - {name: alone, when: event == LAST, say: Send reinforcements!}
  squad.answers:
    rules:
      - {name: badly, when: [event == HIT, npc.health < 0.5], say: It is bad.}
      - {name: scratch, when: event == HIT, say: I am fine.}
      - {name: there, when: event == LOST, say: "He is behind the {place}!"}
      - {name: nowhere, when: event == PINNED, say: There is nowhere to go!}
      - {name: refuse, when: [event == ADVANCE, order.danger], say: No way!}
      - {name: obey, when: event == ADVANCE, say: Going.}
"""
FILLS = {"name": "ask.name", "place": "place.name", "count": "squad.dead_words"}
SETTINGS = SpeechSettings(earshot=10.0)


class Squad:
    def __init__(self, places: dict[str, float], facts: dict[str, Any] | None = None, **settings: Any):
        self.facts: dict[str, Any] = facts or {}
        self.members = {
            name: Speaker((x, 0.0, 0.0), "squad", {"npc.health": 1.0, **self.facts}) for name, x in places.items()
        }
        database = parse_rules(SQUAD)
        self.speech = Speech(database, Speakers(self.members), fills=FILLS, settings=SETTINGS, **settings)

    def set(self, name: str, **facts: Any) -> None:
        self.members[name].facts |= {path.replace("__", "."): value for path, value in facts.items()}  # type: ignore

    def play(self, bark: Bark, now: float = 0.0, seconds: float = 10.0) -> list[Utterance]:
        said = [one for one in (self.speech.bark(bark, now=now),) if one is not None]
        for tenth in range(1, round(10 * seconds)):
            said += self.speech.advance(now + 0.1 * tenth)
        return said


FOUR = {"A": 0.0, "B": 2.0, "C": 5.0, "D": 7.0}


def bark(speaker: str, event: str, about: str | None = None, **facts: Any) -> Bark:
    return Bark(speaker, {"event": event, "ask.name": about or "", **facts}, about=about)


@pytest.mark.parametrize(("health", "answer"), [(0.3, "It is bad."), (0.8, "I am fine.")])
def test_2_1_another_asks_the_wounded_who_answers_by_its_health(health: float, answer: str) -> None:
    squad = Squad(FOUR)
    squad.set("A", npc__health=health)
    said = squad.play(bark("B", "HIT", "A"))
    assert [(one.speaker, one.text) for one in said] == [("B", "Are you hit, A?"), ("A", answer)]
    assert (said[1].to, said[1].turn, said[1].exchange) == ("B", 2, said[0].exchange)
    assert said[1].begun >= said[0].until


def test_2_2_the_answer_names_the_region() -> None:
    squad = Squad(FOUR)
    squad.set("B", place__name="ceiling")
    said = squad.play(bark("A", "LOST"))
    assert [(one.speaker, one.text) for one in said][1] == ("B", "He is behind the ceiling!")


def test_2_3_one_alone_begins_no_exchange_and_falls_back_to_a_bark() -> None:
    squad = Squad({"B": 0.0, "far": 50.0})
    said = squad.play(bark("B", "HIT", "far"))
    assert [one.text for one in said] == ["Incoming!"]
    assert said[0].near[0] == ("ask the wounded", "no speaker can answer as 'subject'")
    assert squad.play(bark("B", "LOST"), now=20.0) == []
    assert squad.speech.silent["B"] == "no rule fires"


def test_2_4_the_dead_are_silent_and_counted() -> None:
    squad = Squad(FOUR)
    squad.members["A"].can_speak = False
    assert squad.play(bark("A", "DIED", "A")) == []
    assert squad.speech.silent["A"] == "cannot speak"
    squad.set("B", squad__dead=1)
    assert [one.text for one in squad.play(bark("B", "DIED", "A"))] == ["A is down!"]
    squad.set("B", squad__dead=2, squad__dead_words="Two")
    assert [one.text for one in squad.play(bark("B", "DIED", "C"), now=30.0)] == ["Two men down!"]


def test_2_4_one_who_dies_before_its_answer_gives_none() -> None:
    squad = Squad(FOUR)
    assert squad.speech.bark(bark("B", "HIT", "A"), now=0.0) is not None
    squad.members["A"].can_speak = False
    assert squad.speech.advance(5.0) == []
    assert squad.speech.bark(bark("C", "LOST"), now=10.0) is not None
    squad.members["B"].can_speak = squad.members["D"].can_speak = False
    squad.members["A"].can_speak = True
    squad.set("A", place__name="tree")
    assert [one.speaker for one in squad.speech.advance(15.0)] == ["A"]  # another speaker that fits


def test_2_4_one_who_was_asked_and_walked_out_of_earshot_is_answered_for_by_another_nearer() -> None:
    squad = Squad({"A": 0.0, "B": 2.0, "C": 5.0})
    for name in "BC":
        squad.set(name, place__name="tree")
    assert squad.speech.bark(bark("A", "LOST"), now=0.0) is not None
    squad.members["B"].place = (60.0, 0.0, 0.0)
    said = [one for tenth in range(1, 100) for one in squad.speech.advance(0.1 * tenth)]
    assert [one.speaker for one in said] == ["C"]


def test_2_5_the_last_calls_for_help_and_nothing_else_happens() -> None:
    said = Squad({"A": 0.0}).play(bark("A", "LAST"))
    assert [(one.text, one.action) for one in said] == [("Send reinforcements!", "Send reinforcements!")]


def test_2_6_where_a_comrade_died_one_refuses_to_go_until_that_is_forgotten() -> None:
    text = (
        SQUAD.replace("order.danger: bool", "order.danger: bool\n  memory.danger: bool")
        .replace(
            'say: "{name} is down!"}', 'say: "{name} is down!", remember: {memory.danger: {value: true, seconds: 30}}}'
        )
        .replace("[event == ADVANCE, order.danger]", "[event == ADVANCE, memory.danger]")
    )
    members = {name: Speaker((x, 0.0, 0.0), "squad", {"squad.dead": 1}) for name, x in FOUR.items()}
    speech = Speech(parse_rules(text), Speakers(members), fills=FILLS, settings=SETTINGS)
    moved = []
    assert speech.bark(bark("B", "DIED", "A"), now=0.0) is not None
    for now in (10.0, 40.0):
        assert speech.bark(bark("C", "ADVANCE", "B"), now=now) is not None
        (answer,) = speech.advance(now + 5.0)
        moved.append((answer.text, speech.memory.read("B", "memory.danger", now)))
    assert moved == [("No way!", True), ("Going.", None)]


def test_2_7_who_has_nowhere_to_go_says_so() -> None:
    said = Squad(FOUR).play(bark("B", "PINNED", "A"))
    assert [one.text for one in said] == ["Get out of there!", "There is nowhere to go!"]


ROUND = """
variables: {topic: {enum: [ONE, TWO]}}
handlers:
  guard.barks:
    rules: [{name: call, say: Hello!, then: {handler: guard.answers, who: nearest, after: 0}}]
  guard.answers:
    rules:
      - {name: back, say: [Hello you!, And you!, Well!], then: {handler: guard.answers, who: caller, after: 0}}
      - {name: end, say: Bye!}
"""


def test_2_8_follow_ups_that_go_round_are_found_and_bounded() -> None:
    with pytest.raises(RuleError, match="follow-ups form a cycle: 'back' → 'back'"):
        parse_rules(ROUND)
    database = parse_rules(ROUND.replace("who: caller, after: 0", "who: caller, after: 0, facts: {topic: ONE}").replace(
        "name: back, say", "name: back, when: topic != ONE, say"
    ))  # fmt: skip
    rule = database.handlers["guard.answers"].rules[0]
    looping = msgspec.structs.replace(rule, conditions=())
    handler = msgspec.structs.replace(
        database.handlers["guard.answers"], rules=(looping, database.handlers["guard.answers"].rules[1])
    )
    database = msgspec.structs.replace(database, handlers=database.handlers | {"guard.answers": handler})
    company = Speakers({"A": Speaker(), "B": Speaker((1.0, 0.0, 0.0))})
    for most in (2, 3, 5):
        speech = Speech(database, company, settings=SpeechSettings(most_lines=most))
        said = [speech.bark(Bark("A"), now=0.0)]
        for tenth in range(1, 300):
            said += speech.advance(0.1 * tenth)
        assert [one.speaker for one in said if one] == [("A", "B")[turn % 2] for turn in range(most)]
        assert said[-1] is not None
        assert said[-1].text == "Bye!"


TALK = """
variables:
  trigger: {enum: [SEE, CHAT, HEAR]}
  memory.heard: bool
  shared.alarm: bool
  ask.name: str
  place.name: str
  npc.name: str
handlers:
  guard.barks.calm:
    policy: shuffle repeat
    rules:
      - {name: chat, when: trigger == CHAT, say: [Cold tonight., Quiet tonight., Long night.], policy: sequence repeat}
      - name: heard again
        when: [trigger == HEAR, memory.heard]
        say: Again!
      - name: heard
        when: [trigger == HEAR, not memory.heard]
        say: [Hm?, What?]
        remember: {memory.heard: {value: true, seconds: 10}, shared.alarm: {value: true, seconds: 5}}
  guard.barks.alarm:
    rules:
      - {name: see, when: trigger == SEE, say: see.1}
      - {name: see calmly, when: [trigger == SEE, not shared.alarm], say: Oh.}
lines:
  see.1: {en: "There, in the {place}!", de: "Da, {place}!"}
"""


def talk(places: dict[str, float], facts: dict[str, Any] | None = None, **more: Any) -> Speech:
    members = {name: Speaker((x, 0.0, 0.0), "guard", facts or {}) for name, x in places.items()}
    return Speech(parse_rules(TALK), Speakers(members), **more)


def say(speech: Speech, speaker: str, trigger: str, now: float, urgency: int = 0) -> str | None:
    said = speech.bark(Bark(speaker, {"trigger": trigger}, urgency=urgency), now=now)
    return said.text if said else None


def test_nobody_talks_over_another_within_earshot_unless_more_urgent() -> None:
    speech = talk({"A": 0.0, "B": 5.0, "far": 60.0}, {"place.name": "yard"})
    assert say(speech, "A", "CHAT", 0.0) == "Cold tonight."
    assert say(speech, "B", "CHAT", 0.1) is None
    assert speech.silent["B"] == "A is speaking"
    assert say(speech, "far", "CHAT", 0.1) == "Quiet tonight."
    said = speech.bark(Bark("B", {"trigger": "SEE"}, urgency=3), now=0.2)
    assert said is not None
    assert (said.text, said.interrupts) == ("There, in the yard!", ("A",))
    assert say(speech, "A", "CHAT", 0.3) is None


def test_one_pauses_after_its_own_line() -> None:
    speech = talk({"A": 0.0}, settings=SpeechSettings(pause=2.0, least_seconds=1.0, letters=1000.0))
    assert [say(speech, "A", "CHAT", now) for now in (0.0, 0.5, 2.9, 3.0)] == [
        "Cold tonight.", None, None, "Quiet tonight."
    ]  # fmt: skip
    assert say(speech, "A", "HEAR", 3.1, urgency=1) in ("Hm?", "What?")


def test_the_same_line_is_not_said_by_two_near_each_other() -> None:
    speech = talk({"A": 0.0, "B": 20.0, "far": 60.0}, settings=SpeechSettings(earshot=5.0))
    first = say(speech, "A", "HEAR", 0.0)
    second = say(speech, "B", "HEAR", 1.0)
    assert {first, second} == {"Hm?", "What?"}
    assert say(speech, "far", "HEAR", 1.0) is not None
    speech = talk({"A": 0.0, "B": 20.0}, {"place.name": "yard"}, settings=SpeechSettings(earshot=5.0))
    assert say(speech, "A", "SEE", 0.0) == "There, in the yard!"
    assert say(speech, "B", "SEE", 19.9) == "Oh."
    assert say(speech, "B", "SEE", 45.0) == "There, in the yard!"


def test_facts_have_a_lifetime_and_shared_ones_are_everybodys() -> None:
    speech = talk({"A": 0.0, "far": 60.0})
    assert say(speech, "A", "HEAR", 0.0) in ("Hm?", "What?")
    assert speech.memory.holds("A", 1.0) == {"memory.heard": True, "shared.alarm": True}
    assert speech.memory.holds("far", 1.0) == {"shared.alarm": True}
    assert say(speech, "far", "SEE", 4.9) is None
    assert say(speech, "far", "SEE", 5.0) == "Oh."
    assert say(speech, "A", "HEAR", 9.9) == "Again!"
    assert say(speech, "A", "HEAR", 40.0) in ("Hm?", "What?")
    speech.memory.forget("A")
    assert speech.memory.holds("A", 40.0).keys() == {"shared.alarm"}


def test_languages_and_places_are_filled_and_a_line_without_its_place_is_passed_over() -> None:
    speech = talk({"A": 0.0}, {"place.name": "Hof"}, language="de-AT")
    assert say(speech, "A", "SEE", 0.0) == "Da, Hof!"
    said = talk({"A": 0.0}, {"place.name": ""}).bark(Bark("A", {"trigger": "SEE"}), now=0.0)
    assert said is not None
    assert (said.text, said.handler) == ("Oh.", "guard.barks.alarm")
    assert said.near[0] == ("see", "{place} of 'see' is unknown")


def test_a_line_says_where_it_comes_from_and_what_else_was_near() -> None:
    said = talk({"A": 0.0}).bark(Bark("A", {"trigger": "HEAR"}), now=0.0)
    assert said is not None
    assert (said.rule, said.handler, said.source) == ("heard", "guard.barks.calm", "rules:17")
    assert said.facts == {"trigger": "HEAR", "memory.heard": False}
    assert said.near == (("heard again", "memory.heard == true: memory.heard is false"),)


def test_a_line_may_wait_for_silence_and_is_dropped_if_its_speaker_goes_on() -> None:
    settings = SpeechSettings(least_seconds=1.0, letters=1000.0, pause=0.5)
    for goes_on, expected in ((False, ["Quiet tonight."]), (True, [])):
        speech = talk({"A": 0.0, "B": 5.0}, settings=settings)
        assert say(speech, "A", "CHAT", 0.0) == "Cold tonight."
        assert speech.bark(Bark("B", {"trigger": "CHAT"}, patience=2.0), now=0.2) is None
        assert speech.silent["B"] == "waits: A is speaking"
        assert speech.advance(0.9) == []
        if goes_on:
            assert say(speech, "B", "HEAR", 0.95, urgency=1) is not None
        assert [one.text for tenth in range(10, 60) for one in speech.advance(tenth / 10.0)] == expected
    speech = talk({"A": 0.0, "B": 5.0}, settings=settings)
    say(speech, "A", "CHAT", 0.0)
    speech.bark(Bark("B", {"trigger": "CHAT"}, patience=0.5), now=0.2)
    assert [one.text for tenth in range(3, 60) for one in speech.advance(tenth / 10.0)] == []


def test_the_most_urgent_of_many_speaks_first() -> None:
    speech = talk({"A": 0.0, "B": 1.0, "C": 2.0}, {"place.name": "yard"})
    barks = [Bark("A", {"trigger": "CHAT"}), Bark("B", {"trigger": "SEE"}, urgency=3), Bark("C", {"trigger": "CHAT"})]
    assert [one.speaker for one in speech.bark_many(barks, now=0.0)] == ["B"]


def test_no_more_than_a_few_look_for_lines_at_once_and_the_rest_may_wait() -> None:
    speech = talk({f"G{n}": 100.0 * n for n in range(6)}, settings=SpeechSettings(most_at_once=2))
    barks = [Bark(f"G{n}", {"trigger": "HEAR"}, patience=1.0 * (n > 3)) for n in range(6)]
    assert [one.speaker for one in speech.bark_many(barks, now=0.0)] == ["G0", "G1"]
    assert speech.silent == {
        "G2": "enough others are speaking", "G3": "enough others are speaking",
        "G4": "waits: enough others are speaking", "G5": "waits: enough others are speaking",
    }  # fmt: skip
    assert [one.speaker for one in speech.advance(0.2)] == ["G4", "G5"]


def test_a_game_that_raises_is_reported_once_and_the_rule_does_not_match() -> None:
    def facts(path: str) -> Any:
        raise LookupError(path)

    members = {"A": Speaker(facts=facts)}
    speech = Speech(parse_rules(TALK), Speakers(members))
    assert say(speech, "A", "SEE", 0.0) == "Oh."
    assert say(speech, "A", "SEE", 50.0) == "Oh."
    assert speech.complaints == {"place.name": "LookupError: place.name"}


def test_who_is_asked_may_come_later() -> None:
    rules = parse_rules(TALK.replace("say: Oh.", "say: Oh., then: {handler: guard.barks.calm, who: guard}"))
    assert Speech(rules, Speakers({})).silent == {}
    speech = Speech(rules, Speakers({"C": Speaker(side="civilian")}))
    assert say(speech, "C", "SEE", 0.0) is None


def test_a_moment_that_is_none_is_refused_in_words() -> None:
    with pytest.raises(LastSeenError, match="now is nan s; it must be finite"):
        talk({"A": 0.0}).bark(Bark("A"), now=float("nan"))


def test_yes_and_no_are_no_numbers() -> None:
    rules = parse_rules("variables: {n: int}\nhandlers: {guard.barks: {rules: [{name: r, when: n == 1, say: One.}]}}")
    speech = Speech(rules, Speakers({"A": Speaker(facts={"n": True})}))
    assert speech.bark(Bark("A"), now=0.0) is None
    assert "n is True; it is a number" in speech.complaints["n"]


def test_the_same_seed_says_the_same() -> None:
    def run(seed: int) -> list[str | None]:
        speech = talk({"A": 0.0}, seed=seed)
        return [say(speech, "A", "HEAR", 100.0 * number) for number in range(8)]

    assert run(1) == run(1)
    assert any(run(seed) != run(1) for seed in range(2, 9))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TALK.replace("{place}", "{palace}"), "no variable fills {palace} (did you mean 'place'?)"),
        (TALK.replace("say: Oh.", "say: Oh., then: {handler: guard.barks.calm, who: neerest}"),
         "no role 'neerest' (did you mean 'nearest'?) can answer"),
    ],
)  # fmt: skip
def test_what_can_never_be_said_is_refused_before_the_game(text: str, words: str) -> None:
    with pytest.raises(LastSeenError) as caught:
        Speech(parse_rules(text), Speakers({"A": Speaker()}))
    assert words in str(caught.value)
    assert "rules:" in str(caught.value)


def test_a_line_whose_place_is_never_known_does_not_silence_its_rule() -> None:
    text = """
    variables: {place.name: str}
    handlers: {guard.barks: {policy: shuffle repeat, rules: [{name: lost, say: [Where?, "Check {place}!", Hm.]}]}}
    """
    speech = Speech(parse_rules(text), Speakers({"A": Speaker()}))
    heard: list[str] = []
    for number in range(12):
        told = speech.consider(Bark("A"), now=30.0 * number).explanation
        assert told is not None
        assert told.fired is not None, "what would be said is told as it is said"
        one = speech.bark(Bark("A"), now=30.0 * number)
        assert one is not None
        heard.append(one.text)
    assert heard == heard[:2] * 6
    assert set(heard) == {"Where?", "Hm."}


def test_an_exchange_that_is_cut_short_is_given_up() -> None:
    text = """
    variables: {event: {enum: [ASK, FIRE]}}
    handlers:
      guard.barks:
        rules:
          - {name: ask, when: event == ASK, say: "Is anybody there at all?", then: {handler: guard.answers}}
          - {name: fire, when: event == FIRE, say: Fire!}
      guard.answers: {rules: [{name: yes, say: I am.}]}
    """

    def heard(interrupted: bool) -> list[tuple[Any, str]]:
        places = {"A": (0.0, 0.0, 0.0), "B": (2.0, 0.0, 0.0), "C": (9.0, 0.0, 0.0)}
        speech = Speech(parse_rules(text), Speakers({name: Speaker(place) for name, place in places.items()}))
        said = [speech.bark(Bark("A", {"event": "ASK"}), now=0.0)]
        if interrupted:
            said.append(speech.bark(Bark("C", {"event": "FIRE"}, urgency=5), now=0.3))
        for tenth in range(4, 100):
            said += speech.advance(0.1 * tenth)
        return [(one.speaker, one.text) for one in said if one is not None]

    assert heard(False) == [("A", "Is anybody there at all?"), ("B", "I am.")]
    assert heard(True) == [("A", "Is anybody there at all?"), ("C", "Fire!")]


def test_a_fact_that_is_nearly_a_variable_is_told() -> None:
    squad = Squad(FOUR)
    assert squad.speech.bark(Bark("A", {"evnt": "LOST", "weather": "rain"}), now=0.0) is None
    assert (
        squad.speech.silent["A"] == "no rule fires; no variable 'evnt' (did you mean 'event'?); no variable 'weather'"
    )
    assert squad.speech.news() == [("evnt", "no variable 'evnt' (did you mean 'event'?)")]
