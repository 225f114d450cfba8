"""GeoJSON files of designers: every kind of feature, every way to get one wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import Struct

from lastseen.errors import Fault, LevelError
from lastseen.level import dialect
from lastseen.level.check import find_faults
from lastseen.level.features import Door, HidingPlace, IntendedPath, Marker, Obstacle, Patrol, PatrolStop, Spawn, Zone
from lastseen.level.level import ConvexFaces, Floor, Floors, Level, Tiles, TriangleSoup, same
from lastseen.level.read import read_level
from lastseen.level.readers import geojson

RING = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]
OPEN = np.array([[0.0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]])


def feature(shape: str, coordinates: Any, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": properties, "geometry": {"type": shape, "coordinates": coordinates}}


def read(*features: Any, **members: Any) -> Level:
    tree = {"type": "FeatureCollection", "features": list(features), **members}
    return geojson.read(json.dumps(tree).encode(), "plan.geojson")


def faults(*features: Any, **members: Any) -> tuple[Fault, ...]:
    with pytest.raises(LevelError) as error:
        read(*features, **members)
    return error.value.faults


def test_a_plain_polygon_is_a_floor() -> None:
    level = read(feature("Polygon", [RING]))
    assert level == Level(Floors((Floor(OPEN),)), name="plan")


def test_rings_are_turned_and_closed_or_not() -> None:
    clockwise = read(feature("Polygon", [[*RING[:1], *RING[3:0:-1]], [[1, 1], [2, 1], [2, 2]]]))
    assert same(clockwise.surface, Floors((Floor(OPEN, (np.array([[1.0, 1, 0], [2, 2, 0], [2, 1, 0]]),)),)))


def test_a_multipolygon_is_several_floors_with_heights_and_storeys() -> None:
    upper = [[x, y, 3] for x, y in RING]
    ramp = [[4, 0, 0], [8, 0, 3], [8, 4, 3], [4, 4, 0], [4, 0, 0]]
    level = read(
        feature("MultiPolygon", [[RING], [upper]], name="hall"),
        feature("Polygon", [ramp], kind="ramp"),
        feature("Polygon", [RING], z=6, kind="floor"),
    )
    assert isinstance(level.surface, Floors)
    assert [floor.storey for floor in level.surface.polygons] == [0, 1, 0, 2]
    assert [floor.name for floor in level.surface.polygons] == ["hall", "hall", "", ""]
    assert level.surface.polygons[3].outline_xyz[:, 2].tolist() == [6] * 4


def test_a_stated_storey_is_kept() -> None:
    level = read(feature("Polygon", [RING], storey=4), feature("Polygon", [RING], z=9))
    assert isinstance(level.surface, Floors)
    assert [floor.storey for floor in level.surface.polygons] == [4, 0]


@pytest.mark.parametrize(
    ("given", "group", "thing"),
    [
        (
            feature("Polygon", [RING], kind="obstacle", name="a", z=1, height=2),
            "obstacles",
            Obstacle(OPEN[:, :2], 1, 2, "a"),
        ),
        (feature("Polygon", [RING], kind="wall"), "obstacles", Obstacle(OPEN[:, :2])),
        (feature("Polygon", [[[*p, 2] for p in RING]], kind="wall"), "obstacles", Obstacle(OPEN[:, :2], 2.0)),
        (feature("Polygon", [RING], kind="cover"), "cover", Obstacle(OPEN[:, :2], 0, 1)),
        (feature("Polygon", [RING], kind="door", open=False), "doors", Door(OPEN[:, :2], open=False)),
        (
            feature("LineString", [[0, 0], [2, 0]], kind="door", width=0.5, locked=True),
            "doors",
            Door(np.array([[0, -0.25], [2, -0.25], [2, 0.25], [0, 0.25]]), locked=True),
        ),
        (
            feature("LineString", [[0, 0], [2, 0]], kind="wall", width=1),
            "obstacles",
            Obstacle(np.array([[-0.5, -0.5], [2.5, -0.5], [2.5, 0.5], [-0.5, 0.5]])),
        ),
        (feature("Polygon", [RING], kind="exit"), "zones", Zone(OPEN[:, :2], kind="exit")),
        (feature("Polygon", [RING], kind="zone", zone="lab"), "zones", Zone(OPEN[:, :2], kind="lab")),
        (feature("Point", [1, 2], kind="exit"), "markers", Marker((1, 2, 0), "exit")),
        (feature("Point", [1, 2, 3], kind="marker", marker="bell", z=9), "markers", Marker((1, 2, 3), "bell")),
        (feature("Point", [1, 2], kind="hide", capacity=2, z=1), "hiding_places", HidingPlace((1, 2, 1), capacity=2)),
        (feature("Point", [1, 2], kind="player"), "spawns", Spawn((1, 2, 0), "player")),
        (feature("Point", [1, 2], kind="spawn", who="dog", speed=3), "spawns", Spawn((1, 2, 0), "dog", speed=3)),
        (feature("Point", [1, 2], kind="guard", speed=None, height=None), "spawns", Spawn((1, 2, 0), "guard")),
        (feature("LineString", [[0, 0], [2, 0]]), "paths", IntendedPath(OPEN[:2] / 2)),
        (
            feature("LineString", [[0, 0], [2, 0]], kind="path", seconds=[0, 4.5]),
            "paths",
            IntendedPath(OPEN[:2] / 2, "", np.array([0, 4.5])),
        ),
        (
            feature(
                "LineString", [[0, 0], [0, 0]], kind="patrol", name="p", stops=[{}, {"action": "wait", "seconds": 2}]
            ),
            "patrols",
            Patrol((PatrolStop((0, 0, 0)), PatrolStop((0, 0, 0), "wait", 2)), "p"),
        ),
        (
            feature("MultiPoint", [[1, 1]], kind="patrol", loop_to=None),
            "patrols",
            Patrol((PatrolStop((1, 1, 0)),), "", None),
        ),
    ],
)
def test_kinds(given: dict[str, Any], group: str, thing: Any) -> None:
    level = read(feature("Polygon", [RING]), given)
    assert same(getattr(level, group), (thing,))


def test_unknown_properties_of_other_tools_do_no_harm() -> None:
    assert read(feature("Polygon", [RING], fid=7, colour="red", layer=None), crs={"type": "name"}) == read(
        feature("Polygon", [RING])
    )


def test_a_slip_in_the_name_of_a_property_is_told() -> None:
    (fault,) = faults(feature("Polygon", [RING]), feature("Polygon", [RING], kind="wall", heigth=1))
    assert "'heigth' is unknown here (did you mean 'height'?)" in fault.what
    assert fault.where.startswith("features[1]")


def test_a_single_feature_and_a_byte_order_mark() -> None:
    data = b"\xef\xbb\xbf\n" + json.dumps(feature("Polygon", [RING])).encode()
    assert geojson.sniff(data, "")
    assert geojson.read(data, "plan.geojson") == read(feature("Polygon", [RING]))


def test_triangles_without_corner_numbers_share_equal_places() -> None:
    rings = [[[[0, 0], [4, 0], [4, 4], [0, 0]]], [[[0, 0], [4, 4], [0, 4], [0, 0]]]]
    soup = read(feature("MultiPolygon", rings, kind="triangles")).surface
    assert isinstance(soup, TriangleSoup)
    assert soup.vertices_xyz.shape == (4, 3)
    faces = read(feature("MultiPolygon", [[RING]], kind="faces")).surface
    assert isinstance(faces, ConvexFaces)
    assert len(faces.corners) == 4


def test_tiles_and_ramps() -> None:
    level = read(
        feature("Polygon", [RING], kind="tiles", rows=["..#", "..."], tile=2, origin=[1, 1], z=3),
        feature("Polygon", [RING], kind="stairs"),
    )
    assert isinstance(level.surface, Tiles)
    assert level.surface.floors[0].passable.tolist() == [[True, True, False], [True, True, True]]
    assert len(level.surface.ramps) == 1


def test_a_level_in_degrees_gets_a_warning() -> None:
    level = read(feature("Polygon", [[[x * 1e-4, y * 1e-4] for x, y in RING]]))
    assert "not degrees" in find_faults(level)[-1].advice


@pytest.mark.parametrize(
    ("given", "what", "advice"),
    [
        (7, "not a Feature", "Feature"),
        ({"type": "Feature"}, "no geometry", "Polygon"),
        (feature("Point", [1, 1]), "no kind", "spawn"),
        (feature("Point", [1, 1], kind="gaurd"), "did you mean 'guard'", "marker"),
        (feature("Polygon", [RING], kind="flor"), "did you mean 'floor'", "zone"),
        (feature("Polygon", [RING], kind=7), "no kind", "floor"),
        (feature("LineString", [[0, 0], [1, 1]], kind="guard"), "cannot be of kind 'guard'", "a Point"),
        (feature("Point", [1, 1], kind="door"), "cannot be of kind", "a Polygon or a LineString"),
        (feature("GeometryCollection", []), "GeometryCollection", "split"),
        (feature("Polygon", []), "no ring", "outline"),
        (feature("Polygon", 5), "lists of rings", "positions"),
        (feature("Polygon", [[[0, 0], [1, "x"], [1, 1]]]), "expected `float`, got `str`", "metres"),
        (feature("Polygon", [[[0, 0], [1, True], [1, 1]]]), "got `bool`", "metres"),
        (feature("Polygon", [[[0, 0], [1, 10**400], [1, 1]]]), "out of range", "finite"),
        (feature("Polygon", [[[0], [1, 1], [1, 1]]]), "fewer than two", "metres"),
        (feature("Point", None, kind="guard"), "position is invalid", "metres"),
        (feature("Point", [1, 1], kind="guard", speed="fast"), "'speed' is invalid: expected `float", "geojson.md"),
        (feature("Polygon", [RING], storey=-1), "'storey'", "geojson.md"),
        (feature("Polygon", [RING, [[1, 1], [2, 1], [2, 2]]], kind="wall"), "hole", "pieces"),
        (feature("LineString", [[0, 0], [1, 0], [2, 0]], kind="door"), "3 points", "jamb"),
        (feature("LineString", [[0, 0], [0, 0]], kind="wall"), "the same", "remove"),
        (feature("LineString", [[0, 0], [1, 0]], kind="wall", width=0), "'width'", "geojson.md"),
        (feature("LineString", [[0, 0], [1, 0]], kind="patrol", stops=[{}]), "2 positions but 1 stops", "one stop"),
        (
            feature("LineString", [[0, 0], [1, 0]], kind="patrol", stops=[{"action": "jump"}, {}]),
            "stops[0].action",
            "md",
        ),
        (feature("Polygon", [RING], kind="tiles", rows=["..", "."]), "rows[1] has 1 tiles, not 2", "equally"),
        (feature("Polygon", [RING], kind="tiles", rows=[".x"]), "other than . and #", "wall"),
        (feature("Polygon", [RING], kind="triangles"), "not a triangle", "faces"),
        (feature("Polygon", [RING], kind="faces", corners=[]), "1 polygons but corners for 0", "each"),
        (feature("Polygon", [RING], kind="faces", corners=[[0, 1, 2]]), "5 positions but 3", "close"),
        (feature("Polygon", [RING], kind="faces", corners=[[0, 1, 2, 9]]), "out of range", "without gaps"),
        (feature("Polygon", [RING], kind="faces", corners=[[0, 1, 1, 3]]), "two positions|no position", "gaps|corners"),
        ({"type": "Feature", "properties": [], "geometry": None}, "not an object", "braces"),
    ],
)
def test_a_wrong_feature_says_what_is_wrong_and_what_to_do(given: Any, what: str, advice: str) -> None:
    (fault,) = faults(given)
    assert any(part in fault.what for part in what.split("|")), fault
    assert any(part in fault.advice for part in advice.split("|")), fault
    assert fault.where.startswith("features[0]")


def test_all_faults_come_at_once_with_places() -> None:
    given = faults(
        feature("Polygon", [[[0, 0], [4, 4], [4, 0], [0, 4], [0, 0]]], name="tie"),
        feature("Point", [7, 8], kind="gaurd", name="bob"),
        feature("Polygon", [[[5, 6], [1, None], [1, 1]]], kind="wall"),
    )
    assert [(fault.where, fault.at) for fault in given] == [
        ("features[1] (bob)", (7.0, 8.0)),
        ("features[2] (wall)", (5.0, 6.0)),
        ("floors[0] (tie)", (2.0, 2.0)),
    ]


def test_surfaces_do_not_mix() -> None:
    tiles = feature("Polygon", [RING], kind="tiles", rows=[".."])
    faces = feature("Polygon", [RING], kind="faces")
    floor = feature("Polygon", [RING])
    for mix in ((tiles, floor), (tiles, faces), (faces, floor), (faces, faces)):
        (fault,) = faults(*mix)
        assert "the file has" in fault.what


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b'{"type": "FeatureCollection",\n "features": [}', "line 2, column 15: invalid JSON"),
        (b'{"type": "FeatureCollection", "features": [', "truncated"),
        (b'{"type": "FeatureCollection", "features": [NaN]}', "no NaN"),
        (b'{"type": "FeatureCollection", "features": [1e999]}', "out of range"),
        (b'{"type": "FeatureCollection", "features": 7}', "no list"),
        (b'{"type": "Topology"}', "'Topology'"),
        (b"[]", "list"),
        (b'{"a": "\xff"}', "byte 7 is not UTF-8"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"type": "FeatureCollection", "features": [], "lastseen": {"version": 99}}', "version 99"),
        (b'{"type": "FeatureCollection", "features": [], "lastseen": {"version": "x"}}', "lastseen is invalid"),
    ],
)
def test_broken_files(data: bytes, what: str) -> None:
    with pytest.raises(LevelError, match=what):
        geojson.read(data, "x.geojson")


def bare(shape: str, coordinates: Any) -> dict[str, Any]:
    return {"type": shape, "coordinates": coordinates}


FAR_RING = [[x + 9, y] for x, y in RING]
BARE = [bare("MultiPolygon", [[RING], [FAR_RING]]), bare("LineString", [[1, 1], [3, 3]])]


@pytest.mark.parametrize(
    "tree",
    [
        bare("Polygon", [RING]),
        BARE[0],
        {"type": "GeometryCollection", "geometries": BARE},
        {"type": "GeometryCollection", "geometries": [{"type": "GeometryCollection", "geometries": BARE}]},
    ],
    ids=["polygon", "multipolygon", "collection", "nested"],
)
def test_a_bare_geometry_is_a_level(tree: dict[str, Any], tmp_path: Path) -> None:
    # Names of members may come in any order, and the file may have any suffix.
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(dict(reversed(tree.items()))), encoding="utf-8")
    level = read_level(path)
    parts = BARE if "geometries" in tree else [tree]
    assert same(level, read_level_as_features(parts, str(path)))
    assert len(level.paths) == len(parts) - 1


def read_level_as_features(parts: list[dict[str, Any]], source: str) -> Level:
    features = [feature(one["type"], one["coordinates"]) for one in parts]
    return geojson.read(json.dumps({"type": "FeatureCollection", "features": features}).encode(), source)


def test_what_is_wrong_in_a_bare_geometry_is_named() -> None:
    with pytest.raises(LevelError, match=r"geometries\[1\].*it has no kind"):
        geojson.read(
            json.dumps({"type": "GeometryCollection", "geometries": [BARE[0], bare("Point", [1, 1])]}).encode(), "x"
        )
    with pytest.raises(LevelError, match="a position has fewer than two numbers"):
        geojson.read(json.dumps(bare("Polygon", [[[1]]])).encode(), "x")
    with pytest.raises(LevelError, match="no list"):
        geojson.read(b'{"type": "GeometryCollection", "geometries": 7}', "x")


def test_the_page_names_every_kind_and_property() -> None:
    page = (Path(__file__).parents[2] / "docs" / "geojson.md").read_text(encoding="utf-8")
    structs = [thing for thing in vars(dialect).values() if isinstance(thing, type) and issubclass(thing, Struct)]
    known = {name for struct in structs for name in struct.__struct_fields__} - {"version", "surface"}
    assert len(known) > 20
    assert [word for word in sorted({*known, *dialect.KINDS}) if f"`{word}`" not in page] == []
