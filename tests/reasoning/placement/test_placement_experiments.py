"""The source's experiments: what is measured under which conditions, and whether its claims hold."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.level.level import Level
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute
from lastseen.reasoning.placement.placement_settings import PlacementSettings, VerifySettings
from lastseen.reasoning.placement.verify.path_check import PathCheck
from lastseen.simulation.experiments.placement import figure_experiments as module
from lastseen.simulation.experiments.placement.figure_experiments import (
    MEASURES,
    Condition,
    ExperimentTable,
    guard_counts,
    on_path,
    path_costs,
    run_experiment,
)
from lastseen.simulation.experiments.placement.findings import estimate, figure_4_findings, figure_5_findings, paired
from oracles.placement import hall

LEVEL = hall(12, 10, (5, 4, 7, 6))
PATH = [(0.5, 0.5), (11.5, 0.5)]
KIND = GuardKind(view_distance=4.0, passive=0.5)
SOLVER = VerifySettings(seconds=30.0, runs=4, trees=1, nodes=60)
PLACING = PlacementSettings(candidates=2)


def measured(conditions, **given) -> ExperimentTable:
    asked = {"kinds": KIND, "settings": SOLVER, "placements": 3, "seed": 1} | given
    return run_experiment(LEVEL, PATH, "it", conditions, **asked)


def test_conditions_are_the_sources_but_for_one_variable():
    costs = path_costs((0.0, 2.0), guards=4, settings=PLACING)
    assert [one.label for one in costs] == ["0", "2"]
    assert all(one.guards == 4 and not one.settings.together and one.settings.guard_term == "flat" for one in costs)
    assert replace(costs[0].settings, path_cost=2.0) == costs[1].settings
    counts = guard_counts((1, 3), settings=PLACING)
    ways = [("one by one", 1), ("one by one", 3), ("together", 1), ("together", 3)]
    assert [(one.series, one.guards) for one in counts] == ways
    assert [one.settings.together for one in counts] == [False, False, True, True]


def test_the_result_does_not_depend_on_jobs_and_measures_are_what_they_say():
    conditions = path_costs((0.0, 9.0), guards=2, settings=PLACING)
    one, other = measured(conditions, jobs=1), measured(conditions, jobs=3)
    np.testing.assert_array_equal(one.values, other.values)
    assert one.values.shape == (2, 3, len(MEASURES))
    shares = np.delete(one.values, MEASURES.index("apart"), axis=2)
    assert ((shares >= 0.0) & (shares <= 1.0) | np.isnan(shares)).all()
    assert not one.of("one by one", "touched")[1][1].any()
    assert not np.array_equal(measured(conditions, seed=2).values, one.values)


def test_guards_one_by_one_are_the_same_ones_and_one_more():
    """Check that more guards never see less."""
    _, ever = measured(guard_counts((1, 2, 3), settings=PLACING)).of("one by one", "ever")
    assert (np.diff(ever, axis=0) >= 0.0).all()


def test_together_they_cover_no_less_and_leave_the_path_passable_as_often():
    """Check every placement, with guards whose views sometimes bar the path."""
    far, quick = replace(KIND, view_distance=6.0), replace(SOLVER, runs=1)
    found = measured(guard_counts((1, 3), settings=PLACING), kinds=far, placements=6, settings=quick)
    passable = {name: found.of(name, "passable")[1] for name in found.series}
    assert 0.0 < passable["one by one"].mean() < 1.0
    assert (passable["together"] >= passable["one by one"]).all()
    gain = found.of("together", "ever")[1] - found.of("one by one", "ever")[1]
    assert (gain >= 0.0).all()
    assert gain.mean() > 0.0


def test_conditions_that_cannot_be_placed_are_not_counted():
    impossible = path_costs((0.0, 1.0), settings=replace(PLACING, least=2.0, most=2.0, attempts=2))
    with pytest.raises(InputError, match="no guards could be placed under any condition: only 0 of 3 guards"):
        measured(impossible)
    fine = path_costs((0.0, 1.0), guards=1, settings=PLACING)
    table = measured((fine[0], replace(impossible[1], settings=replace(impossible[1].settings, path_cost=0.0))))
    assert np.isfinite(table.values[0, :, MEASURES.index("ever")]).all()
    assert np.isnan(table.values[1]).all()


def test_an_interrupt_keeps_the_placements_that_are_done(monkeypatch):
    conditions, whole = path_costs((0.0, 2.0), guards=1, settings=PLACING), []
    run = module._Bench.run

    def interrupted(self, number, *given):
        if number == 2:
            raise KeyboardInterrupt
        return run(self, number, *given)

    whole = measured(conditions, placements=4)
    monkeypatch.setattr(module._Bench, "run", interrupted)
    table = measured(conditions, placements=4)
    assert table.stopped
    np.testing.assert_array_equal(table.values, whole.values[:, :2])


def test_rounds_on_the_path():
    kind, path = KIND, np.array([(0.0, 0.0, 0.0), (10.0, 0.0, 0.0)])
    assert on_path(GuardRoute(kind, [(4, -2), (5, 3)]), path)
    assert on_path(GuardRoute(kind, [(4, 0.05), (8, 0.05)]), path)
    assert not on_path(GuardRoute(kind, [(4, 0.2), (8, 3)]), path)


def test_estimates_by_hand():
    assert estimate(np.array([0.0, 1.0, math.nan, 1.0]), "passable").value == pytest.approx(2 / 3)
    wilson = estimate(np.zeros(10), "touched")
    assert (wilson.low, wilson.high) == (0.0, pytest.approx(0.2775, abs=1e-4))
    even = estimate(np.full(5, 0.4), "success")
    assert (even.value, even.low, even.high, even.of) == (pytest.approx(0.4),) * 3 + (5,)
    found = paired(np.array([1.0, 2.0, math.nan]), np.array([2.0, 4.0, 1.0]))
    assert (found.value, found.of) == (1.5, 2)
    assert (found.low, found.high) == (1.0, 2.0)
    same = paired(np.ones(10), np.ones(10), "passable")
    assert same.low < -0.1 < same.value == 0.0 < 0.1 < same.high, "few pairs leave doubt, though none differs"
    assert math.isnan(estimate(np.full(3, math.nan), "apart").value)
    assert estimate(np.full(3, math.nan), "apart").words("m") == "-"


def table_of(series: dict[str, dict[str, list[float]]], count: int = 40) -> ExperimentTable:
    """Return a table in which each missing measure is 0.5, and placements differ slightly."""
    wobble = 1e-3 * np.sin(np.arange(count))
    conditions, rows = [], []
    for name, measures in series.items():
        for number in range(len(next(iter(measures.values())))):
            conditions.append(Condition(str(number), name, 1, PlacementSettings()))
            row = np.full((count, len(MEASURES)), 0.5) + wobble[:, None]
            for measure, values in measures.items():
                exact = measure in ("touched", "pacing", "passable")
                filled = np.arange(count) < round(values[number] * count) if exact else values[number] + wobble
                row[:, MEASURES.index(measure)] = filled
            rows.append(row)
    return ExperimentTable("it", tuple(conditions), np.array(rows), SOLVER, 0)


def test_findings_of_figure_4_follow_the_numbers():
    said = {"touched": [1, 0.5, 0], "pacing": [0, 0.4, 0], "passable": [0, 0, 1], "close": [0.1, 0.2, 0.3]}
    found = figure_4_findings(table_of({"one by one": said | {"apart": [5, 4, 3]}}))
    assert [one.verdict for one in found] == ["confirmed"] * 5
    against = {"touched": [1, 1, 0.1], "pacing": [0.5, 0.1, 0.5], "passable": [1, 1, 0.9], "close": [0, 0, 1.1]}
    found = figure_4_findings(table_of({"one by one": against | {"apart": [3, 4, 5]}}))
    assert [one.verdict for one in found] == ["refuted"] * 5
    few = figure_4_findings(table_of({"one by one": said | {"apart": [5, 4, 3]}}, count=5))
    assert {one.verdict for one in few} == {"not decided"}


def test_what_was_never_seen_is_refuted_by_enough_placements_only():
    never = {"touched": [1, 0], "pacing": [0, 0], "passable": [1, 1], "close": [0.5, 0.0], "apart": [5, 5]}

    def verdict(count):
        table = table_of({"one by one": never}, count=count)
        table.values[-1, :, MEASURES.index("close")] = 0.0  # Equal to the last bit: its bootstrap has no width.
        return figure_4_findings(table)[3]

    assert verdict(20).verdict == "not decided"
    assert "placements with any of these: 0.0% (0.0% to 16.1%), with any others: 100.0%" in verdict(20).numbers
    assert verdict(40).verdict == "refuted"


def test_findings_of_figure_5_follow_the_numbers():
    alone, together = {"apart": [5, 4, 3], "ever": [0.2, 0.5, 0.501]}, {"ever": [0.3, 0.6, 0.7], "path": [0, 0, 0]}
    found = figure_5_findings(table_of({"one by one": alone, "together": together}))
    assert [one.verdict for one in found] == ["confirmed"] * 4
    assert "with 2 guards minus that with 1, paired: 0.1% (0.1% to 0.1%)" in found[1].numbers
    alone, together = {"apart": [3, 3, 4], "ever": [0.2, 0.4, 0.6]}, {"ever": [0.2, 0.3, 0.4], "path": [0, 0, 1]}
    found = figure_5_findings(table_of({"one by one": alone, "together": together}))
    assert [one.verdict for one in found] == ["refuted"] * 4
    assert len(figure_5_findings(table_of({"one by one": alone}))) == 2


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: path_costs((1.0,)), "1 path costs are too few to compare"),
        (lambda: guard_counts(()), "0 numbers of guards are too few"),
        (lambda: guard_counts((0, 2)), "guards is 0"),
        (lambda: path_costs(settings="x"), "settings is 'x'"),
        (lambda: measured(()), "give at least one, such as those of path_costs"),
        (lambda: measured(path_costs(), placements=1), "placements is 1"),
        (lambda: measured(path_costs(), jobs=0), "jobs is 0"),
    ],
)
def test_bad_arguments_are_refused(ask, words):
    with pytest.raises(InputError, match=words):
        ask()


CORRIDOR_WAY = [
    (-8.6, 1), (-4.6, -0.5), (-4, -2.5), (-3.4, -0.5), (-1.9, 2), (-1.4, 4.5), (-0.6, 2), (4.6, -0.5), (5, -2.5),
    (5.4, -0.5), (8.93, 1.05),
]  # fmt: skip
"""Through the alcoves of Smith's corridor."""


