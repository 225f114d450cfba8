"""Whatever is in a file, reading it gives a level or a LevelError with faults: never another error.

Sound files of every kind, ours and real ones, are damaged in the ways files get damaged (cut off, overwritten, lines
lost or doubled, numbers and words exchanged for nasty ones), then read and checked.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_reader_mesh_file import FORMATS
from test_reader_polyanya import TWO_FACES

from lastseen.errors import LevelError
from lastseen.level.check import find_faults
from lastseen.level.level import ConvexFaces, Level, TileFloor, Tiles, TriangleSoup
from lastseen.level.read import inspect_level, level_kinds
from lastseen.level.readers import geojson, gram, mesh_file, movingai, polyanya, text_map, tiled
from lastseen.level.samples import sample
from lastseen.level.write import to_geojson

READERS = {
    "geojson": geojson,
    "tiled": tiled,
    "gram": gram,
    "polyanya": polyanya,
    "movingai": movingai,
    "mesh": mesh_file,
    "text": text_map,
}

SQUARE = np.array([[0.0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0], [9, 9, 9]])

TEXT = b"""; a comment
name: Two rooms and a loft
legend: K = hiding place "closet" heading=left capacity=2
legend: 1 = guard "Anna" patrol="round" heading=right speed=1.5 view_angle=90
legend: a = waypoint
legend: b = waypoint
legend: Z = zone "vault" kind=restricted height=2
patrol: round = a wait 3 b look left
path: way = P b E

== ground z=0 tile=1
##########
#P..+.a.K#
#.c.#.1ZZ#
#.>>>..bE#
##########
== loft z=3

     ....
     .h..
     ....
"""
MOVINGAI = b"type octile\nheight 4\nwidth 5\nmap\n.....\n.@@G.\n.TSW.\n.....\n"
GRAM = b"""{"name": "yard", "floor": {"poly": [[0, 0], [9, 0], [9, 9], [0, 9]]},
 "walls": [{"poly": [[2, 2], [4, 2], [4, 4], [2, 4]], "active": true}],
 "start": [1, 1], "end": [8, 8],
 "guards": [{"pos": [5, 5], "speed": 1.5, "fov_angle": 60, "fov_distance": 5, "waypoints": []}]}
"""
TILED = b"""{"type": "map", "orientation": "orthogonal", "width": 3, "height": 2, "tilewidth": 32, "tileheight": 32,
 "infinite": false, "version": "1.10", "tiledversion": "1.10.2",
 "layers": [
  {"type": "tilelayer", "name": "walls", "id": 1, "x": 0, "y": 0, "width": 3, "height": 2, "data": [1, 0, 0, 1, 0, 2],
   "visible": true, "opacity": 1},
  {"type": "objectgroup", "name": "things", "id": 2, "objects": [
   {"id": 1, "name": "bob", "type": "guard", "x": 40, "y": 40, "point": true, "rotation": 0, "width": 0, "height": 0},
   {"id": 2, "name": "beat", "type": "patrol", "x": 0, "y": 0, "polyline": [{"x": 40, "y": 8}, {"x": 60, "y": 9}]},
   {"id": 3, "name": "crate", "type": "obstacle", "x": 32, "y": 32, "width": 16, "height": 16, "rotation": 45}]}],
 "tilesets": [{"firstgid": 1, "name": "t", "tilewidth": 32, "tileheight": 32, "tilecount": 2, "columns": 2,
  "tiles": [{"id": 0, "type": "wall"}]}]}
