"""`lastseen sweep`: what it says, what it writes, what it refuses; every experiment once."""

import json
import math
import re
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from guards import ROOT
from lastseen.cells.layout import CellLayout
from lastseen.estimates import Estimate
from lastseen.level.samples import sample
from lastseen.level.write import write_level
from lastseen.simulation.experiments.chase.experiment import evaluate_chase
from lastseen.simulation.experiments.harness.parameters import Measure
from lastseen.simulation.experiments.harness.results import Results
from lastseen.simulation.experiments.harness.summary import summarise
from lastseen.simulation.experiments.harness.sweep import read_sweep
from lastseen.simulation.experiments.harness.sweep_run import run_sweep
from lastseen.simulation.experiments.harness.sweep_summary import Curve, Point, estimate_of, summarise_sweep
from lastseen.simulation.experiments.registry import EXPERIMENTS
from lastseen.views.cli.app.main import cli
from lastseen.views.cli.experiments.sweep_results import chart_curve, write_report
from lastseen.views.figures.charts import ChartPoint
from specimens.sweeps import TRIALS, sweep_text, wait_for

EXAMPLE = ROOT / "examples" / "sweep_path_cost.toml"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `lastseen sweep` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def runner(*arguments):
        return CliRunner().invoke(cli, ["sweep", *map(str, arguments)])

    return runner


@pytest.fixture
def trials(tmp_path):
    """Return the folder of a sweep of trials."""
    (tmp_path / "sweep.toml").write_text(sweep_text('a = [1, 4]\nmode = ["works", "fails"]'), encoding="utf-8")
    run_sweep(read_sweep(tmp_path / "sweep.toml", experiments=TRIALS), tmp_path / "out")
    return tmp_path / "out"


def test_the_example_runs_again_and_is_reported(run, tmp_path):
    result = run(EXAMPLE, "-o", "results", "--jobs", 1, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["tasks"], told["done_now"], told["failed"]) == (18, 18, 0)
    assert told["swept"] == ["path_cost", "guards"]
    again = run("-o", "results", EXAMPLE)
    assert again.exit_code == 0, again.output
    assert "0 done" in again.stdout
    assert "18 were done before" in again.stdout
    assert told["digest"] in again.stdout
    report = run("report", "results", "-o", "report", "--json")
    assert report.exit_code == 0, report.output
    effects = {(one["parameter"], one["measure"]): one for one in json.loads(report.stdout)["effects"]}
    points = effects["path_cost", "path_seen"]["curves"][0]["points"]
    assert [(point["at"], point["x"], point["tasks"]) for point in points] == [
        ("0", 0.0, 6),
        ("2", 2.0, 6),
        ("6", 6.0, 6),
    ]
    rows = Results("results", EXPERIMENTS["placement"]).rows()
    dear = [row["path_seen"] for row in rows if row["path_cost"] == 6.0]
    assert points[2]["value"] == pytest.approx(np.mean(dear), abs=1e-6)
    assert points[2]["value"] < points[0]["value"], "guards keep off a path that costs more"
    with Image.open(tmp_path / "report" / "over-path_cost.png") as picture:
        assert picture.width > 600
        assert len(picture.convert("RGB").getcolors(1 << 24)) > 10
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == 3
    assert "<h2>path_cost by guards</h2>" in page
    crossing = json.loads(report.stdout)["crossings"][0]
    assert (crossing["columns"], crossing["rows"]) == ({"guards": ["1", "3"]}, {"path_cost": ["0", "2", "6"]})
    some = [row[crossing["measure"]] for row in rows if (row["path_cost"], row["guards"]) == (6.0, 3)]
    assert crossing["means"][2][1] == pytest.approx(np.mean(some), abs=1e-6)
    assert "<h2>Over guards</h2>" in page
    assert not re.search(r"(?:src|href)=\"(?!data:)", page), "the page stands alone"
    words = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert "![over path_cost](over-path_cost.png)" in words
    assert json.loads((tmp_path / "report" / "results.json").read_text(encoding="utf-8"))["digest"] == told["digest"]


