"""`lastseen chase` with any options: an answer or words, never a traceback, never half a file."""

import contextlib
import json
import tempfile
from pathlib import Path

from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from lastseen.views.cli.app.main import cli

NUMBERS = st.sampled_from(["0", "1", "-1", "2.5", "7", "128", "1e400", "nan", "inf", "-inf", "x", "", " 3", "1_0"])
PLACES = st.one_of(
    st.tuples(st.floats(-2, 26), st.floats(-2, 12)).map(lambda place: f"{place[0]:.3f},{place[1]:.3f}"),
    st.lists(NUMBERS, min_size=1, max_size=4).map(",".join),
    st.sampled_from(["3.5,5.5", "3.5,5.5,0", "3.5,5.5,40", "0x1,2", "٣,٤", "1e308,1e308", "\0,1", "-0.0,0"]),
)
WORDS = st.sampled_from(
    [
        "article",
        "belief",
        "corridors",
        "narrow cone",
        "total cells",
        "no barrier",
        "hard",
        "strict",
        "cone",
        "",
        "é",
        "\0",
    ]
)
PREDICTORS = st.sampled_from(
    ["flood", "dead-reckoning", "last-position", "particle-filter", "breadcrumbs", "nobody", ""]
)
WORTH = st.sampled_from(
    ["all", "exits", "exits=3,hiding", "cover=nan", "exits=1e999", "=", ",", "doors", "", "cover=0"]
)
FILES = st.sampled_from(["a.png", "a.gif", "b", "", ".", "no/such.png", "rooms.txt", "\0", "a.jpg", "é.png"])
LEVELS = st.sampled_from(["rooms", "rooms", "rooms", "corridor", "nowhere", "", "rooms.txt", "\0"])

OPTIONS = {
    "--heading": PLACES,
    "--guard": PLACES,
    "--guard-looks": PLACES,
    "--hot": NUMBERS,
    "--max-heated": NUMBERS,
    "--max-steps": st.one_of(NUMBERS, st.just("3")),
    "--behind": st.sampled_from(["strict", "inclusive", "cone", ""]),
    "--preset": WORDS,
    "--predictor": PREDICTORS,
    "--worth": WORTH,
    "--speed": NUMBERS,
    "--seconds": NUMBERS,
    "--radius": st.sampled_from(["0", "0.3", "-1", "nan", "50"]),
    "--cell": st.sampled_from(["1", "2", "0", "-1", "nan", "1e9"]),
    "--png": FILES,
    "--gif": FILES,
    "--scale": st.sampled_from(["8", "0", "-1", "nan", "1e9", "inf"]),
    "--storey": st.sampled_from(["0", "1", "-1", "99999999999999999999"]),
    "--json": st.none(),
}


@st.composite
def commands(draw):
    names = draw(st.lists(st.sampled_from(sorted(OPTIONS)), max_size=5))
    given_ = ["chase", draw(LEVELS)]
    if draw(st.integers(0, 9)):
        given_ += ["--seen", draw(st.one_of(st.just("3.5,5.5"), PLACES))]
    for name in names:
        value = draw(OPTIONS[name])
        given_ += [name] if value is None else [name, value]
    return given_


@settings(max_examples=125)
@given(commands())
@example(["chase", "rooms", "--seen", "1e308,1e308"])
@example(["chase", "rooms", "--seen", "3.5,5.5", "--heading", "1,0", "--worth", "all", "--png", "a.png", "--json"])
def test_any_options_give_an_answer_or_words(command):
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("rooms.txt").write_text("......\n......\n..##..\n......\n")
        before = Path("rooms.txt").read_bytes()
        result = CliRunner().invoke(cli, command)
        words = (command, result.output, result.exception)
        assert result.exit_code in (0, 2), words
        assert result.exception is None or isinstance(result.exception, SystemExit), words
        assert Path("rooms.txt").read_bytes() == before
        written = {path.name for path in Path().iterdir()} - {"rooms.txt"}
        if result.exit_code == 2:
            assert result.stdout == "", words
            assert result.stderr.strip(), words
            assert "Traceback" not in result.stderr
            assert not written, words
            return
        if "--json" in command:
            report = json.loads(result.stdout, parse_constant=lambda word: 1 / 0)
            assert len(report["heated"]) == report["steps"]
            assert all(abs(number) < 1e3 for number in report["destination"])
        last = {command[n]: command[n + 1] for n in range(len(command) - 1) if command[n] in ("--png", "--gif")}
        assert written == set(last.values()), words
        for name in written:
            with Image.open(name) as picture:
                picture.load()
