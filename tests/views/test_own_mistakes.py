"""What goes wrong in a program's own predictors and leaves is named with file and line, and exits with 2."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from click.testing import CliRunner

import lastseen as ls
from lastseen.agents.bodies.orders import ACTED_ON, ActKind
from lastseen.errors import InputError, QueryError
from lastseen.reasoning.chase import predictors
from lastseen.simulation.systems.act import _DO
from lastseen.views.cli.app.main import cli

CODE = """
import sys

import numpy as np

import lastseen as ls
from lastseen.chase import Prediction
from lastseen.trees import RUNNING, Registry


class Stays:
    def predict(self, loss):
        return loss.seen_at


class Several(Stays):
    def predict_many(self, losses):
        return losses.seen_at


class Predicted(Stays):
    def predict_many(self, losses):
        return ls.chase.Chase(ls.CellLayout.from_level(ls.Level.sample("rooms"))).predict_many(losses)


class Three(Stays):
    def predict_many(self, losses):
        return 3


class TooFew(Stays):
    def predict_many(self, losses):
        return [(1.0, 1.0)] * (len(losses) + 1)


class Unknown(Stays):
    def predict_many(self, losses):
        return [(np.nan, 1.0)] * len(losses)


class Divides(Stays):
    def predict_many(self, losses):
        return 1 / 0


class Elsewhere:
    def predict(self, loss):
        return Prediction((1.0, 1.0), 99999, "there")


class Wordless:
    def predict(self, loss):
        return Prediction((1.0, 1.0), 0, 7)


class Quits:
    def predict(self, loss):
        sys.exit(5)


class Unmade:
    def __init__(self, cells):
        raise ValueError("no map")

    predict = None


def wrong_function(loss):
    return loss.seen_at


registry = Registry()
ORDERS = {
    "dance": lambda mind: mind.act("dance"),
    "open_far_door": lambda mind: mind.act("open door", 99),
    "hide_nowhere": lambda mind: mind.act("hide", "wardrobe"),
    "catch_itself": lambda mind: mind.act("catch", 0),
    "use_nothing": lambda mind: mind.act("use", 0),
    "throw_nowhere": lambda mind: mind.act("throw", place=(np.nan, 0.0, 0.0)),
    "go_nowhere": lambda mind: mind.go((np.nan, 1.0, 0.0), "walk"),
    "go_backwards": lambda mind: mind.go((3.0, 3.0), "walk", pace=-1),
    "go_to_nobody": lambda mind: mind.go((3.0, 3.0), "walk", toward=7),
    "face_north": lambda mind: mind.face("north"),
    "look_nowhere": lambda mind: mind.look(np.nan),
    "turn_far": lambda mind: mind.turn(np.inf),
    "bark_number": lambda mind: mind.bark(3),
    "quit": lambda mind: sys.exit(4),
    "step_world": lambda mind: ls.step(mind.world),
}
for kind, order in ORDERS.items():

    def give(mind, order=order):
        order(mind)
        return RUNNING

    give.__name__ = kind
    registry.action(give)
"""
SCENARIO = """
level: rooms
seconds: 1
agents:
  - {name: Ames, brain: own.yaml, team: guards, at: [4, 5.5]}
  - {name: you, brain: puppet, at: [9, 5.5]}
