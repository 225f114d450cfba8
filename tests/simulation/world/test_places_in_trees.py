"""Queries in trees: agents choose places by them, go there, appear there, or let others appear there."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from lastseen.agents.behaviour.files.build import build_tree
from lastseen.agents.behaviour.files.definition import TreeFileError
from lastseen.agents.behaviour.files.read import parse_trees
from lastseen.agents.brains.leaves.registry import brain_leaves
from lastseen.agents.brains.shipped_brains import PLACE_QUERIES, place_query
from lastseen.errors import ScenarioError
from lastseen.kernels.arrays.agent_arrays import ACTIVE, GONE
from lastseen.simulation.game_loop import run
from lastseen.simulation.scenario.reader import parse_scenario, read_scenario
from lastseen.simulation.world.setup import make_world
from specimens.worlds import Play

WATCHER = """
level: hall
seconds: 4
ends: []
agents:
  - {name: Ann, brain: teleporter, at: [4, 9], heading: 0, patrol: ""}
  - {name: you, brain: puppet, at: [12, 9], heading: 0}
"""


def _folder(tmp_path: Path, query: str, *, tree: str = "{choose_place: {query: mine.yaml}}") -> Path:
    (tmp_path / "mine.yaml").write_text(query)
    (tmp_path / "brain.yaml").write_text(f"trees:\n  chooser:\n    sequence: [{tree}, {{go_to: {{gait: run}}}}]\n")
    (tmp_path / "run.yaml").write_text(
        "level: hall\nseconds: 12\nagents: [{name: Ann, brain: brain.yaml, at: [4, 9], patrol: ''}]\n"
    )
    return tmp_path / "run.yaml"


def test_a_tree_goes_where_a_query_of_a_file_says(tmp_path):
    world = make_world(
        read_scenario(_folder(tmp_path, "criteria: [{measure: distance, to: [[14, 12]], curve: {inverse: 2}}]"))
    )
    picked = []
    run(world, each=lambda now: picked.extend(one for one in now.events if one.kind == "picks place"))
    assert [one.query for one in picked[:1]] == ["mine.yaml"]
    assert math.dist(world.place_of(0)[:2], (14, 12)) < 1.0


def test_all_shipped_queries_may_be_named():
    for name in PLACE_QUERIES:
        build_tree(parse_trees(f"trees: {{a: {{choose_place: {{query: {name}}}}}}}"), brain_leaves())
        assert place_query(name).about


def test_an_unknown_query_is_refused_with_its_line_and_the_one_meant():
    file = parse_trees("trees:\n  a:\n    choose_place: {query: escap}\n", source="a.yaml")
    with pytest.raises(TreeFileError, match=r"a\.yaml:3: .*no place query 'escap' \(did you mean 'escape'\?\)"):
        build_tree(file, brain_leaves())


def test_a_scenario_says_once_that_a_query_is_unknown(tmp_path):
    (tmp_path / "a.yaml").write_text("trees:\n  a:\n    choose_place: {query: panc}\n")
    with pytest.raises(ScenarioError, match=r"a\.yaml:3: choose_place: no place query 'panc' \(did you mean") as raised:
        parse_scenario("level: rooms\nagents: [{name: Ames, brain: a.yaml, at: [2, 2]}]\n", folder=tmp_path)
    assert len(raised.value.faults) == 1


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("criteria: [{measure: distance, to: thraets, at_most: 4}]", "no points 'thraets' (did you mean 'threats'?)"),
        ("criteria: [{measure: zone, zone: vault, at_least: 1}]", "no zone 'vault'"),
        ("criteria: [{measure: layer, layer: dangr, at_most: 1}]", "no layer 'dangr'"),
        ("criteria: [{measure: distanc, to: asker, at_most: 4}]", "distanc"),
    ],
)
def test_what_a_query_names_is_checked_when_the_scenario_is_read(tmp_path, query, words):
    with pytest.raises(ScenarioError) as raised:
        read_scenario(_folder(tmp_path, query))
    assert words in str(raised.value)
    assert "brain.yaml:3: choose_place" in str(raised.value)


def test_a_query_outside_the_open_folder_is_not_read(tmp_path):
    (tmp_path / "inner").mkdir()
    path = _folder(tmp_path / "inner", "criteria: []", tree="{choose_place: {query: ../secret.yaml}}")
    (tmp_path / "secret.yaml").write_text("about: hidden\n")
    with pytest.raises(ScenarioError, match="not in the folder that is open"):
        read_scenario(path, within=tmp_path / "inner")


def test_a_teleporter_appears_behind_the_target_and_the_path_starts_there():
    play = Play(WATCHER)
    play.world.bodies.velocity_xy[1] = (1.0, 0.0)
    play.run(4, each=lambda world: world.orders.arrays.going.__setitem__(1, 0))
    first = play.of_kind("appears")[0]
    assert first.came_from is not None
    assert math.dist(first.came_from, first.at) > 1.0
    assert 1.5 <= math.dist(first.at[:2], (12.0, 9.0)) <= 6.5
    assert first.other == -1
    assert play.of_kind("caught")


def test_an_agent_appears_only_on_the_floor_and_while_it_can_act():
    play = Play(WATCHER.replace("teleporter", "guard"))
    world, (x, y, z) = play.world, play.world.place_of(0)
    for place in ((500.0, 500.0, 0.0), (8.0, 14.0, 0.0)):
        world.minds[0].act("appear", 0, place)
        acts, world.orders.acts = list(world.orders.acts), []
        world.acts.outside.extend(acts)
        play.run(world.step)
        world.orders.acts = []
    (came,) = play.of_kind("appears")
    assert math.dist(came.at[:2], (8.0, 14.0)) <= 1.0
    assert math.dist((x, y, z), world.place_of(0)) > 3.0


def test_summoned_agents_wait_outside_the_world_and_come_one_by_one():
    play = Play("""
