"""Previews of speech equal what is then said, and change nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.rules.files.read import parse_rules, read_rules
from lastseen.agents.rules.shipped_rules import shipped_rules_folder
from lastseen.agents.rules.speech.speakers import Speaker, Speakers
from lastseen.agents.rules.speech.speech import Speech
from lastseen.agents.rules.speech.utterance import Bark

TEXT = """\
variables:
  bark.trigger: {enum: [LOSE, SEE]}
  npc.health: float
handlers:
  guard.barks:
    order: original
    rules:
      - {name: lucky, when: [bark.trigger == LOSE, random.d6 == 6], say: Ha!}
      - {name: two, when: bark.trigger == LOSE, say: You there?, then: {handler: guard.answers, who: nearest}}
      - {name: once, when: bark.trigger == LOSE, say: Gone!, policy: sequence once}
      - {name: hurt, when: [bark.trigger == LOSE, npc.health < 0.5], say: Ow.}
      - {name: plain, when: bark.trigger == LOSE, say: Hm.}
      - {name: late, when: bark.trigger == LOSE, say: Well.}
      - {name: unlucky, when: [bark.trigger == LOSE, random.d6 == 1], say: Oh.}
      - {name: seen, when: [bark.trigger == SEE, random.d6 == 1], say: There!}
  guard.answers:
    rules: [{name: yes, say: Here.}]
"""
LOSE = Bark("Ada", {"bark.trigger": "LOSE"}, urgency=1)


def test_every_rule_is_accounted_for_and_nothing_is_said():
    speech = Speech(parse_rules(TEXT), Speakers({"Ada": Speaker(facts={"npc.health": 0.9})}))
    found = speech.consider(LOSE, now=0.0)
    states = {one.rule.name: (found.state(one), found.reason(one)) for one in found.explanation.verdicts}
    assert states == {
        "lucky": ("chance", "may fire first: random.d6 == 6"),
        "two": ("blocked", "no speaker can answer as 'nearest'"),
        "once": ("fires", "fires"),
        "hurt": ("fails", "npc.health < 0.5: npc.health is 0.9"),
        "plain": ("holds", "holds, but 'once' comes first"),
        "late": ("holds", "holds, but 'once' comes first"),
        "unlucky": ("fails", "random.d6 == 1: random.d6 is not known"),
        "seen": ("fails", "bark.trigger == SEE: bark.trigger is LOSE"),
    }
    nobody = speech.consider(Bark("Ada", {"bark.trigger": "SEE"}), now=0.0)
    assert nobody.explanation.fired is None
    assert [one.rule.name for one in nobody.explanation.verdicts if nobody.state(one) == "chance"] == ["seen"]
    assert found.facts == {"bark.trigger": "LOSE", "npc.health": 0.9}
    assert found.refused == ""
    assert speech.consider(LOSE, now=0.0) == found
    for urgency in range(5, 15):  # dice may have their way
        said = speech.bark(Bark("Ada", LOSE.facts, urgency=urgency), now=0.0)
        if said is not None and said.rule == "once":
            break
    after = speech.consider(Bark("Ada", LOSE.facts, urgency=99), now=0.0)
    reasons = {one.rule.name: after.reason(one) for one in after.explanation.verdicts}
    assert reasons["once"] == "its actions are used up"
    assert speech.consider(LOSE, now=0.0).refused == "is speaking"


def test_no_handlers_and_what_a_game_raises_are_said():
    def look_up(path: str) -> object:
        raise ValueError(path)

    speech = Speech(parse_rules(TEXT), Speakers({"Ada": Speaker(facts=look_up), "Bo": Speaker(side="cat")}))
    assert speech.consider(Bark("Bo"), now=0.0).refused == "there are no handlers cat.barks"
    found = speech.consider(LOSE, now=0.0)
    assert found.facts["npc.health"] is None
    assert speech.news() == []


SAMPLE = read_rules(shipped_rules_folder("guards"))
TRIGGERS = SAMPLE.variables["bark.trigger"].names


@given(st.sampled_from(TRIGGERS), st.integers(0, 2**16), st.sampled_from(["room", "door", "stairs"]))
def test_what_would_be_said_is_said_where_dice_do_not_decide(trigger, seed, kind):
    def speech() -> Speech:
        facts = {"place.kind": kind, "npc.voice": "dry", "target.times_lost": seed % 4, "npc.colleagues_near": seed % 2}
        return Speech(SAMPLE, Speakers({"Ada": Speaker(facts=facts), "Ben": Speaker((2, 0, 0))}), seed=seed)

    asked, silent = speech(), speech()
    bark = Bark("Ada", {"bark.trigger": trigger})
    found = asked.consider(bark, now=1.0)
    said, unasked = asked.bark(bark, now=1.0), silent.bark(bark, now=1.0)
    assert said == unasked
    fired = found.explanation.fired
    by_chance = {one.rule.name for one in found.explanation.verdicts if found.state(one) == "chance"}
    if said is None:
        assert fired is None
    else:
        assert said.rule in by_chance or said.rule == fired.rule.name
