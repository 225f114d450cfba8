"""A search for guards that meet targets: what it preserves, what it returns, and what it reports."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute, Placement, guard_kind
from lastseen.reasoning.placement.improve import improve as module
from lastseen.reasoning.placement.improve.improve import apart_of_runs, improve_guards
from lastseen.reasoning.placement.improve.moves import Moves
from lastseen.reasoning.placement.improve.targets import Targets
from lastseen.reasoning.placement.place.place import GuardPlanner
from lastseen.reasoning.placement.placement_settings import PlacementSettings, VerifySettings
from lastseen.reasoning.placement.verify.path_check import PathCheck
from lastseen.rng import generator
from oracles.placement import hall

LEVEL = hall(12, 10, (5, 4, 7, 6))
PATH = [(0.5, 0.5), (11.5, 0.5)]
KIND = GuardKind(view_distance=4.0, passive=0.5)
PLACING = PlacementSettings(candidates=4)
SOLVER = VerifySettings(seconds=30.0, runs=8, trees=1, nodes=60)
WANTED = Targets(success=(0.3, 0.6), closeness=2.0, coverage=0.95)


def search(targets=WANTED, guards=2, **given):
    asked = {"kinds": KIND, "placing": PLACING, "settings": SOLVER, "rounds": 3, "seed": 2} | given
    return improve_guards(LEVEL, PATH, guards, targets, **asked)


def text_of(placement: Placement) -> list:
    return [(route.points.tolist(), route.phase, route.heading, route.name) for route in placement.routes]


def test_coverage_that_is_asked_for_is_reached_and_the_path_stays_passable():
    found = search(Targets(coverage=0.9), rounds=12)
    assert found.before.coverage.ever < 0.9
    assert found.met
    assert found.after.coverage.ever >= 0.9
    assert PathCheck(LEVEL, PATH, settings=SOLVER)(found.after)
    assert [route.name for route in found.after.routes] == ["guard 1", "guard 2"]
    assert len(found.rounds) < 12


def test_no_round_makes_it_worse_and_every_accepted_change_makes_it_better():
    found = search(rounds=6)
    aims = [one.aim for one in found.rounds]
    assert aims == sorted(aims, reverse=True)
    for earlier, later in zip(found.rounds, found.rounds[1:]):
        assert bool(later.words) == (later.aim < earlier.aim)
    assert any(one.words for one in found.rounds)
    assert all(one.tried > 0 and one.runs >= one.tried for one in found.rounds)


def test_the_result_does_not_depend_on_jobs():
    one, other = search(jobs=1), search(jobs=4)
    assert text_of(one.after) == text_of(other.after)
    assert one.rounds == other.rounds
    assert one.misses == other.misses
    assert text_of(search(seed=3).after) != text_of(one.after)


def test_what_is_said_at_last_is_of_runs_the_search_never_saw():
    found = search(rounds=1)
    assert found.checked is not None
    for checked, misses, side in zip(found.checked, found.misses, (found.before, found.after)):
        assert checked.settings.seed != 2
        assert checked.success.of == 2 * SOLVER.runs
        assert misses == WANTED.misses(apart_of_runs(checked), side.coverage.ever)
    assert found.met == (found.misses[1].total == 0.0)


def test_targets_out_of_reach_are_said_to_be_missed_and_by_how_much():
    found = search(Targets(coverage=1.0), guards=1, rounds=2)
    assert found.met is False
    assert found.misses[1].coverage == pytest.approx(1.0 - found.after.coverage.ever)
    assert found.misses[1].total > 0.0


def test_an_interrupt_keeps_the_best_so_far(monkeypatch):
    whole = search(Targets(coverage=1.0), rounds=4)
    race, rounds = module.race, []

    def interrupted(*given):
        rounds.append(1)
        if len(rounds) == 3:
            raise KeyboardInterrupt
        return race(*given)

    monkeypatch.setattr(module, "race", interrupted)
    found = search(Targets(coverage=1.0), rounds=4)
    assert found.stopped
    assert found.checked is None
    assert found.met is None
    assert found.rounds == whole.rounds[:2]
    assert found.searched == found.rounds[-1].misses
    assert found.after.coverage.ever > found.before.coverage.ever


def test_it_begins_with_guards_that_are_given():
    placed = search(rounds=1).before
    found = search(guards=placed, rounds=1)
    assert text_of(found.before) == text_of(placed)
    watcher = GuardRoute(replace(guard_kind("standing"), view_angle=6.28), [(6.0, 1.0)])
    with pytest.raises(InputError, match="not passable with the initial guards"):
        search(guards=Placement((watcher,)))
    with pytest.raises(InputError, match="no guards to start from"):
        search(guards=Placement(()))


def test_guards_that_always_block_the_path_are_refused():
    all_seeing = GuardKind("camera", speed=0.0, view_distance=30.0, view_angle=6.28318, sweep=0.0)
    with pytest.raises(InputError, match="not passable in any of 2 placements"):
        search(kinds=all_seeing, placing=replace(PLACING, redraws=2), guards=2)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"rounds": 0}, "rounds is 0"),
        ({"jobs": 0}, "jobs is 0"),
        ({"jobs": 10_000}, "jobs is 10000"),
        ({"targets": 0.5}, "targets is 0.5; give Targets"),
        ({"settings": 3}, "settings is 3"),
        ({"guards": 0}, "guards is 0"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_bad_arguments_are_refused(given, words):
    with pytest.raises(InputError, match=words):
        search(**given)


@pytest.fixture(scope="module")
def planner() -> GuardPlanner:
    return GuardPlanner(LEVEL, PATH, kinds=KIND, settings=PLACING)


def test_changed_rounds_can_be_walked_and_are_not_too_long(planner):
    routes = planner.place(3, seed=4).routes
    moves, random, seen = Moves(planner), generator(1, "moves"), set()
    for _ in range(120):
        drawn = moves.draw(routes, random)
        if drawn is None:
            continue
        changed, words = drawn
        seen |= {part.split(" ", 2)[2] for part in words.split(", ")}
        assert [route.name for route in changed] == [route.name for route in routes]
        assert sum(a is not b for a, b in zip(routes, changed)) in (1, 2)
        for route in changed:
            ends = np.roll(route.points, -1, axis=0)
            assert planner.ground.walkable(route.points.copy(), ends).all()
            assert route.length <= planner.candidates.walker.lengths.most + 1e-6
    assert seen == {"other moment", "other way round", "led aside", "led elsewhere", "replaced"}


def test_those_who_stay_never_share_a_place():
    kinds = [replace(guard_kind("standing"), passive=1.5), replace(guard_kind("camera"), passive=1.5)]
    planner = GuardPlanner(LEVEL, PATH, kinds=kinds, settings=PLACING)
    routes, moves, random = planner.place(4, seed=1).routes, Moves(planner), generator(2, "moves")
    for _ in range(150):
        drawn = moves.draw(routes, random)
        routes = routes if drawn is None else drawn[0]
        assert len({tuple(route.points[0]) for route in routes}) == 4
        assert [route.kind.name for route in routes] == ["standing", "camera"] * 2


def test_a_planner_with_other_costs_keeps_its_packing(planner):
    other = planner.with_settings(replace(PLACING, path_cost=9.0))
    assert other.partition is planner.partition
    assert other.settings.path_cost == 9.0
    assert planner.settings.path_cost == 2.0
    own = GuardPlanner(LEVEL, PATH, kinds=KIND, settings=replace(PLACING, path_cost=9.0)).place(2, seed=5)
    assert text_of(other.place(2, seed=5)) == text_of(own)
    with pytest.raises(InputError, match="coarseness differs from this planner's packing"):
        planner.with_settings(replace(PLACING, coarseness=2.0))
