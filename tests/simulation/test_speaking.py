"""Guards and civilians speak by rules: what they know, in turn, deterministic, and by rules of one's own."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastseen.agents.brains.bark_variables import GIVEN, VARIABLES, Chronicle, Lore, Occasion
from lastseen.agents.brains.place_kinds import PlaceKinds
from lastseen.agents.brains.shipped_brains import BRAINS, brain_text
from lastseen.agents.brains.voices import URGENCY
from lastseen.agents.crews.crew_trees import crew_tree_text, shipped_crews
from lastseen.agents.rules.shipped_rules import shipped_rules
from lastseen.agents.senses.hearing.hearing import PathHearing
from lastseen.errors import ScenarioError
from lastseen.level.features import Zone
from lastseen.level.samples import sample
from lastseen.level.sight.sight import Sight
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text
from lastseen.simulation.world.lighting import Lighting
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.speech_setup import SETTINGS
from lastseen.vocabulary.events import AlarmRaised, AnyEvent, Caught, Found
from specimens.worlds import Play

HALL = """
level: hall
step: 0.1
seconds: 300
seed: {seed}
rules: {rules}
ends: []
agents:
  - {{name: Ames, at: [6, 9], heading: 0.0}}
  - {{name: Bell, at: [6, 6], heading: 0.0}}
  - {{name: you, brain: puppet, at: [14, 9]}}
script:
  - {{at: 2.4, do: remove, agent: you}}
"""


def hall(seed: int = 1, rules: str = "guards", seconds: float = 40.0, more: str = "") -> Play:
    return Play(HALL.format(seed=seed, rules=rules) + more).run(seconds)


def said(play: Play) -> list[tuple[int, int, str]]:
    return [(event.tick, event.agent, event.line) for event in play.of_kind("said")]


@pytest.fixture(scope="module")
def play() -> Play:
    return hall(seconds=80.0)


def test_lines_carry_their_rule_what_it_knew_and_what_was_near(play: Play) -> None:
    database = shipped_rules("guards").database()
    lines = play.of_kind("said")
    assert len(lines) >= 4
    for event in lines:
        names = [rule.name for rule in database.handlers[event.handler].rules]
        assert event.rule in names
        assert event.source.partition(":")[0].endswith(".yaml")
        assert "/" not in event.source
        assert event.facts.get("bark.trigger")
        assert event.at is not None
        assert "{" not in event.line
    assert any(event.near for event in lines)
    assert not play.of_kind("rule fault")


def test_what_is_said_follows_what_happens(play: Play) -> None:
    triggers = [event.facts["bark.trigger"] for event in play.of_kind("said")]
    assert triggers.index("SEE") < triggers.index("LOSE") < triggers.index("GIVE_UP")


def test_the_same_seed_says_the_same_and_another_something_else(play: Play) -> None:
    assert said(hall(seconds=80.0)) == said(play)
    assert any(
        [text for *_, text in said(hall(seed, seconds=15.0))] != [text for *_, text in said(play)] for seed in (2, 3)
    )


def overlapping(events: list[AnyEvent], step: float) -> list[tuple[AnyEvent, AnyEvent]]:
    """Pairs of lines of which the second begins while the first is being said, within earshot; cut ones end early."""
    found, lines = [], [event for event in events if event.kind == "said" and not event.handler.startswith("intruder")]
    ends = {number: event.tick * step + event.seconds for number, event in enumerate(lines)}
    for number, other in enumerate(lines):
        now = other.tick * step
        for earlier, one in enumerate(lines[:number]):
            if now < ends[earlier] - 1e-6 and math.dist(one.at or (), other.at or ()) <= SETTINGS.earshot:
                found.append((one, other))
                ends[earlier] = now
    return found


def test_nobody_talks_over_another_unless_it_is_more_urgent() -> None:
    crowd = "\n".join(
        f"  - {{name: G{n}, at: [{3 + 2 * (n % 7)}, {4 + 3 * (n // 7)}], heading: 0.0}}" for n in range(14)
    )
    text = HALL.format(seed=4, rules="guards").replace("script:", crowd + "\nscript:")
    play = Play(text).run(30.0)
    assert len(play.of_kind("said")) >= 6
    for one, other in overlapping(play.events, play.world.step):
        assert one.agent in (other.agent, *other.interrupts), (one, other)
        assert URGENCY[other.facts["bark.trigger"]] > URGENCY[one.facts["bark.trigger"]]


def test_guards_on_their_round_talk_with_one_another() -> None:
    text = """
