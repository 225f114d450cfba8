"""`lastseen guards improve`: what it writes and says, what it refuses, and what an interrupt leaves."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import lastseen.reasoning.placement.improve.improve as improve_module
from lastseen.level.write import write_level
from lastseen.reasoning.placement.files.route_files import read_guards, write_guards, write_path
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute, Placement
from lastseen.reasoning.placement.improve.improve import improve_guards
from lastseen.reasoning.placement.improve.targets import Targets
from lastseen.reasoning.placement.placement_settings import PlacementSettings, VerifySettings
from lastseen.views.cli.app.console import TimeLeft, duration_words
from lastseen.views.cli.app.main import cli
from lastseen.views.cli.guards import guard_improvement
from oracles.placement import hall

LEVEL = hall(12, 10, (5, 4, 7, 6))
PATH = [(0.5, 0.5), (11.5, 0.5)]
LEVEL_AND_PATH = ("hall.geojson", "--path", "way.geojson")
GUARDS = ("--guards", 2, "--view", 4, "--passive", 0.5, "--candidates", 4, "-o", "g.geojson")
SOLVER = ("--runs", 8, "--trees", 1, "--nodes", 60, "--seconds", 30)
ASKED = (*LEVEL_AND_PATH, *GUARDS, *SOLVER, "--rounds", 2, "--seed", 2)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `lastseen guards improve` in a folder with a level and a path."""
    monkeypatch.chdir(tmp_path)
    write_level(LEVEL, "hall.geojson")
    write_path(PATH, "way.geojson")
    write_guards(Placement((GuardRoute(GuardKind("standing", speed=0.0), [(500.0, 500.0)]),)), "off.geojson")

    def runner(*arguments):
        return CliRunner().invoke(cli, ["guards", "improve", *map(str, arguments)])

    return runner


def test_what_is_written_is_what_the_library_finds(run, tmp_path):
    result = run(*ASKED, "--success", "0.3..0.6", "--closeness", 2, "--coverage", 0.95, "--json")
    assert result.exit_code == 0, result.output
    told, written = json.loads(result.stdout), read_guards(tmp_path / "g.geojson")
    found = improve_guards(
        LEVEL,
        PATH,
        2,
        Targets((0.3, 0.6), 2.0, 0.95),
        kinds=GuardKind(view_distance=4.0, passive=0.5),
        placing=PlacementSettings(candidates=4),
        settings=VerifySettings(seconds=30.0, runs=8, trees=1, nodes=60, close=2.0),
        rounds=2,
        seed=2,
    )
    for mine, theirs in zip(written.routes, found.after.routes, strict=True):
        assert np.array_equal(mine.points, theirs.points)
        assert mine.phase == theirs.phase
    assert told["met"] is False
    assert told["targets"] == {"success": [0.3, 0.6], "closeness": 2.0, "coverage": 0.95}
    assert [one["changed"] for one in told["rounds"]] == [one.words for one in found.rounds]
    assert told["after"]["misses"]["coverage"] == pytest.approx(found.misses[1].coverage, abs=1e-6)
    assert told["before"]["success"] == found.checked[0].success.as_object()
    assert written.passed is True


def test_words_say_what_was_wanted_and_what_is_missing(run):
    result = run(*ASKED, "--coverage", 1, "--jobs", 2)
    assert result.exit_code == 0, result.output
    assert "2 guards for hall: 2 of 2 rounds" in result.stdout
    assert "floor seen at some time              at least 100.0%" in result.stdout
    assert "targets not met in 16 runs the search never used: coverage is " in result.stdout
    assert result.stdout.endswith("wrote g.geojson\n")
    met = run(*ASKED, "--coverage", 0.01)
    assert "targets met in 16 runs the search never used" in met.stdout
    assert "0 of 2 rounds" in met.stdout


def test_a_report_shows_before_and_after(run, tmp_path, monkeypatch):
    charted = []
    draw = guard_improvement.draw_curves

    def drawn(panels, **more):
        charted.extend([point.label for point in curves[0].points] for curves in panels.values())
        return draw(panels, **more)

    monkeypatch.setattr(guard_improvement, "draw_curves", drawn)
    result = run(*ASKED, "--coverage", 0.95, "--report", "out", "--scale", 12)
    assert result.exit_code == 0, result.output
    assert "wrote 6 files to out; start with out/report.md" in result.stdout
    folder = tmp_path / "out"
    names = {"report.md", "results.json", "guards.geojson", "before.png", "after.png", "search.png"}
    assert {file.name for file in folder.iterdir()} == names
    assert (folder / "guards.geojson").read_bytes() == (tmp_path / "g.geojson").read_bytes()
    pictures = [Image.open(folder / f"{name}.png").convert("RGB") for name in ("before", "after")]
    assert np.asarray(pictures[0]).shape == np.asarray(pictures[1]).shape
    assert (np.asarray(pictures[0]) != np.asarray(pictures[1])).any()
    words = (folder / "report.md").read_text()
    assert "| floor seen at some time | at least 95.0% |" in words
    assert "## Changes by round" in words
    assert re.search(r"Solver settings: seconds [0-9.]{1,6}, .*, seed 2\.", words), words
    told = json.loads((folder / "results.json").read_text())
    assert (told["guards"], told["seed"], told["settings"]["seed"]) == (2, 2, 2)
    assert told["start"]["aim"] > told["rounds"][-1]["aim"]
    assert charted == [["start", *(str(number + 1) for number in range(len(told["rounds"])))]]


