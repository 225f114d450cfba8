"""Who fights how: guards, brawlers and players, and what is told of it."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lastseen.agents.bodies.orders import Act
from lastseen.agents.brains.shipped_brains import shipped_brain
from lastseen.agents.directions import Direction
from lastseen.errors import ScenarioError
from lastseen.simulation.game_loop import run
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.puppet import PlayerInput, apply_input
from lastseen.simulation.world.setup import make_world
from lastseen.views.cli.run.why import as_lines
from lastseen.views.prose.sentences import Sentences
from lastseen.views.prose.story import story_of
from specimens.duels import STEP, duel, order
from specimens.worlds import Play

FIGHT = """
level: hall
seconds: 60
rules: none
combat: true
agents:
  - {name: Ames, at: [4, 9], heading: 0.0, patrol: "", attack: ARMS}
  - {name: you, brain: puppet, at: [14, 9], attack: none, health: 60}
"""


def test_a_guard_alone_closes_in_and_strikes() -> None:
    play = Play(FIGHT.replace("ARMS", "melee")).run(30.0)
    assert play.outcome.reason == "beaten"
    assert play.states["Ames"][-1] == "engage"
    assert "caught" not in play.kinds()
    blows = play.of_kind("hit")
    assert len(blows) == 3
    assert math.dist(play.world.bodies.xyz[0], play.world.bodies.xyz[1]) <= 1.8


def test_a_guard_with_a_gun_keeps_five_to_nine_metres() -> None:
    play, away = Play(FIGHT.replace("ARMS", "ranged").replace("health: 60", "health: 600")), []

    def come(world) -> None:
        """Run up to the guard from the tenth second on."""
        here, there = world.bodies.xyz[1], world.bodies.xyz[0]
        if 10.0 < world.time < 12.0:
            apply_input(world, 1, PlayerInput(tuple((there - here)[:2].tolist()), "run"))
        else:
            apply_input(world, 1, PlayerInput())
        away.append(math.dist(here, there))

    play.run(25.0, come)
    assert play.of_kind("hit")
    settled = [metres for tick, metres in enumerate(away) if 5.0 < tick * STEP < 10.0 or tick * STEP > 20.0]
    assert min(settled) >= 4.9
    assert max(settled) <= 9.1
    assert min(away) < 4.5


def test_a_guard_that_may_not_attack_waits_for_its_turn() -> None:
    def direct(value: bool):
        def give(world) -> None:
            world.teamwork.directions = [Direction(1, "melee", 0.0, "", {"attack": value}), None]

        return give

    assert not Play(FIGHT.replace("ARMS", "melee")).run(8.0, direct(False)).of_kind("attack")
    assert Play(FIGHT.replace("ARMS", "melee")).run(8.0, direct(True)).of_kind("attack")


def test_one_who_is_not_armed_catches_as_ever() -> None:
    assert Play(FIGHT.replace("ARMS", "none")).run(30.0).outcome.reason == "caught"


def test_nobody_looks_for_one_who_was_beaten_and_everybody_for_a_colleague() -> None:
    text = FIGHT.replace("ARMS", "melee") + "ends: [caught]\nsearch_seconds: 5\nstep: 0.1\n"
    play = Play(text).run(30.0)
    assert play.of_kind("fell")
    assert play.states["Ames"][-1] == "patrol"
    assert not [event for event in play.of_kind("found") if event.thing == "body"]
    man_down = Play("""
level: hall
rules: none
combat: true
ends: []
agents:
  - {name: Ames, at: [4, 9], heading: 0.0, patrol: ""}
  - {name: Bell, at: [9, 9], heading: 3.14, patrol: "", health: 20}
  - {name: you, brain: puppet, at: [10, 9]}
script:
  - {at: 0.5, do: remove, agent: you}
""")
    order(man_down, "strike", 2, 1)
    man_down.run(5.0)
    assert [event.agent for event in man_down.of_kind("found") if event.thing == "body"] == [0]


def test_a_brawler_strikes_who_comes_near_and_stays_in_its_area() -> None:
    play = Play("""
level: hall
seconds: 40
rules: none
combat: true
agents:
  - {name: Ames, at: [6, 9], heading: 0.0, patrol: ""}
  - {name: Bell, at: [6, 11], heading: 0.0, patrol: ""}
  - {name: Vera, brain: brawler, at: [14, 9], heading: 3.14, health: 300}