level: hall
step: 0.1
seconds: 300
agents:
  - {name: Ames, at: [6, 9]}
  - {name: Bell, at: [8, 9]}
"""
    play = Play(text).run(200.0)
    lines = play.of_kind("said")
    assert {event.facts["bark.trigger"] for event in lines} == {"CHATTER", "ANSWER"}
    answers = [event for event in lines if event.turn > 1]
    assert answers
    assert all({event.agent, event.other} == {0, 1} for event in answers)
    assert max(event.turn for event in lines) <= SETTINGS.most_lines
    assert play.kinds("Ames").count("state") == 0


def test_variables_are_those_of_the_mind() -> None:
    play = Play(HALL.format(seed=1, rules="guards")).run(2.0)
    world = play.world
    assert world.talk is not None
    assert world.talk is not None
    facts = world.talk.voices.facts(0, {"bark.trigger": "SEE"})
    known = {path: facts(path) for path in VARIABLES}
    away = math.dist(world.snapshot.places[0], world.knowledge.arrays.xyz[0, 0])
    assert known["target.distance"] == pytest.approx(away)
    assert known["target.seconds_since_seen"] == pytest.approx(world.time - world.attention.acted_on[0, 0])
    assert (known["npc.role"], known["npc.name"], known["npc.state"]) == ("guard", "Ames", world.state_of(0))
    assert known["crew.role"] == ""
    assert (known["target.known"], known["target.source"], known["target.times_lost"]) == (True, "seen", 0)
    assert (known["npc.colleagues_near"], known["npc.alone"], known["npc.searches"]) == (1, False, 0)
    assert known["npc.alertness"] == 1.0
    assert known["level.alarm"] is True
    assert known["time.seconds"] == pytest.approx(2.0)
    assert known["place.kind"] in ("room", "open", "corridor")
    variables = world.talk.speech.database.variables
    for path, value in known.items():
        spec = variables[path]
        assert value is None or spec.type != "enum" or value in spec.names, path
    play.run(16.0)
    later = world.talk.voices.facts(0, {})
    assert later("target.times_lost") >= 1
    assert later("npc.searches") >= 1
    assert 0.0 <= later("npc.seconds_in_state") < 18.0


def test_a_voice_is_drawn_for_each_unless_its_settings_say() -> None:
    names = shipped_rules("guards").variables["npc.voice"].names
    text = HALL.format(seed=1, rules="guards").replace("heading: 0.0}", "heading: 0.0, settings: {voice: weary}}", 1)
    voices = Play(text).world.talk.voices
    assert voices is not None
    assert voices.facts(0, {})("npc.voice") == "weary"
    assert voices.facts(1, {})("npc.voice") in names
    crowd = "".join(f"  - {{name: G{n}, at: [{3 + n}, 4]}}\n" for n in range(12))
    drawn = Play(f"level: hall\nagents:\n{crowd}").world.talk.voices
    assert drawn is not None
    assert len({drawn.facts(agent, {})("npc.voice") for agent in range(12)}) > 1


def test_every_variable_of_the_sample_is_bound_or_of_memory() -> None:
    bound = {*VARIABLES, *GIVEN, "bark.trigger"}
    handed = ("memory.", "random.", "ask.")
    for path in shipped_rules("guards").variables:
        assert path in bound or path.startswith(handed), path


def test_every_trigger_of_the_trees_is_one_of_the_sample_and_has_an_urgency() -> None:
    known = shipped_rules("guards").variables["bark.trigger"].names
    words = " ".join(brain_text(name) for name in BRAINS)
    used = {part.split("}")[0].strip() for part in words.split("trigger: ")[1:]}
    assert {"SEE", "LOSE", "FLEE", "GIVE_UP", "SEARCH_SPOT"} <= used <= set(known)
    assert set(known) - {"ANSWER"} == set(URGENCY)
    of_crews = " ".join(crew_tree_text(name) for name in shipped_crews())
    told = set(re.findall(r"(?:say|trigger): ([A-Z_]+)", of_crews))
    assert {"ORDER_SEARCH", "ORDER_SPLIT", "DEBRIEF", "ANNOUNCE", "RADIO", "TALK"} <= told <= set(known)


@pytest.mark.parametrize(
    ("name", "place", "kind"),
    [
        ("corridor", (12.0, 4.0, 0.0), "corridor"),
        ("hall", (9.0, 9.0, 0.0), "room"),
        ("rooms", (11.0, 5.5, 0.0), "door"),
        ("rooms", (5.5, 6.5, 0.0), "room"),
    ],
)
def test_places_are_called_what_people_call_them(name: str, place: tuple[float, ...], kind: str) -> None:
    level = sample(name)
    assert PlaceKinds(level, Sight.from_level(level)).at(place) == kind


def test_zones_say_where_it_is_outdoors() -> None:
    level = sample("rooms")
    square = np.array([[2.0, 2.0], [8.0, 2.0], [8.0, 8.0], [2.0, 8.0]])
    zones = (Zone(square, kind="dark"), Zone(square, z=4.0, kind="outdoors"))
    kinds = PlaceKinds(replace(level, zones=zones), Sight.from_level(level))
    assert kinds.is_outdoors((5.0, 5.0, 4.0))
    assert not kinds.is_outdoors((5.0, 5.0, 0.0))
    assert not kinds.is_outdoors((9.0, 5.0, 4.0))


def test_a_wide_hall_is_open_but_not_outdoors() -> None:
    level = sample("hall")
    kinds = PlaceKinds(level, Sight.from_level(level))
    assert not any(kinds.is_outdoors((x, y, 0.0)) for x in range(2, 30, 3) for y in range(2, 16, 3))


def test_an_answer_is_about_where_the_target_was_known() -> None:
    play = Play(HALL.format(seed=1, rules="guards")).run(2.0)
    world = play.world
    assert world.talk is not None
    world.knowledge.arrays.xyz[0, 0] = (20.0, 12.0, 0.0)
    lore = Lore(Chronicle(), PlaceKinds(world.level, world.sight), str, lambda _: 1.0, math.dist, ())
    occasions = [Occasion(world.minds[0], lore, {"bark.trigger": name}) for name in ("ANSWER", "RETURN")]
    assert [one.place for one in occasions] == [(20.0, 12.0, 0.0), world.snapshot.places[0]]
    facts = world.talk.voices.facts(0, {"bark.trigger": "ANSWER"})
    assert facts("target.age") == pytest.approx(world.time - world.knowledge.arrays.time[0, 0])
    assert facts("npc.has_seen") is True


def test_light_is_that_of_the_place_not_of_the_speaker() -> None:
    play = Play(HALL.format(seed=1, rules="guards")).run(2.0)
    world = play.world
    assert world.talk is not None
    x, y, _ = world.snapshot.places[0]
    around = np.array([[x - 1, y - 1], [x + 1, y - 1], [x + 1, y + 1], [x - 1, y + 1]])
    world.script.lighting = Lighting((Zone(around, kind="dark"),), 1.0, {})
    assert world.talk.voices.facts(0, {"bark.trigger": "LOSE"})("place.light") == "lit"
    assert world.talk.voices.facts(0, {"bark.trigger": "RETURN"})("place.light") == "dark"
    world.script.lighting = Lighting((Zone(around, kind="lit"),), 0.1, {})
    assert world.talk.voices.facts(0, {"bark.trigger": "LOSE"})("place.light") == "dark"
    assert world.talk.voices.facts(0, {"bark.trigger": "RETURN"})("place.light") == "lit"


def test_the_way_of_a_sound_is_that_of_hearing() -> None:
    world = Play("level: house\nagents:\n  - {name: Ames, at: [4, 4]}\n").run(0.2).world
    assert world.talk is not None
    source = (14.0, 10.0, 0.0)
    world.minds[0].blackboard.update(goal=source, call_kind="bottle")
    facts = world.talk.voices.facts(0, {"bark.trigger": "HEAR"})
    assert isinstance(world.senses.hearing, PathHearing)
    along = float(world.senses.hearing.distances([source], [world.snapshot.places[0]], 200.0)[0, 0])
    assert facts("sound.distance") == pytest.approx(along)
    assert along > math.dist(source, world.snapshot.places[0]) + 1.0
    assert world.talk.voices.facts(0, {"bark.trigger": "SEARCH_SPOT"})("sound.distance") is None
    seen = (3.0, 4.0, 0.0)
    world.minds[0].blackboard["goal"] = seen
    assert world.talk.voices.facts(0, {"bark.trigger": "HEAR"})("sound.distance") == math.dist(
        seen, world.snapshot.places[0]
    )


def test_who_raised_the_alarm_found_a_body_or_caught_somebody_is_kept() -> None:
    chronicle = Chronicle()
    chronicle.note([AlarmRaised(3, 2), Caught(3, 1, other=4)], 0.3)
    chronicle.note([Found(4, 0, thing="open door")], 0.4)
    assert (chronicle.alarm, chronicle.alarmed, chronicle.catches, chronicle.bodies) == (0.3, {2}, 1, 0)
    chronicle.note([Found(5, 0, thing="body")], 0.5)
    assert chronicle.bodies == 1


def test_a_level_of_two_floors_has_stairs() -> None:
    level = sample("house")
    kinds = PlaceKinds(level, Sight.from_level(level))
    ramps = [floor.outline_xyz.mean(axis=0).tolist() for floor in level.surface.polygons if floor.kind != "floor"]
    assert "stairs" in [kinds.at(place) for place in ramps]


OWN = """
variables:
  bark.trigger: {enum: [SEE, LOSE, NOTICE]}
  level.chaos: {enum: [LOW, HIGH]}
  blackboard.approach: bool
  place.name: str
