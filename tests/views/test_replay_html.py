"""`lastseen replay --html`: a page of a stretch, written whole or not at all."""

import re
from base64 import b64decode
from pathlib import Path
from zlib import decompress

import pytest
from click.testing import CliRunner

from lastseen.views.cli.app.main import cli
from lastseen.views.studio.answers import replay_page
from specimens.recordings import LOST, recorded


@pytest.fixture
def replay(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recorded(LOST, tmp_path / "lost.rec")

    def run(*arguments):
        return CliRunner().invoke(cli, ["replay", "lost.rec", *arguments])

    return run


def ticks_of(path):
    data = re.search(r'id="embedded">([^<]+)<', Path(path).read_text())[1]
    return int(re.search(rb'"ticks":(\d+),"parts"', decompress(b64decode(data)))[1])


def test_a_page_of_everything_or_of_a_stretch(replay):
    result = replay("--html", "all.html")
    assert (result.exit_code, result.stdout) == (0, "wrote all.html\n"), result.output
    assert ticks_of("all.html") == 526
    assert replay("--html", "some.html", "--from", "2", "--to", "4").exit_code == 0
    assert ticks_of("some.html") == 61
    assert Path("some.html").stat().st_size < 600_000


def test_pages_and_pictures_at_once(replay):
    result = replay("--html", "a.html", "--png", "a.png", "--json")
    assert result.exit_code == 0
    assert {path.name for path in Path().iterdir()} == {"lost.rec", "a.html", "a.png"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--html", "a.png"), "this page is HTML; name it 'a.html'"),
        (("--html", "none/a.html"), "there is no folder 'none'"),
        (("--html", "lost.rec"), "is an input"),
        (("--html", "a.html", "--scale", "8"), "--scale needs a picture to apply to"),
        (("--html", "a.html", "--from", "99"), "lost.rec spans 0 to 17.53 s"),
        (("--html", "a", "--gif", "a"), "--gif and --html name the same file"),
    ],
)
def test_refused_in_words(replay, arguments, words):
    before = Path("lost.rec").read_bytes()
    result = replay(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert [path.name for path in Path().iterdir()] == ["lost.rec"]
    assert Path("lost.rec").read_bytes() == before


def test_a_failure_leaves_the_old_file(replay, monkeypatch):
    Path("a.html").write_text("old")

    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(replay_page, "replay_data", fail)
    assert replay("--html", "a.html").exit_code != 0
    assert Path("a.html").read_text() == "old"
    assert len(list(Path().iterdir())) == 2
