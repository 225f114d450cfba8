"""`lastseen guards verify`: what it says, writes and refuses."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import lastseen.reasoning.placement.verify.verify as verify_module
from lastseen.level.features import Marker
from lastseen.level.samples import sample
from lastseen.level.write import write_level
from lastseen.reasoning.placement.files.level_guards import patrol_placement
from lastseen.reasoning.placement.files.route_files import write_guards, write_path
from lastseen.reasoning.placement.guard_routes import GuardRoute, Placement, guard_kind
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.reasoning.placement.verify.verify import verify
from lastseen.views.cli.app.main import cli
from oracles.placement import hall
from oracles.space_time import tile_level
from specimens.space_time import CORRIDOR, pacer

QUICK = ("--runs", 4, "--trees", 6, "--nodes", 150, "--seconds", 30, "--speed", 1)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `lastseen guards verify` in a folder with the corridor, its guard and its path."""
    monkeypatch.chdir(tmp_path)
    write_level(tile_level(CORRIDOR), "corridor.geojson")
    write_guards(Placement((pacer(),)), "guards.geojson")
    write_guards(Placement((GuardRoute(pacer().kind, [(0.5, 0.5), (3.5, 5.5)]),)), "off.geojson")
    write_path([(0.5, 0.5), (12.5, 0.5)], "way.geojson")

    def runner(*arguments):
        return CliRunner().invoke(cli, ["guards", "verify", *map(str, arguments)])

    return runner


CORRIDOR_ASKED = ("corridor.geojson", "--guards", "guards.geojson", "--path", "way.geojson", "--cell", 1)


def test_json_says_what_the_library_says(run):
    result = run(*CORRIDOR_ASKED, *QUICK, "--solver", "both", "--seed", 3, "--json")
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    settings = VerifySettings(seconds=30, runs=4, trees=6, nodes=150, speed=1, solver="both", seed=3)
    ground = SneakGround(tile_level(CORRIDOR), cell=1.0)
    found = verify(ground, [pacer()], path=[(0.5, 0.5), (12.5, 0.5)], settings=settings)
    assert said.pop("guards") == 1
    assert said.pop("level")
    assert said == json.loads(json.dumps(found.as_object()))
    assert run(*CORRIDOR_ASKED, *QUICK, "--solver", "both", "--seed", 3, "--json").stdout == result.stdout


def test_words_say_how_many_came_through(run):
    result = run(*CORRIDOR_ASKED, *QUICK, "--solver", "both", "--step", 1)
    assert result.exit_code == 0, result.output
    assert "1 guard, from (0.5, 0.5) to (12.5, 0.5), within 30 s" in result.stdout
    assert "runs that got through within 30 s: 4 of 4, 100.0% (95 %: 51.0% to 100.0%)" in result.stdout
    assert "exact over cells x time: earliest arrival 13 s" in result.stdout
    assert "close to the intended path (within 3 m): " in result.stdout
    assert "floor in view: " in result.stdout


def test_failures_say_who_saw_them(run):
    kind = replace(pacer().kind, name="standing", speed=0.0)
    write_guards(Placement((GuardRoute(kind, [(8.5, 3.5)], heading=-math.pi / 2),)), "guards.geojson")
    result = run(*CORRIDOR_ASKED, *QUICK, "--solver", "both")
    assert result.exit_code == 0, result.output
    assert "no path over cells" in result.stdout
    assert "runs that failed: 4, first seen after " in result.stdout
    assert "by guard 1 (standing) 4x" in result.stdout


def test_a_report_pictures_and_a_film_are_written(run, tmp_path):
    result = run(
        *CORRIDOR_ASKED,
        *QUICK,
        "--solver",
        "both",
        "--png",
        "a.png",
        "--gif",
        "a.gif",
        "--scale",
        12,
        "--report",
        "out",
    )
    assert result.exit_code == 0, result.output
    assert "wrote a.png" in result.stdout
    assert "wrote 6 files to out; start with out/report.md" in result.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "report.md",
        "results.json",
        "solutions.geojson",
        "close.geojson",
        "map.png",
        "danger.png",
    }
    with Image.open("a.gif") as film:
        assert film.n_frames > 100
        frames = []
        for number in (0, 60):
            film.seek(number)
            frames.append(np.asarray(film.convert("RGB")).copy())
        assert (frames[0] != frames[1]).any()
    with Image.open("a.png") as picture:
        assert picture.width > 150
    ways = json.loads((tmp_path / "out" / "solutions.geojson").read_text())["features"]
    assert [way["properties"]["run"] for way in ways] == [0, 1, 2, 3, "exact"]
    close = json.loads((tmp_path / "out" / "close.geojson").read_text())["features"]
    assert close == [way for way in ways if way["properties"].get("apart", 99.0) <= 3.0]
    assert all(len(way["properties"]["seconds"]) == len(way["geometry"]["coordinates"]) for way in ways)
    words = (tmp_path / "out" / "report.md").read_text()
    assert "runs that got through within 30 s: 4 of 4" in words
    assert "| 3 |" in words


