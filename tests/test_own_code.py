"""A program's own predictors and leaves, from the current folder or as objects."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from websockets.sync.client import connect

import lastseen as ls
from lastseen.agents.brains.mind import Mind
from lastseen.agents.brains.surroundings import Surroundings
from lastseen.errors import InputError, ScenarioError
from lastseen.reasoning.chase import predictors
from lastseen.reasoning.chase.predictors import PREDICTORS
from lastseen.simulation.experiments.harness.results import Results
from lastseen.simulation.experiments.registry import EXPERIMENTS
from lastseen.views.cli.app.main import cli
from studio.server import PATIENCE, Page

CODE = '''
import lastseen as ls


class Ahead:
    """Run ahead."""

    def predict(self, loss):
        return loss.seen_at + 2.0 * loss.heading


class Here:
    def __init__(self, cells):
        self.cells = cells

    def predict(self, loss):
        return ls.chase.Prediction(loss.seen_at, ls.cells.nearest_cell(self.cells, loss.seen_at), "here")


class Broken:
    def predict(self, loss):
        return 1 / 0


class Lost:
    def predict(self, loss):
        return (float("nan"), 0.0)


number = 3
registry = ls.trees.Registry()


@registry.condition
def is_late(mind, after: float = 1.0):
    """Return whether the run has lasted long."""
    return mind.time > after
'''
TREE = """
trees:
  late:
    reactive_selector:
      - guard: [is_late, {sequence: [{run_once: [{say: {line: "late!"}}]}, stand_still]}]
      - look_round: {seconds: 4}
"""
SCENARIO = """
level: rooms
seconds: 3
chase: %s
agents:
  - {name: Ames, brain: %s, team: guards, at: [4, 5.5]}
  - {name: you, brain: puppet, at: [9, 5.5]}
"""

EXPERIMENT = '''
import lastseen as ls
from lastseen.experiments import Experiment, Measure, Parameter

TREE = """
trees:
  late:
    reactive_selector:
      - guard: [{is_late: {after: %s}}, {sequence: [{be: {state: search}}, stand_still]}]
      - stand_still
"""


def check(values):
    pass


def run(job):
    path = f"late-{job.values['after']}.yaml"
    with open(path, "w") as file:
        file.write(TREE % job.values["after"])
    world = ls.make_world(ls.parse_scenario(
        f"{{level: rooms, seconds: 2, agents: [{{name: Ames, brain: {path}, team: guards, at: [4, 5.5]}}]}}"
    ))
    while world.ending is None:
        ls.step(world)
    return [{"searching": float(world.state_of(0) == "search")}]


SHIFT = Experiment(
    name="shift", about="whether a guard searches", parameters={"after": Parameter("number", 1.0, "seconds")},
    measures=(Measure("searching", "share", "of the guards"),), check=check, run=run,
)
'''


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The current folder, with code of its own."""
    for name, text in {"own_code.py": CODE, "late.yaml": TREE, "bad_code.py": "import nothing_of_the_kind"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("LASTSEEN_PREDICTORS", "LASTSEEN_LEAVES"):
        monkeypatch.setenv(name, "")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(predictors, "_registered", {})
    yield __import__("own_code")
    sys.modules.pop("own_code", None)


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == code, result.output
    assert code == 0 or "Traceback" not in result.output
    return result.output


CELLS = ls.CellLayout.from_level(ls.Level.sample("rooms"))


def test_objects_and_classes_are_evaluated_next_to_names(own):
    found = ls.evaluate_chase({"rooms": CELLS}, predictors=[own.Ahead(), own.Here, "article"], episodes=24)
    assert found.names == ("Ahead", "Here", "article")
    outcome = found.outcomes["rooms"]
    assert outcome.destination[:, 0] == pytest.approx(outcome.seen_at + 2.0 * outcome.heading)
    assert outcome.destination[:, 1] == pytest.approx(outcome.seen_at)
    assert set(outcome.reason[:, 1].tolist()) == {"here"}
    assert "Ahead" not in PREDICTORS, "they are forgotten afterwards"


def test_a_batch_asks_one_loss_after_another_with_all_the_guard_knows(own):
    asked = []

    class Asked:
        def predict(self, loss):
            asked.append(loss)
            return loss.seen_at

    losses = [
        ls.Loss((9.5, 5.5), (1, 0), 5.0, 0.5, (4.5, 5.5), ls.View((1, 0), 1.0, 9.0)),
        ls.Loss((3.5, 5.5)),
    ]
    many = ls.chase.register_predictor(Asked()).made(CELLS).predict_many(losses)
    assert many.destination.tolist() == [[9.5, 5.5, 0.0], [3.5, 5.5, 0.0]]
    for one, other in zip(asked, losses):
        assert np.array_equal(one.seen_at, other.seen_at)
        assert np.array_equal(one.heading, other.heading)
        assert (one.speed, one.seconds) == (other.speed, other.seconds)
        assert (one.guard_view is None) == (other.guard_view is None)
    assert (asked[0].guard_view.angle, asked[0].guard_view.distance) == (1.0, 9.0)
    assert asked[1].guard_at is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([3], "give an object or a class with predict"),
        ("article", "give several"),
        ([None], "give an object or a class with predict"),
    ],
)
def test_other_objects_are_refused(own, given, words):
    with pytest.raises(InputError, match=words):
        ls.evaluate_chase({"rooms": CELLS}, predictors=given, episodes=2)


