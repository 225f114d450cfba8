"""The pictures in the README are those `make pictures` draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from click.testing import CliRunner
from PIL import Image, ImageSequence

from lastseen.simulation.recording.recording import Recording
from lastseen.views.cli.app.main import cli
from pictures import decoded, look_alike

ROOT = Path(__file__).resolve().parents[3]
PICTURES = ROOT / "docs" / "pictures"
COMMANDS = (
    "run docs/pictures/last-seen.yaml -o out/last-seen.rec --quiet",
    "replay out/last-seen.rec --gif docs/pictures/last-seen.gif --speed 2 --scale 28 --bare",
)


def test_the_readme_shows_what_play_draws(tmp_path):
    drawn = tmp_path / "play.png"
    assert CliRunner().invoke(cli, ["play", "--picture", str(drawn)]).exit_code == 0
    shown, now = (decoded(path.read_bytes()) for path in (PICTURES / "warehouse.png", drawn))
    assert look_alike(shown, now), "draw it again: make pictures"


def test_the_readme_animates_a_guard_that_sees_loses_chases_searches_and_returns(tmp_path, monkeypatch):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (tmp_path / "out").mkdir()
    (tmp_path / "docs" / "pictures").mkdir(parents=True)
    for name in ("last-seen.yaml", "last-seen.txt"):
        (tmp_path / "docs" / "pictures" / name).write_bytes((PICTURES / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        assert f"$(BIN)/lastseen {command}" in makefile
        assert CliRunner().invoke(cli, command.split()).exit_code == 0
    recording = Recording.read("out/last-seen.rec")
    states = [str(event.state) for event in recording.events() if event.kind == "state" and event.agent == 0]
    assert states == ["suspicious", "engage", "chase", "search", "suspicious", "return"]
    kept = PICTURES / "last-seen.gif"
    assert kept.stat().st_size < 800_000
    before, now = frames(kept), frames(Path("docs/pictures/last-seen.gif"))
    assert len(before) == len(now)
    for number in range(0, len(now), 10):
        assert look_alike(before[number], now[number]), "draw it again: make pictures"
    assert not look_alike(now[0], now[-1])


def frames(path: Path) -> list[np.ndarray]:
    """Return the frames of an animation as pixels."""
    with Image.open(path) as image:
        return [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(image)]
