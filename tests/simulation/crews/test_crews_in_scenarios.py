"""Crews in scenarios: checked at load, off or alone they change nothing, recorded and explained."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from lastseen.agents.brains.shipped_brains import brain_text
from lastseen.agents.crews.crew_trees import leaves_with
from lastseen.agents.crews.roles.vocabulary import RoleWords
from lastseen.agents.crews.shipped.general import shipped_words
from lastseen.errors import BehaviourError, InputError, ScenarioError
from lastseen.simulation.game_loop import run
from lastseen.simulation.recording.crew_columns import TOLD, crew_texts
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World
from lastseen.views.cli.run.why import as_lines
from lastseen.views.prose.account import account_object
from lastseen.views.prose.sentences import Sentences
from specimens.worlds import Play

TWO = """
level: corridor
rules: none
seconds: 6
sharing: broadcast
ends: []
agents:
  - {name: Ames, at: [4, 4]}
  - {name: Bell, at: [3, 4]}
  - {name: Cole, at: [2, 4]}
  - {name: you, brain: puppet, at: [12, 4]}
"""
ONE = "\n".join(line for line in TWO.splitlines() if "Bell" not in line and "Cole" not in line) + "\n"


def _digests(text: str) -> tuple[str, str]:
    return run(make_world(parse_scenario(text))).digest, run(make_world(parse_scenario(text + "crews: true\n"))).digest


def test_one_guard_alone_does_the_same_with_crews_as_without() -> None:
    off, on = _digests(ONE)
    assert on == off


def test_several_do_something_else_and_the_same_again() -> None:
    off, on = _digests(TWO)
    assert on != off
    assert run(make_world(parse_scenario(TWO + "crews: true\n"))).digest == on


def test_guards_who_see_somebody_press_and_cover_and_say_why(tmp_path: Path) -> None:
    path = tmp_path / "run.rec"
    world = make_world(parse_scenario(TWO + "crews: true\n"))
    record(world, path)
    recording = Recording.read(path)
    assert set(recording.about.notes["crews"]["objectives"]) >= {"chase", "fight"}
    given = [event for event in recording.events(0, len(recording) - 1) if event.kind == "role"]
    assert {event.role for event in given} >= {"press", "cover"}
    covering = next(event for event in given if event.role == "cover")
    name = recording.about.agents[covering.agent]
    account = account_of(recording, name, (covering.tick + 1) * recording.about.step)
    duty = account.duty
    assert duty is not None
    assert (duty.objective, duty.role) == ("fight", "cover")
    assert duty.members == ("Ames", "Bell", "Cole")
    assert duty.reason.startswith("cover: slot ")
    assert duty.place is not None
    assert duty.asks.split(", ")[0] == "fight you (3)"
    assert any(line.status == "running" and "cover" in line.text for line in duty.tree)
    of = Sentences.of_recording(recording)
    lines = as_lines(account, of)
    assert (duty.leader, duty.target) == ("Bell", "you")
    assert duty.since == pytest.approx(covering.tick * recording.about.step)
    assert duty.told.startswith("face (")
    assert duty.told.endswith("gait run")
    assert "crew 0 (fight you) with" in "\n".join(lines)
    assert any(line.startswith("  is cover at (") and line.endswith(f"since {duty.since:.1f} s") for line in lines)
    assert f"  told: {duty.told}" in lines
    assert account_object(account, of)["duty"]["role"] == "cover"
    assert account_of(recording, "you", account.seconds).duty is None
    assert account_of(recording, name, 0.0).duty is None


def test_who_covers_goes_to_its_place_and_faces_the_target() -> None:
    away: list[float] = []

    def look(world: World) -> None:
        for agent, given in enumerate(world.teamwork.directions):
            if given is not None and given.role == "cover":
                away.append(math.dist(world.bodies.xyz[agent].tolist(), given.values["stand"]))

    play = Play(TWO + "crews: true\n").run(5.0, look)
    assert play.of_kind("caught")
    assert away[0] > 3.0
    assert min(away) < 0.6


SCRIPTED = """
level: corridor
rules: none
seconds: 10
crews: {wait: wait.yaml}
agents:
  - {name: Ames, at: [4, 4]}
  - {name: Bell, at: [3, 4]}
script:
  - {at: 0.5, do: request, agents: [Ames, Bell], objective: wait, place: [10, 4], seconds: 60}
  - {at: 2, do: end request, agents: [Ames]}
"""
WAIT = """
root:
  roles:
    - role: {name: wait, directions: {stand: [8, 4], face: target, gait: walk}}
