"""`lastseen replay A --against B`: where two runs part, in words and as an object."""

import json

import pytest
from click.testing import CliRunner

from lastseen.views.cli.app.main import cli
from specimens.recordings import LOST, SHARED, recorded


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("against")
    recorded(LOST, found / "one.rec")
    recorded(LOST.replace("at: 1.5", "at: 2.5"), found / "late.rec")
    recorded(SHARED, found / "house.rec")
    return found


@pytest.fixture
def against(folder, monkeypatch):
    monkeypatch.chdir(folder)

    def run(*arguments):
        return CliRunner().invoke(cli, ["replay", "one.rec", "--against", *arguments])

    return run


def test_the_same_run(against):
    result = against("one.rec")
    assert (result.exit_code, result.stdout) == (0, "the same run: 526 steps, 17.5 s\n")
    assert json.loads(against("one.rec", "--json").stdout)["is_same"] is True


def test_where_they_part(against):
    lines = against("late.rec").stdout.splitlines()
    assert lines[0] == "A  one.rec: 526 steps, all calm"
    assert "scenario: different" in lines
    assert "first difference: step 45, 1.50 s" in lines
    assert "  you, mode: A gone / B active" in lines
    assert any("only in A: " in line for line in lines)
    assert any("only in B: " in line for line in lines)
    found = json.loads(against("late.rec", "--json").stdout)
    assert found["tick"] == 45
    assert found["step"] == pytest.approx(1 / 30)
    assert {"what": "mode", "agent": "you", "one": "gone", "other": "active"} in found["first"]


def test_another_level_cannot_be_compared(against):
    result = against("house.rec")
    assert result.exit_code == 0
    assert "cannot be compared step by step: they were recorded in different levels" in result.stdout
    assert "first difference" not in result.stdout


@pytest.mark.parametrize(
    "more", [("--png", "a.png"), ("--text",), ("--from", "1"), ("--html", "a.html"), ("--at", "1")]
)
def test_a_comparison_goes_alone(against, folder, more):
    result = against("late.rec", *more)
    assert result.exit_code == 2
    assert f"leave out {more[0]}" in result.stderr
    assert not (folder / "a.png").exists()


def test_a_missing_file(against):
    result = against("none.rec")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "none.rec: cannot be read" in result.stderr