def test_a_task_of_chase_measures_what_evaluate_chase_does(run, tmp_path):
    names = ("belief", "article")
    (tmp_path / "chase.toml").write_text(
        f'evaluate = "chase"\nlevels = ["rooms"]\nseeds = [4]\n[fixed]\nepisodes = 8\npredictors = {list(names)}\n',
        encoding="utf-8",
    )
    assert run("chase.toml", "-o", "out", "--jobs", 1).exit_code == 0
    rows = Results("out", EXPERIMENTS["chase"]).rows()
    layout = CellLayout.from_level(sample("rooms"))
    table = summarise(evaluate_chase({"rooms": layout}, predictors=names, episodes=8, seed=4))[-1]
    assert [row["predictor"] for row in rows] == sorted(names)
    for row in rows:
        expected = table.row(row["predictor"]).estimates
        for column, name in (("reacquired", "reacquired"), ("still_alive", "alive"), ("metres", "metres")):
            found = Estimate(row[column], row[f"{column}_low"], row[f"{column}_high"])
            assert found == expected[name]
        assert row["episodes_counted"] == table.count


def test_searches_and_verifications_can_be_swept(run, tmp_path):
    (tmp_path / "search.toml").write_text(
        'evaluate = "search"\nlevels = ["rooms"]\n[fixed]\nepisodes = 2\ncontenders = ["influence"]\n'
        'evaders = ["hider"]\nsearchers = [1]\n[grid]\nseconds = [2.0, 6.0]\n',
        encoding="utf-8",
    )
    result = run("search.toml", "-o", "searched", "--jobs", 1)
    assert result.exit_code == 0, result.output
    rows = Results("searched", EXPERIMENTS["search"]).rows()
    assert {(row["contender"], row["seconds"]) for row in rows} == {
        (name, seconds) for name in ("influence", "random") for seconds in (2.0, 6.0)
    }
    assert all(0.0 < row["seconds_needed"] <= row["seconds"] for row in rows)
    (tmp_path / "verify.toml").write_text(
        'evaluate = "verification"\nlevels = ["hall"]\n[fixed]\nruns = 3\ntrees = 3\nnodes = 150\ncell = 1.0\n'
        "start = [2.5, 16.5]\ngoal = [29.5, 2.5]\n[grid]\nplayer_speed = [0.05, 4.0]\n",
        encoding="utf-8",
    )
    result = run("verify.toml", "-o", "verified", "--jobs", 1)
    assert result.exit_code == 0, result.output
    success = {row["player_speed"]: row["success"] for row in Results("verified", EXPERIMENTS["verification"]).rows()}
    assert success[0.05] == 0.0, "nobody crosses the hall at 5 cm/s in a minute"
    assert success[4.0] > 0.0


@pytest.mark.parametrize(
    ("evaluate", "fixed", "words"),
    [
        ("placement", "", "sweep.toml:2: level 'rooms': no intended path; give one as path (--path): a GeoJSON file"),
        (
            "verification",
            "start = [2.5, 2.5]",
            "it must have exactly one goal, but has none; give goal = [x, y], or path",
        ),
    ],
)
def test_a_sweep_without_a_path_is_refused_before_it_runs(run, tmp_path, evaluate, fixed, words):
    write_level(replace(sample("rooms"), markers=()), tmp_path / "rooms.geojson")
    text = f'evaluate = "{evaluate}"\nlevels = ["rooms.geojson"]\n[fixed]\nruns = 1\n{fixed}\n'
    (tmp_path / "sweep.toml").write_text(text, encoding="utf-8")
    result = run("sweep.toml", "-o", "out")
    assert result.exit_code == 2
    assert words in result.stderr
    assert not list((tmp_path / "out").glob("*.parquet"))


