"""Runners stay on the floor, keep their speed, and do what their model says."""

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.errors import InputError, QueryError
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import faces_at, raycasts
from lastseen.rng import generator
from lastseen.simulation.experiments.chase.episodes import PursuitGround, PursuitSettings, draw_episodes
from lastseen.simulation.experiments.chase.pursuits import losses_of
from lastseen.simulation.experiments.chase.runners import MODELS, RunnerPaths, run_on


@pytest.fixture(scope="module")
def ground():
    return PursuitGround(build_layout(build_navmesh(sample("warehouse"), Body(radius=0.0))))


def run(ground, model, count=12, metres=120.0):
    draw = generator(7, model)
    starts = ground.floor_xyz[draw.integers(0, len(ground.floor_xyz), count)]
    ways, gap = RunnerPaths(starts), np.full(count, 6.0)
    run_on(model, ground.layout.mesh, ground.floor_xyz, ways, np.arange(count), gap, metres, draw)
    return ways, ways.sample(np.arange(0.0, metres, 0.5)[None, :].repeat(count, axis=0))


@pytest.mark.parametrize("model", MODELS)
def test_runners_stay_on_the_floor_and_keep_their_pace(ground, model):
    ways, places = run(ground, model)
    assert (ways.length >= 120.0).all()
    steps = np.linalg.norm(np.diff(places, axis=1), axis=2)
    assert steps.max() <= 0.5 + 1e-9
    # Looked at every 5 cm, so that no wall is passed through.
    fine = ways.sample(np.arange(0.0, 120.0, 0.05)[None, :].repeat(len(ways), axis=0))
    assert (faces_at(ground.layout.mesh, fine.reshape(-1, 3)) >= 0).all()


@pytest.mark.parametrize("model", MODELS)
def test_one_seed_one_way(ground, model):
    assert np.array_equal(run(ground, model, 4, 40.0)[1], run(ground, model, 4, 40.0)[1])


def test_sight_breakers_are_seen_less_from_behind_than_wanderers(ground):
    hidden = {}
    for model in ("sight breaker", "momentum wanderer"):
        places = run(ground, model, 24)[1]
        behind, here = places[:, :-12].reshape(-1, 3), places[:, 12:].reshape(-1, 3)
        hidden[model] = 1.0 - raycasts(ground.layout.mesh, behind, here).reached.mean()
    assert hidden["sight breaker"] > hidden["momentum wanderer"]


def test_double_backers_end_up_nearer_to_where_they_started_than_goal_runners():
    hall = PursuitGround(
        build_layout(build_navmesh(Level(Tiles((TileFloor(np.ones((120, 120), np.bool_)),))), Body(radius=0.0)))
    )
    spread = {}
    for model in ("double-backer", "to a goal"):
        places = run(hall, model, 24)[1]
        turns = np.einsum("nij,nij->ni", places[:, 20:] - places[:, 10:-10], places[:, 10:-10] - places[:, :-20])
        spread[model] = float((turns < 0.0).mean())
    assert spread["double-backer"] > spread["to a goal"]


def test_ways_grow_are_cut_and_sampled():
    ways = RunnerPaths(np.zeros((1, 3)))
    ways.grow(0, np.array([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 4.0, 0.0)]), 5.0)
    rows = np.array([0])
    assert ways.length[0] == 5.0
    assert ways.ends(rows)[0] == pytest.approx((3.0, 2.0, 0.0))
    assert ways.headings(rows)[0] == pytest.approx((0.0, 1.0))
    assert ways.back(rows, np.array([3.0]))[0] == pytest.approx((2.0, 0.0, 0.0))
    assert ways.back(rows, np.array([9.0]))[0] == pytest.approx((0.0, 0.0, 0.0))
    assert ways.sample(np.array([[0.0, 4.0, 99.0]]))[0] == pytest.approx(np.array([(0, 0, 0), (3, 1, 0), (3, 2, 0)]))


def test_episodes_are_losses_of_all_models_and_speeds(ground):
    episodes = draw_episodes(ground, np.arange(16), PursuitSettings(), 3, "warehouse")
    assert set(episodes.model.tolist()) == set(range(len(MODELS)))
    assert set(episodes.speed.tolist()) == {4.0, 5.0}
    guards = episodes.guards
    assert (guards.first_loss - guards.seen_step == 5).all()
    gaps = np.linalg.norm(episodes.tracks[:, 1:] - episodes.tracks[:, :-1], axis=2)
    assert (gaps <= episodes.speed[:, None] * 0.1 + 1e-9).all()


