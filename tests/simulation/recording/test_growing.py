"""A recording in memory answers as the file would, at every moment while it grows."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.errors import InputError, RecordingError
from lastseen.simulation.game_loop import step as make_step
from lastseen.simulation.recording.format import About, Column, LayerColumn
from lastseen.simulation.recording.live_recording import GrowingRecording
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import about_of, step_of
from lastseen.simulation.recording.writer import Recorder
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import shipped_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.vocabulary.events import Said

ABOUT = About("0", "{}", "{}", 0, 0.1, ("a", "b"), (Column("xyz", "<f4", (2, 3)),), (LayerColumn("heat", "|i1", 9),))


def steps(count: int):
    rng = np.random.default_rng(5)
    heat = np.zeros(9, np.int8)
    for tick in range(count):
        heat[rng.integers(9)] = rng.integers(-5, 5)
        events = [Said(tick, 0, line=f"word {tick}")] if tick % 3 == 0 else []
        yield [rng.random((2, 3)).astype("f4")], [heat.copy()], events, [(0, 1, f"why {tick // 4}")]


def same_frame(one, other) -> bool:
    return (
        one.tick == other.tick
        and one.texts == other.texts
        and all(np.array_equal(one.columns[name], other.columns[name]) for name in one.columns)
        and all(np.array_equal(one.layers[name], other.layers[name]) for name in one.layers)
    )


@pytest.mark.parametrize("asked_every", [1, 7, 100])
def test_it_answers_as_the_file_does(tmp_path, asked_every):
    growing, recorder = GrowingRecording(ABOUT, every=10), Recorder(tmp_path / "a.rec", ABOUT, every=10)
    for number, step in enumerate(steps(45), start=1):
        growing.add(*step)
        recorder.add(*step)
        assert len(growing) == number
        if number % asked_every == 0:
            np.testing.assert_array_equal(growing.frame(number - 1).columns["xyz"], step[0][0])
            assert growing.column("xyz").shape == (number, 2, 3)
    recorder.close("stopped", "d")
    written = Recording.read(tmp_path / "a.rec")
    assert all(same_frame(growing.frame(tick), written.frame(tick)) for tick in range(45))
    np.testing.assert_array_equal(growing.column("xyz"), written.column("xyz"))
    for first, last in ((0, None), (5, 20), (44, 44), (30, 10)):
        assert list(growing.events(first, last)) == list(written.events(first, last))
    with pytest.raises(RecordingError, match="no step 45"):
        growing.frame(45)


def test_its_bytes_are_a_file_and_it_goes_on_growing(tmp_path):
    growing = GrowingRecording(ABOUT, every=10)
    for step in steps(13):
        growing.add(*step)
    (tmp_path / "b.rec").write_bytes(growing.to_bytes("stopped", "digest"))
    found = Recording.read(tmp_path / "b.rec")
    assert (len(found), found.fault, found.end.reason, found.end.ticks) == (13, "", "stopped", 13)
    growing.add(*next(steps(1)))
    assert (len(growing), growing.end) == (14, None)
    growing.finish("caught", "digest")
    assert growing.end.ticks == 14
    assert len(growing.column("xyz")) == 14


def test_an_empty_one_can_be_asked_too():
    growing = GrowingRecording(ABOUT)
    assert (len(growing), list(growing.events()), growing.column("xyz").shape) == (0, [], (0, 2, 3))
    growing.add(*next(steps(1)))
    assert growing.column("xyz").shape == (1, 2, 3)


def test_questions_change_nothing_of_what_is_kept():
    silent, asked = GrowingRecording(ABOUT, every=10), GrowingRecording(ABOUT, every=10)
    for number, step in enumerate(steps(33)):
        silent.add(*step)
        asked.add(*step)
        asked.frame(number)
        asked.column("xyz")
    assert asked.to_bytes("stopped", "d") == silent.to_bytes("stopped", "d")


def test_answers_stay_as_they_were_while_it_grows():
    growing, truth, columns, frames = GrowingRecording(ABOUT, every=10), [], [], []
    for number, step in enumerate(steps(33)):
        growing.add(*step)
        truth.append(step)
        columns.append(growing.column("xyz"))
        frames.append(growing.frame(number))
    for number, (column, frame) in enumerate(zip(columns, frames)):
        np.testing.assert_array_equal(column, [step[0][0] for step in truth[: number + 1]])
        np.testing.assert_array_equal(frame.columns["xyz"], truth[number][0][0])
        np.testing.assert_array_equal(frame.layers["heat"], truth[number][1][0])
        assert frame.texts == {(0, 1): f"why {number // 4}"}
        assert not column.flags.writeable
        assert not frame.layers["heat"].flags.writeable


@pytest.mark.parametrize("count", [0, 3, 13])
def test_what_it_has_not_is_said(count):
    growing = GrowingRecording(ABOUT, every=10)
    for step in steps(count):
        growing.add(*step)
    with pytest.raises(RecordingError, match=f"no step {count}; it has {count}"):
        growing.frame(count)
    for wrong in ("yzx", ["xyz"], None):
        with pytest.raises(RecordingError, match="it has xyz"):
            growing.column(wrong)
    with pytest.raises(InputError, match="tick"):
        growing.frame(-1)


@pytest.mark.parametrize("count", [30, 31, 61])
def test_the_account_of_the_last_step_of_a_live_run_is_given(count):
    world = make_world(shipped_scenario("two_floors"))
    growing = GrowingRecording(about_of(world))
    for _ in range(count):
        make_step(world)
        growing.add(*step_of(world))
    for name in world.names:
        account = account_of(growing, name, growing.seconds)
        assert (account.tick, account.state) == (count - 1, world.state_of(world.names.index(name)))
        assert growing.texts(count - 1) == growing.frame(count - 1).texts