"""
CELLS = ls.CellLayout.from_level(ls.Level.sample("rooms"))


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The current folder, with code of its own."""
    for name, text in {"mistaken.py": CODE, "quits.py": "import sys\n\nsys.exit(7)\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("LASTSEEN_PREDICTORS", "LASTSEEN_LEAVES"):
        monkeypatch.setenv(name, "")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(predictors, "_registered", {})
    yield __import__("mistaken")
    for name in ("mistaken", "quits"):
        sys.modules.pop(name, None)


def said(*arguments: str) -> str:
    """Return what a command that is wrong prints."""
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return " ".join(result.output.split())


def line_of(words: str) -> int:
    return CODE.splitlines().index(words) + 1


def test_a_batch_may_be_answered_as_places_one_per_loss(own):
    asked = ls.chase.Losses(seen_at=[(9.5, 5.5), (3.5, 5.5)])
    made = ls.chase.register_predictor(own.Several).made(CELLS)
    many, alone = made.predict_many(asked), [made.predict(asked[number]) for number in range(2)]
    assert np.array_equal(many.destination, [one.destination for one in alone])
    assert many.cell.tolist() == [one.cell for one in alone]
    assert many[1].reason == alone[1].reason == "own"


def test_a_batch_may_be_answered_by_a_shipped_predictor(own):
    found = ls.evaluate_chase({"rooms": CELLS}, predictors=[own.Predicted(), "article"], episodes=12)
    outcome = found.outcomes["rooms"]
    assert np.array_equal(outcome.destination[:, 0], outcome.destination[:, 1])


@pytest.mark.parametrize(
    ("name", "words", "line"),
    [
        ("Three", "for 24 losses is 3; give a place or a Prediction for each", "        return 3"),
        ("TooFew", "give a place or a Prediction for each", "        return [(1.0, 1.0)] * (len(losses) + 1)"),
        ("Unknown", "every coordinate must be finite", "        return [(np.nan, 1.0)] * len(losses)"),
        ("Elsewhere", "is 99999; there are 164 cells", '        return Prediction((1.0, 1.0), 99999, "there")'),
        ("Wordless", "the reason of predictor 'Wordless' is 7", "        return Prediction((1.0, 1.0), 0, 7)"),
    ],
)
def test_a_wrong_answer_is_named(own, name, words, line):
    method = line_of(line) - 1  # what was returned is known, the line that returned it is not
    with pytest.raises(InputError, match=re.escape(words)) as raised:
        ls.evaluate_chase({"rooms": CELLS}, predictors=[getattr(own, name)()], episodes=24)
    assert f"(mistaken.py:{method}, in predict" in str(raised.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Divides", f"raised ZeroDivisionError: division by zero (mistaken.py:{line_of('        return 1 / 0')}"),
        ("Quits", f"raised SystemExit: 5 (mistaken.py:{line_of('        sys.exit(5)')}, in predict)"),
        ("wrong_function", "a class or function is called with the cells if it takes an argument"),
    ],
)
def test_code_that_raises_is_named_by_commands(own, name, words):
    found = said("evaluate", "chase", "rooms", "--episodes", "4", "--jobs", "1", "--predictors", f"mistaken:{name}")
    assert words in found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("quits:x", "SystemExit: 7 (quits.py:3, in <module>); put what the program does itself under `if __name__"),
        ("mistaken.py:Stays", "write mistaken:Stays"),
        ("stays", "or your own as MODULE:NAME"),
    ],
)
def test_a_name_that_cannot_be_used_says_what_to_write(own, name, words):
    for command in (
        ("evaluate", "chase", "rooms", "--predictors", name),
        ("chase", "rooms", "--seen", "9.5,5.5", "--predictor", name),
    ):
        assert words in said(*command)


def test_code_that_python_generates_is_not_named(own):
    Path("kinds.py").write_text("import lastseen as ls\n\nKIND = ls.chase.PredictorKind('mine', 'a mistake', 3)\n")
    assert "(kinds.py:3, in <module>)" in said("chase", "rooms", "--seen", "9.5,5.5", "--predictor", "kinds:KIND")


def test_a_kind_needs_a_function_that_makes_it():
    with pytest.raises(InputError, match="make of predictor 'mine' is 3; give a class or function"):
        ls.chase.PredictorKind("mine", "a mistake", 3)