def test_runners_that_are_lost_run_on_along_the_same_way(ground):
    episodes = draw_episodes(ground, np.arange(16), PursuitSettings(), 3, "warehouse")
    assert episodes.tracks.shape[1] == PursuitSettings().steps
    there = episodes.tracks[np.arange(len(episodes)), episodes.guards.seen_step]
    assert np.array_equal(there, episodes.guards.seen_xyz)


def test_a_runner_with_a_power_uses_it_after_a_second_in_sight(ground):
    settings = PursuitSettings(powers=("none", "blink", "decoy"))
    episodes = draw_episodes(ground, np.arange(48), settings, 3, "warehouse")
    steps = np.linalg.norm(np.diff(episodes.tracks, axis=1), axis=2)
    stride = episodes.speed[:, None] * 0.1 + 1e-9
    none, blink, decoy = (np.flatnonzero(episodes.power == number) for number in range(3))
    assert min(len(none), len(blink), len(decoy)) >= 8
    assert (steps[none] <= stride[none]).all()
    jumps = steps[blink] > stride[blink]
    assert jumps[:, 9].any()
    assert not np.delete(jumps, 9, axis=1).any()
    assert steps[blink].max() <= 8.0 + 0.5 + 1e-9, "a blink, and the step before it"
    assert (episodes.left[decoy] == 10).all()
    assert (episodes.left[none] == -1).all()
    assert (steps[decoy, 10] == 0.0).mean() > 0.8, "a decoy stands still, unless the guard is at it already"
    assert (np.linalg.norm(np.diff(episodes.runners[decoy], axis=1), axis=2) <= stride[decoy]).all()
    for row in decoy.tolist():
        stands = int((episodes.tracks[row] == episodes.tracks[row, 10]).all(axis=1)[10:].argmin())
        assert 1 <= stands <= 50


def test_a_trail_behind_a_decoy_starts_where_the_decoy_was_left(ground):
    settings = PursuitSettings(powers=("decoy",))
    episodes = draw_episodes(ground, np.arange(24), settings, 3, "warehouse")
    seen = episodes.guards.seen_step
    rows = np.arange(len(episodes))
    fooled = np.flatnonzero((episodes.tracks[rows, seen] != episodes.runners[rows, seen]).any(axis=1))
    assert len(fooled) > 4
    known = losses_of(episodes, episodes.guards, settings, omniscient=True)
    for row in fooled.tolist():
        trail = known.trails[row]
        assert trail.points_xyz[0] == pytest.approx(known.seen_at[row])
        assert trail.seconds[0] == pytest.approx((10 - seen[row]) * settings.step)
        assert trail.at(0.0) == pytest.approx(episodes.runners[row, seen[row]])


def test_an_unknown_power_is_refused():
    with pytest.raises(InputError, match=r"powers has 'blinc' \(did you mean 'blink'\?\)"):
        PursuitSettings(powers=("none", "blinc"))


def test_wanderers_in_the_open_are_drawn_until_they_are_lost():
    passable = np.ones((60, 60), np.bool_)
    passable[15:60:15, 15:60:15] = False
    hall = PursuitGround(build_layout(build_navmesh(Level(Tiles((TileFloor(passable),))), Body(radius=0.0))))
    wanderers = np.arange(48)[np.arange(48) % len(MODELS) == MODELS.index("momentum wanderer")]
    assert len(draw_episodes(hall, wanderers, PursuitSettings(), 0, "hall")) >= 9


def test_runners_climb_stairs_with_their_feet_on_them():
    house = PursuitGround(build_layout(build_navmesh(sample("house"))))
    assert not house.is_flat
    episodes = draw_episodes(house, np.arange(8), PursuitSettings(), 0, "house")
    found = faces_at(house.layout.mesh, episodes.tracks.reshape(-1, 3), below=0.3, above=0.3)
    assert (found >= 0).mean() > 0.99


def test_a_closet_is_no_ground_for_pursuits():
    tiny = build_layout(build_navmesh(Level(Tiles((TileFloor(np.ones((3, 3), np.bool_)),))), Body(radius=0.0)))
    with pytest.raises(QueryError, match=r"9 cells; pursuits need at least 20"):
        PursuitGround(tiny)
