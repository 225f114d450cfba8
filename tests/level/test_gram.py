"""GRAM scenes: a hand-made one, every fault, and the scenes of the research group."""

from __future__ import annotations

import contextlib
import json
import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError, LevelError
from lastseen.level.gram_scene import to_gram
from lastseen.level.level import Level
from lastseen.level.readers import gram
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh

SCENE = {
    "floor": {"name": "Floor", "poly": [[0, 0], [0, 30], [60, 30], [60, 0]]},
    "start": [1, 2],
    "end": [50, 20],
    "walls": [
        {"name": "Cube", "poly": [[10, 10], [12, 10], [12, 14], [10, 14]]},
        {"name": "Cube", "poly": [[-5, -5], [5, -5], [5, 1], [-5, 1]]},
        {"name": "Cube", "poly": [[70, 0], [80, 0], [80, 9]]},
        {"name": "Cube", "poly": [[20, 0], [21, 0], [21, 30]], "active": False},
        {"name": "Cube", "poly": [[20, 0], [21, 0], [21, 30]], "enabled": False},
    ],
    "guards": [
        {
            "name": "Enemy",
            "pos": [30, 5],
            "moveSpeed": 1.5,
            "rotationSpeed": 30.0,
            "fovAngle": 45.0,
            "fovDistance": 6.0,
            "patrol": {
                "waypoints": [
                    {"pos": [30, 9], "type": "move"},
                    {"pos": [30, 9], "type": "wait", "seconds": 4.0},
                    {"pos": [30, 9], "type": "rotate", "look": [-1.0, 0.0]},
                ],
                "loop_to": 0,
            },
        },
        {"name": "Enemy", "pos": [31, 5]},
    ],
    "mapper": {},
    "stored_path_cells_xyt": [[2, 40, 0], [30, 40, 15]],
}


def changed(**changes) -> bytes:
    return json.dumps({**SCENE, **changes}).encode()


def told(data: bytes) -> list[str]:
    with pytest.raises(LevelError) as caught:
        gram.read(data, "scene.json")
    return [str(fault) for fault in caught.value.faults]


def test_a_scene_by_hand():
    level = gram.read(changed(), "scene.json")
    (floor,) = level.surface.polygons
    assert shapely.Polygon(floor.outline_xyz[:, :2]).exterior.is_ccw
    assert (floor.outline_xyz[:, 2] == 0).all()
    walls = [shapely.Polygon(wall.outline_xy) for wall in level.obstacles]
    assert [wall.area for wall in walls] == [8.0, 5.0]
    assert [wall.name for wall in level.obstacles] == ["Cube", "Cube 2"]
    player, guard, idle = level.spawns
    assert (player.who, player.xyz) == ("player", (1.0, 2.0, 0.0))
    assert (level.markers[0].kind, level.markers[0].xyz) == ("goal", (50.0, 20.0, 0.0))
    assert (guard.name, guard.speed, guard.view_distance) == ("Enemy", 1.5, 6.0)
    assert guard.turn_speed == pytest.approx(math.pi / 6)
    assert guard.view_angle == pytest.approx(math.pi / 2)
    assert guard.heading == pytest.approx(math.pi / 2)
    assert (idle.name, idle.patrol, idle.view_angle) == ("Enemy 2", "", None)
    (patrol,) = level.patrols
    assert patrol.name == guard.patrol
    assert patrol.loop_to == 0
    assert [stop.action for stop in patrol.stops] == ["move", "wait", "turn"]
    assert patrol.stops[2].heading == pytest.approx(math.pi)
    (path,) = level.paths
    assert path.points_xyz.tolist() == [[2.5, 20.25, 0.0], [30.5, 20.25, 0.0]]
    assert path.seconds.tolist() == [0.0, 1.5]


def test_a_path_through_walls_was_solved_elsewhere():
    assert gram.read(changed(stored_path_cells_xyt=[[2, 26, 0], [30, 26, 9]]), "s").paths == ()
    assert gram.read(changed(stored_path_cells_xyt=[[2, 40, 0], [90, 40, 9]]), "s").paths == ()


