"""`lastseen chase`: what it says, and what it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from lastseen.cells.layout import CellLayout
from lastseen.layers.tactical_worth import tactical_points, tactical_worth
from lastseen.level.samples import sample
from lastseen.reasoning.chase.baselines import DeadReckoning
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import PRESETS, preset
from lastseen.reasoning.chase.loss import Loss, View
from lastseen.views.cli.app.main import cli
from lastseen.views.figures.drawing.palette import RIVAL

SEEN = ("--seen", "3.5,5.5", "--heading", "1,0")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `lastseen chase` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def runner(*arguments):
        return CliRunner().invoke(cli, ["chase", *map(str, arguments)])

    return runner


@pytest.fixture(scope="module")
def rooms():
    return CellLayout.from_level(sample("rooms"))


def answer_of(result):
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    answer = json.loads(result.stdout)
    assert answer.pop("took_seconds")["chase"] > 0.0
    assert answer.pop("compile_seconds") >= 0.0
    assert answer.pop("compiled_kernels") >= 0
    assert answer.pop("interpreted_kernels") >= 0
    return answer


def same(report, layout, flood):
    places = layout.arrays.cell_xyz.astype(float)
    assert report["destination"] == flood.destination.tolist()
    assert report["destination_cell"] == flood.cell
    assert report["reason"] == flood.reason
    assert report["steps"] == flood.steps
    assert report["heated"] == flood.heated.tolist()
    assert report["warm"] == [[*places[c], v] for c, v in zip(flood.warm.tolist(), flood.values.tolist())]
    assert report["barrier"] == places[flood.barrier].tolist()
    assert report["closed"] == places[flood.closed].tolist()
    assert report["has_barrier"] == flood.has_barrier


def test_the_object_is_what_the_library_answers(run, rooms):
    report = answer_of(run("rooms", *SEEN, "--json"))
    flood = Chase(rooms).predict(seen_at=(3.5, 5.5), heading=(1, 0))
    same(report, rooms, flood)
    assert len(report["heated"]) == report["steps"] > 3
    assert report["barrier"]
    assert report["notes"] == []
    assert (report["predictor"], report["preset"]) == ("flood", "article")


def test_every_setting_reaches_the_flood(run, rooms):
    given = ("--hot", 9, "--max-heated", 6, "--max-steps", 4, "--behind", "inclusive")
    report = answer_of(run("rooms", *SEEN, *given, "--json"))
    settings = preset("article").but(hot=9, max_heated=6, max_steps=4, behind="inclusive")
    same(report, rooms, Chase(rooms, settings=settings).predict(seen_at=(3.5, 5.5), heading=(1, 0)))
    assert max(value for *_, value in report["warm"]) == 9


def test_what_the_guard_knows_reaches_the_belief_flood(run, rooms):
    given = ("--preset", "belief", "--guard", "1.5,5.5", "--guard-looks", "1,0", "--speed", 5, "--seconds", 0.5)
    report = answer_of(run("rooms", *SEEN, *given, "--json"))
    loss = Loss((3.5, 5.5), (1, 0), 5.0, 0.5, (1.5, 5.5), View((1, 0)))
    flood = Chase(rooms, "belief").predict(loss)
    same(report, rooms, flood)
    assert report["fell_back"] == ""
    assert report["closed"]


def test_a_belief_flood_without_a_guard_says_that_it_gave_way(run):
    report = answer_of(run("rooms", *SEEN, "--preset", "belief", "--json"))
    assert report["fell_back"] == "no_view"
    assert "--guard x,y" in report["notes"][0]


def test_dead_reckoning_has_no_cells(run, rooms):
    report = answer_of(run("rooms", *SEEN, "--predictor", "dead-reckoning", "--json"))
    spaced = answer_of(run("rooms", *SEEN, "--predictor", "dead reckoning", "--json"))
    assert spaced["predictor"] == report["predictor"] == "dead-reckoning"
    guess = DeadReckoning(rooms).predict(Loss((3.5, 5.5), (1, 0)))
    assert report["destination"] == guess.destination.tolist()
    assert report["reason"] == guess.reason
    assert (report["steps"], report["warm"], report["barrier"]) == (0, [], [])


@pytest.mark.parametrize("name", ["last-position", "particle-filter"])
def test_other_predictors_answer(run, name):
    report = answer_of(run("rooms", *SEEN, "--predictor", name, "--json"))
    assert np.isfinite(report["destination"]).all()
    assert report["predictor"] == name


def test_worth_draws_the_destination_towards_places_of_the_level(run, rooms):
    report = answer_of(run("rooms", *SEEN, "--worth", "exits=9,cover", "--json"))
    points = tactical_points(sample("rooms"))
    layer = tactical_worth(rooms, exits=points["exits"], cover=points["cover"], exit_worth=9.0)
    same(report, rooms, Chase(rooms, worth=layer).predict(seen_at=(3.5, 5.5), heading=(1, 0)))
    assert report["worth"] == {"exits": 9.0, "cover": 0.5}
    plain = answer_of(run("rooms", *SEEN, "--json"))
    assert plain["worth"] == {}
    assert (plain["warm"], plain["steps"]) == (report["warm"], report["steps"])

    def away(one):
        return np.linalg.norm(points["exits"][0] - one["destination"])

    assert away(report) < away(plain) - 0.2
    moved = np.linalg.norm(np.subtract(report["destination"], plain["destination"]))
    assert report["notes"] == [f"the worth of exits, cover moved the destination {moved:.1f} m"]


def test_all_worth_is_every_kind_with_its_usual_weight(run):
    everything = answer_of(run("rooms", *SEEN, "--worth", "all", "--json"))
    listed = answer_of(run("rooms", *SEEN, "--worth", "cover=0.5,hiding=2,exits=3", "--json"))
    assert everything["destination"] == listed["destination"]
    assert everything["worth"] == listed["worth"]
    nothing = answer_of(run("rooms", *SEEN, "--worth", "exits=0", "--json"))
    assert nothing["destination"] == answer_of(run("rooms", *SEEN, "--json"))["destination"]
    assert nothing["notes"] == ["the worth of exits made no difference"]


def test_worth_is_known_of_a_baked_file_and_missed_where_the_level_has_none(run):
    assert CliRunner().invoke(cli, ["bake", "corridor", "-o", "corridor.cells"]).exit_code == 0
    asked = ("--seen", "5,3.5", "--heading", "1,0", "--worth")
    fresh, baked = (answer_of(run(level, *asked, "all", "--json")) for level in ("corridor", "corridor.cells"))
    assert fresh == baked
    result = run("corridor.cells", *asked, "exits,cover")
    assert result.exit_code == 2
    assert "corridor.cells has no cover; it has hiding, exits" in result.stderr
    Path("bare.txt").write_text("....\n....\n")
    assert "has no cover and no hiding and no exits" in run("bare.txt", "--seen", "1,1", "--worth", "all").stderr


def test_a_picture_shows_where_the_flood_would_lead_without_worth(run):
    assert run("rooms", *SEEN, "--png", "plain.png").exit_code == 0
    assert run("rooms", *SEEN, "--worth", "exits=9", "--png", "drawn.png").exit_code == 0
    with Image.open("plain.png") as plain, Image.open("drawn.png") as drawn:
        count = [
            (np.abs(np.asarray(one).astype(int)[..., :3] - RIVAL).max(axis=-1) < 8).sum() for one in (plain, drawn)
        ]
    assert count[1] > count[0] + 50


def test_words_say_where_and_why(run):
    result = run("rooms", *SEEN, "--max-steps", 5)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("run to    (")
    assert "max_steps after 5 steps: the maximum" in result.stdout
    assert "of 164" in result.stdout


@pytest.mark.parametrize("heading", [("--heading", "0,0"), ()])
def test_without_a_heading_there_is_no_barrier_and_it_is_said(run, heading):
    report = answer_of(run("rooms", "--seen", "3.5,5.5", *heading, "--json"))
    assert report["barrier"] == []
    assert report["has_barrier"] is False
    assert "no barrier" in report["notes"][0]
    assert "no barrier" in run("rooms", "--seen", "3.5,5.5", *heading).stdout


def test_a_baked_file_answers_as_its_level_does(run):
    assert CliRunner().invoke(cli, ["bake", "house", "-o", "house.cells"]).exit_code == 0
    fresh = answer_of(run("house", "--seen", "6,2,0", "--heading", "0,1", "--json"))
    baked = answer_of(run("house.cells", "--seen", "6,2,0", "--heading", "0,1", "--json"))
    assert baked == fresh


def test_a_place_without_height_lies_on_the_lowest_floor_there(run):
    assert answer_of(run("house", "--seen", "2,4", "--json"))["seen"][2] < 1.0
    assert answer_of(run("house", "--seen", "2,4,3", "--json"))["seen"][2] == 3.0


def test_cell_and_radius_say_how_the_level_is_baked(run):
    fine = answer_of(run("house", "--seen", "6,2", "--cell", 0.5, "--radius", 0.2, "--json"))
    places = np.array([place[:2] for place in fine["warm"]])
    assert len(places) > 20
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
    assert np.sort(apart, axis=1)[:, 1].min() < 0.75


def test_pictures_are_written(run):
    result = run("rooms", *SEEN, "--png", "a.png", "--gif", "a.gif", "--max-steps", 6)
    assert result.exit_code == 0, result.output
    assert "wrote a.png" in result.stdout
    with Image.open("a.png") as still:
        assert still.format == "PNG"
    with Image.open("a.gif") as moving:
        assert moving.n_frames == 6 + 2  # the seed, six steps, the destination


def test_the_same_question_gives_the_same_bytes(run):
    for name in ("a", "b"):
        drawn = ("--png", f"{name}.png", "--gif", f"{name}.gif", "--max-steps", 3, "--scale", 16)
        assert run("rooms", *SEEN, *drawn).exit_code == 0
    for kind in ("png", "gif"):
        assert Path(f"a.{kind}").read_bytes() == Path(f"b.{kind}").read_bytes()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--seen", "3.5"), "--seen '3.5' is not a position"),
        (("--seen", "a,b"), "--seen 'a,b' is not a position"),
        (("--seen", "1,2,3,4"), "is not a position"),
        (("--seen", "nan,2"), "not finite"),
        (("--seen", "3.5,inf"), "not finite"),
        (("--seen", "3.5,5.5", "--heading", "1"), "--heading '1' is not a direction"),
        (("--seen", "3.5,5.5", "--heading", "nan,0"), "not finite"),
        (("--seen", "60,5.5"), "the nearest cell is"),
        ((*SEEN, "--hot", "0"), "error: --hot is 0; give a whole number from 1 to 127"),
        ((*SEEN, "--hot", "128"), "from 1 to 127"),
        ((*SEEN, "--hot", "warm"), "'--hot'"),
        ((*SEEN, "--max-steps", "0"), "error: --max-steps is 0"),
        ((*SEEN, "--max-heated", "-1"), "error: --max-heated is -1"),
        ((*SEEN, "--behind", "sideways"), "'--behind'"),
        ((*SEEN, "--preset", "artcle"), "did you mean 'article'?"),
        ((*SEEN, "--preset", "no barrier", "--behind", "strict"), "leave one of them out"),
        ((*SEEN, "--preset", "narrow cone", "--behind", "strict"), "leave one of them out"),
        ((*SEEN, "--predictor", "dead-rekoning"), "did you mean 'dead-reckoning'?"),
        ((*SEEN, "--predictor", "breadcrumbs"), "where the target really went"),
        ((*SEEN, "--predictor", "last-position", "--hot", "9"), "--hot: only --predictor flood uses it"),
        ((*SEEN, "--predictor", "last-position", "--gif", "a.gif"), "--gif: only --predictor flood uses it"),
        ((*SEEN, "--guard", "90,90", "--preset", "belief"), "error: --guard (90, 90, 0) is off the mesh"),
        ((*SEEN, "--guard-looks", "1,0"), "give --guard x,y too"),
        ((*SEEN, "--speed", "nan"), "speed"),
        ((*SEEN, "--seconds", "-1"), "seconds"),
        ((*SEEN, "--cell", "0"), "cell"),
        ((*SEEN, "--png", "a", "--gif", "a"), "the same file"),
        ((*SEEN, "--png", "a.gif"), "pictures are PNG; name it 'a.png'"),
        ((*SEEN, "--gif", "a.png"), "this picture is GIF; name it 'a.gif'"),
        ((*SEEN, "--png", ""), "name a file"),
        ((*SEEN, "--scale", "9"), "give --png FILE too"),
        ((*SEEN, "--gif", "a.gif", "--scale", "9"), "give --png FILE too"),
        ((*SEEN, "--storey", "0"), "give --png or --gif FILE too"),
        ((*SEEN, "--worth", "exit"), "no kind 'exit' (did you mean 'exits'?)"),
        ((*SEEN, "--worth", "exits,"), "no kind ''"),
        ((*SEEN, "--worth", "exits=nan"), "--worth exits is nan"),
        ((*SEEN, "--worth", "exits=lots"), "--worth exits must be a number, got 'lots'"),
        ((*SEEN, "--worth", "cover=-1"), "--worth cover is -1"),
        ((*SEEN, "--worth", "exits,exits=3"), "names exits twice"),
        ((*SEEN, "--worth", "all,exits"), "or give all"),
        ((*SEEN, "--worth", "all", "--predictor", "particle-filter"), "--worth: only --predictor flood uses it"),
        ((*SEEN, "--png", "no/such/a.png"), "there is no folder"),
        ((*SEEN, "--png", "a.png", "--scale", "0"), "scale"),
        ((*SEEN, "--png", "a.png", "--storey", "7"), "no storey 7"),
        ((*SEEN, "--figures", "out"), "leave out LEVEL, --seen, --heading"),
        (("--figures", "out", "--max-steps", "3", "--json"), "leave out LEVEL, --max-steps, --json"),
        ((*SEEN, "--seconds", "nan", "--preset", "belief"), "seconds"),
        ((), "--seen is missing"),
    ],
)
def test_bad_input_is_said_in_words(run, given, words):
    result = run("rooms", *given)
    assert result.exit_code == 2, result.output
    assert words in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    assert not list(Path().iterdir())


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("/proc/nowhere", "cannot write figures to '/proc/nowhere': No such file or directory"),
        ("/proc", "cannot write figures to '/proc'"),
        ("no/such", "there is no folder"),
        ("x" * 300, "File name too long"),
        ("", "name a folder"),
        ("a\0b", "name a folder"),
    ],
)
def test_a_folder_nothing_can_be_written_to_is_refused_before_the_work(run, folder, words):
    result = run("--figures", folder)
    assert result.exit_code == 2, result.output
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert not list(Path().iterdir())


def test_what_a_preset_makes_no_use_of_is_said(run):
    known = ("--guard", "1.5,5.5", "--speed", 5, "--seconds", 1)

    def notes(*given):
        return " / ".join(answer_of(run("rooms", *SEEN, *known, *given, "--json"))["notes"])

    assert "--guard, --seconds, --speed ignored: preset 'article'" in notes()
    assert "--seconds, --speed ignored: preset 'corridors'" in notes("--preset", "corridors")
    assert "--guard, --seconds, --speed ignored: dead-reckoning" in notes("--predictor", "dead-reckoning")
    assert "made no difference" not in notes("--preset", "belief")
    assert "made no difference" not in notes("--predictor", "particle-filter")


def test_why_a_destination_moved_on_is_said(run):
    def notes(name):
        return " / ".join(answer_of(run("rooms", *SEEN, "--preset", name, "--guard", "1.5,5.5", "--json"))["notes"])

    assert "moved 1 time from the middle of the heat to a cell with a wider view" in notes("belief")
    assert "moved 1 time from the middle of the heat to see around a corner" in notes("corridors")


def test_a_heading_straight_up_is_no_silent_barrier(run):
    report = answer_of(run("rooms", "--seen", "3.5,5.5", "--heading", "0,0,1", "--json"))
    assert report["barrier"] == []
    assert "no cell of a level floor lies behind it" in report["notes"][0]


def test_a_barrier_without_cells_is_told(run):
    # a strip of floor along a wall: its cell has no neighbour to the east, where a runner to the west came from
    report = answer_of(run("house", "--seen", "4.6,4.41,0", "--heading=-1,0", "--json"))
    assert (report["barrier"], report["has_barrier"]) == ([], True)
    assert report["notes"] == [
        "the barrier holds no cell, as no neighbour of the start lies behind it: the flood may turn back"
    ]


def test_off_the_mesh_says_how_far(run, rooms):
    result = run("rooms", "--seen", "60,5.5")
    assert result.exit_code == 2
    away = np.linalg.norm(rooms.arrays.cell_xyz - (60.0, 5.5, 0.0), axis=1).min()
    assert f"the nearest cell is {away:.2f} m away" in result.stderr
    assert "at most 2 m" in result.stderr


def test_a_level_is_needed(run):
    result = run(*SEEN)
    assert result.exit_code == 2
    assert "LEVEL is missing" in result.stderr


def test_a_baked_file_is_neither_read_as_a_level_nor_baked_again(run):
    assert CliRunner().invoke(cli, ["bake", "rooms", "-o", "rooms.cells"]).exit_code == 0
    for option, value in (("--cell", 2), ("--radius", 0.2), ("--kind", "text"), ("--up", "z")):
        result = run("rooms.cells", *SEEN, option, value)
        assert result.exit_code == 2
        assert f"error: {option} says how to" in result.stderr
        assert "rooms.cells is already baked" in result.stderr
    assert run("rooms.cells", *SEEN).exit_code == 0


@pytest.mark.parametrize("door", ["2", "door 3"])
def test_which_door_was_shut_is_said_by_name_and_number(run, door):
    report = answer_of(run("warehouse", "--seen", "7.5,8.5", "--heading", "1,0", "--shut-door", door, "--json"))
    assert report["notes"] == ["shut: 'door 3' (number 2, counted from 0)"]
    refused = run("warehouse", "--seen", "7.5,8.5", "--shut-door", "99")
    assert refused.exit_code == 2
    assert "the level has no door 99; its doors: 0 'door 1', 1 'door 2'," in refused.stderr


def test_help_shows_examples_and_every_preset(run):
    words = run("--help").stdout
    assert f"Named settings: {', '.join(PRESETS)}." in " ".join(words.split())
    for option in (
        "--seen",
        "--heading",
        "--hot",
        "--max-heated",
        "--max-steps",
        "--behind",
        "--preset",
        "--predictor",
    ):
        assert option in words
    assert "lastseen chase warehouse --seen 9.5,8.5 --heading 1,0 --png chase.png" in words
    assert "--figures DIR" in words


def test_the_example_of_a_baked_file_in_the_help_starts_on_the_floor(run):
    (example,) = [line.split() for line in run("--help").stdout.splitlines() if "house.cells" in line]
    assert example[:2] == ["lastseen", "chase"]
    assert CliRunner().invoke(cli, ["bake", "house", "-o", "house.cells"]).exit_code == 0
    report = answer_of(run(*example[2:]))
    assert not [note for note in report["notes"] if "off the floor" in note or "barrier" in note]
    assert (report["fell_back"], report["preset"]) == ("", "belief")


def test_as_a_process(tmp_path):
    found = subprocess.run(
        [sys.executable, "-m", "lastseen", "chase", "rooms", "--seen", "-3,5.5", "--heading", "-1,0"],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 2
    assert found.stdout == ""
    assert "error: --seen (-3, 5.5, 0) is off the mesh: the nearest cell is" in found.stderr


def test_a_place_off_the_floor_and_a_barrier_without_a_heading_are_told(run):
    notes = json.loads(run("house", "--seen", "5,5", "--heading", "1,0", "--json").output)["notes"]
    assert notes[0].startswith("the last seen position is off the floor; the flood starts in the nearest cell, at (")
    found = json.loads(
        run("rooms", "--seen", "3.5,5.5", "--preset", "corridors", "--guard", "1.5,5.5", "--json").output
    )
    assert found["barrier"]
    assert found["has_barrier"] is True
    assert found["notes"][0] == "the heading is unknown: the barrier holds the cells the guard reaches first"


@pytest.mark.parametrize("predictor", ["last-position", "dead-reckoning", "particle-filter", "flood"])
def test_no_predictor_takes_a_place_far_off_the_mesh(run, predictor):
    result = run("rooms", "--seen", "700,8.5", "--heading", "1,0", "--predictor", predictor)
    assert result.exit_code == 2
    assert "is off the mesh: the nearest cell is 6" in result.output
