import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.errors import InputError
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.views.figures.drawing.canvas import Canvas
from lastseen.views.figures.drawing.cell_raster import cell_numbers
from lastseen.views.figures.drawing.heat import Heat
from lastseen.views.figures.drawing.palette import FACE_LINE, HATCH, LINK, SHADOW, WALKABLE, WALL
from lastseen.views.figures.drawing.route_lines import routes_of, stretches
from lastseen.views.figures.drawing.storeys import storeys_of_level, storeys_of_mesh
from lastseen.views.figures.drawing.surface import face_numbers
from lastseen.views.figures.drawing.viewport import Viewport
from lastseen.views.figures.level.layout_figure import Shown, draw_layout
from pictures import decoded, has_colours_of, share_of


@pytest.fixture(scope="module")
def rooms():
    level = sample("rooms")
    return level, build_layout(build_navmesh(level, Body(radius=0.0)))


@pytest.fixture(scope="module")
def house():
    level = sample("house")
    return level, build_layout(build_navmesh(level))


def test_without_anything_asked_for_there_is_floor_and_wall_only(rooms):
    _, layout = rooms
    pixels = decoded(draw_layout(layout))
    assert share_of(pixels, WALKABLE) > 0.3
    assert share_of(pixels, WALL) > 0.01
    assert share_of(pixels, LINK, 3) == 0.0
    assert not has_colours_of(pixels, "heat", 5)


def test_what_is_asked_for_is_drawn(rooms):
    level, layout = rooms
    plain = draw_layout(layout, level=level)
    assert share_of(decoded(plain), FACE_LINE, 3) == 0.0
    assert share_of(decoded(draw_layout(layout, shown=Shown(faces=True))), FACE_LINE, 3) > 0.0
    assert share_of(decoded(draw_layout(layout, shown=Shown(links=True), scale=60)), LINK, 3) > 0.0
    assert draw_layout(layout, level=level, shown=Shown(cells=True)) != plain


def test_heat_gives_every_cell_its_colour_and_a_legend(rooms):
    _, layout = rooms
    heat = Heat(np.arange(len(layout), dtype=float), "number", "1")
    pixels = decoded(draw_layout(layout, heat=heat, scale=30.0))
    assert has_colours_of(pixels, "heat", 120)
    assert has_colours_of(pixels[-62:], "heat", 200)  # the legend holds the whole scale
    assert has_colours_of(
        decoded(draw_layout(layout, heat=Heat(heat.values, "x", scale="influence"))), "influence", 100
    )


def test_cells_without_a_value_are_hatched_not_coloured(rooms):
    _, layout = rooms
    values = np.full(len(layout), np.nan)
    values[0] = 1.0
    pixels = decoded(draw_layout(layout, heat=Heat(values, "x")))
    assert share_of(pixels, HATCH, 55) > 0.02
    assert not has_colours_of(pixels[:-90], "heat", 3)


def test_a_layer_of_another_layout_is_refused(rooms):
    with pytest.raises(InputError, match="has 3 values"):
        draw_layout(rooms[1], heat=Heat(np.zeros(3), "short"))


def test_the_same_layout_gives_the_same_bytes(house):
    level, layout = house
    shown = Shown(faces=True, cells=True, links=True, labels=True)
    first, second = (draw_layout(layout, level=level, shown=shown, scale=15) for _ in range(2))
    assert first == second


def test_other_storeys_lie_beneath_as_shadows(house):
    _, layout = house
    assert share_of(decoded(draw_layout(layout, storey=1, scale=15)), SHADOW, 2) > 0.02


def test_every_pixel_of_a_tile_shows_the_cell_of_that_tile():
    passable = np.array([[1, 1, 0, 1], [0, 1, 1, 1], [1, 1, 0, 1]], dtype=bool)
    layout = build_layout(build_navmesh(Level(Tiles((TileFloor(passable),))), Body(radius=0.0)))
    canvas = Canvas(Viewport((0.0, 0.0), (4.0, 3.0), 10.0, y_down=True))
    cells = cell_numbers(canvas, layout, face_numbers(canvas, layout.mesh, 0))
    x, y = canvas.columns_rows()
    wide, tall = len(x) // 4, len(y) // 3
    for row, column in np.ndindex(3, 4):
        # A pixel along an edge may go to either side.
        inner = cells[row * tall + 2 : (row + 1) * tall - 2, column * wide + 2 : (column + 1) * wide - 2]
        expected = {-1}
        if passable[row, column]:
            place = layout.arrays.cell_xyz[:, :2]
            expected = {int(np.flatnonzero((np.floor(place) == [column, row]).all(axis=1))[0])}
        assert set(np.unique(inner).tolist()) == expected


