"""A file is written whole or not at all."""

from __future__ import annotations

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
