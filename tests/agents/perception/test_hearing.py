"""Hearing along paths (chapter 28) and by radius (chapter 33); tests named after their acceptance checks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.hearing.hearing import LISTENERS, Ears, Fairness, PathHearing, RadiusHearing
from lastseen.agents.senses.hearing.sounds import SOUNDS, Sound, sound
from lastseen.cells.build import build_layout
from lastseen.cells.live import LiveLayout
from lastseen.errors import InputError
from lastseen.layers.spread import Spread
from lastseen.level.samples import sample
from lastseen.level.sight.sight import Sight
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from specimens.perception import OPEN, block, hall, sight_of

ROOMS = sample("rooms")
CELLS = build_layout(build_navmesh(ROOMS))
BEHIND, AHEAD = (9.5, 2.5), (13.5, 2.5)
HALL = build_layout(build_navmesh(hall(), Body(radius=0.0)))


def noise(xyz, radius=20.0, **options):
    return Sound("noise", np.array([*xyz, 0.0]), radius, 1.0, **options)


def guards(*places):
    return bodies(places, team=0)


def heard(model, sounds, table, ears=None, **options):
    sounds = sounds if isinstance(sounds, list) else [sounds]
    return model.listen(sounds, table, np.arange(len(table.xyz)), ears or Ears(), **options)


def test_a_sound_comes_through_the_door_and_not_through_the_wall():
    found = heard(PathHearing(CELLS), noise(AHEAD), guards(BEHIND))
    assert found.heard[0, 0]
    straight = np.linalg.norm(np.subtract(AHEAD, BEHIND))
    assert found.metres[0, 0] > straight + 2.0
    assert found.direction_xy[0, 0, 1] > 0.5, "the door lies down the map from here"
    assert np.linalg.norm(found.direction_xy[0, 0]) == pytest.approx(1.0)


def test_a_closed_door_keeps_sounds_out():
    live = LiveLayout(CELLS)
    model = PathHearing(live)
    live.close_door(ROOMS, 0)
    assert not heard(model, noise(AHEAD), guards(BEHIND)).heard[0, 0]
    live.open_door(ROOMS, 0)
    assert heard(model, noise(AHEAD), guards(BEHIND)).heard[0, 0]


def test_28_5_6_in_the_open_the_distance_is_straight():
    listener = (31.7, 18.2)
    straight = np.hypot(31.7 - 22.3, 18.2 - 12.1)
    along = heard(PathHearing(HALL), noise((22.3, 12.1)), guards(listener)).metres[0, 0]
    assert straight <= along <= 1.083 * straight + 1.0
    seen = heard(PathHearing(HALL), noise((22.3, 12.1)), guards(listener), sight=OPEN)
    assert seen.metres[0, 0] == pytest.approx(straight)
    towards = np.subtract((22.3, 12.1), listener)
    assert seen.direction_xy[0, 0] == pytest.approx(towards / np.linalg.norm(towards), abs=1e-6)


def test_28_5_7_far_listeners_the_player_does_not_see_hear_half_as_well():
    flagged, plain = noise((10, 20), fair=True), noise((10, 20), fair=False)
    table = guards((25, 20), (18, 20))
    for model in (PathHearing(HALL, Fairness(0.5, 12.0)), RadiusHearing(Fairness(0.5, 12.0))):
        unseen = heard(model, [flagged, plain], table, Ears(offscreen=True))
        assert unseen.heard.tolist() == [[False, True], [True, True]]
        assert heard(model, [flagged, plain], table, Ears(offscreen=[False, True])).heard.all()


def test_33_5_1_the_infected_hear_six_times_as_far():
    table = guards((35, 20), (35, 20))
    ears = Ears(sensitivity=[LISTENERS["infected"], LISTENERS["hunter"]])
    for model in (RadiusHearing(), PathHearing(HALL)):
        assert heard(model, noise((10, 20), 5.0), table, ears).heard.tolist() == [[True, False]]


def test_33_5_2_a_whole_wall_keeps_a_sound_out_and_part_of_one_does_not():
    table = guards((10, 20))
    whole = sight_of(hall(obstacles=[block(14, 0, 14.5, 40)]))
    part = sight_of(hall(obstacles=[block(14, 0, 14.5, 20.1)]))
    assert not heard(RadiusHearing(), noise((18, 20)), table, sight=whole).heard[0, 0]
    assert heard(RadiusHearing(), noise((18, 20)), table, sight=part).heard[0, 0]
    assert heard(RadiusHearing(), noise((18, 20)), table, sight=OPEN).heard[0, 0]


def test_what_is_partly_hidden_can_seem_further_away():
    part = sight_of(hall(obstacles=[block(14, 0, 14.5, 20.1)]))
    table, model = guards((10, 20)), RadiusHearing(muffle=1.0)
    hidden = heard(model, noise((18, 20)), table, sight=part)
    assert heard(model, noise((18, 20)), table, sight=OPEN).metres[0, 0] == pytest.approx(8.0)
    assert 8.0 < hidden.metres[0, 0] < 16.0
    assert not heard(model, noise((18, 20), 8.5), table, sight=part).heard[0, 0]


def test_33_5_12_nobody_hears_in_smoke():
    table = guards((10, 20), (14, 20))
    for model in (RadiusHearing(), PathHearing(HALL)):
        found = heard(model, noise((12, 20)), table, Ears(clouds=[(10, 20, 0, 1)]))
        assert found.heard.tolist() == [[False, True]]


def test_loudness_falls_from_the_source_to_the_rim():
    found = heard(RadiusHearing(), noise((10, 20), 10.0), guards((10, 20), (15, 20), (20, 20), (21, 20)))
    assert found.loudness[0] == pytest.approx([1.0, 0.5, 0.0, 0.0])
    assert found.heard.tolist() == [[True, True, True, False]]
    assert found.faint().tolist() == [[False, False, True, False]]


def test_own_sounds_and_everyday_ones_of_friends_are_not_minded():
    table = bodies([(10, 20), (12, 20), (14, 20)], team=[0, 0, 1])
    for name, answers in (("footstep", [False, False, True]), ("gunshot", [False, True, True])):
        found = heard(RadiusHearing(), sound(name, (10, 20), made_by=0), table)
        assert found.heard[0].tolist() == answers, name
    table.mode[2] = 2
    assert not heard(RadiusHearing(), sound("gunshot", (10, 20), made_by=0), table).heard[0, 2]


def test_the_foremost_sound_has_the_highest_priority_and_is_the_loudest():
    table = guards((10, 20), (59, 39))
    sounds = [
        sound("bottle", (11, 20)),
        sound("gunshot", (18, 20)),
        sound("gunshot", (15, 20)),
        sound("door", (10, 20)),
    ]
    found = heard(RadiusHearing(), sounds, table)
    assert found.foremost().tolist() == [2, -1]
    assert heard(RadiusHearing(), [], table).foremost().tolist() == [-1, -1]
    assert heard(PathHearing(HALL), [], table).heard.shape == (0, 2)


@given(st.integers(0, 10_000))
def test_path_distances_are_those_of_a_walk(seed):
    random = np.random.default_rng(seed)
    cells = random.integers(0, len(CELLS), 12)
    places = CELLS.arrays.cell_xyz[cells].astype(float)
    found = PathHearing(CELLS).distances(places[:3], places, 9.0)
    walk = Spread(CELLS)
    for number in range(3):
        reached = walk.distances([int(cells[number])], reach=9.0)
        there = dict(zip(reached.cells.tolist(), reached.metres.tolist()))
        for i in range(12):
            straight = np.linalg.norm(places[i] - places[number])
            metres = max(there.get(int(cells[i]), np.inf), straight)
            assert found[number, i] == pytest.approx(metres if metres <= 9.0 else np.inf, abs=1e-5)


def test_work_arrays_are_put_back():
    model = PathHearing(CELLS)
    one = heard(model, noise(AHEAD), guards(BEHIND, AHEAD))
    heard(model, noise((2.5, 2.5)), guards(BEHIND, AHEAD))
    other = heard(model, noise(AHEAD), guards(BEHIND, AHEAD))
    assert one.metres.tobytes() == other.metres.tobytes()
    with model._spread.lend() as (_, work):
        assert np.isinf(work.distance).all()


def test_windows_let_sounds_through_where_one_can_see():
    # A slit in the wall at eye height is no way for walkers.
    level = hall(obstacles=[block(14, 0, 14.5, 40, height=0.2)])
    cells = build_layout(build_navmesh(level))
    table = guards((12, 20))
    assert not heard(PathHearing(cells), noise((16, 20), 6.0), table).heard[0, 0]
    assert heard(PathHearing(cells), noise((16, 20), 6.0), table, sight=Sight.from_level(level).arrays).heard[0, 0]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"listeners": [9]}, "body 9"),
        ({"ears": Ears(sensitivity=[1.0, 2.0])}, "one for each of 1"),
        ({"ears": Ears(offscreen=[True, False])}, "one for each of 1"),
        ({"ears": 1.0}, "Ears"),
        ({"sounds": [1]}, "Sound"),
        ({"sounds": [sound("shout", (1, 1), made_by=5)]}, "made by body 5"),
    ],
)
def test_bad_input_is_named(wrong, words):
    arguments = {"sounds": [], "bodies": guards((1, 1)), "listeners": [0], **wrong}
    with pytest.raises(InputError, match=words):
        RadiusHearing().listen(**arguments)


def test_bad_settings_are_refused():
    for make in (
        lambda: Ears(sensitivity=-1.0),
        lambda: Ears(sensitivity=float("nan")),
        lambda: Fairness(factor=2.0),
        lambda: RadiusHearing(muffle=-1.0),
    ):
        with pytest.raises(InputError):
            make()
    assert set(SOUNDS) >= {"footstep", "breathing", "bottle", "door", "gunshot", "shout", "body fall"}