def test_no_pixel_shows_a_cell_of_a_floor_above_or_below_it(house):
    """The stairs and the bedroom beside them share grid slots; each keeps its own cells."""
    _, layout = house
    canvas = Canvas(Viewport((-1.0, -7.0), (15.0, 11.0), 20.0))
    storey = layout.mesh.face_storey[layout.cell_face.astype(int)]
    for number in (0, 1):
        faces = face_numbers(canvas, layout.mesh, number)
        cells = cell_numbers(canvas, layout, faces)
        there = cells >= 0
        assert there.sum() > 0.9 * (faces >= 0).sum()
        plane = layout.mesh.arrays.face_plane[faces[there]]
        x, y = canvas.columns_rows()
        down, across = np.nonzero(there)
        z = plane[:, 0] * x[across] + plane[:, 1] * y[down] + plane[:, 2]
        assert np.abs(z - layout.arrays.cell_xyz[cells[there], 2]).max() < 2.0
        assert (storey[cells[there]] == number).mean() > 0.95


def test_storeys_of_level_and_mesh_agree(house):
    level, layout = house
    drawn, meshed = storeys_of_level(level), storeys_of_mesh(layout.mesh, level.surface)
    assert len(drawn) == len(meshed) == 2
    assert np.allclose(drawn.heights, [0.0, 3.0])
    assert np.allclose(meshed.heights, drawn.heights, atol=0.3)
    assert drawn.at(2.0) == 1
    assert drawn.through(0.0, 3.0) == {0}
    assert drawn.through(0.0, 6.0) == {0, 1}
    assert drawn.through(-9.0, 1.0) == {0}


def test_patrols_are_walked_on_the_mesh_and_cut_by_storey(house):
    level, layout = house
    storeys = storeys_of_level(level)
    straight, walked = routes_of(level), routes_of(level, layout.mesh)
    assert [len(route.legs) for route in straight] == [len(route.legs) for route in walked]
    assert all(len(leg) == 2 for route in straight for leg in route.legs)
    assert any(len(leg) > 2 for route in walked for leg in route.legs)
    for leg in (leg for route in walked for leg in route.legs):
        pieces = [piece for number in (0, 1) for piece, _ in stretches(leg, storeys, number)]
        assert sum(len(piece) - 1 for piece in pieces) >= len(leg) - 1


@pytest.mark.long
@pytest.mark.data
def test_a_map_of_many_thousand_cells_fits_a_screen(data):
    from lastseen.level.read import read_level

    level = read_level(data / "movingai" / "lak303d.map")
    layout = build_layout(build_navmesh(level, Body(radius=0.0)))
    heat = Heat(np.arange(len(layout), dtype=float), "number")
    pixels = decoded(draw_layout(layout, level=level, heat=heat, shown=Shown(cells=True)))
    assert max(pixels.shape[:2]) <= 2000
    assert has_colours_of(pixels, "heat", 200)


def test_lines_and_starts_that_are_shown_are_in_the_key(house, monkeypatch):
    from lastseen.views.figures.drawing import level_map

    _, layout = house
    keys = []
    compose = level_map.compose
    monkeypatch.setattr(
        level_map,
        "compose",
        lambda *args, key, **kwargs: keys.append([entry.words for entry in key]) or compose(*args, key=key, **kwargs),
    )
    heat = Heat(np.arange(len(layout), dtype=float), "x", sources_xyz=layout.arrays.cell_xyz[:1])
    draw_layout(layout, scale=15)
    draw_layout(layout, heat=heat, shown=Shown(faces=True, cells=True, links=True), scale=15)
    assert keys == [[], ["edge of cells", "edge of faces", "link", "link to another level", "start"]]
