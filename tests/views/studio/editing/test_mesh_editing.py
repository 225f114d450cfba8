"""Meshes in the editor: a backdrop, and an overlay that is checked, saved next to the mesh, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import msgspec
import pytest
import trimesh
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lastseen.errors import InputError, LastSeenError, LevelError
from lastseen.level.read import read_level
from lastseen.views.studio.editing.level_files import (
    MOST_BYTES,
    Changed,
    check_drawing,
    open_drawing,
    save_drawing,
    save_overlay,
)
from lastseen.views.studio.editing.mesh_files import mesh_of
from lastseen.views.studio.session.folder import Folder, Uploads
from studio.server import PATIENCE, TOKEN, serving

HALL = """\
v 0 0 0\nv 10 0 0\nv 10 0 -8\nv 0 0 -8\nv 16 3 0\nv 16 3 -8\nv 24 3 0\nv 24 3 -8
f 1 2 3\nf 1 3 4\nf 2 5 6\nf 2 6 3\nf 5 7 8\nf 5 8 6
"""
"""A floor of 10 m x 8 m, a ramp up to z = 3 at x = 16, and a floor from there to x = 24."""


def overlay(*features: dict) -> bytes:
    header = {"version": 1, "name": "hall"}
    return json.dumps({"type": "FeatureCollection", "lastseen": header, "features": features}).encode()


def feature(kind: str, shape: str, coordinates: list, **properties: object) -> dict:
    geometry = {"type": shape, "coordinates": coordinates}
    return {"type": "Feature", "properties": {"kind": kind, **properties}, "geometry": geometry}


RING = [[[18, 1], [20, 1], [20, 3], [18, 3], [18, 1]]]
GUARD = feature("spawn", "Point", [13, 4, 0], name="Ames", who="guard", patrol="round")
EXIT = feature("marker", "Point", [20, 6, 0], marker="exit")
PATROL = feature("patrol", "LineString", [[13, 4, 0], [2, 4, 0]], name="round")
ZONE = feature("zone", "Polygon", RING, name="office", z=0, height=2, zone="restricted")
PLACED = overlay(GUARD, EXIT, PATROL, ZONE)
LOST = overlay(feature("spawn", "Point", [50, 4, 0], name="Lost", who="guard"))
FLOOR = overlay(feature("floor", "Polygon", RING))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "hall.obj").write_text(HALL)
    return Folder(tmp_path)


def test_a_mesh_opens_as_a_backdrop_with_its_overlay(folder):
    opened = open_drawing(folder, "hall.obj")
    assert (opened.title, opened.file, opened.digest) == ("hall", "hall.overlay.geojson", "")
    assert "hall.obj" in opened.note
    assert json.loads(bytes(opened.level))["features"] == []
    assert opened.backdrop.bounds == [0, 0, 24, 8]
    assert {shape.kind for shape in opened.backdrop.shapes} == {"floor"}
    heights = [storey.z for storey in opened.backdrop.storeys]
    assert heights == sorted(heights)
    assert all(shape.storey < len(heights) for shape in opened.backdrop.shapes)
    assert not (folder.root / "hall.overlay.geojson").exists()

    saved = save_overlay(folder, mesh_of(folder, "hall.obj"), PLACED, "")
    again = open_drawing(folder, "hall.obj")
    assert again.digest == saved.digest
    assert [one["properties"]["kind"] for one in json.loads(bytes(again.level))["features"]] == [
        "zone", "marker", "spawn", "patrol",
    ]  # fmt: skip
    assert again.backdrop == opened.backdrop


def test_what_is_saved_is_what_is_read_with_the_mesh_and_it_lies_on_the_floor(folder):
    mesh = mesh_of(folder, "hall.obj")
    saved = save_overlay(folder, mesh, PLACED, "")
    assert (saved.name, saved.errors, saved.warnings) == ("hall.overlay.geojson", 0, 0)
    found = read_level(folder.root / "hall.obj")
    assert found == mesh.settled(PLACED)
    assert found.spawns[0].xyz == (13.0, 4.0, 1.5)  # halfway up the ramp
    assert found.markers[0].xyz == (20.0, 6.0, 3.0)
    assert [stop.xyz for stop in found.patrols[0].stops] == [(13.0, 4.0, 1.5), (2.0, 4.0, 0.0)]
    assert (found.zones[0].z, found.zones[0].kind) == (3.0, "restricted")
    # Opening and saving it again changes nothing.
    before = (folder.root / "hall.overlay.geojson").read_bytes()
    opened = open_drawing(folder, "hall.obj")
    assert save_overlay(folder, mesh, bytes(opened.level), opened.digest).digest == opened.digest
    assert (folder.root / "hall.overlay.geojson").read_bytes() == before
    assert (folder.root / "hall.obj").read_text() == HALL


def test_a_glb_has_an_overlay_too(folder):
    trimesh.load(folder.root / "hall.obj").export(folder.root / "vault.glb")
    opened = open_drawing(folder, "vault.glb")
    assert (opened.file, opened.backdrop.bounds) == ("vault.overlay.geojson", [0, 0, 24, 8])
    save_overlay(folder, mesh_of(folder, "vault.glb"), PLACED, "")
    assert read_level(folder.root / "vault.glb").spawns[0].xyz == (13.0, 4.0, 1.5)
    assert read_level(folder.root / "hall.obj").spawns == ()


def test_faults_are_found_on_the_mesh(folder):
    mesh = mesh_of(folder, "hall.obj")
    assert check_drawing(PLACED, mesh) == []
    (fault,) = check_drawing(LOST, mesh)
    assert (fault.severity, fault.group, fault.number) == ("error", "spawns", 0)
    assert save_overlay(folder, mesh, LOST, "").errors == 1
    (fault,) = check_drawing(FLOOR, mesh)
    assert "floors" in fault.what
    broken = overlay(EXIT, feature("spawn", "Point", ["x", 4, 0]))
    (fault,) = check_drawing(broken, mesh)
    assert (fault.group, fault.number) == ("features", 1)


def test_a_changed_mesh_is_read_again(folder):
    moved = overlay(feature("spawn", "Point", [29, 4, 0], name="Ames", who="guard"))
    assert len(check_drawing(moved, mesh_of(folder, "hall.obj"))) == 1
    (folder.root / "hall.obj").write_text(HALL.replace("v 24", "v 32"))
    assert check_drawing(moved, mesh_of(folder, "hall.obj")) == []


def test_the_overlay_of_somebody_else_is_never_written_over_unseen(folder):
    mesh, place = mesh_of(folder, "hall.obj"), folder.root / "hall.overlay.geojson"
    first = save_overlay(folder, mesh, PLACED, "")
    with pytest.raises(Changed, match="already exists"):
        save_overlay(folder, mesh, LOST, "")
    place.write_bytes(LOST)
    with pytest.raises(Changed, match="has changed"):
        save_overlay(folder, mesh, PLACED, first.digest)
    assert place.read_bytes() == LOST
    place.unlink()
    with pytest.raises(Changed, match="is gone"):
        save_overlay(folder, mesh, PLACED, first.digest)
    assert not place.exists()


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{}", FLOOR, PLACED[:-9], PLACED.replace(b"13, 4", b"1e999, 4"), b" " * (MOST_BYTES + 1)],
    ids=["empty", "list", "nothing", "floor", "cut", "infinite", "huge"],
)
def test_what_is_no_overlay_is_refused_and_nothing_is_written(folder, data):
    with pytest.raises(LastSeenError):
        save_overlay(folder, mesh_of(folder, "hall.obj"), data, "")
    assert [path.name for path in folder.root.iterdir()] == ["hall.obj"]


NUMBERS = st.integers(-3, 30) | st.floats(-1e6, 1e6) | st.none()
PLACES = st.lists(st.lists(NUMBERS, max_size=4) | NUMBERS, max_size=5)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PLACES | st.lists(PLACES, max_size=2), NUMBERS, NUMBERS)
def test_anything_placed_is_answered_with_faults_or_saved_as_it_reads(folder, coordinates, z, height):
    mesh, place = mesh_of(folder, "hall.obj"), folder.root / "hall.overlay.geojson"
    place.unlink(missing_ok=True)
    shapes = (("Point", "spawn"), ("LineString", "patrol"), ("LineString", "path"), ("Polygon", "zone"))
    for shape, kind in shapes:
        data = overlay(feature(kind, shape, coordinates, **({"z": z, "height": height} if kind == "zone" else {})))
        try:
            faults = check_drawing(data, mesh)
            saved = save_overlay(folder, mesh, data, "")
        except LastSeenError:
            assert not place.exists()
            continue
        json.dumps(msgspec.to_builtins(faults), allow_nan=False)
        again = mesh.placed(place.read_bytes())
        assert again == mesh.settled(data) == mesh.settled(place.read_bytes())
        assert saved.errors == 0 or any(fault.severity == "error" for fault in faults)
        place.unlink()


def test_a_place_beyond_all_measure_is_a_fault(folder):
    far = overlay(feature("spawn", "Point", [0, 1.35e154, 0], name="Far", who="guard"))
    faults = check_drawing(far, mesh_of(folder, "hall.obj"))
    assert any("off the floor" in fault.what for fault in faults)


def test_a_damaged_overlay_is_reported_and_kept(folder):
    (folder.root / "hall.overlay.geojson").write_text("{")
    with pytest.raises(LevelError, match=r"hall\.overlay\.geojson"):
        open_drawing(folder, "hall.obj")
    assert (folder.root / "hall.overlay.geojson").read_text() == "{"


def test_nothing_is_read_or_written_outside_the_folder(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "secret.geojson"
    inside.mkdir()
    outside.write_bytes(PLACED)
    (tmp_path / "hall.obj").write_text(HALL)
    (inside / "hall.obj").write_text(HALL)
    (inside / "hall.overlay.geojson").symlink_to(outside)
    (inside / "away.obj").symlink_to(tmp_path / "hall.obj")
    folder = Folder(inside)
    for name in ("hall.obj", "away.obj", "../hall.obj", str(tmp_path / "hall.obj"), "none.obj", "", "x\0.obj"):
        with pytest.raises(InputError):
            mesh_of(folder, name)
        with pytest.raises(InputError):
            folder.level(name)
    assert outside.read_bytes() == PLACED
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hall.obj", "inside", "secret.geojson"]


def test_other_levels_and_uploads_have_no_overlay(folder, tmp_path):
    (folder.root / "room.txt").write_text("####\n#..#\n####\n")
    with pytest.raises(InputError, match="not a triangle mesh"):
        mesh_of(folder, "room.txt")
    uploads = Uploads()
    uploads.keep("mine.obj", HALL.encode())
    with pytest.raises(InputError, match="copy the mesh into the open folder"):
        open_drawing(Folder(tmp_path, uploads=lambda: uploads.folder), "uploaded/mine.obj")
    uploads.close()


def test_overlays_are_no_levels_of_their_own(folder):
    save_overlay(folder, mesh_of(folder, "hall.obj"), PLACED, "")
    own = [entry.name for entry in folder.menus().levels if entry.about == "your file"]
    assert own == ["hall.obj"]
    with pytest.raises(InputError, match="belongs to a mesh"):
        save_drawing(folder, "other.overlay", PLACED, "")


def test_a_mesh_no_one_can_walk_on_opens_too(tmp_path):
    (tmp_path / "post.obj").write_text("v 0 5 0\nv 0.1 5 0\nv 0.1 5 -0.1\nv 0 5 -0.1\nf 1 2 3\nf 1 3 4\n")
    assert open_drawing(Folder(tmp_path), "post.obj").backdrop.shapes


def test_a_page_opens_checks_and_saves_an_overlay(tmp_path):
    (tmp_path / "hall.obj").write_text(HALL)
    with serving(tmp_path) as served:

        def ask(way: str, data: bytes | None = None, **query: str) -> httpx.Response:
            method, address = "GET" if data is None else "POST", f"http://{served.host}/api/level{way}"
            params = {"token": TOKEN, **query}
            return httpx.request(method, address, params=params, content=data, timeout=PATIENCE, verify=False)

        opened = ask("", name="hall.obj").json()
        assert opened["backdrop"]["shapes"]
        assert ask("/check", PLACED, mesh="hall.obj").json() == {"type": "checked", "faults": []}
        saved = ask("/save", PLACED, mesh="hall.obj", name="../out", digest="").json()
        assert saved["name"] == "hall.overlay.geojson"
        assert ask("/save", PLACED, mesh="hall.obj", digest="").json()["type"] == "changed"
        for mesh in ("../hall.obj", "none.obj", "hall.overlay.geojson", "uploaded/hall.obj"):
            refused = ask("/save", PLACED, mesh=mesh, digest="")
            assert refused.status_code == 400, mesh
            assert refused.json()["message"]
            assert str(tmp_path) not in refused.json()["message"]
        assert len(read_level(Path(served.folder) / "hall.obj").spawns) == 1
