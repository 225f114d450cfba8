"""Evaluations: paired, the same for any number of jobs; intervals and differences as worked out by hand."""

import dataclasses
import math
import subprocess
import sys

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.errors import InputError, QueryError
from lastseen.estimates import mean_of, paired, share_of, shares_apart
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.predictors import PREDICTORS
from lastseen.simulation.experiments.chase.episodes import PursuitSettings
from lastseen.simulation.experiments.chase.experiment import evaluate_chase
from lastseen.simulation.experiments.chase.pursuits import contenders
from lastseen.simulation.experiments.harness.summary import best_and_worst, summarise

NAMES = ("breadcrumbs", "belief", "article", "last position", "stand still")


@pytest.fixture(scope="module")
def layouts():
    return {name: build_layout(build_navmesh(sample(name), Body(radius=0.0))) for name in ("rooms", "warehouse")}


@pytest.fixture(scope="module")
def evaluation(layouts):
    return evaluate_chase(layouts, predictors=NAMES, episodes=56, seed=5)


def arrays(outcome):
    return {field.name: getattr(outcome, field.name) for field in dataclasses.fields(outcome)}


def test_the_result_does_not_depend_on_jobs(layouts, evaluation):
    again = evaluate_chase(layouts, predictors=NAMES, episodes=56, seed=5, jobs=2)
    for level, outcome in evaluation.outcomes.items():
        for name, values in arrays(outcome).items():
            assert np.array_equal(values, arrays(again.outcomes[level])[name]), (level, name)


def test_errors_are_the_same_in_other_processes(layouts):
    tiny = build_layout(build_navmesh(Level(Tiles((TileFloor(np.ones((3, 3), np.bool_)),))), Body(radius=0.0)))
    for jobs in (1, 2):
        with pytest.raises(QueryError, match="9 cells; pursuits need at least 20"):
            evaluate_chase(layouts | {"tiny": tiny}, predictors=["article"], episodes=4, jobs=jobs)


UNGUARDED = """
import time
from lastseen.simulation.experiments.harness.processes import run_tasks

def make(plan):
    return time.sleep

print(list(run_tasks(make, None, [0.01] * 3000, jobs=2)))
"""
"""What every evaluation with jobs ends in, with next to nothing to do."""


