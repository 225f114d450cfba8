"""Lines of sight on small levels worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.errors import InputError, QueryError
from lastseen.level.features import Door, Obstacle
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.sight.query import first_hit, sees, sees_any, sees_each, visible_area, visible_areas
from lastseen.level.sight.sight import Sight

STANDING, CROUCHED = 1.6, 0.7


def tiles(text: str, **features) -> Level:
    """Rows from y = 0 upwards; '.' is floor."""
    passable = np.array([[symbol == "." for symbol in row] for row in text.split()])
    return Level(Tiles((TileFloor(passable),)), **features)


def box(left, low, right, high):
    return np.array([[left, low], [right, low], [right, high], [left, high]], float)


def look(sight, one, other, z=STANDING, other_z=None):
    return bool(sees(sight, (*one, z), (*other, z if other_z is None else other_z))[0])


def test_a_wall_of_tiles_hides_and_its_corner_is_seen_past():
    sight = Sight.from_level(tiles(".....\n..#..\n....."))
    assert not look(sight, (0.5, 1.5), (4.5, 1.5))
    assert look(sight, (0.5, 0.5), (4.5, 0.5))
    assert look(sight, (0.5, 1.5), (1.9, 1.5))
    assert not look(sight, (1.5, 1.9), (3.5, 1.1))


def test_a_look_grazes_corners_and_runs_along_walls():
    sight = Sight.from_level(tiles(".....\n..#..\n....."))
    assert look(sight, (1.5, 0.5), (2.5, -0.5 + 1.0))
    assert look(sight, (1.5, 1.5), (2.5, 0.5))  # through the corner (2, 1)
    assert look(sight, (0.5, 1.0), (4.5, 1.0))  # along a side of the tile
    assert look(sight, (0.5, 0.0), (4.5, 0.0))  # along the outer wall


def test_nobody_looks_between_corners_that_touch():
    sight = Sight.from_level(tiles("..\n..").__class__(Tiles((TileFloor(np.array([[True, False], [False, True]])),))))
    assert not look(sight, (0.5, 0.5), (1.5, 1.5))


def test_a_pillar_at_a_wall_hides_who_hugs_the_wall():
    sight = Sight.from_level(tiles("..#..\n....."))
    assert not look(sight, (0.5, 0.0), (4.5, 0.0))
    assert look(sight, (0.5, 1.0), (4.5, 1.0))


def test_one_looks_over_low_cover_both_ways():
    level = tiles("......\n......", cover=(Obstacle(box(2, 0, 3, 2), 0.0, 1.0),))
    sight = Sight.from_level(level)
    assert look(sight, (0.5, 1.0), (5.5, 1.0))
    assert not look(sight, (0.5, 1.0), (5.5, 1.0), CROUCHED)
    # Standing, one sees the crouched one from near the cover only: the line passes its far edge at z = 1 or above.
    near, far = (1.5, 1.0), (5.5, 1.0)
    for one, other, z, other_z in ((near, far, STANDING, CROUCHED), (far, near, CROUCHED, STANDING)):
        assert look(sight, one, other, z, other_z)
    assert not look(sight, (0.5, 1.0), (3.5, 1.0), STANDING, CROUCHED)


def test_cover_drawn_on_impassable_tiles_is_no_wall():
    level = tiles("......\n..#...", cover=(Obstacle(box(2, 1, 3, 2), 0.0, 1.0),))
    sight = Sight.from_level(level)
    assert look(sight, (0.5, 1.5), (5.5, 1.5))
    assert not look(sight, (0.5, 1.5), (5.5, 1.5), CROUCHED)


def test_doors_hide_while_they_are_closed():
    doors = (Door(box(2, 0, 3, 1), name="gate", open=False), Door(box(4, 0, 5, 1), name="hatch"))
    sight = Sight.from_level(tiles("......", doors=doors))
    assert not look(sight, (0.5, 0.5), (3.5, 0.5))
    assert look(sight, (3.5, 0.5), (5.5, 0.5))
    sight.set_door("gate", False)
    sight.set_door(1, True)
    assert sight.closed.tolist() == [False, True]
    assert look(sight, (0.5, 0.5), (3.5, 0.5))
    assert not look(sight, (3.5, 0.5), (5.5, 0.5))
    sight.set_doors(False)
    assert look(sight, (0.5, 0.5), (5.5, 0.5))


def test_who_stands_below_a_beam_is_seen_and_who_is_above_is_not():
    level = tiles("......", obstacles=(Obstacle(box(2, 0, 3, 1), 2.0, 0.5),))
    sight = Sight.from_level(level)
    assert look(sight, (0.5, 0.5), (5.5, 0.5))
    assert not look(sight, (2.5, 0.5), (2.5, 0.5), 1.0, 2.9)
    assert look(sight, (2.5, 0.5), (2.5, 0.5), 1.0, 1.9)


def test_the_ground_hides_what_is_below_it_and_feet_on_it_are_seen():
    sight = Sight.from_level(tiles("...."))
    assert look(sight, (0.5, 0.5), (3.5, 0.5), STANDING, 0.0)
    assert not look(sight, (0.5, 0.5), (3.5, 0.5), STANDING, -0.5)


def test_all_pairs_agree_with_lines_one_by_one():
    sight = Sight.from_level(tiles(".....\n..#..\n....."))
    eyes = np.array([[0.5, 0.5, 1.0], [4.5, 1.5, 1.0]])
    points = np.array([[0.5, 1.5, 1.0], [2.5, 2.5, 1.0], [3.5, 0.5, 1.0], [2.5, 1.5, 1.0]])
    table = sees_each(sight, eyes, points)
    assert table.shape == (2, 4)
    assert [sees(sight, eye, points).tolist() for eye in eyes] == table.tolist()
    assert sees_any(sight, eyes, points).tolist() == table.any(axis=0).tolist()
    assert not sees_any(sight, eyes[:0], points).any()
    assert not table.flags.writeable


@pytest.mark.parametrize("door", ["gaet", 5, -1, True, None, "twin"])
def test_a_door_that_is_not_there_is_refused_in_words(door):
    doors = tuple(Door(box(k, 0, k + 1, 1), name=name) for k, name in enumerate(("gate", "twin", "twin")))
    sight = Sight.from_level(tiles("......", doors=doors))
    with pytest.raises(QueryError, match="door") as caught:
        sight.set_door(door, True)
    if door == "gaet":
        assert "did you mean 'gate'?" in str(caught.value)
    assert not sight.closed.any()


def test_numbers_that_do_not_fit_are_refused():
    sight = Sight.from_level(tiles("....", doors=(Door(box(2, 0, 3, 1)),)))
    with pytest.raises(InputError, match="2 eyes and 3 points"):
        sees(sight, np.zeros((2, 3)), np.zeros((3, 3)))
    with pytest.raises(InputError, match="finite"):
        sees(sight, (0.0, np.nan, 0.0), (1.0, 0.0, 0.0))
    with pytest.raises(QueryError, match="1 bools"):
        sight.set_doors([True, False, True])
    with pytest.raises(InputError, match="wall_height"):
        Sight.from_level(tiles("...."), wall_height=0.0)
    with pytest.raises(InputError, match="Level"):
        Sight.from_level("complex")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"eye": (0.5, 0.5, np.inf)}, "finite"),
        ({"eye": "here"}, "eye"),
        ({"heading": np.nan}, "heading"),
        ({"angle": 0.0}, "angle"),
        ({"angle": "wide"}, "angle"),
        ({"distance": -1.0}, "distance"),
        ({"distance": 1e9}, "distance"),
        ({"distance": [1.0, 2.0]}, "distance"),
        ({"sight": "level"}, "Sight.from_level"),
    ],
)
def test_a_view_that_makes_no_sense_is_refused_in_words(wrong, words):
    asked = {"sight": Sight.from_level(tiles("....")), "eye": (0.5, 0.5, 1.0), "heading": 0.0, "angle": 1.0}
    with pytest.raises(InputError, match=words):
        visible_area(**{**asked, "distance": 5.0, **wrong})


def test_nothing_asked_gives_nothing():
    sight = Sight.from_level(tiles("...."))
    assert sees(sight, np.zeros((0, 3)), np.zeros((0, 3))).shape == (0,)
    assert sees_each(sight, np.zeros((0, 3)), np.zeros((2, 3))).shape == (0, 2)
    assert first_hit(sight, np.zeros((0, 3)), np.zeros((0, 3))).xyz.shape == (0, 3)
    assert visible_areas(sight, np.zeros((0, 3)), 0.0, 1.0, 5.0) == []


def test_an_eye_outside_the_level_does_not_look_in():
    sight = Sight.from_level(tiles("....\n....\n...."))
    assert not look(sight, (-5.0, 1.5), (1.5, 1.5))
    assert look(sight, (-5.0, 1.5), (-5.0, 10.0))
    assert look(sight, (-500.0, 1.5), (-400.0, 1.0))
