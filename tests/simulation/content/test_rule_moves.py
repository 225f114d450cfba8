"""Rules beyond speech: deeds as events of their own, groups, intruders, loudspeakers and achievements."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import lastseen as ls
from lastseen.agents.rules.files.read import parse_rules
from lastseen.agents.rules.speech.speakers import Speaker, Speakers
from lastseen.agents.rules.speech.speech import Speech
from lastseen.agents.rules.speech.utterance import Bark
from lastseen.errors import ScenarioError
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text
from lastseen.views.cli.run.why import command as why
from lastseen.vocabulary.events import Did, Said
from specimens.worlds import Play

RULES = """\
variables: {bark.trigger: {enum: [SEE]}, move.trigger: {enum: [ATTACK]}}
handlers:
  guard.moves: {policy: sequence repeat, rules: [{name: blow, when: move.trigger == ATTACK, do: [slash.left, stab]}]}
  guard.barks: {rules: [{name: seen, when: bark.trigger == SEE, say: Halt!}, {name: data, do: [{play: nod}]}]}
  gang.moves: {rules: [{name: kick, when: move.trigger == ATTACK, do: kick, policy: sequence once}]}
lines: {see.one: "You!"}
"""


def test_a_deed_is_not_spoken_and_waits_for_no_one() -> None:
    speech = Speech(parse_rules(RULES), Speakers({"Ada": Speaker(), "Ben": Speaker()}))
    said = speech.bark(Bark("Ada", {"bark.trigger": "SEE"}), now=0.0)
    assert said is not None
    assert (said.text, said.is_deed) == ("Halt!", False)
    attack = Bark("Ben", {"move.trigger": "ATTACK"})
    did = [speech.choose(attack, now=0.1 * number) for number in range(3)]
    assert [(one.text, one.action, one.is_deed) for one in did if one] == [
        ("", "slash.left", True), ("", "stab", True), ("", "slash.left", True),
    ]  # fmt: skip
    assert speech.bark(Bark("Ben", {"bark.trigger": "SEE"}), now=0.4) is None, "Ada is still speaking"


def test_a_group_comes_before_its_side() -> None:
    speech = Speech(parse_rules(RULES), Speakers({"Rob": Speaker(groups=("gang",)), "Ben": Speaker()}))
    moves = [speech.choose(Bark("Rob", {"move.trigger": "ATTACK"}), now=float(now)) for now in range(3)]
    assert [one.action for one in moves if one] == ["kick", "slash.left", "stab"]
    assert [one.handler for one in moves if one] == ["gang.moves", "guard.moves", "guard.moves"]
    other = speech.choose(Bark("Ben", {"move.trigger": "ATTACK"}), now=9.0)
    assert other is not None
    assert other.action == "slash.left"


def test_what_is_done_is_an_event_that_is_recorded_and_explained(tmp_path: Path) -> None:
    from click.testing import CliRunner

    ls.record(ls.make_world(parse_scenario(scenario_text("gang_fight"))), tmp_path / "fight.rec")
    recording = ls.Recording.read(tmp_path / "fight.rec")
    did = [event for event in recording.events() if isinstance(event, Did)]
    assert all(event.rule and event.handler.endswith((".moves", ".achievements")) for event in did)
    assert not [event for event in recording.events() if isinstance(event, Said) and not event.line]
    by = {
        name: {event.action for event in did if event.agent == number}
        for number, name in enumerate(recording.about.agents)
    }
    assert by["Rob"] <= {"kick", "headbutt", "bottle_swing", "haymaker", "spit_and_grin"}
    assert by["Ames"] <= {
        "lunge",
        "long_thrust",
        "slash_left",
        "slash_right",
        "overhead",
        "flinch_left",
        "flinch_right",
    }
    assert {"stab", "recoil"} <= by["Vera"]
    attacks = [event for event in recording.events() if event.kind == "attack"]
    assert [(one.tick, one.agent) for one in did if one.facts.get("move.trigger") == "ATTACK"] == [
        (one.tick, one.agent) for one in attacks
    ]
    told = CliRunner().invoke(why, [str(tmp_path / "fight.rec"), "--agent", "Rob", "--at", "12"])
    assert "did haymaker at 11.8 s\n  rule 'rowdy blow' of rowdy.moves  [moves.yaml:" in told.output
    assert "not 'rowdy kick, close': attack.distance < 1.4" in told.output


def test_moves_change_nothing_else_in_a_run() -> None:
    text = scenario_text("gang_fight")
    plain = text.replace(", rules: [rowdy]", "").replace("seed: 3", "seed: 3\nrules: none")
    assert Play(text).run(20.0).outcome.digest == Play(plain).run(20.0).outcome.digest


def test_idle_agents_vary_what_they_do_and_alert_ones_do_not() -> None:
    play = Play("level: rooms\nseconds: 60\nagents: [{name: Ames}]\n").run(60.0)
    idle = [event for event in play.of_kind("did") if event.facts.get("move.trigger") == "IDLE"]
    assert 3 <= len(idle) <= 10
    assert len({event.action for event in idle}) > 1
    assert not any(one.action == two.action for one, two in pairwise(idle) if one.rule == two.rule)


def test_unknown_groups_are_refused_with_a_suggestion() -> None:
    with pytest.raises(
        ScenarioError, match=r"line 3 \(agents\['Rob'\]\.rules\): no group of rules 'rowdie' \(did you mean"
    ):
        parse_scenario("level: rooms\nagents:\n  - {name: Rob, at: [3, 3], rules: [rowdie]}\n")
    with pytest.raises(ScenarioError, match="there are none"):
        parse_scenario("level: rooms\nrules: none\nagents: [{name: Rob, at: [3, 3], rules: [rowdy]}]\n")


def test_loudspeakers_and_intruders_speak_over_others() -> None:
    play = Play(scenario_text("loudspeakers")).run(90.0)
    said = [(event.speaker, event.facts["bark.trigger"]) for event in play.of_kind("said") if event.agent < 0]
    assert said == [("west", "ALARM"), ("west", "CLEAR")]
    thief = play.world.names.index("thief")
    assert [event.facts["bark.trigger"] for event in play.of_kind("said") if event.agent == thief] == ["SPOTTED"]
    plain = scenario_text("loudspeakers").replace("seed: 1", "seed: 1\nrules: none")
    assert play.outcome.digest == Play(plain).run(90.0).outcome.digest


def test_achievements_are_granted_once_by_the_level() -> None:
    play = Play(scenario_text("unseen")).run(60.0)
    granted = [event.action for event in play.of_kind("did") if event.speaker == "level"]
    assert granted == ['{"achievement":"ghost","points":50}', '{"achievement":"quick exit","points":20}']
    assert play.outcome.reason == "escaped"
    caught = Play(scenario_text("tripwire")).run(60.0)
    granted = [event.action for event in caught.of_kind("did") if event.speaker]
    assert granted[-1] == '{"achievement":"in the net","points":1}'
    assert len(set(granted)) == len(granted)
