"""Triggers of the script: when rows fire, how often, what they set, and how their faults are reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lastseen.errors import ScenarioError
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text
from lastseen.simulation.world.puppet import PlayerInput, apply_input
from lastseen.simulation.world.setup import make_world
from lastseen.views.prose.sentences import Sentences
from specimens.worlds import Play

YARD = """
level: yard
seconds: 30
ends: []
reaction: at once
facts: {script.count: 0, script.open: false, script.mood: calm}
agents:
  - {name: Ames, at: [3, 20], heading: 3.14, patrol: ""}
  - {name: Bell, at: [30, 20], heading: 0, patrol: ""}
  - {name: player, brain: puppet, at: [14, 14]}
script:
"""
"""The zone "court" lies at x 10 … 22, y 16 … 21; both guards face walls in the rooms next to it."""


def play(rows: str, seconds: float = 3.0, text: str = YARD) -> Play:
    return Play(text + rows).run(seconds)


def fired(rows: str, seconds: float = 3.0, text: str = YARD) -> list[tuple[int, float]]:
    """Return row and time of all that the script did."""
    of = play(rows, seconds, text)
    return [(event.row, round(event.tick * of.world.step, 2)) for event in of.of_kind("script")]


TO_AND_FRO = """
  - {at: 1.0, do: place, agent: player, place: [14, 18]}
  - {at: 1.5, do: place, agent: player, place: [14, 14]}
  - {at: 2.0, do: place, agent: player, place: [14, 18]}
"""


def test_a_zone_fires_on_the_step_after_it_is_entered_once_or_every_time():
    once = TO_AND_FRO + "  - {do: alarm, place: [2, 9], when: {event: enters, zone: court}}\n"
    assert [time for row, time in fired(once) if row == 3] == [1.03]
    often = once.replace("zone: court}", "zone: court}, repeat: true")
    assert [time for row, time in fired(often) if row == 3] == [1.03, 2.03]


def test_leaving_counts_only_for_the_agent_or_team_that_is_named():
    row = "  - {do: alarm, place: [2, 9], when: {event: leaves, zone: court, WHO}}\n"
    times = {
        who: [time for number, time in fired(TO_AND_FRO + row.replace("WHO", who)) if number == 3]
        for who in ("agent: player", "team: intruders", "agent: Ames", "team: guards")
    }
    assert times == {"agent: player": [1.53], "team: intruders": [1.53], "agent: Ames": [], "team: guards": []}


def test_an_agent_that_starts_in_a_zone_does_not_enter_it_and_one_that_is_removed_leaves_it():
    text = YARD.replace("at: [14, 14]", "at: [14, 18]")
    rows = """
  - {at: 1, do: remove, agent: player}
  - {do: alarm, place: [2, 9], when: {event: enters, zone: court}}
  - {do: alarm, place: [2, 9], when: {event: leaves, zone: court}}
"""
    assert fired(rows, text=text) == [(0, 1.0), (2, 1.03)]


def test_a_trigger_is_ignored_before_its_time_and_acts_after_its_delay():
    row = "  - {do: alarm, place: [2, 9], at: 1.8, after: 0.5, when: {event: enters, zone: court}}\n"
    assert [time for number, time in fired(TO_AND_FRO + row) if number == 3] == [2.53]


def test_seeing_losing_and_states_follow_the_events_of_a_guard():
    text = YARD.replace("at: [14, 14]", "at: [3, 15]").replace("heading: 3.14", "heading: -1.57")
    rows = """
  - {at: 1.0, do: remove, agent: player}
  - {do: open door, door: door 1, when: {event: sees, agent: Ames, target: player}}
  - {do: open door, door: door 2, when: {event: loses, target: player}}
  - {do: set, fact: script.mood, value: hunt, when: {event: reaches state, agent: Ames, state: chase}}
  - {do: alarm, place: [2, 9], when: {event: sees, agent: Bell}}