def test_objects_need_names_of_their_own_and_one_process(own):
    with pytest.raises(InputError, match="two predictors are named 'Ahead'"):
        ls.evaluate_chase({"rooms": CELLS}, predictors=[own.Ahead(), own.Ahead()], episodes=2)
    with pytest.raises(InputError, match="use jobs=1"):
        ls.evaluate_chase({"rooms": CELLS}, predictors=[own.Ahead()], episodes=2, jobs=2)
    with pytest.raises(InputError, match="predictor 'article' already"):
        ls.chase.register_predictor(own.Ahead, "article")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Broken", "'Broken' raised ZeroDivisionError: division by zero (own_code.py:BROKEN, in predict)"),
        ("Lost", "what predictor 'Lost' returned"),
        ("Lost", "(own_code.py:LOST, in predict)"),
    ],
)
def test_what_goes_wrong_inside_is_told(own, name, words):
    lines = Path(own.__file__).read_text().splitlines()
    words = words.replace("BROKEN", str(lines.index("        return 1 / 0") + 1))
    words = words.replace("LOST", str(lines.index("class Lost:") + 2))
    with pytest.raises(InputError, match=re.escape(words)):
        ls.evaluate_chase({"rooms": CELLS}, predictors=[getattr(own, name)()], episodes=2)


def test_the_command_line_imports_from_the_current_folder_also_in_other_processes(own):
    asked = ("evaluate", "chase", "rooms", "--episodes", "96", "--predictors", "own_code:Ahead,article")
    alone = run(*asked, "--jobs", "1")
    assert "own_code:Ahead" in alone
    assert run(*asked, "--jobs", "2") == alone
    found = run("chase", "rooms", "--seen", "9.5,5.5", "--heading", "1,0", "--predictor", "own_code:Ahead")
    assert "(11.50, 5.50, 0.00)" in found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("own_code:Ahed", "own_code has no 'Ahed' (did you mean 'Ahead'?)"),
        ("no_code:Ahead", "no module 'no_code'"),
        ("bad_code:Ahead", "importing bad_code failed: No module named 'nothing_of_the_kind'"),
        ("own_code:number", "give an object or a class with predict(loss)"),
        ("own_code:Broken", "raised ZeroDivisionError"),
    ],
)
def test_a_wrong_name_is_an_error_with_exit_code_2(own, name, words):
    said = run("evaluate", "chase", "rooms", "--episodes", "4", "--jobs", "1", "--predictors", name, code=2)
    assert words in " ".join(said.split())


def test_scenarios_use_predictors_that_are_named_on_the_command_line_or_registered(own):
    Path("own.yaml").write_text(SCENARIO % ("own_code:Ahead", "guard"), encoding="utf-8")
    assert "--predictor own_code:Ahead; files do not import code" in run("run", "own.yaml", code=2)
    used = run("run", "own.yaml", "--quiet", "--predictor", "own_code:Ahead")
    assert "digest" in used
    assert "note" not in used
    unused = run("run", "rooms", "--quiet", "--seconds", "1", "--predictor", "own_code:Ahead")
    assert "note: no agent uses own_code:Ahead, so --predictor changes nothing; write `chase: own_code:Ahead`" in unused
    assert os.environ["LASTSEEN_PREDICTORS"] == ""
    with pytest.raises(ScenarioError):
        ls.parse_scenario(SCENARIO % ("ahead of you", "guard"))
    ls.chase.register_predictor(own.Ahead, "ahead of you")
    world = ls.make_world(ls.parse_scenario(SCENARIO % ("ahead of you", "guard")))
    assert world.reasoning.predictors["ahead of you"][1].predict(ls.Loss((9.5, 5.5), (1, 0))).reason == "own"


