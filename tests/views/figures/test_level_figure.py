import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.level.level import ConvexFaces, Floor, Floors, Level, TileFloor, Tiles, TriangleSoup
from lastseen.level.samples import SAMPLES, sample
from lastseen.views.figures.drawing.palette import GUARD, HATCH, HIDING, PAGE, PATROL, PLAYER, WALKABLE, WALL, ZONE
from lastseen.views.figures.drawing.storeys import Storeys
from lastseen.views.figures.drawing.viewport import LARGEST_SIDE
from lastseen.views.figures.level.level_figure import draw_level
from pictures import decoded, share_of


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in ("complex", "moat", "manor")])
def test_every_sample_has_light_floor_and_dark_walls(name):
    pixels = decoded(draw_level(sample(name)))
    assert max(pixels.shape[:2]) <= LARGEST_SIDE
    assert share_of(pixels, WALKABLE) > 0.1
    assert share_of(pixels, WALL) > 0.03


def test_the_same_level_gives_the_same_bytes():
    assert draw_level(sample("house")) == draw_level(sample("house"))


def test_every_kind_of_sign_is_drawn():
    pixels = decoded(draw_level(sample("warehouse")))
    for colour in (GUARD, HATCH, HIDING, PATROL, PLAYER, ZONE):
        assert share_of(pixels, colour, 3) > 0.0, colour


def test_tiles_are_drawn_with_the_first_row_on_top():
    passable = np.zeros((8, 8), dtype=bool)
    passable[1, 1:7] = True  # one corridor near the lowest y, the first rows of the file
    pixels = decoded(draw_level(Level(Tiles((TileFloor(passable),))), scale=20.0))
    rows = np.flatnonzero((pixels == WALKABLE).all(axis=2).sum(axis=1) > 100)
    walls = np.flatnonzero((pixels == WALL).all(axis=2).sum(axis=1) > 100)
    assert rows.mean() < walls.mean()
    assert len(rows) == pytest.approx(20, abs=2)


def test_polygons_are_drawn_with_y_upwards_and_holes_solid():
    outline = [[0, 0, 0], [10, 0, 0], [10, 10, 0], [0, 10, 0]]
    hole = [[1, 7, 0], [1, 9, 0], [9, 9, 0], [9, 7, 0]]
    pixels = decoded(draw_level(Level(Floors((Floor(outline, (hole,)),))), scale=20.0))
    rows = np.flatnonzero((pixels == WALL).all(axis=2).sum(axis=1) > 120)
    light = np.flatnonzero((pixels == WALKABLE).all(axis=2).sum(axis=1) > 150)
    assert np.median(rows) < np.median(light)


def test_a_hole_of_an_upper_storey_is_an_opening():
    flat = [[0, 0, 0], [8, 0, 0], [8, 8, 0], [0, 8, 0]]
    raised = [[x, y, 3] for x, y, _ in flat]
    hole = [[2, 2, 3], [2, 6, 3], [6, 6, 3], [6, 2, 3]]
    level = Level(Floors((Floor(flat), Floor(raised, (hole,), storey=1))))
    lower = decoded(draw_level(level, storey=0, scale=20.0))
    upper = decoded(draw_level(level, storey=1, scale=20.0))
    assert share_of(upper, WALKABLE) < share_of(lower, WALKABLE)
    assert share_of(upper, PAGE, 2) > share_of(lower, PAGE, 2)
    assert share_of(upper, WALL) < 0.1


def test_storeys_stand_side_by_side_and_one_can_be_chosen():
    both, lower = (
        decoded(draw_level(sample("house"), scale=20)),
        decoded(draw_level(sample("house"), scale=20, storey=0)),
    )
    assert both.shape[1] > 1.4 * lower.shape[1]
    with pytest.raises(InputError, match="storeys 0 to 1"):
        draw_level(sample("house"), storey=2)


def test_triangles_and_ready_faces_are_drawn_too():
    corners = np.array([[0, 0, 0], [4, 0, 0], [4, 4, 1], [0, 4, 1]], dtype=float)
    soup = TriangleSoup(corners, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32))
    relief = decoded(draw_level(Level(soup)))
    assert len(np.unique(relief.reshape(-1, 3), axis=0)) > 10
    faces = ConvexFaces(corners, np.array([0, 4], dtype=np.int32), np.arange(4, dtype=np.int32))
    assert share_of(decoded(draw_level(Level(faces))), WALKABLE) > 0.1


def test_names_of_any_letters_do_not_break_a_picture():
    square = [[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]]
    assert draw_level(Level(Floors((Floor(square),)), name="Зал 大厅 \u202e🏰\n" * 20)).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("height", "words"),
    [
        (0.0, "z 0 m"),
        (-1.2e-16, "z 0 m"),
        (2.9999999, "z 3 m"),
        (0.30000000000000004, "z 0.3 m"),
        (-3.456, "z -3.46 m"),
        (1234.5, "z 1234.5 m"),
        (100.0, "z 100 m"),
    ],
)
def test_storeys_are_named_with_their_height_to_the_centimetre(height, words):
    assert Storeys(np.array([height]), ("",)).title(0) == f"storey 0 · {words}"
    assert Storeys(np.array([height]), ("attic",)).title(0) == f"storey 0 · attic · {words}"
