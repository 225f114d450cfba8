"""The picture in the README is the one `make play` draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from click.testing import CliRunner
from PIL import Image

from lastseen.views.cli.main import cli

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "warehouse.png"


def test_the_readme_shows_what_play_draws(tmp_path):
    drawn = tmp_path / "play.png"
    assert CliRunner().invoke(cli, ["play", "-o", str(drawn)]).exit_code == 0
    shown, now = (np.asarray(Image.open(path).convert("RGB"), dtype=int) for path in (PICTURE, drawn))
    assert shown.shape == now.shape
    # Letters may fall a pixel aside under another release of the drawing library; the map may not.
    assert (np.abs(shown - now).max(axis=2) > 24).mean() < 0.01, (
        "draw it anew: lastseen play -o docs/pictures/warehouse.png"
    )