"""

OWN: dict[str, tuple[str, bytes]] = {
    "house": ("geojson", to_geojson(sample("house"))),
    "corridor": ("geojson", to_geojson(sample("corridor"))),
    "tiles": ("geojson", to_geojson(Level(Tiles((TileFloor(np.eye(3, dtype=bool)),))))),
    "soup": ("geojson", to_geojson(Level(TriangleSoup(SQUARE, np.array([[0, 1, 2], [2, 3, 0]]))))),
    "faces": ("geojson", to_geojson(Level(ConvexFaces(SQUARE, np.array([0, 4]), np.arange(4))))),
    "tiled": ("tiled", TILED),
    "gram": ("gram", GRAM),
    "polyanya": ("polyanya", TWO_FACES.encode()),
    "movingai": ("movingai", MOVINGAI),
    "text": ("text", TEXT),
    **{name: ("mesh", data) for name, data in FORMATS.items()},
}

REAL = {
    "gram/COD4Shipment_Explorability.json": "gram",
    "gram/Pedro_3D_visualizer.json": "gram",
    "movingai/arena.map": "movingai",
    "polyanya/arena-merged.mesh": "polyanya",
    "recast/nav_test.obj": "mesh",
}

NASTY = (
    b"", b"0", b"-1", b"1e308", b"-1e999", b"nan", b"NaN", b"inf", b"99999999999999999999", b"4294967295", b"0.0000001",
    b"2147483648", b"null", b"true", b'""', b'"x"', b"[]", b"{}", b"[[", b"]]", b"\xff\xfe", b"\0", b"\n", b" ",
    b"\xe2\x82", b"'", b"#", b"==", b"-", b"1_0", "٣".encode(), b"\\ud800",
)  # fmt: skip

places = st.floats(0, 1, exclude_max=True)
damages = st.one_of(
    st.tuples(st.just("cut"), places, places),
    st.tuples(st.just("drop"), places, st.integers(1, 40)),
    st.tuples(st.just("double"), places, st.integers(1, 200)),
    st.tuples(st.just("insert"), places, st.sampled_from(NASTY) | st.binary(max_size=4)),
    st.tuples(st.just("overwrite"), places, st.binary(min_size=1, max_size=4)),
    st.tuples(st.just("number"), places, st.sampled_from(NASTY)),
    st.tuples(st.just("word"), places, st.sampled_from(NASTY)),
    st.tuples(st.just("line"), places, st.sampled_from(["drop", "double", "swap"])),
)


def damaged(data: bytes, damage: tuple) -> bytes:
    how, place, what = damage
    at = int(place * len(data))
    if how == "cut":
        return data[:at] if what < 0.5 else data[at:]
    if how == "drop":
        return data[:at] + data[at + what :]
    if how == "double":
        return data[: at + what] + data[at:]
    if how == "insert":
        return data[:at] + what + data[at:]
    if how == "overwrite":
        return data[:at] + what + data[at + len(what) :]
    if how == "line":
        lines = data.split(b"\n")
        row = int(place * len(lines))
        changed = {"drop": [], "double": [lines[row]] * 2, "swap": lines[row : row + 2][::-1]}[what]
        return b"\n".join(lines[:row] + changed + lines[row + (2 if what == "swap" else 1) :])
    pattern = rb"-?\d+\.?\d*(?:[eE][-+]?\d+)?" if how == "number" else rb'"[^"]*"|[A-Za-z_]+'
    found = list(re.finditer(pattern, data))
    if not found:
        return data
    match = found[int(place * len(found))]
    return data[: match.start()] + what + data[match.end() :]


def check(kind: str, data: bytes) -> None:
    """Read and check; only a LevelError with faults may come out."""
    try:
        level = READERS[kind].read(data, "damaged.file")
    except LevelError as error:
        problems = error.faults
    else:
        assert isinstance(level, Level)
        problems = find_faults(level)
        if not any(fault.severity == "error" for fault in problems):
            assert geojson.read(to_geojson(level), "again") == level
        return
    assert problems
    assert all(fault.what and fault.advice for fault in problems)


def test_every_kind_is_fuzzed() -> None:
    assert set(READERS) == set(level_kinds()) == {kind for kind, _ in OWN.values()}


@pytest.mark.parametrize("name", OWN)
def test_the_undamaged_files_are_read(name: str, tmp_path: Path) -> None:
    kind, data = OWN[name]
    assert READERS[kind].sniff(data, "")
    (tmp_path / "level").write_bytes(data)
    level, faults = inspect_level(tmp_path / "level")
    assert level is not None, faults


@pytest.mark.parametrize("name", OWN)
def test_damaged_files_stay_within_level_error(name: str) -> None:
    kind, sound = OWN[name]

    @settings(max_examples=40)
    @given(st.lists(damages, min_size=1, max_size=4))
    def run(wounds: list[tuple]) -> None:
        data = sound
        for wound in wounds:
            data = damaged(data, wound)
        check(kind, data)

    run()


@pytest.mark.data
@pytest.mark.parametrize("name", REAL)
def test_damaged_real_files_stay_within_level_error(name: str, data: Path) -> None:
    sound = (data / name).read_bytes()

    @settings(max_examples=25 if len(sound) > 50_000 else 60)
    @given(st.lists(damages, min_size=1, max_size=4))
    def run(wounds: list[tuple]) -> None:
        content = sound
        for wound in wounds:
            content = damaged(content, wound)
        check(REAL[name], content)

    run()


@pytest.mark.parametrize("kind", READERS)
@given(content=st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_stay_within_level_error(kind: str, content: bytes) -> None:
    READERS[kind].sniff(content, "")
    check(kind, content)
