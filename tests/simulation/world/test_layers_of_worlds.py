"""Layers that agents read: values of the moment they began at, later by their budget, scored by queries and trees."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.brains.leaves.layers import LAYERS, layer_value
from lastseen.cells.query import nearest_cell
from lastseen.errors import ScenarioError
from lastseen.layers.spread import Spread
from lastseen.simulation.game_loop import step
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.scenario.reader import parse_scenario, read_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.survey import Survey
from specimens.worlds import Play

ROOMS = """
level: rooms
seconds: 4
ends: []
layers: {LAYERS}
agents:
  - {name: Ames, patrol: ""}
  - {name: Bell, at: [14, 3], heading: 3.14, patrol: ""}
  - {name: you, brain: puppet, at: [3, 3]}
"""


def _world(layers: str):
    return make_world(parse_scenario(ROOMS.replace("{LAYERS}", layers)))


def test_walking_distance_and_proximity_are_those_of_a_plain_spread():
    world = _world("{walk: {}, proximity: {}}")
    step(world)
    metres = np.full(len(world.cells), np.inf)
    reached = Spread(world.cells).distances([nearest_cell(world.cells, (3.0, 3.0))])
    metres[reached.cells] = reached.metres
    assert np.allclose(world.layers.named["walk"].values, metres)
    assert np.allclose(world.layers.named["proximity"].values, np.clip(1.0 - metres / 20.0, 0.0, 1.0), atol=1e-6)


def test_every_shipped_layer_is_kept_and_has_no_gaps():
    world = _world("{" + ", ".join(f"{name}: {{}}" for name in LAYERS) + "}")
    step(world)
    for name, layer in world.layers.named.items():
        assert not np.isnan(layer.values).any(), name
        assert layer.meaning
    assert world.layers.named["exposure"].values.max() >= 1
    assert (world.layers.named["danger"].values > 0).any()


def test_a_budget_delays_the_same_values():
    free, slow = _world("{exposure: {every: 3}}"), _world("{exposure: {every: 3, cells: 1}}")
    step(free)
    wanted = free.layers.named["exposure"].values.copy()
    steps = 0
    while not np.array_equal(slow.layers.named["exposure"].values, wanted):
        assert not slow.layers.named["exposure"].values.any()
        step(slow)
        steps += 1
        assert steps < 10
    assert steps == 3  # one of two guards in each step, then the result of the moment at which it began


def test_a_layer_is_surveyed_again_only_when_it_is_due(monkeypatch):
    begun = []
    start = Survey.start
    monkeypatch.setattr(Survey, "start", lambda self, name, now: begun.append(name) or start(self, name, now))
    world = _world("{light: {every: 1}, walk: {every: 0.5}}")
    while world.time < 1.9:
        step(world)
    assert (begun.count("light"), begun.count("walk")) == (2, 4)


def test_a_sum_weighs_other_layers():
    world = _world("{risk: {sum: {danger: 2, light: -0.5}}}")
    step(world)
    named = world.layers.named
    assert np.allclose(named["risk"].values, 2 * named["danger"].values - 0.5 * named["light"].values)
    assert "2 × danger" in named["risk"].meaning


def test_layers_are_recorded_and_part_of_the_digest(tmp_path):
    without, with_ = (record(_world(given), tmp_path / "run.rec") for given in ("{}", "{danger: {}}"))
    assert without.digest != with_.digest
    world = _world("{danger: {}}")
    recording = Recording.read(tmp_path / "run.rec")
    step(world)
    assert np.array_equal(recording.frame(0).layers["danger"], world.layers.named["danger"].values)


def test_trees_and_queries_read_layers_without_listing_them(tmp_path):
    (tmp_path / "q.yaml").write_text("criteria: [{measure: layer, layer: walk, curve: {linear: [0, 5]}}]\n")
    (tmp_path / "b.yaml").write_text(
        "trees:\n  b:\n    sequence: [{layer_here: {layer: light, at_least: 0.5}}, {choose_place: {query: q.yaml}}]\n"
    )
    (tmp_path / "s.yaml").write_text(
        "level: rooms\nagents: [{name: A, brain: b.yaml, at: [5, 5]}, {name: you, brain: puppet, at: [3, 3]}]\n"
    )
    setting = read_scenario(tmp_path / "s.yaml")
    assert set(setting.layers) == {"walk", "light"}
    world = make_world(setting)
    step(world)
    (picked,) = [one for one in world.events if one.kind == "picks place"]
    cell = nearest_cell(world.cells, picked.at)
    assert world.layers.named["walk"].values[cell] >= 4.9
    assert layer_value(world.minds[0], "light") == 1.0


def test_scores_of_nodes_read_layers(tmp_path):
    (tmp_path / "b.yaml").write_text("""
trees:
  b:
    reactive_utility_selector:
      - scored: {score: danger, child: {be: {state: flee}}}
      - scored: {score: 0.2, child: {be: {state: run}}}
""")
    (tmp_path / "s.yaml").write_text("""
level: hall
ends: []
agents: [{name: Ames, at: [4, 9], heading: 0, patrol: ''}, {name: A, brain: b.yaml, team: intruders, at: [8, 9]}]
script: [{at: 1, do: remove, agent: Ames}]
""")
    world = make_world(read_scenario(tmp_path / "s.yaml"))
    states = []
    for _ in range(60):
        step(world)
        states.append(world.state_of(1))
    assert (states[1], states[-1]) == ("flee", "run")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("layers: {dangr: {}}", "no layer 'dangr' (did you mean 'danger'?)"),
        ("layers: {danger: {evry: 1}}", "unknown key 'evry' (did you mean 'every'?)"),
        ("layers: {danger: {cells: 0}}", "(layers.danger.cells): expected a whole number, at least 1"),
        ("layers: {danger: {sum: {light: 1}}}", "'danger' is a layer already"),
        ("layers: {risk: {sum: {lihgt: 1}}}", "no layer 'lihgt' (did you mean 'light'?)"),
    ],
)
def test_faults_in_layers_are_found_with_their_line(line, words):
    with pytest.raises(ScenarioError) as raised:
        parse_scenario(f"level: hall\nagents: [{{name: Ames, at: [6, 9]}}]\n{line}\n")
    assert words in str(raised.value)
    assert "line 3" in str(raised.value)


def test_an_unknown_layer_of_a_tree_is_refused_with_its_line(tmp_path):
    (tmp_path / "b.yaml").write_text("trees:\n  b:\n    layer_here: {layer: lihgt, at_least: 1}\n")
    (tmp_path / "s.yaml").write_text("level: rooms\nagents: [{name: A, brain: b.yaml, at: [5, 5]}]\n")
    with pytest.raises(ScenarioError, match=r"b\.yaml:3: no layer 'lihgt' \(did you mean 'light'\?\)"):
        read_scenario(tmp_path / "s.yaml")


def test_a_shadow_leaves_the_view_before_it_is_recognised():
    from lastseen.simulation.scenario.reader import scenario_text

    play = Play(scenario_text("shadow").replace("\nseconds:", "\nstep: 0.1\nseconds:", 1)).run(60)
    assert len(play.of_kind("picks place")) >= 5
    assert not play.of_kind("sees")