@pytest.mark.parametrize(
    ("leaf", "words"),
    [
        ("dance", "there is no act 'dance'; use alarm, appear"),
        ("open_far_door", "open door: there is no door 99; there are 1"),
        ("hide_nowhere", "hide is 'wardrobe'; give a whole number"),
        ("catch_itself", "catch: agent 0 is no target; targets are [1]"),
        ("use_nothing", "use: there is no object 0; there are 0"),
        ("throw_nowhere", "every coordinate must be finite"),
        ("go_nowhere", "every coordinate must be finite"),
        ("go_backwards", "pace is -1; it must be at least 0"),
        ("go_to_nobody", "toward: there is no agent 7; there are 2"),
        ("face_north", "heading must be a number, got 'north'"),
        ("look_nowhere", "heading is nan rad"),
        ("turn_far", "heading is inf rad"),
        ("bark_number", "trigger is 3; give text"),
        ("quit", "raised SystemExit: 4"),
        ("step_world", "the world is in the middle of a step"),
    ],
)
def test_an_order_that_cannot_be_given_ends_the_run_with_the_line_of_the_leaf(own, leaf, words):
    Path("own.yaml").write_text(f"trees: {{own: {{sequence: [{leaf}]}}}}", encoding="utf-8")
    Path("scenario.yaml").write_text(SCENARIO, encoding="utf-8")
    found = said("run", "scenario.yaml", "--leaves", "mistaken:registry")
    assert words in found
    line = next(number for number, text in enumerate(CODE.splitlines(), 1) if f'"{leaf}": lambda' in text)
    assert f"mistaken.py:{line}, in <lambda>)" in found
    assert f"brain failed after 0.0 s: Ames: sequence/{leaf}" in found


def test_every_act_is_carried_out_and_documented():
    assert set(get_args(ActKind)) == set(_DO)
    assert set(ACTED_ON) < set(_DO)
    page = (Path(__file__).parents[2] / "docs" / "leaves.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `act("))
    assert set(re.findall(r"`([a-z ]+)`", row.partition(" | ")[2])) - {"number", "place"} == set(_DO)


def test_a_world_is_stepped_again_after_a_step_that_raised(monkeypatch):
    world = ls.make_world(ls.parse_scenario("level: rooms\nagents: [{name: you, brain: puppet, at: [9, 5.5]}]\n"))
    world.crowd.plan, plan = None, world.crowd.plan
    with pytest.raises(TypeError):
        ls.step(world)
    world.crowd.plan = plan
    ls.step(world)
    assert world.tick == 1


def test_arguments_of_the_game_loop_that_fit_nothing_are_named():
    from lastseen.senses import VisionMemory, bodies, vision

    level = ls.Level.sample("rooms")
    place = ls.LiveLayout.from_level(level)
    seen = vision("zones").look(
        bodies([(4.0, 5.5), (9.0, 5.5)], team=[0, 1]), place.sight, [0], [1], VisionMemory(1, 1), 0.1
    )
    path = ls.find_path(place.mesh, (4.0, 5.5), (9.0, 5.5))
    for call, words in (
        (lambda: seen.why(5, 0), "no observer 5 with a target 0; there are 1 and 1, counted from 0"),
        (lambda: seen.why("Ames", 0), "no observer 'Ames'"),
        (lambda: path.at(float("nan")), "metres is nan"),
        (lambda: ls.Chase(place).predict(seen_at=(4.0, 5.5), heading=0.5), r"such as \(cos\(angle\), sin\(angle\)\)"),
        (lambda: ls.Level.from_polygons([(0, 0), (9, 0), (9, 6)]), r"floors\[0\] is a point.*such as \[outline\]"),
        (lambda: ls.Level.from_polygons(np.eye(3)), r"floors\[0\] is a point"),
        (lambda: ls.Level.from_text("yard.txt"), r"to read a file, call Level.read\(path\)"),
        (lambda: ls.run(ls.make_world(ls.parse_scenario("level: rooms")), each=3), "each is 3; give a function"),
    ):
        with pytest.raises((InputError, QueryError, ls.errors.LevelError), match=words):
            call()
