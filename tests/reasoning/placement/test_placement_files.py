"""Guards and paths as files: round trips, every fault with its line, and damaged files."""

from __future__ import annotations

import contextlib
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError, LastSeenError
from lastseen.level.features import IntendedPath
from lastseen.reasoning.placement.files.route_files import guards_text, read_guards, read_path, write_guards, write_path
from lastseen.reasoning.placement.guard_routes import KINDS, Coverage, GuardKind, GuardRoute, Placement
from lastseen.reasoning.placement.placement_settings import PlacementSettings

ROUND = GuardRoute(KINDS["walking"], [(0, 0), (4, 0.1), (4, 4)], phase=1.5, name="Anna")
CAMERA = GuardRoute(replace(KINDS["camera"], name="spy hole", view_distance=3.25), [(1, 2, 3)], heading=0.7)
PLACED = Placement(
    (ROUND, CAMERA), 7, PlacementSettings(together=False), ("a note",), Coverage(0.5, 0.25, 0.1, 600), passed=True
)


def same(one: Placement, other: Placement) -> bool:
    keys = ("seed", "settings", "notes", "coverage", "passed")
    return all(getattr(one, key) == getattr(other, key) for key in keys) and all(
        a.kind == b.kind
        and np.array_equal(a.points, b.points)
        and (a.phase, a.heading, a.name) == (b.phase, b.heading, b.name)
        for a, b in zip(one.routes, other.routes, strict=True)
    )


def test_a_placement_comes_back_to_the_last_bit(tmp_path):
    path = tmp_path / "guards.geojson"
    write_guards(PLACED, path)
    assert same(read_guards(path), PLACED)
    tree = json.loads(path.read_text())
    assert [one["geometry"]["type"] for one in tree["features"]] == ["LineString", "Point"]
    ring = tree["features"][0]["geometry"]["coordinates"]
    assert ring[0] == ring[-1]


finite = st.floats(-1e6, 1e6)
places = st.lists(st.tuples(finite, finite, finite), min_size=1, max_size=6)


@given(st.lists(st.tuples(places, st.floats(0, 1e3), st.floats(-9, 9), st.text(max_size=8)), min_size=1, max_size=4))
def test_any_placement_comes_back(tmp_path_factory, given_routes):
    routes = [GuardRoute(GuardKind(), points, phase, turn, name) for points, phase, turn, name in given_routes]
    placement = Placement(tuple(routes))
    path = tmp_path_factory.getbasetemp() / "any.geojson"
    write_guards(placement, path)
    assert same(read_guards(path), placement)


def test_files_of_other_programs_are_guards_too(tmp_path):
    path = tmp_path / "drawn.geojson"
    line = {"type": "LineString", "coordinates": [[0, 0], [4, 0]]}
    spot = {"type": "Point", "coordinates": [1, 2]}
    features = [
        {"type": "Feature", "properties": {"fid": 3, "colour": "red"}, "geometry": line},
        {"type": "Feature", "properties": None, "geometry": spot},
        {"type": "Feature", "properties": {"archetype": "camera", "view_angle": 1.0}, "geometry": spot},
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    kinds = [route.kind for route in read_guards(path).routes]
    assert kinds == [KINDS["walking"], KINDS["standing"], replace(KINDS["camera"], view_angle=1.0)]
    path.write_text(json.dumps(line))
    assert read_guards(path).routes[0].length == 8.0


def test_paths_come_back_and_are_found_among_other_things(tmp_path):
    path = tmp_path / "path.geojson"
    write_path([(0, 0, 0), (1.1, 2, 3)], path)
    assert read_path(path).points_xyz.tolist() == [[0, 0, 0], [1.1, 2, 3]]
    write_path(IntendedPath(np.array([(0, 0, 0), (1, 1, 0)], float), name="stealthy"), path)
    assert read_path(path).name == "stealthy"
    tree = json.loads(guards_text(PLACED))
    tree["features"].append(json.loads(path.read_text()))
    path.write_text(json.dumps(tree))
    assert read_path(path).points_xyz.tolist() == [[0, 0, 0], [1, 1, 0]]
    path.write_text('{"type": "LineString", "coordinates": [[0, 0], [3, 4]]}')
    assert read_path(path).points_xyz.tolist() == [[0, 0, 0], [3, 4, 0]]


LINE = '{"type": "LineString", "coordinates": [[0, 0], [3, 4]]}'


def feature(geometry: str = LINE, properties: str = "{}") -> str:
    return f'{{"type": "Feature",\n"properties": {properties},\n"geometry": {geometry}}}'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line|empty|nothing|JSON"),
        ("[]", "must begin with {"),
        ('{"type": "LineString", "coordinates": [[0, 0], [3, 4]', ":1: "),
        ('{"type": "Level"}', "the type is 'Level'; give a FeatureCollection"),
        ("{}", "the type is None"),
        ('{"type": "FeatureCollection"}', "no list `features`"),
        ('{"type": "FeatureCollection", "features": []}', "no guards found"),
        ('{"type": "FeatureCollection", "features": [3]}', r"features\[1\] is 3; give an object of type Feature"),
        (feature('{"type": "Polygon", "coordinates": []}'), ":3: the geometry is 'Polygon'; guards are LineStrings"),
        (feature('{"type": "LineString"}'), "the coordinates are missing"),
        (feature('{"type": "LineString", "coordinates": [[1, 2]]}'), "fewer than two positions; draw .* as a Point"),
        (feature('{"type": "LineString", "coordinates": [[1, 2], [3]]}'), r"position 2 is \[3.0\]"),
        (feature('{"type": "LineString", "coordinates": [[1, 2], [3, 1e300]]}'), "position 2"),
        (feature('{"type": "LineString", "coordinates": [[1, 2], ["a", 3]]}'), ":3: "),
        (feature('{"type": "Point", "coordinates": [1]}'), r"the Point is at \[1.0\]"),
        (feature('{"type": "Point"}'), "the Point is at"),
        (feature("null"), "the geometry is None"),
        (feature(properties='{"speed": -3}'), ":2: speed is -3 m/s; it must be at least 0"),
        (feature(properties='{"speed": "fast"}'), ":2: speed"),
        (feature(properties='{"view_distnce": 3}'), "did you mean 'view_distance'"),
        (feature(properties='{"kind": "floor"}'), "the kind is 'floor'"),
        (feature(properties='{"archetype": "camra"}'), "did you mean 'camera'"),
        (feature(properties='{"archetype": "camera"}'), "has speed 0 but 2 points"),
        ('{"type": "FeatureCollection", "lastseen": {"version": 1}, "features": []}', "perhaps a level"),
        ('{"type": "FeatureCollection", "lastseen": {"guards": 2}, "features": []}', "update lastseen"),
        ('{"type": "FeatureCollection", "lastseen": 3, "features": []}', "lastseen|keys"),
        ('{"type": "FeatureCollection", "lastseen": {"guards": 1, "seed": -1}, "features": []}', "seed is -1"),
    ],
)
def test_a_file_that_is_no_guards_says_what_and_where(tmp_path, text, words):
    path = tmp_path / "bad.geojson"
    path.write_text(text)
    with pytest.raises(InputError, match=words) as caught:
        read_guards(path)
    assert str(path) in str(caught.value)


