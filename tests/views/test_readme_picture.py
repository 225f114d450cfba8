"""The picture in the README is the one `lastseen play --picture` draws."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from lastseen.views.cli.app.main import cli
from pictures import decoded, look_alike

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "warehouse.png"


def test_the_readme_shows_what_play_draws(tmp_path):
    drawn = tmp_path / "play.png"
    assert CliRunner().invoke(cli, ["play", "--picture", str(drawn)]).exit_code == 0
    shown, now = (decoded(path.read_bytes()) for path in (PICTURE, drawn))
    assert look_alike(shown, now), "draw it again: make pictures"
