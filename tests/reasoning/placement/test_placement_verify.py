"""Verification of a level: counts, comparisons and heat maps."""

import json
import math
from dataclasses import replace

import pytest

from lastseen.errors import InputError
from lastseen.level.features import IntendedPath
from lastseen.level.level import Level
from lastseen.reasoning.placement.files.level_guards import patrol_placement
from lastseen.reasoning.placement.guard_routes import GuardRoute
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify.similarity import frechet
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.reasoning.placement.verify.verify import rate, verify
from oracles.space_time import tile_level
from specimens.space_time import CORRIDOR, pacer

QUICK = VerifySettings(seconds=40.0, runs=6, trees=4, nodes=120, solver="both", speed=1.0)
PATH = [(0.5, 0.5), (12.5, 0.5)]


@pytest.fixture(scope="module")
def corridor():
    return SneakGround(tile_level(CORRIDOR), cell=1.0)


@pytest.fixture(scope="module")
def found(corridor):
    return verify(corridor, [pacer()], path=PATH, settings=QUICK)


def test_rates_have_wilsons_interval():
    # By hand for 8 of 10: centre (0.8 + 0.19207) / 1.38415 = 0.71676, half-width 0.22663.
    eight = rate(8, 10)
    assert (eight.share, eight.low, eight.high) == pytest.approx((0.8, 0.49016, 0.94331), abs=2e-4)
    assert rate(10, 10).high == 1.0
    assert 0.6 < rate(10, 10).low < 0.75
    assert math.isnan(rate(0, 0).share)
    assert rate(0, 0).as_object() == {"hits": 0, "of": 0, "share": None, "low": None, "high": None}


def test_every_run_is_counted_and_every_solution_compared(found):
    assert found.solvable is True
    assert found.success.of == 6
    assert found.success.hits == len(found.solutions) == 6
    assert len(found.caught) == 0
    assert found.exact is not None
    assert found.exact.seconds == pytest.approx(12.1, abs=1.01)
    for each in found.solutions:
        assert each.apart == pytest.approx(frechet(each.path[:, :3], found.intended))
        assert each.length >= 12.0 - 1e-9
        assert each.at(0.0) == pytest.approx(found.start)
        assert each.at(1e9) == pytest.approx(found.goal)
    assert found.close.of == 6
    assert found.close.hits == sum(each.apart <= QUICK.close for each in found.solutions)
    assert sum(found.groups) == 6
    assert sorted({each.group for each in found.solutions}) == list(range(len(found.groups)))


def test_heat_is_the_share_of_solutions_that_pass_a_cell(found):
    xyz = found.ground.layout.arrays.cell_xyz
    along = found.heat[(xyz[:, 1] < 1.0) & (xyz[:, 0] < 12.9)]
    assert (along == 1.0).all()  # every path passes all cells of the corridor
    up = found.heat[xyz[:, 1] > 1.0]
    assert (up <= 1.0).all()
    assert len(found.danger.places) == len(found.heat)
    assert found.danger.places[xyz[:, 1] < 1.0].argmax() == 8


def test_the_same_seed_gives_the_same_answer(corridor, found):
    again = verify(corridor, [pacer()], path=PATH, settings=QUICK)
    assert json.dumps(again.as_object()) == json.dumps(found.as_object())
    assert again.heat.tobytes() == found.heat.tobytes()
    other = verify(corridor, [pacer()], path=PATH, settings=replace(QUICK, seed=1))
    assert [each.path.tolist() for each in other.solutions] != [each.path.tolist() for each in found.solutions]


def test_failing_runs_tell_when_they_were_first_seen(corridor):
    guard = GuardRoute(replace(pacer().kind, speed=0.0), [(8.5, 3.5)], heading=-math.pi / 2)
    lost = verify(corridor, [guard], (0.5, 0.5), (12.5, 0.5), settings=QUICK)
    assert lost.solvable is False
    assert (lost.success.hits, lost.solutions, lost.groups) == (0, (), ())
    assert lost.close.of == 0
    assert len(lost.caught) == 6
    for one in lost.caught:
        assert one is not None
        assert one.guard == 0
        assert one.xyz[0] == pytest.approx(8.5, abs=0.75)
        # No player is there sooner than top speed allows: 7.4 m to the edge of the view.
        assert one.seconds >= 7.0
    assert lost.heat.max() == 0.0
    assert lost.as_object()["exact"] == {"found": False, "seconds": None}


def test_exact_alone_makes_no_runs_and_its_way_is_the_heat(corridor):
    only = verify(corridor, [pacer()], path=IntendedPath(PATH), settings=replace(QUICK, solver="exact", step=1.0))
    assert (only.success.of, only.solutions) == (0, ())
    assert only.solvable is True
    assert only.exact.seconds == 13.0
    assert only.heat.sum() == 13.0


def test_too_little_time_is_said(corridor):
    late = verify(corridor, [pacer()], path=PATH, settings=replace(QUICK, seconds=3.0, solver="rrt"))
    assert late.solvable is None
    assert any("the time limit is too short" in note for note in late.notes)


def test_progress_is_told(corridor):
    told = []
    verify(corridor, [pacer()], path=PATH, settings=QUICK, progress=lambda what, share: told.append((what, share)))
    assert [what for what, _ in told[:3]] == ["intended path", "exact search", "run 1 of 6"]
    assert [share for _, share in told] == sorted(share for _, share in told)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "there is no start; give start and goal, or the intended path"),
        ({"start": (0.5, 0.5)}, "there is no goal"),
        ({"path": [(0.5, 0.5)]}, "the intended path has 1 distinct points"),
        ({"path": [(0.5, 0.5), (3.5, 4.0)]}, "point 2 of the intended path, (3.5, 4), is off the floor"),
        ({"path": [(0.5, 0.5), (8.5, 7.5)]}, "the intended path crosses a wall or locked door at (1."),
        ({"path": PATH, "settings": 3}, "settings is 3; give VerifySettings"),
        ({"path": PATH, "goal": (3.5, 4.0)}, "the goal (3.5, 4) is off the floor"),
    ],
)
def test_what_cannot_be_asked_is_said(corridor, given, words):
    with pytest.raises(InputError) as caught:
        verify(corridor, [pacer()], **given)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"solver": "rtt"}, "solver is 'rtt', did you mean 'rrt'"),
        ({"runs": 0}, "runs is 0; give a whole number, at least 1"),
        ({"seconds": 0}, "seconds is 0 s"),
        ({"seed": -1}, "seed is -1"),
        ({"close": -1.0}, "close is -1 m"),
    ],
)
def test_bad_settings_are_refused(change, words):
    with pytest.raises(InputError) as caught:
        VerifySettings(**change)
    assert words.split(",")[0] in str(caught.value)


def test_a_level_is_taken_as_it_is():
    level = Level.sample("warehouse")
    found = verify(level, patrol_placement(level), (1.5, 1.5), (20.5, 11.5), settings=VerifySettings(runs=5))
    assert found.success.hits >= 4
    assert math.isnan(found.solutions[0].apart)
    assert found.as_object()["close"] is None