def test_an_interrupt_in_the_last_runs_keeps_the_guards(monkeypatch):
    def interrupted(*_given, **_more):
        raise KeyboardInterrupt

    monkeypatch.setattr(improve_module, "verify", interrupted)
    settings = VerifySettings(runs=4, trees=1, nodes=60, seconds=30)
    found = improve_guards(LEVEL, PATH, 1, Targets(coverage=0.01), settings=settings, rounds=1)
    assert found.stopped
    assert found.checked is None
    assert len(found.after.routes) == 1


def test_it_begins_with_guards_of_a_file(run, tmp_path):
    first = run(*ASKED, "--coverage", 0.95)
    assert first.exit_code == 0, first.output
    given = (*LEVEL_AND_PATH, "--from", "g.geojson", *SOLVER, "--rounds", 1, "-o", "h.geojson", "--coverage", 0.01)
    again = run(*given)
    assert again.exit_code == 0, again.output
    assert (tmp_path / "h.geojson").read_text().splitlines()[1:] == (tmp_path / "g.geojson").read_text().splitlines()[
        1:
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (ASKED, "no target is given"),
        (
            (*LEVEL_AND_PATH, "--from", "off.geojson", *SOLVER, "-o", "h.geojson", "--coverage", 0.5),
            "off.geojson: guard 1 (standing), at (500, 500), is off the floor",
        ),
        ((*ASKED, "--success", "often"), "--success is 'often'; give a range of shares, such as 0.2..0.6"),
        ((*ASKED, "--success", "0.6..0.2"), "give the minimum first"),
        ((*ASKED, "--coverage", 2), "coverage is 2"),
        ((*ASKED, "--coverage", 0.5, "--from", "g.geojson"), "give either --guards N (how many to place)"),
        ((*LEVEL_AND_PATH, "--coverage", 0.5, "-o", "x.geojson"), "give either --guards N (how many"),
        ((*ASKED, "--coverage", 0.5, "--rounds", 0), "--rounds is 0"),
        ((*ASKED, "--coverage", 0.5, "--jobs", 0), "--jobs is 0"),
        ((*ASKED, "--coverage", 0.5, "--runs", 0), "runs is 0"),
        ((*ASKED, "--coverage", 0.5, "--scale", 5), "give --report DIR too"),
        ((*ASKED, "--coverage", 0.5, "--report", "hall.geojson"), "it is a file"),
        ((*ASKED[:-4], "-o", "way.geojson", "--coverage", 0.5), "is an input"),
    ],
)
def test_what_is_wrong_is_said_in_words(run, arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert words in result.stderr
    assert "Traceback" not in result.output


STOPPING = """
import os, runpy, signal, sys
from lastseen.reasoning.placement.improve import improve as search
race, begun = search.race, []
def stopped(*given):
    begun.append(1)
    if len(begun) == 2:
        os.kill(os.getpid(), signal.SIGINT)
    return race(*given)
search.race = stopped
sys.argv[0] = "lastseen"
runpy.run_module("lastseen", run_name="__main__")
"""


def test_an_interrupt_leaves_the_best_so_far_whole(run, tmp_path):
    """A real signal, in the second round, while threads are at work."""
    asked = [*ASKED, "--rounds", 50, "--coverage", 1, "--jobs", 2, "--report", "out"]
    command = [sys.executable, "-c", STOPPING, "guards", "improve", *map(str, asked)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 130, done.stderr
    assert "2 guards for hall: 1 of 50 rounds" in done.stdout
    assert "stopped with the best so far; it misses the targets by 0." in done.stdout
    assert "wrote g.geojson\n" in done.stdout
    assert "Traceback" not in done.stderr
    assert len(read_guards(tmp_path / "g.geojson").routes) == 2
    told = json.loads((tmp_path / "out" / "results.json").read_text())
    assert told["stopped"] is True
    assert told["met"] is None


def test_time_left_follows_what_is_done():
    told, now = [], [0.0]
    left = TimeLeft(lambda words, share: told.append(words), clock=lambda: now[0])
    left("round 1", 0.0)
    now[0] = 1.0
    left("round 1", 0.1)
    now[0] = 10.0
    left("round 2", 0.25)
    now[0] = 11.0
    left("report", 0.0)
    now[0] = 14.0
    left("report", 0.5)
    assert told == ["round 1", "round 1", "round 2 · about 30 s left", "report", "report · about 3 s left"]
    told.clear()
    resumed = TimeLeft(lambda words, share: told.append(words), clock=lambda: now[0])
    for now[0], share in ((20.0, 0.8), (24.0, 0.9)):
        resumed("sweep", share)
    assert told == ["sweep", "sweep · about 4 s left"], "what was done before says nothing about the speed"
    assert [duration_words(s) for s in (0.2, 89.0, 300.0, 9000.0)] == ["1 s", "89 s", "5 min", "2.5 h"]