def test_the_mapper_gives_the_size_of_cells():
    mapper = {"cellsX": 6, "cellsZ": 3, "tileSizeX": 10.0, "tileSizeZ": 10.0}
    (path,) = gram.read(changed(mapper=mapper, stored_path_cells_xyt=[[0, 2, 0], [5, 2, 9]]), "s").paths
    assert path.points_xyz[:, :2].tolist() == [[5, 25], [55, 25]]


def test_walls_are_clipped_into_pieces_and_touching_rings_keep_their_hole():
    notched = {"poly": [[0, 0], [30, 0], [30, 30], [20, 30], [20, 10], [10, 10], [10, 30], [0, 30]]}
    across = {"poly": [[-5, 15], [40, 15], [40, 20], [-5, 20]]}
    level = gram.read(changed(floor=notched, walls=[across], stored_path_cells_xyt=None), "s")
    assert sorted(shapely.Polygon(wall.outline_xy).area for wall in level.obstacles) == [50.0, 50.0]
    # An outline that runs round a yard and closes on itself at one corner.
    ring = [[1, 1], [9, 1], [9, 9], [1, 9], [1, 1], [3, 3], [3, 6], [6, 6], [6, 3], [3, 3]]
    level = gram.read(changed(walls=[{"poly": ring}], stored_path_cells_xyt=None), "s")
    covered = shapely.union_all([shapely.Polygon(wall.outline_xy) for wall in level.obstacles])
    assert covered.area == pytest.approx(64 - 9)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "the file is empty"),
        (b'{"floor": ' + b"[" * 100_000, "invalid JSON"),
        (b'{"floor": {"poly": [[0, 0], [1', "invalid JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b'{"walls": []}', "missing required field `floor`"),
        (b"[1, 2]", "expected `object`"),
        (changed(floor={"poly": [[0, 0], [1, 0]]}), "fewer than 3 points"),
        (changed(floor={"poly": [[0, 0], [9, 9], [9, 0], [0, 9]]}), "crosses itself"),
        (changed(floor={"poly": [[0, 0], [1, 0], [2, 0]]}), "no area"),
        (changed(floor={"poly": [[0, 0], [1e300, 0], [2, 0]]}), "within 1e+06 m"),
        (changed().replace(b"[50, 20]", b"[50, NaN]"), "invalid JSON"),
        (changed(start=[1, "two"]), "start: expected `float`"),
        (changed(walls=[{"poly": [[0, 0]]}]), "wall 0: the wall has 1 points"),
        (changed(guards=[{"pos": [1e9, 0]}]), "guard 0: point 0"),
        (changed(guards=[{"pos": [1, 1], "moveSpeed": -1}]), "is negative"),
        (changed(mapper={"cellsX": 0}), "the mapper has no cells"),
        (changed(stored_path_cells_xyt=[[1, 1, 5], [2, 2, 4]]), "backwards in time"),
        (changed(stored_path_cells_xyt=[[1e300, 1, 5]]), "too large"),
    ],
)
def test_each_fault_says_what_and_where(data, expected):
    assert any(expected in fault for fault in told(data))


@pytest.mark.parametrize(
    ("waypoint", "expected"),
    [
        ({"pos": [1, 1], "type": "jump"}, "invalid enum value 'jump'"),
        ({"pos": [1, 1], "type": "rotate"}, "a direction [x, y] that is not zero"),
        ({"pos": [1, 1], "type": "wait", "seconds": -2}, "give a time of at least 0"),
    ],
)
def test_faulty_orders(waypoint, expected):
    guard = {"pos": [5, 5], "patrol": {"waypoints": [waypoint]}}
    assert any(expected in fault for fault in told(changed(guards=[guard])))


def test_all_faults_come_at_once():
    guard = {"pos": [5, 5], "patrol": {"waypoints": [{"pos": [1, 1], "type": "move"}], "loop_to": 7}}
    data = changed(walls=[{"poly": []}, {"poly": "none"}], end=[1], guards=[guard, {}])
    assert [fault.split(":")[0] for fault in told(data)] == ["wall 0", "wall 1", "end", "guard 0", "guard 1"]


