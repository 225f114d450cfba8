"""`lastseen evaluate chase`: what it says, what it writes, what it refuses."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from lastseen.views.cli.app.main import cli
from lastseen.views.figures.charts import Bar, draw_bars


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `lastseen evaluate chase` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def runner(*arguments):
        return CliRunner().invoke(cli, ["evaluate", "chase", *map(str, arguments)])

    return runner


FEW = ("--episodes", 8, "--predictors", "breadcrumbs,belief,article,stand still")


def test_the_table_names_levels_and_predictors(run):
    result = run("rooms", "warehouse", *FEW)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert "rooms (" in lines[0]
    assert "warehouse (" in lines[0]
    assert "re-acquired" in lines[2]
    assert [line.split("  ")[0] for line in lines[3:7]] == ["breadcrumbs *", "belief", "article", "stand still"]
    assert "..." not in result.stdout


def test_what_powers_change_is_told_by_predictor_with_its_interval(run):
    few = ("warehouse", "--episodes", 24, "--predictors", "belief,article", "--powers", "none,blink,decoy")
    text, told = run(*few, "--report", "report"), json.loads(run(*few, "--json").stdout)
    assert text.exit_code == 0, text.output
    assert "effect of power" in text.stdout
    assert "blink: re-acquired" in text.stdout
    assert "## Effect by power" in Path("report/report.md").read_text()
    for row in told["tables"][0]["predictors"]:
        shares, effects = row["by_power"], row["by_power_effect"]
        assert list(shares) == ["none", "blink", "decoy"]
        for power in ("blink", "decoy"):
            effect = effects[power]["reacquired"]
            apart = shares[power]["reacquired"] - shares["none"]["reacquired"]
            assert effect["value"] == pytest.approx(apart, abs=2e-6)
            assert effect["low"] <= effect["value"] <= effect["high"]
    assert "No runner with" not in text.stdout
    wrong = run("warehouse", "--powers", "blinc")
    assert wrong.exit_code == 2
    assert "did you mean 'blink'" in wrong.output


def test_powers_whose_effect_cannot_be_shown_are_named(run):
    few = run("rooms", "--episodes", 4, "--predictors", "belief", "--powers", "none,decoy")
    assert "No runner with decoy was lost. Powers change every 8 episodes: give at least 16 episodes." in few.stdout
    assert "effect of power" not in few.stdout
    only = run("rooms", "--episodes", 10, "--predictors", "belief", "--powers", "decoy,blink", "--report", "report")
    assert "effect of power" not in only.stdout
    for text in (only.stdout, Path("report/report.md").read_text()):
        assert "add none to the powers" in text


def test_json_is_the_same_for_any_jobs(run):
    one, two = (run("rooms", *FEW, "--jobs", jobs, "--json", "--seed", 4) for jobs in (1, 2))
    assert one.exit_code == 0, one.output
    assert one.stdout == two.stdout
    told = json.loads(one.stdout)
    assert told["seed"] == 4
    assert told["predictors"] == ["breadcrumbs", "belief", "article", "stand still"]
    pooled, rooms = told["tables"]
    assert (pooled["level"], rooms["level"]) == ("all levels", "rooms")
    belief = rooms["predictors"][1]
    share = belief["reacquired"]
    assert 0.0 <= share["low"] <= share["value"] <= share["high"] <= 1.0
    assert set(belief["above_article"]) == {
        "reacquired", "alive", "turned", "corner_missed", "metres", "miss", "losses"
    }  # fmt: skip
    assert sum(belief["reasons"].values()) == rooms["losses"]


def test_the_report_has_words_numbers_a_chart_and_episodes(run, tmp_path):
    result = run("rooms", *FEW, "--report", "found")
    assert result.exit_code == 0, result.output
    folder = tmp_path / "found"
    words = (folder / "report.md").read_text(encoding="utf-8")
    for part in (
        "# Chase: predictors compared",
        "## All levels",
        "## Compared with",
        "## rooms (",
        "## Episodes to look at",
    ):
        assert part in words
    pictures = sorted(path.name for path in folder.glob("*.png"))
    assert "chart.png" in pictures
    assert len(pictures) >= 2
    for name in pictures:
        assert f"({name})" in words
        with Image.open(folder / name) as picture:
            assert picture.width > 300
    told = json.loads((folder / "results.json").read_text())
    assert told["episodes"] == 8


def test_a_baked_file_is_a_level_too(run):
    baked = CliRunner().invoke(cli, ["bake", "rooms", "-o", "rooms.cells"])
    assert baked.exit_code == 0, baked.output
    told = [json.loads(run(level, *FEW, "--json").stdout) for level in ("rooms", "rooms.cells")]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument 'LEVEL"),
        (("nowhere",), "neither a file nor a sample"),
        (("warehuose",), "did you mean 'warehouse'"),
        (("ware-house",), "did you mean 'warehouse'"),
        (("warehouse.map",), "did you mean 'warehouse'"),
        (("rooms", "--predictors", "beleif"), "did you mean 'belief'"),
        (("rooms", "--episodes", "0"), "episodes is 0"),
        (("rooms", "--episodes", "many"), "not a valid integer"),
        (("rooms", "--jobs", "0"), "jobs is 0"),
        (("rooms", "rooms"), "two levels are called 'rooms'"),
        (("rooms", "--report", "no/such/folder"), "there is no folder"),
        (("rooms", "--report", "/proc/nowhere"), "cannot write a report to '/proc/nowhere': No such file"),
        (("rooms", "--predictors", ""), "'' contains no names"),
        (("rooms", "--predictors", " , "), "' , ' contains no names"),
    ],
)
def test_bad_input_ends_with_words(run, arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_a_report_is_not_written_over_a_file(run, tmp_path):
    (tmp_path / "taken").write_text("mine")
    result = run("rooms", "--report", "taken")
    assert result.exit_code == 2
    assert "it is a file" in result.stderr
    assert (tmp_path / "taken").read_text() == "mine"


def test_bars_are_as_long_as_their_shares(tmp_path):
    path = tmp_path / "bars.png"
    path.write_bytes(draw_bars({"share": [Bar("half", 0.5, 0.5, 0.5), Bar("all", 1.0, 1.0, 1.0)]}, title="Bars"))
    with Image.open(path) as picture:
        colour = (22, 122, 142)
        picture = picture.convert("RGB")
        widths = [sum(picture.getpixel((x, y)) == colour for x in range(picture.width)) for y in range(picture.height)]
    lengths = sorted({round(width / 10) for width in widths if width > 100})
    assert lengths == [21, 42]
