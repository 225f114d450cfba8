"""Every fault of a level is found, placed and explained; sound levels have none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from level_strategies import levels

from lastseen.errors import Fault
from lastseen.level.check import find_faults
from lastseen.level.features import (
    Door,
    HidingPlace,
    IntendedPath,
    Marker,
    Obstacle,
    Patrol,
    PatrolStop,
    Spawn,
    Zone,
)
from lastseen.level.level import ConvexFaces, Floor, Floors, Level, TileFloor, Tiles, TriangleSoup
from lastseen.level.samples import SAMPLES, sample


def square(x: float = 0, y: float = 0, size: float = 4, z: float = 0) -> np.ndarray:
    return np.array([[x, y, z], [x + size, y, z], [x + size, y + size, z], [x, y + size, z]], dtype=float)


def on_square(**things: Any) -> Level:
    return Level(Floors((Floor(square(), name="hall"),)), **things)


def only(level: Level) -> Fault:
    faults = find_faults(level)
    assert len(faults) == 1, [str(fault) for fault in faults]
    return faults[0]


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_have_no_faults(name: str) -> None:
    assert find_faults(sample(name)) == ()


def test_a_bow_tie_crosses_itself_in_its_middle() -> None:
    fault = only(Level(Floors((Floor(square()[[0, 2, 1, 3]], name="tie"),))))
    assert fault.severity == "error"
    assert fault.where == "floors[0] (tie)"
    assert fault.at == (2.0, 2.0)
    assert "crosses" in fault.what


@pytest.mark.parametrize("group", ["obstacles", "cover", "doors", "zones"])
def test_footprints_are_checked_like_floors(group: str) -> None:
    make = {"doors": Door, "zones": Zone}.get(group, Obstacle)
    fault = only(on_square(**{group: (make(square(1, 1, 2)[[0, 2, 1, 3], :2]),)}))
    assert fault.where == f"{group}[0]"
    assert fault.at == (2.0, 2.0)


@pytest.mark.parametrize(
    ("outline", "what"),
    [
        (square()[:2], "2 points"),
        (square()[:0], "0 points"),
        (square()[[0, 1, 0, 1]], "no area"),
        (np.array([[0.0, 0, 0], [1, 1, 0], [3, 3, 0]]), "no area"),
        (square(size=1e-4), "no area"),
        (square()[::-1], "wrong way"),
    ],
)
def test_outlines_that_bound_nothing(outline: np.ndarray, what: str) -> None:
    errors = [fault for fault in find_faults(Level(Floors((Floor(outline),)))) if fault.severity == "error"]
    assert [what in fault.what for fault in errors] == [True]


def test_a_repeated_point_is_a_warning_with_its_place() -> None:
    fault = only(Level(Floors((Floor(square()[[0, 1, 1, 2, 3]]),))))
    assert (fault.severity, fault.at) == ("warning", (4.0, 0.0))


@pytest.mark.parametrize(
    ("holes", "what"),
    [
        ([square(9, 9, 1)[::-1]], "outside"),
        ([square(1, 1, 2)[::-1], square(1.5, 1.5, 0.5)[::-1]], "another hole"),
        ([square(1, 1, 1)], "wrong way"),
        ([square(1, 1, 1)[[0, 2, 1, 3]]], "crosses"),
        ([square(1, 1, 1)[:2]], "2 points"),
    ],
)
def test_holes(holes: list[np.ndarray], what: str) -> None:
    assert what in only(Level(Floors((Floor(square(), tuple(holes)),)))).what


def test_a_twisted_ramp_names_the_corner_and_its_right_height() -> None:
    outline = np.array([[0.0, 0, 0], [4, 0, 0], [4, 4, 2], [0, 4, 3]])
    fault = only(Level(Floors((Floor(outline, kind="ramp"),))))
    assert "not flat" in fault.what
    assert fault.at is not None
    assert "set z to" in fault.advice


def test_a_flat_ramp_is_sound() -> None:
    assert (
        find_faults(Level(Floors((Floor(np.array([[0.0, 0, 0], [4, 0, 0], [4, 4, 3], [0, 4, 3]]), kind="ramp"),))))
        == ()
    )


def test_numbers_that_are_not_finite_are_all_named() -> None:
    outline = square()
    outline[1, 0] = np.nan
    level = Level(
        Floors((Floor(outline),)),
        spawns=(Spawn((0.0, np.inf, 0.0), name="bob"),),
        obstacles=(Obstacle(square()[:, :2], z=np.nan),),
    )
    assert [fault.where for fault in find_faults(level)] == ["floors[0]", "obstacles[0]", "spawns[0] (bob)"]


def test_all_faults_come_at_once_errors_first() -> None:
    level = Level(
        Floors((Floor(square()[[0, 2, 1, 3]]), Floor(square()[[0, 0, 1, 2, 3]]))),
        obstacles=(Obstacle(square()[:2, :2]), Obstacle(square()[:, :2], height=0)),
        spawns=(Spawn((1.0, 1.0, 0.0), patrol="nort"),),
        patrols=(Patrol((PatrolStop((1.0, 1.0, 0.0)),), "north", loop_to=3), Patrol((), "south")),
        paths=(IntendedPath(square()[:1]),),
    )
    faults = find_faults(level)
    assert [fault.severity for fault in faults] == ["error"] * 7 + ["warning"]
    text = "\n".join(map(str, faults))
    for part in ("crosses", "2 points", "height is 0", "did you mean 'north'", "stop 3", "no stops", "1 points"):
        assert part in text, part


def test_a_wrong_name_does_not_hide_a_wrong_place() -> None:
    faults = find_faults(on_square(spawns=(Spawn((9.0, 9.0, 0.0), patrol="north"),)))
    assert ["patrol" in faults[0].what, "off the floor" in faults[1].what] == [True, True]


def test_overlapping_floors_of_one_storey_are_a_warning() -> None:
    level = Level(Floors((Floor(square()), Floor(square(2, 2)))))
    fault = only(level)
    assert fault.severity == "warning"
    assert "4 m²" in fault.what
    apart = Level(Floors((Floor(square()), Floor(square(4, 0)), Floor(square(2, 2, z=3), storey=1))))
    assert find_faults(apart) == ()


def test_a_spawn_off_the_floor_is_sent_to_the_nearest_place() -> None:
    fault = only(on_square(spawns=(Spawn((6.0, 2.0, 0.0), name="bob"),)))
    assert (fault.severity, fault.where, fault.at) == ("error", "spawns[0] (bob)", (6.0, 2.0, 0.0))
    assert "(4, 2, 0)" in fault.advice


def test_a_spawn_on_the_wrong_storey_is_off_the_floor() -> None:
    fault = only(on_square(spawns=(Spawn((2.0, 2.0, 3.0)),)))
    assert "(2, 2, 0)" in fault.advice


@pytest.mark.parametrize(
    ("things", "severity"),
    [
        ({"patrols": (Patrol((PatrolStop((9.0, 9.0, 0.0)),), "p"),)}, "error"),
        ({"hiding_places": (HidingPlace((9.0, 9.0, 0.0)),)}, "warning"),
        ({"markers": (Marker((9.0, 9.0, 0.0), "goal"),)}, "warning"),
    ],
)
def test_other_places_off_the_floor(things: dict[str, Any], severity: str) -> None:
    fault = only(on_square(**things))
    assert fault.severity == severity
    assert "(4, 4, 0)" in fault.advice


def test_a_spawn_inside_a_crate() -> None:
    fault = only(
        on_square(spawns=(Spawn((2.0, 2.0, 0.0)),), obstacles=(Obstacle(square(1, 1, 2)[:, :2], name="crate"),))
    )
    assert "inside obstacles[0] (crate)" in fault.what
    above = Obstacle(square(1, 1, 2)[:, :2], z=2.5)
    assert find_faults(on_square(spawns=(Spawn((2.0, 2.0, 0.0)),), obstacles=(above,))) == ()


@pytest.mark.parametrize("group", ["obstacles", "cover", "doors"])
def test_things_that_touch_no_floor_are_a_warning(group: str) -> None:
    make = Door if group == "doors" else Obstacle
    fault = only(on_square(**{group: (make(square(9, 9, 1)[:, :2]),)}))
    assert (fault.severity, fault.where) == ("warning", f"{group}[0]")


def test_names_given_twice() -> None:
    stop = (PatrolStop((1.0, 1.0, 0.0)),)
    assert only(on_square(patrols=(Patrol(stop, "p"), Patrol(stop, "p")))).severity == "error"
    spot = HidingPlace((1.0, 1.0, 0.0), "wardrobe")
    assert only(on_square(hiding_places=(spot, spot))).severity == "warning"
    unnamed = Patrol(stop)
    assert find_faults(on_square(patrols=(unnamed, unnamed))) == ()


@pytest.mark.parametrize(
    "spawn",
    [
        Spawn((1.0, 1.0, 0.0), speed=-1.0),
        Spawn((1.0, 1.0, 0.0), view_angle=7.0),
        Spawn((1.0, 1.0, 0.0), view_distance=-2.0),
    ],
)
def test_senses_out_of_range(spawn: Spawn) -> None:
    assert "leave it out" in only(on_square(spawns=(spawn,))).advice


@pytest.mark.parametrize(
    "surface",
    [
        Floors(()),
        Tiles(()),
        Tiles((TileFloor(np.zeros((3, 3), bool)),)),
        TriangleSoup(np.zeros((0, 3)), np.zeros((0, 3), int)),
        ConvexFaces(np.zeros((0, 3)), np.zeros(1, int), np.zeros(0, int)),
    ],
)
def test_nothing_to_walk_on(surface: Any) -> None:
    assert "nothing to walk on" in only(Level(surface)).what


def test_obstacles_that_cover_everything() -> None:
    level = on_square(obstacles=(Obstacle(square(-1, -1, 6)[:, :2]),))
    assert "cover every floor" in only(level).what
    assert find_faults(on_square(obstacles=(Obstacle(square(0, 0, 3.9)[:, :2]),))) == ()


def test_degenerate_triangles_are_counted_and_the_first_named() -> None:
    vertices = square()
    fault = only(Level(TriangleSoup(vertices, np.array([[0, 1, 2], [1, 1, 2], [0, 2, 2]]))))
    assert (fault.severity, fault.at) == ("warning", (4.0, 0.0, 0.0))
    assert "2 of 3 triangles" in fault.what
    assert "triangles[1]" in fault.what
    assert only(Level(TriangleSoup(vertices, np.array([[1, 1, 2]])))).severity == "error"


def test_a_mesh_of_walls_only_hints_at_the_up_axis() -> None:
    wall = np.array([[0.0, 0, 0], [4, 0, 0], [4, 0, 4]])
    fault = only(Level(TriangleSoup(wall, np.array([[0, 1, 2]]))))
    assert "set `up` to the other of y and z" in fault.advice


def test_a_mesh_turned_inside_out_has_nothing_to_stand_on() -> None:
    fault = only(Level(TriangleSoup(square(), np.array([[0, 2, 1], [0, 3, 2]]))))
    assert (fault.what, fault.severity) == ("no triangle faces up", "error")
    assert find_faults(Level(TriangleSoup(square(), np.array([[0, 2, 1], [0, 2, 3]])))) == ()


def faces(*rings: list[tuple[float, float]]) -> Level:
    vertices = np.array([(x, y, 0.0) for ring in rings for x, y in ring])
    return Level(ConvexFaces(vertices, np.cumsum([0, *map(len, rings)]), np.arange(len(vertices))))


def test_faces_convex_clockwise_flat_or_wound_twice() -> None:
    good = [(0.0, 0.0), (2.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
    dart = [(0.0, 0.0), (4.0, 0.0), (1.0, 1.0), (0.0, 4.0)]
    star = [(np.cos(4 * np.pi * k / 5), np.sin(4 * np.pi * k / 5)) for k in range(5)]
    line = [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]
    assert find_faults(faces(good)) == ()
    assert only(faces(good, dart)).where == "faces[1]"
    assert "clockwise" in only(faces(good[::-1])).what
    assert "not convex" in only(faces(good, star)).what
    assert "no area" in only(faces(good, line)).what
    assert "2 corners" in only(faces(good, good[:2])).what


def test_tiles_know_their_own_floor() -> None:
    passable = np.array([[True, False], [True, True]])
    on = TileFloor(passable, z=3.0, tile=2.0, origin_xy=(10.0, 10.0))
    sound = Spawn((11.0, 11.0, 3.0))
    edge = Spawn((12.0, 11.0, 3.0))
    wall = Spawn((13.0, 11.0, 3.0), name="stuck")
    fault = only(Level(Tiles((on,)), spawns=(sound, edge, wall)))
    assert fault.where == "spawns[2] (stuck)"
    assert "(11, 11, 3)" in fault.advice or "(13, 13, 3)" in fault.advice
    assert find_faults(Level(Tiles((on,)), obstacles=(Obstacle(square(11, 11, 1)[:, :2], z=3.0),))) == ()
    assert only(Level(Tiles((on,)), obstacles=(Obstacle(square(0, 0, 1)[:, :2], z=3.0),))).severity == "warning"


def test_a_ramp_between_tiles_is_floor_too() -> None:
    ramp = Floor(np.array([[3.0, 0, 0], [6, 0, 3], [6, 3, 3], [3, 3, 0]]), kind="ramp")
    tiles = Tiles((TileFloor(np.ones((3, 3), bool)),), (ramp,))
    assert find_faults(Level(tiles, spawns=(Spawn((4.5, 1.5, 1.5)),))) == ()
    assert "off the floor" in only(Level(tiles, spawns=(Spawn((5.9, 1.5, 0.0)),))).what


def test_triangles_and_faces_are_ground() -> None:
    soup = TriangleSoup(square(), np.array([[0, 1, 2], [2, 3, 0]]))
    assert find_faults(Level(soup, spawns=(Spawn((1.0, 3.0, 0.0)), Spawn((3.0, 1.0, 0.0))))) == ()
    ready = ConvexFaces(square(), np.array([0, 4]), np.arange(4))
    assert find_faults(Level(ready, spawns=(Spawn((1.0, 3.0, 0.0)), Spawn((3.0, 1.0, 0.0))))) == ()
    assert "(4, 2, 0)" in only(Level(ready, spawns=(Spawn((6.0, 2.0, 0.0)),))).advice


@pytest.mark.parametrize(
    ("size", "place", "severity"),
    [(0.5, 0.0, "warning"), (4.0, 4e6, "warning"), (4.0, 1e8, "error"), (4.0, 1e300, "error")],
)
def test_levels_in_other_units(size: float, place: float, severity: str) -> None:
    faults = find_faults(Level(TriangleSoup(square(place, 0, size), np.array([[0, 1, 2], [2, 3, 0]]))))
    assert faults[0].severity == severity
    assert "m from the origin" in faults[0].what or "m wide" in faults[0].what


def test_many_places_off_the_floor_are_counted() -> None:
    faults = find_faults(on_square(spawns=tuple(Spawn((9.0, float(k), 0.0)) for k in range(50))))
    assert len(faults) == 21
    assert "30 more" in faults[-1].what


@given(levels)
def test_whatever_is_drawn_gets_faults_and_no_crash(level: Level) -> None:
    for fault in find_faults(level):
        assert fault.what
        assert fault.advice
        assert fault.severity in ("error", "warning")
        assert str(fault)