""")
    away = []
    play.run(15.0, lambda world: away.append(math.dist(world.bodies.xyz[2], world.cast.home[2])))
    assert {event.agent for event in play.of_kind("hit")} >= {0, 2}
    assert 2.0 < max(away) <= 7.5


def test_a_brawler_where_nobody_fights_stands() -> None:
    text = "level: hall\nrules: none\nagents:\n  - {name: Vera, brain: brawler, at: [14, 9]}\n"
    play = Play(text).run(3.0)
    assert play.world.combat is None
    assert math.dist(play.world.bodies.xyz[0], play.world.cast.home[0]) < 0.1


def test_without_combat_attacks_are_nothing() -> None:
    play = duel("name: Ames, at: [10.5, 9]", combat="false")
    order(play, "strike")
    order(play, "shoot")
    play.run(1.0)
    assert play.world.combat is None
    assert not {"attack", "hit", "missed", "fell"} & set(play.kinds())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("combat: yes please", "combat"),
        ("combat: {rnage: 3}", "rnage"),
        ("combat: {reach: -1}", "reach"),
        ("combat: {near_chance: 2}", "near_chance"),
        ("agents: [{name: A, at: [4, 9], attack: meele}]", "attack"),
        ("agents: [{name: A, at: [4, 9], health: 0}]", "health"),
    ],
)
def test_what_makes_no_sense_is_told_with_its_place(wrong: str, words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        parse_scenario(f"level: hall\n{wrong}\n")


def test_a_recording_holds_health_and_its_story_tells_of_the_fight(tmp_path: Path) -> None:
    path = tmp_path / "fight.rec"
    end = record(make_world(parse_scenario(FIGHT.replace("ARMS", "melee"))), path)
    recording = Recording.read(path)
    health, rest, attack = (recording.column(name) for name in ("health", "rest", "attack"))
    assert end.reason == recording.end.reason == "beaten"
    assert health[0].tolist() == [100.0, 60.0]
    assert health[-1].tolist() == [100.0, 0.0]
    assert set(np.unique(attack[:, 0])) == {0, 1}
    assert rest[:, 0].max() <= 1.4 + 1e-6
    told = [sentence.text for sentence in story_of(recording)]
    assert any(" fought you " in text and text.endswith(": 3 blows, 3 hit.") for text in told)
    assert any("You went down" in text and text.endswith("beaten by Ames.") for text in told)
    blow = int(np.flatnonzero(attack[:, 0])[3])
    account = account_of(recording, "Ames", blow * STEP)
    (running,) = [line for line in account.tree if line.text.split()[-1] == "strike" and line.status == "running"]
    assert running.reason.endswith("s until it comes")


def test_a_recording_of_a_world_without_fights_has_no_columns_of_them(tmp_path: Path) -> None:
    path = tmp_path / "calm.rec"
    record(make_world(parse_scenario("level: corridor\nseconds: 1\nagents: [{name: A, at: [4, 4]}]\n")), path)
    assert not {"health", "rest", "attack"} & {column.name for column in Recording.read(path).about.columns}


def test_without_combat_guards_do_as_those_who_cannot_fight_at_all() -> None:
    """The branch in the tree of guards changes nothing where it is closed."""
    file = shipped_brain("guard")
    root = file.trees["guard"].root
    branches = tuple(child for child in root.children if child.name != "fight")
    assert len(branches) == len(root.children) - 1
    trees = dict(file.trees) | {"guard": replace(file.trees["guard"], root=replace(root, children=branches))}
    peaceful = replace(file, trees=trees)
    digests = []
    for brain in (file, peaceful):
        people = "agents:\n  - {name: A, at: [4, 4]}\n  - {name: B, brain: runner, at: [12, 4]}\n"
        setting = parse_scenario(f"level: corridor\nseconds: 20\n{people}")
        setting.brains["guard"] = brain
        world = make_world(setting)
        digests.append((run(world).digest, world.combat))
    assert digests[0] == digests[1]
    assert digests[0][1] is None


def test_a_player_strikes_the_nearest_foe_in_reach() -> None:
    play = duel("name: Ames, at: [10.6, 9]; name: Bell, at: [12, 10.2]")
    apply_input(play.world, 2, PlayerInput(strike=True))
    play.run(0.1)
    assert [(event.agent, event.other) for event in play.of_kind("attack")] == [(2, 1)]
    apply_input(play.world, 2, PlayerInput(strike=True))
    play.run(1.0)
    assert len(play.of_kind("attack")) == 1, "one attack at a time"
    assert play.world.combat.health.tolist() == [100.0, 80.0, 100.0]


def test_a_player_with_a_gun_shoots_whom_it_can_hit_and_one_without_arms_does_nothing() -> None:
    play = duel("name: Ames, at: [6, 9]", you="at: [12, 9], attack: ranged")
    apply_input(play.world, 1, PlayerInput(strike=True))
    play.run(0.1)
    assert [event.blow for event in play.of_kind("attack")] == ["shoot"]
    far = duel("name: Ames, at: [6, 9]")
    apply_input(far.world, 1, PlayerInput(strike=True))
    unarmed = duel("name: Ames, at: [11, 9]", you="at: [12, 9], attack: none")
    apply_input(unarmed.world, 1, PlayerInput(strike=True))
    for other in (far, unarmed):
        assert not other.run(0.1).of_kind("attack")
    peace = duel("name: Ames, at: [11, 9]", combat="false")
    apply_input(peace.world, 1, PlayerInput(strike=True))
    assert not peace.world.acts.outside


def test_an_account_of_a_fight_says_health_rest_and_what_comes(tmp_path: Path) -> None:
    path = tmp_path / "run.rec"
    play = duel("name: Ames, at: [10.5, 9]", more="ends: []", seconds=1.0)
    play.world.acts.outside.append((0, Act("strike", 1)))
    record(play.world, path)
    recording = Recording.read(path)
    during, after = (account_of(recording, "Ames", seconds).fight for seconds in (0.2, 0.6))
    assert (during.attack, during.foe) == ("strikes", "you")
    assert during.due == pytest.approx(0.2, abs=0.04)
    assert (after.attack, after.foe, after.due) == ("", "", 0.0)
    assert after.rest == pytest.approx(0.8, abs=0.04)
    assert account_of(recording, "you", 0.6).fight.health == 80.0
    lines = as_lines(account_of(recording, "Ames", 0.2), Sentences.of_recording(recording))
    assert any(line.startswith("health 100, strikes at you, lands in 0.") for line in lines)