"""
    of = play(rows, text=text)
    events = {event.row: event for event in of.of_kind("script")}
    assert set(events) == {0, 1, 2, 3}
    for row, kind in ((1, "sees"), (2, "lost")):
        assert events[row].tick == of.of_kind(kind)[0].tick + 1
        assert (events[row].other, events[row].target) == (0, 2)
    chase = next(one for one in of.of_kind("state") if one.state == "chase")
    assert events[3].tick == chase.tick + 1
    assert of.world.script.facts["script.mood"] == "hunt"


def test_a_sound_is_heard_again_only_after_silence():
    sounds = "".join(f"  - {{at: {at}, do: sound, kind: bottle, place: [3, 18]}}\n" for at in (0.5, 1.5, 5.0))
    row = "  - {do: set, fact: script.open, value: true, repeat: true, when: {event: hears, sound: bottle, WHO}}\n"
    near = [time for number, time in fired(sounds + row.replace("WHO", "agent: Ames"), 6.0) if number == 3]
    assert near == [0.53, 5.03]
    assert [number for number, _ in fired(sounds + row.replace("WHO", "agent: Bell"), 6.0)] == [0, 1, 2]


def test_a_body_is_found_by_a_guard():
    text = YARD.replace("at: [30, 20], heading: 0", "at: [3, 16], heading: 1.57")
    rows = """
  - {at: 0.5, do: fell, agent: Ames}
  - {do: set, fact: script.open, value: true, when: {event: finds body, team: guards, target: Ames}}
  - {do: alarm, place: [2, 9], when: {event: finds body, target: Bell}}
"""
    of = play(rows, text=text)
    assert [event.row for event in of.of_kind("script")] == [0, 1]
    assert (of.of_kind("script")[1].other, of.of_kind("script")[1].target) == (1, 0)


def test_the_end_of_a_crew_fires():
    text = YARD.replace("at: [30, 20], heading: 0", "at: [3, 16], heading: 1.57").replace(
        "ends: []", "ends: []\ncrews: true"
    )
    rows = """
  - {at: 0.5, do: request, agents: [Ames, Bell], objective: talk, seconds: 30}
  - {at: 1.5, do: end request, agents: [Ames, Bell]}
  - {do: set, fact: script.open, value: true, when: {event: crew ends, objective: talk, agent: Bell}}
  - {do: alarm, place: [2, 9], when: {event: crew ends, objective: search}}
"""
    of = play(rows, 4.0, text)
    assert [event.row for event in of.of_kind("script")] == [0, 1, 2]
    ended = next(event for event in of.of_kind("crew") if event.change == "ended")
    assert of.of_kind("script")[2].tick == ended.tick + 1


def test_facts_chain_and_fire_when_they_begin_to_hold():
    rows = """
  - {at: 0.5, do: set, fact: script.count, value: 2}
  - {at: 1.0, do: set, fact: script.count, value: 3}
  - {at: 1.5, do: set, fact: script.count, value: 0}
  - {at: 2.0, do: set, fact: script.count, value: 5}
  - {do: set, fact: script.open, value: true, when: {event: fact holds, fact: script.count >= 2}, repeat: true}
  - {do: alarm, place: [2, 9], when: {event: fact holds, fact: script.open}}
  - {do: alarm, place: [2, 9], when: {event: fact holds, fact: script.mood == calm}}
"""
    assert fired(rows) == [(6, 0.0), (0, 0.5), (4, 0.53), (5, 0.57), (1, 1.0), (2, 1.5), (3, 2.0), (4, 2.03)]


def test_rules_read_the_fact_that_a_script_set(tmp_path: Path):
    (tmp_path / "mine.yaml").write_text("""
variables:
  bark.trigger: {enum: [SEE]}
  level.alarm: bool
  script.open: bool
handlers:
  guard.barks:
    rules:
      - {name: alarmed, when: [bark.trigger == SEE, level.alarm, script.open], say: alarmed}
lines:
  alarmed: {en: "You again!"}
""")
    said = {}
    for at in (0.5, 2.0):
        rows = f"""
  - {{at: 0, do: set, fact: level.alarm, value: true}}
  - {{at: {at}, do: set, fact: script.open, value: true}}
  - {{at: 1, do: place, agent: player, place: [2, 20]}}