def test_settings_that_are_wrong_are_named(tmp_path):
    path = tmp_path / "bad.geojson"
    for given_settings, words in (({"pathcost": 1}, "did you mean 'path_cost'"), ({"packing": "x"}, "packing is 'x'")):
        tree = json.loads(guards_text(PLACED)) | {"lastseen": {"guards": 1, "settings": given_settings}}
        path.write_text(json.dumps(tree))
        with pytest.raises(InputError, match=words):
            read_guards(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"type": "Point", "coordinates": [1, 2]}', "0 lines may be the intended path"),
        (f'{{"type": "FeatureCollection", "features": [{feature()}, {feature()}]}}', "2 lines may be.*exactly one"),
        ('{"type": "LineString", "coordinates": [[0, 0]]}', "fewer than two positions"),
        ('{"type": "LineString", "coordinates": 3}', "coordinates|list"),
    ],
)
def test_a_file_that_is_no_path_says_what(tmp_path, text, words):
    path = tmp_path / "bad.geojson"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        read_path(path)


def test_files_that_cannot_be_read_or_written_are_told(tmp_path):
    for read in (read_guards, read_path):
        with pytest.raises(InputError, match="cannot be read: No such file"):
            read(tmp_path / "none.geojson")
        with pytest.raises(InputError, match="give a file name"):
            read(3)
    (tmp_path / "latin.geojson").write_bytes(b'{"type": "\xe9"}')
    with pytest.raises(InputError, match="byte 10 is not UTF-8"):
        read_guards(tmp_path / "latin.geojson")
    with pytest.raises(InputError, match="cannot write"):
        write_guards(PLACED, tmp_path / "no" / "folder.geojson")
    with pytest.raises(InputError, match="give a Placement"):
        write_guards([ROUND], tmp_path / "x.geojson")
    with pytest.raises(InputError, match="at least a start and an end"):
        write_path([(0, 0)], tmp_path / "x.geojson")
    with pytest.raises(InputError, match="finite"):
        write_path([(0, 0), (math.inf, 1)], tmp_path / "x.geojson")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["latin.geojson"]


@given(st.data())
def test_damaged_files_stay_within_the_error_tree(tmp_path_factory, data):
    text = bytearray(guards_text(PLACED).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 12))] = data.draw(
            st.one_of(st.binary(max_size=4), st.sampled_from([b"null", b"[]", b"{}", b"-1", b"1e999", b'"x"', b"true"]))
        )
    path = tmp_path_factory.getbasetemp() / "damaged.geojson"
    path.write_bytes(bytes(text))
    for read in (read_guards, read_path):
        with contextlib.suppress(LastSeenError):
            read(path)


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(plain, plain, plain, plain)
def test_any_values_in_any_place_stay_within_the_error_tree(
    tmp_path_factory, header, properties, geometry, coordinates
):
    path = tmp_path_factory.getbasetemp() / "values.geojson"
    shapes = [
        geometry,
        {"type": "LineString", "coordinates": coordinates},
        {"type": "Point", "coordinates": coordinates},
    ]
    for shape in shapes:
        tree = {"type": "Feature", "lastseen": header, "properties": properties, "geometry": shape}
        path.write_text(json.dumps(tree))
        for read in (read_guards, read_path):
            with contextlib.suppress(LastSeenError):
                read(path)
