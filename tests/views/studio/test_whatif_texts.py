"""The command and the code the page copies give what the page shows: they are run, and compared."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
from typing import Any

import pytest
from click.testing import CliRunner

from lastseen.errors import InputError
from lastseen.level.samples import sample
from lastseen.reasoning.chase import predictors
from lastseen.reasoning.chase.predictors import register_predictor
from lastseen.simulation.world.puppet import PlayerInput
from lastseen.views.cli.app.main import cli
from lastseen.views.studio.answers.questions import flood_answer
from lastseen.views.studio.protocol.greeting_builder import greeting_of
from lastseen.views.studio.protocol.messages import FloodChanges, WhatIf
from lastseen.views.studio.protocol.news import encoded
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage import stage_of_level
from lastseen.views.studio.session.stage_opening import opened, request_for

LOCKED = """name: Cells
##########
#P..+...G#
#...#....#
##########
"""


@pytest.fixture(scope="module")
def warehouse() -> Game:
    return Game(stage_of_level(sample("warehouse"), "warehouse"))


def beside_the_locked_door(aside: float) -> tuple[float, float, float]:
    door = next(one for one in sample("warehouse").doors if one.locked)
    x, y = door.outline_xy.mean(axis=0).tolist()
    return x + aside, y, door.z


def require_same(shown: dict[str, Any]) -> None:
    """Run the command and the code of a flood, and compare them with it."""
    words = shlex.split(shown["command"])
    assert words[0] == "lastseen"
    result = CliRunner().invoke(cli, [*words[1:], "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    made = json.loads(result.stdout)
    for key in ("destination", "destination_cell", "steps", "heated", "reason", "has_barrier", "fell_back"):
        assert made[key] == shown[key], key
    assert len(made["warm"]) == len(shown["warm"])
    assert len(made["barrier"]) == len(shown["barrier"])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(shown["python"], "copied.py", "exec"), {})
    assert json.loads(printed.getvalue()) == shown["destination"]


def answered(game: Game, **given: Any) -> list[dict[str, Any]]:
    return json.loads(encoded(flood_answer(game, WhatIf(**given))))["results"]


def asked(game: Game, **given: Any) -> list[dict[str, Any]]:
    results = answered(game, **given)
    for one in results:
        require_same(one)
    return results


def test_locked_doors_bar_the_command_as_they_bar_the_game(warehouse):
    steps = []
    for aside, heading in ((-2.0, 1.0), (2.0, -1.0)):
        seen = beside_the_locked_door(aside)
        steps += [one["steps"] for one in asked(warehouse, seen=seen, heading=(heading, 0.0))]
        (bare,) = answered(warehouse, seen=seen, heading=(heading, 0.0))
        words = shlex.split(bare["command"])
        at = words.index("--shut-door")
        through = json.loads(CliRunner().invoke(cli, [*words[1:at], *words[at + 2 :], "--json"]).stdout)
        assert through["steps"] != steps[-1]  # the door matters here
    assert len(steps) == 2


@pytest.mark.parametrize(
    "given",
    [
        {"seen": (9.51234567, 8.4999999, 0.0), "heading": (0.7071067811865476, -0.123456789)},
        {"seen": (9.5, 8.5, 0.0)},
        {
            "seen": (9.5, 8.5, 0.0),
            "heading": (1.0, 0.0),
            "settings": FloodChanges(hot=31, max_steps=7, behind="inclusive"),
        },
        {
            "seen": (9.5, 8.5, 0.0),
            "heading": (1e-9, 3e-9),
            "guard": (7.3333333, 8.1, 0.0),
            "presets": ("belief", "article", "no barrier", "hard"),
            "settings": FloodChanges(max_heated=9, behind="strict"),
        },
    ],
)
def test_whatever_is_asked_can_be_copied(warehouse, given):
    asked(warehouse, **given)


def test_of_the_past_and_of_recordings_too(warehouse, tmp_path):
    warehouse.advance(PlayerInput())
    (tmp_path / "run.rec").write_bytes(warehouse.file())
    game = Game(opened(Folder(tmp_path), request_for("run.rec")))
    seen = beside_the_locked_door(-2.0)
    (one,) = asked(game, seen=seen, heading=(1.0, 0.0))
    (live,) = answered(warehouse, seen=seen, heading=(1.0, 0.0))
    assert one["warm"] == live["warm"]


def test_levels_of_the_folder_and_those_that_were_sent_are_named_as_files(tmp_path, monkeypatch):
    (tmp_path / "night shift").mkdir()
    (tmp_path / "own map.txt").write_text(LOCKED)
    (tmp_path / "night shift" / "it's.yaml").write_text("level: ../own map.txt\n")
    monkeypatch.chdir(tmp_path)
    folder = Folder(tmp_path)
    loss = {"seen": (2.5, 2.5, 0.0), "heading": (1.0, 0.0)}
    for stage in (
        opened(folder, request_for("own map.txt")),
        opened(folder, request_for("night shift/it's.yaml")),
        stage_of_level(folder.level("own map.txt"), "uploaded/own map.txt"),
    ):
        (one,) = asked(Game(stage), **loss)
        assert "uploaded/" not in one["command"] + one["python"]
        assert ("was uploaded" in one["note"]) == stage.source.startswith("uploaded/")


@pytest.mark.parametrize("door", ["no such door", "99", "-1", ""])
def test_a_door_the_level_has_not_is_refused(door):
    given = ["chase", "warehouse", "--seen", "9.5,8.5", "--shut-door", door]
    result = CliRunner().invoke(cli, given)
    assert result.exit_code == 2
    assert "its doors" in result.output
    assert "Traceback" not in result.output


class Ahead:
    """Run two metres ahead."""

    def predict(self, loss):
        return loss.seen_at + 2.0 * loss.heading


def test_a_predictor_of_your_own_is_offered_and_answers(warehouse, monkeypatch):
    monkeypatch.setattr(predictors, "_registered", {})
    register_predictor(Ahead, "ahead")
    assert greeting_of(warehouse).presets[-1] == "ahead"
    own, article = answered(warehouse, seen=(9.5, 8.5, 0.0), heading=(1.0, 0.0), presets=("ahead", "article"))
    assert (own["destination"], own["reason"], own["steps"]) == ([11.5, 8.5, 0.0], "own", 0)
    assert own["warm"] == [[own["destination_cell"], 1, 0]]
    assert article["steps"] > 0
    assert "--predictor ahead" in own["command"]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(own["python"], "copied.py", "exec"), {})
    assert json.loads(printed.getvalue()) == own["destination"]
    with pytest.raises(InputError):
        answered(warehouse, seen=(9.5, 8.5, 0.0), presets=("os:getcwd",))