"""
        text = YARD.replace("seconds: 30", f"seconds: 3\nrules: {tmp_path / 'mine.yaml'}")
        said[at] = play(rows, text=text).of_kind("said")
    assert [event.line for event in said[0.5]] == ["You again!"]
    assert said[0.5][0].facts["script.open"] is True
    assert said[2.0] == []


def test_what_fired_is_recorded_and_explained(tmp_path: Path):
    rows = TO_AND_FRO + "  - {do: fell, agent: Ames, when: {event: enters, zone: court, agent: player}}\n"
    text = YARD.replace("seconds: 30", "seconds: 3")
    outcome = record(make_world(parse_scenario(text + rows)), tmp_path / "a.rec")
    assert outcome == record(make_world(parse_scenario(text + rows)), tmp_path / "b.rec")
    recording = Recording.read(tmp_path / "a.rec")
    words = Sentences.of_recording(recording)
    for name in ("Ames", "player"):
        told = [words(event) for event in account_of(recording, name, 1.2).before]
        assert "fell Ames, because player entered court" in told
    other = record(
        make_world(parse_scenario(text + rows.replace("zone: court", "zone: court, team: guards"))), tmp_path / "c.rec"
    )
    assert other.digest != outcome.digest


def test_a_fact_is_part_of_the_digest():
    ends = {
        value: play(f"  - {{at: 1, do: set, fact: script.count, value: {value}}}\n").outcome.digest for value in (1, 2)
    }
    assert ends[1] != ends[2]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("{do: alarm, place: [2, 9]}", r"line 12 \(script\[1\]\): 'alarm' has no time; add `at"),
        ("{at: 1, do: alarm, place: [2, 9], repeat: true}", r"script\[1\].repeat\): 'repeat' needs a trigger"),
        ("{ALARM, when: {event: entres, zone: court}}", r"script\[1\].when.event.*enters"),
        ("{ALARM, when: {event: enters}}", "'enters' needs 'zone'"),
        ("{ALARM, when: {event: enters, zone: cuort}}", r"when.zone\): no zone 'cuort' \(did you mean 'court'"),
        ("{ALARM, when: {event: enters, zone: court, sound: bottle}}", "'enters' has no 'sound'; it has zone, agent"),
        ("{ALARM, when: {event: hears, sound: botle}}", "did you mean 'bottle'"),
        ("{ALARM, when: {event: sees, agent: Amse}}", "did you mean 'Ames'"),
        ("{ALARM, when: {event: sees, team: guard}}", "did you mean 'guards'"),
        ("{ALARM, when: {event: reaches state, state: chsae}}", "did you mean 'chase'"),
        ("{ALARM, when: {event: crew ends}}", "'crew ends' in a scenario without crews"),
        ("{ALARM, when: {event: fact holds, fact: script.cuont > 1}}", "did you mean 'script.count'"),
        ("{ALARM, when: {event: fact holds, fact: script.open > 1}}", "is a boolean"),
        ("{ALARM, when: {event: fact holds, fact: script.open =! 1}}", "is not a condition"),
        ("{at: 1, do: set, fact: script.count, value: many}", r"script\[1\].fact\): script.count is a number"),
        ("{at: 1, do: set, fact: level.nothing, value: 1}", "no fact 'level.nothing'.*`script.nothing` a first value"),
        ("{at: 1, do: set, fact: script.count}", "'set' needs 'value'"),
        ("{at: 1, do: set, fact: script.count, agent: Ames, value: 1}", "a fact belongs to no agent"),
        ("{at: 1, do: alarm, place: [2, 9], fact: script.count}", "a fact is only set"),
    ],
)  # fmt: skip
def test_faults_name_line_field_and_correction(row: str, words: str):
    with pytest.raises(ScenarioError) as error:
        parse_scenario(f"{YARD}  - {row.replace('ALARM', 'do: alarm, place: [2, 9]')}\n")
    assert re.search(words, str(error.value)), str(error.value)
    assert "line 12" in str(error.value)


def test_the_objective_of_a_trigger_is_checked():
    row = "  - {do: alarm, place: [2, 9], when: {event: crew ends, objective: serach}}\n"
    with pytest.raises(ScenarioError, match=r"script\[1\].when.objective\): no crew 'serach'"):
        parse_scenario(YARD.replace("ends: []", "ends: []\ncrews: true") + row)


def test_without_its_tripwire_the_intruder_escapes_unseen():
    of = Play(scenario_text("tripwire").split("script:")[0]).run(40.0)
    assert of.outcome.reason == "escaped"
    assert not of.of_kind("sees")


def test_a_puppet_that_walks_into_a_zone_fires():
    row = "  - {do: alarm, place: [2, 9], when: {event: enters, zone: court, agent: player}}\n"
    of = Play(YARD + row).run(3.0, each=lambda world: apply_input(world, 2, PlayerInput(move=(0, 1), gait="walk")))
    event = of.of_kind("script")[0]
    assert event.tick > 5
    assert (event.trigger, event.detail, event.other) == ("enters", "court", 2)