def test_leaves_of_the_current_folder_run_next_to_the_shipped_ones(own):
    Path("own.yaml").write_text(SCENARIO % ("article", "late.yaml"), encoding="utf-8")
    assert "no node 'is_late'" in run("run", "own.yaml", code=2)
    assert "“late!”" in run("run", "own.yaml", "--leaves", "own_code:registry")
    assert os.environ["LASTSEEN_LEAVES"] == ""
    assert "no node 'is_late'" in run("run", "own.yaml", code=2)


def test_a_played_scenario_uses_leaves_of_the_current_folder(own):
    Path("own.yaml").write_text(SCENARIO % ("article", "late.yaml"), encoding="utf-8")
    command = [sys.executable, "-m", "lastseen", "play", "own.yaml", "--no-open", "--port", "0"]
    command += ["--leaves", "own_code:registry"]
    settings = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings) as process:
        try:
            assert process.stdout is not None
            address = re.search(r"http://(\S+)/\?token=(\S+)", process.stdout.readline())
            assert address is not None
            with connect(f"ws://{address[1]}/ws?token={address[2]}", max_size=None, open_timeout=PATIENCE) as socket:
                page = Page(socket)
                page.say("run", running=True)
                while not any("late!" in str(heard) for heard in page.heard):
                    page.take()
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)
    assert process.returncode == 0


def test_a_sweep_uses_leaves_of_the_current_folder_in_every_process(own, monkeypatch):
    monkeypatch.setattr(EXPERIMENTS, "_registered", {})
    Path("own_shift.py").write_text(EXPERIMENT, encoding="utf-8")
    Path("own.toml").write_text(
        'evaluate = "shift"\nlevels = ["rooms"]\n[grid]\nafter = [0.5, 9.0]\n', encoding="utf-8"
    )
    monkeypatch.setattr(EXPERIMENTS, "_registered", {"shift": __import__("own_shift").SHIFT})
    for jobs in ("1", "2"):
        run("sweep", "own.toml", "-o", f"with-{jobs}", "--jobs", jobs, "--leaves", "own_code:registry")
        rows = Results(Path(f"with-{jobs}"), EXPERIMENTS["shift"]).rows()
        assert {row["after"]: row["searching"] for row in rows} == {0.5: 1.0, 9.0: 0.0}
    run("sweep", "own.toml", "-o", "without", "--jobs", "1", code=3)
    assert all("no node 'is_late'" in row["error"] for row in Results(Path("without"), EXPERIMENTS["shift"]).rows())
    sys.modules.pop("own_shift")


@pytest.mark.parametrize(
    "command", [("run", "own.yaml"), ("play", "own.yaml", "--no-open"), ("sweep", "own.toml", "-o", "r")]
)
@pytest.mark.parametrize(
    ("name", "words"),
    [("own_code:number", "name a lastseen.trees.Registry"), ("no_code:x", "no module 'no_code'"), ("x", "MODULE:NAME")],
)
def test_wrong_leaves_are_an_error_with_exit_code_2(own, command, name, words):
    Path("own.yaml").write_text(SCENARIO % ("article", "guard"), encoding="utf-8")
    Path("own.toml").write_text("", encoding="utf-8")
    assert words in " ".join(run(*command, "--leaves", name, code=2).split())


def test_the_page_on_leaves_lists_everything_the_mind_offers():
    page = (Path(__file__).parents[1] / "docs" / "leaves.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(?:mind\.)?(?:\w+\.)?(\w+)(?:\([^`]*\))?`", page))
    names = {name for kind in (Mind, Surroundings) for name in (*dir(kind), *kind.__annotations__)}
    slots = {name for name in Mind.__slots__ if not name.startswith("_")}
    assert {name for name in names | slots if not name.startswith("_")} - told == set()
