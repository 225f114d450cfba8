"""Sweep files: what they mean, and what is said of those that are wrong."""

import math
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards import ROOT
from lastseen.errors import InputError
from lastseen.simulation.experiments.chase.episodes import PursuitSettings
from lastseen.simulation.experiments.harness.design import sweep_schema
from lastseen.simulation.experiments.harness.parameters import Parameter, named, parameters_of, text_of_value
from lastseen.simulation.experiments.harness.sweep import read_sweep
from lastseen.simulation.experiments.registry import EXPERIMENTS
from oracles.schema import accepts
from specimens.sweeps import TRIALS, sweep_text

HEAD = 'evaluate = "trial"\nlevels = ["rooms"]\n'


@pytest.fixture
def read(tmp_path):
    """Read a sweep of trials from text."""

    def reader(text):
        path = tmp_path / "sweep.toml"
        path.write_text(text, encoding="utf-8")
        return read_sweep(path, experiments=TRIALS)

    return reader


def test_a_grid_is_every_value_with_every_other_level_and_seed(read):
    sweep = read(sweep_text('a = [1, 2.0]\nmode = ["works", "fails"]', seeds=3))
    assert sweep.swept == ("a", "mode")
    found = [(task.level, task.seed, task.values["a"], task.values["mode"]) for task in sweep.tasks]
    assert sorted(found) == sorted(
        ("rooms", seed, a, mode) for seed in range(3) for a in (1.0, 2.0) for mode in ("works", "fails")
    )
    assert all(task.values["count"] == 3 for task in sweep.tasks)
    assert len({task.key for task in sweep.tasks}) == 12


def test_the_key_is_of_what_a_task_depends_on_and_nothing_else(read):
    first = {task.key for task in read(sweep_text("a = [1, 2]", seeds=2)).tasks}
    assert first == {task.key for task in read(sweep_text("a = [2.0, 1.0]", seeds=2, fixed="count = 3")).tasks}
    assert first < {task.key for task in read(sweep_text("a = [1, 2, 3]", seeds=3)).tasks}
    assert not first & {task.key for task in read(sweep_text("a = [1, 2]", seeds=2, fixed="count = 4")).tasks}


def test_a_changed_level_makes_other_tasks(tmp_path, read):
    level = tmp_path / "my.txt"
    level.write_text("######\n#....#\n#....#\n######\n", encoding="utf-8")
    text = 'evaluate = "trial"\nlevels = ["my.txt"]\n'
    before = read(text).tasks[0].key
    assert read(text).tasks[0].key == before
    level.write_text("######\n#....#\n#.#..#\n######\n", encoding="utf-8")
    assert read(text).tasks[0].key != before


def test_patterns_stand_for_the_files_that_fit(tmp_path, read):
    (tmp_path / "maps").mkdir()
    for name in ("b", "a"):
        (tmp_path / "maps" / f"{name}.txt").write_text("#####\n#...#\n#...#\n#####\n", encoding="utf-8")
    sweep = read('evaluate = "trial"\nlevels = ["maps/*.txt", "sample:hall"]\n')
    assert list(sweep.plan.levels) == ["a", "b", "hall"]


def test_spans_are_even_or_even_in_their_logarithm(read):
    sweep = read(sweep_text("a = { low = 1, high = 4, steps = 4 }\ncount = { low = 1, high = 3, steps = 3 }", seeds=1))
    assert sorted({task.values["a"] for task in sweep.tasks}) == [1.0, 2.0, 3.0, 4.0]
    assert {task.values["count"] for task in sweep.tasks} == {1, 2, 3}
    sweep = read(sweep_text("a = { low = 0.1, high = 10, steps = 3, log = true }", seeds=1))
    assert [task.values["a"] for task in sweep.tasks] == [0.1, 1.0, 10.0]


def test_random_points_stay_as_they_are_when_more_are_drawn(read):
    text = HEAD + (
        "[random]\ncount = {}\nseed = 5\n[random.over]\na = {{ low = 2, high = 3 }}\n"
        'count = {{ low = 1, high = 2 }}\nmode = ["works", "fails"]\n'
    )
    few, many = (read(text.format(count)).tasks for count in (10, 40))
    assert [task.key for task in few] == [task.key for task in many[:10]]
    assert all(2.0 <= task.values["a"] <= 3.0 for task in many)
    assert {task.values["count"] for task in many} == {1, 2}
    assert {task.values["mode"] for task in many} == {"works", "fails"}
    other = read(text.replace("seed = 5", "seed = 6").format(10)).tasks
    assert [task.key for task in few] != [task.key for task in other]


