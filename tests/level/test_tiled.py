"""Tiled maps: hand-made ones in every encoding, objects, every fault."""

from __future__ import annotations

import base64
import contextlib
import gzip
import json
import math
import struct
import zlib

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import LevelError
from lastseen.level.read import inspect_level, read_level
from lastseen.level.readers import tiled
from lastseen.views.cli.app.main import cli

WALLS = [
    *(1, 1, 1, 1, 1),
    *(1, 0, 0, 0, 1),
    *(1, 0, 0x80000001, 0, 1),
    *(1, 1, 1, 1, 1),
]
PACK = {"": bytes, "zlib": zlib.compress, "gzip": gzip.compress}


def packed(numbers, compression: str) -> str:
    return base64.b64encode(PACK[compression](struct.pack(f"<{len(numbers)}I", *numbers))).decode()


def layer(name="walls", numbers=WALLS, **more):
    return {"type": "tilelayer", "name": name, "width": 5, "height": 4, "data": numbers, **more}


def objects(*items, name="things", **more):
    return {"type": "objectgroup", "name": name, "objects": list(items), **more}


def properties(**values):
    return [{"name": name, "type": "string", "value": value} for name, value in values.items()]


def drawn(*layers, **more) -> bytes:
    head = {"width": 5, "height": 4, "tilewidth": 16, "tileheight": 16, "orientation": "orthogonal", "type": "map"}
    return json.dumps({**head, "layers": list(layers), **more}).encode()


def read(*layers, **more):
    return tiled.read(drawn(*layers, **more), "map.tmj")


def told(data: bytes) -> list[str]:
    with pytest.raises(LevelError) as caught:
        tiled.read(data, "map.tmj")
    return [str(fault) for fault in caught.value.faults]


def passable(level) -> list[str]:
    return ["".join(".#"[not tile] for tile in row) for row in level.surface.floors[0].passable.tolist()]


ROOM = ["#####", "#...#", "#.#.#", "#####"]


def test_tiles_of_a_layer_called_walls_are_walls():
    assert passable(read(layer())) == ROOM
    assert passable(read(layer("Decor"), layer("COLLISION"))) == ROOM
    assert passable(read(layer("x", properties=properties(kind="solid")))) == ROOM


@pytest.mark.parametrize("compression", ["", "zlib", "gzip"])
def test_every_encoding_gives_the_same_level(compression):
    data = packed(WALLS, compression)
    assert read(layer(numbers=data, encoding="base64", compression=compression)) == read(layer())


def test_infinite_maps_are_put_together_from_chunks():
    chunks = [
        {"x": -2, "y": 0, "width": 2, "height": 2, "data": [1, 1, 1, 0]},
        {"x": 0, "y": 1, "width": 1, "height": 2, "data": [0, 1]},
    ]
    level = read({"type": "tilelayer", "name": "walls", "chunks": chunks}, infinite=True, width=0, height=0)
    assert passable(level) == ["##.", "#..", "..#"]
    assert level.surface.floors[0].origin_xy == (-2.0, 0.0)


def test_where_floor_is_drawn_only_that_is_floor():
    ground = [0] * 5 + [2] * 5 + [2, 2, 2, 2, 0] + [0] * 5
    assert passable(read(layer("Ground", ground))) == ["#####", ".....", "....#", "#####"]
    assert passable(read(layer("Ground", ground), layer())) == ROOM


def test_properties_of_tiles_override_layers():
    tiles = [
        {"id": 0, "properties": properties(walkable=False)},
        {"id": 1, "properties": properties(walkable=True)},
        {"id": 2, "type": "door", "properties": properties(open=True)},
        {"id": 3, "class": "hide"},
        {"id": 4, "class": "cover", "properties": properties(height=1.5)},
    ]
    numbers = [1] * 5 + [1, 2, 3, 4, 1] + [1, 5, 5, 2, 1] + [1] * 5
    level = read(layer("anything", numbers), tilesets=[{"firstgid": 1, "tiles": tiles}])
    assert passable(level) == ["#####", "#...#", "###.#", "#####"]
    assert level.doors[0].outline_xy.tolist() == [[2, 1], [3, 1], [3, 2], [2, 2]]
    assert level.doors[0].open
    assert level.hiding_places[0].heading == math.pi / 2
    assert level.cover[0].outline_xy.tolist() == [[1, 2], [3, 2], [3, 3], [1, 3]]
    assert level.cover[0].height == 1.5


def test_an_external_tileset_is_a_fault_only_where_it_is_needed():
    outside = {"tilesets": [{"firstgid": 1, "source": "dungeon.tsx"}]}
    assert passable(read(layer(), **outside)) == ROOM
    (fault,) = told(drawn(layer("Layer 1"), **outside))
    assert "nothing declares which tiles are walls" in fault
    assert "'dungeon.tsx'" in fault


