"""Pursuits worked out by hand: who is lost when, who is found again, what is a turn and what a corner."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.kernels.flood.pursuit import LOOK, LOST, NEVER_LOST, pursue_all
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.loss import Losses
from lastseen.simulation.experiments.chase.episodes import (
    Episodes,
    PursuitGround,
    PursuitSettings,
    new_guards,
    new_ray,
    rules_of,
)
from lastseen.simulation.experiments.chase.pursuits import (
    Chased,
    about_turns,
    chase_on,
    contenders,
    corners_missed,
    judge,
    losses_of,
)
from lastseen.simulation.experiments.chase.runners import RunnerPaths

SETTINGS = PursuitSettings()
NO_POWER = np.zeros(1, np.int32), np.full(1, -1, np.int32)


@pytest.fixture(scope="module")
def ground():
    """A corridor one metre wide: 20 m along x, then 40 m along y from its far end."""
    passable = np.zeros((40, 20), np.bool_)
    passable[0, :] = True
    passable[:, 19] = True
    return PursuitGround(build_layout(build_navmesh(Level(Tiles((TileFloor(passable),))), Body(radius=0.0))))


def track(points, speed, steps=SETTINGS.steps):
    ways = RunnerPaths(np.array(points[:1], float))
    ways.grow(0, np.array(points[1:], float))
    return ways.sample(np.arange(steps)[None, :] * speed * SETTINGS.step)


def pursued(ground, points, start, speed=4.0, settings=SETTINGS):
    tracks = track(points, speed)
    guards = new_guards(tracks, np.array([start], float))
    pursue_all(ground.layout.mesh.arrays, tracks, np.zeros((0, 3)), rules_of(settings), guards, new_ray())
    return Episodes(np.zeros(1, np.int32), np.zeros(1, np.int32), np.array([speed]), tracks, guards, *NO_POWER, tracks)


@pytest.fixture(scope="module")
def round_the_corner(ground):
    return pursued(ground, [(5, 0.5, 0), (19.5, 0.5, 0), (19.5, 39.5, 0)], (1.0, 0.5, 0.0))


def after(ground, episodes, name, settings=SETTINGS):
    one = next(one for one in contenders([name]) if one.name == name)
    return chase_on(ground, episodes, one, one.make(ground.layout), settings)


def test_a_runner_is_lost_behind_a_corner_after_the_delay(round_the_corner):
    guards = round_the_corner.guards
    assert guards.status[0] == LOST
    # At 3.7 s the guard is at x = 15.8 and the corner (19, 1) hides all beyond y = 0.5 + 0.5 * 3.7 / 3.2 = 1.08;
    # the runner turned at 3.625 s and is at y = 0.8 then; at 3.8 s it is at 1.2, and 1.10 is the last seen.
    assert guards.seen_step[0] == 37
    assert guards.seen_xyz[0] == pytest.approx((19.5, 0.8, 0.0))
    assert guards.first_loss[0] == 37 + SETTINGS.in_steps(SETTINGS.delay)
    assert guards.facing[0] == pytest.approx((1.0, 0.0), abs=0.2)


def test_losses_tell_what_the_guard_knows_and_no_more(round_the_corner):
    known = losses_of(round_the_corner, round_the_corner.guards, SETTINGS)
    # Seen at 3.6 s at (19.4, 0.5) and at 3.7 s at (19.5, 0.8): it cuts the corner between two looks.
    assert known.heading[0] == pytest.approx(np.array((0.1, 0.3, 0.0)) / math.hypot(0.1, 0.3))
    assert known.seconds[0] == pytest.approx(0.5)
    assert known.speed[0] == 4.0
    assert known.trails is None
    told = losses_of(round_the_corner, round_the_corner.guards, SETTINGS, omniscient=True)
    assert told.trails[0].at(0.0) == pytest.approx(known.seen_at[0])
    assert told.trails[0].at(1.0) == pytest.approx((19.5, 4.8, 0.0))


def test_who_follows_the_trail_or_floods_finds_the_runner_again(ground, round_the_corner):
    for name in ("breadcrumbs", "true place", "article"):
        chased = after(ground, round_the_corner, name)
        assert chased.reacquired[0], name
        assert 0.0 < chased.metres[0] < 4.0, name


def test_who_stands_still_does_not_and_missed_the_corner(ground, round_the_corner):
    chased = after(ground, round_the_corner, "stand still")
    assert not chased.reacquired[0]
    assert not chased.alive[0]
    assert chased.metres[0] == 0.0
    assert chased.losses[0] == 1
    verdict = judge(
        ground, round_the_corner, chased, losses_of(round_the_corner, round_the_corner.guards, SETTINGS), SETTINGS
    )
    assert verdict.corner_missed[0]
    assert not verdict.turned[0]
    runner = round_the_corner.tracks[0, chased.arrival[0]]
    assert verdict.miss[0] == pytest.approx(np.linalg.norm(runner - chased.destination[0]))


def test_a_corner_out_of_reach_is_not_missed(ground, round_the_corner):
    chased = after(ground, round_the_corner, "stand still")
    short = PursuitSettings(corner=0.5)
    assert not corners_missed(ground, round_the_corner, chased, short)[0]


def test_a_faster_runner_outruns_the_view_of_one_who_looks_round_late(ground):
    near = PursuitSettings(view_distance=9.0, look_distance=3.0, look_seconds=0.5)
    episodes = pursued(ground, [(5, 0.5, 0), (19.5, 0.5, 0), (19.5, 39.5, 0)], (1.0, 0.5, 0.0), 12.0, near)
    assert episodes.guards.status[0] == LOST
    assert not after(ground, episodes, "last position", near).reacquired[0]


def test_a_runner_in_sight_is_never_lost(ground):
    episodes = pursued(ground, [(5, 0.5, 0), (19.5, 0.5, 0)], (1.0, 0.5, 0.0))
    assert episodes.guards.status[0] == NEVER_LOST
    assert np.linalg.norm(episodes.guards.xyz[0] - (19.5, 0.5, 0)) == pytest.approx(SETTINGS.keep)


def test_a_whole_chase_ends_by_giving_up_or_lives(ground, round_the_corner):
    alive = after(ground, round_the_corner, "breadcrumbs")
    assert alive.alive[0]
    # The runner stands still at the end of the corridor: the guard that found it never loses it again.
    assert alive.losses[0] == 1


def hand_made(destination, way, start):
    return Chased(
        destination=np.array([destination], float),
        reason=np.zeros(1, np.uint8),
        reasons=("made",),
        path_metres=np.array([way]),
        start=np.array([start], float),
        arrival=np.zeros(1, np.int32),
        found=np.full(1, -1, np.int32),
        alive=np.zeros(1, np.bool_),
        metres=np.zeros(1),
        losses=np.ones(1, np.int32),
    )


@pytest.mark.parametrize(
    ("guard_x", "goal_x", "seen_x", "turned"),
    [
        (10.5, 4.5, 14.5, True),  # behind, and the runner would have had to pass the guard
        (10.5, 9.5, 14.5, False),  # a mere step back
        (10.5, 18.5, 14.5, False),  # ahead
        (10.5, 4.5, 11.3, False),  # behind, but the runner was nearly as close to it: not clearly nearer
        (10.5, 4.5, 11.7, True),
        (10.5, 4.5, 6.5, False),  # behind, but the runner was last seen there
    ],
)
def test_an_about_turn_needs_a_reason(ground, guard_x, goal_x, seen_x, turned):
    known = Losses(
        seen_at=[(seen_x, 0.5)],
        guard_at=[(guard_x, 0.5)],
        view_heading=[(1.0, 0.0)],
        view_angle=2.0,
        view_distance=20.0,
    )
    way = abs(goal_x - guard_x)
    chased = hand_made((goal_x, 0.5, 0.0), way, (np.sign(goal_x - guard_x), 0.0))
    assert about_turns(ground, chased, known)[0] == turned


@pytest.mark.parametrize(
    ("later", "missed"), [(-1, False), (0, True), (15, True), (30, True), (31, False), (None, False)]
)
def test_a_corner_is_missed_if_it_shows_the_runner_at_some_moment_of_looking_round(ground, later, missed):
    # 3 m before the corner, arrived at step 5. The runner is far up the corridor, for one step near its foot.
    rules = PursuitSettings(look_seconds=3.0, look_distance=10.0, corner=3.0)
    assert rules.in_steps(rules.look_seconds) == 30
    tracks = np.tile((19.5, 39.5, 0.0), (1, 60, 1))
    if later is not None:
        tracks[0, 5 + later] = (19.5, 4.5, 0.0)
    guards = new_guards(tracks, np.array([[16.5, 0.5, 0.0]]))
    episodes = Episodes(
        np.zeros(1, np.int32), np.zeros(1, np.int32), np.array([4.0]), tracks, guards, *NO_POWER, tracks
    )
    chased = replace(hand_made((16.5, 0.5, 0.0), 0.0, (1.0, 0.0)), arrival=np.array([5], np.int32))
    assert corners_missed(ground, episodes, chased, rules)[0] == missed
    assert not corners_missed(ground, episodes, replace(chased, found=np.ones(1, np.int32)), rules)[0]


def test_a_guard_that_looks_round_sees_behind_itself_but_not_far(ground):
    tracks = np.repeat(np.array([[[2.5, 0.5, 0.0]]]), 10, axis=1)
    for distance, seen in ((15.0, True), (5.0, False)):
        guards = new_guards(tracks, np.array([[12.5, 0.5, 0.0]]))
        guards.facing[0] = (1.0, 0.0)
        guards.mode[0], guards.losses[0], guards.first_loss[0] = LOOK, 1, 0
        rules = rules_of(PursuitSettings(look_distance=distance, alive=0.5))
        pursue_all(ground.layout.mesh.arrays, tracks, np.zeros((0, 3)), rules, guards, new_ray())
        assert (guards.found[0] == 0) == seen