@given(st.data())
def test_mutated_scenes_never_leave_the_error_tree(data):
    text = bytearray(changed())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 4))] = data.draw(
            st.sampled_from([b"9", b"-", b"e9", b"null", b"[]", b"\xff"])
        )
    with contextlib.suppress(LevelError):
        gram.read(bytes(text), "mutated.json")


@pytest.mark.data
def test_scenes_of_the_research_group(data):
    counts = {
        "COD4Shipment_Explorability": (10, 0, 0, 0),
        "LevelDesigner1_3D_visualizer": (27, 2, 1, 1),
        "MGS_PCGEnemy": (16, 1, 0, 0),
        "Pedro_3D_visualizer": (16, 3, 2, 1),
        "Smith1_controller": (8, 2, 1, 0),
    }
    for name, expected in counts.items():
        raw = (data / "gram" / f"{name}.json").read_bytes()
        assert gram.sniff(raw, ".json")
        level = gram.read(raw, f"{name}.json")
        assert (len(level.obstacles), len(level.spawns), len(level.patrols), len(level.paths)) == expected
        floor = shapely.Polygon(level.surface.polygons[0].outline_xyz[:, :2])
        walls = shapely.union_all([shapely.Polygon(wall.outline_xy) for wall in level.obstacles])
        assert floor.buffer(1e-9).covers(walls)
        wanted = shapely.union_all(
            [shapely.Polygon(wall["poly"]) for wall in json.loads(raw)["walls"] if wall["active"] and wall["enabled"]]
        )
        assert walls.area == pytest.approx(shapely.intersection(wanted, floor).area)
        # The stored solution starts at the player and ends at the goal, to within a cell or two.
        for path in level.paths:
            player = next(spawn for spawn in level.spawns if spawn.who == "player")
            assert np.hypot(*(path.points_xyz[0] - player.xyz)[:2]) < 0.2
            assert np.hypot(*(path.points_xyz[-1] - level.markers[0].xyz)[:2]) < 0.2


def test_a_scene_is_written_and_read_again():
    scene = gram.read(json.dumps(SCENE).encode(), "scene.json")
    again = gram.read(to_gram(scene), "scene.json")
    assert (again.spawns[0], again.markers) == (scene.spawns[0], scene.markers)
    for one, other in zip(again.spawns[1:], scene.spawns[1:], strict=True):
        assert (one.xyz, one.name, one.patrol, one.speed, one.view_distance) == (
            other.xyz, other.name, other.patrol, other.speed, other.view_distance
        )  # fmt: skip
        assert (one.heading, one.turn_speed, one.view_angle) == pytest.approx(
            (other.heading, other.turn_speed, other.view_angle)
        )
    assert [patrol.loop_to for patrol in again.patrols] == [patrol.loop_to for patrol in scene.patrols]
    stops = [[(stop.xyz, stop.action, stop.seconds) for stop in level.patrols[0].stops] for level in (again, scene)]
    assert stops[0] == stops[1]
    assert again.patrols[0].stops[2].heading == pytest.approx(math.pi)
    shapes = [[shapely.Polygon(wall.outline_xy) for wall in level.obstacles] for level in (again, scene)]
    assert all(one.equals(other) for one, other in zip(*shapes, strict=True))
    np.testing.assert_allclose(again.paths[0].points_xyz, scene.paths[0].points_xyz)
    np.testing.assert_allclose(again.paths[0].seconds, scene.paths[0].seconds)


def test_rooms_of_a_tile_map_become_walls_and_a_heading_an_order():
    level = Level.from_text("legend: G = guard heading=up\n\n#######\n#G.#..#\n#..#..#\n#######\n")
    again = gram.read(to_gram(level), "rooms.json")
    assert build_navmesh(again).face_area.sum() == pytest.approx(build_navmesh(level).face_area.sum())
    (spawn,) = [spawn for spawn in level.spawns if spawn.who == "guard"]
    assert [(stop.xyz, stop.action) for stop in again.patrols[0].stops] == [(spawn.xyz, "turn")]
    assert again.patrols[0].stops[0].heading == pytest.approx(spawn.heading)


def test_a_level_with_storeys_is_no_scene():
    with pytest.raises(InputError, match=r"cannot be a GRAM scene, which has one flat floor.*write one storey"):
        to_gram(sample("house"))