def test_grid_and_random_points_are_combined(read):
    text = HEAD + '[grid]\nmode = ["works", "fails"]\n[random]\ncount = 3\n[random.over]\na = { low = 1, high = 2 }\n'
    assert len(read(text).tasks) == 6


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HEAD + "[grid]\nb = [1]\n", 4, "trial has no parameter 'b'"),
        (HEAD + "[fixed]\ncuont = 1\n", 4, "did you mean 'count'?"),
        (HEAD + "[grid]\nseed = [1]\n", 4, "list seeds = [...] at the top"),
        (HEAD + "[grid]\na = []\n", 4, "no values, so the sweep has no tasks"),
        (HEAD + "[grid]\na = 3\n", 4, "move it to fixed"),
        (HEAD + "[grid]\na = [1, 'x']\n", 4, "a[2] is 'x'; give a number"),
        (HEAD + "[grid]\na = [1, 1.0]\n", 4, "lists 1.0 twice"),
        (HEAD + "[grid]\na = { low = 1, high = 2 }\n", 4, "add steps = 5"),
        (HEAD + "[grid]\na = { low = 2, high = 1, steps = 2 }\n", 4, "low must be less than high"),
        (HEAD + "[grid]\na = { low = 0, high = 1, steps = 2, log = true }\n", 4, "more than 0"),
        (HEAD + "[grid]\na = { low = 0, hihg = 1 }\n", 4, "did you mean 'high'?"),
        (HEAD + "[grid]\nmode = { low = 0, high = 1, steps = 2 }\n", 4, "list its values"),
        (HEAD + "[grid]\ncount = { low = 0.5, high = 2, steps = 2 }\n", 4, "give whole numbers for low and high"),
        (HEAD + "[fixed]\ncount = 1.5\n", 4, "count is 1.5; give a whole number"),
        (HEAD + "[fixed]\non = 1\n", 4, "on is 1; give true or false"),
        (HEAD + "[fixed]\nnames = []\n", 4, "give a list of texts"),
        (HEAD + "[fixed]\nmode = 'wroks'\n", 4, "did you mean 'works'?"),
        (HEAD + "[fixed]\npath = [[1, 2]]\n", 4, "path is [[1, 2]]; give a GeoJSON file, or a list of places"),
        (HEAD + "[fixed]\npath = 'gone.geojson'\n", 4, "gone.geojson"),
        (HEAD + "[fixed]\na = -1\n", 4, "a is -1; it must be at least 0"),
        (HEAD + "\n[grid]\nmode = ['works', 'fails']\na = [1, -1]\n", 6, "a is -1"),
        (HEAD + "[fixed]\na = 1\n[grid]\na = [1]\n", 6, "a is in both fixed and grid"),
        (HEAD + "[random]\ncount = 0\n[random.over]\na = [1]\n", 4, "at least 1"),
        (HEAD + "[random]\ncount = 2\n[random.over]\n", 5, "over is empty"),
        (
            HEAD + "[random]\ncount = 2\n[random.over]\na = { low = 1, high = 2, steps = 2 }\n",
            6,
            "a has steps, which are for grids",
        ),
        (HEAD + "seeds = []\n", 3, "seeds"),
        (HEAD + "seeds = [1, 1]\n", 3, "lists 1 twice"),
        (HEAD + "seeds = [-1]\n", 3, "at least 0"),
        (HEAD + "sedes = [1]\n", 3, "did you mean 'seeds'?"),
        (HEAD + "seeds = { count = 1000000 }\n[grid]\na = [1, 2]\n", 1, "2000000 tasks"),
        ('evaluate = "trail"\nlevels = ["rooms"]\n', 1, "did you mean 'trial'?"),
        ('evaluate = "trial"\nlevels = []\n', 2, "levels"),
        ('evaluate = "trial"\n', 1, "the key 'levels' is missing"),
        ('evaluate = "trial"\nlevels = ["warehose"]\n', 2, "did you mean 'warehouse'?"),
        ('evaluate = "trial"\nlevels = ["*.map"]\n', 2, "no file matches '*.map'"),
        ('evaluate = "trial"\nlevels = ["/etc/*.map"]\n', 2, "is not a file pattern relative to the sweep file"),
        ('evaluate = "trial"\nlevels = ["rooms", "sample:rooms"]\n', 2, "two levels are named 'rooms'"),
        ('evaluate = "trial"\nlevels = ["sweep.toml"]\n', 2, "the level cannot be read"),
        ('evaluate = "trial\n', 1, "invalid TOML"),
    ],
)
def test_a_fault_is_told_with_its_line(read, tmp_path, text, line, words):
    with pytest.raises(InputError) as told:
        read(text)
    assert str(told.value).startswith(f"{tmp_path / 'sweep.toml'}:{line}: "), told.value
    assert words in str(told.value)


