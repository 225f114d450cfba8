"""`lastseen evaluate crews`: what it says, what it writes, what it refuses."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from lastseen.estimates import Estimate
from lastseen.simulation.experiments.crews.experiment import CREW_TRIALS
from lastseen.simulation.experiments.harness.summary import Row, Table
from lastseen.views.cli.app.main import cli
from lastseen.views.cli.experiments.evaluation_report import as_markdown

FEW = ("--episodes", 3, "--guards", "1,3", "--seconds", 5, "--jobs", 1)
SCENE = """
level: hall
combat: true
crews: true
agents:
  - {name: Ames, at: [8, 8], patrol: ""}
  - {name: Bell, at: [8, 10], patrol: "", attack: ranged}
  - {name: Vera, brain: brawler, at: [14, 9], heading: 3.14, health: 500}
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run `lastseen evaluate crews` in a folder with a scenario."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scene.yaml").write_text(SCENE, encoding="utf-8")

    def runner(*arguments: Any) -> Result:
        return CliRunner().invoke(cli, ["evaluate", "crews", *map(str, arguments)])

    return runner


def test_a_report_has_words_numbers_a_chart_and_trials(run: Callable[..., Result], tmp_path: Path) -> None:
    result = run("hall", "scene.yaml", *FEW, "--report", "found")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0] == "all: 6 starting positions; 3 of 3 with one guard identical to the bit"
    words = (tmp_path / "found" / "report.md").read_text(encoding="utf-8")
    for part in (
        "# Crews off and on",
        "## fights (1 starting positions)",
        "## sweeps (1 starting positions)",
        "## scene (3 starting positions)",
        "| attackers at once |",
    ):
        assert part in words
    pictures = sorted(path.name for path in (tmp_path / "found").glob("*.png"))
    assert "chart.png" in pictures
    assert len(pictures) >= 2
    for name in pictures:
        assert f"({name})" in words
        with Image.open(tmp_path / "found" / name) as picture:
            assert picture.width > 300
    told = json.loads((tmp_path / "found" / "results.json").read_text())
    assert told["sources"] == ["hall", "scene"]


def test_json_is_the_same_again(run: Callable[..., Result]) -> None:
    one, two = (run("scene.yaml", "--episodes", 1, "--seconds", 4, "--jobs", 1, "--json") for _ in range(2))
    assert one.exit_code == 0, one.output
    assert one.stdout == two.stdout
    told = json.loads(one.stdout)
    assert told["tables"][0]["alone"] == 0
    assert {row["metric"] for row in told["tables"][0]["metrics"]} >= {"contacts", "lines", "over"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument"),
        (("warehuose",), "did you mean 'warehouse'"),
        (("nothing.yaml",), "nothing.yaml"),
        (("hall", "hall"), "two sources are called 'hall'"),
        (("hall", "--guards", "two"), "--guards is 'two'"),
        (("hall", "--guards", "20"), "sizes is 20"),
        (("hall", "--seconds", "0"), "seconds is 0"),
        (("hall", "--episodes", "0"), "episodes is 0"),
        (("hall", "--report", "no/such/folder"), "there is no folder"),
    ],
)
def test_bad_input_ends_with_words(run: Callable[..., Result], arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_of_one_pair_no_interval_is_told() -> None:
    one, wide = Estimate(2.0, 1.0, 3.0), Estimate(-1.0, -math.inf, math.inf)
    rows = (
        Row("off", False, {"contacts": one}, {}, {}, {}, {}, {}),
        Row("on", False, {"contacts": wide}, {"contacts": wide}, {}, {}, {}, {}),
    )
    table = Table(CREW_TRIALS, "hall", 1, rows, {})
    assert "| 2.0 (1.0 … 3.0) | -1.0 (too few samples) | -1.0 (too few samples) | open |" in as_markdown(table)


def test_a_report_of_too_few_episodes_for_the_headline_is_written(run: Callable[..., Result], tmp_path: Path) -> None:
    result = run("hall", "--episodes", 1, "--guards", 2, "--seconds", 5, "--jobs", 1, "--report", "few")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "few" / "report.md").exists()