def test_a_script_that_does_not_guard_its_start_is_told_so(tmp_path):
    (tmp_path / "script.py").write_text(UNGUARDED)
    ended = subprocess.run([sys.executable, str(tmp_path / "script.py")], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert "if __name__ == '__main__': - add it, or give jobs=1" in ended.stderr


# The second process may take long to begin: until then the first one does a task every hundredth of a second.
ENDING = """
import multiprocessing, os, time
from pathlib import Path
from lastseen.simulation.experiments.harness.processes import run_tasks

class Run:
    def __init__(self, plan):
        self.plan = plan

    def __call__(self, task):
        if multiprocessing.parent_process() is not None:
            if self.plan == "end":
                os._exit(3)
            Path("begun").touch()
        elif self.plan == "end" or not Path("begun").exists():
            time.sleep(0.01)
        return os.getpid()

if __name__ == "__main__":
    found = [pair for pairs in run_tasks(Run, "work", range(9000), jobs=2) for pair in pairs]
    print(sorted(task for task, _ in found) == list(range(9000)), len({process for _, process in found}))
    list(run_tasks(Run, "end", range(9000), jobs=2))
"""


def test_each_task_is_done_once_and_a_process_that_ends_is_told(tmp_path):
    (tmp_path / "script.py").write_text(ENDING)
    command = [sys.executable, "script.py"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.stdout == "True 2\n"
    assert "a process of the evaluation ended with exit code 3" in ended.stderr


def test_another_seed_is_another_evaluation(layouts, evaluation):
    other = evaluate_chase({"rooms": layouts["rooms"]}, predictors=["article"], episodes=56, seed=6)
    assert not np.array_equal(other.outcomes["rooms"].seen_at, evaluation.outcomes["rooms"].seen_at)


def test_a_predictor_meets_the_same_losses_whoever_else_is_measured(layouts, evaluation):
    alone = evaluate_chase({"warehouse": layouts["warehouse"]}, predictors=["article"], episodes=56, seed=5)
    both, one = evaluation.outcomes["warehouse"], alone.outcomes["warehouse"]
    assert np.array_equal(both.seen_at, one.seen_at)
    assert np.array_equal(both.reacquired[:, NAMES.index("article")], one.reacquired[:, 0])


def test_bounds_hold(evaluation):
    pooled = summarise(evaluation)[0]
    share = {row.variant: row.estimates["reacquired"].value for row in pooled.rows}
    assert share["breadcrumbs"] > 0.97
    assert share["breadcrumbs"] >= share["article"] > share["stand still"]
    assert share["last position"] > share["stand still"]
    still = pooled.row("stand still").estimates
    assert still["metres"].value == 0.0
    assert still["turned"].value == 0.0


def test_whole_chases_live_only_where_the_first_loss_was_made_good(evaluation):
    for outcome in evaluation.outcomes.values():
        assert not (outcome.alive & ~outcome.reacquired).any()
        assert not (outcome.corner_missed & outcome.reacquired).any()
        assert (outcome.losses >= 1).all()


def test_tables_count_every_loss(evaluation):
    pooled, *levels = summarise(evaluation)
    assert pooled.case == "all levels"
    assert pooled.count == sum(table.count for table in levels)
    for table in (pooled, *levels):
        for row in table.rows:
            assert sum(row.counts.values()) == table.count
        article = table.row("article")
        assert article.gains["reacquired"].value == 0.0
        belief = table.row("belief")
        difference = belief.estimates["reacquired"].value - article.estimates["reacquired"].value
        assert belief.gains["reacquired"].value == pytest.approx(difference)


def test_wilson_by_hand():
    # 8 of 10: (0.8 + 1.9208 / 10) / 1.38416 = 0.716740; 1.96 * sqrt(0.016 + 0.00960) / 1.38416 = 0.226583 (z = 1.96)
    found = share_of(np.array([True] * 8 + [False] * 2))
    assert found.value == 0.8
    assert found.low == pytest.approx(0.4901625, abs=1e-6)
    assert found.high == pytest.approx(0.9433178, abs=1e-6)
    none = share_of(np.zeros(20, np.bool_))
    assert (none.value, none.low) == (0.0, 0.0)
    assert 0.0 < none.high < 0.2


@pytest.mark.parametrize("count", [1, 16, 233, 472])
def test_shares_stay_between_none_and_all_and_equal_pairs_leave_doubt(count):
    every, none = np.ones(count, np.bool_), np.zeros(count, np.bool_)
    assert share_of(none).low == 0.0
    assert share_of(every).high == 1.0
    same = paired(every, every)
    assert same.value == 0.0
    assert -1.0 <= same.low < 0.0 < same.high <= 1.0


def test_mean_and_pairs_by_hand():
    found = mean_of(np.array([1.0, 2.0, 3.0]))
    assert (found.value, found.high - found.value) == pytest.approx((2.0, 4.303 / math.sqrt(3.0)))
    gain = paired(np.array([True, True, False, True]), np.array([True, False, False, False]))
    # Two better, none worse, of four; one more to either side: 3/6 and 1/6, so 1/3 ± z sqrt((4/6 - 1/9) / 6).
    assert gain.value == 0.5
    assert gain.low == pytest.approx(1.0 / 3.0 - 1.959964 * math.sqrt((2.0 / 3.0 - 1.0 / 9.0) / 6.0))
    assert gain.high == pytest.approx(1.0 / 3.0 + 1.959964 * math.sqrt((2.0 / 3.0 - 1.0 / 9.0) / 6.0))
    metres = paired(np.array([3.0, 5.0]), np.array([1.0, 1.0]))
    assert (metres.value, metres.high - metres.value) == pytest.approx((3.0, 12.706))
    assert math.isinf(mean_of(np.array([1.0])).high)


def test_best_and_worst_are_won_and_lost(evaluation):
    picks = best_and_worst(evaluation, "belief", 2)
    assert {pick.why for pick in picks} <= {"best", "worst"}
    column = evaluation.names.index("belief")
    for pick in picks:
        assert evaluation.outcomes[pick.case].reacquired[pick.row, column] == (pick.why == "best")


def test_names_of_predictors_take_spaces_and_hyphens():
    spellings = ["dead reckoning", "dead-reckoning", "dead_reckoning"]
    assert [contenders([one])[0].name for one in spellings] == ["dead reckoning"] * 3


def test_variants_of_presets_are_predictors(layouts):
    found = contenders(["belief:lead=1:weights=front"])
    assert [one.name for one in found] == ["belief:lead=1:weights=front", "article"]
    assert found[0].make(layouts["rooms"])._chase.settings.weights == "front"
    assert {"article", "belief", "stand still", "breadcrumbs"} <= set(PREDICTORS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"predictors": ["beleif"]}, r"no predictor 'beleif' \(did you mean 'belief'\?\); predictors: breadcrumbs"),
        ({"predictors": ["belief:leed=1"]}, r"no setting 'leed' \(did you mean 'lead'\?\)"),
        ({"predictors": ["belief:lead"]}, "'lead' in predictor 'belief:lead' is no setting"),
        ({"predictors": ["stand still:lead=1"]}, "only presets of the chase have settings"),
        ({"episodes": 0}, "episodes is 0"),
        ({"episodes": 2.5}, "episodes is 2.5"),
        ({"jobs": 0}, "jobs is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"layouts": {}}, "no level given"),
    ],
)
def test_bad_questions_are_refused(layouts, change, message):
    given = change.pop("layouts", layouts)
    with pytest.raises(InputError, match=message):
        evaluate_chase(given, **change)


def test_settings_are_checked():
    with pytest.raises(InputError, match="view_distance is -1 m"):
        PursuitSettings(view_distance=-1.0)
    with pytest.raises(InputError, match="step is 0 s"):
        PursuitSettings(step=0.0)


def test_a_level_where_nobody_is_lost_says_so():
    open_hall = build_layout(build_navmesh(Level(Tiles((TileFloor(np.ones((8, 8), np.bool_)),))), Body(radius=0.0)))
    short = PursuitSettings(view_angle=2.0 * math.pi, patience=2.0, alive=2.0, overtime=1.0)
    with pytest.raises(InputError, match=r"level 'hall': no guard ever lost its runner"):
        evaluate_chase({"hall": open_hall}, predictors=["article"], episodes=4, settings=short)


def test_independent_shares_differ_as_in_newcombes_example():
    apart = shares_apart(np.arange(70) < 56, np.arange(80) < 48)
    assert (apart.value, apart.low, apart.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
