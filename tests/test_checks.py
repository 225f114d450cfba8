import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.checks import (
    extremes,
    finite_number,
    frozen,
    instance_of,
    outline_xy,
    point_xyz,
    points_xyz,
    read_only,
    real_array,
    real_number,
    seed_of,
    shown,
    table_of,
    text_of,
    whole_number,
)
from lastseen.errors import InputError
from lastseen.navmesh.body import Body


@pytest.mark.parametrize("given", [(1, 2), [1.0, 2.0], np.array([1, 2]), np.array([1.0, 2.0], np.float32)])
def test_a_position_in_the_plane_lies_at_height_zero(given):
    assert point_xyz(given).tolist() == [1.0, 2.0, 0.0]
    assert points_xyz([given]).tolist() == [[1.0, 2.0, 0.0]]


@pytest.mark.parametrize(
    "given",
    [
        (10**400, 0),
        (np.inf, 0),
        (0, np.nan, 0),
        (1,),
        (1, 2, 3, 4),
        "ab",
        None,
        [[1, 2]],
        (1j, 2),
        np.array([1j, 2]),
        ((1, 2), 3),
    ],
)
def test_what_is_no_position_is_refused(given):
    with pytest.raises(InputError, match="point"):
        point_xyz(given)
    with pytest.raises(InputError, match="points"):
        points_xyz([given])


def test_a_message_about_positions_names_the_row():
    with pytest.raises(InputError, match=r"starts\[1\] is \[nan, 0.0\]"):
        points_xyz([(0, 0), (np.nan, 0)], "starts")


def test_no_positions_are_no_positions():
    assert points_xyz([]).shape == (0, 3)


@given(st.lists(st.tuples(*[st.floats(-1e9, 1e9)] * 3), min_size=1))
def test_one_position_is_checked_as_many_are(points):
    assert np.array_equal([point_xyz(point) for point in points], points_xyz(points))


def test_an_outline_does_not_repeat_its_first_point():
    assert outline_xy([(0, 0), (1, 0), (1, 1), (0, 0)]).tolist() == [[0, 0], [1, 0], [1, 1]]
    with pytest.raises(InputError, match="has 2 points"):
        outline_xy([(0, 0), (1, 0), (0, 0)])


@pytest.mark.parametrize("value", [None, "x", "2", b"2", [1], np.array([1.0]), 1j, 10**400, np.nan, np.inf, 5, 1])
def test_a_number_out_of_range_is_refused(value):
    with pytest.raises(InputError, match=r"speed.* more than 1 and at most 4 m/s"):
        finite_number(value, "speed", unit="m/s", low=1.0, high=4.0, open_low=True)


def test_a_limit_that_is_infinite_is_not_named():
    with pytest.raises(InputError, match=r"^tile is 0 m; it must be more than 0 m$"):
        finite_number(0, "tile", unit="m", low=0.0, open_low=True)
    with pytest.raises(InputError, match=r"^far is 3; it must be at most 2$"):
        finite_number(3, "far", high=2.0)


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int8(2), np.array(2.0)])
def test_a_number_becomes_a_plain_float(value):
    number = finite_number(value, "speed", high=4.0)
    assert type(number) is float
    assert number == 2.0


@pytest.mark.parametrize(
    "given",
    [
        "0.5",
        b"5",
        bytearray(b"5"),
        memoryview(b"5"),
        np.str_("0.5"),
        np.array("0.5"),
        np.array("0.5", dtype=object),
        np.complex128(1.0),
        np.datetime64(5, "s"),
        np.array([0.5]),
    ],
)
def test_text_is_no_number_whatever_it_is_wrapped_in(given):
    with pytest.raises(InputError, match="speed must be a number"):
        real_number(given, "speed")


@pytest.mark.parametrize("given", [np.array(["1", "2"], dtype=object), np.array([1, b"2"], dtype=object), ["1", "2"]])
def test_texts_are_no_position(given):
    with pytest.raises(InputError, match="point must be"):
        point_xyz(given)


def test_a_real_number_may_be_infinite():
    assert real_number(-np.inf, "low") == -np.inf
    assert np.isnan(real_number(np.nan, "low"))


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [1], -1, -(10**30), np.array([1])])
def test_only_a_whole_number_is_whole(value):
    with pytest.raises(InputError, match=r"count is .*; give a whole number, at least 0"):
        whole_number(value, "count")


def test_a_whole_number_becomes_a_plain_int():
    assert type(whole_number(np.uint16(3), "count")) is int
    assert whole_number(10**30, "count") == 10**30


@pytest.mark.parametrize("values", ["x", [[1], [2, 3]], [1j], np.array([1j]), 10**400, {"a": 1}, [None, "x"]])
def test_what_is_not_real_makes_no_array(values):
    with pytest.raises(InputError, match="weights must be numbers, got"):
        real_array(values, "weights", "numbers")


def test_anything_can_be_shown_in_short():
    assert shown("a") == "'a'"
    assert shown(10**5000) == "a value of type int"
    assert len(shown(np.zeros((100, 3)))) <= 60
    assert "\n" not in shown(np.zeros((100, 3)))


def test_frozen_copies_what_others_may_write():
    theirs = np.zeros(3)
    ours = frozen(theirs)
    theirs[0] = 1.0
    assert ours.tolist() == [0.0, 0.0, 0.0]
    assert not ours.flags.writeable
    assert frozen(ours) is ours


def test_read_only_does_not_copy():
    array = np.zeros(3)
    assert read_only(array) is array
    assert not array.flags.writeable


def test_an_agent_keeps_plain_floats():
    agent = Body(radius=np.array(0.3), height=np.float32(2), climb=0, slope=1)
    assert agent == Body(0.3, 2.0, 0.0, 1.0)
    assert {type(value) for value in (agent.radius, agent.height, agent.climb, agent.slope)} == {float}


def test_text_tables_and_things_are_taken_or_named():
    assert text_of("east", "side") == "east"
    theirs = {"a": 1}
    assert table_of(theirs, "keys") == theirs
    assert table_of(theirs, "keys") is not theirs
    assert table_of(None, "keys") == {}
    assert instance_of(3, int, "count", "give a number") == 3
    with pytest.raises(InputError, match="side is 4; give text"):
        text_of(4, "side")
    with pytest.raises(InputError, match="keys is 'a'; give"):
        table_of("a", "keys")
    with pytest.raises(InputError, match=r"mesh is None; build one"):
        instance_of(None, Body, "mesh", "build one")


@pytest.mark.parametrize("wrong", [-1, 1.5, True, 2**63, "seven"])
def test_a_seed_is_a_whole_number_that_can_be_written_down(wrong):
    assert seed_of(np.int64(7)) == 7
    assert seed_of(2**63 - 1) == 2**63 - 1
    with pytest.raises(InputError, match="seed"):
        seed_of(wrong)


@pytest.mark.parametrize("given", [np.array([1.0, 2.0, 3.0]), np.array([1, 2, 3]), [1.0, 2, 3.0], (1.0, 2.0, 3.0)])
def test_a_point_is_an_array_of_its_own(given):
    point = point_xyz(given)
    point[0] = 9.0
    assert list(given) == [1.0, 2.0, 3.0]


def test_the_ends_of_few_and_of_many_numbers():
    for count in (1, 100, 1000):
        numbers = np.random.default_rng(count).integers(-5000, 5000, count)
        assert extremes(numbers) == (numbers.min(), numbers.max())
    assert extremes(np.zeros(0, np.int32)) == (0, 0)
