"""`lastseen guards experiment`: what it says, writes and refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from lastseen.level.write import write_level
from lastseen.reasoning.placement.files.route_files import write_path
from lastseen.reasoning.placement.guard_routes import GuardKind
from lastseen.reasoning.placement.placement_settings import PlacementSettings, VerifySettings
from lastseen.simulation.experiments.placement.figure_experiments import guard_counts, run_experiment
from lastseen.views.cli.app.main import cli
from lastseen.views.cli.guards.guard_experiment import as_object
from oracles.placement import hall

LEVEL = hall(12, 10, (5, 4, 7, 6))
PATH = [(0.5, 0.5), (11.5, 0.5)]
QUICK = "--path way.geojson --view 4 --passive 0.5 --candidates 2 --runs 3 --trees 1 --nodes 60 --seconds 30"
ASKED = ("hall.geojson", *QUICK.split(), "--placements", 2, "--seed", 4)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `lastseen guards experiment` in a folder with a level and a path."""
    monkeypatch.chdir(tmp_path)
    write_level(LEVEL, "hall.geojson")
    write_path(PATH, "way.geojson")

    def runner(*arguments):
        return CliRunner().invoke(cli, ["guards", "experiment", *map(str, arguments)])

    return runner


def test_json_says_what_the_library_measures(run):
    result = run("figure5", *ASKED, "--values", "1,2", "--json")
    assert result.exit_code == 0, result.output
    table = run_experiment(
        LEVEL,
        PATH,
        "guards",
        guard_counts((1, 2), settings=PlacementSettings(candidates=2)),
        kinds=GuardKind(view_distance=4.0, passive=0.5),
        settings=VerifySettings(seconds=30.0, runs=3, trees=1, nodes=60),
        placements=2,
        seed=4,
    )
    told = json.loads(result.stdout)
    assert told["conditions"] == json.loads(json.dumps(as_object(table, (), "hall")["conditions"]))
    assert [one["verdict"] for one in told["findings"]] == ["not decided"] * 4


def test_conditions_without_guards_say_why(run):
    alcoves = Path(__file__).parents[3] / "examples" / "alcoves.txt"
    quick = ("--placements", 2, "--runs", 1, "--trees", 1, "--nodes", 20, "--seconds", 30, "--report", "out")
    result = run("figure4", alcoves, "--values", "0,5", *quick)
    assert result.exit_code == 0, result.output
    words = "o guards could be placed at path cost 5 (one by one) in 2 of 2 placements: "
    for text in (result.stdout, Path("out/report.md").read_text()):
        assert words in text, text
        assert "at path cost 0" not in text


def test_a_report_has_findings_a_table_and_a_chart(run, tmp_path):
    result = run("figure4", *ASKED, "--values", "0,5", "--guards", 1, "--report", "out", "--jobs", 2)
    assert result.exit_code == 0, result.output
    assert "path cost, 2 placements each, 3 runs in each" in result.stdout
    assert "not decided: a high cost keeps guards off the intended path" in result.stdout
    assert "wrote 3 files to out; start with out/report.md" in result.stdout
    folder = tmp_path / "out"
    assert {file.name for file in folder.iterdir()} == {"report.md", "results.json", "chart.png"}
    with Image.open(folder / "chart.png") as chart:
        assert len(chart.convert("RGB").getcolors(1 << 20)) > 20
    words = (folder / "report.md").read_text()
    assert "| 5 | one by one |" in words
    assert "- **not decided**: a high cost guarantees that the path can be taken." in words


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("figure6", *ASKED), "'figure6' is not one of"),
        (("figure4", *ASKED, "--values", "1,high"), "--values is '1,high'; give comma-separated numbers"),
        (("figure4", *ASKED, "--values", "1"), "1 path costs are too few to compare"),
        (("figure5", *ASKED, "--values", "1,2.5"), "--values has 2.5 guards; give whole numbers"),
        (("figure4", *ASKED, "--values", "0,-1"), "path_cost is -1"),
        (("figure4", *ASKED, "--placements", 1), "placements is 1"),
        (("figure4", *ASKED, "--report", "hall.geojson"), "it is a file"),
        (("figure4", *ASKED, "--jobs", 0), "--jobs is 0"),
    ],
)
def test_what_is_wrong_is_said_in_words(run, arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert words in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.long
def test_the_command_from_outside(run, tmp_path):
    asked = ["figure4", *map(str, ASKED), "--values", "0,5", "--guards", "1"]
    command = [sys.executable, "-m", "lastseen", "guards", "experiment", *asked]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("hall: path cost, 2 placements each")


def test_the_preset_has_the_settings_of_the_source_unless_options_are_given(run, monkeypatch):
    asked = {}

    def measured(*_, settings, seed, **__):
        asked.update(settings.as_object(), seed=seed)
        raise KeyboardInterrupt

    monkeypatch.setattr("lastseen.views.cli.guards.guard_experiment.run_experiment", measured)
    base = ("figure4", "hall.geojson", "--path", "way.geojson", "--preset", "source")
    run(*base)
    expected = {"runs": 60, "trees": 1, "nodes": 10_000, "seed": 9481, "contact": False, "substeps": 1, "smooth": False}
    assert {name: asked[name] for name in expected} == expected
    run(*base, "--runs", 7, "--seed", 0)
    assert (asked["runs"], asked["seed"], asked["nodes"]) == (7, 0, 10_000)
