"""Packages only benchmarks use: kept apart, and plainly said why one cannot be had."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

PLACE = Path(__file__).parents[1] / "benchmarks" / "peers" / "packages.py"


@pytest.fixture
def packages(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("packages_of_peers", PLACE)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    found.HOME = tmp_path / "peers"
    monkeypatch.setattr(sys, "path", list(sys.path))
    return found


def test_a_package_is_used_from_its_own_folder(packages):
    (packages.HOME / "some-peer").mkdir(parents=True)
    (packages.HOME / "some-peer" / "some_peer_of_ours.py").write_text("ANSWER = 42")
    before = list(sys.path)
    assert packages.install("some-peer", "some_peer_of_ours") == "", "it is there: nothing is fetched"
    assert packages.why_not("some-peer", "some_peer_of_ours") == ""
    assert sys.path == [*before, str(packages.HOME / "some-peer")], "last, so that what it shares with us is ours"
    assert sys.modules.pop("some_peer_of_ours").ANSWER == 42


def test_what_cannot_be_had_is_said_with_its_reason(packages, monkeypatch):
    assert packages.why_not("some-peer", "absent_peer") == "some-peer is not here: run `make bench-peers`"

    def refuse(command, **_):
        return subprocess.CompletedProcess(
            command, 1, "", "WARNING: slow\nERROR: No matching distribution\nNote: sorry\n"
        )

    with monkeypatch.context() as patched:
        patched.setattr(packages.subprocess, "run", refuse)
        told = packages.install("some-peer", "absent_peer")
    assert told == "pip install some-peer failed: ERROR: No matching distribution"
    assert packages.why_not("some-peer", "absent_peer") == f"{told}: run `make bench-peers`"
    (packages.HOME / "some-peer").mkdir()
    (packages.HOME / "some-peer" / "broken_peer.py").write_text("raise OSError('of another machine')")
    assert "cannot be imported (of another machine)" in packages.why_not("some-peer", "broken_peer")