def test_a_level_that_says_all_needs_no_more(run):
    result = run("warehouse", "--runs", 2)
    assert result.exit_code == 0, result.output
    assert "Warehouse: 2 guards" in result.stdout
    assert len(patrol_placement(sample("warehouse")).routes) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("corridor.geojson",), "corridor.geojson has no guards; give some with --guards FILE"),
        (
            ("corridor.geojson", "--guards", "guards.geojson"),
            "corridor.geojson must have exactly one start, but has none",
        ),
        ((*CORRIDOR_ASKED, "--start", "a,b"), "--start 'a,b' is not a position; give x,y or x,y,z in metres"),
        ((*CORRIDOR_ASKED, "--start", "3.5,5"), "the start (3.5, 5) is off the floor"),
        ((*CORRIDOR_ASKED, "--runs", 0), "runs is 0; give a whole number, at least 1"),
        ((*CORRIDOR_ASKED, "--speed", "nan"), "speed is nan m/s"),
        ((*CORRIDOR_ASKED, "--scale", 3), "need pictures to apply to; give --png"),
        ((*CORRIDOR_ASKED, "--gif", "a.png"), "this picture is GIF; name it 'a.gif'"),
        ((*CORRIDOR_ASKED, "--solver", "magic"), "'magic' is not one of"),
        (("corridor.geojson", "--guards", "way.geojson", "--path", "guards.geojson"), "features of a guard file"),
        (("corridor.geojson", "--guards", "none.geojson"), "cannot be read"),
        (
            ("corridor.geojson", "--guards", "off.geojson"),
            "off.geojson: guard 1 (walking), at point 2 of its route,",
        ),
        ((*CORRIDOR_ASKED, "--runs", 10**9), "runs is 1,000,000,000; give a whole number, 1 to 100,000"),
        (("some.cells", "--guards", "guards.geojson"), "some.cells is a cell file"),
    ],
)
def test_what_is_wrong_is_said_in_words(run, arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Traceback" not in result.output


def test_an_interrupt_keeps_the_runs_done(run, tmp_path, monkeypatch):
    search = verify_module.search_with_trees

    def interrupted(question, number, known):
        if number == 2:
            raise KeyboardInterrupt
        return search(question, number, known)

    whole = json.loads(run(*CORRIDOR_ASKED, *QUICK, "--json").stdout)
    monkeypatch.setattr(verify_module, "search_with_trees", interrupted)
    result = run(*CORRIDOR_ASKED, *QUICK, "--solver", "both", "--report", "out")
    assert result.exit_code == 130
    assert "runs that got through within 30 s: 2 of 2" in result.stdout
    assert "note: stopped after 2 of 4 runs; the results cover" in result.stdout
    kept = json.loads((tmp_path / "out" / "results.json").read_text())
    assert (kept["stopped"], whole["stopped"]) == (True, False)
    assert [way["path"] for way in kept["solutions"]] == [way["path"] for way in whole["solutions"][:2]]
    told = run(*CORRIDOR_ASKED, *QUICK, "--json")
    assert told.exit_code == 130
    assert json.loads(told.stdout)["success"]["of"] == 2


def test_an_interrupt_before_any_run_is_done_leaves_nothing(run, tmp_path, monkeypatch):
    def interrupted(_question, _number, _known):
        raise KeyboardInterrupt

    monkeypatch.setattr(verify_module, "search_with_trees", interrupted)
    result = run(*CORRIDOR_ASKED, *QUICK, "--report", "out")
    assert result.exit_code == 130
    assert not (tmp_path / "out").exists()
    with pytest.raises(KeyboardInterrupt):
        verify(tile_level(CORRIDOR), [pacer()], (0.5, 0.5), (12.5, 0.5), settings=VerifySettings(runs=2))


def test_notes_of_a_file_are_not_told_of_another_level(run):
    write_guards(Placement((pacer(),), notes=("50 % of the floor cannot be reached",)), "guards.geojson")
    result = run(*CORRIDOR_ASKED, *QUICK)
    assert result.exit_code == 0, result.output
    assert "cannot be reached" not in result.output


def test_a_start_in_view_is_refused(run):
    write_guards(Placement((pacer().with_phase(5.0),)), "guards.geojson")
    result = run("corridor.geojson", "--guards", "guards.geojson", "--start", "8.5,4.5", "--goal", "0.5,0.5")
    assert result.exit_code == 2
    assert "the start (8.5, 4.5) is in the view of guard 1 (walking) at time 0" in result.stderr


def test_items_and_takedowns_are_reported(run):
    level = replace(hall(16, 2), markers=(Marker((3.0, 1.0, 0.0), "item", "gem"),))
    write_level(level, "narrow.geojson")
    kind = replace(guard_kind("standing"), view_distance=9.0, passive=0.5)
    write_guards(Placement((GuardRoute(kind, [(6.0, 1.0)]),)), "one.geojson")
    asked = (
        "narrow.geojson",
        "--guards",
        "one.geojson",
        "--start",
        "1,1",
        "--goal",
        "15,1",
        "--seconds",
        20,
        "--runs",
        1,
    )
    result = run(*asked, "--takedowns", 1)
    assert result.exit_code == 0, result.output
    assert "item 'gem' at (3, 1): passed by 0 of 0 solutions; it can be reached unseen after 0.8 s" in result.stdout
    assert "all items on one unseen way: no way was found" in result.stdout
    assert "with takedowns: arrival after " in result.stdout
    assert ", taking out guard 1 (standing) after " in result.stdout
    assert "takedowns" not in run(*asked).stdout
    refused = run(*asked, "--takedowns", 4)
    assert (refused.exit_code, "takedowns is 4; give 0 to 3" in refused.stderr) == (2, True)
