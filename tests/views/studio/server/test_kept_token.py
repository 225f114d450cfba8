"""A restarted studio accepts its old pages; no other program can read the token."""

from __future__ import annotations

import os
import stat
import time

import pytest

from lastseen.views.studio.server.security import KEPT_SECONDS, kept_token


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.delenv("LASTSEEN_STUDIO_TOKEN", raising=False)
    return tmp_path / "cache" / "tokens"


def test_the_token_is_kept_for_a_folder_and_a_port(tmp_path, home):
    first = kept_token(tmp_path, 8765, home)
    assert len(first) >= 22
    assert kept_token(tmp_path, 8765, home) == first
    assert kept_token(tmp_path, 8766, home) != first
    assert kept_token(tmp_path / "other", 8765, home) != first


def test_only_the_user_can_read_it(tmp_path, home):
    kept_token(tmp_path, 8765, home)
    (file,) = home.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def loosen(file):
    file.chmod(0o644)


def lengthen(file):
    file.write_bytes(b"x" * 10_000)


def link(file):
    other = file.parent.parent / "elsewhere"
    file.rename(other)
    file.symlink_to(other)


def age(file):
    old = time.time() - KEPT_SECONDS - 60.0
    os.utime(file, (old, old))


@pytest.mark.parametrize("change", [loosen, lengthen, link, age])
def test_a_file_that_is_not_just_ours_and_young_is_not_used(tmp_path, home, change):
    first = kept_token(tmp_path, 8765, home)
    change(next(home.iterdir()))
    second = kept_token(tmp_path, 8765, home)
    assert second != first
    assert kept_token(tmp_path, 8765, home) == second


def test_without_a_cache_there_is_a_token_all_the_same(tmp_path, home):
    home.parent.mkdir()
    home.write_text("no folder")
    assert kept_token(tmp_path, 8765, home) != kept_token(tmp_path, 8765, home)


def test_a_token_that_was_set_is_not_written_down(tmp_path, home, monkeypatch):
    monkeypatch.setenv("LASTSEEN_STUDIO_TOKEN", "a token kept by the user")
    assert kept_token(tmp_path, 8765, home) == "a token kept by the user"
    assert not home.exists()
