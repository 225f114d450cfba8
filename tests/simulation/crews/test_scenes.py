"""Scenes: agents give, inspect and argue step by step; noises break them off, and they resume as their data says."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastseen import Recording, make_world, record
from lastseen.errors import ScenarioError
from lastseen.figures import story_of
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text
from specimens.worlds import Play

HANDOVER = scenario_text("handover").replace("\nseconds:", "\nstep: 0.1\nseconds:", 1)
BOTTLE = "  - {at: 13, do: sound, kind: bottle, place: [20, 7]}\n"


def acts(play: Play) -> list[tuple[str, str]]:
    return [(play.world.names[one.agent], one.act.value) for one in play.of_kind("scene act")]


def lines(play: Play) -> list[str]:
    words = [step["say"] for block in _blocks() for step in block]
    return [one.line for one in play.of_kind("said") if one.line in words]


def _blocks() -> list[list[dict[str, str]]]:
    import yaml

    found: list[list[dict[str, str]]] = yaml.safe_load(HANDOVER)["scenes"]["handover"]["blocks"]
    return found


def test_a_scene_is_played_step_by_step_with_its_words_and_acts() -> None:
    play = Play(HANDOVER.replace(BOTTLE, "")).run(40)
    assert acts(play) == [("Bell", "inspect"), ("Ames", "argue"), ("Bell", "argue"), ("Ames", "give")]
    assert lines(play) == [step["say"] for block in _blocks() for step in block]
    inspects, gives = play.of_kind("scene act")[0], play.of_kind("scene act")[-1]
    assert inspects.at[:2] == pytest.approx((16.5, 5.5), abs=1.2)
    assert (gives.item, gives.other) == ("the key", 1)
    assert [event.change for event in play.of_kind("crew")] == ["formed", "ended"]


def test_a_noise_breaks_it_off_and_it_resumes_at_the_block_it_was_in() -> None:
    play = Play(HANDOVER).run(60)
    assert acts(play) == [
        ("Bell", "inspect"),
        ("Ames", "argue"),
        ("Ames", "argue"),
        ("Bell", "argue"),
        ("Ames", "give"),
    ]
    assert [event.resumed for event in play.of_kind("talk")] == [False, True]
    assert not play.of_kind("rule fault")


@pytest.mark.parametrize(("resume", "inspected", "given"), [("start", 2, 1), ("never", 1, 0)])
def test_it_resumes_from_the_start_or_never_if_its_data_says_so(resume: str, inspected: int, given: int) -> None:
    play = Play(HANDOVER.replace("ignores_first: false", f"ignores_first: false\n    resume: {resume}")).run(60)
    done = [act for _, act in acts(play)]
    assert (done.count("inspect"), done.count("give")) == (inspected, given)


def test_a_first_noise_is_only_remarked_on_where_the_data_says_so() -> None:
    play = Play(HANDOVER.replace("    ignores_first: false\n", "")).run(40)
    assert play.of_kind("shrugs off")
    assert "investigate" not in [event.role for event in play.of_kind("role")]
    assert [act for _, act in acts(play)].count("give") == 1


def test_it_is_dropped_when_a_participant_falls() -> None:
    play = Play(HANDOVER.replace(BOTTLE, "  - {at: 9, do: fell, agent: Bell}\n")).run(40)
    assert acts(play) == [("Bell", "inspect")]
    assert [event.change for event in play.of_kind("crew")][-1] == "ended"


def test_it_is_recorded_explained_and_told(tmp_path: Path) -> None:
    record(make_world(parse_scenario(HANDOVER)), tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec")
    duty = account_of(recording, "Bell", 7.0).duty
    assert duty is not None
    assert "handover: step 2 of 5, Bell: inspect" in [line.reason for line in duty.tree]
    told = " ".join(sentence.text for sentence in story_of(recording))
    for words in (
        "began the scene handover",
        "Bell inspected the crate",
        "took up the scene handover",
        "gave Bell the key",
    ):
        assert words in told


def test_what_is_given_changes_hands() -> None:
    play = Play(HANDOVER.replace(BOTTLE, "")).run(12)
    key = play.world.objects.number("the key")
    assert play.world.names[play.world.objects.carrier[key]] == "Ames"
    play.run(28)
    assert play.of_kind("scene act")[-1].item == "the key"
    assert play.world.names[play.world.objects.carrier[key]] == "Bell"


def test_an_agent_that_lost_what_it_should_give_ends_the_scene_without_giving_it() -> None:
    text = HANDOVER.replace(BOTTLE, "").replace("kind: item, held_by: Ames", "kind: item, place: [14, 3]")
    play = Play(text).run(40)
    assert [act for _, act in acts(play)] == ["inspect", "argue", "argue"]
    assert play.world.objects.carrier == [-1, -1]
    assert play.of_kind("crew")[-1].change == "ended"


CURFEW = (
    "  - {at: 9, do: set, fact: script.curfew, value: true}\n  - {at: 15, do: set, fact: script.curfew, value: false}\n"
)


def test_facts_break_a_scene_off_while_they_hold() -> None:
    play = Play(HANDOVER.replace(BOTTLE, CURFEW)).run(60)
    assert [event.resumed for event in play.of_kind("talk")] == [False, True]
    began = [event.tick * play.world.step for event in play.of_kind("talk")]
    assert 15.0 <= began[1] < 25.0
    assert [act for _, act in acts(play)].count("give") == 1


def test_a_fact_that_ends_a_scene_does_so_for_good() -> None:
    text = HANDOVER.replace("alarm, script.curfew]", "alarm]\n    ends: [intruder, script.curfew == true]")
    play = Play(text.replace(BOTTLE, CURFEW)).run(40)
    assert [act for _, act in acts(play)] == ["inspect"]
    assert [event.resumed for event in play.of_kind("talk")] == [False]


def test_a_scene_without_noise_among_its_conditions_goes_on_at_any_noise() -> None:
    play = Play(HANDOVER.replace("breaks_off: [noise, alarm", "breaks_off: [alarm")).run(60)
    assert [event.resumed for event in play.of_kind("talk")] == [False]
    assert acts(play) == [("Bell", "inspect"), ("Ames", "argue"), ("Bell", "argue"), ("Ames", "give")]
    assert play.of_kind("shrugs off")


def test_a_noise_ends_the_scene_where_its_data_says_so() -> None:
    play = Play(HANDOVER.replace("breaks_off: [noise, alarm", "ends: [noise]\n    breaks_off: [alarm")).run(40)
    assert [act for _, act in acts(play)] == ["inspect", "argue"]
    assert [event.resumed for event in play.of_kind("talk")] == [False]
    assert play.of_kind("investigates")


def test_places_off_the_floor_are_named_with_their_line() -> None:
    text = HANDOVER.replace("item: the crate, say", "item: the crate, place: [60, 60], say")
    with pytest.raises(ScenarioError, match=r"line 21 \(scenes\.handover\.blocks\[1\]\[2\]\.place\) at \(60, 60, 0\)"):
        make_world(parse_scenario(text))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("who: recruit, do: inspect", "who: recruti, do: inspect", "no role 'recruti' (did you mean 'recruit'?)"),
        ("do: inspect", "do: inspec", "did you mean 'inspect'"),
        ("item: the key, ", "", "'give' needs 'item'"),
        ("do: give, to: recruit", "do: give, to: corporal", "'corporal' turns to itself"),
        ("agents: [Ames, Bell]", "agents: [Ames]", "has 2 roles, but 1 agents are asked"),
        ("objective: handover", "objective: handovr", "no crew 'handovr' (did you mean 'handover'?)"),
        ("item: the crate", "item: the crate, marker: crate", "no marker 'crate'"),
        ("breaks_off: [noise", "breaks_off: [noize", "no word or condition on a fact 'noize' (did you mean 'noise'?)"),
        ("alarm, script.curfew]", "script.curfw]", "no fact 'script.curfw' (did you mean 'script.curfew'?)"),
        (
            "{name: the key, kind: item, held_by: Ames}",
            "{name: the key, kind: alarm, place: [14, 3]}",
            "'the key' cannot",
        ),
        ("crews: true", "crews: false", "scenes are played by crews, which are off"),
        ("  handover:", "  talk:", "'talk' is an objective of crews already"),
        ("ignores_first: false", "resume: blok", "did you mean 'block'"),
    ],
)
def test_faults_are_found_with_line_and_suggestion(old: str, new: str, words: str) -> None:
    assert old in HANDOVER
    with pytest.raises(ScenarioError) as raised:
        parse_scenario(HANDOVER.replace(old, new))
    assert words in str(raised.value)
    assert "line " in str(raised.value)
