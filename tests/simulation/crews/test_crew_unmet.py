"""Why is who asks in no crew? Told at run time, where only that can know."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.replay.account import account_of
from lastseen.views.cli.app.main import cli

SCENARIO = """level: hall
seconds: 1.5
step: 0.1
ends: []
rules: none
crews: {dance: dance.yaml}
agents:
  - {name: Ames, at: [6, 8], patrol: ""}
  - {name: Bell, at: [6, 10], patrol: ""}
  - {name: Cole, at: [24, 9], patrol: ""}
  - {name: you, brain: puppet, at: [28, 16]}
script:
"""
LATER = "  - {at: 1.2, do: request, agents: [Bell, Cole], objective: dance, target: you, priority: 3}\n"


def _recorded(folder: Path, script: str) -> Path:
    (folder / "dance.yaml").write_text("root: {role: {name: a, least: 0, directions: {stand: [8, 4]}}}")
    (folder / "mine.yaml").write_text(SCENARIO + script)
    run = CliRunner().invoke(cli, ["run", str(folder / "mine.yaml"), "-o", str(folder / "mine.rec")])
    assert run.exit_code == 0, run.output
    return folder / "mine.rec"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            "  - {at: 0.2, do: request, agents: [Ames], objective: dance, target: you, priority: 2}\n" + LATER,
            "dance you (2): no colleague asks for it",
        ),
        (
            "  - {at: 0.2, do: request, agents: [Ames], objective: dance, draws: 1}\n",
            "dance (1): no colleague is within reach",
        ),
        (
            "  - {at: 0.1, do: remove, agent: you}\n"
            "  - {at: 0.2, do: request, agents: [Ames, Bell], objective: dance, target: you}\n",
            "dance you (1): you is gone",
        ),
        (
            "  - {at: 0.1, do: fell, agent: Bell}\n"
            "  - {at: 0.2, do: request, agents: [Ames, Bell], objective: dance}\n",
            "dance (1): no colleague asks for it",
        ),
        (
            "  - {at: 0.2, do: request, agents: [Ames, Bell], objective: dance}\n"
            "  - {at: 0.2, do: request, agents: [Bell, Cole], objective: dance, target: you, priority: 5}\n",
            "dance (1): the others that ask for it have more urgent requests",
        ),
    ],
)
def test_why_tells_for_what_one_asks_in_vain(tmp_path: Path, script: str, words: str) -> None:
    path = _recorded(tmp_path, script)
    recording = Recording.read(path)
    assert account_of(recording, "Ames", 1.0).asks_in_vain == words
    assert account_of(recording, "Ames", 0.1).asks_in_vain == ""
    told = CliRunner().invoke(cli, ["why", str(path), "--agent", "Ames", "--at", "1"])
    assert told.exit_code == 0, told.output
    assert f"in no crew, although it asks for {words}" in told.output


def test_who_is_in_a_crew_asks_for_nothing_in_vain(tmp_path: Path) -> None:
    path = _recorded(tmp_path, "  - {at: 0.2, do: request, agents: [Ames, Bell], objective: dance}\n")
    account = account_of(Recording.read(path), "Ames", 1.0)
    assert account.duty is not None
    assert account.asks_in_vain == ""
