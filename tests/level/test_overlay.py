"""Overlays: what is placed on a mesh is read with it, in the library and on the command line."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from lastseen import Level
from lastseen.errors import LevelError
from lastseen.level.features import Marker, Patrol, PatrolStop, Spawn, Zone
from lastseen.level.level import same
from lastseen.level.write import to_geojson
from lastseen.views.cli.app.main import cli

FLOOR = "v 0 0 0\nv 10 0 0\nv 10 0 -8\nv 0 0 -8\nf 1 2 3\nf 1 3 4\n"
PLACED = {
    "spawns": (Spawn((2.0, 3.0, 0.0), "guard", "Ames", 0.5, patrol="round"),),
    "patrols": (Patrol((PatrolStop((2.0, 3.0, 0.0)), PatrolStop((8.0, 3.0, 0.0), "wait", 2.0)), "round"),),
    "markers": (Marker((9.0, 7.0, 0.0), "exit", "gate"),),
    "zones": (Zone(np.array([(1.0, 1.0), (4.0, 1.0), (4.0, 4.0)]), 0.0, 3.0, "office", kind="restricted"),),
}


def to_overlay(level: Level) -> bytes:
    """What is placed on a level, without its floor, as a designer may write it."""
    tree = json.loads(to_geojson(level))
    tree["features"] = [one for one in tree["features"] if one["properties"]["kind"] != "triangles"]
    return json.dumps({"type": "FeatureCollection", "features": tree["features"]}).encode()


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
