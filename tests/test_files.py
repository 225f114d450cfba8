"""A file is written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lastseen.errors import InputError
from lastseen.files import atomic_write


def test_writes_and_replaces_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "level.geojson"
    atomic_write(path, b"first and longer")
    atomic_write(str(path), b"second")
    assert path.read_bytes() == b"second"
    assert [entry.name for entry in tmp_path.iterdir()] == ["level.geojson"]


def test_keeps_the_permissions_of_the_file_it_replaces(tmp_path: Path) -> None:
    path = tmp_path / "level"
    path.write_bytes(b"old")
    path.chmod(0o640)
    atomic_write(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o640


def test_follows_a_link_instead_of_replacing_it(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to(real)
    atomic_write(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_replaces_a_link_itself_where_told_not_to_follow_it(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to(real)
    atomic_write(link, b"new", follow=False)
    assert not link.is_symlink()
    assert (link.read_bytes(), real.read_bytes()) == (b"new", b"old")


@pytest.mark.parametrize("name", ["", "absent/level", "bad\0name"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot write"):
        atomic_write(f"{tmp_path}/{name}", b"x")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "level"
    path.write_bytes(b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InputError, match="No space left"):
        atomic_write(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["level"]


WRITER = """
import os, sys
from lastseen import files
os.fsync = lambda handle: (print("writing", flush=True), sys.stdin.read())  # until told to go on
files.atomic_write(sys.argv[1], b"new")
"""


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Yield a process in the middle of a write; its part looks as if it had been begun long ago."""
    command = [sys.executable, "-c", WRITER, str(tmp_path / "level")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        for part in parts_in(tmp_path):
            os.utime(part, (1e9, 1e9))
        try:
            yield process
        finally:
            process.kill()


def parts_in(folder: Path) -> list[Path]:
    return sorted(folder.glob(".*.lastseen.part"))


@pytest.fixture(autouse=True)
def fresh_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each test begin as a process does that has not written anywhere yet."""
    monkeypatch.setattr("lastseen.files._swept", set())


def test_what_a_killed_process_left_is_removed_by_the_next_write(tmp_path: Path, writer: subprocess.Popen[str]) -> None:
    assert len(parts_in(tmp_path)) == 1
    writer.kill()
    writer.wait()
    atomic_write(tmp_path / "other", b"other")
    assert [entry.name for entry in tmp_path.iterdir()] == ["other"]


def test_the_part_of_a_running_process_is_left_to_it(tmp_path: Path, writer: subprocess.Popen[str]) -> None:
    atomic_write(tmp_path / "other", b"other")
    assert len(parts_in(tmp_path)) == 1
    writer.communicate("")
    assert writer.returncode == 0
    assert (tmp_path / "level").read_bytes() == b"new"
    assert parts_in(tmp_path) == []


def test_young_parts_and_foreign_files_stay(tmp_path: Path) -> None:
    young, folder = tmp_path / ".a.abcdefgh.lastseen.part", tmp_path / ".b.abcdefgh.lastseen.part"
    link, foreign = tmp_path / ".c.abcdefgh.lastseen.part", tmp_path / ".other.abcdefgh.part"
    recording = tmp_path / "run.rec.part"
    folder.mkdir()
    link.symlink_to(foreign)
    for one in (young, foreign, recording):
        one.write_bytes(b"x")
    for one in (folder, foreign, recording):
        os.utime(one, (1e9, 1e9))
    os.utime(link, (1e9, 1e9), follow_symlinks=False)
    atomic_write(tmp_path / "level", b"new")
    assert {young, folder, link, foreign, recording, tmp_path / "level"} == set(tmp_path.iterdir())


def test_parts_of_earlier_versions_are_removed_after_a_day(tmp_path: Path) -> None:
    """They have no locks: age says that they are stale, and the file they were to become that they are ours."""
    day = 24 * 3600.0
    ages = {
        ".level.abcdefgh.part": day + 60.0,
        ".there.12345_78.part": day + 60.0,
        ".level.stuvwxyz.part": day - 60.0,
        ".gone.abcdefgh.part": day + 60.0,
        ".level.abcdefghi.part": day + 60.0,
        "level.abcdefgh.part": day + 60.0,
        "there": 0.0,
    }
    for name, age in ages.items():
        (tmp_path / name).write_bytes(b"x")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    atomic_write(tmp_path / "level", b"new")
    removed = set(ages) - {one.name for one in tmp_path.iterdir()}
    assert removed == {".level.abcdefgh.part", ".there.12345_78.part"}


def test_a_private_file_is_for_this_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_bytes(b"old")
    path.chmod(0o644)
    atomic_write(path, b"new", private=True)
    assert path.stat().st_mode & 0o777 == 0o600