def test_objects_become_features_in_metres():
    patrol = {"id": 7, "name": "beat", "type": "patrol", "x": 16, "y": 16}
    line = [{"x": 0, "y": 0}, {"x": 16, "y": 0}, {"x": 16, "y": 8}]
    guard = properties(patrol=7, view_angle=90, view_distance=8, heading=90, speed=1.5)
    level = read(
        layer(),
        objects(
            {"id": 1, "name": "hero", "type": "player", "point": True, "x": 24, "y": 24},
            {"id": 2, "name": "Anna", "class": "guard", "point": True, "x": 48, "y": 40, "properties": guard},
            {**patrol, "polyline": line},
            {"id": 3, "class": "wall", "x": 16, "y": 16, "width": 16, "height": 8, "rotation": 90},
            {"id": 4, "class": "locked_door", "x": 16, "y": 16, "width": 8, "height": 16},
            {"id": 5, "class": "exit", "x": 48, "y": 16, "width": 16, "height": 16},
            {"id": 6, "class": "goal", "x": 48, "y": 16, "width": 16, "height": 16},
            {"id": 8, "class": "path", "x": 0, "y": 0, "polyline": [{"x": 24, "y": 24}, {"x": 56, "y": 24}]},
            {"id": 9, "class": "cover", "x": 32, "y": 32, "width": 16, "height": 16, "gid": 3},
            {"id": 10, "class": "zone", "x": 16, "y": 16, "polygon": line, "properties": properties(subkind="dark")},
            {"id": 11, "class": "hide", "x": 16, "y": 16, "width": 16, "height": 16, "ellipse": True},
            {"id": 12, "class": "torch", "x": 5, "y": 5},
            offsetx=16,
        ),
        objects({"id": 13, "x": 0, "y": 0, "width": 8, "height": 8}, name="walls"),
        properties=properties(metres_per_tile=2),
    )
    assert level.surface.floors[0].tile == 2.0
    hero, anna = level.spawns
    assert (hero.xyz, hero.who) == ((5.0, 3.0, 0.0), "player")
    assert (anna.name, anna.patrol, anna.speed, anna.view_distance) == ("Anna", "beat", 1.5, 8.0)
    assert (anna.heading, anna.view_angle) == (math.pi / 2, math.pi / 2)
    (beat,) = level.patrols
    assert [stop.xyz[:2] for stop in beat.stops] == [(4, 2), (6, 2), (6, 3), (6, 2)]
    assert beat.loop_to == 0
    turned, plain = level.obstacles
    assert {tuple(point) for point in turned.outline_xy.round(9).tolist()} == {(4, 2), (4, 4), (3, 2), (3, 4)}
    assert plain.outline_xy.tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert (level.doors[0].locked, level.doors[0].open) == (True, False)
    assert sorted((zone.kind, len(zone.outline_xy)) for zone in level.zones) == [("dark", 3), ("exit", 4)]
    assert level.markers[0].kind == "goal"
    assert level.markers[0].xyz == (9.0, 3.0, 0.0)
    assert level.paths[0].points_xyz.tolist() == [[5, 3, 0], [9, 3, 0]]
    assert level.cover[0].outline_xy.tolist() == [[6, 2], [8, 2], [8, 4], [6, 4]]
    assert level.hiding_places[0].xyz == pytest.approx((5.0, 3.0, 0.0))


def test_objects_that_are_ignored_are_told_by_class_and_layer(tmp_path):
    torch = {"class": "torch", "x": 24, "y": 24}
    things = objects(
        {"id": 1, **torch},
        {"id": 2, **torch},
        {"id": 3, "x": 24, "y": 24},
        {"id": 4, "name": "hi", "text": {"text": "hi"}, "x": 8, "y": 8},
    )
    more = objects(
        {"id": 5, "class": "floor", "x": 24, "y": 24, "width": 8, "height": 8},
        {"id": 6, "class": "guard", "x": 24, "y": 24},
        name="more",
    )
    (tmp_path / "map.tmj").write_bytes(
        drawn(layer(), things, more, objects({"id": 7, "x": 0, "y": 0, "width": 8, "height": 8}, name="walls"))
    )
    level, faults = inspect_level(tmp_path / "map.tmj")
    assert [spawn.who for spawn in level.spawns] == ["guard"]
    assert len(level.obstacles) == 1
    assert {fault.severity for fault in faults} == {"warning"}
    assert [(fault.where, fault.at, fault.what) for fault in faults] == [
        ("object 1", (1.5, 1.5), "2 objects of class 'torch' in layer 'things' ignored"),
        ("object 3", (1.5, 1.5), "2 objects without a class in layer 'things' ignored"),
        ("object 5", (1.5, 1.5), "1 object of class 'floor' in layer 'more' ignored"),
    ]
    assert "guard" in faults[0].advice
    assert "tiles" in faults[2].advice
    told = CliRunner().invoke(cli, ["level", "check", str(tmp_path / "map.tmj")])
    assert told.exit_code == 0
    assert "0 errors, 3 warnings" in told.output
    assert "2 objects of class 'torch'" in told.output