level: hall
seconds: 9
ends: []
agents:
  - {name: Ann, brain: summoner, at: [4, 9], heading: 0, patrol: "", settings: {}}
  - {name: vine 1, brain: vine, at: [2, 2], summoned_by: Ann}
  - {name: vine 2, brain: vine, at: [2, 2], summoned_by: Ann}
  - {name: you, brain: puppet, at: [12, 9]}
""")
    assert play.world.bodies.mode.tolist() == [ACTIVE, GONE, GONE, ACTIVE]
    play.run(9)
    came = play.of_kind("appears")
    assert [(one.agent, one.other, one.came_from) for one in came] == [(1, 0, None), (2, 0, None)]
    assert all(math.dist(one.at[:2], (12.0, 9.0)) <= 3.5 for one in came)
    assert came[1].tick - came[0].tick >= 1.5 / play.world.step
    assert play.world.bodies.mode.tolist()[:3] == [ACTIVE] * 3


def test_agents_that_wait_for_each_other_are_refused():
    agents = "{name: A, at: [2, 2], summoned_by: B}, {name: B, at: [4, 9], summoned_by: A}, {name: C, summoned_by: A}"
    with pytest.raises(ScenarioError) as raised:
        parse_scenario(f"level: hall\nagents: [{agents}, {{name: D, at: [6, 9]}}]\n")
    waiting = [str(fault.where) for fault in raised.value.faults if "waits to be summoned" in fault.what]
    assert waiting == ["line 2 (agents['A'].summoned_by)", "line 2 (agents['B'].summoned_by)"]


def test_a_summoner_that_does_not_exist_is_refused():
    with pytest.raises(ScenarioError, match=r"line 2 .*no other agent 'Anna' \(did you mean 'Ann'\?\)"):
        parse_scenario("level: hall\nagents: [{name: vine, at: [2, 2], summoned_by: Anna}, {name: Ann, at: [4, 9]}]\n")