"""


def test_a_script_makes_a_crew_and_ends_it(tmp_path: Path) -> None:
    (tmp_path / "wait.yaml").write_text(WAIT)
    world = make_world(parse_scenario(SCRIPTED, folder=tmp_path))
    texts: list[str] = []
    of = Sentences.of_world(world)
    run(world, each=lambda now: texts.extend(map(of, (one for one in now.events if one.kind in ("crew", "script")))))
    assert texts[:2] == ["request wait", "crew 0 (wait) is formed: Ames, Bell"]
    assert "crew 0 (wait) is over: too few request it" in texts
    assert world.bodies.xyz[0, 0] > 5.0, "it went towards the place it was told"


def _faults(tmp_path: Path, tree: str, text: str = SCRIPTED) -> str:
    (tmp_path / "wait.yaml").write_text(tree)
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, folder=tmp_path, source="mine.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("objective: wait", "objective: wiat", "no crew 'wiat' (did you mean 'wait'?)"),
        ("agents: [Ames, Bell]", "agents: [Ames, Bel]", "no agent 'Bel' (did you mean 'Bell'?)"),
        ("objective: wait, place: [10, 4]", "objective: wait, target: Cool", "no agent 'Cool'"),
        ("{wait: wait.yaml}", "{wait: weit.yaml}", "no shipped crew or tree file 'weit.yaml'"),
        ("{wait: wait.yaml}", "{wait: wait.yaml, sleep: fight}", "objective 'sleep' is never requested"),
        ("{wait: wait.yaml}", "[wait]", "crews"),
        ("agents: [Ames, Bell], objective: wait", "objective: wait", "'request' needs 'agents'"),
    ],
)
def test_what_a_scenario_gets_wrong_is_said_with_its_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in SCRIPTED
    said = _faults(tmp_path, WAIT, SCRIPTED.replace(old, new))
    assert words in said
    assert "line " in said


def test_a_direction_no_brain_reads_is_refused(tmp_path: Path) -> None:
    said = _faults(tmp_path, WAIT.replace("gait: walk", "dance: true"))
    assert "wait.yaml:4: role 'wait' gives the direction 'dance', which none of its possible members reads" in said


def test_a_tree_that_cannot_be_built_is_told_of_with_file_and_line(tmp_path: Path) -> None:
    said = _faults(tmp_path, WAIT.replace("name: wait,", "name: wait, least: 4, most: 2,"))
    assert "wait.yaml:4" in said
    assert "least is 4 and most is 2" in said


def test_crews_that_ask_for_one_another_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "sleep.yaml").write_text("root: {sequence: [{request: {objective: wait}}]}")
    tree = "root: {sequence: [{request: {objective: sleep}}]}"
    said = _faults(tmp_path, tree, SCRIPTED.replace("{wait: wait.yaml}", "{wait: wait.yaml, sleep: sleep.yaml}"))
    assert "in a cycle: sleep → wait → sleep" in said
    alone = _faults(tmp_path, "root: {request: {objective: wait}}")
    assert "in a cycle: wait → wait" in alone


def test_a_brain_of_ones_own_that_asks_for_what_there_is_not_is_refused(tmp_path: Path) -> None:
    (tmp_path / "wait.yaml").write_text(WAIT)
    (tmp_path / "mine.yaml").write_text(brain_text("guard").replace("objective: chase", "objective: chaze"))
    text = SCRIPTED.replace("{name: Ames,", "{name: Ames, brain: mine.yaml,")
    with pytest.raises(ScenarioError, match=r"(?s)mine\.yaml:\d+: requests 'chaze'"):
        parse_scenario(text, folder=tmp_path)


def test_a_crew_whose_tree_raises_ends_the_episode_in_words(tmp_path: Path) -> None:
    words = RoleWords().include(shipped_words())

    @words.place
    def nowhere(mind: object) -> None:
        raise BehaviourError(f"nothing is found by {type(mind).__name__}")

    (tmp_path / "wait.yaml").write_text("root: {roles: [{role: {name: a, places: {nowhere: {}}}}]}")
    end = run(make_world(parse_scenario(SCRIPTED, folder=tmp_path, crew_leaves=leaves_with(words))))
    assert end.reason == "brain failed"
    assert "nothing is found by CrewMind" in end.ending.error


def test_trees_of_a_scenario_may_name_words_of_a_programs_own(tmp_path: Path) -> None:
    words = RoleWords().include(shipped_words())
    words.member(lambda mind, member, who: mind.name_of(member) == who, name="is_named")
    tree = WAIT.replace("name: wait,", "name: wait, may: [{is_named: Bell}],")
    assert "no condition on members 'is_named'" in _faults(tmp_path, tree)
    world = make_world(parse_scenario(SCRIPTED, folder=tmp_path, crew_leaves=leaves_with(words)))
    given: list[str] = []
    run(world, each=lambda now: given.extend(now.names[one.agent] for one in now.events if one.kind == "role"))
    assert set(given) == {"Bell"}
    with pytest.raises(InputError, match="crew_leaves is"):
        parse_scenario(SCRIPTED, folder=tmp_path, crew_leaves="all")  # type: ignore[arg-type]


def test_whose_turn_it_is_to_attack_is_told_in_words() -> None:
    play = Play(scenario_text("brawl") + "rules: none\nstep: 0.1\n")
    told: set[str] = set()
    play.run(6.0, lambda world: told.update(words for _, slot, words in crew_texts(world) if slot == TOLD))
    assert any("attack: has the melee token" in words for words in told)
    assert any("attack not now: waits for a melee token (" in words for words in told)
    assert any("ranged token" in words for words in told)
