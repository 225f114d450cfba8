"""Levels drawn in the page: opened as outlines, checked by the same rules, saved into one folder and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import msgspec
import numpy as np
import pytest
import shapely
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lastseen.errors import InputError, LastSeenError, LevelError
from lastseen.level.features import Spawn
from lastseen.level.level import Floors, Level, TileFloor, Tiles
from lastseen.level.read import read_level
from lastseen.level.readers import geojson
from lastseen.level.samples import SAMPLES, sample
from lastseen.level.tile_outlines import traced
from lastseen.level.write import to_geojson
from lastseen.views.cli.app.main import cli
from lastseen.views.studio.editing.level_files import MOST_BYTES, Changed, check_drawing, open_drawing, save_drawing
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.stage import stage_of_level
from studio.server import PATIENCE, TOKEN, serving

ROOM = (
    b'{"type":"FeatureCollection","lastseen":{"version":1,"name":"room"},"features":['
    b'{"type":"Feature","properties":{"kind":"floor","storey":0},"geometry":{"type":"Polygon",'
    b'"coordinates":[[[0,0,0],[8,0,0],[8,6,0],[0,6,0],[0,0,0]]]}},'
    b'{"type":"Feature","properties":{"kind":"spawn","name":"Anna","who":"guard"},'
    b'"geometry":{"type":"Point","coordinates":[2,2,0]}}]}'
)
OUTSIDE = ROOM.replace(b"[2,2,0]", b"[20,2,0]")
CROSSED = ROOM.replace(b"[8,6,0],[0,6,0]", b"[0,6,0],[8,6,0]")


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "complex"])
def test_tiles_become_outlines_that_cover_the_same_place(name):
    level, drawn = sample(name), traced(sample(name))
    assert isinstance(drawn.surface, Floors)
    if isinstance(level.surface, Tiles):
        (tiles,) = level.surface.floors
        plans = shapely.union_all([shapely.Polygon(f.outline_xyz, f.holes_xyz) for f in drawn.surface.polygons])
        rows, columns = tiles.passable.shape
        across, down = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
        np.testing.assert_array_equal(shapely.contains_xy(plans, across, down), tiles.passable)
        assert [s.xyz for s in level.spawns] == [s.xyz for s in drawn.spawns]
        again = geojson.read(to_geojson(drawn), "drawn")
        assert again.is_drawn_down  # as the tiles were
        assert again == drawn
    assert check_drawing(to_geojson(drawn)) == []
    assert len(stage_of_level(drawn, name).layout.arrays.cell_xyz) > 50


def test_who_looks_down_the_picture_still_does_after_tiles_were_joined():
    level = Level(Tiles((TileFloor(np.ones((4, 6), bool)),)), spawns=(Spawn((1.5, 0.5, 0.0), heading=np.pi / 2),))
    drawn = traced(level)
    assert drawn.y_down
    assert drawn.spawns == level.spawns


def test_a_sample_is_opened_as_a_copy_and_an_own_file_as_itself(tmp_path):
    own = to_geojson(sample("house"))
    (tmp_path / "mine.geojson").write_bytes(own)
    (tmp_path / "rooms copy.geojson").write_bytes(own)
    copy, mine = open_drawing(Folder(tmp_path), "rooms"), open_drawing(Folder(tmp_path), "mine.geojson")
    assert (copy.file, copy.digest) == ("rooms copy 2.geojson", "")
    assert "copy" in copy.note
    assert mine.file == "mine.geojson"
    assert len(mine.digest) == 64
    assert mine.note == ""
    assert geojson.read(bytes(mine.level), "mine") == sample("house")


@pytest.mark.parametrize(("name", "copy"), [("a (1).geojson", "a _1_ copy.geojson"), ("-x.geojson", "x copy.geojson")])
def test_a_file_whose_name_cannot_be_saved_is_opened_as_a_copy(tmp_path, name, copy):
    (tmp_path / name).write_bytes(ROOM)
    opened = open_drawing(Folder(tmp_path), name)
    assert (opened.file, opened.digest) == (copy, "")
    assert save_drawing(Folder(tmp_path), copy, ROOM, "").name == copy


def test_a_faulty_level_can_be_opened_to_be_mended_but_not_one_that_cannot_be_read(tmp_path):
    (tmp_path / "crossed.geojson").write_bytes(CROSSED)
    (tmp_path / "broken.geojson").write_bytes(ROOM[:-10])
    (tmp_path / "ready.mesh").write_text("mesh\n2\n3 1\n0 0 1 0\n4 0 1 0\n4 4 1 0\n3 0 1 2 -1 -1 -1\n")
    assert open_drawing(Folder(tmp_path), "crossed.geojson").digest
    with pytest.raises(LevelError, match="invalid JSON"):
        open_drawing(Folder(tmp_path), "broken.geojson")
    with pytest.raises(InputError, match="can be played"):
        open_drawing(Folder(tmp_path), "ready.mesh")


def test_faults_are_those_of_the_command_line(tmp_path):
    for number, data in enumerate((ROOM, OUTSIDE, CROSSED, ROOM.replace(b'"floor"', b'"flor"'))):
        place = tmp_path / f"{number}.geojson"
        place.write_bytes(data)
        said = CliRunner().invoke(cli, ["level", "check", str(place), "--json"]).output
        found = [msgspec.structs.replace(fault, group="", number=-1) for fault in check_drawing(data)]
        assert msgspec.to_builtins(found) == json.loads(said)["files"][0]["faults"]
    (fault,) = check_drawing(OUTSIDE)
    assert (fault.where, fault.group, fault.number) == ("spawns[0] (Anna)", "spawns", 0)
    assert fault.at == [20.0, 2.0, 0.0]


def test_objects_that_share_a_name_are_marked_at_the_last():
    tree = json.loads(OUTSIDE)
    tree["features"].append(tree["features"][-1])
    faults = [fault for fault in check_drawing(json.dumps(tree).encode()) if "are named" in fault.what]
    assert [(fault.where, fault.group, fault.number) for fault in faults] == [("", "spawns", 1)]


def test_what_is_saved_reads_back_equal_and_its_digest_lets_one_save_again(tmp_path):
    folder = Folder(tmp_path)
    first = save_drawing(folder, "room", ROOM, "")
    assert (first.name, first.errors, first.warnings) == ("room.geojson", 0, 0)
    assert read_level(tmp_path / "room.geojson") == geojson.read(ROOM, "")
    second = save_drawing(folder, "room.geojson", OUTSIDE, first.digest)
    assert second.errors == 1
    assert second.digest != first.digest
    assert list(tmp_path.iterdir()) == [tmp_path / "room.geojson"]


def test_the_change_of_somebody_else_is_never_written_over_unseen(tmp_path):
    folder, place = Folder(tmp_path), tmp_path / "room.geojson"
    first = save_drawing(folder, "room", ROOM, "")
    with pytest.raises(Changed, match="already exists"):
        save_drawing(folder, "room", OUTSIDE, "")
    place.write_bytes(CROSSED)
    with pytest.raises(Changed, match="has changed") as changed:
        save_drawing(folder, "room", OUTSIDE, first.digest)
    assert place.read_bytes() == CROSSED
    save_drawing(folder, "room", OUTSIDE, changed.value.digest)
    place.unlink()
    with pytest.raises(Changed, match="is gone") as gone:
        save_drawing(folder, "room", ROOM, first.digest)
    assert gone.value.digest == ""
    assert not place.exists()


@pytest.mark.parametrize(
    "name", ["../out", "a/b", "/etc/x", "..", "", "con", "x\0y", ".hidden", "uploaded/x", "a\\b", "x" * 200, "a:b"]
)
def test_no_name_leads_out_of_the_folder(tmp_path, name):
    inside = tmp_path / "inside"
    inside.mkdir()
    with pytest.raises(InputError):
        save_drawing(Folder(inside), name, ROOM, "")
    assert [path.name for path in tmp_path.rglob("*")] == ["inside"]


def test_no_link_is_written_through(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside.geojson"
    inside.mkdir()
    outside.write_bytes(ROOM)
    (inside / "away.geojson").symlink_to(outside)
    (inside / "other.rec").write_bytes(b"not a level")
    (inside / "near.geojson").symlink_to(inside / "other.rec")
    (inside / "nowhere.geojson").symlink_to(tmp_path / "new.geojson")
    for name in ("away", "near", "nowhere"):
        with pytest.raises(InputError):
            save_drawing(Folder(inside), name, OUTSIDE, "")
    assert outside.read_bytes() == ROOM
    assert (inside / "other.rec").read_bytes() == b"not a level"
    assert not (tmp_path / "new.geojson").exists()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"not json",
        b'{"type":"FeatureCollection","features":7}',
        ROOM.replace(b'"floor"', b'"flor"'),
        ROOM.replace(b"[2,2,0]", b"[2,null,0]"),
        ROOM.replace(b"[2,2,0]", b"[2,1e999,0]"),
        to_geojson(sample("rooms")),
        b" " * (MOST_BYTES + 1),
        b"[" * 100_000,
    ],
    ids=["empty", "list", "text", "no list", "kind", "null", "infinite", "tiles", "huge", "deep"],
)
def test_what_is_no_drawing_is_refused_and_nothing_is_written(tmp_path, data):
    with pytest.raises(LastSeenError):
        save_drawing(Folder(tmp_path), "room", data, "")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_that_name_is_not_replaced(tmp_path):
    (tmp_path / "room.geojson").mkdir()
    with pytest.raises(InputError, match="cannot be replaced"):
        save_drawing(Folder(tmp_path), "room", ROOM, "")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.recursive(st.none() | st.floats() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=4)))
def test_any_coordinates_are_answered_with_faults_or_refused(coordinates):
    tree = json.loads(ROOM)
    tree["features"][0]["geometry"]["coordinates"] = coordinates
    data = json.dumps(tree).encode()
    try:
        faults = check_drawing(data)
    except LastSeenError:
        return
    assert all(fault.what and fault.advice for fault in faults)
    json.dumps(msgspec.to_builtins(faults), allow_nan=False)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("drawn")) as found:
        yield found


def ask(served, way: str, data: bytes | None = None, *, token: str = TOKEN, **query: str) -> httpx.Response:
    address = f"http://{served.host}/api/level{way}"
    params = {"token": token, **query}
    # Loading certificates, which are not needed here, would take longer than most answers.
    return httpx.request(
        "GET" if data is None else "POST", address, params=params, content=data, timeout=PATIENCE, verify=False
    )


def test_a_page_opens_checks_and_saves_a_level(served):
    opened = ask(served, "", name="rooms").json()
    drawing = json.dumps(opened["level"]).encode()
    assert ask(served, "/check", drawing).json() == {"type": "checked", "faults": []}
    saved = ask(served, "/save", drawing, name="mine", digest="").json()
    assert saved["name"] == "mine.geojson"
    assert {"name": "mine.geojson", "about": "your file"} in saved["levels"]
    assert read_level(Path(served.folder) / "mine.geojson") == traced(sample("rooms"))
    again = ask(served, "/save", drawing, name="mine", digest="").json()
    assert again["type"] == "changed"
    assert again["digest"] == saved["digest"] == ask(served, "", name="mine.geojson").json()["digest"]


def test_strangers_and_bad_drawings_are_refused_in_words(served):
    for way, data in (("", None), ("/check", ROOM), ("/save", ROOM)):
        assert ask(served, way, data, token="wrong", name="stranger").status_code == 401
    assert not (Path(served.folder) / "stranger.geojson").exists()
    for way, data, name in (
        ("", None, "../secret.geojson"),
        ("", None, "nothing.geojson"),
        ("/save", ROOM, "../out"),
        ("/save", b"{}", "bad"),
        ("/save", b" " * (MOST_BYTES + 1), "huge"),
        ("/check", b" " * (MOST_BYTES + 1), ""),
    ):
        refused = ask(served, way, data, name=name)
        assert refused.status_code == 400, (way, name)
        assert refused.json()["type"] == "error"
        assert refused.json()["message"]
    assert ask(served, "/check", CROSSED).json()["faults"][0]["severity"] == "error"
