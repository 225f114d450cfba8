"""`lastseen locate`: what it says, and what it refuses."""

import json

import pytest
from click.testing import CliRunner
from PIL import Image

from lastseen.cells.layout import CellLayout
from lastseen.cells.live import LiveLayout
from lastseen.level.samples import sample
from lastseen.level.sight.sight import Sight
from lastseen.reasoning.locations.picker import Picker
from lastseen.reasoning.locations.query import shipped_queries, shipped_query
from lastseen.rng import generator
from lastseen.views.cli.app.main import cli

ASKED = ("rooms", "--query", "hide", "--from", "3.5,5.5", "--place", "threats=9.5,5.5@-1,0")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `lastseen locate` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def runner(*arguments):
        return CliRunner().invoke(cli, ["locate", *map(str, arguments)])

    return runner


@pytest.fixture(scope="module")
def picker():
    level = sample("rooms")
    return Picker(LiveLayout(CellLayout.from_level(level)), level=level, sight=Sight.from_level(level))


def test_json_says_what_the_library_says(run, picker):
    result = run(*ASKED, "--count", 2, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    query = shipped_query("hide")
    query = query.but(pick=type(query.pick)(count=2))
    choice = picker.pick(query, (3.5, 5.5), places={"threats": (9.5, 5.5)})
    assert [place["cell"] for place in found["places"]] == choice.cells.tolist()
    assert found["reason"] == choice.reason
    assert found["candidates"] == len(choice.candidates)
    assert sum(found["dropped"].values()) == len(choice.dropped)
    names = [one["name"] for one in found["places"][0]["criteria"]]
    assert names == list(query.titles)


def test_words_say_where_and_why(run):
    result = run(*ASKED, "--why", "9.5,5.5")
    assert result.exit_code == 0, result.output
    assert "go to (" in result.stdout
    assert "was dropped: unseen is 1, allowed is at most 0" in result.stdout


def test_a_picture_is_drawn_the_same_every_time(run, tmp_path):
    for name in ("a.png", "b.png"):
        result = run(*ASKED, "--png", name, "--scale", 12)
        assert result.exit_code == 0, result.output
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert len(Image.open(tmp_path / "a.png").getcolors(1 << 20)) > 20


def test_chance_follows_the_seed(run, picker):
    asked = ("rooms", "--query", "summon", "--from", "3.5,5.5", "--place", "players=9.5,5.5", "--json")
    cells = [json.loads(run(*asked, "--seed", seed).stdout)["places"][0]["cell"] for seed in (1, 1, 2, 3)]
    assert cells[0] == cells[1]
    assert len(set(cells)) > 1
    choice = picker.pick(
        shipped_query("summon"), (3.5, 5.5), places={"players": (9.5, 5.5)}, random=generator(1, "locate")
    )
    assert cells[0] == choice.cell


@pytest.mark.parametrize("name", shipped_queries())
def test_every_shipped_query_answers_on_a_sample(run, name):
    places = [word for place in ("threats", "players", "target") for word in ("--place", f"{place}=14.5,8.5")]
    result = run("warehouse", "--query", name, "--from", "9.5,8.5", *places, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["reason"] == "picked"


def test_no_place_is_an_answer(run, tmp_path):
    (tmp_path / "far.toml").write_text('[[criteria]]\nmeasure = "distance"\nto = "asker"\nat_least = 900\n')
    result = run("rooms", "--query", "far.toml", "--from", "3.5,5.5", "--png", "a.png")
    assert result.exit_code == 0, result.output
    assert "the limits of the query drop every candidate" in result.stdout


def test_a_cell_file_is_asked_like_a_level(run):
    assert CliRunner().invoke(cli, ["bake", "rooms", "-o", "rooms.cells"]).exit_code == 0
    assert run("rooms.cells", *ASKED[1:]).stdout == run(*ASKED).stdout


def test_shipped_queries_and_the_schema_are_told(run):
    listed = run("--list").stdout
    assert [line.split()[0] for line in listed.splitlines()] == list(shipped_queries())
    schema = json.loads(run("--schema").stdout)
    assert "distance" in json.dumps(schema)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "LEVEL is missing"),
        (("rooms",), "--query is missing"),
        (("rooms", "--query", "panik"), "did you mean 'panic'"),
        (("rooms", "--query", "bad.yaml"), "bad.yaml:2: "),
        (("rooms", "--query", "none.yaml"), "cannot be read"),
        (("rooms", "--query", "query.txt"), "not a query file"),
        (("rooms", "--query", "hide", "--from", "3.5,5.5"), "give --place threats=X,Y"),
        (("rooms", "--query", "hide", "--place", "threats=9.5,5.5"), "give --from X,Y"),
        ((*ASKED, "--place", "9,5"), "has no name"),
        ((*ASKED, "--place", "threats=9"), "is not a position"),
        ((*ASKED, "--place", "threats=9,5@0,0"), "not a direction"),
        ((*ASKED, "--seed", -1), "--seed is -1"),
        ((*ASKED, "--count", 0), "count is 0"),
        ((*ASKED, "--scale", 9), "give --png"),
        ((*ASKED, "--png", "a.jpg"), "pictures are PNG"),
        (("rooms", "--query", "hide", "--heading", "1,0"), "give --from"),
        (("rooms", "--list"), "cannot be combined"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_said_in_words(run, tmp_path, arguments, words):
    (tmp_path / "bad.yaml").write_text("criteria:\n - {measure: distance, too: asker, at_most: 3}\n")
    (tmp_path / "query.txt").write_text("criteria: []\n")
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output