def test_a_failed_task_shows_in_words_and_in_the_exit_code(run, tmp_path):
    # A sentry in the corner sees nothing of note, but a path through a wall cannot be walked.
    (tmp_path / "walls.toml").write_text(
        'evaluate = "placement"\nlevels = ["rooms"]\n[fixed]\npath = [[1.5, 1.5], [500.0, 1.5]]\nruns = 0\n',
        encoding="utf-8",
    )
    result = run("walls.toml", "-o", "out", "--jobs", 1)
    assert result.exit_code == 3, result.output
    assert "1 task of placement on 1 level, 1 done" in result.stdout
    assert "1 task failed:" in result.stdout
    assert "off the floor" in result.stdout
    report = run("report", "out")
    assert report.exit_code == 0, report.output
    assert "1 of 1 task of placement is done; 1 of them failed" in report.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["raport", "out"], "did you mean 'report'?"),
        (["gone.toml", "-o", "out"], "cannot be read"),
        (["sweep.txt", "-o", "out"], "unknown file extension"),
        (["sweep.toml"], "Missing option '-o'"),
        (["sweep.toml", "-o", "gone/out"], "there is no folder"),
        (["sweep.toml", "-o", "sweep.toml"], "it is a file"),
        (["sweep.toml", "-o", "out", "--jobs", "0"], "jobs is 0"),
        (["sweep.toml", "-o", "out", "--jobs", "2", "--cluster", "tcp://127.0.0.1:9"], "--jobs applies to this"),
        (["sweep.toml", "-o", "out", "--cluster", " "], "--cluster is empty"),
        (["report", "."], "not a folder of sweep results"),
        (["report", "gone"], "not a folder of sweep results"),
        (["schema", "-o", "gone/x.json"], "there is no folder"),
    ],
)
def test_what_cannot_be_is_told_without_a_traceback(run, tmp_path, arguments, words):
    (tmp_path / "sweep.toml").write_text('evaluate = "chase"\nlevels = ["rooms"]\n', encoding="utf-8")
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert words in result.output
    assert "Traceback" not in result.output
    assert not (tmp_path / "out" / "sweep.parquet").exists()


def test_ctrl_c_keeps_what_was_done_and_says_so(tmp_path):
    (tmp_path / "sweep.toml").write_text(
        'evaluate = "placement"\nlevels = ["hall"]\nseeds = { count = 5000 }\n[fixed]\n'
        "path = [[2.5, 1.5], [29.5, 1.5]]\nview_distance = 6.0\ntogether = false\nruns = 0\ncell = 1.0\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "lastseen", "sweep", "sweep.toml", "-o", "out", "--jobs", "2"]
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: list((tmp_path / "out").glob("part-*.parquet")))
    running.send_signal(signal.SIGINT)
    # Its processes have ended too: they would keep the pipes open.
    _, complaints = running.communicate(timeout=300)
    assert running.returncode == 130
    assert "finished tasks are kept in out; run the same command to continue" in complaints
    assert "Traceback" not in complaints
    assert 0 < len(Results(tmp_path / "out", EXPERIMENTS["placement"]).done()) < 5000


def test_the_schema_is_printed_or_written(run, tmp_path):
    printed = json.loads(run("schema").stdout)
    assert {one["properties"]["evaluate"]["enum"][0] for one in printed["anyOf"]} == set(EXPERIMENTS)
    assert run("schema", "-o", "sweep.schema.json").exit_code == 0
    assert json.loads((tmp_path / "sweep.schema.json").read_text(encoding="utf-8")) == printed


def test_help_tells_of_the_usual_command(run):
    assert "lastseen sweep FILE -o DIR" in " ".join(run("--help").stdout.split())
    assert run().exit_code in (0, 2)