ALCOVES = Path(__file__).parents[3] / "examples" / "alcoves.txt"
"""A level of our own with the shape of Smith's corridor."""


def test_in_a_corridor_with_alcoves_routes_keep_off_the_path_but_views_do_not():
    """Run figure 4 on our own corridor: the outcome is that of the research group's file below."""
    level = Level.read(ALCOVES)
    kind = GuardKind(view_distance=6.0, view_angle=math.radians(66.0), speed=0.9, passive=0.4)
    solver = VerifySettings(seconds=60.0, speed=1.9, runs=1, trees=1, nodes=50)
    conditions = path_costs((0.0, 5.0), settings=PLACING)
    table = run_experiment(level, level.paths[0], "path cost", conditions, kinds=kind, settings=solver, placements=10)
    assert table.of("one by one", "touched")[1].mean(axis=1).tolist() == [1.0, 0.0]
    assert PathCheck(level, level.paths[0], settings=solver)([])
    assert table.of("one by one", "passable")[1][1].mean() < 1.0


@pytest.mark.data
def test_a_high_path_cost_keeps_guards_off_the_path_in_the_corridor_but_not_their_views(data):
    """Run a small version of figure 4: routes keep off the path, which is not enough to keep it passable."""
    level = Level.read(data / "gram" / "Smith1_controller.json")
    kind = GuardKind(view_distance=6.0, view_angle=math.radians(66.0), speed=0.9, passive=0.4)
    solver = VerifySettings(seconds=60.0, speed=1.9, runs=1, trees=1, nodes=50)
    conditions = path_costs((0.0, 5.0), settings=PLACING)
    table = run_experiment(level, CORRIDOR_WAY, "path cost", conditions, kinds=kind, settings=solver, placements=10)
    assert table.of("one by one", "touched")[1].mean(axis=1).tolist() == [1.0, 0.0]
    assert PathCheck(level, CORRIDOR_WAY, settings=solver)([])
    assert table.of("one by one", "passable")[1][1].mean() < 1.0
