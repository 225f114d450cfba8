from multiprocessing import Pipe

import pytest

from lastseen import errors
from lastseen.errors import Fault, LastSeenError, LevelError, did_you_mean


def test_every_error_has_one_root_and_is_a_value_error():
    kinds = [getattr(errors, name) for name in errors.__all__ if name.endswith("Error") and name != "LastSeenError"]
    assert len(kinds) == 9
    for kind in kinds:
        assert issubclass(kind, LastSeenError)
        assert issubclass(kind, ValueError)


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (Fault("it is empty", "draw a floor"), "it is empty; draw a floor"),
        (Fault("it is thin", "widen it", "door 2"), "door 2: it is thin; widen it"),
        (Fault("it is thin", "widen it", at=(1.0, 2.5)), "at (1, 2.5): it is thin; widen it"),
        (Fault("it is thin", "widen it", "door 2", (1.0, 2.5, 3.0)), "door 2 at (1, 2.5, 3): it is thin; widen it"),
    ],
)
def test_a_fault_reads_as_where_what_and_what_to_do(fault, text):
    assert str(fault) == text


ONE, TWO = Fault("it is empty", "draw a floor"), Fault("it is thin", "widen it", "door 2")


def test_one_fault_stands_on_one_line():
    assert str(LevelError("a.txt", [ONE])) == "a.txt: it is empty; draw a floor"


def test_several_faults_are_all_listed():
    error = LevelError("a.txt", [ONE, TWO])
    assert str(error) == "a.txt:\n  it is empty; draw a floor\n  door 2: it is thin; widen it"
    assert error.faults == (ONE, TWO)
    assert error.source == "a.txt"


def test_a_drawn_level_has_no_file_to_name():
    assert str(LevelError("", [ONE])) == "level: it is empty; draw a floor"


def test_a_close_name_is_offered():
    assert did_you_mean("dangr", ["danger", "cover"]) == " (did you mean 'danger'?)"


@pytest.mark.parametrize("given", ["zzz", "", None, 3, ["danger"]])
def test_where_no_name_is_close_nothing_is_offered(given):
    assert did_you_mean(given, ["danger", "cover"]) == ""


@pytest.mark.parametrize("kind", [errors.LevelError, errors.ScenarioError])
def test_errors_with_faults_pass_between_processes(kind):
    given = kind("night.yaml", [errors.Fault("no floor", "draw one"), errors.Fault("no door", "draw one")])
    here, there = Pipe()
    here.send(given)
    other = there.recv()
    assert (str(other), other.faults, type(other)) == (str(given), given.faults, kind)