def test_a_missing_package_is_named(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    (tmp_path / "sweep.toml").write_text('evaluate = "chase"\nlevels = ["rooms"]\n', encoding="utf-8")
    result = run("sweep.toml", "-o", "out")
    assert result.exit_code == 2
    assert "pip install 'lastseen[sweep]'" in result.output


def test_effects_are_by_parameter_and_subject(trials):
    summary = summarise_sweep(trials, experiments=TRIALS)
    assert (summary.done, summary.failed, summary.manifest.tasks) == (12, 2, 12)
    assert summary.parameters == ("a", "mode")
    assert {effect.measure.name for effect in summary.effects} == {"value", "share"}, "what has no values is left out"
    effect = next(one for one in summary.effects if (one.parameter, one.measure.name) == ("a", "value"))
    left = next(curve for curve in effect.curves if curve.subject == "left")
    assert [(point.label, point.x, point.tasks) for point in left.points] == [("1", 1.0, 5), ("4", 4.0, 5)]
    # Two modes with the seeds 0 to 2, which count as three tasks, one of them alone: of seed 1, one mode failed.
    values = [0.1, 0.1 + 1 / 3, 0.1 + 2 / 3, 0.1, 0.1 + 2 / 3]
    mean = np.mean(values)
    apart = [2 * (0.1 - mean), 0.1 + 1 / 3 - mean, 2 * (0.1 + 2 / 3 - mean)]
    half = 4.303 * math.sqrt(3 / 2 * np.dot(apart, apart)) / 5
    assert left.points[0].estimate.value == pytest.approx(mean)
    assert left.points[0].estimate.high == pytest.approx(mean + half)
    assert summary.fixed["count"] == "3"
    assert sum(summary.errors.values()) == 2


def test_names_from_files_cannot_break_the_page(trials, tmp_path):
    summary = summarise_sweep(trials, experiments=TRIALS)
    nasty = replace(summary, fixed={"<script>": "<b>"}, errors={"<script>alert(1)</script> | pipe": 1})
    write_report(tmp_path / "report", nasty)
    assert "<script" not in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")


SHARE = Measure("x", "share", interval=True)
SOLVED = Measure("x", "share", yes_or_no=True)


def rows_of(*values, of_seed=1, **others):
    """Return rows of one level with these values, each in `of_seed` rows of its seed."""
    rows = [{"level": "rooms", "seed": seed, "x": value, **others} for seed, value in enumerate(values)]
    return [row for row in rows for _ in range(of_seed)]


def test_intervals_are_never_narrower_than_those_within_tasks():
    same = rows_of(*[0.5] * 4, x_low=0.3, x_high=0.8)
    found = estimate_of(same, SHARE)
    assert (found.value, found.low, found.high) == (0.5, pytest.approx(0.4), pytest.approx(0.65))
    one = estimate_of(same[:1], SHARE)
    assert (one.low, one.high) == (pytest.approx(0.3), pytest.approx(0.8))
    wide = [*rows_of(0.0, x_low=0.0, x_high=0.1), *rows_of(0.5, 1.0, x_low=0.9, x_high=1.0)[1:]]
    assert estimate_of(wide, SHARE) == Estimate(0.5, 0.0, 1.0)


def test_yes_and_no_have_wilsons_interval_and_lengths_no_negative_end():
    assert estimate_of(rows_of(*[1.0] * 4), SOLVED).low == pytest.approx(0.5101, abs=1e-4)
    # A share of the floor that happens to be 0 in all tasks is no yes or no, and not less sure than one that is not.
    assert estimate_of(rows_of(*[0.0] * 4), Measure("x", "share")) == Estimate(0.0, 0.0, 0.0)
    found = estimate_of(rows_of(0.1, 5.0), Measure("x", "m"))
    assert (found.low, found.value) == (0.0, pytest.approx(2.55))
    alone = estimate_of(rows_of(5.0), Measure("x", "m"))
    assert (alone.low, alone.high) == (-math.inf, math.inf)


@pytest.mark.parametrize("measure", [SHARE, SOLVED, Measure("x", "share")])
def test_tasks_of_a_level_and_seed_that_repeat_one_another_add_no_certainty(measure):
    ends = {"x_low": 0.0, "x_high": 1.0} if measure.interval else {}
    values = (1.0, 0.0, 1.0, 1.0, 0.0)
    once, often = (estimate_of(rows_of(*values, of_seed=times, **ends), measure) for times in (1, 12))
    assert (often.value, often.low) == pytest.approx((once.value, once.low), abs=0.02)
    assert often.high == pytest.approx(once.high, abs=0.02)
    assert often.high - often.low > 0.6


def test_tasks_of_a_level_and_seed_that_differ_add_certainty():
    alone = estimate_of(rows_of(1.0, 0.0, 1.0, 0.0), SOLVED)
    both = estimate_of([*rows_of(1.0, 0.0, 1.0, 0.0), *rows_of(0.0, 1.0, 1.0, 0.0)], SOLVED)
    assert (both.value, both.of) == (0.5, 8)
    assert both.low > alone.low + 0.03


def test_charts_show_what_was_found_numbers_as_numbers_and_names_as_names():
    known = Estimate(0.4, 0.3, 0.5)
    numbers = chart_curve(Curve("one", (Point("0.1", 0.1, known, 2), Point("1", 1.0, Estimate(0.2, 0.1, 0.3), 2))))
    assert numbers.name == "one"
    assert numbers.points == (ChartPoint("0.1", 0.4, 0.3, 0.5, 0.1), ChartPoint("1", 0.2, 0.1, 0.3, 1.0))
    assert chart_curve(Curve("", (Point("a", None, known, 1),))).points == (ChartPoint("a", 0.4, 0.3, 0.5),)