def test_misspelt_properties_are_warnings_with_a_suggestion(tmp_path):
    def own(**properties):
        return [{"name": name, "value": value} for name, value in properties.items()]

    guard = {"class": "guard", "x": 24, "y": 24, "properties": own(view_angel=90, mood="grim")}
    things = objects({"id": 1, **guard}, {"id": 2, **guard}, {"id": 3, "class": "torch", "properties": own(hight=1)})
    tiles = {"firstgid": 1, "tiles": [{"id": 0, "properties": own(walkabel=True)}]}
    (tmp_path / "map.tmj").write_bytes(
        drawn(layer(), things, tilesets=[tiles], properties=own(meters_per_tile=2, author="me"))
    )
    _, faults = inspect_level(tmp_path / "map.tmj")
    assert {fault.severity for fault in faults} == {"warning"}
    assert [(fault.where, fault.what) for fault in faults[1:]] == [
        ("map", "property 'meters_per_tile' is ignored (did you mean 'metres_per_tile'?)"),
        ("tileset 0, tile 0", "property 'walkabel' is ignored (did you mean 'walkable'?)"),
        ("object 1", "property 'view_angel' is ignored (did you mean 'view_angle'?)"),
    ]
    assert "known properties: kind" in faults[3].advice


def test_ignored_layers_are_told(tmp_path):
    names = [layer(), layer("Wals"), layer("grund"), layer("trees"), {"type": "imagelayer", "name": "sky"}]
    _, faults = tiled.inspect(drawn(*names), "map.tmj")
    assert [(fault.where, fault.what, fault.severity) for fault in faults] == [
        ("layer 'Wals'", "its tiles are neither walls nor floor (did you mean 'walls'?)", "warning"),
        ("layer 'grund'", "its tiles are neither walls nor floor (did you mean 'ground'?)", "warning"),
        ("layer 'sky'", "image layers are ignored", "warning"),
    ]


def test_warnings_are_reported_along_with_errors(tmp_path):
    things = objects({"id": 1, "class": "door"}, {"id": 2, "class": "torch", "x": 8, "y": 8})
    path = tmp_path / "map.tmj"
    path.write_bytes(drawn(layer(), things, properties=[{"name": "meters_per_tile", "value": 2}]))
    level, faults = inspect_level(path)
    assert level is None
    assert [fault.severity for fault in faults] == ["error", "warning", "warning"]
    assert "'torch'" in faults[1].what
    assert "'meters_per_tile'" in faults[2].what
    reported = CliRunner().invoke(cli, ["level", "check", str(path)])
    assert reported.exit_code == 2
    assert "1 error, 2 warnings" in reported.output
    with pytest.raises(LevelError) as caught:
        read_level(path)
    assert "torch" not in str(caught.value)


def test_a_polygon_patrol_goes_round_and_waits():
    corners = [{"x": 0, "y": 0}, {"x": 16, "y": 0}, {"x": 16, "y": 16}]
    shape = {"id": 1, "class": "patrol", "x": 16, "y": 16, "polygon": corners, "properties": properties(wait=2)}
    (patrol,) = read(layer(), objects(shape)).patrols
    assert [stop.action for stop in patrol.stops] == ["move", "wait"] * 3
    assert patrol.loop_to == 0
    once = {**shape, "polygon": None, "polyline": corners, "properties": properties(loop=False)}
    (patrol,) = read(layer(), objects(once)).patrols
    assert (len(patrol.stops), patrol.loop_to) == (3, None)


def test_groups_are_dissolved():
    group = {"type": "group", "name": "g", "layers": [layer(), objects({"class": "player", "x": 8, "y": 8})]}
    level = read({"type": "group", "offsetx": 0, "layers": [group]})
    assert passable(level) == ROOM
    assert level.spawns[0].xyz == (0.5, 0.5, 0.0)


def nested(depth: int):
    inner = layer()
    for _ in range(depth):
        inner = {"type": "group", "layers": [inner]}
    return inner