def test_values_that_only_clash_with_some_others_are_left_to_their_rows(read):
    sweep = read(HEAD + "[grid]\na = [1, 9]\nmode = ['works', 'narrow']\n")
    assert len(sweep.tasks) == 4
    with pytest.raises(InputError, match="narrow takes at most 5"):
        read(HEAD + "[grid]\na = [7, 9]\nmode = ['works', 'narrow']\n")


def test_settings_become_parameters_and_settings_again():
    known = parameters_of(PursuitSettings, degrees=("view_angle",))
    assert known["view_angle"] == Parameter("number", 120.0, known["view_angle"].about)
    assert known["view_angle"].about.startswith("degrees; ")
    usual = {name: parameter.usual for name, parameter in known.items()}
    assert PursuitSettings(**named(usual, known, degrees=("view_angle",))) == PursuitSettings()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_usual_values_are_sound_and_columns_have_different_names(name):
    experiment = EXPERIMENTS[name]
    usual = {key: parameter.usual for key, parameter in experiment.parameters.items()}
    experiment.check(usual)
    for key, parameter in experiment.parameters.items():
        if parameter.usual is not None:
            assert parameter.value(parameter.usual, key) == parameter.usual
    own = {"task", "level", "seed", "error", "took_seconds"}
    names = [*own, *experiment.parameters, *experiment.columns]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("evaluate", "fixed", "words"),
    [
        ("chase", 'predictors = ["beleif"]', "did you mean 'belief'?"),
        ("chase", "step = 0", "step is 0"),
        ("search", 'evaders = ["hidr"]', "did you mean 'hider'?"),
        ("search", "searchers = [99]", "searchers"),
        ("placement", "guards = 501", "give 1 to 500"),
        ("placement", 'packing = "voronio"', "did you mean 'voronoi'?"),
        ("placement", 'kinds = ["walkin"]', "did you mean 'walking'?"),
        ("placement", "player_speed = 0", "it must be at least 0.01"),
        ("verification", "runs = 0", "at least 1"),
        ("verification", "near = 11", "near is 11"),
    ],
)
def test_impossible_values_are_told_before_anything_runs(tmp_path, evaluate, fixed, words):
    path = tmp_path / "sweep.toml"
    path.write_text(f'evaluate = "{evaluate}"\nlevels = ["rooms"]\n[fixed]\n{fixed}\n', encoding="utf-8")
    with pytest.raises(InputError) as told:
        read_sweep(path)
    assert str(told.value).startswith(f"{path}:4: ")
    assert words in str(told.value)


def test_the_schema_takes_what_the_reader_takes(tmp_path):
    schema = sweep_schema()
    example = tomllib.loads((ROOT / "examples" / "sweep_path_cost.toml").read_text(encoding="utf-8"))
    assert accepts(schema, example)
    for change in (
        {"evaluate": "placemnt"},
        {"levels": []},
        {"fixed": {"pathcost": 1}},
        {"fixed": {"guards": "3"}},
        {"grid": {"guards": []}},
        {"grid": {"guards": {"low": 1, "high": 3}}},
        {"random": {"count": 3}},
        {"seeds": {"first": 3}},
        {"sead": 1},
    ):
        assert not accepts(schema, example | change), change
    assert accepts(schema, example | {"random": {"count": 3, "over": {"most": {"low": 1, "high": 2, "log": True}}}})


@given(st.lists(st.floats(0.01, 100.0), min_size=1, max_size=6, unique=True), st.integers(1, 4))
def test_the_design_has_as_many_tasks_as_its_parts_multiply_to(tmp_path_factory, values, seeds):
    path = Path(tmp_path_factory.mktemp("design")) / "sweep.toml"
    path.write_text(sweep_text(f"a = {[float(f'{v:.10g}') for v in values]}", seeds=seeds), encoding="utf-8")
    different = len({float(f"{value:.10g}") for value in values})
    if different == len(values):
        tasks = read_sweep(path, experiments=TRIALS).tasks
        assert len({task.key for task in tasks}) == len(tasks) == len(values) * seeds


def test_values_are_told_in_words():
    assert text_of_value((1.0, 2.5)) == "1, 2.5"
    assert text_of_value(((1.0, 2.0), (3.0, 4.0))) == "1, 2; 3, 4"
    assert text_of_value(True) == "yes"
    assert text_of_value(None) == ""
    assert Parameter("number").value(3, "x") == 3.0
    with pytest.raises(InputError, match="x is nan; give a number"):
        Parameter("number").value(math.nan, "x")