handlers:
  guard.barks:
    rules:
      - {name: waits, when: [bark.trigger == SEE, blackboard.approach], say: see.wait}
      - {name: chaos, when: [bark.trigger == SEE, level.chaos == HIGH], say: see.chaos}
      - {name: sees, when: bark.trigger == SEE, say: see.plain}
lines:
  see.chaos: {en: "Again!", de: "Schon wieder!"}
  see.plain: {en: "You!", de: "Du da!"}
  see.wait: {en: "I wait.", de: "Ich warte."}
"""


def own(folder: Path, more: str = "", settings: str = "") -> Play:
    Path(folder, "own").mkdir(exist_ok=True)
    Path(folder, "own", "barks.yaml").write_text(OWN, encoding="utf-8")
    text = HALL.format(seed=1, rules=folder / "own").replace("heading: 0.0}", f"heading: 0.0{settings}}}", 1)
    return Play(text + more).run(2.5)


def test_rules_of_ones_own_languages_designers_facts_and_keys_of_brains(tmp_path: Path) -> None:
    assert "You!" in [text for *_, text in said(own(tmp_path))]
    assert "Du da!" in [text for *_, text in said(own(tmp_path, "language: de-AT\n"))]
    chaos = own(tmp_path, "language: de\nfacts: {level.chaos: HIGH}\n")
    assert "Schon wieder!" in [text for *_, text in said(chaos)]
    waits = own(tmp_path, "", ", settings: {approach: true}")
    assert [event.line for event in waits.of_kind("said") if event.agent == 0] == ["I wait."]


def test_what_rules_do_not_know_is_told_once(tmp_path: Path) -> None:
    text = OWN.replace("enum: [SEE, LOSE, NOTICE]", "enum: [SEE]")
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "barks.yaml").write_text(text, encoding="utf-8")
    play = Play(HALL.format(seed=1, rules=folder)).run(15.0)
    faults = play.of_kind("rule fault")
    assert [event.variable for event in faults] == ["bark.trigger"]
    assert "it is one of SEE" in faults[0].error


def test_without_rules_only_what_trees_say_is_said() -> None:
    play = hall(rules="none", seconds=6.0)
    assert "sees" in play.kinds()
    assert play.of_kind("said") == []
    assert play.outcome.digest == hall(seconds=6.0).outcome.digest  # lines change nothing else


def test_a_recording_keeps_the_rule_of_every_line(tmp_path: Path) -> None:
    setting = parse_scenario(HALL.format(seed=1, rules="guards").replace("seconds: 300", "seconds: 5"))
    record(make_world(setting), tmp_path / "run.rec")
    found = [event for event in Recording.read(tmp_path / "run.rec").events() if event.kind == "said"]
    assert found
    assert all(event.rule and event.facts for event in found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules: gaurds", "no shipped rules, file or folder of rules 'gaurds' (did you mean 'guards'?)"),
        ("facts: {level.alrm: true}", "no fact 'level.alrm' (did you mean 'level.alarm'?)"),
        ("facts: {level.alarm: 3}", "level.alarm is a boolean"),
        ("rules: bad.yaml", "bad.yaml:3: rule 'a' of h: 'x = 1' is not a condition"),
        ("rules: role.yaml", "no role 'boss'"),
        ("rules: place.yaml", "no variable fills {colour}"),
        ("language: 3", "language"),
    ],
)
def test_rules_that_cannot_be_used_are_faults_of_the_scenario(tmp_path: Path, text: str, words: str) -> None:
    files: dict[str, Any] = {
        "bad.yaml": "variables: {x: int}\nhandlers:\n  h: {rules: [{name: a, when: x = 1, say: b}]}\n",
        "role.yaml": "handlers: {h: {rules: [{name: a, say: b, then: {handler: g, who: boss}}]}, g: {rules: []}}\n",
        "place.yaml": "handlers: {h: {rules: [{name: a, say: 'A {colour} hat.'}]}}\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(f"level: hall\nagents:\n  - {{name: A, at: [6, 9]}}\n{text}\n", folder=tmp_path)
    assert words in str(caught.value)
    assert "line 4" in str(caught.value)


def test_who_may_be_near_is_everybody_within_that_distance_in_the_order_of_speakers(play: Play) -> None:
    voices, everybody = play.world.talk.voices, play.world.cast.watchers.tolist()
    assert voices is not None
    for here in everybody:
        place = voices.place(here)
        for metres in (0.0, 1.0, *(math.dist(place, voices.place(other)) for other in everybody)):
            near = [other for other in everybody if math.dist(place, voices.place(other)) <= metres]
            found = list(voices.within(place, metres))
            assert [other for other in found if other in near] == near
            assert all(math.dist(place, voices.place(other)) <= metres + 1e-5 for other in found)


@pytest.mark.parametrize(("gender", "word"), [("female", "her"), ("male", "him")])
def test_lines_depend_on_the_gender_of_the_player(gender: str, word: str) -> None:
    play = Play(scenario_text("stop_her").replace("female", gender)).run(2)
    said = [one.line for one in play.of_kind("said") if one.facts.get("bark.trigger") == "SEE"]
    assert said
    assert word in said[0].lower()
