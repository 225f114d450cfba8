"""Overlays: what is placed on a mesh is read with it, in the library and on the command line."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from lastseen import Level
from lastseen.errors import LevelError
from lastseen.level.features import Door, HidingPlace, IntendedPath, Marker, Obstacle, Patrol, PatrolStop, Spawn, Zone
from lastseen.level.level import same
from lastseen.level.overlay import settled
from lastseen.level.write import to_overlay
from lastseen.views.cli.app.main import cli

FLOOR = "v 0 0 0\nv 10 0 0\nv 10 0 -8\nv 0 0 -8\nf 1 2 3\nf 1 3 4\n"
PLACED = {
    "spawns": (Spawn((2.0, 3.0, 0.0), "guard", "Ames", 0.5, patrol="round"),),
    "patrols": (Patrol((PatrolStop((2.0, 3.0, 0.0)), PatrolStop((8.0, 3.0, 0.0), "wait", 2.0)), "round"),),
    "markers": (Marker((9.0, 7.0, 0.0), "exit", "gate"),),
    "zones": (Zone(np.array([(1.0, 1.0), (4.0, 1.0), (4.0, 4.0)]), 0.0, 3.0, "office", kind="restricted"),),
}
MORE = {
    "obstacles": (Obstacle(np.array([(5.0, 5.0), (6.0, 5.0), (6.0, 6.0)]), 0.0, 2.0, "crate"),),
    "cover": (Obstacle(np.array([(7.0, 1.0), (8.0, 1.0), (8.0, 2.0)]), 0.0, 1.0),),
    "doors": (Door(np.array([(5.0, 1.0), (5.2, 1.0), (5.2, 2.0)]), 0.0, 3.0, "front", open=False, locked=True),),
    "hiding_places": (HidingPlace((1.0, 7.0, 0.0), "locker", 1.0, 2),),
    "paths": (IntendedPath(np.array([(1.0, 1.0, 0.0), (9.0, 7.0, 0.0)]), "way"),),
}


@pytest.fixture
def mesh(tmp_path):
    place = tmp_path / "hall.obj"
    place.write_text(FLOOR)
    return place


def test_what_an_overlay_places_is_read_with_its_mesh(mesh):
    bare = Level.read(mesh)
    assert bare.spawns == ()
    text = to_overlay(replace(bare, **PLACED))
    assert b"triangles" not in text
    (mesh.parent / "hall.overlay.geojson").write_bytes(text)
    found = Level.read(mesh)
    for name, placed in PLACED.items():
        assert same(getattr(found, name), placed), name
    assert same(found.surface, bare.surface)


def test_the_command_line_reads_it_too(mesh):
    (mesh.parent / "hall.overlay.geojson").write_bytes(to_overlay(replace(Level.read(mesh), **PLACED)))
    told = CliRunner().invoke(cli, ["level", "check", str(mesh), "--json"])
    assert told.exit_code == 0, told.output
    outside = replace(Level.read(mesh), spawns=(Spawn((50.0, 3.0, 0.0), "guard", "Lost"),))
    (mesh.parent / "hall.overlay.geojson").write_bytes(to_overlay(outside))
    assert "Lost" in CliRunner().invoke(cli, ["level", "check", str(mesh)]).output


@pytest.mark.parametrize("text", ["{", "[]", "", json.dumps({"type": "FeatureCollection"})])
def test_a_damaged_overlay_is_reported_with_its_name(mesh, text):
    (mesh.parent / "hall.overlay.geojson").write_text(text)
    with pytest.raises(LevelError, match=r"hall\.overlay\.geojson"):
        Level.read(mesh)


def test_an_overlay_with_floors_is_refused(mesh):
    ring = [[[0, 0], [1, 0], [1, 1], [0, 0]]]
    floor = {"type": "Feature", "properties": {"kind": "floor"}, "geometry": {"type": "Polygon", "coordinates": ring}}
    text = json.dumps({"type": "FeatureCollection", "features": [floor]})
    (mesh.parent / "hall.overlay.geojson").write_text(text)
    with pytest.raises(LevelError, match="floors"):
        Level.read(mesh)


def test_other_levels_have_no_overlay(tmp_path):
    (tmp_path / "room.txt").write_text("####\n#..#\n####\n")
    (tmp_path / "room.overlay.geojson").write_text("{")
    assert Level.read(tmp_path / "room.txt").spawns == ()


def test_an_overlay_holds_everything_but_the_floor(mesh):
    full = replace(Level.read(mesh), **PLACED, **MORE)
    (mesh.parent / "hall.overlay.geojson").write_bytes(to_overlay(full))
    assert Level.read(mesh) == full
    (mesh.parent / "hall.overlay.geojson").write_bytes(to_overlay(Level.read(mesh)))
    assert Level.read(mesh) == full


TWO_FLOORS = Level.from_mesh(
    # A floor at z = 0, a ramp from 0 to 3 along x from 10 to 16, and a slab from 2.8 to 3 above the left half.
    [
        *[(0, 0, 0), (10, 0, 0), (10, 8, 0), (0, 8, 0), (16, 0, 3), (16, 8, 3)],
        *[(0, 0, 3), (5, 0, 3), (5, 8, 3), (0, 8, 3), (0, 0, 2.8), (5, 0, 2.8), (5, 8, 2.8), (0, 8, 2.8)],
    ],
    [(0, 1, 2), (0, 2, 3), (1, 4, 5), (1, 5, 2), (6, 7, 8), (6, 8, 9), (10, 12, 11), (10, 13, 12)],
)


@pytest.mark.parametrize(
    ("given", "height"),
    [
        ((2, 2, 0.4), 0.0),
        ((2, 2, 1.4), 0.0),
        ((2, 2, 1.6), 3.0),  # the underside of the slab is no floor
        ((2, 2, 9.0), 3.0),
        ((13, 4, 0.0), 1.5),
        ((13, 4, 3.0), 1.5),
        ((10, 4, 2.0), 0.0),  # on the edge of the ramp
        ((20, 4, 1.25), 1.25),  # off the floor
    ],
)
def test_what_is_placed_settles_on_the_nearest_floor(given, height):
    placed = settled(replace(TWO_FLOORS, spawns=(Spawn(given, name="Ames"),)))
    assert placed.spawns[0].xyz == (*given[:2], height)
    assert settled(placed) == placed


def test_every_kind_settles_on_its_own_place():
    level = replace(
        TWO_FLOORS,
        hiding_places=(HidingPlace((1, 1, 2.5)),),
        markers=(Marker((11, 1, 0), "exit"),),
        spawns=(Spawn((12, 1, 0)), Spawn((2, 2, 0.1))),
        patrols=(Patrol((PatrolStop((14, 1, 0)), PatrolStop((1, 1, 5), "wait", 2.0)), "round"),),
        paths=(IntendedPath(np.array([(12.0, 2, 0), (16, 2, 0)]), "way", np.array([0.0, 3.0])),),
    )
    found = settled(level)
    heights = [one.xyz[2] for one in (*found.hiding_places, *found.markers, *found.spawns, *found.patrols[0].stops)]
    assert heights == [3.0, 0.5, 1.0, 0.0, 2.0, 3.0]
    assert found.paths[0].points_xyz.tolist() == [[12, 2, 1], [16, 2, 3]]
    assert found.paths[0].seconds.tolist() == [0, 3]
    assert found.patrols[0].stops[1].seconds == 2.0
    assert settled(TWO_FLOORS) == TWO_FLOORS


def box(x: float, y: float) -> np.ndarray:
    return np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])


def test_what_stands_keeps_its_base_unless_it_misses_the_floor():
    zones = (
        Zone(box(1, 1), -0.5, 2.0, "below"),
        Zone(box(1, 1), 1.0, 1.0, "between"),
        Zone(box(7, 1), 9.0, 2.0, "above"),
        Zone(box(14, 1), 0.0, 1.5, "ramp"),
        Zone(box(30, 1), 7.0, 1.0, "nowhere"),
    )
    doors = (Door(box(12, 4), 5.0, 2.0, "gate", open=False),)
    found = settled(replace(TWO_FLOORS, zones=zones, doors=doors))
    assert [zone.z for zone in found.zones] == [-0.5, 0.0, 0.0, 2.0, 7.0]
    assert (found.doors[0].z, found.doors[0].open) == (1.5, False)
    assert settled(found) == found