BOMB = base64.b64encode(zlib.compress(bytes(50_000_000))).decode()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "the file is empty"),
        (b"[]", "expected `object`"),
        (b'{"layers": ' + b"[" * 100_000, "invalid JSON"),
        (drawn(layer())[:-20], "invalid JSON"),
        (drawn(layer(), width=10**9, height=10**9), "at most 64000000 tiles"),
        (drawn(layer(), width=10**30), "`$.width`"),
        (drawn(layer(), width=6), "the layer has 5 x 4 tiles but the map 6 x 4"),
        (drawn(layer(), orientation="isometric"), "only orthogonal maps"),
        (drawn(layer(), tileheight=8), "only square tiles"),
        (drawn(layer(), properties=properties(metres_per_tile="big")), "metres_per_tile is 'big'"),
        (drawn(layer(numbers=[1, 2])), "2 tiles are stored, 20 expected"),
        (drawn(layer(numbers=[-1] * 20)), ">= 0"),
        (drawn(layer(numbers="!!", encoding="base64")), "cannot be unpacked"),
        (drawn(layer(numbers="AAAA", encoding="base64", compression="zlib")), "cannot be unpacked"),
        (drawn(layer(numbers="AAAA", encoding="base64", compression="zstd")), "compression 'zstd' is not supported"),
        (drawn(layer(numbers=BOMB, encoding="base64", compression="zlib")), "tiles are stored, 20 expected"),
        (drawn(layer(numbers=[1] * 20)), "no tile is passable"),
        (drawn(layer(offsetx=3)), "shifted off the grid"),
        (drawn(nested(40)), "nested more than 20 deep"),
        (drawn(infinite=True), "the map has no tiles"),
        (
            drawn(layer(), objects({"class": "gaurd", "x": 1, "y": 1})),
            "class 'gaurd' is unknown (did you mean 'guard'?)",
        ),
        (drawn(layer(), objects({"class": "door", "x": 1, "y": 1})), "a door needs an area"),
        (drawn(layer(), objects({"class": "patrol", "x": 1, "y": 1})), "a patrol needs a path to walk"),
        (drawn(layer(), objects({"class": "path", "x": 1, "y": 1})), "at least two points"),
        (drawn(layer(), objects({"template": "guard.tx", "x": 1, "y": 1})), "template 'guard.tx'"),
        (drawn(layer(), objects({"class": "guard", "x": 1e300, "y": 1})), "`$.x`"),
        (
            drawn(layer(), objects({"class": "guard", "properties": properties(speed="fast")})),
            "property speed is 'fast'",
        ),
        (drawn(layer(), objects({"class": "guard", "properties": properties(patrol="beat")})), "no patrol 'beat'"),
        (drawn(layer(), objects({"class": "guard", "properties": properties(patrol=9)})), "no patrol 9"),
    ],
)
def test_each_fault_says_what_and_where(data, expected):
    assert any(expected in fault for fault in told(data)), told(data)


def test_all_faults_come_at_once():
    things = objects({"id": 1, "class": "door"}, {"id": "two"}, {"id": 3, "class": "gard"})
    faults = told(drawn(layer(numbers=[1]), things, {"name": "no type"}, tileheight=4))
    assert len(faults) == 6, "a misspelt class is reported once"


def test_huge_chunks_are_refused_before_anything_is_allocated():
    chunk = {"x": 0, "y": 0, "width": 8000, "height": 8000, "data": []}
    tiles = {"type": "tilelayer", "name": "walls", "chunks": [chunk, chunk]}
    assert any("at most 64000000 tiles" in fault for fault in told(drawn(tiles, infinite=True)))


def test_sniff():
    assert tiled.sniff(drawn(layer()), ".json")
    assert not tiled.sniff(b'{"type": "FeatureCollection", "features": []}', ".json")
    assert not tiled.sniff(b"###", ".tmj")


@given(st.data())
def test_mutated_maps_never_leave_the_error_tree(data):
    things = objects(
        {"id": 1, "class": "guard", "x": 20, "y": 20, "properties": properties(patrol=2, speed=1)},
        {"id": 2, "class": "patrol", "x": 20, "y": 20, "polyline": [{"x": 0, "y": 0}, {"x": 9, "y": 0}]},
    )
    text = bytearray(
        drawn(layer(), layer("floor", packed(WALLS, "zlib"), encoding="base64", compression="zlib"), things)
    )
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        new = data.draw(st.sampled_from([b"9", b"-", b"e9", b"null", b"[]", b"\xff", b'"', b"true"]))
        text[at : at + data.draw(st.integers(0, 4))] = new
    with contextlib.suppress(LevelError):
        tiled.read(bytes(text), "mutated.tmj")


def test_maps_in_xml_are_refused_with_how_to_save_them(tmp_path):
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.10" orientation="orthogonal"></map>\n'
    for name in ("rooms.tmx", "rooms.xml"):
        (tmp_path / name).write_text(text)
        told = CliRunner().invoke(cli, ["level", "check", str(tmp_path / name)])
        assert told.exit_code == 2
        assert "Save As" in told.output
        assert ".tmj" in told.output
