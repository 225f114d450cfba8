"""`lastseen evaluate search`: what it says, what it writes, what it refuses."""

import json

import pytest
from click.testing import CliRunner
from PIL import Image

from lastseen.views.cli.app.main import cli

FEW = ("--episodes", 3, "--contenders", "cheating,influence", "--evaders", "stayer,roamer,hider", "--seconds", 8)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `lastseen evaluate search` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def runner(*arguments):
        return CliRunner().invoke(cli, ["evaluate", "search", *map(str, arguments)])

    return runner


def test_a_report_has_words_numbers_a_chart_and_searches(run, tmp_path):
    result = run("rooms", *FEW, "--jobs", 1, "--report", "found")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "3 searches: rooms (3)"
    assert [line.split("  ")[0] for line in lines[3:6]] == ["cheating *", "influence", "random"]
    words = (tmp_path / "found" / "report.md").read_text(encoding="utf-8")
    for part in ("# Searches compared", "## All levels", "## Compared with", "## rooms (3 searches)", "| influence |"):
        assert part in words
    pictures = sorted(path.name for path in (tmp_path / "found").glob("*.png"))
    assert "chart.png" in pictures
    assert len(pictures) >= 2
    for name in pictures:
        assert f"({name})" in words
        with Image.open(tmp_path / "found" / name) as picture:
            assert picture.width > 300
    told = json.loads((tmp_path / "found" / "results.json").read_text())
    assert told["episodes"] == 3
    assert told["own_hiding_places"] == {"rooms": True}


def test_json_of_a_baked_file_is_that_of_its_level(run):
    baked = CliRunner().invoke(cli, ["bake", "rooms", "--radius", "0.3", "-o", "rooms.cells"])
    assert baked.exit_code == 0, baked.output
    one, two = (run(level, *FEW, "--json", "--seed", 4, "--jobs", 1) for level in ("rooms", "rooms.cells"))
    assert one.exit_code == 0, one.output
    assert one.stdout == two.stdout
    told = json.loads(one.stdout)
    assert told["seed"] == 4
    pooled, _ = told["tables"]
    influence = pooled["contenders"][1]
    assert 0.0 <= influence["found"]["low"] <= influence["found"]["value"] <= influence["found"]["high"] <= 1.0
    assert set(influence["above_random"]) == {"found", "seconds", "off", "truth", "searched", "opened", "metres"}


def test_a_single_search_has_no_interval(run):
    result = run("rooms", "--episodes", 1, "--contenders", "cheating", "--seconds", 2, "--json", "--jobs", 1)
    assert result.exit_code == 0, result.output
    seconds = json.loads(result.stdout)["tables"][0]["contenders"][0]["seconds"]
    assert seconds["low"] is None
    assert seconds["high"] is None
    assert 0.0 < seconds["value"] <= 2.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument 'LEVEL"),
        (("nowhere",), "neither a file nor a sample"),
        (("warehuose",), "did you mean 'warehouse'"),
        (("ware-house",), "did you mean 'warehouse'"),
        (("warehouse.map",), "did you mean 'warehouse'"),
        (("rooms", "--contenders", "influense"), "did you mean 'influence'"),
        (("rooms", "--evaders", "hidder"), "did you mean 'hider'"),
        (("rooms", "--searchers", "two"), "--searchers is 'two'"),
        (("rooms", "--searchers", "0"), "searchers is 0"),
        (("rooms", "--seconds", "0"), "seconds is 0"),
        (("rooms", "--episodes", "0"), "episodes is 0"),
        (("rooms", "--jobs", "0"), "jobs is 0"),
        (("rooms", "rooms"), "two levels are called 'rooms'"),
        (("rooms", "--report", "no/such/folder"), "there is no folder"),
    ],
)
def test_bad_input_ends_with_words(run, arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
