"""Whose turn is it to attack? Tokens for the best ranked in position; a crew never attacks all at once."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from lastseen.agents.bodies.orders import Act
from lastseen.agents.crews.combat.attack_turns import AttackTurns, has_melee, has_ranged
from lastseen.agents.crews.combat.tokens import TokenSettings
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World
from specimens.worlds import Play

ATTACKS = ("melee", "ranged", "none")
TREE = """
trees:
  fight:
    roles:
      - role: {name: blade, least: 1, most: 8, may: [has_melee], directions: {attack: token}}
      - role: {name: gun, least: 0, most: 8, may: [has_ranged], directions: {attack: token}}
"""
SCENE = """
level: hall
seconds: 20
rules: none
combat: true
crews: {crews}
agents:
  - {{name: A, at: [9, 8], heading: 0.0, patrol: ""}}
  - {{name: B, at: [9, 9], heading: 0.0, patrol: ""}}
  - {{name: C, at: [9, 10], heading: 0.0, patrol: ""}}
  - {{name: D, at: [7, 9], heading: 0.0, patrol: "", attack: {fourth}}}
  - {{name: you, brain: puppet, at: [13, 9], health: 1000, attack: none}}
"""


def fight(tmp_path: Path, crews: str, fourth: str = "melee") -> tuple[World, list[tuple[int, ...]], list[str]]:
    """Return the world after a fight, who attacked at once in each step, and the kinds of events."""
    (tmp_path / "mine.yaml").write_text(TREE, encoding="utf-8")
    world = make_world(parse_scenario(SCENE.format(crews=crews, fourth=fourth), folder=tmp_path))
    at_once, kinds = [], []
    while world.ending is None:
        step(world)
        at_once.append(tuple(sorted(world.combat.blows)))
        kinds += [event.kind for event in world.events]
    return world, at_once, kinds


def test_a_crew_attacks_one_after_another_where_everybody_alone_attacks_at_once(tmp_path: Path) -> None:
    _, alone, alone_kinds = fight(tmp_path, "false")
    world, together, kinds = fight(tmp_path, "{fight: mine.yaml}")
    assert max(map(len, alone)) >= 3
    assert max(map(len, together)) == 1
    assert {agent for attackers in together for agent in attackers} >= {0, 1, 2}
    assert kinds.count("hit") < alone_kinds.count("hit")
    assert world.teamwork.crews is not None


def test_blades_and_guns_have_tokens_of_their_own(tmp_path: Path) -> None:
    _, together, _ = fight(tmp_path, "{fight: mine.yaml}", "ranged")
    assert max(len([agent for agent in attackers if agent != 3]) for attackers in together) == 1
    assert any(3 in attackers for attackers in together)
    assert max(map(len, together)) == 2


def turns_world() -> tuple[World, AttackTurns]:
    """Two guards in reach of one who stands between them, and a third further off; all puppets."""
    play = Play("""
level: hall
rules: none
combat: true
agents:
  - {name: A, brain: puppet, team: guards, at: [11, 9]}
  - {name: B, brain: puppet, team: guards, at: [14.2, 9]}
  - {name: C, brain: puppet, team: guards, at: [5, 9]}
  - {name: you, brain: puppet, at: [12.5, 9], heading: 0.0}
""").run(0.1)
    return play.world, AttackTurns({"melee": TokenSettings(count=1, cooldown=0.5, wait=0.5)})


def test_the_one_the_target_faces_is_before_the_nearer_and_who_is_far_does_not_ask() -> None:
    world, turns = turns_world()
    turns.update(world, (0, 1, 2), 3)
    assert [turns.may_attack(agent) for agent in range(3)] == [False, True, False]
    assert turns.ranks[1] == 1
    assert turns.refusal(0, world.time, 3) == "1 of 1 are out"
    assert turns.refusal(1, world.time, 3) == ""


def test_a_token_comes_back_after_the_blow_and_when_its_holder_goes_down_or_leaves() -> None:
    world, turns = turns_world()
    turns.update(world, (0, 1, 2), 3)
    world.acts.outside.append((1, Act("strike", 3)))
    while not world.combat.ended:
        step(world)
        turns.update(world, (0, 1, 2), 3)
        assert turns.may_attack(1) or world.combat.ended
    while not turns.may_attack(0):
        step(world)
        turns.update(world, (0, 1, 2), 3)
        assert world.time < 0.7
    assert not turns.may_attack(1)
    world.bodies.mode[0] = 2
    for _ in range(20):
        step(world)
    turns.update(world, (0, 1, 2), 3)
    assert not turns.may_attack(0)
    step(world)
    turns.update(world, (2,), 3)
    assert not any(turns.may_attack(agent) for agent in range(3))


def test_one_whose_colleague_is_in_the_line_gets_no_token() -> None:
    world = (
        Play("""
level: hall
rules: none
combat: true
agents:
  - {name: A, brain: puppet, team: guards, at: [4, 9], attack: ranged}
  - {name: B, brain: puppet, team: guards, at: [8, 9]}
  - {name: you, brain: puppet, at: [12, 9]}
""")
        .run(0.1)
        .world
    )
    turns = AttackTurns()
    turns.update(world, (0, 1), 2)
    assert not turns.may_attack(0)
    world.bodies.xyz[1] = np.array([8.0, 12.0, 0.0])
    world.time += 1.0
    turns.update(world, (0, 1), 2)
    assert turns.may_attack(0)


@pytest.mark.parametrize(
    ("combat", "told"),
    [
        ("true", ["has a melee weapon", "has a ranged weapon", "has no weapon"]),
        ("false", ["has no weapon"] * 3),
    ],
)
def test_what_one_fights_with_is_told(combat: str, told: list[str]) -> None:
    agents = (f"{{name: {name}, at: [4, {9 + at}], attack: {name}}}" for at, name in enumerate(ATTACKS))
    mind = SimpleNamespace(
        world=Play(f"level: hall\nrules: none\ncombat: {combat}\nagents: [{', '.join(agents)}]").world
    )
    for member, (attack, words) in enumerate(zip(ATTACKS, told)):
        armed = combat == "true"
        assert has_melee(mind, member) == (armed and attack == "melee", words)
        assert has_ranged(mind, member) == (armed and attack == "ranged", words)


@pytest.mark.parametrize("combat", ["true", "false"])
def test_without_a_fight_or_a_target_nobody_has_a_turn(combat: str) -> None:
    text = (
        f"level: hall\nrules: none\ncombat: {combat}\nagents: [{{name: A, brain: puppet, team: guards, at: [4, 9]}}]\n"
    )
    turns = AttackTurns()
    turns.update(Play(text).run(0.1).world, (0,), -1)
    assert not turns.may_attack(0)
