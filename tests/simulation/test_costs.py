"""Costs of steps: by system and agent, against a budget, in recordings and outside digests; level of detail."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from lastseen.errors import RecordingError, ScenarioError
from lastseen.simulation import game_loop
from lastseen.simulation.costs import Costs, costs_of
from lastseen.simulation.game_loop import step
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.systems import SYSTEMS
from lastseen.simulation.world.setup import make_world
from lastseen.views.cli.app.main import cli

TEXT = """
level: hall
seconds: 2
agents:
  - {name: Ames, at: [6, 4], heading: 3.14, patrol: round}
  - {name: Bell, at: [20, 14], patrol: ""}
  - {name: you, brain: puppet, at: [28, 4]}
"""


def test_steps_are_summed_and_those_over_budget_listed():
    costs = Costs(2.0, ("sense", "think"), ("Ames",))
    costs.add(0, np.array([[0.5, 1.0], [1.5, 1.0]]), np.array([[0.75], [0.25]]))
    costs.add(2, np.array([[0.0, 2.0], [4.0, 4.0]]), np.array([[0.0], [1.0]]))
    assert (costs.steps, costs.over, costs.over_ticks) == (4, 2, [1, 3])
    assert (costs.worst, costs.worst_tick, costs.mean) == (8.0, 3, 3.5)
    assert costs.by_system() == {"sense": 1.5, "think": 2.0}
    assert costs.by_agent() == {"Ames": 0.5}


class Clock:
    """A clock that advances by a millisecond per question."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


def test_a_recording_holds_what_each_system_and_agent_cost(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(game_loop, "perf_counter", Clock())
    monkeypatch.setattr(sys.modules["lastseen.simulation.systems.think"], "perf_counter", Clock())
    record(make_world(parse_scenario(TEXT + "budget: 9.5\n")), tmp_path / "run.rec")
    costs = costs_of(Recording.read(tmp_path / "run.rec"))
    assert costs.systems == tuple(system.__name__ for system in SYSTEMS)
    assert costs.budget == 9.5
    assert all(value == pytest.approx(1.0, rel=1e-3) for value in costs.by_system().values())
    assert costs.over == costs.steps == 60
    assert costs.by_agent() == {"Ames": pytest.approx(1.0, rel=1e-3), "Bell": pytest.approx(1.0, rel=1e-3), "you": 0.0}


def test_costs_do_not_change_the_digest(tmp_path: Path, monkeypatch):
    usual = record(make_world(parse_scenario(TEXT)), tmp_path / "a.rec")
    monkeypatch.setattr(game_loop, "perf_counter", Clock())
    assert record(make_world(parse_scenario(TEXT + "budget: 0.001\n")), tmp_path / "b.rec") == usual


def test_without_a_budget_a_step_may_take_as_long_as_it_lasts(tmp_path: Path):
    record(make_world(parse_scenario(TEXT + "step: 0.1\n")), tmp_path / "run.rec")
    assert costs_of(Recording.read(tmp_path / "run.rec")).budget == pytest.approx(100.0)


def test_a_recording_without_costs_is_refused_with_what_to_do(tmp_path: Path):
    record(make_world(parse_scenario(TEXT)), tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec")
    del recording.about.notes["costs"]
    with pytest.raises(RecordingError, match="holds no costs; run the scenario again"):
        costs_of(recording)


def test_run_prints_costs_and_marks_steps_over_budget(tmp_path: Path):
    (tmp_path / "tight.yaml").write_text(TEXT + "budget: 0.001\n")
    (tmp_path / "wide.yaml").write_text(TEXT + "budget: 100000\n")
    run = CliRunner().invoke(cli, ["run", str(tmp_path / "tight.yaml"), "--quiet"])
    assert "note: 60 of 60 steps took more than their budget of 0.001 ms; --costs lists" in run.output
    run = CliRunner().invoke(cli, ["run", str(tmp_path / "wide.yaml"), "--quiet", "--costs"])
    assert "0 of 60 steps over the budget of 1e+05 ms" in run.output
    assert all(f"ms  system {system.__name__}" in run.output for system in SYSTEMS)
    assert "ms  thinking of Bell" in run.output
    assert "note:" not in CliRunner().invoke(cli, ["run", str(tmp_path / "wide.yaml"), "--quiet"]).output
    told = json.loads(CliRunner().invoke(cli, ["run", str(tmp_path / "tight.yaml"), "--json"]).output)
    assert set(told["milliseconds"]) == {system.__name__ for system in SYSTEMS}
    assert set(told["agent_milliseconds"]) == {"Ames", "Bell", "you"}
    assert told["budget"]["steps_over"] == list(range(60))
    assert told["budget"]["worst"] > 0.001


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("budget: 0\n", "line 8.*budget"),
        ("detail: {evry: 2}\n", "did you mean 'every'"),
        ("detail: {every: 0}\n", "detail.every"),
    ],
)
def test_bad_budgets_are_refused_at_load(more: str, words: str):
    with pytest.raises(ScenarioError, match=words):
        parse_scenario(TEXT + more)


def thoughts(detail: str, steps: int = 8) -> list[list[bool]]:
    """Return by step which agents thought."""
    world = make_world(parse_scenario(TEXT.replace("seconds: 2", f"seconds: 2\n{detail}")))
    found = []
    for _ in range(steps):
        step(world)
        found.append([cost > 0.0 for cost in world.trace.agent_costs])
    return found


def test_far_and_calm_agents_think_in_turn():
    assert all(both[:2] == [True, True] for both in thoughts(""))
    far = thoughts("detail: {beyond: 5, every: 4}")
    assert [ames for ames, _, _ in far] == [tick % 4 == 0 for tick in range(8)]
    assert [bell for _, bell, _ in far] == [(tick + 1) % 4 == 0 for tick in range(8)]
    assert all(both[:2] == [True, True] for both in thoughts("detail: {beyond: 100, every: 4}"))


def test_an_agent_that_is_called_thinks_at_once():
    bang = "script: [{at: 0.1, do: sound, kind: gunshot, place: [8, 5]}]\nreaction: at once"
    heard = thoughts(f"{bang}\ndetail: {{beyond: 5, every: 60}}", 12)
    assert [ames for ames, _, _ in heard[1:3]] == [False, False]
    assert all(ames for ames, _, _ in heard[3:])


def test_unseen_agents_count_as_far_if_asked_for():
    text = """
level: yard
agents:
  - {name: Ames, at: [3, 20], heading: 3.14, patrol: ""}
  - {name: you, brain: puppet, at: [AT]}
"""
    for at, asked, thinks in (("30, 20", "true", False), ("30, 20", "false", True), ("3, 15", "true", True)):
        world = make_world(parse_scenario(f"detail: {{beyond: 99, unseen: {asked}, every: 3}}{text.replace('AT', at)}"))
        step(world)
        step(world)
        assert (world.trace.agent_costs[0] > 0.0) is thinks, (at, asked)
