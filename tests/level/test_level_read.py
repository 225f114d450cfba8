"""A file is read by what is in it; whatever is wrong with it is told, all at once."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lastseen.errors import InputError, LevelError
from lastseen.level import read
from lastseen.level.level import ConvexFaces, Floors, Level, Tiles, TriangleSoup, same
from lastseen.level.read import inspect_level, level_kinds, read_level
from lastseen.level.samples import sample
from lastseen.level.write import to_geojson

TRIANGLE = b"v 0 0 0\nv 4 0 0\nv 0 0 -4\nf 1 2 3\n"
TEXT = b"######\n#....#\n#....#\n######\n"
GRID = b"type octile\nheight 3\nwidth 3\nmap\n...\n.@.\n...\n"
POLYANYA = b"mesh\n2\n3 1\n0 0 2 0 -1\n4 0 2 0 -1\n0 4 2 0 -1\n3 0 1 2 -1 -1 -1\n"


@pytest.mark.parametrize("suffix", ["", ".geojson", ".map", ".obj", ".txt", ".xyz"])
@pytest.mark.parametrize(
    ("data", "surface"),
    [
        (TRIANGLE, TriangleSoup),
        (TEXT, Tiles),
        (GRID, Tiles),
        (POLYANYA, ConvexFaces),
        (to_geojson(sample("house")), Floors),
    ],
)
def test_content_decides_whatever_the_suffix(data: bytes, surface: type, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"level{suffix}"
    path.write_bytes(data)
    level = read_level(path)
    assert isinstance(level.surface, surface)
    assert level.source == str(path)


def test_the_kind_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "level"
    path.write_bytes(TRIANGLE)
    assert isinstance(read_level(path, kind="mesh").surface, TriangleSoup)
    with pytest.raises(LevelError, match="JSON"):
        read_level(path, kind="geojson")
    with pytest.raises(InputError, match="did you mean 'geojson'"):
        read_level(path, kind="geojsn")


def test_up_turns_meshes_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "level"
    path.write_bytes(TRIANGLE)
    assert read_level(path).surface.vertices_xyz.tolist() == [[0, 0, 0], [4, 0, 0], [0, 4, 0]]  # type: ignore[union-attr]
    level, faults = inspect_level(path, up="z")
    assert level is not None
    assert "vertical" in faults[0].what
    path.write_bytes(TEXT)
    with pytest.raises(InputError, match="only triangle meshes"):
        read_level(path, up="y")


def problem(path: Path) -> str:
    with pytest.raises(LevelError) as error:
        read_level(path)
    assert error.value.source == str(path)
    level, faults = inspect_level(path)
    assert level is None
    assert faults == error.value.faults
    assert all(fault.advice for fault in faults)
    return str(error.value)


def test_a_missing_file_suggests_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "house.geojson").write_bytes(b"x")
    assert "did you mean 'house.geojson'" in problem(tmp_path / "huose.geojson")
    assert "no such file" in problem(tmp_path / "absent" / "level")


def test_folders_devices_and_odd_names(tmp_path: Path) -> None:
    assert "folder" in problem(tmp_path)
    assert "cannot be read" in problem(tmp_path / ("x" * 5000))
    with pytest.raises(LevelError, match="cannot be read"):
        read_level("bad\0name")
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
        assert "ordinary file" in problem(tmp_path / "pipe")


@pytest.mark.parametrize("data", [b"", b" \n\n\t", b"\xef\xbb\xbf", b"\0" * 100])
def test_an_empty_file(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "level").write_bytes(data)
    assert "empty" in problem(tmp_path / "level")


def test_content_of_no_known_kind(tmp_path: Path) -> None:
    (tmp_path / "level.bin").write_bytes(bytes(range(256)) * 4)
    message = problem(tmp_path / "level.bin")
    assert all(kind in message for kind in level_kinds())
    (tmp_path / "level.geojson").write_bytes(b"\xff\xfe broken")
    assert "UTF-8" in problem(tmp_path / "level.geojson")


def test_a_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "level.glb"
    with path.open("wb") as file:
        file.truncate(2**33)
    assert "8,192 MiB" in problem(path)


def test_text_has_a_lower_limit_than_meshes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "MAX_TEXT_BYTES", 20)
    (tmp_path / "level").write_bytes(TEXT)
    assert "MiB" in problem(tmp_path / "level")
    (tmp_path / "mesh").write_bytes(TRIANGLE)
    assert read_level(tmp_path / "mesh").name == "mesh"


def test_geometry_faults_raise_and_warnings_do_not(tmp_path: Path) -> None:
    path = tmp_path / "level.geojson"
    tie = b'{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[4,4],[4,0],[0,4],[0,0]]]}}'
    path.write_bytes(tie)
    with pytest.raises(LevelError, match=r"floors\[0\] at \(2, 2\): the outline crosses"):
        read_level(path)
    path.write_bytes(tie.replace(b"[4,4],[4,0],[0,4]", b"[4,0],[4,0],[0,4]"))
    level, faults = inspect_level(path)
    assert [fault.severity for fault in faults] == ["warning"]
    assert read_level(path) == level


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "surface"),
    [
        ("gram/Smith1_controller.json", Floors),
        ("movingai/brc202d.map", Tiles),
        ("polyanya/arena-merged.mesh", ConvexFaces),
        ("recast/dungeon.obj", TriangleSoup),
    ],
)
def test_real_files(name: str, surface: type, data: Path) -> None:
    level, faults = inspect_level(data / name)
    assert level is not None
    assert isinstance(level.surface, surface)
    assert faults == ()


def test_a_text_is_read_as_its_file_would_be(tmp_path):
    for name, text in (("two.txt", "####\n#.P#\n####\n"), ("two.geojson", to_geojson(sample("rooms")).decode())):
        (tmp_path / name).write_text(text, encoding="utf-8")
        read, parsed = Level.read(tmp_path / name), Level.from_text(text)
        assert same(replace(read, name="", source=""), replace(parsed, name="", source=""))
        assert same(parsed, Level.from_text(text.encode()))
    with pytest.raises(LevelError, match="empty"):
        Level.from_text("  \n")
    with pytest.raises(InputError, match="read_level"):
        Level.from_text(Path("two.txt"))
    with pytest.raises(InputError, match="kind"):
        Level.from_text("#.#", kind="cheese")
