"""A new kind of experiment is one file: declared there, it is evaluated and swept by the library and the commands."""

import csv
import json
import sys

import pytest
from click.testing import CliRunner

from lastseen.errors import InputError
from lastseen.level.samples import sample
from lastseen.simulation.experiments.chase.experiment import CHASE
from lastseen.simulation.experiments.harness.experiment import Job, Kept
from lastseen.simulation.experiments.harness.summary import summarise
from lastseen.simulation.experiments.harness.sweep import read_sweep
from lastseen.simulation.experiments.harness.sweep_run import evaluate_rows, run_sweep
from lastseen.simulation.experiments.harness.sweep_summary import summarise_sweep
from lastseen.simulation.experiments.harness.trials import evaluate
from lastseen.simulation.experiments.registry import EXPERIMENTS, register_experiment
from lastseen.simulation.experiments.verification.experiment import sneak_ground
from lastseen.views.cli.app.main import cli
from specimens.sweeps import TRIAL

TOY = '''
"""How many dice show a six?"""

from lastseen.experiments import Experiment, Measure, Parameter
from lastseen.rng import generator


def check(values):
    if values["dice"] < 1:
        raise ValueError("no dice")


def run(job):
    thrown = generator(job.seed, f"toy {job.name}").integers(1, 7, job.values["dice"])
    return [{"sixes": float((thrown == 6).mean()), "highest": float(thrown.max())}]


TOY = Experiment(
    name="toy",
    about="dice that show a six",
    parameters={"dice": Parameter("whole", 10, "number of dice")},
    measures=(Measure("sixes", "share", "of the dice"), Measure("highest", "", "highest number shown")),
    check=check,
    run=run,
)
'''
DUEL = '''
"""Trials of two ways to throw."""

from dataclasses import dataclass

import numpy as np

from lastseen.rng import generator
from lastseen.simulation.experiments.harness.parameters import Measure
from lastseen.simulation.experiments.harness.parameters import Parameter
from lastseen.simulation.experiments.harness.trials import Outcome, Trials, Variant
from lastseen.simulation.experiments.harness.trials_experiment import trials_experiment


@dataclass(frozen=True)
class Settings:
    bonus: int = 1


@dataclass(frozen=True, eq=False)
class Thrown(Outcome):
    points: np.ndarray
    won: np.ndarray


def variants(names):
    return tuple(Variant(name) for name in dict.fromkeys([*names, "plain"]))


def prepare(plan, name):
    return name


def play(name, plan, numbers):
    rows = [generator(plan.seed, f"duel {name} {number}").integers(1, 7) for number in numbers]
    gifts = [plan.settings.bonus * (variant == "lucky") for variant in plan.variants]
    points = np.array(rows)[:, None] + np.array(gifts)[None, :] + 0.0
    return Thrown(np.array(numbers), points, points > 3), ()


def worth(outcome, own, base):
    return outcome.points[:, own] - outcome.points[:, base]


def case_of(level, layout):
    return layout


DUEL = trials_experiment(
    Trials(
        name="duel", title="Duels", about="Two throw.", case="level", unit="throw", units="throws", count="throws",
        variant="thrower", variants=variants, base="plain", chunk=2, prepare=prepare, play=play, headline="won",
        measures=(
            Measure("won", "share", "more than three", interval=True, title="won", short="won"),
            Measure("points", "", "shown", interval=True, title="points", short="points"),
        ),
        nothing="nobody threw", worth=worth, case_of=case_of, settings=Settings, can_fail=False,
    ),
    "two throw",
    episodes=Parameter("whole", 6, "throws per level"),
    variants=Parameter("texts", ("lucky",), "throwers"),
)
'''


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package with two experiments, as pip would: one file each, and an entry point."""
    (tmp_path / "toy.py").write_text(TOY, encoding="utf-8")
    (tmp_path / "duel.py").write_text(DUEL, encoding="utf-8")
    about = tmp_path / "toys-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n", encoding="utf-8")
    points = "[lastseen.experiments]\ntoy = toy:TOY\nduel = duel:DUEL\n"
    (about / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in ("toy", "duel"):
        sys.modules.pop(name, None)


def lastseen(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)))


def test_an_installed_experiment_is_evaluated_by_library_and_command(installed):
    assert list(EXPERIMENTS)[-2:] == ["duel", "toy"]
    summary, rows = evaluate_rows(EXPERIMENTS["toy"], {"rooms": sample("rooms")}, {"dice": 4}, seeds=range(3))
    result = lastseen("evaluate", "toy", "rooms", "--dice", 4, "--seeds", 3, "--jobs", 2, "--csv", "toy.csv", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == json.loads(json.dumps(summary.as_object())), "the same in other processes"
    with (installed / "toy.csv").open(encoding="utf-8") as file:
        assert [float(row["sixes"]) for row in csv.DictReader(file)] == [row["sixes"] for row in rows]
    point = summary.effects[0].curves[0].points[0]
    assert (point.label, point.tasks) == ("rooms", 3)
    assert point.estimate.value == pytest.approx(sum(row["sixes"] for row in rows) / 3)
    assert "--dice N" in lastseen("evaluate", "toy", "--help").stdout
    assert "toy" in lastseen("evaluate", "--help").stdout


def test_an_installed_experiment_is_swept_with_the_same_results(installed):
    text = 'evaluate = "toy"\nlevels = ["rooms"]\nseeds = { count = 3 }\n[grid]\ndice = [4, 8]\n'
    (installed / "sweep.toml").write_text(text, encoding="utf-8")
    outcome = run_sweep(read_sweep("sweep.toml"), "library")
    result = lastseen("sweep", "sweep.toml", "-o", "command", "--jobs", 2, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["digest"] == outcome.digest
    points = summarise_sweep("command").effects[0].curves[0].points
    alone, _ = evaluate_rows(EXPERIMENTS["toy"], {"rooms": sample("rooms")}, {"dice": 4}, seeds=range(3))
    assert points[0].estimate == alone.effects[0].curves[0].points[0].estimate


def test_installed_trials_are_compared_in_pairs(installed):
    result = lastseen("evaluate", "duel", "rooms", "hall", "--jobs", 1, "--seed", 3, "--report", "report", "--json")
    assert result.exit_code == 0, result.output
    trials = EXPERIMENTS["duel"].trials
    asked = trials.asked({"episodes": 6, "throwers": ("lucky",), "bonus": 1})
    found = evaluate(trials, {"rooms": None, "hall": None}, seed=3, **asked)
    pooled = summarise(found)[0]
    assert (pooled.count, pooled.row("lucky").gains["points"].value) == (12, 1.0)
    assert json.loads(result.stdout)["tables"][0] == json.loads(json.dumps(pooled.as_object()))
    words = (installed / "report" / "report.md").read_text(encoding="utf-8")
    assert "| lucky | " in words
    assert "## hall (6 throws)" in words


def test_a_registered_experiment_is_known_by_its_name(monkeypatch):
    monkeypatch.setattr(EXPERIMENTS, "_registered", {})
    assert register_experiment(TRIAL) is TRIAL
    assert EXPERIMENTS["trial"] is TRIAL
    assert lastseen("evaluate", "trial", "rooms", "--a", "-1").exit_code == 2
    result = lastseen("evaluate", "trial", "rooms", "--a", 3, "--seeds", 2, "--mode", "fails", "--jobs", 1)
    assert result.exit_code == 3, "one of two tasks failed"
    assert "1 task failed: seed 1 is not to be had with a = 3" in result.stdout


@pytest.mark.parametrize(("given", "words"), [(CHASE, "comes with lastseen"), ("chase", "make one with Experiment")])
def test_what_cannot_be_registered_is_refused(given, words):
    with pytest.raises((InputError, TypeError), match=words):
        register_experiment(given)


def test_an_unknown_experiment_is_refused_with_a_close_name():
    result = lastseen("evaluate", "chaes", "rooms")
    assert result.exit_code == 2
    assert "did you mean 'chase'?" in result.output


@pytest.mark.parametrize(("name", "radius"), [("rooms", 0.0), ("house", 0.3)])
def test_default_bodies_of_placements_are_those_described(name: str, radius: float) -> None:
    job = Job(name, sample(name), 0, {"radius": None, "cell": 0.5}, {}, Kept())
    assert sneak_ground(job).radius == radius
    for experiment in ("verification", "placement"):
        about = EXPERIMENTS[experiment].parameters["radius"].about
        assert about == "radius of bodies, metres; default: 0.3, but 0 on tile maps and navmeshes"
